"""A memory made anew from an export: all of it, or nothing is changed."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import Store, StoreError
from memtui.store.maintain.purge import purge
from memtui.store.maintain.rebuild import rebuild_from
from tests.store.formats.fillings import exported, fill


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """An export with all there is."""
    with Store.open(tmp_path / "source.db") as store:
        fill(store)
        (tmp_path / "export.jsonl").write_bytes(exported(store))
    return tmp_path / "export.jsonl"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "memory.db"


def titles(path: Path) -> set[str | None]:
    with Store.open(path) as store:
        assert store.doctor(thorough=True).ok
        return {one.title for one in store.observations.recent() if one.tool_name != "Bash"}


def test_where_nothing_was_it_is_made(export: Path, path: Path) -> None:
    assert rebuild_from(path, export).before is None
    with Store.open(path) as store:
        assert exported(store) == export.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["memory.db"]


def test_what_was_there_goes_and_is_kept_beside(export: Path, path: Path) -> None:
    with Store.open(path) as store:
        store.observations.add("c-9", title="before")
        machine = store.machine_id
    before = rebuild_from(path, export).before
    assert titles(path) == {"Clock drift 缓存"}
    assert before is not None
    assert titles(before) == {"before"}
    assert before.stat().st_mode & 0o777 == 0o600
    with Store.open(path) as store:
        assert store.machine_id == machine


def test_what_was_purged_stays_purged(export: Path, path: Path) -> None:
    rebuild_from(path, export)
    with Store.open(path) as store:
        (found,) = (one for one in store.observations.recent() if one.title == "Clock drift 缓存")
        purge(store, "observations", [found.id])
    report = rebuild_from(path, export).report
    assert report.counts["observations"].skipped == {"purged here": 1}
    assert titles(path) == set()


def test_whoever_has_it_open_goes_on_with_the_new_one(export: Path, path: Path) -> None:
    with Store.open(path) as reader, Store.open(path) as writer:
        writer.observations.add("c-9", title="before")
        assert len(reader.find("before").page().hits) == 1
        rebuild_from(path, export)
        assert reader.find("before").page().hits == []
        assert len(reader.find("drift").page().hits) == 1
        writer.observations.add("c-9", title="afterwards")
        assert len(reader.find("afterwards").page().hits) == 1
    assert titles(path) == {"Clock drift 缓存", "afterwards"}


@pytest.mark.parametrize("content", [b"", b"\0" * 5_000, b"SQLite format 3\0" + b"\xff" * 9_000])
def test_a_memory_too_damaged_to_be_read_is_set_aside(export: Path, path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    before = rebuild_from(path, export).before
    assert titles(path) == {"Clock drift 缓存"}
    assert before is not None
    assert before.read_bytes() == content


def test_what_is_no_memory_of_ours_is_left_alone(export: Path, path: Path) -> None:
    path.parent.mkdir()
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE theirs (id)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        rebuild_from(path, export)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["bad line", "cut"])
def test_a_damaged_export_changes_nothing_unless_told(export: Path, path: Path, damage: str) -> None:
    with Store.open(path) as store:
        store.observations.add("c-9", title="before")
    lines = export.read_bytes().splitlines(keepends=True)
    lines[2:2] = [b"not json\n"] if damage == "bad line" else []
    export.write_bytes(b"".join(lines if damage == "bad line" else lines[:-2]))
    with pytest.raises(StoreError, match="not whole"):
        rebuild_from(path, export)
    assert titles(path) == {"before"}
    assert {one.name for one in path.parent.iterdir()} <= {
        "memory.db", "memory.db-wal", "memory.db-shm",
    }  # fmt: skip
    rebuild_from(path, export, force=True)
    assert titles(path) == {"Clock drift 缓存"}


def test_what_is_about_this_machine_stays(export: Path, path: Path) -> None:
    with Store.open(path) as store:
        store.db.execute("INSERT INTO spool_segments (segment, stored) VALUES ('2026-02-13.jsonl', 77)")
    rebuild_from(path, export)
    with Store.open(path) as store:
        assert store.db.execute("SELECT segment, stored FROM spool_segments").fetchall() == [
            ("2026-02-13.jsonl", 77)
        ]
