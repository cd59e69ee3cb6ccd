"""The spool: the files in which events wait until somebody reads, and reading them.

A segment is a day's file of records, one a line. It is only ever appended to, and it goes when all
of it is stored and no process can be writing to it any more.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from heapq import merge
from pathlib import Path
from typing import NamedTuple

import apsw

from ...events import SpoolRecord
from ...paths import fallback_spools, is_private_directory, spool_path
from ...records.dataclasses import dataclass

KEPT_SECONDS = 36 * 3_600
"""How long a segment of a day stays after its last record: longer than any clock can be off."""

SEGMENT = re.compile(r"\d{4}-\d\d-\d\d\.jsonl")
HEADER = re.compile(rb'\{"at":(\d+),"took":(\d+),"agent":"([\w-]+)","env":\[([^]]*)\],"cwd":"')
BODY = b'","event":'
READ_AT_ONCE = 4_194_304

TORN_SECONDS = 60
"""A last line that has had no end for so long has lost it: its writer died."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One file of the spool, and how much of it is stored already."""

    path: Path
    key: str
    size: int
    stored: int
    written_at: float
    """When it was last written to, in seconds since the epoch."""

    @property
    def unstored(self) -> int:
        """Bytes that nobody has stored yet."""
        return max(0, self.size - self.stored)


class UnstoredLine(NamedTuple):
    """A line of a segment, and the offset behind it."""

    at: int
    segment: Segment
    line: bytes
    end: int


def folders(database: Path) -> list[Path]:
    """The directories in which events of a memory may wait: its own spool, then the fallbacks."""
    found: list[bytes] = []
    for name in dict.fromkeys((database.absolute(), database.resolve())):
        path = os.fsencode(name)
        found.append(spool_path(path))
        found += [place for place in fallback_spools(path) if is_private_directory(place)]
    return [Path(os.fsdecode(folder)) for folder in dict.fromkeys(found)]


def segments(database: Path, stored: dict[str, int]) -> list[Segment]:
    """Every segment of a memory's spool, the oldest day first; `stored` are bytes by segment key."""
    found = []
    for folder in folders(database):
        try:
            paths = sorted(path for path in folder.iterdir() if SEGMENT.fullmatch(path.name))
        except OSError:
            continue
        for path in paths:
            try:
                status = path.stat()
            except OSError:
                # Another process has stored and removed it.
                continue
            key = f"{path.name}:{status.st_dev}:{status.st_ino}"
            # A file that shrank is another one: read from its beginning.
            known = stored.get(key, 0)
            begin = known if known <= status.st_size else 0
            found.append(Segment(path, key, status.st_size, begin, status.st_mtime))
    return sorted(found, key=lambda segment: segment.path.name)


def known_segments(db: apsw.Connection, database: Path) -> list[Segment]:
    """The segments of an open memory's spool, with how much of each is stored."""
    stored = dict(db.execute("SELECT segment, stored FROM spool_segments"))
    return segments(database, stored)


def unstored_lines(known: list[Segment]) -> Iterator[UnstoredLine]:
    """The lines that aren't stored, in the order of their times; within a segment as written."""
    yield from merge(
        *(_lines(segment) for segment in known if segment.unstored), key=lambda line: line.at
    )


def read_record(line: bytes) -> SpoolRecord:
    """Parse a line; ValueError with the reason where it is no record."""
    header = HEADER.match(line)
    place = line.find(BODY, header.end()) if header else -1
    if header is None or place < 0:
        raise ValueError("the record was torn: its beginning is missing or broken")
    body = line[place + len(BODY) :]
    if not body.endswith(b"}"):
        raise ValueError("the record was torn: its end is missing")
    try:
        event = json.loads(body[:-1].decode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError(f"the event is no JSON document ({error})") from None
    except RecursionError:
        raise ValueError("the event is nested too deeply") from None
    if not isinstance(event, dict):
        raise ValueError("the event is no JSON object")
    if "unreadable" in event:
        raise ValueError("the event is no JSON document, or too large or too deep for one")
    at, took, agent, env, cwd = (
        int(header[1]),
        int(header[2]),
        *(
            text.decode("utf-8", "replace")
            for text in (header[3], header[4], line[header.end() : place])
        ),
    )
    names = frozenset(env.replace('"', "").split(",")) - {""}
    return SpoolRecord(at, took, agent, names, cwd.replace('\\"', '"').replace("\\\\", "\\"), event)


def remove_stored(known: list[Segment], now: float) -> list[str]:
    """Remove the segments that are stored whole and that nobody writes to any more; their keys."""
    gone = []
    for segment in known:
        if segment.unstored == 0 and now - segment.written_at > KEPT_SECONDS:
            segment.path.unlink(missing_ok=True)
            gone.append(segment.key)
    return gone


def lost_events(database: Path) -> int:
    """The number of events that could be written nowhere, as far as even that could be written."""
    count = 0
    for folder in folders(database):
        try:
            count += (folder / "lost").read_bytes().count(b"\n")
        except OSError:
            continue
    return count


def _lines(segment: Segment) -> Iterator[UnstoredLine]:
    """The complete lines of a segment that aren't stored; blank ones count to the next."""
    at = 0
    with segment.path.open("rb") as file:
        offset = file.seek(segment.stored)
        rest = b""
        while chunk := file.read(READ_AT_ONCE):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                offset += len(line) + 1
                if line.strip():
                    header = HEADER.match(line)
                    at = int(header[1]) if header else at
                    yield UnstoredLine(at, segment, line, offset)
    if rest.strip() and time.time() - segment.written_at > TORN_SECONDS:
        yield UnstoredLine(at, segment, rest, offset + len(rest))
