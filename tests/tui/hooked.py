"""A machine for the browser's tests: agents on it, hooks that ran, and an installed memtui."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store, capture
from memtui.store.capture.ingest import spool
from memtui.store.install import Launcher
from tests.tui.browser import NOW

HOOK = Path(capture.__file__).with_name("hook.py")
SETTINGS = ".claude/settings.json"
LATELY = [n for n in range(1, 29) if n % 7 not in (3, 4)]
"""So many days before today Codex was used, too."""
MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def settle_in(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Claude Code, Codex and Gemini here, no other program, and us outside of a repository."""
    for agent in (".claude", ".codex", ".gemini"):
        (home / agent).mkdir()
    programs = home / "memtui"
    found = Launcher(programs / "python", programs / "store" / "capture" / "hook.py")
    for program in (found.python, found.script, found.program):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setattr(Launcher, "here", classmethod(lambda cls: found))
    monkeypatch.setenv("PATH", str(home / "nothing"))
    monkeypatch.chdir(home)
    # What hooks told today is counted by the clock of the store.
    monkeypatch.setattr("memtui.store.capture.health.now_ms", lambda: NOW)


def have_run(path: Path, now: int = NOW) -> None:
    """Let hooks of three agents have run until `now` (ms), in differing milliseconds."""
    with Store.open(path) as memory, memory.transaction():
        runs = [(now - n * MINUTE, "codex", 9_000 + (n * 7_919) % 11_000) for n in range(200)]
        memory.db.executemany(
            "INSERT INTO hook_runs (at, agent, microseconds) VALUES (?, ?, ?)", reversed(runs)
        )
        memory.db.executemany(
            "INSERT INTO agent_days VALUES (?, ?, ?, ?)",
            [
                ("claude-code", now // DAY, 143, now - 2 * MINUTE),
                ("codex", now // DAY, 1_204, now - 3 * HOUR),
                ("gemini", now // DAY - 3, 41, now - 3 * DAY),
                *(("codex", now // DAY - n, 60 + n * 7_919 % 900, now - n * DAY) for n in LATELY),
            ],
        )


def fail(path: Path, quarantined: int, lost: int) -> None:
    """Let so many events be in quarantine, and so many lost."""
    with Store.open(path) as memory, memory.transaction():
        memory.db.executemany(
            "INSERT INTO quarantine (at, agent, reason, record) VALUES (?, 'codex', 'torn', '{')",
            [(NOW,)] * quarantined,
        )
    (own,) = spool.folders(path)[:1]
    own.mkdir(mode=0o700, exist_ok=True)
    (own / "lost").write_bytes(b"1\n" * lost)


def run_hook(path: Path, **event: Any) -> None:
    """Run the process that an agent starts at an event."""
    told = {"session_id": "c-1", "hook_event_name": "UserPromptSubmit", "cwd": "/srv/atlas"} | event
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(HOOK), "claude-code"],
        input=json.dumps(told).encode(),
        env={**os.environ, "MEMTUI_DB": str(path)},
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")


def leave_waiting(path: Path, at: int, prompts: int = 1) -> None:
    """Leave events in the spool as a hook does that ran at `at`, ms since the epoch, UTC."""
    (own,) = spool.folders(path)[:1]
    own.mkdir(mode=0o700, exist_ok=True)
    with (own / "2026-02-17.jsonl").open("ab") as file:
        for number in range(prompts):
            event = {
                "hook_event_name": "UserPromptSubmit",
                "session_id": f"c-{number}",
                "prompt": f"what waits in the spool as number {number}?",
            }
            head = b'\n{"at":%d,"took":9000,"agent":"claude-code","env":[],"cwd":"/work","event":'
            file.write(head % at + json.dumps(event).encode() + b"}\n")
