"""What hooks reported, one a line: how it stands, what it is, whose, since when, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from memtui.store import Store
from memtui.store.aio import AsyncStore
from memtui.store.capture.status import queue_view
from memtui.store.capture.status.queue_view import QueueItem
from memtui.store.translation import _

from ..lists.paged_list import PagedList
from ..lists.provider import FoundRows, Provider
from ..parts.headings import column_heads
from ..text.ages import WIDTH, age
from ..text.content import DIM, GAP, fit, plain, right_aligned
from .event_text import STANDS, UNKNOWN, kind, session

WIDTHS = {"ref": 5, "stands": 10, "kind": 11, "session": 22, "tries": 5, "age": WIDTH}
HEADS = {
    "ref": "", "stands": _("State"), "kind": _("What"), "session": _("Session"), "tries": _("Tries"),
    "age": _("Since"), "reason": _("Why"),
}  # fmt: skip
LEAST = 20
"""Cells that the reason has at least, or else the session leaves, then the tries."""


States = Sequence[Sequence[str]]
"""States whose events are listed together, and below them those of others."""


@dataclass(frozen=True, slots=True)
class EventProvider:
    """The events in some states."""

    store: AsyncStore
    states: States

    async def count(self) -> int:
        results = await self.store.run(queue_view.counts)
        return sum(results[state] for together in self.states for state in together)

    async def page(self, start: int, length: int) -> Sequence[QueueItem]:
        return await self.store.run(lambda store: self._page(store, start, length))

    def _page(self, store: Store, start: int, length: int) -> list[QueueItem]:
        counts, items = queue_view.counts(store), list[QueueItem]()
        for together in self.states:
            if len(items) < length:
                items += queue_view.page(store, together, max(0, start), length - len(items))
            start -= sum(counts[state] for state in together)
        return items


def event_provider(store: AsyncStore, states: States, words: str) -> Provider[QueueItem]:
    """Return the provider of the events in some states that hold some words."""
    if not words:
        return EventProvider(store, states)

    def found(entry: Store) -> Sequence[str]:
        return [ref for together in states for ref in queue_view.found(entry, together, words)]

    async def find() -> tuple[Sequence[str], bool]:
        return await store.run(found), True

    async def read(refs: Sequence[str]) -> Sequence[QueueItem]:
        return await store.run(lambda one: queue_view.by_ref(one, refs))

    return FoundRows(find, read, lambda item: item.ref)


class EventList(PagedList[QueueItem]):
    """The session and the tries leave where there is no room for them and for the reason."""

    has_heads = True

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda item: item.ref)
        self._now = now

    def render_row(self, item: QueueItem, width: int, selected: bool) -> list[Content]:
        stands = STANDS.get(item.status, UNKNOWN)
        cells = {
            "ref": plain(item.ref, DIM),
            "stands": plain(stands.word, stands.style),
            "kind": plain(kind(item), "bold" if selected else ""),
            "session": plain(session(item), DIM if item.hidden else ""),
            "tries": Content.styled(tries(item).rjust(WIDTHS["tries"]), DIM),
            "age": right_aligned(
                Content.styled(age(item.created_at, self._now(), self.as_dates), DIM), WIDTHS["age"]
            ),
        }
        cells["reason"] = plain(_(item.reason), DIM)
        symbol = Content.styled(f"{stands.symbol} ", stands.style)
        widths = columns(width - 2)
        return [symbol + GAP.join(fit(cells[part], room) for part, room in widths.items())]

    def render_heads(self, width: int) -> Content:
        return column_heads(columns(width - 2), HEADS, right=("tries", "age"), lead=2)


def columns(width: int) -> dict[str, int]:
    """Return the columns that fit into `width` cells, with the cells of each."""
    widths = dict(WIDTHS)
    for leaving in ("", "session", "tries"):
        widths.pop(leaving, None)
        room = width - sum(cells + len(GAP) for cells in widths.values())
        if room >= LEAST:
            break
    return {**widths, "reason": max(0, room)}


def tries(item: QueueItem) -> str:
    """Return how often a message was tried, `3×`; `—` for never."""
    return f"{item.attempts}×" if item.attempts else "—"
