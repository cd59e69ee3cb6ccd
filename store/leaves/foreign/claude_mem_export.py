"""Export as a database of claude-mem 9: what its shape can hold, and a list of what it can't."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from ...database.transaction import snapshot
from ...formats.common.drafts import ExportError
from ...formats.common.report import FormatResult, Progress, ProgressCounter
from ...formats.common.scope import Scope
from ...platform.translation import _
from ...store import Store
from ...text.plural import count_noun
from ...text.times import iso

VISIBLE = Scope(noise=False, waiting=False)
"""Neither private nor deleted rows: the shape has no mark for them."""


def export_claude_mem(
    store: Store, path: Path, scope: Scope = VISIBLE, progress: Progress | None = None
) -> FormatResult:
    """Fill an empty file with all that claude-mem 9 can hold of a memory, as of one moment.

    Rows keep their numbers, and the full-text indexes are built, so that claude-mem finds them at
    once. Private and deleted rows are left out: the shape has no mark for them. Raises ExportError.
    """
    made = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    with closing(made):
        # It is a draft, and gone where it is not finished.
        made.pragma("journal_mode", "off")
        made.pragma("synchronous", "off")
        with snapshot(store.db):
            return _Export(store.db, made, scope, progress).run()


class _Export:
    """One run."""

    def __init__(
        self,
        db: apsw.Connection,
        made: apsw.Connection,
        scope: Scope,
        progress: Progress | None,
    ) -> None:
        self.db = db
        self.made = made
        self.scope = scope
        total = sum(int(db.execute(f"SELECT count(*) FROM {kind.ours}").get) for kind in kinds(scope))
        self.counter = ProgressCounter(total, progress)

    def run(self) -> FormatResult:
        self._write(TABLES)
        first: Any = self.db.execute("SELECT min(applied_at) FROM schema_versions").get
        # By it a file is told from others when it is imported; so it is always this memory's own.
        versions = [(number, iso(first)) for number in VERSIONS]
        self._write("BEGIN")
        self._many("INSERT INTO schema_versions (version, applied_at) VALUES (?, ?)", versions)
        for kind in kinds(self.scope):
            condition = self.scope.condition(kind.ours)
            cursor = self.db.execute(f"{kind.select} WHERE {condition} ORDER BY t.id")
            self._many(kind.insert, self.counter.counted(kind.table, cursor))
        self._write(INDEXES)
        for table in SEARCHED:
            self._write(search_index(table))
            self._write(triggers(table))
        self._write("COMMIT")
        return FormatResult(self.counter.counts, tuple(losses(self.db, self.scope)))

    def _write(self, sql: str) -> None:
        with translate_errors():
            self.made.execute(sql)

    def _many(self, sql: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with translate_errors():
            self.made.executemany(sql, rows)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise what SQLite refuses of the file in the making as an ExportError."""
    try:
        yield
    except apsw.Error as error:
        raise ExportError("The export can't be written ({error}). Check the disk.", error=error) from error


class TableExport(NamedTuple):
    """A table of claude-mem's, ours for it, and what its columns are given of a row `t` of ours; what names
    a session, in other tables than that of sessions, is given our number of it."""

    table: str
    ours: str
    columns: Mapping[str, str]

    @property
    def select(self) -> str:
        """The beginning of the SELECT that reads rows of ours."""
        return f"SELECT {', '.join(self.columns.values())} FROM {self.ours} t"

    @property
    def insert(self) -> str:
        """The INSERT that writes a row, and leaves out one that breaks a rule of its table."""
        looked_up = () if self.table == "sdk_sessions" else ("content_session_id", "memory_session_id")
        marks = (
            f"(SELECT {name} FROM sdk_sessions WHERE id = ?)" if name in looked_up else "?"
            for name in self.columns
        )
        names = ", ".join(self.columns)
        return f"INSERT OR IGNORE INTO {self.table} ({names}) VALUES ({', '.join(marks)})"


def _same(*names: str) -> dict[str, str]:
    """Return columns that have the names of ours."""
    return {name: f"t.{name}" for name in names}


