"""The queue, one a line: how it stands, what it is, whose, since when, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from store.aio import AsyncStore
from store.capture.status import queue_view
from store.capture.status.queue_view import QueueItem

from ..lists.paged_list import PagedList
from ..text.ages import age
from ..text.content import DIM, GAP, fit, plain
from .text import STANDS, kind, session

WIDTHS = {"ref": 6, "stands": 10, "kind": 12, "session": 22, "tries": 5, "age": 4}
LEAST = 20
"""Cells that the reason has at least, or else the session leaves."""


@dataclass(frozen=True, slots=True)
class QueueProvider:
    """What is in some states."""

    store: AsyncStore
    states: Sequence[str]

    async def count(self) -> int:
        found = await self.store.run(queue_view.counts)
        return sum(found[state] for state in self.states)

    async def page(self, start: int, length: int) -> Sequence[QueueItem]:
        return await self.store.run(
            lambda store: queue_view.page(store, self.states, start, length)
        )


class QueueList(PagedList[QueueItem]):
    """The session leaves where there is no room for it and for the reason."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda item: item.ref, id=id)
        self._now = now

    def render_row(self, item: QueueItem, width: int, selected: bool) -> list[Content]:
        stands = STANDS[item.status]
        cells = {
            "ref": plain(item.ref, DIM),
            "stands": plain(stands.word, stands.style),
            "kind": plain(kind(item), "bold" if selected else ""),
            "session": plain(session(item), DIM if item.hidden else ""),
            "tries": Content.styled(tries(item).rjust(WIDTHS["tries"]), DIM),
            "age": Content.styled(age(item.created_at, self._now()).rjust(WIDTHS["age"]), DIM),
        }
        taken = 2 + sum(cells + len(GAP) for cells in WIDTHS.values())
        if width - taken < LEAST:
            taken -= WIDTHS["session"] + len(GAP)
            del cells["session"]
        symbol = Content.styled(f"{stands.symbol} ", stands.style)
        line = symbol + GAP.join(fit(cell, WIDTHS[part]) for part, cell in cells.items())
        return [line + GAP + fit(plain(item.reason, DIM), max(0, width - taken))]


def tries(item: QueueItem) -> str:
    """Return how often a message was tried, `3×`; `—` for never."""
    return f"{item.attempts}×" if item.attempts else "—"
