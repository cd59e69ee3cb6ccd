"""Reading, searching and importing where a system lacks what only POSIX has, tried by taking it away."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.places import PACKAGES, ROOT

LACKING = """
import os, posix, shutil, subprocess, sys, tempfile, types

TAKEN = {
    *("fork", "posix_spawn", "mkfifo", "geteuid", "getuid", "fchmod", "pread", "pwrite", "statvfs"),
    *("setsid", "setpgid", "nice", "chown", "killpg", "environb", "sched_getaffinity", "listxattr"),
    *("sysconf", "fdatasync"),
    *("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_NOCTTY"),
}
nt = types.ModuleType("nt")
vars(nt).update((name, value) for name, value in vars(posix).items() if name not in TAKEN)
nt.O_NOINHERIT, nt.O_BINARY = posix.O_CLOEXEC, 0
nt.environ = {name.decode(): value.decode() for name, value in posix.environ.items()}
sys.modules["nt"] = nt
for name in ("posix", "fcntl", "pwd", "resource"):
    sys.modules[name] = None
for name in TAKEN & vars(os).keys() - {"O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY", "statvfs"}:
    # `subprocess`, `tempfile` and `shutil` of this system's library need the rest.
    delattr(os, name)
"""
"""What a process runs first that is to believe itself on Windows, as far as our own modules go."""

MEM = LACKING + "from memtui.store.cli import main; main()"
HOOK = LACKING + (
    "import runpy; sys.argv[0] = sys.argv.pop(1); runpy.run_path(sys.argv[0], run_name='__main__')"
)
ONLY_HERE = {"system.py", "windows.py", "processes.py"}
OF_POSIX = {"posix", "fcntl", "pwd", "grp", "resource"}


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(PACKAGES),
        "USERPROFILE": str(tmp_path),
        # Only Python's own `Path.home` asks for it here.
        "HOME": str(tmp_path),
        "MEMTUI_DB": str(tmp_path / "memory.db"),
        "LANGUAGE": "en",
    }

    def call(code: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            input=given, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    return call


def test_memories_are_added_searched_and_shown(run: Run) -> None:
    assert run(MEM, "add", "The lock is taken without waiting").returncode == 0
    found = run(MEM, "search", "lock", "--json")
    assert found.returncode == 0, found.stderr
    assert "without waiting" in found.stdout
    assert "without waiting" in run(MEM, "show", "1").stdout
    assert run(MEM, "stats").returncode == 0


def test_transcripts_are_imported_and_exported(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    line = {
        "type": "user", "uuid": "u1", "sessionId": "5e000000-0000-4000-8000-000000000001", "cwd": "/work",
        "timestamp": "2026-11-28T10:00:00.000Z", "message": {"role": "user", "content": "Count the herons"},
    }  # fmt: skip
    (folder / "5e000000-0000-4000-8000-000000000001.jsonl").write_text(json.dumps(line) + "\n")
    imported = run(MEM, "import", "claude-code", str(folder))
    assert imported.returncode == 0, imported.stderr
    assert "Count the herons" in run(MEM, "search", "herons type:prompt", "--json").stdout
    assert run(MEM, "export", "jsonl", str(tmp_path / "out.jsonl")).returncode == 0
    assert "herons" in (tmp_path / "out.jsonl").read_text()


def test_a_hook_stores_its_event(run: Run, tmp_path: Path) -> None:
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "cwd": "/work",
        "prompt": "Feed the herons",
    }
    hook = PACKAGES / "memtui" / "store" / "capture" / "hook.py"
    ended = run(HOOK, str(hook), "claude-code", given=json.dumps(event))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert "Feed the herons" in run(MEM, "search", "herons type:prompt", "--json").stdout


def test_doctor_says_what_the_system_lacks(run: Run) -> None:
    run(MEM, "add", "anything")
    checks = run(MEM, "doctor")
    assert "Traceback" not in checks.stderr
    assert "this system has no" in checks.stdout


def test_one_module_imports_what_only_posix_has() -> None:
    for path in (*(ROOT / "store").rglob("*.py"), *(ROOT / "tui").rglob("*.py")):
        if path.name in ONLY_HERE and path.parent.name == "platform":
            continue
        if path.name == "hook.py":
            # What finds the package can't ask it.
            continue
        names = {
            name.partition(".")[0]
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else
                         [alias.name for alias in node.names] if isinstance(node, ast.Import) else [])
        }  # fmt: skip
        assert not names & OF_POSIX, path
