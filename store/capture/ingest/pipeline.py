"""An event's way to its row: accepted and clean, known by its session, deduplicated, and stored."""

from __future__ import annotations

import json

from ...agents.registry import BY_NAME
from ...platform.clock import now_ms
from ...platform.leaves import offers
from ...records.dataclasses import replace
from ...records.events import FOR_AN_HOUR, OTHER_CHANNEL_MS, Event, event_key
from ...records.fields import TAKEN_BACK, is_taken_back
from ...records.kinds import NOISE
from ...records.rows import Prompt, Session
from ...store import Store
from ...tables.base import read_object
from ...tables.prompts import TOLD_OF_AGENT, TOLD_OF_SESSION
from ...tables.removal.purge import PURGED_SESSION, purged_at
from ...tables.repositories import branch_in, locate
from ...text.redaction import redact
from .accepting import Channel, CleanEvent, accepted, find_known, is_noise, remember_event
from .rows import complete_row, insert_row, keep_report, reports_of

TURNS = ("session_start", "prompt", "reply", "session_end")
"""Kinds of events at which a session's branch is looked at."""
IDEMPOTENT = ("session_start", "session_end", "usage")
"""Kinds of events that change nothing when they are stored again."""


def ingest_event(
    store: Store, event: Event, channel: Channel, *, at: int | None = None, is_clean: bool = False
) -> bool:
    """Store an event in one transaction; whether it was new.

    `at` is when it happened, ms since the epoch, for an event without a time (now unless given).
    Private text and secrets are taken out here, unless a hook has done so by the same table (`is_clean`).
    """
    clean = accepted(store, event, channel, event.at or at or now_ms(), is_clean=is_clean)
    if clean is None:
        return False
    if clean.kind == "instructions":
        return any(note(store.path, clean, clean.moment) for note in offers("instructions"))
    with store.transaction():
        session, clean = session_of_event(store, clean)
        if (gone := purged_at(store.db, session.uid)) is not None:
            if clean.moment <= gone:
                return False
            if session.content_session_id.startswith(PURGED_SESSION):
                session = store.sessions.revive(session, clean.session)
        if channel == "hook":
            note_transcripts(store, clean)
            session = turned(store, session, clean)
        session = on_branch(store, session, clean)
        if clean.kind in IDEMPOTENT:
            return update_session(store, session, clean, clean.moment)
        if is_noise(clean):
            return False
        if clean.kind == "rewind":
            return take_back(store, session, clean)
        if clean.kind == "report":
            return keep_report(store, session, clean)
        for report in reports_of(clean):
            keep_report(store, session, report)
        if clean.handed_over and not session.prompt_counter:
            for parent in store.sessions.where("uid = ?", (clean.handed_over,)):
                store.sessions.continue_from(session, parent.agent, parent.content_session_id)
        known = find_known(store.db, session.id, clean)
        if known is not None:
            return complete_row(store, session, clean, known)
        number = insert_row(store, session, clean)
        if number is None and not clean.is_final:
            return False
        remember_event(store.db, session.id, clean, number)
    return True


def ingest_typed(store: Store, event: Event) -> bool:
    """Store a prompt that a history of what was typed tells, unless the session's own reports tell it;
    whether it was new. A hook's report like it, it gives way to a transcript that comes after it."""
    at = event.at or 0
    clean = accepted(store, event, "transcript", at)
    if clean is None or not clean.text or is_noise(clean):
        return False
    values = {"agent": clean.agent, "session": clean.session, "text": clean.text, "at": at}
    is_of_session = not (clean.key or "").startswith("history-untold")
    told = TOLD_OF_SESSION if is_of_session else TOLD_OF_AGENT
    if store.db.execute(told, values | {"apart": OTHER_CHANNEL_MS}).get:
        return False
    return ingest_event(store, event, "hook")


def session_of_event(store: Store, event: CleanEvent) -> tuple[Session, CleanEvent]:
    """The session that an event belongs to, started when it is unknown, and the event as one of that
    session: a sub-agent's events belong to the session of its parent."""
    if event.subagent and event.subagent != event.session:
        store.db.execute(
            "INSERT INTO subagents VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (event.agent, event.subagent, event.session),
        )
    sql = "SELECT parent FROM subagents WHERE agent = ? AND id = ?"
    if parent := store.db.execute(sql, (event.agent, event.session)).get:
        event = replace(event, session=str(parent), subagent=event.subagent or event.session)
    known = store.sessions.find(event.session, event.agent)
    if known is not None and known.project and not event.title:
        return moved(store, known, event), event
    remote = event.extra.get("repository")
    project, root = store.known_projects.of(event.cwd, remote if isinstance(remote, str) else "")
    owner = store.sessions.start(
        event.session,
        agent=event.agent,
        project=project,
        project_path=root,
        title=None if event.subagent else event.title,
        at=event.moment,
    )
    if event.title and event.old_title and owner.title == event.old_title:
        # One that was edited here stays.
        owner = store.sessions.rename(owner, event.title)
    return owner, event


def moved(store: Store, session: Session, event: CleanEvent) -> Session:
    """The session, in the project of the repository in which it works now, where it began in none."""
    if not session.project_path or event.cwd == session.project_path:
        return session
    if locate(session.project_path).is_repository:
        return session
    place = store.known_projects.elsewhere(event.cwd, session.project_path)
    return store.sessions.move(session, *place) if place else session


