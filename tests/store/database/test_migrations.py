"""A file of the baseline is opened as it is, steps bring it on whole, others are refused in a sentence."""

import multiprocessing
import re
import shutil
import signal
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import apsw
import pytest

from memtui.store import DatabaseError, ReadOnlyError, Store
from memtui.store.database import SCHEMA, schema
from memtui.store.database.schema import comparison
from tests.promises import Tally, promise
from tests.sizes import sizes

from ...conftest import OpenStore
from ..processes import run_together
from . import steps
from .conftest import Upgrade

IN_FORCE = "2a0bf7c9bfcbf9d9"
"""A hash of all that the baseline makes, whatever its comments and blanks."""


def number_of(path: Path) -> int:
    with closing(apsw.Connection(str(path))) as db:
        assert db.execute("PRAGMA integrity_check").get == "ok"
        (version,) = db.execute("SELECT max(version) FROM schema_versions").fetchall()[0]
        assert schema.current_version(db) == version
        return int(version)


def test_the_newest_schema_is_the_last_steps() -> None:
    assert [version for version, _ in schema.scripts()] == [*range(schema.BASELINE, SCHEMA + 1)]


@pytest.mark.parametrize(
    ("names", "known", "told"),
    [
        (["0017_temper"], 17, r"0017_temper\.sql has to be step 0032"),
        (["0031_temper"], 31, r"0031_temper\.sql has to be step 0032"),
        (["0032_temper", "0032_mood"], 32, r"0032_temper\.sql has to be step 0033"),
        (["0032_temper", "0034_mood"], 34, r"0034_mood\.sql has to be step 0033"),
        (["0032_temper"], 31, r"SCHEMA is 31, and the last step makes version 32"),
        ([], 32, r"SCHEMA is 32, and the last step makes version 31"),
    ],
)
def test_a_step_whose_number_is_not_the_next_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], known: int, told: str
) -> None:
    for name in names:
        (tmp_path / f"{name}.sql").write_text("CREATE TABLE moods (mood TEXT);")
    monkeypatch.setattr(schema, "STEPS", tmp_path)
    monkeypatch.setattr(schema, "SCHEMA", known)
    with pytest.raises(RuntimeError, match=told):
        Store.open(tmp_path / "memory.db")
    assert not (tmp_path / "memory.db").exists()


def test_the_baseline_makes_what_files_have_and_only_a_step_changes_that() -> None:
    with comparison.fresh(schema.BASELINE) as db:
        made = sorted(
            (*key, item.table, comparison.normal_sql(item.sql))
            for key, item in comparison.items(db).items()
        )
    assert sha256(repr(made).encode()).hexdigest()[:16] == IN_FORCE


def unmarked(folder: Path) -> set[tuple[str, str]]:
    """What steps of a folder make anew though the baseline doesn't name the step."""
    (_, baseline), *_ = schema.scripts()
    return {
        (path.name, name)
        for path in folder.glob("[0-9]*.sql")
        for _, name in comparison.DROPPED.findall(path.read_text("utf-8"))
        if re.search(rf"\bCREATE [A-Z ]+ {name}\b", baseline) and path.name not in baseline
    }


def test_what_a_step_makes_anew_is_marked_in_the_baseline(tmp_path: Path) -> None:
    assert unmarked(schema.STEPS) == set()
    steps.write(tmp_path / "steps", steps.TABLE)
    assert unmarked(tmp_path / "steps") == {(f"{SCHEMA + 2:04}_step.sql", "observations_noise")}


@promise("upgrades-keep-data")
def test_a_store_of_this_version_is_opened_as_it_is(filled: Path) -> None:
    before = filled.read_bytes()
    for read_only in (False, True):
        with Store.open(filled, read_only=read_only) as store:
            assert steps.hits(store)["drift"] == ["1"]
            assert store.doctor(thorough=True).ok
    assert filled.read_bytes() == before
    assert not filled.with_name("memory.db-backups").exists()


@pytest.mark.parametrize(
    ("version", "told"),
    [(0, "export jsonl"), (15, "export jsonl"), (16, "store rebuild"), (30, "store rebuild")],
)
def test_older_ones_of_development_are_refused_in_a_sentence_that_says_how_to_bring_them_along(
    filled: Path, version: int, told: str
) -> None:
    with closing(apsw.Connection(str(filled))) as db:
        db.pragma("user_version", version)
    before = filled.read_bytes()
    for read_only in (True, False):
        with pytest.raises(DatabaseError, match=rf"schema {version} .*mem {told}"):
            Store.open(filled, read_only=read_only)
    assert filled.read_bytes() == before


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
        assert [hit.row.title for hit in reader.find("drift").page().hits] == ["drift"]
        with pytest.raises(ReadOnlyError):
            reader.observations.add("c-1", title="more")
        assert not reader.doctor(thorough=True).ok
    assert store.path.read_bytes() == before
    with closing(apsw.Connection(str(store.path))) as db:
        db.pragma("user_version", SCHEMA)


