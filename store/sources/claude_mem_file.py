"""What a file of claude-mem is: whether it is one, which one, and what there is to say of it."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import apsw

from ..errors import SourceError
from .claude_mem_records import CONTENT_ID, MEMORY_ID
from .foreign import reading
from .foreign_row import columns, read
from .recognise import System, system
from .report import Report

OBSERVER = "observer-sessions"

FOUND: dict[System | None, str] = {
    "claude-mem 3": "was written by claude-mem 3, which is not read yet; a newer claude-mem upgrades it",
    "codexmem": "belongs to codexmem, which is not read yet",
    "trae-mem": "belongs to trae-mem, which is not read yet",
    "scheme-c": "is only the index of the memory in its directory, which is not read yet",
    "memtui": "is a memtui memory already: open it with --db",
    None: "holds none of claude-mem's tables; its memory is usually ~/.claude-mem/claude-mem.db",
}


def check(db: apsw.Connection, path: Path) -> None:
    """Refuse, by what it is, a database that is not claude-mem's."""
    found = system(db, path)
    if found != "claude-mem":
        raise SourceError(f"{path} {FOUND[found]}. Nothing was imported.")


def source_of(db: apsw.Connection, path: Path) -> str:
    """The name of this very database, wherever it lies: a copy of it is the same source.

    It is marked by when its schema was first made, or by its first session where nothing tells that.
    """
    with reading(path):
        made: bytes | None = None
        if "applied_at" in columns(db, "schema_versions"):
            sql = "SELECT CAST(applied_at AS BLOB) FROM schema_versions ORDER BY rowid LIMIT 1"
            made = db.execute(sql).get
    if made is None:
        first = next(read(db, path, "sdk_sessions", Report("")), None)
        made = (first.text(*CONTENT_ID, *MEMORY_ID) or "" if first else "").encode()
    return f"claude-mem:{blake2b(made, digest_size=4).hexdigest()}"


def count(db: apsw.Connection, table: str) -> int:
    """How many rows a table has; none when it is missing, or so damaged that they can't be counted."""
    try:
        return int(db.execute(f"SELECT count(*) FROM {table}").get)
    except apsw.Error:
        return 0


def notes(db: apsw.Connection, path: Path) -> list[str]:
    """What a reader of the report might wonder about."""
    found = []
    with reading(path):
        if columns(db, "memories"):
            found.append("`memories` and `overviews`, which claude-mem 3 wrote, are not read yet.")
        if "project" in columns(db, "observations"):
            sql = "SELECT count(*) FROM observations WHERE project = ?"
            if own := db.execute(sql, (OBSERVER,)).get:
                found.append(
                    f"{own:,} observations are of {OBSERVER}: claude-mem watching itself at work."
                )
    return found
