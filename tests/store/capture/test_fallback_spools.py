"""Where events wait when the spool can't be written: where every process of the user looks."""

from __future__ import annotations

import os
import posix
from pathlib import Path

import pytest

from store.capture.hook_process.main import make_last_two
from store.paths import fallback_spools

from .hooks import modes_below

DATABASE = b"/home/me/memory.db"


def places(monkeypatch: pytest.MonkeyPatch, **variables: str) -> list[bytes]:
    """The fallback directories of a process with these variables."""
    for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
        monkeypatch.delitem(posix.environ, name.encode(), raising=False)
    for name, value in variables.items():
        monkeypatch.setitem(posix.environ, name.encode(), value.encode())
    return fallback_spools(DATABASE)


def test_what_only_one_environment_tells_comes_after_what_all_know(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime = f"/run/user/{os.geteuid()}"
    known = places(monkeypatch)
    assert known[0].startswith(runtime.encode())
    assert places(monkeypatch, XDG_RUNTIME_DIR=runtime) == known
    assert places(monkeypatch, TMPDIR="/var/folders/x")[:-1] == known


def test_no_directory_of_the_system_is_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        make_last_two(bytes(tmp_path / "run" / "user" / "memtui" / "spool"))
    assert list(tmp_path.iterdir()) == []
    make_last_two(bytes(tmp_path / "memtui" / "spool"))
    assert modes_below(tmp_path)["directories"] == {0o700}
