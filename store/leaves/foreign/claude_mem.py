"""claude-mem, each column by every name it had; what claude-mem 3 wrote, which may stand in a file that a
later one has begun to upgrade, and what 13 keeps for its server; its export; and codexmem, which took its
tables over for Codex."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from ...database.files import temporary
from ...formats.common.report import Report
from ...formats.common.upsert import Mapped
from ...formats.sqlite.row import ForeignRow, read_rows
from ...records.dataclasses import replace
from ...tables.base import Values
from .json_lines import document
from .mapping import (
    OBSERVATIONS,
    PENDING,
    PROMPTS,
    SUMMARIES,
    ChildSource,
    Names,
    Program,
    Reading,
    SessionSource,
    always,
    created,
    lists,
    one_of,
    record,
    session_values,
    texts,
)

AGENT = "claude-code"
"""The agent of sessions that name none: claude-mem knew no other before 12.0."""

AGENTS = {"claude": AGENT}
STATUSES = {status: status for status in ("active", "completed", "failed")}
PENDING_KINDS = {"observation": "observation", "summarize": "summary", "summary": "summary"}
PENDING_STATUSES = {
    "pending": "pending",
    # Its worker is not ours: what was under way there has to be done again here.
    "processing": "pending",
    "processed": "processed",
    "completed": "processed",
    "failed": "failed",
    "abandoned": "abandoned",
}
LATER = tuple(
    f"{name}_at_epoch" for name in ("processing_started", "started_processing", "failed", "completed")
)
"""Columns whose earliest time stands for a message's that says nothing of when it was queued."""

CONTENT_ID = ("content_session_id", "claude_session_id")
MEMORY_ID = ("memory_session_id", "sdk_session_id")


def names(row: ForeignRow) -> Names:
    """Return a session's own ids, and its agent where the file names it."""
    platform = row.text("platform_source")
    agent = AGENTS.get(platform, platform) if platform else AGENT
    return Names(row.text(*CONTENT_ID), row.text(*MEMORY_ID), agent)


def session(row: ForeignRow, names: Names) -> Mapped:
    """Map a session, under names that the resolver has settled."""
    started = row.moment("started_at")
    started = created(row, row.moment("created_at") if started is None else started)
    values = session_values(names, started, row.moment("completed_at")) | {
        "project": row.text("project") or "",
        "title": row.text("custom_title", "title"),
        "status": one_of(row, "status", STATUSES, "active"),
    }
    initial: Values = {
        "first_prompt": row.text("user_prompt"),
        "prompt_counter": row.number("prompt_counter") or 0,
    }
    return record(row, values, initial)


def prompt(row: ForeignRow) -> Mapped:
    """Map a prompt; one that was private as a whole stays as an empty one."""
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "prompt_number": row.number("prompt_number") or 0,
        "text": row.text("prompt_text", "content", "text", "narrative", "title") or "",
    }
    return record(row, values)


def observation(row: ForeignRow) -> Mapped:
    """Map an observation. Its narrative is theirs, else the text of old rows; both stay where they
    differ."""
    narrative, text = row.text("narrative"), row.text("text")
    # It changes when claude-mem upgrades its file, so it can't tell whether the row has.
    initial: Values = {"content_hash": row.text("content_hash")}
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "project": row.text("project") or "",
        "type": row.text("type") or "unknown",
        "narrative": narrative or text,
        "text": text if narrative and text != narrative else None,
        **texts(row, "title", "subtitle", "tool_name"),
        **lists(row, "facts", "concepts", "files_read", "files_modified"),
        "prompt_number": row.number("prompt_number"),
        "discovery_tokens": row.number("discovery_tokens") or 0,
    }
    return record(row, values, initial)


def summary(row: ForeignRow) -> Mapped:
    """Map a summary, however many a session has."""
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "project": row.text("project") or "",
        **texts(row, "request", "investigated", "learned", "completed", "next_steps", "notes"),
        **lists(row, "files_read", "files_edited"),
        "prompt_number": row.number("prompt_number"),
        "discovery_tokens": row.number("discovery_tokens") or 0,
    }
    return record(row, values)


