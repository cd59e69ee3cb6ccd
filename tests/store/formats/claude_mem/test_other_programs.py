"""A database of another program with tables of the same names is refused, and named where it is known."""

from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.maintain.importing import run
from memtui.store.platform.errors import SourceError

from ..foreign_files import EngramFile

OTHER = """
CREATE TABLE observations (id INTEGER PRIMARY KEY, body TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, body TEXT);
"""


def test_a_database_of_another_program_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with apsw.Connection(str(path)) as db:
        db.execute(OTHER)
    db.close()

    with pytest.raises(SourceError, match="none of the tables"):
        run(store, "claude-mem", path, None)
    assert store.sessions.list() == []


def test_a_database_is_not_read_as_another_programs(store: Store, tmp_path: Path) -> None:
    file = EngramFile(tmp_path / "engram.db")
    with pytest.raises(SourceError, match="written by engram"):
        run(store, "claude-mem", file.path, None)
    assert store.sessions.list() == []