def _time(column: str) -> str:
    return f"coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', t.{column} / 1000.0, 'unixepoch'), '')"


CREATED = {"created_at": _time("created_at"), "created_at_epoch": "t.created_at"}

OTHER_KINDS = (
    TableExport(
        "user_prompts",
        "prompts",
        _same("id", "prompt_number")
        | {"content_session_id": "t.session_id", "prompt_text": "t.text"}
        | CREATED,
    ),
    TableExport(
        "observations",
        "observations",
        {"memory_session_id": "t.session_id"}
        | _same("id", "project", "text", "type", "title", "subtitle", "facts", "narrative", "concepts")
        | _same("files_read", "files_modified", "prompt_number", "discovery_tokens")
        | CREATED,
    ),
    TableExport(
        "session_summaries",
        "summaries",
        {
            "memory_session_id": "t.session_id",
            "notes": "nullif(trim(coalesce(t.notes, '') || char(10, 10) || coalesce(t.text, ''), "
            "char(10)), '')",
        }
        | _same("id", "project", "request", "investigated", "learned", "completed", "next_steps")
        | _same("files_read", "files_edited", "prompt_number", "discovery_tokens")
        | CREATED,
    ),
    TableExport(
        "pending_messages",
        "pending_messages",
        {
            "session_db_id": "t.session_id",
            "content_session_id": "t.session_id",
            "message_type": "iif(t.kind = 'summary', 'summarize', t.kind)",
            "status": "CASE t.status WHEN 'processing' THEN 'pending' WHEN 'abandoned' THEN 'failed' "
            "ELSE t.status END",
            "retry_count": "t.attempts",
            "created_at_epoch": "t.created_at",
            "failed_at_epoch": "iif(t.status IN ('failed', 'abandoned'), t.updated_at, NULL)",
        }
        | _same("id", "tool_name", "tool_input", "tool_response", "cwd", "prompt_number")
        | _same("last_user_message", "last_assistant_message"),
    ),
)


def kinds(scope: Scope) -> tuple[TableExport, ...]:
    """Return the tables, sessions first, as a scope lets them out."""
    sessions = {
        # Its own id has to be unique: a second agent's session of that id goes by another.
        "content_session_id": "iif(EXISTS (SELECT 1 FROM sessions o WHERE o.id < t.id "
        f"AND o.content_session_id = t.content_session_id AND {scope.shown('o')}), "
        "t.agent || ':' || t.content_session_id, t.content_session_id)",
        # What was observed hangs on the memory id there, so a session that has any needs one.
        "memory_session_id": "coalesce(t.memory_session_id, iif(EXISTS (SELECT 1 FROM documents d "
        "WHERE d.session_id = t.id AND d.kind IN ('o', 's')), 'memtui-' || t.uid, NULL))",
        "user_prompt": scope.first_prompt("t"),
        "started_at": _time("started_at"),
        "started_at_epoch": "t.started_at",
        "completed_at": f"iif(t.completed_at IS NULL, NULL, {_time('completed_at')})",
        "completed_at_epoch": "t.completed_at",
    }
    columns = sessions | _same("id", "project", "status", "prompt_counter")
    return (TableExport("sdk_sessions", "sessions", columns), *OTHER_KINDS)


