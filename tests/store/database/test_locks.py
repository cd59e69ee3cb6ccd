"""A lock file keeps all but one process out, and lets go with its holder."""

import errno
import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.store.database.files.locks import FileLock
from tests.places import PACKAGES


def test_only_one_holds_a_lock_until_it_lets_go(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with FileLock(path) as first, FileLock(path) as second:
        assert (first, second) == (True, False)
    with FileLock(path) as again:
        assert again
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_a_lock_is_waited_for_and_goes_with_a_process_that_is_killed(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time\nfrom memtui.store.database.files.locks import FileLock\n"
            "with FileLock(sys.argv[1]):\n    print(flush=True)\n    time.sleep(60)",
            path,
        ],
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    with holder:
        holder.stdout.readline()
        with FileLock(path, patience=0.1) as held:
            assert not held
        holder.kill()
    with FileLock(path) as held:
        assert held


def test_a_file_system_without_locks_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with FileLock(str(tmp_path / "lock")) as held:
        assert held


def test_next_to_nothing_is_imported_for_a_lock() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules)\n"
        "import memtui.store.database.files.locks; print(*sorted(set(sys.modules) - before))"
    )
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(PACKAGES)], capture_output=True, text=True, check=True
    )
    modules = {one.partition(".")[0] for one in found.stdout.split()}
    assert modules <= {"memtui", "errno", "fcntl", "posix", "time"}
