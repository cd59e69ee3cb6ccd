"""The schema's history: NNNN_name.sql, applied in order, one transaction each."""

from __future__ import annotations

from pathlib import Path

import apsw

APPLICATION_ID = 0x6D656D74
"""Says in a file's header that it is ours; the first script sets it."""


def scripts() -> list[tuple[int, str]]:
    """Every migration as (version, SQL), oldest first; the file's number is its version."""
    found = Path(__file__).parent.glob("*.sql")
    return sorted((int(path.name[:4]), path.read_text("utf-8")) for path in found)


def latest_version() -> int:
    """The schema version this program writes."""
    return max(int(path.name[:4]) for path in Path(__file__).parent.glob("*.sql"))


def current_version(db: apsw.Connection) -> int:
    """The schema version a file says it has: `PRAGMA user_version`; 0 for an empty file."""
    version = db.pragma("user_version")
    assert isinstance(version, int)
    return version


def migrate(db: apsw.Connection, *, now: int) -> None:
    """Bring a file to the newest schema.

    Each step and its version stamp are one transaction, and the version is read again inside it,
    so that two processes that start at once apply every step once, and a kill leaves either the
    schema before a step or the one after it.
    """
    for version, script in scripts():
        if current_version(db) >= version:
            continue
        with db:
            if current_version(db) >= version:
                continue
            db.execute(script)
            db.execute(
                "INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)", (version, now)
            )
            db.pragma("user_version", version)
