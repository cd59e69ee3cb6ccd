"""What an agent said: an observation of the turn that it belongs to, once and within bounds, and where it
ends the turn, a message to the observers."""

from __future__ import annotations

from ...events import Event
from ...kinds import REPLY
from ...observe.boundary import judged
from ...records import Session
from ...store import Store
from .columns import event_id, extra_of
from .deduplication import Channel
from .quarantine import queue_failed

MOST_REMARKS = 12
"""So many remarks of one turn are kept, beside the reply that ends it."""
CHARACTERS_OF_REMARKS = 6_000
"""Characters of a turn's remarks beyond which no other is kept."""

UNREAD = 0
"""The `record_id` of a reply's event that was stored when replies became nothing."""


def add_reply(store: Store, session: Session, event: Event, channel: Channel, at: int) -> int | None:
    """Add the observation of a reply, or of a remark between tool calls; its id, None where it says
    nothing worth it, the turn has enough of them, or the prompt that it answers was hidden."""
    # A session that starts with nothing waiting does not pay for what only replies need.
    from ...observe.rules.replies import reply_fields

    if event.subagent or not event.text.strip():
        return None
    number = prompt_number(store, session, channel, at)
    if number is not None and store.prompts.is_hidden(session.id, number):
        return None
    prompt = store.prompts.last_visible_text(session.id, number) or ""
    fields, failure = judged(
        lambda: reply_fields(event.text, prompt, is_final=event.is_final),
        lambda: {"type": "finding", "title": " ".join(event.text[:120].split()), "narrative": event.text},
    )
    if fields is None:
        return None
    if not event.is_final:
        count, characters = store.observations.size_of_replies(session.id, number)
        if count >= MOST_REMARKS or characters >= CHARACTERS_OF_REMARKS:
            return None
    reply = store.observations.add(
        session,
        **fields,
        tool_name=REPLY,
        project=project_of(store, session, event),
        prompt_number=number,
        event_id=event_id(session, event),
        at=at,
        extra=extra_of(event),
    ).id
    if failure:
        said = {"last_user_message": prompt, "last_assistant_message": event.text}
        queue_failed(
            store, session, reply, failure, at, {"is_final": event.is_final}, tool_name=REPLY, **said
        )
    return reply


def project_of(store: Store, session: Session, event: Event) -> str:
    """The project in which something was said: the session's, or that of the repository it works in."""
    place = store.known_projects.elsewhere(event.cwd, session.project_path)
    return place[0] if place else session.project


def queue_reply(store: Store, session: Session, event: Event, channel: Channel, at: int) -> None:
    """Queue the end of a turn for an observer: the user's prompt and the agent's last reply.

    Nothing is queued of a sub-agent's turn.
    """
    if event.subagent:
        return
    number = prompt_number(store, session, channel, at)
    store.pending.add(
        session,
        "summary",
        last_user_message=store.prompts.last_visible_text(session.id, number),
        last_assistant_message=event.text or None,
        cwd=event.cwd,
        prompt_number=number,
        event_id=event_id(session, event),
        at=at,
    )


def prompt_number(store: Store, session: Session, channel: Channel, at: int) -> int | None:
    """The number of the prompt that an event belongs to: for a hook the newest, for a transcript, which
    is read later, the newest of its time; None before the first. `session` is of this transaction."""
    if channel == "transcript" and (number := store.prompts.number_at(session.id, at)):
        return number
    return session.prompt_counter or None


def has_no_reply(event: Event, channel: Channel) -> bool:
    """Whether a turn's end tells no reply, and no transcript will."""
    return channel == "hook" and not event.transcript
