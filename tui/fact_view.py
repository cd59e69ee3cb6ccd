"""A fact with what it rests on, asked of the store in one go."""

from __future__ import annotations

from dataclasses import dataclass

from store import Entry, Fact, NotFoundError, Session, Store

from .around import sessions_of

MOST = 200


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact, its entry, and the entries of its evidence in time order; `gone` are not here."""

    fact: Fact
    entry: Entry
    evidence: list[Entry]
    sessions: dict[int, Session]
    gone: int


def fact_view(store: Store, fact_id: int) -> FactView:
    """A fact by its number; NotFoundError."""
    fact = store.facts.get(fact_id)
    found: list[Entry] = []
    for uid in fact.evidence[:MOST]:
        try:
            found.append(store.entry(store.record(uid)))
        except NotFoundError:
            continue
    found.sort(key=lambda entry: (entry.created_at, entry.document_id))
    gone = len(fact.evidence) - len(found)
    return FactView(fact, store.entry(fact), found, sessions_of(store, found), gone)
