"""Export as a scheme C directory: its counts are of records, and what stays is told."""

from pathlib import Path

from memtui.store import Store
from memtui.store.formats.common.scope import RECORDS, Scope
from memtui.store.formats.scheme_c.export import export_scheme_c
from memtui.store.formats.scheme_c.sync import sync

from ..fillings import CANARY, fill, hide


def test_it_counts_the_records_that_a_memory_made_of_it_holds(store: Store, tmp_path: Path) -> None:
    fill(store)
    hide(store)
    counts = export_scheme_c(store, tmp_path / "out").counts
    with Store.open(tmp_path / "again.db") as again:
        sync(again, tmp_path / "out")
        held = {
            table: again.db.execute(f"SELECT count(*) FROM {table} t WHERE {Scope().condition(table)}").get
            for table in RECORDS
        }
    assert counts == held
    assert counts["notes"] == 1


def test_what_is_private_or_deleted_stays_and_is_told(store: Store, tmp_path: Path) -> None:
    fill(store)
    before = export_scheme_c(store, tmp_path / "one").unheld
    hide(store)
    told = export_scheme_c(store, tmp_path / "two").unheld
    hidden = sum(Scope().left_out(store.db).values())
    assert not any("private" in sentence for sentence in before)
    assert f"{hidden} records left out, being private, deleted or pending." in told
    files = [path for path in (tmp_path / "two").rglob("*") if path.is_file()]
    assert not any(CANARY.encode() in path.read_bytes() for path in files)


def contents(directory: Path) -> dict[str, bytes]:
    """The files of a directory but those that say which one it is, by name."""
    files = (path for path in directory.rglob("*") if path.is_file())
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in files
        if not path.name.startswith(".")
    }


def test_it_writes_what_a_first_sync_does_and_the_memory_has_not_met_it(
    store: Store, tmp_path: Path
) -> None:
    fill(store)
    store.notes.upsert("MEMORY.md", "# What holds\n\nThe server's clock decides.\n")
    hide(store)
    with Store.open(store.path, read_only=True) as reader:
        made = tmp_path / "exported"
        made.mkdir()
        export_scheme_c(reader, made)
    for table in ("synced_records", "synced_files", "directories"):
        assert store.db.execute(f"SELECT count(*) FROM {table}").get == 0
    sync(store, tmp_path / "synced")
    assert contents(made) == contents(tmp_path / "synced")
    assert "MEMORY.md" in contents(made)


def test_each_row_is_read_once(store: Store, tmp_path: Path) -> None:
    fill(store)
    read: list[str] = []

    def note(_: object, sql: str, __: object) -> bool:
        if " FROM observations t " in sql and "ORDER BY t.id" in sql:
            read.append(sql)
        return True

    store.db.exec_trace = note
    try:
        export_scheme_c(store, tmp_path)
    finally:
        store.db.exec_trace = None
    assert len(read) == 2  # The page of all, and that there is none after it.
