"""Cut a transcript into slices, small enough for one transaction each, and say how far each goes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

import apsw

from ...agents.payload import content_hash
from ...platform.errors import StoreError, failure_of
from ...platform.regular_file import open_regular
from ...records.dataclasses import dataclass, field
from ...records.events import Event
from ...tables.base import read_object
from ...text.redaction import scrub_json
from ..sqlite.file import stamp
from .json_records import Record, lines
from .reader import FileReader, LineReader, State

SLICE_BYTES = 256 * 1024
SLICE_EVENTS = 100
"""The most that a slice holds, unless a line is longer: others may write in a fraction of a second."""

MARKED_BYTES = 1_024
"""Bytes at the beginning of a file by which it is known again."""


TOLD = ("prompt", "tool", "reply", "compaction", "report", "usage")
"""Kinds of events that a fork copies."""


@dataclass(slots=True)
class Position:
    """How far a transcript is read: which file it was, how many bytes of it, and the state of its
    reader (JSON)."""

    file: str = ""
    read_bytes: int = 0
    state: str = "{}"


@dataclass(slots=True)
class Slice:
    """Events and warnings (with the number of their line, where it is known) up to a position.

    `records` are the ids of its records and of their sessions, as hashes; `copies` counts those
    that belong to another session, and `forks` are the ids of the sessions that repeat them, each with
    the hash of the id of that other session, as `session_hash` has it.
    """

    events: list[Event] = field(default_factory=list)
    warnings: list[tuple[str, int | None]] = field(default_factory=list)
    records: list[tuple[int, int]] = field(default_factory=list)
    copies: int = 0
    forks: dict[str, int] = field(default_factory=dict)
    end: Position = field(default_factory=Position)
    size: int = 0
    """Bytes of the file when it was read; whatever exceeds them is new."""
    is_last: bool = False
    failure: str = ""
    """What of it a reader failed on, that should not have; "" for nothing."""


def line_slices(
    db: apsw.Connection, path: Path, make: Callable[[Path, State], LineReader], start: Position
) -> Iterator[Slice]:
    """Yield the slices of a growing file from a position on; from its beginning where it is another
    file now."""
    with open_regular(path) as file:
        if not is_same(file, start.file) or os.fstat(file.fileno()).st_size < start.read_bytes:
            start = Position()
        marked = _mark(file, min(os.fstat(file.fileno()).st_size, MARKED_BYTES))
        state = read_object(start.state)
        line, reader = state.get("line", 0), make(path, state.get("reader", {}))
        begun, end = start.read_bytes, start.read_bytes
        known = _KnownRecords(db, path, reader, start.read_bytes)
        copies = _Copies(db, state.setdefault("begun", {}), trusts_ids=hasattr(reader, "identity"))
        result, is_open = Slice(), bool(state.get("open"))
        for text, warning, end in lines(file, start.read_bytes):
            line, is_open = line + 1, True
            if warning:
                result.warnings.append((warning, line))
            elif text is not None:
                try:
                    if not known.repeats(text, result):
                        copies.leave_out(reader.events(text), result)
                except Exception as error:
                    _note(result, error, line)
            if end - begun >= SLICE_BYTES or len(result.events) >= SLICE_EVENTS:
                result.end = Position(marked, end, _state(line, reader, copies, is_open=True))
                yield result
                # Its session may begin only after what it repeats.
                result, begun = Slice(forks=result.forks), end
        if is_open:
            try:
                copies.leave_out(reader.pending(), result)
            except Exception as error:
                _note(result, error)
        result.end = Position(marked, end, _state(line, reader, copies, is_open=False))
        result.size, result.is_last = file.seek(0, os.SEEK_END), True
        yield result


def file_slices(
    db: apsw.Connection, path: Path, make: Callable[[Path], FileReader], start: Position
) -> Iterator[Slice]:
    """Yield the slices of a file that is rewritten as a whole; one empty slice where nothing has
    changed."""
    # The file, and those that belong to it.
    marked, size = json.dumps([path.stat().st_ino, *stamp(path)]), path.stat().st_size
    done = read_object(start.state).get("done", 0) if start.file == marked else 0
    result, number, copies = Slice(size=size), 0, _Copies(db, {})
    if done is not None:
        try:
            for number, event in enumerate(make(path).events(), start=1):
                copies.begins(event)
                if number > done:
                    copies.leave_out([event], result)
                if len(result.events) >= SLICE_EVENTS:
                    result.end = Position(marked, 0, json.dumps({"done": number}))
                    yield result
                    result = Slice(size=size, forks=result.forks)
        except Exception as error:
            _note(result, error)
    result.end, result.is_last = Position(marked, size, json.dumps({"done": None})), True
    yield result


def _note(found: Slice, error: Exception, line: int | None = None) -> None:
    """Note in a slice what a reader raised; the sentence of a ValueError says what is malformed."""
    if isinstance(error, apsw.Error | OSError | StoreError):
        raise error
    is_sentence = isinstance(error, ValueError)
    found.warnings.append((str(error) if is_sentence else failure_of(error), line))
    if not is_sentence:
        found.failure = failure_of(error)


class _KnownRecords:
    """Says which records of a file stand in another session's, or earlier in the file itself."""

    def __init__(self, db: apsw.Connection, path: Path, reader: LineReader, read_bytes: int) -> None:
        self.db = db
        self.path = path
        self.identity = getattr(reader, "identity", lambda _: None)
        self.seen: set[int] = set()
        self.unseen_bytes = read_bytes
        """So many bytes at the file's beginning were read earlier, and are not in `seen` yet."""

    def repeats(self, record: Record, found: Slice) -> bool:
        """Return whether a record repeats one; note in the slice a copy of another session's, or that a
        session has one which none had."""
        if (identity := self.identity(record)) is None:
            return False
        number, session = session_hash(identity.record), session_hash(identity.session)
        ids = [number, *map(session_hash, filter(None, identity.copies))]
        sql = f"SELECT id, session FROM transcript_records WHERE id IN ({', '.join('?' * len(ids))})"
        known: dict[int, int] = dict(self.db.execute(sql, ids))
        if number not in known and number not in self.seen:
            known |= dict.fromkeys(self.seen.intersection(ids), session)
        owner = next((known[id] for id in ids if id in known), session)
        if owner != session:
            found.copies += 1
            found.forks.setdefault(identity.session, owner)
        if owner != session or (known and number not in known):
            return True
        found.records += [(id, session) for id in ids if id not in known]
        if known and self.unseen_bytes:
            # The session had it when this file, or an earlier state of it, was read.
            with open_regular(self.path) as file:
                before = takewhile(lambda line: line.end <= self.unseen_bytes, lines(file))
                earlier = (self.identity(line.record) for line in before if line.record is not None)
                self.seen.update(session_hash(one.record) for one in earlier if one)
            self.unseen_bytes = 0
        is_repeated = number in self.seen
        self.seen.update(ids)
        return is_repeated


