"""An earlier memory is brought up whole; one whose schema isn't what its number says is mended."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.database import SCHEMA
from memtui.store.database.migrations import schema
from tests.promises import promise

BEFORE = {
    13: Path(__file__).with_name("schema_13.sql"),
    12: Path(__file__).with_name("schema_12.sql"),
    11: Path(__file__).with_name("schema_11.sql"),
    10: Path(__file__).with_name("schema_10.sql"),
    9: Path(__file__).with_name("schema_9.sql"),
}
KEPT = "SELECT (SELECT count(*) FROM observations), (SELECT count(*) FROM facts)"


def made(path: Path, version: int, more: str = "") -> tuple[object, ...]:
    """Make a memory of a schema, with more done to it; how many rows it holds."""
    with closing(apsw.Connection(str(path))) as db:
        db.execute(BEFORE[version].read_text("utf-8"))
        db.execute(more)
        db.pragma("journal_mode", "wal")
        return db.execute(KEPT).fetchall()[0]


@promise("upgrades-keep-data")
@pytest.mark.parametrize(
    ("version", "more"),
    [
        (13, ""),
        (13, "DROP TABLE merged_records; DROP TRIGGER documents_moved"),
        (12, ""),
        (12, "DROP VIEW summary_levels; DROP INDEX changes_undone"),
        (11, ""),
        (11, "ALTER TABLE changes DROP COLUMN undo_changeset; DROP VIEW memories"),
        (11, "PRAGMA user_version = 10"),
        (10, ""),
        (10, "DROP TABLE notes; DROP TRIGGER facts_hidden"),
        (10, "ALTER TABLE facts DROP COLUMN evidence; DROP VIEW labels; DROP INDEX facts_by_time"),
        (10, "PRAGMA user_version = 9"),
        (9, "DROP TABLE given_contexts"),
        (9, "PRAGMA user_version = 10"),
    ],
)
def test_it_has_all_rows_and_the_schema_of_a_new_file(
    tmp_path: Path, version: int, more: str
) -> None:
    path = tmp_path / "memory.db"
    before = made(path, version, more)
    with Store.open(path) as store:
        assert store.db.execute(KEPT).fetchall()[0] == before
        assert not schema.are_wrong(schema.differences(store.db, SCHEMA))
        assert store.search("drift")
        assert store.doctor(thorough=True).ok


def test_a_number_that_is_too_high_is_found_and_mended(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    made(path, 9, f"PRAGMA user_version = {SCHEMA}")
    with Store.open(path) as store:
        assert "tables" in {check.name for check in store.doctor().checks if not check.ok}
        store.rebuild()
        assert store.doctor(thorough=True).ok