@promise("upgrades-keep-data")
def test_steps_are_taken_one_after_the_other_and_keep_all_there_is(
    filled: Path, tmp_path: Path, upgrade_to: Upgrade, open_store: OpenStore
) -> None:
    before = steps.rows(filled)
    with Store.open(filled) as store:
        found = steps.hits(store)
    upgrade_to(steps.FIELD, steps.TABLE)
    store = open_store(filled)
    assert store.db.execute("SELECT version FROM schema_versions").fetchall() == [
        (version,) for version in range(schema.BASELINE, SCHEMA + 3)
    ]
    checks = {check.name: check for check in store.doctor(thorough=True).checks}
    assert checks["schema"].found == f"version {SCHEMA + 2}"
    assert checks["tables"].ok
    after = steps.rows(filled)
    assert after.pop("moods") == [("calm",), ("calm",)]
    # Later columns come behind those that were there.
    assert {
        name: [row[: len(before[name][0])] for row in after[name]] for name in after if before[name]
    } == {name: some for name, some in before.items() if some}
    assert steps.hits(store) == found
    (backup,) = tmp_path.glob("memory.db-backups/*before-migration*")
    assert number_of(backup) == SCHEMA
    assert steps.rows(backup) == before


def test_a_new_file_takes_the_steps_too(
    tmp_path: Path, filled: Path, upgrade_to: Upgrade, open_store: OpenStore
) -> None:
    upgrade_to(steps.FIELD, steps.TABLE)
    old, new = open_store(filled), open_store(tmp_path / "new.db")
    assert comparison.items(old.db).keys() >= comparison.items(new.db).keys()
    assert not comparison.differences(new.db, SCHEMA + 2)
    assert not comparison.differences(old.db, SCHEMA + 2)


def test_an_earlier_file_can_not_be_read_without_bringing_it_up(filled: Path, upgrade_to: Upgrade) -> None:
    upgrade_to(steps.FIELD)
    before = filled.read_bytes()
    with pytest.raises(DatabaseError, match="older schema"):
        Store.open(filled, read_only=True)
    assert filled.read_bytes() == before


@promise("upgrades-keep-data")
@pytest.mark.parametrize("known", [1, 2])
@pytest.mark.parametrize("statement", [0, 1, 2])
@pytest.mark.sampled
def test_a_step_that_stops_midway_leaves_the_earlier_file(
    filled: Path, upgrade_to: Upgrade, known: int, statement: int
) -> None:
    *earlier, (version, script) = (steps.FIELD, steps.TABLE)[:known]
    pieces = script.split("\n\n")
    pieces.insert(statement, "SELECT no_such();")
    upgrade_to(*earlier, (version, "\n\n".join(pieces)))
    with pytest.raises(DatabaseError, match="can't be opened"):
        Store.open(filled)
    assert number_of(filled) == version - 1
    upgrade_to(*earlier, (version, script))
    Store.open(filled).close()
    assert number_of(filled) == version


@promise("upgrades-keep-data")
@sizes("places", 3, 10)
def test_killed_anywhere_on_its_way_the_next_opening_goes_on(
    filled: Path, tmp_path: Path, upgrade_to: Upgrade, tally: Tally, places: int
) -> None:
    upgrade_to(steps.FIELD, steps.TABLE)

    def run(name: str, at: int) -> tuple[Path, int | None]:
        shutil.copytree(tmp_path / "steps", tmp_path / name / "steps")
        copy = shutil.copyfile(filled, tmp_path / name / "memory.db")
        process = multiprocessing.get_context("spawn").Process(target=steps.killed_at, args=(copy, at))
        process.start()
        process.join()
        return copy, process.exitcode

    before = steps.rows(filled)
    whole, exitcode = run("whole", -1)
    assert exitcode == 0
    statements = int(whole.with_name("statements").read_text())
    for place in range(1, places + 1):
        copy, exitcode = run(f"at-{place}", statements * place // (places + 1))
        assert exitcode == -signal.SIGKILL
        assert SCHEMA <= number_of(copy) <= SCHEMA + 2
        Store.open(copy).close()
        assert number_of(copy) == SCHEMA + 2
        after = steps.rows(copy)
        lost = [name for name, some in before.items() if len(after[name]) != len(some)]
        tally(tried=1, lost=len(lost))
        assert not lost


@pytest.mark.long
@promise("never-locked")
@promise("upgrades-keep-data")
def test_eight_processes_may_bring_it_up_at_once(filled: Path, upgrade_to: Upgrade) -> None:
    upgrade_to(steps.FIELD, steps.TABLE)
    many = len(steps.rows(filled)["observations"])
    assert run_together(steps.open_with_steps, filled, 8) == [0] * 8
    assert number_of(filled) == SCHEMA + 2
    assert len(steps.rows(filled)["observations"]) == many + 8
