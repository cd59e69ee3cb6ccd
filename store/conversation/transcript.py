"""What a session's transcript tells of it, cleaned as if it were stored now, and without what must not be
told: where it was excluded, paused, hidden or purged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..agents.registry import BY_NAME
from ..capture.ingest.cleaning import clean_event_texts
from ..capture.ingest.pipeline import conformed, is_noise, is_own, is_unwanted
from ..capture.ingest.transcripts import read_paths, subagents_of
from ..errors import SourceError
from ..events import Event
from ..formats.transcripts.discovery import transcripts_of_session
from ..formats.transcripts.reader import file_reader, line_reader
from ..formats.transcripts.slices import Position, file_slices, line_slices
from ..records import Session
from ..records.dataclasses import dataclass, replace
from ..store import Store
from ..tables.removal.purge import PURGED_SESSION
from ..translation import _

MOST_EVENTS = 20_000
"""Events of a session that are looked at."""
MOST_BYTES = 256 * 1024 * 1024
"""Bytes of a file that is read as a whole, which a reader takes into memory."""
KINDS = ("prompt", "tool", "reply", "compaction", "report")


@dataclass(frozen=True, slots=True)
class TranscriptEvents:
    """The events of a transcript in its order, and a sentence that says where they are read, or why there
    are none."""

    events: tuple[Event, ...]
    source: str


def transcript_paths(store: Store, session: Session) -> list[Path]:
    """Return the files on this machine that hold a session and its sub-agents, the session's own first.

    This is the one place that knows where transcripts are.
    """
    ids = (session.content_session_id, *_subagents(store, session))
    paths: dict[Path, None] = {}
    for id in ids:
        known = [path for path in read_paths(store, session.agent, id) if path.is_file()]
        if not known and session.agent in BY_NAME:
            known = [*transcripts_of_session(session.agent, id, Path.home(), os.environ)]
        paths |= dict.fromkeys(known)
    for path in list(paths):
        paths |= dict.fromkeys(sorted(path.with_suffix("").glob("subagents/**/agent-*.jsonl")))
    return list(paths)


def transcript_events(store: Store, session: Session) -> TranscriptEvents:
    """Return what the transcript of a session tells, clean and as it would be stored."""
    if session.private or session.deleted_at is not None:
        return TranscriptEvents(
            (),
            _("The session is hidden: its transcript isn't read.")
            if session.deleted_at is None
            else _("The session is deleted: its transcript isn't read."),
        )
    if session.content_session_id.startswith(PURGED_SESSION):
        return TranscriptEvents((), _("The session was purged: its transcript isn't read."))
    paths = transcript_paths(store, session)
    if not paths:
        return TranscriptEvents(
            (), _("Its transcript isn't on this machine: only what became a memory is shown.")
        )
    events: list[Event] = []
    unread = ""
    for path in paths:
        try:
            for event in _events(store, session, path):
                events.append(event)
                if len(events) >= MOST_EVENTS:
                    source = _(
                        "The first {number} events of {path} are shown.",
                        number=f"{MOST_EVENTS:,}",
                        path=paths[0],
                    )
                    return TranscriptEvents(tuple(events), source)
        except (OSError, SourceError, ValueError) as error:
            unread = unread or _("{path} can't be read: {error}", path=path.name, error=error)
    source = _("What became no memory is read from {path}.", path=paths[0])
    if unread:
        source = _("{sentence} {more}", sentence=source, more=unread)
    return TranscriptEvents(tuple(events), source)


def _events(store: Store, session: Session, path: Path) -> Iterator[Event]:
    """Yield the events of a file that are of a session and may be told."""
    if make := line_reader(path, session.agent):
        slices = line_slices(store.db, path, make, Position())
    elif path.suffix != ".db" and path.stat().st_size > MOST_BYTES:
        raise SourceError("it has more than {number} MB", number=MOST_BYTES // 1024**2)
    else:
        make_file = file_reader(path, session.agent, session.content_session_id)
        slices = file_slices(path, make_file, Position())
    own, subagents = session.content_session_id, set(_subagents(store, session))
    written = int(path.stat().st_mtime * 1_000)
    for event in (event for piece in slices for event in piece.events):
        if event.kind not in KINDS or event.session not in (own, *subagents):
            continue
        if is_own(store, event.cwd) or is_unwanted(store, event, event.at or written):
            continue
        subagent = event.subagent or (event.session if event.session != own else None)
        clean = conformed(clean_event_texts(replace(event, session=own, subagent=subagent)))
        if not is_noise(clean):
            yield clean


def _subagents(store: Store, session: Session) -> list[str]:
    return subagents_of(store, session.agent, session.content_session_id)
