"""The schema: what a new file begins with, and the steps of later versions.

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
| `embeddings.sql` | which vectors were behind, when they lay in files of their own |
| `counts.sql` | how many documents, labels, tokens, facts and messages there are |
| `agent_files.sql` | files of agents that were edited or watched here |
| `sync.sql` | other machines, and what each is still to be given |
| `team.sql` | the team, and what is shared with it |
| `full_text/*.sql` | the full-text indexes, which depend on what SQLite can do |
| `NNNN_what.sql` | a step to version NNNN, one file; `SCHEMA` is the last one's number |

All but the steps are the baseline; what it says once of several tables is written out by `templates.py`.
It isn't edited, for the stores that exist have it: a step changes it. What a step makes anew (DROP and
CREATE) names the step in a comment in the baseline. A step that changes what the full-text indexes hold
deletes the row `tokenizer` of `meta`: the next opening makes them anew.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from .. import SCHEMA as SCHEMA

APPLICATION_ID = 0x6D656D74
"""Says in a file's header that it is ours; `settings.sql` sets it."""

BASELINE = 31
"""The version of a file without steps, the oldest that is opened: the last one of development, whose files
are what the files here make."""

OLDEST_TAKEN_OVER = 16
"""The oldest version of development that `mem store rebuild` takes over."""

BASELINE_FILES = (
    *("settings", "records", "capture", "sources", "curation", "visibility", "documents"),
    *("changed_files", "embeddings", "counts", "agent_files", "sync", "team"),
)
"""In the order in which they are run: triggers of one event run in that in which they were made."""

_FOLDER = Path(__file__).parent
STEPS = _FOLDER
"""The folder of the steps."""


def scripts() -> list[tuple[int, str]]:
    """Return the baseline and the steps after it as (version, SQL), oldest first.

    Raises RuntimeError where a step's number isn't the next one: files that exist would never take it.
    """
    # Only a file that is made, brought up or examined needs them.
    from .templates import expand

    baseline = "\n".join((_FOLDER / f"{name}.sql").read_text("utf-8") for name in BASELINE_FILES)
    results = [(BASELINE, expand(baseline))]
    for number, path in enumerate(sorted(STEPS.glob("[0-9]*.sql")), BASELINE + 1):
        if int(path.name[:4]) != number:
            raise RuntimeError(f"{path} has to be step {number:04}: each number stands once, in a row.")
        results.append((number, expand(path.read_text("utf-8"))))
    if results[-1][0] != SCHEMA:
        raise RuntimeError(f"SCHEMA is {SCHEMA}, and the last step makes version {results[-1][0]}.")
    return results


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
