"""Facts, one a line: of what kind, what is held true, and how firmly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from store import Fact, FactKind
from store.aio import AsyncStore

from ..ages import age
from ..glyphs import pin
from ..text import DIM, fit, plain
from .paged_list import PagedList

KINDS: dict[FactKind, tuple[str, str]] = {
    "W": ("world", "$text-primary"),
    "B": ("biography", "$text-secondary"),
    "O": ("opinion", "$text-warning"),
    "S": ("summary", "$text-success"),
}
"""What each kind's letter stands for, and its style."""
BAR = 5
GAP = Content("  ")


@dataclass(frozen=True, slots=True)
class FactSource:
    """The facts of a kind that name an entity, or of all where these are None, newest first."""

    store: AsyncStore
    kind: FactKind | None = None
    entity: str | None = None

    async def count(self) -> int:
        return await self.store.run(lambda store: store.facts.count(self.kind, entity=self.entity))

    async def page(self, start: int, length: int) -> Sequence[Fact]:
        return await self.store.run(
            lambda store: store.facts.list(
                self.kind, limit=length, offset=start, entity=self.entity
            )
        )


class FactList(PagedList[Fact]):
    """The entities and the kind's name leave where there is no room for them."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda fact: fact.id, id=id)
        self._now = now

    def render_row(self, item: Fact, width: int, selected: bool) -> list[Content]:
        word, style = KINDS[item.kind]
        kind = f"{item.kind} {word:<9}" if width >= 90 else item.kind
        right = [
            confidence(item.confidence),
            Content.styled(f"{age(item.created_at, self._now()):>4}", DIM),
        ]
        if width >= 90:
            right.insert(0, fit(plain(", ".join(item.entities), DIM), width // 5))
        room = width - len(kind) - sum(part.cell_length + 2 for part in right) - 2
        content = fit(plain(item.content, "bold" if selected else ""), room, pin(item))
        return [GAP.join([Content.styled(kind, style), content, *right])]


def confidence(value: float) -> Content:
    """How firmly something is held, 0 to 1: a bar and the number."""
    full = round(value * BAR)
    return Content.assemble(
        ("━" * full, "$text-accent"),
        ("╌" * (BAR - full), "$foreground 40%"),
        (f" {value:.2f}", DIM),
    )
