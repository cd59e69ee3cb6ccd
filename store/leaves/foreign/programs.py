"""The programs whose databases can be imported: where they lie, how one is recognized, why others can't be
read; and reading their rows in batches, without a store, so that a second process can do it ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

import apsw

from ...database.schema import APPLICATION_ID
from ...formats.common.report import Report
from ...formats.common.upsert import Mapped
from ...formats.sqlite.file import Address, connect
from ...formats.sqlite.row import ForeignRow, read_rows
from ...formats.sqlite.table import columns
from ...platform.translation import _
from ...search.index.bulk import SEARCHED, IndexTexts, index_texts
from ...tables.base import Values
from . import claude_mem, engram, trae_mem
from .mapping import ChildSource, NamedSession, Program, Target

USUAL_DATABASES = {
    "claude-mem": ("CLAUDE_MEM_DATA_DIR", ".claude-mem", "claude-mem.db"),
    "engram": ("ENGRAM_DATA_DIR", ".engram", "engram.db"),
}
"""By program, where its database is: the variable that names the folder, the folder in the home
directory without it, and the file."""


def find_databases(home: Path, environment: Mapping[str, str]) -> dict[str, Path]:
    """Return the databases of other programs that are where these keep them, by program."""
    places = {
        program: Path(environment.get(variable) or home / folder) / name
        for program, (variable, folder, name) in USUAL_DATABASES.items()
    }
    return {program: path for program, path in places.items() if path.is_file()}


System = Literal["claude-mem", "codexmem", "trae-mem", "scheme-c", "memtui", "engram"]

PROGRAMS: Mapping[System, Callable[[apsw.Connection, Path], Program]] = {
    "claude-mem": claude_mem.program,
    "codexmem": lambda _db, _path: claude_mem.CODEXMEM,
    "trae-mem": trae_mem.program,
    "engram": lambda _db, _path: engram.PROGRAM,
}

UNREAD: Mapping[System | None, str] = {
    "scheme-c": _(
        "{path} is only the index of the store in its directory: import that directory. Nothing was "
        "imported."
    ),
    "memtui": _("{path} is a store of memtui's already: open it with --db. Nothing was imported."),
    None: _(
        "{path} holds none of the tables of claude-mem, codexmem, trae-mem or engram. Nothing was imported."
    ),
}


KEYS = {"memory_session_id", "sdk_session_id", "content_session_id", "claude_session_id"}
"""Columns by which claude-mem's rows name their sessions."""


def recognize_program(db: apsw.Connection) -> System | None:
    """Return the program that wrote a database; None when it is none we know."""
    cursor = db.execute("SELECT lower(name) FROM sqlite_schema WHERE type = 'table'")
    tables = {str(name) for (name,) in cursor}
    sessions, observations, summaries, pending, own_sessions = (
        set(columns(db, name))
        for name in ("sdk_sessions", "observations", "summaries", "pending_messages", "sessions")
    )
    if db.pragma("application_id") == APPLICATION_ID or "hlc" in observations:
        return "memtui"
    if {"chunks", "sync_state"} <= tables:
        return "scheme-c"
    is_titled = {"title", "content", "type"} <= observations
    if "topic_key" in observations or (is_titled and "directory" in own_sessions):
        return "engram"
    # Two of the three, since of a damaged file a table may be missing.
    if ("sessions" in tables) + ("private" in observations) + ("level" in summaries) > 1:
        return "trae-mem"
    if "project_retention_policies" in tables or "dedupe_key" in pending:
        return "codexmem"
    if sessions and observations and not ("worker_port" in sessions or "text" in observations):
        return "codexmem"
    if "sdk_sessions" in tables or any(
        pair <= tables for pair in ({"memories", "overviews"}, {"memory_items", "server_sessions"})
    ):
        return "claude-mem"
    if "user_prompts" in tables and tables & {"observations", "session_summaries"}:
        own = observations | set(columns(db, "user_prompts")) | set(columns(db, "session_summaries"))
        # Tables of these names are others' too; of a damaged file no columns may be known.
        return "claude-mem" if not own or own & KEYS else None
    return None


BATCH_SIZE = 4 << 20
"""Characters of a batch, which is committed as a whole."""


class ChildRow(NamedTuple):
    """A row as values of ours, to all but its session, and what it becomes."""

    kind: Target
    mapped: Mapped
    session: NamedSession


class ChildBatch(NamedTuple):
    """Rows of a table, by its place among the program's; what the indexes hold of them by our table, if
    that was made; and what is odd about them, or about rows that can't be read."""

    place: int
    rows: list[ChildRow]
    texts: dict[str, IndexTexts]
    report: Report


def read_ahead(
    address: Address, path: Path, name: System, source: str, most: int, is_new: bool
) -> Iterator[ChildBatch]:
    """Yield what `read_children` does by a connection of its own, of a file that is new here with the
    indexes' texts."""
    with connect(*address) as db:
        program = PROGRAMS[name](db, path)
        for batch in read_children(db, program, Report(source), most):
            searched: dict[str, list[Values]] = {}
            for row in batch.rows:
                if is_new and row.kind.table in SEARCHED:
                    searched.setdefault(row.kind.table, []).append(row.mapped.values)
            texts = {table: index_texts(table, rows, set()) for table, rows in searched.items()}
            yield batch._replace(texts=texts)


def read_children(db: apsw.Connection, program: Program, report: Report, most: int) -> Iterator[ChildBatch]:
    """Yield the rows that belong to sessions, at most so many at once. `report` takes what is odd about
    them, and says whether the file is damaged."""
    for place, children in enumerate(program.children):
        for rows in read_batches(db, children.table, report, most):
            mapped = [child for row in rows if (child := _child(children, row))]
            yield ChildBatch(place, mapped, {}, report.cut())
        if report.warnings:
            yield ChildBatch(place, [], {}, report.cut())


def read_batches(db: apsw.Connection, name: str, report: Report, most: int) -> Iterator[list[ForeignRow]]:
    """Yield the rows of a table in lists of at most so many rows or 4 MiB."""
    batch: list[ForeignRow] = []
    size = 0
    for row in read_rows(db, name, report):
        batch.append(row)
        size += row.size
        if len(batch) >= most or size >= BATCH_SIZE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _child(children: ChildSource, row: ForeignRow) -> ChildRow | None:
    reading = children.reading(row)
    if reading is None:
        return None
    kind, mapped = reading
    session = (
        row.native_id if children.is_session else row.text(*children.native),
        row.text(*children.content), row.text(*children.memory),
        row.text("platform_source"),
    )  # fmt: skip
    row.native_id = children.prefix + row.native_id
    ours = mapped(row)
    project = ours.values["project"] if "project" in ours.values else row.text("project")
    return ChildRow(kind, ours, NamedSession(*session, project or ""))
