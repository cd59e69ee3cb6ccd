"""The schema: NNNN_*.sql, applied in order; the files of one number are one step, one transaction.

The first number is the baseline: all tables, as the first files have them. A step that changes what
the full-text indexes hold deletes the row `tokenizer` of `meta`: the next opening makes them anew,
from `indexes/*.sql`, which depend on what SQLite can do.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import apsw

from .. import SCHEMA

APPLICATION_ID = 0x6D656D74
"""Says in a file's header that it is ours; the baseline sets it."""

BASELINE = 9
"""The oldest schema that can be brought up to date; there was no release before it."""

OF_ROWS = ("0012_1_keys.sql",)
_FOLDER = Path(__file__).parent


def scripts() -> list[tuple[int, str]]:
    """Return every step as (version, SQL), oldest first."""
    paths = sorted(_FOLDER.glob("[0-9]*.sql"))
    return [
        (version, "\n".join(path.read_text("utf-8") for path in files))
        for version, files in groupby(paths, key=lambda path: int(path.name[:4]))
    ]


def change_rows(db: apsw.Connection) -> None:
    """Run the steps that change rows rather than the schema, each of which may be run again: a file
    whose schema is mended doesn't pass the others."""
    for name in OF_ROWS:
        apply_script(db, (_FOLDER / name).read_text("utf-8"))


def apply_script(db: apsw.Connection, script: str) -> None:
    """Run a step's SQL, which may call what SQL can't say: `stored_event_key` and `stored_event_id`."""
    from ...events import stored_event_id, stored_event_key

    functions: list[tuple[str, Any, int]] = [
        ("stored_event_key", stored_event_key, 2),
        ("stored_event_id", stored_event_id, 1),
    ]
    for name, function, arguments in functions:
        db.create_scalar_function(name, function, arguments, deterministic=True)
    try:
        db.execute(script)
    finally:
        for name, _, arguments in functions:
            db.create_scalar_function(name, None, arguments)


def index_script(name: str) -> str:
    """Return the SQL that makes one of the indexes (words, grams, spellings), or `drop`s all."""
    return (_FOLDER / "indexes" / f"{name}.sql").read_text("utf-8")


def latest_version() -> int:
    """Return the schema version that this program writes."""
    return SCHEMA


def current_version(db: apsw.Connection) -> int:
    """Return the schema version that a file says it has (`PRAGMA user_version`); 0 for an empty one."""
    version = db.pragma("user_version")
    assert isinstance(version, int)
    return version


def migrate(db: apsw.Connection, *, now: int) -> None:
    """Bring a file of the baseline or later, or an empty one, to the newest schema; `now` in ms.

    Each step and its version stamp are one transaction, and the version is read again inside it,
    so that two processes that start at once apply every step once, and a kill leaves either the
    schema before a step or the one after it.
    """
    if current_version(db) >= latest_version():
        return
    # What a step replaces may be what nobody was to keep.
    overwrites = db.pragma("secure_delete")
    db.pragma("secure_delete", True)
    try:
        for version, script in scripts():
            with db:
                if current_version(db) < version:
                    _take_step(db, version, script, now)
    finally:
        db.pragma("secure_delete", overwrites)


def _take_step(db: apsw.Connection, version: int, script: str, now: int) -> None:
    apply_script(db, script)
    db.execute("INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)", (version, now))
    db.pragma("user_version", version)
