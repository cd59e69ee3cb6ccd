"""Asking whose the memories in lists are, and who may read them, where the store is in a team."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App

from ..protocol import browser

if TYPE_CHECKING:
    from memtui.store import Store
    from memtui.store.team.marks import TeamMark

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
                marks = await browser(app).side.run(partial(_marks, refs))
                self._known.update({ref: marks.get(ref) for ref in refs})
                self._fresh.update(refs)
                from .paged_list import PagedList

                for rows in app.screen.query(PagedList):
                    if rows.has_marks:
                        rows.repaint_rows()
                # Which keys work depends on whose the selected one is.
                app.screen.refresh_bindings()
        finally:
            self._is_asking = False


def _marks(refs: list[str], store: Store) -> dict[str, TeamMark]:
    # Not before there is a team.
    from memtui.store.team.marks import marks_of

    return marks_of(store, refs)