LOSSES = {
    _("sessions of other agents than claude-code, whose agent is lost"): (
        "sessions",
        "t.agent <> 'claude-code'",
    ),
    _("sessions with a title, which is lost"): ("sessions", "t.title IS NOT NULL"),
    _("sessions with a directory, which is lost"): ("sessions", "t.project_path IS NOT NULL"),
    _("sessions without a memory id, now with one of our own"): (
        "sessions",
        "t.memory_session_id IS NULL AND EXISTS (SELECT 1 FROM documents d "
        "WHERE d.session_id = t.id AND d.kind IN ('o', 's'))",
    ),
    _("observations with tags, which are lost"): ("observations", "t.tags <> '[]'"),
    _("observations with the tool's name, which is lost"): (
        "observations",
        "t.tool_name IS NOT NULL",
    ),
    _("summaries with a text, which stands among the notes"): ("summaries", "t.text IS NOT NULL"),
    _("summaries of the brief kind, which is lost"): ("summaries", "t.level = 'brief'"),
    _("memories with a pin, which is lost"): (
        "(SELECT pinned, private, deleted_at FROM observations UNION ALL SELECT pinned, private, "
        "deleted_at FROM prompts UNION ALL SELECT pinned, private, deleted_at FROM summaries)",
        f"t.pinned = 1 AND {VISIBLE.shown('t')}",
    ),
    _("facts left out"): ("facts", "true"),
    _("notes left out"): ("notes", "true"),
    _("errors of messages left out"): ("pending_messages", "t.error IS NOT NULL"),
    _("observations with more than its columns say, which is lost"): (
        "observations",
        "t.extra IS NOT NULL",
    ),
    _("counts of tokens left out"): ("token_usage", "true"),
    _("searches under a name left out"): ("saved_searches", "true"),
}
"""What the shape can't hold: for each sentence the table, and the condition of its rows."""


NOISE = f"t.type = 'noise' AND {Scope().condition('observations')}"


def losses(db: apsw.Connection, scope: Scope = VISIBLE) -> Iterator[str]:
    """Yield a sentence for each thing that claude-mem 9 can't hold, with how many rows have it;
    then what is left out because it is hidden."""
    for sentence, (table, condition) in LOSSES.items():
        sql = f"SELECT count(*) FROM {table} t WHERE {condition} AND {scope.condition(table)}"
        result: Any = db.execute(sql).get
        if result:
            yield f"{count_noun(result, sentence)}."
    if scope.chosen is not None:
        # Nobody asked for the others.
        return
    noise = int(db.execute(f"SELECT count(*) FROM observations t WHERE {NOISE}").get or 0)
    if noise:
        yield f"{count_noun(noise, 'observations of noise left out')}."
    hidden = sum(Scope(waiting=False).left_out(db).values())
    if hidden:
        what = count_noun(hidden, "records")
        yield _(
            "{records} left out, being private, deleted or pending: it can't mark them as such.",
            records=what,
        )


TABLES = """
CREATE TABLE schema_versions (
    id INTEGER PRIMARY KEY,
    version INTEGER UNIQUE NOT NULL,
    applied_at TEXT NOT NULL
);
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content_session_id TEXT UNIQUE NOT NULL,
    memory_session_id TEXT UNIQUE,
    project TEXT NOT NULL,
    user_prompt TEXT,
    started_at TEXT NOT NULL,
    started_at_epoch INTEGER NOT NULL,
    completed_at TEXT,
    completed_at_epoch INTEGER,
    status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active',
    worker_port INTEGER,
    prompt_counter INTEGER DEFAULT 0
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content_session_id TEXT NOT NULL,
    prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL,
    created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    FOREIGN KEY(content_session_id) REFERENCES sdk_sessions(content_session_id) ON DELETE CASCADE
);
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_db_id INTEGER NOT NULL,
    content_session_id TEXT NOT NULL,
    message_type TEXT NOT NULL CHECK(message_type IN ('observation', 'summarize')),
    tool_name TEXT,
    tool_input TEXT,
    tool_response TEXT,
    cwd TEXT,
    last_user_message TEXT,
    last_assistant_message TEXT,
    prompt_number INTEGER,
    status TEXT NOT NULL DEFAULT 'pending'
        CHECK(status IN ('pending', 'processing', 'processed', 'failed')),
    retry_count INTEGER NOT NULL DEFAULT 0,
    created_at_epoch INTEGER NOT NULL,
    started_processing_at_epoch INTEGER,
    completed_at_epoch INTEGER,
    failed_at_epoch INTEGER,
    FOREIGN KEY (session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    text TEXT,
    type TEXT NOT NULL,
    title TEXT,
    subtitle TEXT,
    facts TEXT,
    narrative TEXT,
    concepts TEXT,
    files_read TEXT,
    files_modified TEXT,
    prompt_number INTEGER,
    discovery_tokens INTEGER DEFAULT 0,
    created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_session_id TEXT NOT NULL,
    project TEXT NOT NULL,
    request TEXT,
    investigated TEXT,
    learned TEXT,
    completed TEXT,
    next_steps TEXT,
    files_read TEXT,
    files_edited TEXT,
    notes TEXT,
    prompt_number INTEGER,
    discovery_tokens INTEGER DEFAULT 0,
    created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id)
        ON DELETE CASCADE ON UPDATE CASCADE
);
"""

