"""A store whose schema isn't what its number says is mended, also on its way to a later one."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.database import SCHEMA
from memtui.store.database.schema import comparison
from tests.promises import promise

from .conftest import Upgrade

MOOD = (SCHEMA + 1, "ALTER TABLE notes ADD COLUMN mood TEXT; UPDATE notes SET mood = 'calm';")
LATER = (SCHEMA + 2, "CREATE TABLE moods (mood TEXT); DROP VIEW reported_memories;")
KEPT = "SELECT (SELECT count(*) FROM observations), (SELECT count(*) FROM facts)"


@promise("upgrades-keep-data")
@pytest.mark.parametrize(
    ("more", "moods"),
    [
        ("DROP TABLE merged_records; DROP TRIGGER documents_moved", {"calm"}),
        ("DROP VIEW summary_levels; DROP INDEX changes_undone", {"calm"}),
        ("ALTER TABLE changes DROP COLUMN undo_changeset; DROP VIEW memories", {"calm"}),
        ("ALTER TABLE facts DROP COLUMN evidence; DROP INDEX facts_by_time", {"calm"}),
        ("DROP TABLE given_contexts; CREATE TABLE given_contexts (id INTEGER)", {"calm"}),
        # The number is too low: what was done to rows since is there.
        ("ALTER TABLE notes ADD COLUMN mood TEXT; UPDATE notes SET mood = 'glad'", {"glad"}),
        ("CREATE TABLE moods (mood TEXT); DROP VIEW labels", {None}),
    ],
)
@pytest.mark.sampled
def test_on_its_way_to_a_later_schema_it_is_mended_and_keeps_all_rows(
    filled: Path, upgrade_to: Upgrade, more: str, moods: set[str | None]
) -> None:
    with closing(apsw.Connection(str(filled))) as db:
        before = db.execute(KEPT).fetchall()
        db.execute(more)
    upgrade_to(MOOD, LATER)
    with Store.open(filled) as store:
        assert store.db.execute(KEPT).fetchall() == before
        assert {mood for (mood,) in store.db.execute("SELECT mood FROM notes")} == moods
        assert not comparison.are_wrong(comparison.differences(store.db, SCHEMA + 2))
        assert store.find("drift").page().hits
        assert store.doctor(thorough=True).ok
    assert list(filled.parent.glob("memory.db-backups/*before-migration*"))


def test_a_number_that_is_too_high_is_found_and_mended(filled: Path, upgrade_to: Upgrade) -> None:
    upgrade_to(MOOD, LATER)
    with closing(apsw.Connection(str(filled))) as db:
        db.pragma("user_version", SCHEMA + 2)
    with Store.open(filled) as store:
        assert "tables" in {check.name for check in store.doctor().checks if not check.ok}
        store.rebuild()
        assert store.doctor(thorough=True).ok
