"""A fact with what it rests on, asked of the store in one go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memtui.store import Fact, FactSource, ListRow, NotFoundError, Pointers, Store
from memtui.store.translation import _

from ..text.team_mark import mark_of
from ..timeline.moments import NamedSession
from ..timeline.view import sessions_of

if TYPE_CHECKING:
    from memtui.store.team.marks import TeamMark

MOST = 200


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact, its row, and the rows of its evidence in time order; `gone` counts those not here, and
    `machine` is the other one that it was made on, if it was; `mark` its own in a team.

    A piece of evidence is a memory, or a line that the fact was read from. `lines` maps the document
    numbers of such lines, which are below zero, to their sources; they lead to their session.
    """

    fact: Fact
    row: ListRow
    evidence: list[ListRow]
    sessions: dict[int, NamedSession]
    gone: int
    sources: list[FactSource]
    lines: dict[int, FactSource]
    pointers: Pointers
    machine: str
    mark: TeamMark | None

    def subject(self, row: ListRow) -> ListRow:
        """Return what the keys work on where this piece of evidence is selected: the memory, or the
        fact with the session and time of the line."""
        if row.document_id not in self.lines:
            return row
        return replace(self.row, session_id=row.session_id, created_at=row.created_at)


def fact_view(store: Store, fact_id: int, *, has_marks: bool) -> FactView:
    """Return a fact by its number with its evidence. Raises NotFoundError."""
    fact = store.facts.get(fact_id)
    own = store.list_row(fact)
    sources = store.facts.sources_of(fact)
    by_uid = {source.uid: source for source in sources}
    rows: list[ListRow] = []
    lines: dict[int, FactSource] = {}
    for number, uid in enumerate(fact.evidence[:MOST], start=1):
        if uid in by_uid:
            lines[-number] = by_uid[uid]
            rows.append(_line_row(store, own, -number, by_uid[uid]))
            continue
        try:
            rows.append(store.list_row(store.record(uid)))
        except NotFoundError:
            continue
    rows.sort(key=lambda row: (row.created_at, row.document_id))
    gone = len(fact.evidence) - len(rows)
    pointers = store.superseding.pointers(fact)
    machine = store.machine_name(fact.origin)
    mark = mark_of(store, fact) if has_marks else None
    return FactView(
        fact, own, rows, sessions_of(store, rows), gone, sources, lines, pointers, machine, mark
    )


def _line_row(store: Store, own: ListRow, number: int, source: FactSource) -> ListRow:
    """Return a line that a fact was read from as a list row."""
    session = store.sessions.find(source.session) if source.session else None
    sure = f"{source.confidence:.0%}"
    where = _(", ").join(source.places)
    return replace(
        own,
        document_id=number,
        title=_("told with {confidence} in {places}", confidence=sure, places=where)
        if where
        else _("told with {confidence}", confidence=sure),
        session_id=session.id if session else None,
        agent=session.agent if session else "",
        created_at=source.told_at,
        pinned=False,
    )
