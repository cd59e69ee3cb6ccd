"""A log or lock that another memory left behind is moved aside, and never read into a memory."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import apsw
import pytest

from memtui.store import DatabaseError, Store
from memtui.store.database import backup, notices
from tests.places import PYTHONPATH
from tests.promises import promise
from tests.store.processes import add_many, run_together

ROWS = 30


def add_and_die(path: Path, first: int) -> None:
    """Write, and be killed before the log is emptied."""
    store = Store.open(path)
    for number in range(first, first + ROWS):
        store.observations.add("c-1", title=f"drift {number} {'word ' * 300}")
    os.kill(os.getpid(), signal.SIGKILL)


def killed_writer(path: Path, first: int = 0) -> None:
    """Leave a log beside a memory whose writer was killed."""
    process = get_context("spawn").Process(target=add_and_die, args=(path, first))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def mem(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command as a process."""
    return subprocess.run(
        [sys.executable, "-m", "memtui.store.cli", *arguments],
        env=os.environ | {"MEMTUI_DB": str(path), "PYTHONPATH": PYTHONPATH},
        capture_output=True, text=True,
    )  # fmt: skip


def titles(path: Path) -> set[str]:
    """The first words of all titles of a memory that is sound."""
    with Store.open(path) as store:
        assert store.doctor(thorough=True).ok
        return {" ".join(str(one.title).split()[:2]) for one in store.observations.recent(limit=999)}


def aside(path: Path) -> list[str]:
    return sorted(one.name for one in path.parent.iterdir() if "-aside-" in one.name)


@promise("logs-left-behind")
@pytest.mark.parametrize("suffixes", [("-wal", "-shm"), ("-shm",), ("-journal",)])
def test_a_new_memory_reads_nothing_of_the_one_that_was_removed(
    tmp_path: Path, suffixes: tuple[str, ...]
) -> None:
    path = tmp_path / "memory.db"
    killed_writer(path)
    shutil.copy(f"{path}-wal", f"{path}-journal")
    path.unlink()
    for suffix in {"-wal", "-shm", "-journal"} - set(suffixes):
        path.with_name(path.name + suffix).unlink()
    left = {suffix: path.with_name(path.name + suffix).read_bytes() for suffix in suffixes}
    added = mem(path, "add", "anew")
    assert added.returncode == 0
    assert titles(path) == {"anew"}
    kept = {f"-{one.rpartition('-')[2]}": (tmp_path / one).read_bytes() for one in aside(path)}
    assert kept == left
    assert ("not read into it" in added.stderr) == (suffixes != ("-shm",))
    assert mem(path, "add", "again").stderr == ""


def copy_over(backup: Path, path: Path) -> None:
    shutil.copyfile(backup, path)


def move_over(backup: Path, path: Path) -> None:
    backup.replace(path)


def remove_and_copy(backup: Path, path: Path) -> None:
    path.unlink()
    shutil.copy2(backup, path)


@promise("logs-left-behind")
@pytest.mark.parametrize(
    ("put", "first"),
    [(copy_over, ("add", "later")), (move_over, ("search", "drift")), (remove_and_copy, ("stats",))],
)
def test_a_backup_put_in_place_by_hand_after_a_killed_writer_is_what_it_was(
    tmp_path: Path, put: Callable[[Path, Path], None], first: tuple[str, ...]
) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "backup.db"
    with Store.open(path) as store:
        for number in range(ROWS):
            store.observations.add("c-1", title=f"kept {number}")
        store.backup(backup)
    killed_writer(path)
    put(backup, path)
    told = mem(path, *first)
    assert told.returncode == 0, told.stderr
    assert "not read into it" in told.stderr
    assert titles(path) - {"later"} == {f"kept {number}" for number in range(ROWS)}
    assert [one for one in aside(path) if one.endswith("-wal")]


@promise("logs-left-behind")
def test_a_raw_copy_put_over_a_later_state_does_not_get_its_log(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="kept 1")
    shutil.copyfile(path, copy)
    with Store.open(path) as store:
        for number in range(ROWS):
            store.observations.add("c-1", title=f"between {number} {'word ' * 300}")
    killed_writer(path)
    shutil.copyfile(copy, path)
    assert mem(path, "add", "later").returncode == 0
    assert titles(path) == {"kept 1", "later"}


@promise("logs-left-behind")
def test_a_memory_whose_own_log_was_left_keeps_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    for start in range(0, 2 * ROWS, ROWS):
        killed_writer(path, start)
        assert mem(path, "add", f"added {start}").returncode == 0
    expected = {f"drift {number}" for number in range(2 * ROWS)}
    assert titles(path) == expected | {f"added {start}" for start in range(0, 2 * ROWS, ROWS)}
    assert aside(path) == []


def test_many_that_open_it_at_once_after_a_kill_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    killed_writer(path)
    assert run_together(add_many, path, 4) == [0] * 4
    assert len(titles(path)) == ROWS + 4
    assert aside(path) == []


