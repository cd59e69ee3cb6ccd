"""A database of another program with tables of the same names is refused, and named where it is known."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.errors import SourceError
from memtui.store.maintain.importing import run

ENGRAM = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT, directory TEXT, started_at TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY, sync_id TEXT, session_id TEXT, type TEXT, title TEXT,
    content TEXT, topic_key TEXT, deleted_at TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, sync_id TEXT, session_id TEXT, content TEXT);
INSERT INTO observations (title, content) VALUES ('Use cents', 'as integers');
"""
OTHER = """
CREATE TABLE observations (id INTEGER PRIMARY KEY, body TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, body TEXT);
"""


@pytest.mark.parametrize(("sql", "word"), [(ENGRAM, "engram's"), (OTHER, "none of the tables")])
def test_a_database_of_another_program_is_refused(
    store: Store, tmp_path: Path, sql: str, word: str
) -> None:
    path = tmp_path / "other.db"
    with apsw.Connection(str(path)) as db:
        db.execute(sql)
    db.close()

    with pytest.raises(SourceError, match=word):
        run(store, "claude-mem", path, None)
    assert store.sessions.list() == []
