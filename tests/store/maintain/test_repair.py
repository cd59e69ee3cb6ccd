"""A damaged memory is salvaged from every copy at hand, and stays as it is."""

import shutil
from pathlib import Path
from random import Random

import apsw
import pytest

from memtui.store import Store
from memtui.store.database.backup import backups_directory
from memtui.store.maintain.repair import Repaired, repair
from memtui.store.platform.errors import DatabaseError
from memtui.store.tables.removal.purge import purge_rows
from tests.promises import Tally, promise
from tests.sizes import sizes
from tests.store.formats import fillings
from tests.store.maintain.damages import DAMAGES, PAGE

ROWS = 300


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a memory with something in every table."""
    path = tmp_path_factory.mktemp("sound") / "memory.db"
    with Store.open(path) as store:
        fillings.fill(store)
        fillings.hide(store)
        with store.transaction():
            for number in range(ROWS):
                store.observations.add(
                    f"s-{number % 9}", title=f"Row {number}", narrative=f"Said {number} " * 30
                )
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, memory: bytes) -> Path:
    """A memory to be damaged."""
    found = tmp_path / "memory.db"
    found.write_bytes(memory)
    return found


def pages_of(path: Path, table: str) -> list[int]:
    """The numbers of a table's pages."""
    with apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY) as db:
        rows = db.execute("SELECT pageno FROM dbstat WHERE name = ?", (table,)).fetchall()
    db.close()
    return [int(str(number)) for (number,) in rows]


