"""The index of agents' files, `files.db` beside the memory: derived of the files, so that it may be
deleted at any time.
"""

from __future__ import annotations

import json
import re
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from ...agents.homes import read_text
from ...context.own_files import FILES_INDEX
from ...database.connection import wait_when_busy
from ...database.files.atomic import make_directories
from ...platform.translation import _
from ...search.query.language import Query
from ...search.terms import expression
from ...text.language.folding import prepare
from ...text.redaction import scrub
from ...text.tokens import estimate_tokens
from .agent_files import INDEXED, AgentFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def index_path(database: Path) -> Path:
    """Return where the index of a memory's machine lies."""
    return database.with_name(FILES_INDEX)


class FileIndex:
    """An open index. A damaged one, or one of another format, is made anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.db = _opened(path)
        except apsw.Error:
            for suffix in ("", "-journal", "-wal", "-shm"):
                with suppress(FileNotFoundError):
                    Path(f"{path}{suffix}").unlink()
            self.db = _opened(path)

    def __enter__(self) -> FileIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.db.close()

    def known(self) -> dict[Path, AgentFile]:
        """Return the files that are indexed, by path."""
        sql = "SELECT path, agents, scope, class, project, size, mtime_ns, title, session FROM files"
        return {
            _path(path): AgentFile(
                _path(path),
                tuple(json.loads(agents)),
                scope,
                kind,
                _path(project) if project is not None else None,
                size,
                mtime_ns,
                title,
                session,
            )
            for path, agents, scope, kind, project, size, mtime_ns, title, session in self.db.execute(sql)
        }

    def tokens(self) -> dict[Path, int]:
        """Return about how many tokens each file has."""
        return {_path(path): count for path, count in self.db.execute("SELECT path, tokens FROM files")}

    def refresh(
        self,
        files: Sequence[AgentFile],
        known: dict[Path, AgentFile],
        projects: Sequence[Path],
    ) -> int:
        """Have the index hold these files of all that belong to the projects or to none; those that changed
        are read. Returns how many were."""
        looked_at = {None, *projects}
        by_path = {file.path: file for file in files}
        gone = [
            path
            for path, file in known.items()
            if path not in by_path and (file.project in looked_at or not path.exists())
        ]
        changed = [file for path, file in by_path.items() if known.get(path) != file]
        if not gone and not changed:
            return 0
        with self.db:
            for path in [*gone, *(file.path for file in changed)]:
                self.db.execute("DELETE FROM files WHERE path = ?", (_bytes(path),))
            for file in changed:
                self._add(file)
        return len(changed)

    def _add(self, file: AgentFile) -> None:
        text = scrub(read_text(file.path, INDEXED) or "")
        self.db.execute(
            "INSERT INTO files (path, agents, scope, class, project, size, mtime_ns, tokens, title, "
            "session) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                _bytes(file.path),
                json.dumps(file.agents),
                file.scope,
                file.kind,
                _bytes(file.project) if file.project is not None else None,
                file.size,
                file.mtime_ns,
                estimate_tokens(text),
                scrub(file.title),
                file.session,
            ),
        )
        number = self.db.last_insert_rowid()
        for line, section in _sections(text):
            self.db.execute(
                "INSERT INTO sections (file_id, line, text) VALUES (?, ?, ?)",
                (number, line, section),
            )
            self.db.execute(
                "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)",
                (self.db.last_insert_rowid(), prepare(file.title), prepare(section)),
            )

    def matches(self, query: Query) -> Iterator[tuple[Path, int, str, float]]:
        """Yield each section that holds a query's words: its file's path, line (from 1), text, and rank,
        the best first; of a query without words the beginning of each file, the newest first."""
        words = expression(query.clauses)
        if words:
            sql = (
                "SELECT f.path, s.line, s.text, rank FROM words w JOIN sections s ON s.id = w.rowid "
                "JOIN files f ON f.id = s.file_id WHERE words MATCH ? ORDER BY rank, f.path, s.line"
            )
            rows = self.db.execute(sql, (words,))
        elif query.has_words:
            return
        else:
            sql = (
                "SELECT f.path, min(s.line), s.text, 0.0 "
                "FROM files f JOIN sections s ON s.file_id = f.id "
                "GROUP BY f.id ORDER BY f.mtime_ns DESC, f.path"
            )
            rows = self.db.execute(sql)
        for path, line, text, rank in rows:
            yield _path(path), line, text, rank

    def count(self, query: Query) -> int:
        """Return how many files hold a query's words."""
        words = expression(query.clauses)
        if not words:
            return 0
        sql = (
            "SELECT count(DISTINCT s.file_id) FROM words w JOIN sections s ON s.id = w.rowid "
            "WHERE words MATCH ?"
        )
        return int(self.db.execute(sql, (words,)).get)


def count_in(path: Path, query: Query) -> int:
    """Return how many files of an index hold a query's words; 0 where there is no index, and for a query
    that asks for more than words."""
    if not query.has_words or query.filters or query.flags or not path.exists():
        return 0
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            index = FileIndex.__new__(FileIndex)
            index.path, index.db = path, db
            return index.count(query)
    except apsw.Error:
        return 0


APPLICATION_ID = 0x6D656D66
FORMAT = 2
HEADING = re.compile(r"^#{1,6}[ \t]+\S.*$", re.MULTILINE)
LONGEST_SECTION = 20_000
"""Characters of a section; a longer one goes on in the next row."""

SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    agents TEXT NOT NULL,
    scope TEXT NOT NULL,
    class TEXT NOT NULL,
    project BLOB,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    title TEXT NOT NULL,
    session TEXT
) STRICT;
CREATE TABLE sections (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX sections_by_file ON sections (file_id);
CREATE VIRTUAL TABLE words USING fts5(
    title, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TABLE loaded (
    session TEXT NOT NULL,
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    type TEXT NOT NULL,
    reason TEXT NOT NULL,
    parent TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (session, path, reason)
) STRICT;
CREATE TRIGGER section_deleted AFTER DELETE ON sections BEGIN
    DELETE FROM words WHERE rowid = OLD.id;
END;
"""


def _opened(path: Path) -> apsw.Connection:
    make_directories(path.parent)
    is_new = not path.exists()
    db = apsw.Connection(str(path))
    try:
        if is_new:
            path.chmod(0o600)
        wait_when_busy(db, 10.0)
        db.pragma("foreign_keys", True)
        db.pragma("secure_delete", True)
        db.transaction_mode = "IMMEDIATE"
        if not db.pragma("user_version"):
            with db:
                if not db.pragma("user_version"):
                    db.execute(SCHEMA)
        if (db.pragma("application_id"), db.pragma("user_version")) != (APPLICATION_ID, FORMAT):
            raise apsw.NotADBError(_("{path} is not an index of this memtui.", path=path))
    except BaseException:
        db.close()
        raise
    return db


def _sections(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text from heading to heading, each with its line (from 1)."""
    starts = sorted({0, *(match.start() for match in HEADING.finditer(text))})
    line, before = 1, 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        line += text.count("\n", before, start)
        before = start
        for at in range(start, end, LONGEST_SECTION):
            part = text[at : min(end, at + LONGEST_SECTION)]
            if part.strip():
                yield line + text.count("\n", start, at), part


def _bytes(path: Path) -> bytes:
    return str(path).encode("utf-8", "surrogateescape")


def _path(stored: bytes) -> Path:
    return Path(stored.decode("utf-8", "surrogateescape"))
