"""What a killed command left is known by name, and removed by the next command of any kind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.database.files import temporary
from memtui.store.database.files.locks import DirectoryLock
from tests.places import PYTHONPATH
from tests.promises import promise

KILLED = """
import os, signal, sys
from memtui.store.database.files import atomic
def die(*_a, **_k):
    os.kill(os.getpid(), signal.SIGKILL)
atomic.publish = atomic.sync = die
import memtui.store.maintain.backups as replacing
import memtui.store.maintain.rebuild as rebuilding
import memtui.store.maintain.backups as restoring
import memtui.store.maintain.importing as importing
rebuilding.replace = restoring.replace = importing.run = die
from memtui.store.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def mem(path: Path, *arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    temp = path.parent / "tmp"
    temp.mkdir(exist_ok=True)
    started = ["-c", code] if code else ["-m", "memtui.store.cli"]
    return subprocess.run(
        [sys.executable, *started, *arguments],
        env=os.environ
        | {"MEMTUI_DB": str(path), "PYTHONPATH": PYTHONPATH, "TMPDIR": str(temp)},
        capture_output=True, text=True, cwd=path.parent,
    )  # fmt: skip


def everything(folder: Path) -> set[str]:
    found = {str(one.relative_to(folder)) for one in folder.rglob("*")}
    return {one for one in found if not one.endswith(("-wal", "-shm", ".lock"))}


COMMANDS = {
    "export": ("export", "jsonl", "out/export.jsonl"),
    "markdown": ("export", "markdown", "out/pages"),
    "backup": ("backup", "out/copy.db"),
    "rebuild": ("rebuild", "--from", "given.jsonl"),
    "restore": ("restore-backup", "given.db"),
    "dry run": ("import", "claude-mem", "--dry-run", "given.db"),
}


@promise("acknowledged-survives")
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.sampled
def test_what_a_killed_command_left_goes_with_the_next(tmp_path: Path, name: str) -> None:
    path = tmp_path / "memory.db"
    (tmp_path / "out").mkdir()
    with Store.open(path) as store:
        store.observations.add("c-1", title="kept")
        store.backup(tmp_path / "given.db")
    assert mem(path, "export", "jsonl", "given.jsonl").returncode == 0
    mem(path, "stats")
    before = everything(tmp_path)
    killed = mem(path, *COMMANDS[name], code=KILLED)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert everything(tmp_path) - before
    assert mem(path, "search", "kept").returncode == 0
    assert mem(path, "stats").returncode == 0
    left = {one for one in everything(tmp_path) - before if "backups" not in one}
    assert left <= {"memory.db-spool"}


def test_the_lean_commands_remove_it_too(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    (tmp_path / "out").mkdir()
    mem(path, "add", "kept")
    for next_one in (("add", "more"), ("search", "kept")):
        mem(path, *COMMANDS["export"], code=KILLED)
        assert list((tmp_path / "out").iterdir())
        assert mem(path, *next_one).returncode == 0
        assert not list((tmp_path / "out").iterdir())


def test_what_a_running_process_uses_stays(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    mem(path, "add", "kept")
    code = (
        "import sys, time\nfrom pathlib import Path\n"
        "from memtui.store.database.files import atomic, temporary\n"
        f"temporary.work_for(Path({str(path)!r}))\n"
        f"with atomic.draft(Path({str(tmp_path / 'o.jsonl')!r})), "
        "temporary.directory('memtui-'):\n    print('made', flush=True)\n    sys.stdin.read()\n"
    )
    environment = os.environ | {"PYTHONPATH": PYTHONPATH, "TMPDIR": str(tmp_path / "tmp")}
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        before = everything(tmp_path)
        assert len([one for one in before if str(running.pid) in one]) == 4
        mem(path, "stats")
        mem(path, "add", "more")
        assert everything(tmp_path) == before
        running.communicate()
    assert not [one for one in everything(tmp_path) if str(running.pid) in one]


def test_a_note_about_a_file_that_is_not_ours_removes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    mem(path, "add", "kept")
    gone = subprocess.Popen(["true"])
    gone.wait()
    notes = tmp_path / "memory.db-spool" / "drafts"
    notes.mkdir(parents=True)
    theirs = tmp_path / "theirs.txt"
    theirs.write_text("mine")
    link = tmp_path / f".x.{gone.pid}.12345678"
    link.symlink_to(theirs)
    (notes / str(gone.pid)).write_bytes(b"\0".join(os.fsencode(one) for one in (theirs, link, path)))
    assert mem(path, "stats").returncode == 0
    assert theirs.read_text() == "mine"
    assert link.is_symlink()
    assert path.exists()
    assert not notes.exists()


def test_drafts_beside_the_memory_and_its_backups_go_too(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    mem(path, "add", "kept")
    mem(path, "backup")
    gone = subprocess.Popen(["true"])
    gone.wait()
    left = [
        tmp_path / f".memory.db.{gone.pid}.12345678-journal",
        tmp_path / "memory.db-backups" / f".memory-20260101-000000.db.{gone.pid}.12345678",
    ]
    for one in left:
        one.touch()
    mem(path, "rebuild")
    assert not any(one.exists() for one in left)


def test_a_memory_in_it_is_opened_without_waiting_for_whoever_made_it() -> None:
    with temporary.directory("memtui-") as folder, DirectoryLock(str(folder)) as is_free:
        assert is_free
