"""The schema: the baseline, which is what a new file begins with, and the steps of later versions.

| file | holds |
|---|---|
| `settings.sql` | what the file says of itself, and what people chose in it |
| `records.sql` | sessions, prompts, observations, summaries, facts, notes |
| `capture.sql` | the queue, the events that are known, how far spool and transcripts were read |
| `sources.sql` | where records came from, directories that are kept in step |
| `curation.sql` | the journal, and what was purged, merged and reported |
| `visibility.sql` | which records are hidden, and why |
| `documents.sql` | documents and labels, and the triggers that derive them |
| `changed_files.sql` | which files of memories have changed since |
| `embeddings.sql` | which vectors are behind |
| `counts.sql` | how many documents, labels, facts and messages there are |
| `full_text/*.sql` | the full-text indexes, which depend on what SQLite can do |
| `NNNN_what.sql` | a step to version NNNN; the files of one number are one step |

The baseline isn't edited, for the files that exist have it: a step changes it. What a step makes anew (DROP
and CREATE) names the step in a comment in the baseline. A step that changes what the full-text indexes hold
deletes the row `tokenizer` of `meta`: the next opening makes them anew.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import apsw

from .. import SCHEMA as SCHEMA

APPLICATION_ID = 0x6D656D74
"""Says in a file's header that it is ours; `settings.sql` sets it."""

BASELINE = 16
"""The version of the baseline, the oldest that is opened."""

BASELINE_FILES = (
    *("settings", "records", "capture", "sources", "curation", "visibility", "documents"),
    *("changed_files", "embeddings", "counts"),
)
"""In the order in which they are run: triggers of one event run in that in which they were made."""

_FOLDER = Path(__file__).parent
STEPS = _FOLDER
"""The folder of the steps."""


def scripts() -> list[tuple[int, str]]:
    """Return the baseline and the steps after it as (version, SQL), oldest first."""
    baseline = "\n".join((_FOLDER / f"{name}.sql").read_text("utf-8") for name in BASELINE_FILES)
    steps = groupby(sorted(STEPS.glob("[0-9]*.sql")), key=lambda path: int(path.name[:4]))
    return [
        (BASELINE, baseline),
        *((version, "\n".join(path.read_text("utf-8") for path in paths)) for version, paths in steps),
    ]


def index_script(name: str) -> str:
    """Return the SQL that makes one of the full-text indexes (words, grams, spellings), or `drop`s all."""
    return (_FOLDER / "full_text" / f"{name}.sql").read_text("utf-8")


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
    db.execute(script)
    db.execute("INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)", (version, now))
    db.pragma("user_version", version)