@pytest.mark.long
def test_many_that_open_a_backup_at_once_agree_on_the_log(tmp_path: Path) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "backup.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="kept 1")
        store.backup(backup)
    killed_writer(path)
    shutil.copyfile(backup, path)
    assert run_together(add_many, path, 4) == [0] * 4
    assert titles(path) == {"kept 1"} | {f"token {number}" for number in range(4)}
    assert len([one for one in aside(path) if one.endswith("-wal")]) == 1


def test_a_file_that_was_replaced_under_an_open_memory_is_refused(tmp_path: Path) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "backup.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="kept 1")
        store.backup(backup)
        # Not by this process: closing the file would let go of the locks that it has on it.
        subprocess.run(["cp", backup, path], check=True)
        told = mem(path, "add", "more")
    assert told.returncode == 1
    assert "was replaced while another process has it open" in told.stderr
    assert aside(path) == []


def test_reading_only_says_it_and_changes_nothing(tmp_path: Path) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "backup.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="kept 1")
        store.backup(backup)
    killed_writer(path)
    shutil.copyfile(backup, path)
    before = {one: one.read_bytes() for one in tmp_path.iterdir()}
    notices.take()
    with Store.open(path, read_only=True) as store:
        assert [one.title for one in store.observations.recent()] == ["kept 1"]
    assert "was not read" in notices.take()[0]
    assert {one: one.read_bytes() for one in tmp_path.iterdir()} == before


def journal_of(path: Path, statement: str) -> None:
    """Leave a hot journal beside a file, as a process that was killed within a transaction does."""
    with closing(apsw.Connection(str(path))) as db:
        db.pragma("journal_mode", "delete")
        db.execute("PRAGMA cache_size = 1")
        db.execute(f"BEGIN IMMEDIATE; {statement}")
        db.cache_flush()
        copied = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-journal")}
        db.execute("ROLLBACK")
    for end, content in copied.items():
        Path(f"{path}{end}").write_bytes(content)


@pytest.mark.parametrize("is_backup", [False, True])
def test_a_journal_of_another_memory_is_moved_aside(tmp_path: Path, is_backup: bool) -> None:
    path, other = tmp_path / "memory.db", tmp_path / "other.db"
    for place, count in ((path, 3), (other, 40)):
        with Store.open(place) as store:
            for number in range(count):
                store.observations.add("c-1", title=f"kept {number} {'word ' * 90}")
    if is_backup:
        with closing(apsw.Connection(str(path))) as db:
            db.pragma("journal_mode", "delete")
    journal_of(other, "UPDATE observations SET title = 'x'")
    Path(f"{other}-journal").rename(f"{path}-journal")
    assert mem(path, "add", "later").returncode == 0
    assert titles(path) == {"kept 0", "kept 1", "kept 2", "later"}
    assert len(aside(path)) == 1


def test_a_files_own_journal_is_played_back(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        for number in range(40):
            store.observations.add("c-1", title=f"kept {number}")
    journal_of(path, "UPDATE observations SET title = 'half'")
    assert titles(path) == {f"kept {number}" for number in range(40)}
    assert aside(path) == []


def test_an_empty_file_keeps_what_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    killed_writer(path)
    path.write_bytes(b"")
    with pytest.raises(DatabaseError, match="mem store reset"):
        Store.open(path)
    assert path.with_name("memory.db-wal").stat().st_size > 0


@promise("files-are-ours-only")
def test_what_became_readable_for_others_is_narrowed_at_the_next_opening(tmp_path: Path) -> None:
    path = tmp_path / "memtui" / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="kept")
        copy = backup.automatic_backup(store.db, path, "before-purge")
        assert copy is not None
        files = [copy, path, path.with_name("memory.db-wal"), path.with_name("memory.db-shm")]
        for file in files:
            file.chmod(0o666)
        path.parent.chmod(0o755)
        tmp_path.chmod(0o755)
        with Store.open(path, read_only=True):
            assert path.stat().st_mode & 0o777 == 0o666
        assert mem(path, "add", "more").returncode == 0
        assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_what_a_link_leads_to_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "theirs.db").touch()
    with Store.open(tmp_path / "memory.db"):
        pass
    (tmp_path / "memory.db").rename(tmp_path / "elsewhere.db")
    (tmp_path / "elsewhere.db").chmod(0o644)
    (tmp_path / "memory.db").symlink_to("elsewhere.db")
    with Store.open(tmp_path / "memory.db"):
        assert (tmp_path / "elsewhere.db").stat().st_mode & 0o777 == 0o644


def test_a_link_that_leads_to_nothing_yet_leads_to_the_new_memory(tmp_path: Path) -> None:
    path, link = tmp_path / "in" / "memory.db", tmp_path / "link.db"
    link.symlink_to(path)
    killed_writer(tmp_path / "in" / "memory.db")
    path.unlink()
    with Store.open(link) as store:
        store.observations.add("c-1", title="anew")
    assert titles(path) == {"anew"}
    assert len([one for one in aside(path) if one.endswith("-wal")]) == 1
