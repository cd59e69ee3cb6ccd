"""Facts and preferences, by rules, from what people and agents say.

Only what is said outright is held: "we decided to …", "always …", "记住 …". Questions, what might
be, what was not decided, and what is quoted or code is none of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..records import Fact, FactKind, Session
from ..store import Store
from .entities import entities_of
from .prose import lines_of
from .statements import statement_of

MOST = 40
"""Facts of one text."""


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """What a text holds true: its kind (W, B, O or S), what it is about, and how sure that is (0 to 1)."""

    content: str
    kind: FactKind
    entities: tuple[str, ...]
    confidence: float


def extract(text: str) -> list[ExtractedFact]:
    """The facts and preferences that a text states, each once, in their order."""
    found: dict[str, ExtractedFact] = {}
    for line in lines_of(text):
        if told := statement_of(line.text):
            fact = ExtractedFact(
                told.content, told.kind, entities_of(told.content), told.confidence
            )
            found.setdefault(fact.content.casefold(), fact)
        if len(found) == MOST:
            break
    return list(found.values())


def store_facts(
    store: Store, session: Session, *, replies: Iterable[tuple[str, str]] = ()
) -> list[Fact]:
    """Store what a session's visible prompts and compaction summaries state, with the rows as evidence;
    the facts, each once. One unit of work.

    `replies` are further texts, each after the uid of the row that stands for it. A statement that
    is known gets more evidence and becomes surer; one that was deleted or hidden stays so.
    """
    found: dict[int, Fact] = {}
    with store.unit():
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
    known = store.facts.saying(fact.content, fact.kind, session.project)
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
    known = store.facts.saying(fact.content, fact.kind, session.project, deleted=True)
    return known is not None
