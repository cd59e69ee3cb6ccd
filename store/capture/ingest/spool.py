"""The spool: the files in which events wait until somebody reads, and reading them.

A segment is a day's file of records, one a line. It is only ever appended to, and it goes when all
of it is stored and no process can be writing to it any more.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from ...platform.paths import fallback_spools, is_private_directory, resolve_database_path, spool_path
from ...platform.system import posix
from ...platform.translation import N_
from ...records.dataclasses import dataclass, field, replace
from ...records.events import SpoolRecord
from ...text.late_pattern import late_pattern
from .spool_files import Beginning, open_segment, segment_key, stored_beginning, wait_for_hooks

KEPT_SECONDS = 36 * 3_600
"""How long a segment of a day stays after its last record: longer than any clock can be off."""

OWNER = "stored"
"""A file beside the segments: the id of the memory that stored them, and how much of each."""

SEGMENT = late_pattern(r"\d{4}-\d\d-\d\d(-\d{1,4})?\.jsonl")
HEADER = late_pattern(
    rb'\{"at":(\d{1,15}),"took":(\d{1,15}),"agent":"([\w-]+)","env":\[([^]]*)\],'
    rb'(?:"cleaned":"(\w+)",)?"cwd":"'
)
BODY = b'","event":'
READ_AT_ONCE = 4_194_304

LONGEST_LINE = 16_777_216
"""Bytes of a line that are read at most; hooks write a tenth of it."""

NOTHING = b"\0 \t\r\v\f"
"""What a line may consist of that holds nothing: a power failure leaves zeros."""

SETTLE_SECONDS = 5.0
"""How long what hooks have taken is waited for, at most."""

TORN_SECONDS = 60
"""A last line that has had no end for so long has lost it: its writer died."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a memory knows of segments: their beginnings by path, and the bytes stored of those that an
    older version stored, by name, device and inode. `memory` is its id; with one, also an empty one,
    what another memory has stored counts as stored."""

    beginnings: dict[str, Beginning] = field(default_factory=dict)
    unmarked: dict[str, int] = field(default_factory=dict)
    memory: str | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """One file of the spool, and how much of it is stored already."""

    path: Path
    key: str
    size: int
    stored: int
    written_at: float
    """When it was last written to, in seconds since the epoch."""

    last: int = 0
    """Where the last stored line begins."""

    mark: int | None = None
    """The mark of what is stored; None for nothing, and for what an older version stored, which knew
    files by name and inode."""

    is_recorded: bool = False
    """Whether the memory knows it by its path as it is."""

    anew_to: int | None = None
    """Where another file had this path, or this one was cut, so that it is read from its beginning: how
    much of what was there before is stored."""

    @property
    def unstored(self) -> int:
        """Bytes that nobody has stored yet."""
        return max(0, self.size - self.stored)


class UnstoredLine(NamedTuple):
    """A line of a segment, where it begins, and the offset behind it."""

    at: int
    segment: Segment
    line: bytes
    begin: int
    end: int


def folders(database: Path) -> list[Path]:
    """The directories in which events of a memory may wait: its own spool, then the fallbacks."""
    results: list[bytes] = []
    for path in names(database):
        results.append(spool_path(path))
        results += [place for place in fallback_spools(path) if is_private_directory(place)]
    return [Path(os.fsdecode(folder)) for folder in dict.fromkeys(results)]


def names(database: Path) -> list[bytes]:
    """The paths of a memory that its hooks may know it by: links lead to it, or to a directory above."""
    path = os.fsencode(database.absolute())
    last = os.path.realpath(path)
    return list(dict.fromkeys((path, resolve_database_path(path), last)))


def narrow(database: Path) -> None:
    """Give the directories in which events of a memory wait, and the files in them, back to their owner
    alone: nobody else may use them, and the owner may. Links and what is another user's stay."""
    for path in names(database):
        for folder in (spool_path(path), *fallback_spools(path)):
            above = [folder.rpartition(b"/")[0]] if folder != spool_path(path) else []
            if all(_narrow(place, 0o700, S_ISDIR) for place in (*above, folder)):
                with suppress(OSError):
                    for file in Path(os.fsdecode(folder)).iterdir():
                        _narrow(bytes(file), 0o600, S_ISREG)


