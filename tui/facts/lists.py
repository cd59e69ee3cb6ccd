"""Facts, one a line, and notes, one a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from store import Fact, FactKind, Note
from store.aio import AsyncStore

from ..lists.paged_list import PagedList
from ..text.ages import age
from ..text.content import DIM, GAP, fit, plain
from ..text.glyphs import pin

KINDS: dict[FactKind, tuple[str, str]] = {
    "W": ("world", "$text-primary"),
    "B": ("biography", "$text-secondary"),
    "O": ("opinion", "$text-warning"),
    "S": ("summary", "$text-success"),
}
"""What each kind's letter stands for, and its style."""
BAR = 5


@dataclass(frozen=True, slots=True)
class FactProvider:
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
    """Return a confidence of 0 to 1 as a bar and the number."""
    full = round(value * BAR)
    return Content.assemble(
        ("━" * full, "$text-accent"),
        ("╌" * (BAR - full), "$foreground 40%"),
        (f" {value:.2f}", DIM),
    )


class NoteList(PagedList[Note]):
    """By project and path."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda note: note.id, id=id)
        self._now = now

    def render_row(self, item: Note, width: int, selected: bool) -> list[Content]:
        project = fit(plain(item.project or "everywhere"), 14)
        edited = Content.styled(f"{age(item.updated_at, self._now()):>4}", DIM)
        room = width - 14 - 4 - 4
        path = plain(item.path, "bold" if selected else "")
        if room < 40:
            return [GAP.join([project, fit(path, room), edited])]
        begins = plain(_beginning(item.text), DIM)
        return [
            GAP.join([project, fit(path, room // 2), fit(begins, room - room // 2 - 2), edited])
        ]


def _beginning(text: str) -> str:
    """The first line that says something; the heading only where there is nothing else."""
    lines = [line.strip() for line in text[:2_000].splitlines() if line.strip()]
    said = (line for line in lines if not line.startswith("#"))
    return next(said, lines[0] if lines else "")