def message(row: ForeignRow) -> Mapped:
    """Map a message that was still queued, or failed, in the queue of 7.3 and later."""
    at = row.moment("created_at")
    values: Values = {
        "created_at": created(row, row.earliest(*LATER) if at is None else at),
        "kind": one_of(row, "message_type", PENDING_KINDS, "observation"),
        "status": one_of(row, "status", PENDING_STATUSES, "failed"),
        "attempts": row.number("retry_count") or 0,
        **texts(row, "tool_name", "tool_input", "tool_response", "cwd"),
        **texts(row, "last_user_message", "last_assistant_message"),
        "prompt_number": row.number("prompt_number"),
    }
    return record(row, values)


SESSIONS = SessionSource("sdk_sessions", names, session)
CHILDREN = tuple(
    ChildSource(table, (kind,), always(kind, mapped), ("session_db_id",), CONTENT_ID, MEMORY_ID)
    for table, kind, mapped in (
        ("user_prompts", PROMPTS, prompt),
        ("observations", OBSERVATIONS, observation),
        ("session_summaries", SUMMARIES, summary),
        ("pending_messages", PENDING, message),
    )
)


def old_names(row: ForeignRow) -> Names:
    """Return the one id of a session, which the agent gave it."""
    return Names(row.text("session_id"), None, AGENT)


def old_session(row: ForeignRow, names: Names) -> Mapped:
    """Map a session, which was written when it was over."""
    started = created(row, row.moment("created_at"))
    values = session_values(names, started, row.moment("archived_at")) | {
        "project": row.text("project") or "",
        "title": row.text("title"),
        "status": "completed",
    }
    return record(row, values)


def memory(row: ForeignRow) -> Mapped:
    """Map a memory to an observation of type `memory`; the files it touched are modified ones."""
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "type": "memory",
        **texts(row, "project", "title", "subtitle"),
        "narrative": row.text("text"),
        "text": None,
        **lists(row, "facts", "concepts"),
        "files_read": "[]",
        "files_modified": row.items("files_touched"),
        "tool_name": None,
        "prompt_number": None,
        "discovery_tokens": 0,
    }
    return record(row, values)


def overview(row: ForeignRow) -> Mapped:
    """Map an overview to a summary in one text."""
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "project": row.text("project"),
        "text": row.text("content"),
    }
    return record(row, values)


OLD_SESSIONS = (
    SessionSource("sessions", old_names, old_session, "sessions:"),
    SessionSource("streaming_sessions", names, session, "streaming_sessions:"),
)
OLD_CHILDREN = tuple(
    ChildSource(table, (kind,), always(kind, mapped), content=("session_id",), prefix=f"{table}:")
    for table, kind, mapped in (("memories", OBSERVATIONS, memory), ("overviews", SUMMARIES, overview))
)


SERVER = "server:"
"""The prefix of the ids of what claude-mem 13 keeps for its server."""


REPEATED = (
    "SELECT id FROM memory_items WHERE legacy_observation_id IN (SELECT id FROM observations)",
    *(
        f"SELECT memory_item_id FROM memory_sources WHERE legacy_table = '{child.table}' "
        f"AND legacy_id IN (SELECT id FROM {child.table})"
        for child in CHILDREN
    ),
)
"""What gives the ids of items that stand in the tables of before."""


def program(db: apsw.Connection, _path: Path) -> Program:
    """Return how this file of claude-mem is read."""
    server = _ServerTables(db)
    return Program(
        "claude-mem",
        AGENT,
        (SESSIONS, *OLD_SESSIONS, SessionSource("server_sessions", names, server.session, SERVER)),
        (
            *CHILDREN,
            *OLD_CHILDREN,
            ChildSource(
                "memory_items",
                (OBSERVATIONS, SUMMARIES, PROMPTS),
                server.reading,
                native=("server_session_id",),
                prefix=SERVER,
                sessions=SERVER,
                session_is_optional=True,
            ),
        ),
        ("projects", "memory_sources"),
    )


