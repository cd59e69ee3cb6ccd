"""A backup put in a memory's place: verified before, under the eyes of who has it open."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from memtui.store import Store, StoreError
from memtui.store.aio import AsyncStore
from memtui.store.database import SCHEMA, schema
from memtui.store.database.files import temporary
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.jsonl.export import export_jsonl
from memtui.store.maintain.backups import restore_backup
from tests.places import PYTHONPATH
from tests.promises import Tally, promise
from tests.sizes import sizes
from tests.store.database import steps


def titles(path: Path) -> set[str | None]:
    with Store.open(path) as store:
        assert store.doctor(thorough=True).ok
        return {one.title for one in store.observations.recent()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A memory that was backed up, and went on."""
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="kept")
        store.backup(tmp_path / "backup.db")
        store.observations.add("c-1", title="later")
    return path


@promise("backups-restore")
def test_the_old_memory_is_kept_beside_and_comes_back_by_a_second_restore(path: Path) -> None:
    source = path.with_name("backup.db")
    content = source.read_bytes()
    before = restore_backup(path, source).before
    assert titles(path) == {"kept"}
    assert source.read_bytes() == content
    assert before is not None
    assert before.stat().st_mode & 0o777 == 0o600
    again = restore_backup(path, before).before
    assert titles(path) == {"kept", "later"}
    assert again is not None
    assert titles(again) == {"kept"}
    assert not [one for one in path.parent.iterdir() if one.name.startswith(".")]


def test_who_has_it_open_goes_on_with_what_was_restored(path: Path) -> None:
    async def browse() -> None:
        browser = await AsyncStore.open(path)
        first = await browser.run(
            lambda store: (store.data_version(), len(store.find("later").page().hits))
        )
        await asyncio.to_thread(restore_backup, path, path.with_name("backup.db"))
        assert await browser.run(lambda store: store.data_version()) != first[0]
        assert first[1] == 1
        assert await browser.run(lambda store: len(store.find("later").page().hits)) == 0
        await browser.run(lambda store: store.observations.add("c-1", title="afterwards"))
        await browser.close()

    with Store.open(path) as reader:
        assert len(reader.find("later").page().hits) == 1
        asyncio.run(browse())
        assert [hit.row.title for hit in reader.find("afterwards").page().hits] == ["afterwards"]
        assert reader.find("later").page().hits == []
    assert titles(path) == {"kept", "afterwards"}


def test_a_backup_of_an_older_schema_is_upgraded(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "STEPS", steps.write(tmp_path / "steps", steps.FIELD))
    monkeypatch.setattr(schema, "SCHEMA", SCHEMA + 1)
    restored = restore_backup(path, tmp_path / "backup.db")
    assert restored.schema == SCHEMA
    assert titles(path) == {"kept"}
    for file, version in ((path, SCHEMA + 1), (tmp_path / "backup.db", SCHEMA)):
        with closing(apsw.Connection(str(file))) as db:
            assert db.pragma("user_version") == version


def test_a_backup_of_a_development_version_is_refused_with_how_to_bring_it_along(
    path: Path, tmp_path: Path
) -> None:
    with closing(apsw.Connection(str(tmp_path / "backup.db"))) as db:
        db.pragma("user_version", schema.BASELINE - 1)
    with pytest.raises(StoreError, match="mem store rebuild"):
        restore_backup(path, tmp_path / "backup.db")
    assert titles(path) == {"kept", "later"}


def no_file(path: Path) -> None:
    path.unlink()


def no_content(path: Path) -> None:
    path.write_bytes(b"")


def garbage(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 9_000)


def half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def zeros(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 * 5 : 4096 * 40] = bytes(4096 * 35)
    path.write_bytes(content)


