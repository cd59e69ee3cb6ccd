"""A fact with what it rests on, asked of the store in one go."""

from __future__ import annotations

from dataclasses import dataclass, replace

from store import Fact, ListRow, NotFoundError, Session, Store
from store.records import FactSource

from ..timeline.view import sessions_of

MOST = 200


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact, its entry, and the entries of its evidence in time order; `gone` are not here.

    Evidence is a memory, or a line that told the fact: then `tells` knows it by the number of its
    document, which is below zero, and it leads to its session.
    """

    fact: Fact
    entry: ListRow
    evidence: list[ListRow]
    sessions: dict[int, Session]
    gone: int
    told: list[FactSource]
    tells: dict[int, FactSource]

    def subject(self, entry: ListRow) -> ListRow:
        """What the keys work on where this piece of evidence is selected: a memory, or the fact
        as it was told there."""
        if entry.document_id not in self.tells:
            return entry
        return replace(self.entry, session_id=entry.session_id, created_at=entry.created_at)


def fact_view(store: Store, fact_id: int) -> FactView:
    """A fact by its number; NotFoundError."""
    fact = store.facts.get(fact_id)
    own = store.list_row(fact)
    told = store.facts.sources_of(fact)
    by_uid = {one.uid: one for one in told}
    found: list[ListRow] = []
    tells: dict[int, FactSource] = {}
    for number, uid in enumerate(fact.evidence[:MOST], start=1):
        if uid in by_uid:
            tells[-number] = by_uid[uid]
            found.append(_telling(store, own, -number, by_uid[uid]))
            continue
        try:
            found.append(store.list_row(store.record(uid)))
        except NotFoundError:
            continue
    found.sort(key=lambda entry: (entry.created_at, entry.document_id))
    gone = len(fact.evidence) - len(found)
    return FactView(fact, own, found, sessions_of(store, found), gone, told, tells)


def _telling(store: Store, own: ListRow, number: int, told: FactSource) -> ListRow:
    """A line that told a fact, as lists show it."""
    session = store.sessions.find(told.session) if told.session else None
    sure = f"{told.confidence:.0%}"
    where = ", ".join(told.places)
    return replace(
        own,
        document_id=number,
        title=f"told with {sure} in {where}" if where else f"told with {sure}",
        session_id=session.id if session else None,
        agent=session.agent if session else "",
        created_at=told.told_at,
        pinned=False,
    )
