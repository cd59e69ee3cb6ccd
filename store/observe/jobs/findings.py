"""Store what observers found, and confirm its messages, in one transaction; what users edited stays."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import apsw

from ...config import reviews_agents
from ...platform.clock import now_ms
from ...platform.errors import NotFoundError, StoreError
from ...records.dataclasses import dataclass, field, replace
from ...records.fields import is_taken_back
from ...records.rows import (
    Fact,
    Observation,
    PendingMessage,
    Prompt,
    Session,
    Speaker,
    Summary,
    SummaryLevel,
)
from ...store import Store
from ...tables.base import Values, read_object
from ...tables.fact_sources import PROPOSED
from ...tables.removal.purge import fact_tombstone, is_purged_key

if TYPE_CHECKING:
    from ...tables.observations import Observations
    from ...tables.summaries import Summaries
    from ..rules.facts import ExtractedFact

NO_EDIT = frozenset(
    ("updated_at", "deleted_at", "private", "pinned", "editor", "hlc", "extra", "unreviewed")
)
"""Columns that change without an edit of the texts."""

MOST_COMPARED = 20
"""Prompts of a source with which another session's prompt is compared."""

REVISED_AFTER = 3
"""So many prompts after a question its user comes back on the answer, at most."""
OF_MODEL = 0.8
"""How sure it is what a model says that the user decided."""

RULES = "rules"
"""The observer's name in `extra` and `outcome` where no model made the record."""

SummariesByLevel = Mapping[SummaryLevel, Values]


EDITS_OF = """
SELECT changeset FROM changes c WHERE undone_at IS NULL AND (
    EXISTS (
        SELECT 1 FROM changed_rows WHERE change_id = c.id AND kind = ?1 AND record_id = ?2
    ) OR NOT EXISTS (SELECT 1 FROM changed_rows WHERE change_id = c.id)
)
"""


class UserEdits:
    """The records that users edited: by the journal's edits that aren't undone."""

    def __init__(self, store: Store) -> None:
        self._db = store.db
        self._machine = store.machine_id

    def touch(self, record: Observation | Summary) -> bool:
        """Whether the texts of a record were edited, here or on another machine."""
        if record.editor != self._machine:
            return True
        table = "observations" if isinstance(record, Observation) else "summaries"
        texts = self._text_columns[table]
        changesets: list[Any] = self._db.execute(EDITS_OF, (table, record.id)).fetchall()
        for (changeset,) in changesets:
            if not isinstance(changeset, bytes):
                # What another program wrote there is no edit.
                continue
            changed = {change.name for change in apsw.Changeset.iter(changeset)}
            if table == "summaries" and not changed.isdisjoint(("prompts", "observations")):
                # What it sums up was hidden, deleted or brought back: it was made anew of the rest.
                continue
            for change in apsw.Changeset.iter(changeset):
                old: Any = change.old
                new: Any = change.new
                if change.op != "UPDATE" or change.name != table or old[0] != record.id:
                    continue
                if any(new[place] is not apsw.no_change for place in texts):
                    return True
        return False

    @cached_property
    def _text_columns(self) -> dict[str, list[int]]:
        """The positions of the columns, by table, whose change is an edit."""
        text_columns: dict[str, list[int]] = {}
        for table in ("observations", "summaries"):
            rows: list[Any] = self._db.execute(f"PRAGMA table_info({table})").fetchall()
            text_columns[table] = [int(row[0]) for row in rows if row[1] not in NO_EDIT and not row[5]]
        return text_columns


class LeaseLostError(StoreError):
    """A message is another worker's by now; nothing was stored."""


@dataclass(frozen=True, slots=True)
class MessageFinding:
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
    findings: Sequence[MessageFinding],
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
    `prompt_number` are those of the summaries, whose `turns` go into `extra`. LeaseLostError, with
    nothing stored, where a message is another worker's by now.
    """
    with store.transaction():
        edits = UserEdits(store)
        made = {id(finding): _observation(store, session, finding, edits, by) for finding in findings}
        put = put_summaries(store, session, summaries or {}, edits, by, at, prompt_number)
        of_message = {finding.message.id: made[id(finding)] for finding in findings if finding.message}
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
                    "Message {id} is another worker's by now; nothing was stored.", id=message.id
                )
    return StoredIds(tuple(made.values()), put)


def made_by(record: Observation | Summary) -> str | None:
    """The observer that made a record (`rules`, `model NAME`), from its `extra`; None where none did."""
    return read_object(record.extra).get("observer")


def _observation(store: Store, session: Session, finding: MessageFinding, edits: UserEdits, by: str) -> int:
    if finding.replaces is None:
        number = store.observations.add(session, **finding.fields).id
        _wait(store.observations, number, by)
        return number
    standing = store.observations.get(finding.replaces)
    if standing.is_visible and not edits.touch(standing):
        store.observations.revise(standing.id, **finding.fields, extra=_marked(standing.extra, by))
        _wait(store.observations, standing.id, by)
    return standing.id


def _wait(table: Observations | Summaries, number: int, by: str) -> None:
    """Have what a model made wait for its user's word, where they ask for that."""
    if by != RULES and reviews_agents():
        table.write_columns([number], {"unreviewed": 1})


