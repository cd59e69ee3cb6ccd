"""A hook's process that is cut at a chosen moment, as its own alarm does on a busy machine."""

import json
import subprocess
import sys
from typing import Any

from tests.places import PACKAGES

from .hooks import Machine, outlived

POINTS = ("before the lock", "after the lock", "after the lease", "amid the work", "after the work")

PROCESS = """
import signal, sys
root, point, has_job = sys.argv[1:4]
sys.path.insert(0, root)
from memtui.store.capture.hook_process import main
from memtui.store.observe.jobs import rule_observer, spawn, worker
from memtui.store.tables.queue import PendingMessages

def cut():
    signal.raise_signal(signal.SIGALRM)

def around(holder, name, before=False):
    real = getattr(holder, name)
    def stand_in(*words, **named):
        if before:
            cut()
        done = real(*words, **named)
        cut()
        return done
    setattr(holder, name, stand_in)

if point == "before the lock":
    around(worker.WorkerLock, "__enter__", before=True)
if point == "after the lock":
    around(worker.WorkerLock, "__enter__")
if point == "after the lease":
    around(PendingMessages, "claim")
if point == "amid the work":
    around(rule_observer, "reply_of")
    real = rule_observer._put_summaries
    rule_observer._put_summaries = lambda *words: (cut(), real(*words))
if point == "after the work":
    around(rule_observer, "_summarize")
if has_job == "no":
    def spawn_job(database):
        raise OSError("no process can be started")
    spawn.spawn_job = spawn_job
main.run(["claude-code"])
"""


def run_cut(machine: Machine, event: dict[str, Any], point: str, *, has_job: bool) -> bytes:
    """Run the hook on an event and cut it at a point of `POINTS`; `has_job` is whether it can start a
    process of its own. What it printed."""
    root = str(PACKAGES)
    # A session's end is cut in the child that the hook leaves.
    with outlived() as file:
        done = subprocess.run(
            [sys.executable, "-c", PROCESS, root, point, "yes" if has_job else "no"],
            input=json.dumps(event).encode(),
            capture_output=True,
            cwd=machine.folder / "project",
            env=machine.environment(),
            pass_fds=[file],
            check=True,
        )
    assert done.stderr == b""
    return done.stdout
