"""Store what observers found, and confirm its messages, in one transaction; what users edited stays."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import apsw

from ...errors import StoreError
from ...records import Fact, Observation, PendingMessage, Session, Summary, SummaryLevel
from ...records.dataclasses import dataclass, field
from ...store import Store
from ...tables.base import Values

if TYPE_CHECKING:
    from ..rules.facts import ExtractedFact

NO_EDIT = frozenset(("updated_at", "deleted_at", "private", "pinned", "editor", "hlc", "extra"))
"""Columns that change without an edit of the texts."""

RULES = "rules"
"""The observer's name in `extra` and `outcome` where no model made the record."""

SummariesByLevel = Mapping[SummaryLevel, Values]


class UserEdits:
    """The records that users edited: the journal's edits that aren't undone, read at the first use."""

    def __init__(self, store: Store) -> None:
        self._db = store.db
        self._machine = store.machine_id

    def touch(self, record: Observation | Summary) -> bool:
        """Whether the texts of a record were edited, here or on another machine."""
        table = "observations" if isinstance(record, Observation) else "summaries"
        return record.editor != self._machine or (table, record.id) in self._rows

    @cached_property
    def _rows(self) -> set[tuple[str, int]]:
        columns = {table: self._text_columns(table) for table in ("observations", "summaries")}
        found: set[tuple[str, int]] = set()
        sql = "SELECT changeset FROM changes WHERE undone_at IS NULL"
        changesets: list[Any] = self._db.execute(sql).fetchall()
        for (changeset,) in changesets:
            for change in apsw.Changeset.iter(changeset):
                new: Any = change.new
                if change.op != "UPDATE" or change.name not in columns or new is None:
                    continue
                if any(new[place] is not apsw.no_change for place in columns[change.name]):
                    old: Any = change.old
                    found.add((change.name, int(old[0])))
        return found

    def _text_columns(self, table: str) -> list[int]:
        """The positions of a table's columns whose change is an edit."""
        rows: list[Any] = self._db.execute(f"PRAGMA table_info({table})").fetchall()
        return [int(row[0]) for row in rows if row[1] not in NO_EDIT and not row[5]]


class LeaseLostError(StoreError):
    """A message is another worker's by now; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The columns of an observation that an observer made of `message`; `replaces` is the id of the
    observation to revise with them, unless a user edited or hid it."""

    fields: Values
    message: PendingMessage | None = None
    replaces: int | None = None


@dataclass(slots=True)
class ModelResult:
    """What a job's calls did: messages that were done, calls, tokens; `stopped` is why no more are
    made, "" when all turns were asked about. `mem queue process --json` prints these fields."""

    messages: int = 0
    calls: int = 0
    failed: int = 0
    input: int = 0
    output: int = 0
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class StoredIds:
    """The ids of the records that the findings were stored in."""

    observations: tuple[int, ...] = ()
    summaries: Mapping[SummaryLevel, int] = field(default_factory=dict)


def store_observations(
    store: Store,
    session: Session,
    findings: Sequence[Finding],
    summaries: SummariesByLevel | None = None,
    messages: Sequence[PendingMessage] = (),
    *,
    by: str = RULES,
    at: int | None = None,
    prompt_number: int | None = None,
    final: bool = True,
) -> StoredIds:
    """Store observations and summaries, and then confirm the messages, in one transaction.

    Without `final` the messages go on waiting for a model, and only name their record. `at` and
    `prompt_number` are those of the summaries. LeaseLostError, with nothing stored, where a message
    is another worker's by now.
    """
    with store.transaction():
        edits = UserEdits(store)
        made = {
            id(finding): _observation(store, session, finding, edits, by) for finding in findings
        }
        put = _summaries(store, session, summaries or {}, edits, by, at, prompt_number)
        of_message = {
            finding.message.id: made[id(finding)] for finding in findings if finding.message
        }
        for message in messages:
            ours = store.pending.finish(
                message,
                "processed" if final else "pending",
                counts=final,
                outcome=by if final else None,
                observation_id=of_message.get(message.id),
                summary_id=put.get("detailed") if message.kind == "summary" else None,
            )
            if not ours:
                raise LeaseLostError(
                    f"Message {message.id} is another worker's by now; nothing was stored."
                )
    return StoredIds(tuple(made.values()), put)


def made_by(record: Observation | Summary) -> str | None:
    """The observer that made a record (`rules`, `model NAME`), from its `extra`; None where none did."""
    found = json.loads(record.extra) if record.extra else {}
    return found.get("observer") if isinstance(found, dict) else None


def _observation(
    store: Store, session: Session, finding: Finding, edits: UserEdits, by: str
) -> int:
    if finding.replaces is None:
        return store.observations.add(session, **finding.fields).id
    standing = store.observations.get(finding.replaces)
    if standing.is_visible and not edits.touch(standing):
        store.observations.revise(standing.id, **finding.fields, extra=_marked(standing.extra, by))
    return standing.id


def _summaries(
    store: Store,
    session: Session,
    summaries: SummariesByLevel,
    edits: UserEdits,
    by: str,
    at: int | None,
    prompt_number: int | None,
) -> dict[SummaryLevel, int]:
    """Add or revise a session's summaries, of which an observer has one a level; their ids by level."""
    found: dict[SummaryLevel, int] = {}
    for level, fields in summaries.items():
        standing = store.summaries.of_observer(session, level)
        if standing is None:
            found[level] = store.summaries.add(
                session,
                level=level,
                prompt_number=prompt_number,
                at=at,
                extra=_marked(None, by),
                **fields,
            ).id
            continue
        found[level] = standing.id
        if standing.is_visible and not edits.touch(standing):
            extra = _marked(standing.extra, by)
            moment = standing.created_at if at is None else max(at, standing.created_at)
            store.summaries.revise(
                standing.id, **fields, prompt_number=prompt_number, created_at=moment, extra=extra
            )
    return found


def _marked(extra: str | None, by: str) -> str:
    """A record's `extra` with the observer that made it."""
    kept: Any = json.loads(extra) if extra else {}
    return json.dumps(
        (kept if isinstance(kept, dict) else {}) | {"observer": by}, ensure_ascii=False
    )


def store_facts(
    store: Store, session: Session, *, replies: Iterable[tuple[str, str]] = ()
) -> list[Fact]:
    """Store the facts that a session's visible prompts and compaction summaries state, with these rows
    as evidence, in one transaction; the facts, each once.

    `replies` are further texts, each as (uid of the row that stands for it, text). A fact that is
    known gets more evidence and more confidence; one that was deleted or hidden stays so.
    """
    # Most jobs have no turn's end to sum up, and a hook's process pays for what it imports.
    from ..rules.facts import extract

    found: dict[int, Fact] = {}
    with store.transaction():
        for uid, text in (*_texts(store, session), *replies):
            for fact in extract(text):
                if stored := _stored(store, session, fact, uid):
                    found[stored.id] = stored
    return list(found.values())


def _texts(store: Store, session: Session) -> Iterator[tuple[str, str]]:
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
