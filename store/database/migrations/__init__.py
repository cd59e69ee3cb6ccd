"""The schema: NNNN_*.sql, applied in order; the files of one number are one step, one transaction.

The first number is the baseline: all tables, as the first files have them. A step that changes what
the full-text indexes hold deletes the row `tokenizer` of `meta`: the next opening makes them anew,
from `indexes/*.sql`, which depend on what SQLite can do.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import apsw

from .. import SCHEMA

APPLICATION_ID = 0x6D656D74
"""Says in a file's header that it is ours; the baseline sets it."""

BASELINE = 9
"""The oldest schema that can be brought up to date; there was no release before it."""

_FOLDER = Path(__file__).parent


def scripts() -> list[tuple[int, str]]:
    """Return every step as (version, SQL), oldest first."""
    paths = sorted(_FOLDER.glob("[0-9]*.sql"))
    return [
        (version, "\n".join(path.read_text("utf-8") for path in files))
        for version, files in groupby(paths, key=lambda path: int(path.name[:4]))
    ]


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
    for version, script in scripts():
        with db:
            if current_version(db) >= version:
                continue
            db.execute(script)
            db.execute(
                "INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)", (version, now)
            )
            db.pragma("user_version", version)