INDEXES = """
CREATE INDEX idx_sdk_sessions_claude_id ON sdk_sessions(content_session_id);
CREATE INDEX idx_sdk_sessions_sdk_id ON sdk_sessions(memory_session_id);
CREATE INDEX idx_sdk_sessions_project ON sdk_sessions(project);
CREATE INDEX idx_sdk_sessions_status ON sdk_sessions(status);
CREATE INDEX idx_sdk_sessions_started ON sdk_sessions(started_at_epoch DESC);
CREATE INDEX idx_user_prompts_claude_session ON user_prompts(content_session_id);
CREATE INDEX idx_user_prompts_created ON user_prompts(created_at_epoch DESC);
CREATE INDEX idx_user_prompts_prompt_number ON user_prompts(prompt_number);
CREATE INDEX idx_user_prompts_lookup ON user_prompts(content_session_id, prompt_number);
CREATE INDEX idx_pending_messages_session ON pending_messages(session_db_id);
CREATE INDEX idx_pending_messages_status ON pending_messages(status);
CREATE INDEX idx_pending_messages_claude_session ON pending_messages(content_session_id);
CREATE INDEX idx_observations_sdk_session ON observations(memory_session_id);
CREATE INDEX idx_observations_project ON observations(project);
CREATE INDEX idx_observations_type ON observations(type);
CREATE INDEX idx_observations_created ON observations(created_at_epoch DESC);
CREATE INDEX idx_session_summaries_sdk_session ON session_summaries(memory_session_id);
CREATE INDEX idx_session_summaries_project ON session_summaries(project);
CREATE INDEX idx_session_summaries_created ON session_summaries(created_at_epoch DESC);
"""

SEARCHED = {
    "user_prompts": ("prompt_text",),
    "observations": ("title", "subtitle", "narrative", "text", "facts", "concepts"),
    "session_summaries": (
        "request", "investigated", "learned", "completed", "next_steps", "notes",
    ),
}  # fmt: skip
"""The tables that have a full-text index, and its columns."""

VERSIONS = (4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 19, 20, 21)
"""The `schema_versions` of a file that 9.1 made; 9.x upgrades nothing in it."""


def search_index(table: str) -> str:
    """Return the SQL that builds a table's full-text index of the rows that are there."""
    columns = ", ".join(SEARCHED[table])
    return (
        f"CREATE VIRTUAL TABLE {table}_fts USING fts5("
        f"{columns}, content='{table}', content_rowid='id');"
        f"INSERT INTO {table}_fts({table}_fts) VALUES('rebuild');"
    )


def triggers(table: str) -> str:
    """Return the SQL of the triggers that keep the full-text index equal to the rows."""
    columns = ", ".join(SEARCHED[table])
    new = ", ".join(f"new.{column}" for column in SEARCHED[table])
    old = ", ".join(f"old.{column}" for column in SEARCHED[table])
    put = f"INSERT INTO {table}_fts(rowid, {columns}) VALUES (new.id, {new});"
    drop = f"INSERT INTO {table}_fts({table}_fts, rowid, {columns}) VALUES('delete', old.id, {old});"
    return (
        f"CREATE TRIGGER {table}_ai AFTER INSERT ON {table} BEGIN {put} END;"
        f"CREATE TRIGGER {table}_ad AFTER DELETE ON {table} BEGIN {drop} END;"
        f"CREATE TRIGGER {table}_au AFTER UPDATE ON {table} BEGIN {drop} {put} END;"
    )