def put_summaries(
    store: Store,
    session: Session,
    summaries: SummariesByLevel,
    edits: UserEdits,
    by: str,
    at: int | None = None,
    prompt_number: int | None = None,
) -> dict[SummaryLevel, int]:
    """Add or revise a session's summaries, of which an observer has one a level; their ids by level."""
    results: dict[SummaryLevel, int] = {}
    for level, values in summaries.items():
        fields = dict(values)
        marks = {name: fields.pop(name) for name in ("turns",) if name in fields}
        standing = store.summaries.of_observer(session, level)
        if standing is None:
            results[level] = store.summaries.add(
                session,
                level=level,
                prompt_number=prompt_number,
                at=at,
                extra=_marked(None, by, marks),
                **fields,
            ).id
            _wait(store.summaries, results[level], by)
            continue
        results[level] = standing.id
        if standing.is_visible and not edits.touch(standing):
            extra = _marked(standing.extra, by, marks)
            moment = standing.created_at if at is None else max(at, standing.created_at)
            # A turn that is told late doesn't take the summary back.
            newest = max(standing.prompt_number or 0, prompt_number or 0) or None
            store.summaries.revise(
                standing.id, **fields, prompt_number=newest, created_at=moment, extra=extra
            )
            _wait(store.summaries, standing.id, by)
    return results


def _marked(extra: str | None, by: str, more: Values | None = None) -> str:
    """A record's `extra` with the observer that made it, and more."""
    return json.dumps(read_object(extra) | {"observer": by, **(more or {})}, ensure_ascii=False)


def store_facts(
    store: Store, session: Session, *, replies: Iterable[tuple[str, str, int]] = ()
) -> list[Fact]:
    """Store the facts that a session's visible prompts (the user's) and compaction summaries (the
    assistant's) state, with these rows as evidence, in one transaction; the facts, each once.

    `replies` are further texts of the assistant's, each as (uid of the row that stands for it, text,
    when it was said in ms). A session is one witness of a fact, however often it is said there; so is a
    prompt that comes again in another session. A fact that was deleted or hidden stays so. A session of
    no project states none: it would hold everywhere, and nobody said so.
    """
    if not session.project:
        return []
    # Most jobs have no turn's end to sum up, and a hook's process pays for what it imports.
    from ..rules.answers import OFFERS
    from ..rules.facts import extract
    from ..rules.plain_speech import LAST_SENTENCES, REVISES
    from .repeated import note_broken, rules_of, with_repeated

    results: dict[int, Fact] = {}
    offered, since = "", 0
    with store.transaction():
        rules = rules_of(store, session.project)
        for speaker, at, uid, text in (*_texts(store, session), *_assistants(replies)):
            before, revises = "", False
            if speaker == "user" and at is not None and at > session.started_at:
                before = store.observations.reply_before(session.id, at)
                since += 1
                if OFFERS.search(before[-LAST_SENTENCES:]):
                    offered, since = before, 0
                elif since <= REVISED_AFTER and REVISES.search(text.strip()[:LAST_SENTENCES]):
                    before, revises = offered, True
            is_users = speaker == "user"
            facts = extract(text, speaker, before)
            for fact in with_repeated(facts, text, rules) if is_users else facts:
                statement = _Statement(fact, speaker, uid, text, at, revises)
                if stored := _stored(store, session, statement):
                    results[stored.id] = stored
            if is_users and not results.keys() <= {rule.id for rule in rules}:
                rules = rules_of(store, session.project)
        note_broken(store, session)
    return list(results.values())


@dataclass(frozen=True, slots=True)
class _Statement:
    """A fact as it was said: by whom, in which row and text, and when (ms; None for now); `revises` is
    whether it comes back on a question that was answered."""

    fact: ExtractedFact
    speaker: Speaker
    uid: str
    text: str
    at: int | None
    revises: bool = False
    by_model: bool = False


