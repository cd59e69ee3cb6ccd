"""Files of earlier schemas are brought to the newest whole, or left as they were."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import DatabaseError, ReadOnlyError, Store
from memtui.store.database import SCHEMA, migrations
from tests.promises import promise
from tests.store.undoing import undone

from ...conftest import OpenStore
from ..processes import open_and_add, run_together

NINE = Path(__file__).with_name("schema_9.sql")
"""A memory as the nine migrations before the baseline left it, with a row of every kind."""

FOUND = {
    "drift": "s1 f1 p1 1",
    "token refresh": "p1 1 s1",
    "数据库": "2 p2",
    "据": "2 p2",
    "clock": "f1 s1 1 2",
    "kind:fact drift": "f1",
    "concept:clock": "2 1",
    "concept:canary": "",
    "file:a.py": "1",
    "tag:urgent": "6 1",
    "entity:NTP": "f1",
    "is:pinned": "6",
    "is:private drift": "p3 3",
    "is:deleted drift": "4",
    "is:noise": "5",
    "project:orders": "s2 6",
    "refrsh": "p1 1 s1",
    "TTL": "1",
    "type:decision": "2",
    "": "s2 6 f2 f1 s1 2 1 p2 p1",
}
"""What searches found in it then."""

STEPS = [
    (SCHEMA + 1, "ALTER TABLE notes ADD COLUMN mood TEXT;\n\nUPDATE notes SET mood = 'calm';"),
    (SCHEMA + 2, "CREATE TABLE moods AS SELECT mood FROM notes;\n\nDROP INDEX observations_noise;"),
]
"""Two steps that nobody needs."""


@pytest.fixture
def nine(tmp_path: Path) -> Path:
    """A memory of the schema before the baseline."""
    path = tmp_path / "memory.db"
    with closing(apsw.Connection(str(path))) as db:
        db.execute(NINE.read_text("utf-8"))
        db.pragma("journal_mode", "wal")
    return path


def upgrade_to(monkeypatch: pytest.MonkeyPatch, steps: list[tuple[int, str]]) -> None:
    """Have this program know some steps more."""
    monkeypatch.undo()
    whole = migrations.scripts()
    monkeypatch.setattr(migrations, "scripts", lambda: [*whole, *steps])
    monkeypatch.setattr(migrations, "SCHEMA", steps[-1][0])


def rows(db: apsw.Connection) -> dict[str, list[Any]]:
    """All rows of all tables but the schema's own, the indexes' and the counts."""
    names = [
        str(name)
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        if not re.match(r"sqlite_|schema_versions|words|grams|gram_instances|\w+_counts", str(name))
    ]
    return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def schema(db: apsw.Connection) -> dict[tuple[str, str], str]:
    """The text of everything in the schema, but for its blanks and comments."""
    found = db.execute(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'"
    )
    return {
        (str(kind), str(name)): re.sub(r"\s*([(),])\s*|\s+", r"\1 ", re.sub("--.*", "", str(sql)))
        for kind, name, sql in found
    }


def test_the_newest_schema_is_the_last_steps() -> None:
    assert [version for version, _ in migrations.scripts()] == [
        *range(migrations.BASELINE, SCHEMA + 1)
    ]


@promise("upgrades-keep-data")
def test_a_file_of_the_schema_before_the_baseline_keeps_all_it_holds(
    nine: Path, open_store: OpenStore
) -> None:
    with closing(apsw.Connection(str(nine))) as db:
        before = rows(db)
    store = open_store(nine)
    with closing(apsw.Connection(str(nine))) as db:
        after = rows(db)
    for name, before_of in before.items():
        # Later columns come behind those that were there.
        width = len(before_of[0]) if before_of else 0
        assert [row[:width] for row in after.pop(name)] == before_of, name
    assert not any(after.values())
    assert {
        query: " ".join(hit.row.ref for hit in store.search(query, related=True)) for query in FOUND
    } == FOUND
    assert store.doctor(thorough=True).ok
    assert undone(store) == "observation 6 pinned"
    assert not store.observations.get(6).pinned


@promise("upgrades-keep-data")
def test_it_has_the_schema_of_a_new_file_then(
    nine: Path, tmp_path: Path, open_store: OpenStore
) -> None:
    old, new = open_store(nine), open_store(tmp_path / "new.db")
    assert schema(old.db) == schema(new.db)


def test_older_ones_of_no_release_are_refused_in_a_sentence(nine: Path) -> None:
    with closing(apsw.Connection(str(nine))) as db:
        db.pragma("user_version", 8)
    for read_only in (True, False):
        with pytest.raises(DatabaseError, match="schema 8 of a version that was never released"):
            Store.open(nine, read_only=read_only)


def test_an_earlier_file_can_not_be_read_without_bringing_it_up(nine: Path) -> None:
    before = nine.read_bytes()
    with pytest.raises(DatabaseError, match="older schema"):
        Store.open(nine, read_only=True)
    assert nine.read_bytes() == before


@promise("never-locked")
@promise("upgrades-keep-data")
def test_eight_processes_may_bring_it_up_at_once(nine: Path, open_store: OpenStore) -> None:
    assert run_together(open_and_add, nine, 8) == [0] * 8
    # One of their events is there already.
    assert open_store(nine).stats().observations == 4 + 7


@promise("upgrades-keep-data")
def test_later_steps_are_taken_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.notes.upsert("MEMORY.md", "# Atlas")
    upgrade_to(monkeypatch, STEPS)
    with Store.open(path) as store:
        assert store.db.execute("SELECT mood FROM moods").get == "calm"
        assert store.db.execute("SELECT version FROM schema_versions").fetchall() == [
            (version,) for version in range(migrations.BASELINE, SCHEMA + 3)
        ]
        assert {check.name: check.found for check in store.doctor().checks}["schema"] == (
            f"version {SCHEMA + 2}"
        )


@promise("upgrades-keep-data")
@pytest.mark.parametrize("known", [1, 2])
@pytest.mark.parametrize("statement", [0, 1, 2])
def test_a_step_that_stops_midway_leaves_the_earlier_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: int, statement: int
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="drift")
    *earlier, (version, script) = STEPS[:known]
    pieces = script.split("\n\n")
    pieces.insert(statement, "SELECT no_such();")
    upgrade_to(monkeypatch, [*earlier, (version, "\n\n".join(pieces))])
    with pytest.raises(DatabaseError, match="can't be opened"):
        Store.open(path)
    with closing(apsw.Connection(str(path))) as db:
        assert db.pragma("user_version") == version - 1
        assert db.execute("SELECT max(version) FROM schema_versions").get == version - 1
        assert db.execute("PRAGMA integrity_check").get == "ok"
    upgrade_to(monkeypatch, STEPS[:known])
    with Store.open(path) as store:
        assert store.stats().observations == 1


@promise("older-code-harms-none")
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
        db.pragma("user_version", SCHEMA)