class _Copies:
    """Says which events of a file another session of the agent has told: forks copy them.

    That one has an event of the same moment and content under the same key; or under another one, where
    the event happened before its session began, or before that other one, which was then read first.
    Readers that know records by ids need none of this.
    """

    def __init__(self, db: apsw.Connection, begun: dict[str, int], *, trusts_ids: bool = False) -> None:
        self.db = db
        self.begun = begun
        """When each session began, ms since the epoch."""
        self.trusts_ids = trusts_ids
        self.noted: dict[int, int] = {}
        """The records of the slice at hand, which are not stored yet."""

    def begins(self, event: Event) -> None:
        """Note when a session began."""
        if event.kind == "session_start" and event.at and not event.subagent:
            self.begun.setdefault(event.session, event.at)

    def leave_out(self, events: Iterable[Event], found: Slice) -> None:
        """Add events to a slice, and count those that are copies instead."""
        if not found.records:
            self.noted.clear()
        for event in events:
            self.begins(event)
            if self.trusts_ids or event.kind not in TOLD or not event.at or not self._is_copy(event, found):
                found.events.append(event)

    def _is_copy(self, event: Event, found: Slice) -> bool:
        session = session_hash(event.session)
        told = f"{event.agent} {event.kind} {event.at} {event.usage or content_hash(event)}"
        early, late = session_hash(f"{told} early"), session_hash(f"{told} late")
        is_early = (event.at or 0) < self.begun.get(event.session, 0)
        own, same = [early if is_early else late], [early, late] if is_early else [early]
        if event.key and not event.key.isdigit():
            own.append(session_hash(f"{told} {event.key}"))
            same.append(own[-1])
        sql = "SELECT id, session FROM transcript_records WHERE id IN (SELECT value FROM json_each(?))"
        stored: dict[int, int] = dict(self.db.execute(sql, (json.dumps(own + same),)))
        known = stored | {id: self.noted[id] for id in own + same if id in self.noted}
        owners = [known[id] for id in same if id in known]
        if owners and session not in known.values():
            found.copies += 1
            if is_early or early not in known:
                found.forks.setdefault(event.session, owners[-1])
            return True
        new = [(id, session) for id in own if id not in known]
        found.records += new
        self.noted.update(new)
        return False


def _state(line: int, reader: LineReader, copies: _Copies, *, is_open: bool) -> str:
    # What waits for its end is text of the transcript too, and this is stored.
    state = {"line": line, "open": is_open, "reader": scrub_json(reader.state), "begun": copies.begun}
    return json.dumps(state, allow_nan=False)


def session_hash(text: str) -> int:
    """Return the id of a record, or of a session, as it is kept to know copies by."""
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


def is_same(file: BinaryIO, marked: str) -> bool:
    """Return whether a file is the one that was marked, as it was then or with more at its end."""
    try:
        head = int(marked.split(" ")[2])
    except (IndexError, ValueError):
        return False
    return _mark(file, head) == marked


def _mark(file: BinaryIO, head: int) -> str:
    """Return which file this is, however it grows: its device and inode, and a hash of its first bytes."""
    status = os.fstat(file.fileno())
    file.seek(0)
    first = blake2b(file.read(head), digest_size=8).hexdigest()
    return f"{status.st_dev} {status.st_ino} {head} {first}"