Texts = Iterator[tuple["Speaker", int | None, str, str]]


def _texts(store: Store, session: Session) -> Texts:
    # What a program asks is no user's word.
    speaker: Speaker = "assistant" if session.automatic else "user"
    for prompt in store.prompts.standing(session):
        yield speaker, prompt.created_at, prompt.uid, prompt.text
    for summary in store.summaries.of_session(session):
        if summary.text:
            yield "assistant", summary.created_at, summary.uid, summary.text


def _assistants(replies: Iterable[tuple[str, str, int]]) -> Texts:
    for uid, text, at in replies:
        yield "assistant", at, uid, text


def _stored(store: Store, session: Session, statement: _Statement) -> Fact | None:
    fact = statement.fact
    if fact.is_change:
        from .changed_decisions import completed

        content = completed(store, session, statement.uid, fact.content)
        if not content:
            return None
        fact = replace(fact, content=content)
    # What holds everywhere is no other fact where it is said again.
    scopes = (session.project, "")
    known = next(filter(None, (store.facts.stating(fact.content, fact.kind, it) for it in scopes)), None)
    if known.private if known else _was_deleted(store, session, fact):
        return None
    if known and statement.uid in known.evidence:
        return known
    stored = store.facts.add(
        fact.content,
        kind=fact.kind,
        project=known.project if known else session.project,
        entities=fact.entities,
        confidence=fact.confidence,
        evidence=[statement.uid],
        at=statement.at,
        session=session,
        speaker=statement.speaker,
        witness=(_witness(store, known, statement) if known else None) or session.uid,
        extra=json.dumps({PROPOSED: True}) if fact.is_agreed else None,
    )
    if known is None and statement.by_model and reviews_agents():
        store.reviewing.wait(stored)
    elif known is None and statement.speaker == "user":
        from .changed_decisions import supersede_changed

        supersede_changed(store, session, stored, statement.text, revises=statement.revises)
    return stored


def stated_in(store: Store, session: Session, number: int | None) -> list[Fact]:
    """Return the facts that were found in the prompts of a turn and nowhere else."""
    prompts = store.prompts.standing(session)
    uids = {prompt.uid for prompt in prompts if prompt.prompt_number == number}
    return [
        fact
        for fact in store.facts.of_session(session)
        if not fact.pinned
        # What somebody added has no evidence.
        and all(it.evidence and uids.issuperset(it.evidence) for it in store.facts.sources.of(fact.id))
    ]


def correct_facts(
    store: Store,
    session: Session,
    number: int | None,
    lasting: Iterable[str],
    wrong: Collection[int],
) -> None:
    """Hold true what a model says that the user decided in a turn, and delete the facts with the ids
    `wrong` that were found in nothing but its prompts. Inside a transaction."""
    known = stated_in(store, session, number)
    for fact in known:
        if fact.id in wrong:
            store.facts.set_column(fact, "deleted_at", now_ms())
    asked = [prompt for prompt in store.prompts.standing(session) if prompt.prompt_number == number]
    if not asked or session.automatic or not session.project:
        return
    from ...text.language.same import gist
    from ..rules.facts import ExtractedFact, entities_of

    gists = [gist(fact.content) for fact in known]
    for text in lasting:
        if any(map(gist(text).says_the_same, gists)):
            continue
        said = ExtractedFact(text, "B", entities_of(text), OF_MODEL)
        prompt = asked[-1]
        statement = _Statement(said, "user", prompt.uid, prompt.text, prompt.created_at, by_model=True)
        _stored(store, session, statement)


def _witness(store: Store, known: Fact, statement: _Statement) -> str | None:
    """Return the witness of another session in which the very same prompt stated a fact: a transcript that
    was resumed under another id, or a template. None for none."""
    for source in store.facts.sources_of(known):
        if source.session is None or len(source.witnesses) != 1:
            continue
        for uid in source.evidence[:MOST_COMPARED]:
            with suppress(NotFoundError):
                record = store.record(uid)
                if isinstance(record, Prompt) and record.text.strip() == statement.text.strip():
                    return source.witnesses[0]
    return None


def _was_deleted(store: Store, session: Session, fact: ExtractedFact) -> bool:
    known = store.facts.find(fact.content, fact.kind, session.project, deleted=True)
    if known is not None and not is_taken_back(known):
        return True
    return is_purged_key(store.db, fact_tombstone(fact.kind, fact.content))