def _narrow(place: bytes, wanted: int, is_of_kind: Callable[[int], bool]) -> bool:
    """Give a place its mode; whether it is one of ours, of that kind."""
    try:
        result = os.lstat(place)
        if not is_of_kind(result.st_mode) or result.st_uid != posix.geteuid():
            return False
        if result.st_mode & 0o777 != wanted:
            os.chmod(place, wanted)  # noqa: PTH101 - a path of bytes
    except OSError:
        # Doctor tells.
        return False
    return True


def settle(database: Path, seconds: float = SETTLE_SECONDS) -> bool:
    """Wait, for at most so many seconds, until all that hooks have taken by now is in the spool; whether
    it is."""
    places = map(spool_path, names(database))
    until = time.monotonic() + seconds
    return all(wait_for_hooks(place, max(0.0, until - time.monotonic())) for place in places)


def segments(database: Path, stored: Stored | None = None) -> list[Segment]:
    """Every segment of a memory's spool, the oldest day first; `stored` is what the memory knows."""
    own = stored or Stored()
    results: dict[tuple[int, int], Segment] = {}
    for folder in folders(database):
        try:
            owners = (posix.geteuid(), folder.stat().st_uid)
            paths = sorted(path for path in folder.iterdir() if SEGMENT.fullmatch(path.name))
        except OSError:
            continue
        known = own
        if own.memory is not None and paths:
            foreign = stored_by_other(folder, own.memory)
            known = replace(own, beginnings={**foreign, **own.beginnings}) if foreign else own
        for path in paths:
            try:
                file = open_segment(os.fsencode(path))
            except OSError:
                # Stored and removed by another process, or no segment.
                continue
            try:
                status = os.fstat(file)
                place = (status.st_dev, status.st_ino)
                # Where others could write once, what they put there is no event of ours; and by a link
                # one directory has two names.
                if status.st_uid in owners and place not in results:
                    results[place] = _segment(path, file, status, known)
            except OSError:
                continue
            finally:
                os.close(file)
    return sorted(results.values(), key=lambda segment: segment.path.name)


def stored_by_other(folder: Path, memory: str) -> dict[str, Beginning]:
    """What another memory has stored of the segments in a directory: one that was at the same path and
    was removed, its events with it."""
    owner, *lines = read_file(folder / OWNER).decode("utf-8", "replace").split("\n")
    if not owner or owner == memory:
        return {}
    results: dict[str, Beginning] = {}
    for line in lines:
        match line.split(" "):
            case [name, *numbers] if len(numbers) == 3 and all(map(str.isdigit, numbers)):
                stored, last, mark = map(int, numbers)
                results[f"{owner} {name}"] = (stored, last, mark)
    return results


def unstored_lines(known: list[Segment]) -> Iterator[UnstoredLine]:
    """The lines that aren't stored, in the order of their times; within a segment as written."""
    from heapq import merge

    yield from merge(
        *(lines_between(segment, segment.stored, segment.size) for segment in known if segment.unstored),
        key=lambda line: line.at,
    )