def note_transcripts(store: Store, event: CleanEvent) -> None:
    """Store the path of the session's transcript; at the end of a turn it is due to be read.

    Until then it counts as unread: the agent may be killed before it reports an end. So those are due that
    were named since they were last read where another session starts: of sessions at work, too.
    """
    if event.kind == "session_start":
        store.db.execute(
            "UPDATE transcripts SET is_due = 1 WHERE agent = ? AND read_at IS NULL AND is_due = 0",
            (event.agent,),
        )
    if event.transcript:
        is_due = event.kind in ("reply", "session_end", "compaction")
        store.db.execute(
            "INSERT INTO transcripts (path, agent, is_due) VALUES (?, ?, ?) ON CONFLICT (path) "
            "DO UPDATE SET is_due = max(is_due, excluded.is_due), read_at = NULL",
            (event.transcript, event.agent, is_due),
        )


def turned(store: Store, session: Session, event: CleanEvent) -> Session:
    """The session as a turn that begins or ends leaves it: a prompt goes on with one that had ended, and
    of some agents the end of a turn is all that tells of an end."""
    ended = session.completed_at
    if event.subagent:
        return session
    if event.kind == "prompt" and session.status != "active" and (ended or 0) < event.moment:
        return store.sessions.resume(session)
    agent = BY_NAME.get(event.agent)
    if event.kind == "reply" and agent and agent.ends_with_turns and (ended or 0) < event.moment:
        return store.sessions.end(session, at=event.moment)
    return session


def on_branch(store: Store, session: Session, event: CleanEvent) -> Session:
    """The session on the git branch that an event tells of, or that its working copy was on when a hook
    reported it: nothing is asked in the hook, but HEAD tells since when it is what it is."""
    branch = event.branch
    if branch is None and event.channel == "hook" and event.kind in TURNS:
        branch = redact(branch_in(event.cwd or "", event.moment))
    is_new = branch and branch != session.branch and not event.subagent
    return store.sessions.set_branch(session, branch) if branch and is_new else session


def update_session(store: Store, session: Session, event: Event, at: int) -> bool:
    """Start, resume or end a session, or store what an answer cost; whether that was new."""
    if event.parent and not event.subagent:
        session = store.sessions.continue_from(session, event.agent, event.parent)
    if event.automatic and not session.automatic:
        store.sessions.set_automatic(session)
    if event.kind == "session_end" and not event.subagent:
        if (session.completed_at or 0) >= at:
            return False
        store.sessions.end(session, "failed" if event.failed else "completed", at)
    elif event.kind == "session_start" and not event.subagent:
        if session.status == "active" or (session.completed_at or 0) >= at:
            return session.started_at == at
        store.sessions.resume(session)
    elif event.kind == "usage" and event.usage is not None:
        used, key = event.usage, event.key or str(at)
        rows = [(key, used.input, used.output, used.cache_read, used.cache_written - used.cache_hour)]
        if used.cache_hour:
            rows.append((f"{key}{FOR_AN_HOUR}", 0, 0, 0, used.cache_hour))
        store.db.executemany(
            "INSERT INTO token_usage (session_id, message, model, at, input, output, cache_read, "
            "cache_written) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET "
            "model = excluded.model, at = excluded.at, "
            "input = excluded.input, output = excluded.output, "
            "cache_read = excluded.cache_read, cache_written = excluded.cache_written",
            [(session.id, name, event.model, at, *tokens) for name, *tokens in rows],
        )
    return True


def take_back(store: Store, session: Session, event: CleanEvent) -> bool:
    """Mark what a session's user took back by going back to before a prompt; whether anything stood until
    now. The prompts stay; what was made of them is noise, and their facts go."""
    results = (_prompt_of(store, session, text) for text in event.taken_back)
    prompts = [item for item in results if item and not is_taken_back(item)]
    for prompt in prompts:
        extra = read_object(prompt.extra) | {TAKEN_BACK: True}
        store.prompts.write_columns([prompt.id], {"extra": json.dumps(extra)})
        for made in store.observations.of_turn(session.id, prompt.prompt_number):
            extra = read_object(made.extra) | {TAKEN_BACK: made.type}
            store.observations.revise(made.id, type=NOISE, extra=json.dumps(extra))
        _drop_facts(store, session, prompt, event.at)
    return bool(prompts)


def _prompt_of(store: Store, session: Session, key: str) -> Prompt | None:
    key = event_key("prompt", key)
    sql = (
        "SELECT record_id FROM captured_events WHERE session_id = ? AND kind = 'prompt' "
        "AND record_id IS NOT NULL AND key IN (?, ?) LIMIT 1"
    )
    number: int | None = store.db.execute(sql, (session.id, key, f"transcript {key}")).get
    if not number:
        return None
    prompt = store.prompts.get(number)
    return prompt if prompt.is_visible else None


def _drop_facts(store: Store, session: Session, prompt: Prompt, until: int | None) -> None:
    """Remove what the prompt, and what was answered to it, stated."""
    for fact in store.facts.of_session(session):
        sources = store.facts.sources_of(fact)
        said = [
            source
            for source in sources
            if source.session == session.content_session_id
            and (
                prompt.uid in source.evidence
                or (until is not None and prompt.created_at <= source.told_at < until)
            )
        ]
        if len(said) == len(sources):
            marked = read_object(fact.extra) | {TAKEN_BACK: True}
            store.facts.write_columns([fact.id], {"extra": json.dumps(marked)})
            store.facts.delete(store.facts.get(fact.id))
        else:
            for fact_source in said:
                store.facts.remove_source(fact, fact_source)
