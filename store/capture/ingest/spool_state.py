"""What the memory knows of the spool: how much of each segment is stored, and which lines are."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import apsw

from ...database.files import atomic
from ...platform.clock import now_ms
from .spool import KEPT_SECONDS, OWNER, Segment, Stored, UnstoredLine, read_file, segments, time_of
from .spool_files import mark_of, open_segment, stored_by_segment


def known_segments(db: apsw.Connection, database: Path) -> list[Segment]:
    """The segments of an open memory's spool, with how much of each is stored."""
    unmarked = db.execute("SELECT segment, stored FROM spool_segments WHERE mark IS NULL")
    return segments(database, Stored(stored_by_segment(db), dict(unmarked), _memory_id(db)))


def _memory_id(db: apsw.Connection) -> str:
    return str(db.execute("SELECT value FROM meta WHERE key = 'machine_id'").get)


def note_owner(db: apsw.Connection, known: list[Segment]) -> None:
    """Leave a note beside the segments of how much of each this memory has stored: a new one at the same
    path takes only the rest."""
    beginnings = stored_by_segment(db)
    for folder in {segment.path.parent for segment in known}:
        lines = [
            f"{segment.path.name} {' '.join(map(str, beginnings[segment.key]))}"
            for segment in known
            if segment.path.parent == folder and segment.key in beginnings
        ]
        note, path = "\n".join([_memory_id(db), *lines]).encode(), folder / OWNER
        # Where it can't be written, a new memory takes events twice that the old one had.
        with suppress(OSError):
            if read_file(path) != note:
                with atomic.draft(path) as draft:
                    draft.write_bytes(note)
                    atomic.publish(draft, path, replace=True, durable=False)


def record_beginning(db: apsw.Connection, segment: Segment, stored: int, last: int) -> None:
    """Note, in the transaction of the rows, how much of a segment is stored, and where the last line of
    that begins. Nothing is noted of a file that is gone or was cut meanwhile: what is left of it is
    read again, and its lines are recognised."""
    try:
        file = open_segment(os.fsencode(segment.path))
    except OSError:
        return
    try:
        mark = mark_of(file, stored, last)
    finally:
        os.close(file)
    if mark is not None:
        db.execute(
            "INSERT INTO spool_segments (segment, stored, last, mark, read_at) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (segment) DO UPDATE SET stored = excluded.stored, last = excluded.last, "
            "mark = excluded.mark, read_at = excluded.read_at",
            (segment.key, stored, last, mark, now_ms()),
        )
        if segment.anew_to is not None:
            sql = "UPDATE spool_segments SET anew_at = ?, anew_to = ? WHERE segment = ?"
            db.execute(sql, (now_ms(), segment.anew_to, segment.key))


def forget_segments(db: apsw.Connection, known: list[Segment], removed: list[str], now: float) -> None:
    """Forget the segments that were removed now, and those that went long ago without being seen."""
    present = json.dumps([segment.key for segment in known if segment.key not in removed])
    db.execute(
        "DELETE FROM spool_segments WHERE segment NOT IN (SELECT value FROM json_each(?)) "
        "AND (coalesce(read_at, 0) < ? OR segment IN (SELECT value FROM json_each(?)))",
        (present, round((now - KEPT_SECONDS) * 1_000), json.dumps(removed)),
    )


def remember_line(db: apsw.Connection, line: bytes) -> bool:
    """Note, in the present transaction, that a line is stored; False where it was before."""
    # Readers look at the spool each time, and rarely find a line.
    from ...text.hashing import blake2b

    digest = int.from_bytes(blake2b(line, digest_size=8).digest(), "big", signed=True)
    values = (time_of(line, 0), digest)
    db.execute("INSERT INTO spool_lines VALUES (?, ?) ON CONFLICT DO NOTHING", values)
    return db.changes() == 1


def is_remnant(db: apsw.Connection, known: list[Segment], damaged: UnstoredLine) -> bool:
    """Whether a line that can't be stored is what is left of one that is: a power failure cut it after
    that, or the disk was full amid it and the hook wrote it whole to another directory."""
    line = damaged.line.rstrip(b"\0")
    if line.endswith(b"}"):
        return False
    own, at = damaged.segment, time_of(line, 0)
    sql = "SELECT anew_to FROM spool_segments WHERE segment = ?"
    if damaged.begin < (own.anew_to or db.execute(sql, (own.key,)).get or 0):
        sql = "SELECT count(*) FROM spool_lines WHERE at = ?"
        if not at or int(db.execute(sql, (at,)).get) > 1:
            return True
    others = [segment for segment in known if segment.path.parent != own.path.parent]
    return at > 0 and any(b"\n" + line in read_file(item.path) for item in others)


def read_anew(db: apsw.Connection) -> list[tuple[str, int]]:
    """The paths of segments that were cut or replaced after something of them had been stored, and
    when they were read anew (ms), the newest first."""
    sql = "SELECT segment, anew_at FROM spool_segments WHERE anew_at IS NOT NULL ORDER BY anew_at DESC"
    return [(str(path), int(at)) for path, at in db.execute(sql)]