def read_record(line: bytes) -> SpoolRecord:
    """Parse a line; ValueError with the reason where it is no record."""
    header = HEADER.match(line)
    place = line.find(BODY, header.end()) if header else -1
    if header is None or place < 0:
        raise ValueError(N_("the record was torn: its beginning is missing or broken"))
    body = line[place + len(BODY) :]
    if not body.endswith(b"}"):
        raise ValueError(N_("the record was torn: its end is missing"))
    try:
        event = json.loads(body[:-1].decode("utf-8", "replace"))
    except ValueError as error:
        raise ValueError(f"the event is not valid JSON ({error})") from None
    except RecursionError:
        raise ValueError(N_("the event is nested too deeply")) from None
    if not isinstance(event, dict):
        raise ValueError(N_("the event is not a JSON object"))
    if "unreadable" in event:
        raise ValueError(N_("the event is not valid JSON, or too large or too deep"))
    agent, env, cleaned, cwd = (
        (text or b"").decode("utf-8", "replace")
        for text in (header[3], header[4], header[5], line[header.end() : place])
    )
    names = frozenset(env.replace('"', "").split(",")) - {""}
    folder = cwd.replace('\\"', '"').replace("\\\\", "\\")
    return SpoolRecord(int(header[1]), int(header[2]), agent, names, folder, event, cleaned)


def remove_stored(known: list[Segment], now: float) -> list[str]:
    """Remove the segments that are stored whole and that nobody writes to any more; their keys."""
    gone = []
    for segment in known:
        if segment.unstored == 0 and now - segment.written_at > KEPT_SECONDS:
            segment.path.unlink(missing_ok=True)
            gone.append(segment.key)
    return gone


def time_of(line: bytes, before: int) -> int:
    """When a line was written (ms), as its header says; `before` where it has none."""
    header = HEADER.match(line)
    return int(header[1]) if header else before


def lost_events(database: Path) -> int:
    """The number of events that could be written nowhere, as far as even that could be written."""
    return sum(read_file(folder / "lost").count(b"\n") for folder in folders(database))


def read_file(path: Path, limit: int = 67_108_864) -> bytes:
    """The first `limit` bytes of a file of the spool; none of what is missing, unreadable or no file,
    such as a pipe, which nobody may ever write to."""
    try:
        file = open_segment(os.fsencode(path))
    except OSError:
        return b""
    with os.fdopen(file, "rb") as opened:
        try:
            return opened.read(limit)
        except OSError:
            return b""


def lines_between(segment: Segment, begin: int, end: int) -> Iterator[UnstoredLine]:
    """The complete lines of a segment from one offset to another; empty ones count to the next.

    A last line without an end is among them once its writer must be dead. Of a line that is longer than
    any hook writes, only its beginning is given.
    """
    at, begun, rest = 0, begin, b""
    offset = begin
    try:
        file = open_segment(os.fsencode(segment.path))
    except OSError:
        return
    try:
        while offset < end and (chunk := posix.pread(file, min(READ_AT_ONCE, end - offset), offset)):
            offset += len(chunk)
            *whole, last = chunk.split(b"\n")
            if not whole:
                rest = (rest + last)[:LONGEST_LINE] if len(rest) < LONGEST_LINE else rest
                continue
            whole[0] = rest + whole[0]
            ends = offset - len(chunk)
            ends += chunk.index(b"\n") + 1
            for number, line in enumerate(whole):
                if number:
                    ends += len(line) + 1
                if line.strip(NOTHING):
                    at = time_of(line, at)
                    yield UnstoredLine(at, segment, line, begun, ends)
                begun = ends
            rest = last
    finally:
        os.close(file)
    if rest.strip(NOTHING) and time.time() - segment.written_at > TORN_SECONDS:
        yield UnstoredLine(time_of(rest, at), segment, rest, begun, offset)


def _segment(path: Path, file: int, status: os.stat_result, known: Stored) -> Segment:
    key = segment_key(os.fsencode(path))
    own = known.beginnings.get(key)
    size, written_at = status.st_size, status.st_mtime
    result = stored_beginning(file, own, known.beginnings)
    if result is not None:
        stored, last, mark = result
        return Segment(path, key, size, stored, written_at, last, mark, is_recorded=result == own)
    old = known.unmarked.get(f"{path.name}:{status.st_dev}:{status.st_ino}", 0)
    if own is None and 0 < old <= size:
        return Segment(path, key, size, old, written_at, old)
    return Segment(path, key, size, 0, written_at, anew_to=own[0] if own else None)
