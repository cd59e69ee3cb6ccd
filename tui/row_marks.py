"""What the app knows of the rows of all lists: what has arrived since the browser was last left, marked
until it was in view and left again; and where the store is in a team, whose memories are and who may read
them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import Screen

from memtui.store import Seen, Store, StoreError, parse_ref
from memtui.store.aio import AsyncStore

from .lists.paged_list import PagedList
from .protocol import Holdings, browser
from .text.team_mark import marks_of

if TYPE_CHECKING:
    from memtui.store.records.sharing import TeamMark


class NewArrivals:
    """What is new in one memory. What was in view counts as seen, and keeps its mark to the end of the
    visit, so that it doesn't vanish under the eye. Nothing is new where nothing can be kept."""

    def __init__(self, *, is_kept: bool) -> None:
        self._is_kept = is_kept
        self._seen: Seen | None = None
        self._unseen: dict[str, frozenset[int]] = {}
        self._in_view: dict[str, set[int]] = {}

    @property
    def count(self) -> int:
        """How many memories are new and weren't in view yet."""
        return sum(
            len(numbers - self._in_view.get(kind, set()))
            for kind, numbers in self._unseen.items()
            if kind != "session"
        )

    async def look(self, store: AsyncStore, screen: Screen[Any]) -> Holdings:
        """See what has arrived, and return what there is in all. The first time it is later than the
        first paint, whose rows are painted again where any is new."""
        if self._is_kept:
            seen, is_first = self._seen, self._seen is None
            if seen is None:
                seen = await store.run(lambda item: item.arrivals.seen())
            self._seen = known = seen
            self._unseen = await store.run(lambda entry: entry.arrivals.unseen(known))
            if is_first and any(self._unseen.values()):
                for rows in screen.query(PagedList):
                    rows.repaint_rows()
        return await store.run(self._holdings)

    def counted(self, holdings: Holdings) -> Holdings:
        """Return what there is, with how much of it is new by now."""
        return replace(holdings, new=self.count)

    def _holdings(self, store: Store) -> Holdings:
        newest = store.find("").rows(0, 1)
        at = newest[0].created_at if newest else 0
        return Holdings(store.find("").count().value, at, self.count)

    def is_new(self, ref: str) -> bool:
        """Whether a record has arrived since the last visit."""
        result = parse_ref(ref)
        return result is not None and result[1] in self._unseen.get(result[0], ())

    def show(self, ref: str) -> None:
        """Note that a record was in view."""
        if (result := parse_ref(ref)) is not None:
            self._in_view.setdefault(result[0], set()).add(result[1])

    def see_all(self) -> None:
        """Take all that is new for seen."""
        if self._seen is not None:
            others = self._seen.others
            new = {kind: others.get(kind, frozenset()) | each for kind, each in self._unseen.items()}
            self._seen, self._unseen = replace(self._seen, others=new), dict.fromkeys(new, frozenset())

    async def keep(self, stores: Sequence[AsyncStore]) -> None:
        """Remember what was seen, once a visit, by the last of the connections."""
        if (seen := self._seen) is None or not stores:
            return
        others = {
            kind: seen.others.get(kind, frozenset()) | (numbers & self._in_view.get(kind, set()))
            for kind, numbers in self._unseen.items()
        }
        with suppress(StoreError):
            await stores[-1].run(lambda store: store.arrivals.keep(Seen(seen.highest, others)))


MOST_KNOWN = 5_000
"""Marks that are kept."""


class KnownMarks:
    """What is known of marks. Lists ask as they are painted; what isn't known yet is asked of the store,
    all of it together, and they are painted anew."""

    def __init__(self) -> None:
        self.is_on = False
        """Whether any memory may have a mark."""
        self._known: dict[str, TeamMark | None] = {}
        self._fresh: set[str] = set()
        self._wanted: dict[str, None] = {}
        self._is_asking = False

    def of(self, app: App[Any], ref: str) -> TeamMark | None:
        """Return the mark of a memory as far as it is known."""
        if ref not in self._fresh:
            self._wanted[ref] = None
            if not self._is_asking:
                self._is_asking = True
                app.run_worker(self._ask(app), group="marks")
        return self._known.get(ref)

    def look_anew(self) -> None:
        """Have all be asked again, when the store was written to."""
        self._fresh.clear()
        if len(self._known) > MOST_KNOWN:
            self._known.clear()

    async def _ask(self, app: App[Any]) -> None:
        try:
            while self._wanted:
                refs = [*self._wanted]
                self._wanted.clear()
                marks = await browser(app).side.run(partial(marks_of, refs=refs))
                self._known.update({ref: marks.get(ref) for ref in refs})
                self._fresh.update(refs)
                from .lists.paged_list import PagedList

                for rows in app.screen.query(PagedList):
                    if rows.has_marks:
                        rows.repaint_rows()
                # Which keys work depends on whose the selected one is.
                app.screen.refresh_bindings()
        finally:
            self._is_asking = False
