"""What processes import, read and write, and how much CPU they take beside a bare interpreter."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from shutil import copyfile

from bench.hooks import BARE, BARE_ISOLATED, HOOK, MEM, WAITING, as_json, cpu, event, leave, start
from bench.quick.work import Figure
from bench.report import environment
from memtui.store import Store
from memtui.store.observe.jobs.worker import wait_for_worker

ROUNDS = 9
WORKER_SECONDS = 30.0
IMPORTED = re.compile(rb"^import time:.*\| +(\S+)$", re.MULTILINE)
COUNTERS = Path("/proc/self/io")
"""What this process and those it waited for have read and written, where the system counts that."""

OPENING = as_json({"session_id": "s", "hook_event_name": "SessionStart", "cwd": "/project-07"})
ENDING = as_json({"session_id": "s", "hook_event_name": "SessionEnd", "cwd": "/project-07"})
BUSY = f"hook, a session's start, {WAITING} tool uses waiting"
ADDED = ("add", "Bench observation", "--type", "note", "--project", "bench")

COMMANDS: dict[str, tuple[Sequence[str], bytes]] = {
    "mem --version": ((MEM, "--version"), b""),
    "mem --help": ((MEM, "--help"), b""),
    "mem add": ((MEM, *ADDED), b""),
    "mem add --stdin": ((MEM, "add", "--stdin"), b'{"title": "one"}\n{"title": "two"}\n'),
    "mem search": ((MEM, "search", "token"), b""),
    "mem show": ((MEM, "show", "7"), b""),
    "mem stats": ((MEM, "stats"), b""),
    "mem files list": ((MEM, "files", "list"), b""),
    "mem prompt": ((MEM, "prompt", "why", "--session", "c-1"), b""),
    "mem session start": ((MEM, "session", "start", "c-1"), b""),
    "mem session end": ((MEM, "session", "end", "session-000001"), b""),
    "mem fact add": ((MEM, "fact", "add", "tokens live for a day"), b""),
    "hook, a prompt": (HOOK, event(3_000)),
    "hook, a prompt of 250 KB": (HOOK, event(250_000)),
    "hook, a tool use": (HOOK, event(3_000, answer={"stdout": "api_key=, 加密的命令"})),
    "hook, a session's start": (HOOK, OPENING),
    BUSY: (HOOK, OPENING),
    "hook, a session's end": (HOOK, ENDING),
}
RATIOS: dict[str, tuple[Sequence[str], float]] = {
    "mem --version": (BARE, 2.0),
    "mem --help": (BARE, 6.5),
    "mem add": (BARE, 2.0),
    "mem search": (BARE, 6.0),
    "hook, a prompt": (BARE_ISOLATED, 1.0),
    "hook, a prompt of 250 KB": (BARE_ISOLATED, 1.25),
    "hook, a tool use": (BARE_ISOLATED, 1.0),
}
"""Of some commands what their CPU is divided by, and the most that it may be."""


def measure(path: Path) -> Iterator[Figure]:
    """Yield the name of each figure and the figure, of each command on its own copy of a memory."""
    for name, (command, given) in COMMANDS.items():
        shell = _copied(path, name)
        prepare = partial(_leave, shell) if name == BUSY else int
        # The first makes what every later one finds: compiled modules, the spool.
        prepare(0)
        cpu(command, given, shell)
        prepare(1)
        yield f"{name}: modules", _modules(command, given, shell)
        if COUNTERS.exists():
            prepare(2)
            calls, written = _calls_and_bytes(command, given, shell)
            yield f"{name}: reads and writes", calls
            yield f"{name}: bytes written", written
        # A session's end leaves one to sum it up.
        wait_for_worker(Path(shell["MEMTUI_DB"]), WORKER_SECONDS)


def _leave(shell: dict[str, str], number: int) -> None:
    """Have tool uses wait for a memory that nobody works on, and whose log is empty."""
    path = Path(shell["MEMTUI_DB"])
    wait_for_worker(path, WORKER_SECONDS)
    Store.open(path).close()
    leave(shell, number)


def _copied(path: Path, name: str) -> dict[str, str]:
    """The environment of a command that has a memory of its own."""
    copy = path.with_name(f"{name.replace(' ', '-').replace(',', '')}.db")
    if not copy.exists():
        copyfile(path, copy)
        Store.open(copy).close()
    # However busy the machine is: what a hook has no time for would not be counted.
    return environment(copy) | {"MEMTUI_HOOK_SECONDS": "60"}


def ratio(name: str, path: Path) -> float:
    """Return a command's CPU over that of the bare interpreter, of each the least of some rounds."""
    command, given = COMMANDS[name]
    bare, _ = RATIOS[name]
    shell = _copied(path, name)
    rounds = [(cpu(command, given, shell), cpu(bare, b"", shell)) for _ in range(ROUNDS)]
    ours, others = zip(*rounds, strict=True)
    least: float = min(ours) / min(others)
    return least


def _modules(command: Sequence[str], given: bytes, shell: dict[str, str]) -> int:
    """How many modules a process imports more than a bare one does."""
    script = command[1:] if command[0] == sys.executable else command
    isolated = [one for one in ("-I", "-S") if one in command]
    bare = _imported([*isolated, "-c", ""], b"", shell)
    return len(_imported(script, given, shell) - bare)


def _imported(script: Sequence[str], given: bytes, shell: dict[str, str]) -> set[bytes]:
    command = [sys.executable, "-X", "importtime", *script]
    done = subprocess.run(command, input=given, env=shell, capture_output=True, check=True)
    return set(IMPORTED.findall(done.stderr))


def _calls_and_bytes(command: Sequence[str], given: bytes, shell: dict[str, str]) -> tuple[int, int]:
    before = _counted()
    start(command, given, shell)
    after = _counted()
    calls = sum(after[name] - before[name] for name in ("syscr", "syscw"))
    return calls, after["wchar"] - before["wchar"] - len(given)


def _counted() -> dict[str, int]:
    lines = (line.split(": ") for line in COUNTERS.read_text().splitlines())
    return {name: int(value) for name, value in lines}