@promise("backups-restore")
@pytest.mark.parametrize("spoil", [no_file, no_content, garbage, half, zeros])
def test_it_takes_the_place_of_a_memory_in_any_state(path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(path)
    content = path.read_bytes() if path.exists() else None
    before = restore_backup(path, path.with_name("backup.db")).before
    assert titles(path) == {"kept"}
    assert (before is None) == (content is None)
    if before is not None and spoil in (no_content, garbage):
        assert before.read_bytes() == content


@promise("damage-found")
@pytest.mark.parametrize("spoil", [no_file, no_content, garbage, half, zeros])
def test_a_damaged_backup_is_refused_and_changes_nothing(path: Path, spoil: Callable[[Path], None]) -> None:
    source = path.with_name("backup.db")
    spoil(source)
    content = path.read_bytes()
    with pytest.raises(StoreError):
        restore_backup(path, source)
    assert path.read_bytes() == content
    assert titles(path) == {"kept", "later"}
    assert {one.name for one in path.parent.iterdir()} <= {
        "memory.db", "memory.db-wal", "memory.db-shm", "backup.db",
    }  # fmt: skip


def test_what_is_no_backup_of_a_memory_is_refused(path: Path, tmp_path: Path) -> None:
    with closing(apsw.Connection(str(tmp_path / "theirs.db"))) as db:
        db.execute("CREATE TABLE observations (id)")
    with closing(apsw.Connection(str(tmp_path / "backup.db"))) as db:
        db.pragma("user_version", 99)
    for name, told in (("theirs.db", "not a backup"), ("backup.db", "schema 99"), (path.name, "itself")):
        with pytest.raises(StoreError, match=told):
            restore_backup(path, tmp_path / name)
    assert titles(path) == {"kept", "later"}


def test_an_index_that_is_not_sound_is_made_anew(path: Path) -> None:
    source = path.with_name("backup.db")
    with closing(apsw.Connection(str(source))) as db:
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")
    assert restore_backup(path, source).indexed_anew
    assert titles(path) == {"kept"}


@promise("logs-left-behind")
def test_a_log_that_lies_beside_a_backup_by_accident_is_not_restored(path: Path) -> None:
    source = path.with_name("backup.db")
    with Store.open(path) as store:
        store.observations.add("c-1", title="in the log")
        shutil.copyfile(f"{path}-wal", f"{source}-wal")
    restore_backup(path, source)
    assert titles(path) == {"kept"}


@promise("acknowledged-survives")
@sizes("kills", 6, 15)
@pytest.mark.parametrize("command", ["restore-backup", "rebuild"])
def test_killed_at_any_moment_it_is_the_old_memory_or_the_new_one(
    path: Path, command: str, kills: int, tally: Tally
) -> None:
    with Store.open(path) as store:
        for number in range(300):
            store.observations.add("c-1", title=f"later {number}")
        old = store.stats().observations
    with Store.open(path.with_name("backup.db")) as store, path.with_name("e.jsonl").open("wb") as to:
        export_jsonl(store, to, Scope(private=True, deleted=True))
    source = ["--from", "e.jsonl"] if command == "rebuild" else ["backup.db"]
    random = tally.random()
    wrong = 0
    for _ in range(kills):
        with subprocess.Popen(
            [sys.executable, "-m", "memtui.store.cli", command, *source],
            env=os.environ | {"MEMTUI_DB": str(path), "PYTHONPATH": PYTHONPATH},
            cwd=path.parent, stderr=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            with suppress(subprocess.TimeoutExpired):
                process.wait(random.uniform(0.3, 1.2))
            process.kill()
        with Store.open(path) as store:
            found = store.stats().observations
            wrong += found not in (1, old) or not store.doctor(thorough=True).ok
        befores = list(path.parent.glob("memory-before-*.db"))
        if found == 1:
            restore_backup(path, max(befores, key=lambda one: one.stat().st_size))
        temporary.sweep(path)
        assert not list(path.parent.glob(".re*"))
    tally(tried=kills, wrong=wrong)
    assert not wrong
