"""Files of every schema are brought to the newest whole, or left as they were."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from store import DatabaseError, ReadOnlyError, Store
from store.database import migrations

from ...conftest import OpenStore
from ..processes import open_and_add, run_together

ROWS = """
INSERT INTO meta VALUES ('machine_id', 'm-1');
INSERT INTO sessions (uid, created_at, updated_at, agent, content_session_id, project, started_at)
    VALUES ('u-1', 5, 5, 'codex', 'c-1', 'atlas', 5);
INSERT INTO observations (uid, created_at, updated_at, session_id, project, type, title, concepts,
        files_read, private, deleted_at) VALUES
    ('u-2', 7, 7, 1, 'atlas', 'bugfix', 'drift 数据库', '["clock"]', '["src/a.py"]', 0, NULL),
    ('u-3', 8, 8, 1, 'atlas', 'bugfix', 'drift secret', '["canary"]', '[]', 1, NULL),
    ('u-4', 9, 9, 1, 'atlas', 'bugfix', 'drift gone', '["canary"]', '[]', 0, 9);
INSERT INTO prompts (uid, created_at, updated_at, session_id, prompt_number, text)
    VALUES ('u-5', 6, 6, 1, 1, 'why does it drift');
INSERT INTO summaries (uid, created_at, updated_at, session_id, project, request, files_edited)
    VALUES ('u-6', 10, 10, 1, 'atlas', 'stop the drift', '["src/b.py"]');
INSERT INTO facts (uid, created_at, updated_at, content, entities)
    VALUES ('u-7', 11, 11, 'clocks drift', '["NTP"]');
"""


def make(path: Path, version: int) -> Path:
    """A file of an earlier schema, with rows in it."""
    with closing(apsw.Connection(str(path))) as db:
        db.pragma("journal_mode", "wal")
        for number, script in migrations.scripts():
            if number <= version:
                db.execute(script)
                db.execute("INSERT INTO schema_versions VALUES (?, 1)", (number,))
                db.pragma("user_version", number)
                if number == 1:
                    db.execute(ROWS)
    return path


def earlier() -> range:
    """Every schema version before the newest."""
    return range(1, migrations.latest_version())


@pytest.fixture(params=earlier())
def old(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A file of each earlier schema."""
    return make(tmp_path / "memory.db", request.param)


def test_an_earlier_file_is_brought_up_with_all_it_holds(old: Path, open_store: OpenStore) -> None:
    store = open_store(old)
    assert [entry.ref for entry in store.listing("", 0, 9)] == ["f1", "s1", "1", "p1"]
    assert sorted(hit.row.ref for hit in store.search("drift")) == ["1", "f1", "p1", "s1"]
    assert [hit.row.ref for hit in store.search("据")] == ["1"]
    assert [entry.ref for entry in store.listing("concept:clock file:a.py", 0, 9)] == ["1"]
    assert [entry.ref for entry in store.listing("file:b.py", 0, 9)] == ["s1"]
    assert [entry.ref for entry in store.listing("entity:NTP", 0, 9)] == ["f1"]
    assert store.listing("concept:canary", 0, 9) == []
    assert [entry.ref for entry in store.listing("is:private concept:canary", 0, 9)] == ["2"]
    assert store.projects() == [("atlas", 3), ("", 1)]
    assert {check.name: check.found for check in store.doctor().checks}["schema"] == (
        f"version {migrations.latest_version()}"
    )


def test_an_earlier_file_can_not_be_read_without_bringing_it_up(old: Path) -> None:
    before = old.read_bytes()
    with pytest.raises(DatabaseError, match="older schema"):
        Store.open(old, read_only=True)
    assert old.read_bytes() == before


def test_eight_processes_may_bring_it_up_at_once(tmp_path: Path, open_store: OpenStore) -> None:
    old = make(tmp_path / "memory.db", 1)
    assert run_together(open_and_add, old, 8) == [0] * 8
    assert open_store(old).stats().observations == 9


@pytest.mark.parametrize("statement", [0, 1, 5, -2, -1])
def test_a_migration_that_stops_midway_leaves_the_earlier_file(
    old: Path, monkeypatch: pytest.MonkeyPatch, statement: int, open_store: OpenStore
) -> None:
    whole = migrations.scripts()
    version, script = whole[-1]
    pieces = script.split("\n\n")
    pieces.insert(statement if statement >= 0 else len(pieces) + 1 + statement, "SELECT no_such();")
    monkeypatch.setattr(
        migrations, "scripts", lambda: [*whole[:-1], (version, "\n\n".join(pieces))]
    )
    with pytest.raises(DatabaseError, match="can't be opened"):
        Store.open(old)
    with closing(apsw.Connection(str(old))) as db:
        assert db.pragma("user_version") == version - 1
        assert db.execute("SELECT max(version) FROM schema_versions").get == version - 1
        assert db.execute("PRAGMA integrity_check").get == "ok"
    monkeypatch.undo()
    assert open_store(old).stats().observations == 1


def test_a_newer_file_is_only_read_and_not_touched(store: Store) -> None:
    store.observations.add("c-1", title="drift")
    store.close()
    with closing(apsw.Connection(str(store.path))) as db:
        db.pragma("user_version", 99)
        db.execute("ALTER TABLE observations ADD COLUMN later TEXT")
        db.wal_checkpoint()
    before = store.path.read_bytes()
    with pytest.raises(ReadOnlyError, match="newer memtui"):
        Store.open(store.path)
    with Store.open(store.path, read_only=True) as reader:
        assert [hit.row.title for hit in reader.search("drift")] == ["drift"]
        with pytest.raises(ReadOnlyError):
            reader.observations.add("c-1", title="more")
        assert not reader.doctor(thorough=True).ok
    assert store.path.read_bytes() == before
    with closing(apsw.Connection(str(store.path))) as db:
        db.pragma("user_version", migrations.latest_version())
