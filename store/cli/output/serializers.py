"""Records as the command line gives them: as JSON objects, as rows, and as blocks for people."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from ... import kinds
from ...records.dataclasses import annotations_of

if TYPE_CHECKING:
    from ...records import Common, Hit, ListRow, SessionRow


UNSHOWN = frozenset(
    ("id", "updated_at", "origin", "editor", "hlc", "native_id", "fingerprint", "content_hash")
)
"""Bookkeeping that people rarely look for; JSON has it."""

Json = dict[str, object]


def ref(record: Common) -> str:
    """Return how people name a record: 12, p12, s12, f12, n12, @12."""
    return kinds.ref(type(record).__name__.lower(), record.id)


def record_json(record: Common) -> Json:
    """Return a record's own fields, and its `ref`."""
    from dataclasses import asdict

    return {"ref": ref(record), **asdict(record)}


def session_json(row: SessionRow) -> Json:
    """Return a session's own fields, and its counts."""
    from dataclasses import asdict

    counts = asdict(row)
    del counts["session"]
    return record_json(row.session) | counts


def list_row_json(entry: ListRow) -> Json:
    """Return a list row's own fields, and its `ref`."""
    from dataclasses import asdict

    return {"ref": entry.ref, **asdict(entry)}


def hit_json(hit: Hit, session: str | None) -> Json:
    """Return a hit of a search; `session` is the content id of its session, matches stand in « »."""
    entry = hit.row
    return {
        "kind": entry.kind,
        "id": entry.record_id,
        "ref": entry.ref,
        "uid": hit.record.uid,
        "title": entry.title,
        "snippet": hit.snippet.marked(),
        "score": hit.score,
        "tier": hit.tier,
        "project": entry.project,
        "session": session,
        "type": entry.type,
        "created_at": entry.created_at,
    }


def record_fields(record: Common) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """Yield the names and values of a record's fields that say something, as people read them."""
    for name in annotations_of(record):
        value = getattr(record, name)
        if name in UNSHOWN or value in (None, "", ()) or (isinstance(value, int) and not value):
            continue
        if name == "session_id":
            yield "session", f"@{value}"
        elif name.endswith("_at"):
            yield name, local_time(value)
        elif isinstance(value, tuple):
            yield name, value
        else:
            yield name, "yes" if value is True else str(value)


def local_time(at: int) -> str:
    """Return a moment (ms since the epoch) as local date and time, to the minute.

    One that no calendar has is returned as its number.
    """
    try:
        return f"{datetime.fromtimestamp(at / 1000):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return str(at)