def leaf_of(path: Path, table: str) -> int:
    with apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY) as db:
        sql = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY ncell DESC"
        found = db.execute(sql, (table,)).fetchall()
    db.close()
    return int(str(found[len(found) // 2][0]))


def zero(path: Path, *pages: int) -> None:
    content = bytearray(path.read_bytes())
    for page in pages:
        content[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    path.write_bytes(content)


def repaired(path: Path) -> Repaired:
    """Repair it, and see that the damaged file is as it was and the new one sound."""
    before = path.read_bytes()
    made = repair(path)
    assert path.read_bytes() == before
    with Store.open(made.path) as store:
        health = store.doctor(thorough=True)
        assert health.ok, [check for check in health.checks if not check.ok]
    return made


def rows(path: Path, table: str) -> dict[int, tuple[object, ...]]:
    with Store.open(path) as store:
        found = store.db.execute(f"SELECT * FROM {table}").fetchall()
    return {int(str(row[0])): row for row in found}


def test_a_sound_memory_is_copied_whole(path: Path) -> None:
    made = repaired(path)
    assert not (made.lost or made.refused or made.stubs or made.cut)
    for table in ("sessions", "prompts", "observations", "summaries", "facts", "notes", "changes"):
        assert rows(made.path, table) == rows(path, table), table


@promise("damage-salvaged")
def test_of_a_leaf_that_is_gone_only_its_own_rows_are(path: Path) -> None:
    whole = rows(path, "observations")
    zero(path, leaf_of(path, "observations"))
    made = repaired(path)
    left = rows(made.path, "observations")
    assert 0 < len(whole) - len(left) <= 20
    assert all(whole[number] == row for number, row in left.items())
    assert {lost.table for lost in made.lost} == {"observations"}


@pytest.mark.parametrize(
    "table", ["words_data", "grams_data", "sqlite_autoindex_observations_1", "documents", "labels"]
)
@pytest.mark.sampled
def test_what_is_made_of_the_rows_is_made_anew(path: Path, table: str) -> None:
    whole = rows(path, "observations")
    zero(path, *pages_of(path, table))
    assert rows(repaired(path).path, "observations") == whole


def test_rows_survive_the_pages_that_lead_to_them(path: Path) -> None:
    whole = rows(path, "observations")
    with apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY) as db:
        sql = "SELECT pageno FROM dbstat WHERE name = 'observations' AND pagetype = 'internal'"
        inner = [int(str(number)) for (number,) in db.execute(sql)]
    db.close()
    assert inner
    zero(path, 1, *inner)
    assert rows(repaired(path).path, "observations") == whole


def test_a_lost_row_comes_back_from_a_backup(path: Path, memory: bytes) -> None:
    whole = rows(path, "observations")
    folder = backups_directory(path)
    folder.mkdir(mode=0o700)
    (folder / "memory-20260101-000000.db").write_bytes(memory)
    zero(path, leaf_of(path, "observations"), leaf_of(path, "sessions"))
    made = repaired(path)
    assert rows(made.path, "observations") == whole
    assert made.rows["observations"].keys() == {"memory.db", "memory-20260101-000000.db"}


def test_a_zero_byte_file_is_what_its_backup_was(path: Path, memory: bytes) -> None:
    whole = rows(path, "facts")
    folder = backups_directory(path)
    folder.mkdir(mode=0o700)
    (folder / "memory-20260101-000000.db").write_bytes(memory)
    path.write_bytes(b"")
    assert rows(repaired(path).path, "facts") == whole


def test_what_was_purged_or_hidden_since_the_backup_stays_so(path: Path, memory: bytes) -> None:
    folder = backups_directory(path)
    folder.mkdir(mode=0o700)
    (folder / "memory-20260101-000000.db").write_bytes(memory)
    with Store.open(path) as store:
        gone, hidden, deleted = store.observations.recent(limit=3)
        store.observations.delete(gone)
        store.observations.set_private(hidden)
        store.observations.delete(deleted)
        with store.transaction():
            purge_rows(store.db, "observations", [gone.id])
        store.db.pragma("journal_mode", "delete")
    pages = pages_of(path, "observations")
    zero(path, *pages)
    made = repaired(path)
    with Store.open(made.path) as store:
        assert not store.find(f'"{gone.title}"').page().hits
        assert not store.find(f'"{hidden.title}"').page().hits
        assert not store.find(f'"{deleted.title}"').page().hits
        assert not store.observations.by_ids([gone.id])
        assert len(store.find("Said").page(limit=1_000).hits) == ROWS - 3


def test_a_record_whose_session_is_lost_gets_another(path: Path) -> None:
    zero(path, *pages_of(path, "sessions"))
    whole = rows(path, "observations")
    made = repaired(path)
    assert made.stubs
    assert rows(made.path, "observations").keys() == whole.keys()


def test_what_only_the_log_holds_is_read_around_its_damage(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    with Store.open(path) as store:
        for number in range(60):
            store.observations.add("s", title=f"Logged {number}")
        copy = tmp_path / "memory.db"
        shutil.copyfile(path, copy)
        log = bytearray(path.with_name("live.db-wal").read_bytes())
    middle = len(log) // 2
    log[middle : middle + 64] = b"\xff" * 64
    copy.with_name("memory.db-wal").write_bytes(log)
    made = repaired(copy)
    assert len(rows(made.path, "observations")) == 60


@pytest.mark.parametrize("content", [b"", b"x", b"no database at all\n" * 900, bytes(8_192)])
def test_what_is_no_memory_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match="Nothing of a store is left"):
        repair(path)
    assert path.read_bytes() == content
    assert [one.name for one in tmp_path.iterdir()] == ["memory.db"]


def test_a_dropped_table_and_a_view_in_its_place(path: Path) -> None:
    with apsw.Connection(str(path)) as db:
        db.execute("DROP TABLE facts; CREATE VIEW facts AS SELECT 1 AS id, 2 AS uid")
    db.close()
    made = repaired(path)
    assert len(rows(made.path, "observations")) > ROWS
    assert any(lost.table == "facts" for lost in made.lost)


def test_a_directory_in_the_place_of_the_log(path: Path) -> None:
    path.with_name("memory.db-wal").mkdir()
    path.with_name("memory.db-journal").mkdir()
    assert len(rows(repaired(path).path, "observations")) > ROWS


@promise("damage-salvaged")
@sizes("tries", 6, 12)
def test_any_damage_leaves_a_sound_memory(tmp_path: Path, memory: bytes, tries: int, tally: Tally) -> None:
    for seed in range(tries):
        random = Random(seed)
        damage = DAMAGES[seed % len(DAMAGES)]
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = folder / "memory.db"
        path.write_bytes(damage(bytearray(memory), random))
        print(f"seed {seed}: {damage.__name__}")
        try:
            made = repaired(path)
        except DatabaseError as error:
            assert "Nothing of a store is left" in str(error)
            tally(tried=1)
            continue
        print(f"  {made.total} rows, {len(made.lost)} holes")
        tally(tried=1)
        if damage.__name__ in ("zeroed_page", "random_page", "swapped_pages", "torn_header"):
            assert len(rows(made.path, "observations")) >= ROWS * 0.9
        shutil.rmtree(folder)


def test_the_machines_that_changes_were_made_on_keep_their_names(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("s", title="one")
        store.edit("1", {"title": "two"})
        with store.transaction():
            store.db.execute("UPDATE hosts SET name = 'the-laptop'")
    with Store.open(repair(path).path) as store:
        assert [one.host for one in store.changes()] == ["the-laptop"]
        store.edit("1", {"title": "three"})
        assert [one.host == "the-laptop" for one in store.changes()] == [False, True]
