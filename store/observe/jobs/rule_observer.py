"""The rules observer: each message gets its record at once, whether a model comes after it or not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from ...errors import DatabaseError, NotFoundError, StoreError
from ...events import ToolUse
from ...records import PendingMessage, Session
from ...store import Store
from ...tables.rows import Values
from ..rules.observation import observe
from .results import (
    RULES,
    Finding,
    LeaseLostError,
    last_summary,
    made_by,
    store_observations,
)
from .worker import CrashMarker, release_blameless

RETRY_MS = 60_000
HIDDEN = "hidden: nothing was made of it"
MOST_OBSERVATIONS = 2_000
"""Of one session, what its summary looks at; the newest."""

Observe = Callable[[Store, Session, PendingMessage], Finding | None]


def record_messages(
    store: Store,
    owner: str,
    *,
    final: bool,
    deadline: float,
    limit: int,
    make: Observe | None = None,
) -> int:
    """Give messages that have none a record by the rules, until a deadline (monotonic seconds) or
    `limit`; how many.

    With `final` they are processed by that; else they wait on for a model. One that fails is tried
    again later, and one that fails for the third time is abandoned.
    """
    trace = CrashMarker(store.path, owner)
    try:
        return _record_each(store, owner, trace, final, deadline, limit, make or observe_message)
    finally:
        trace.close()


def _record_each(
    store: Store,
    owner: str,
    trace: CrashMarker,
    final: bool,
    deadline: float,
    limit: int,
    make: Observe,
) -> int:
    done = 0
    while done < limit and time.monotonic() < deadline and store.pending.has_unobserved():
        # One at a time: where a worker dies, only what it died of has an attempt less.
        trace.open()
        with store.transaction():
            release_blameless(store)
            claimed = store.pending.claim(owner, 1, unobserved=True)
        if not claimed:
            break
        (message,) = claimed
        try:
            _record(store, message, final, make, trace)
        except LeaseLostError:
            continue
        except DatabaseError:
            # The memory itself is in trouble; the lease ends by itself.
            raise
        except (StoreError, ValueError, LookupError, TypeError, AttributeError,
                ArithmeticError, RecursionError) as error:  # fmt: skip
            # Whatever a message holds, it must not keep those behind it from being observed.
            reason = f"{type(error).__name__}: {error}"
            store.pending.fail(message, reason, RETRY_MS * message.attempts)
        done += 1
    return done


def _record(
    store: Store, message: PendingMessage, final: bool, make: Observe, trace: CrashMarker
) -> None:
    session = store.sessions.get(message.session_id)
    if not session.is_visible:
        store.pending.confirm([message], HIDDEN)
        return
    if message.kind == "summary":
        _summarize(store, session, message, final, trace)
        return
    with trace.of(message.id):
        finding = make(store, session, message)
    if finding is None:
        store.pending.confirm([message], "noise: nothing was made of it")
        return
    store_observations(store, session, [finding], messages=[message], final=final)


def observe_message(_store: Store, session: Session, message: PendingMessage) -> Finding | None:
    """What the rules make of a message."""
    tool = ToolUse(
        message.tool_name or "unknown",
        parse_stored(message.tool_input),
        parse_stored(message.tool_response),
    )
    made = observe(tool, session.project_path or message.cwd)
    if made is None:
        return None
    fields = {
        **made,
        "tool_name": message.tool_name,
        "prompt_number": message.prompt_number,
        "event_id": message.event_id,
        "at": message.created_at,
    }
    return Finding(fields, message)


def parse_stored(text: str | None) -> object:
    """What a tool was given or answered, as it was before it was stored as text."""
    if text and text.lstrip()[:1] in "{[":
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    return text


def _summarize(
    store: Store, session: Session, message: PendingMessage, final: bool, trace: CrashMarker
) -> None:
    """The session's summaries as they are with this turn, unless a model that will be asked again
    has made them; and what the turn's prompts and its reply hold true."""
    # Most jobs have no turn's end to sum up, and a hook's process pays for what it imports.
    from .facts import store_facts

    reply = reply_of(store, message)
    with trace.of(message.id), store.transaction():
        number = _put_summaries(store, session, message, reply, final)
        replies = [(store.summaries.get(number).uid, reply)] if reply else []
        store_facts(store, session, replies=replies)


def _put_summaries(
    store: Store, session: Session, message: PendingMessage, reply: str | None, final: bool
) -> int:
    """Store a session's summaries, and confirm the message with them; the detailed one's id."""
    from ..rules.summary import summarize

    standing = last_summary(store, session, "detailed")
    is_models = standing is not None and made_by(standing) != RULES
    if is_models and not final:
        assert standing is not None
        if not store.pending.finish(message, "pending", counts=False, summary_id=standing.id):
            raise LeaseLostError(f"Message {message.id} is another worker's by now.")
        return standing.id
    made = summarize(
        [prompt.text for prompt in store.prompts.of_session(session)],
        store.observations.of_session(session)[-MOST_OBSERVATIONS:],
        reply,
    )
    stored = store_observations(
        store,
        session,
        [],
        {"brief": _texts(made.brief), "detailed": _texts(made.detailed)},
        [message],
        at=message.created_at,
        prompt_number=message.prompt_number,
        final=final,
    )
    return stored.summaries["detailed"]


def _texts(columns: Mapping[str, object]) -> Values:
    """What a summary says; when it was and of what level is known here."""
    return {
        name: value for name, value in columns.items() if name not in ("level", "prompt_number")
    }


def reply_of(store: Store, message: PendingMessage) -> str | None:
    """What the agent said last in a turn; None where the prompt that it answers was hidden."""
    if message.prompt_number is not None:
        hidden = "(private = 1 OR deleted_at IS NOT NULL) AND session_id = ? AND prompt_number = ?"
        if store.prompts.where(hidden, (message.session_id, message.prompt_number)):
            return None
    return message.last_assistant_message


def is_record_open(store: Store, message: PendingMessage) -> bool:
    """Whether the session of a message and the record that was made of it may be looked at."""
    with suppress(NotFoundError):
        if not store.sessions.get(message.session_id).is_visible:
            return False
        if message.observation_id is not None:
            return store.observations.get(message.observation_id).is_visible
        if message.summary_id is not None:
            return store.summaries.get(message.summary_id).is_visible
        return True
    return False
