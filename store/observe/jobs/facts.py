"""Store the facts that a session's texts state, with the rows as evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...records import Fact, Session
from ...store import Store
from ..rules.facts import ExtractedFact, extract


def store_facts(
    store: Store, session: Session, *, replies: Iterable[tuple[str, str]] = ()
) -> list[Fact]:
    """Store what a session's visible prompts and compaction summaries state, with the rows as evidence;
    the facts, each once. One transaction.

    `replies` are further texts, each after the uid of the row that stands for it. A statement that
    is known gets more evidence and becomes surer; one that was deleted or hidden stays so.
    """
    found: dict[int, Fact] = {}
    with store.transaction():
        for uid, text in (*_rows(store, session), *replies):
            for fact in extract(text):
                if stored := _stored(store, session, fact, uid):
                    found[stored.id] = stored
    return list(found.values())


def _rows(store: Store, session: Session) -> Iterator[tuple[str, str]]:
    for prompt in store.prompts.of_session(session):
        yield prompt.uid, prompt.text
    for summary in store.summaries.of_session(session):
        if summary.text:
            yield summary.uid, summary.text


def _stored(store: Store, session: Session, fact: ExtractedFact, uid: str) -> Fact | None:
    known = store.facts.find(fact.content, fact.kind, session.project)
    if known.private if known else _was_deleted(store, session, fact):
        return None
    return store.facts.add(
        fact.content,
        kind=fact.kind,
        project=session.project,
        entities=fact.entities,
        confidence=fact.confidence,
        evidence=[uid],
    )


def _was_deleted(store: Store, session: Session, fact: ExtractedFact) -> bool:
    known = store.facts.find(fact.content, fact.kind, session.project, deleted=True)
    return known is not None