class _ServerTables:
    """What claude-mem 13 keeps for its server: it names projects by ids, and repeats rows of the tables of
    before."""

    def __init__(self, db: apsw.Connection) -> None:
        self.projects = {row.native_id: row for row in read_rows(db, "projects", Report(""))}
        self.repeats: set[str] = set()
        for sql in REPEATED:
            with suppress(apsw.Error):
                self.repeats |= {str(id) for (id,) in db.execute(sql)}

    def session(self, row: ForeignRow, names: Names) -> Mapped:
        """Map a session; its directory is its project's."""
        project = self._name_project(row)
        mapped = session(row, names)
        mapped.values["project_path"] = project and project.text("root_path")
        return mapped

    def reading(self, row: ForeignRow) -> Reading | None:
        """Return how an item is read, by its kind; None for one that repeats a row of another table."""
        if row.native_id in self.repeats:
            return None
        self._name_project(row)
        kind = row.text("kind")
        if kind == "prompt":
            return PROMPTS, prompt
        return (SUMMARIES, server_summary) if kind == "summary" else (OBSERVATIONS, observation)

    def _name_project(self, row: ForeignRow) -> ForeignRow | None:
        project = self.projects.get(row.text("project_id") or "")
        row.values["project"] = project and project.text("name", "slug")
        # Empty lists and objects of JSON say nothing.
        for name in [name for name, value in row.values.items() if value in ("[]", "{}")]:
            del row.values[name]
        return project


def server_summary(row: ForeignRow) -> Mapped:
    """Map an item that sums a session up."""
    values: Values = {
        "created_at": created(row, row.moment("created_at")),
        "project": row.text("project") or "",
        "request": row.text("title"),
        "text": row.text("narrative", "text"),
        "files_read": row.items("files_read"),
        "files_edited": row.items("files_modified"),
    }
    return record(row, values)


EXPORTED = {
    "sessions": "sdk_sessions",
    "observations": "observations",
    "summaries": "session_summaries",
    "prompts": "user_prompts",
}
"""The lists of an export, and the tables whose rows they hold."""

COLUMNS = ("id", "content_session_id", "text", "worker_port")
"""Columns by which the program is known, whatever an export says."""


def is_export(path: Path) -> bool:
    """Return whether a file is what claude-mem exports. Raises OSError."""
    return path.is_file() and _is_export(document(path))


@contextmanager
def as_database(path: Path) -> Iterator[Path]:
    """Give the path of a database: the file itself, or of an export a temporary one with its rows."""
    export: Any = None
    with suppress(OSError):
        export = document(path)
    if not _is_export(export):
        yield path
        return
    with temporary.directory("memtui-") as directory:
        place = directory / path.name
        with closing(apsw.Connection(str(place))) as db, db:
            for listed, name in EXPORTED.items():
                rows = [row for row in export[listed] if isinstance(row, dict)]
                _write_rows(db, name, rows)
            # Its rows may be those of a database that is here, or few of them: it is a source of its own.
            first = "SELECT content_session_id FROM sdk_sessions ORDER BY id"
            db.execute("CREATE TABLE schema_versions (applied_at)")
            db.execute(f"INSERT INTO schema_versions SELECT 'export ' || coalesce(({first}), '')")
        yield place


def _is_export(whole: Any) -> bool:
    return isinstance(whole, dict) and all(isinstance(whole.get(name), list) for name in EXPORTED)


def _write_rows(db: apsw.Connection, name: str, rows: Iterable[dict[str, Any]]) -> None:
    columns = dict.fromkeys((*COLUMNS, *(key for row in rows for key in row)))
    quoted = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
    db.execute(f"CREATE TABLE {name} ({quoted})")
    db.executemany(
        f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})",
        ([_stored(row.get(column)) for column in columns] for row in rows),
    )


def _stored(value: object) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


CODEX = "codex"


CODEXMEM = Program(
    "codexmem", CODEX, (replace(SESSIONS, names=lambda row: names(row)._replace(agent=CODEX)),), CHILDREN
)
