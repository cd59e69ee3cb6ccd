"""Hooks: what an agent waits for at each event, against a bare interpreter; what they leave behind; and
who stores it later."""

import ctypes
import json
import os
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

import apsw

from bench.memories import Memories, fill
from bench.report import Section, environment, interleaved, middle, ms
from memtui.store import Store, capture
from memtui.store.capture.ingest.drain import drain
from memtui.store.capture.ingest.spool import settle
from memtui.store.install.surroundings import GUARD

ROUNDS = 60
EVENTS = 2_000
WAITING = 60
LOCKED_SECONDS = 3.0
SET_CHILD_SUBREAPER = 36
"""What `prctl` is asked for, of Linux."""

SCRIPT = str(Path(capture.__path__[0]) / "hook.py")
MEM = str(Path(sys.executable).with_name("mem"))
HOOK = (sys.executable, "-I", "-S", SCRIPT, "claude-code")
PLACE = "INSERT INTO project_places (kind, place, project) VALUES ('root', '/project-07', 'project-07')"
BARE = (sys.executable, "-c", "pass")
BARE_ISOLATED = (sys.executable, "-I", "-S", "-c", "pass")
GUARDED = ("/bin/sh", "-c", shlex.join((*GUARD, *HOOK)))
"""As an agent runs what its configuration holds."""
BARE_IN_SHELL = ("/bin/sh", "-c", shlex.join(BARE_ISOLATED))
SECRET = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9" * 2


def measure(large: Path) -> list[Section]:
    """The sections on hooks; session starts are on a copy of the store of 100,000 at `large`."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        return [waits(place), processes(place), starts(place, large), under_lock(place), drains(place)]


def waits(place: Path) -> Section:
    """What an agent waits for at an event, whatever is in it, in turn with a bare interpreter."""
    memory = place / "waits.db"
    Store.open(memory).close()
    shell = environment(memory)
    code = "".join(path.read_text() for path in sorted(Path(capture.__path__[0]).parent.rglob("*.py")))[
        :250_000
    ]
    answer = [Memories().text(60, False) + f" {SECRET}" for _ in range(100)]
    cases = {
        "a prompt of 3 KB": (event(3_000), 1.0, 1.1),
        "with a secret": (event(3_000, SECRET), 1.0, 1.1),
        "a tool's answer with 100 secrets": (event(3_000, answer=answer), 1.25, 1.25),
        "a prompt of 250 KB": (event(250_000), 1.25, 1.25),
        "250 KB of code": (event(3_000, answer={"content": code}), 1.25, 1.25),
    }
    rows = []
    with orphans():
        for name, (given, most, most_wall) in cases.items():
            found = [(run(HOOK, given, shell), run(BARE_ISOLATED, b"", shell)) for _ in range(ROUNDS)]
            (ours, left), (bare, _) = (zip(*side, strict=True) for side in zip(*found, strict=True))
            one, other = (
                [middle([took[number] for took in side]) for number in range(2)] for side in (ours, bare)
            )
            rows.append((
                name, ms(one[0]), f"{one[0] / other[0]:.2f}", f"{most:g}",
                ms(one[1]), f"{one[1] / other[1]:.2f}", f"{most_wall:g}", ms(middle(left)),
            ))  # fmt: skip
    return Section(
        "What an agent waits for",
        "Milliseconds of a hook's process, and over those of `python -I -S -c pass` in turn with it; and "
        "the CPU of the process that it leaves behind.",
        ("event", "CPU p50", "over bare", "hold", "wall p50", "over bare", "hold", "CPU left behind"),
        rows,
    )


@contextmanager
def orphans() -> Iterator[None]:
    """Have what processes leave behind become children of this one, which waits for them."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1)
    try:
        yield
    finally:
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 0)


def run(command: Sequence[str], given: bytes, shell: dict[str, str]) -> tuple[tuple[float, float], float]:
    """A process's CPU and wall time, in ms, and the CPU of all that it has left behind."""
    began = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, env=shell, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin
        process.stdin.write(given)
        process.stdin.close()
        _, status, used = os.wait4(process.pid, 0)
        wall = (time.perf_counter() - began) * 1_000
        process.returncode = os.waitstatus_to_exitcode(status)
    left = 0.0
    while True:
        try:
            _, _, others = os.wait4(-1, 0)
        except ChildProcessError:
            return ((used.ru_utime + used.ru_stime) * 1_000, wall), left
        left += (others.ru_utime + others.ru_stime) * 1_000


def processes(place: Path) -> Section:
    """Whole processes in turn with bare ones."""
    memory = place / "memory.db"
    fill(memory, 5_000)
    shell = environment(memory)
    small = event(3_000)
    added = ("add", "Bench observation", "--type", "note", "--project", "bench")
    pairs: dict[str, tuple[Sequence[str], bytes, Sequence[str], bytes, float]] = {
        "an agent's command, 3 KB / `/bin/sh -c 'python -I -S -c pass'`": (
            GUARDED,
            small,
            BARE_IN_SHELL,
            b"",
            1.3,
        ),
        "`mem hook`, 3 KB / `python -c pass`": ((MEM, "hook", "claude-code"), small, BARE, b"", 1.3),
        "lean `mem add` / `python -c pass`": ((MEM, *added), b"", BARE, b"", 2.0),
        "`mem --help` / `python -c pass`": ((MEM, "--help"), b"", BARE, b"", 8.0),
    }
    rows = []
    for name, (ours, given, other, told, hold) in pairs.items():
        found = interleaved(runner(ours, given, shell), runner(other, told, shell), ROUNDS)
        one, bare = map(middle, found)
        rows.append((name, ms(one), ms(bare), f"{one / bare:.2f}", f"{hold:g}"))
    return Section(
        "Hooks",
        "Milliseconds of a whole process, its event coming through a pipe, against the other one.",
        ("process / other process", "p50", "other p50", "ratio", "hold at most"),
        rows,
    )


def starts(place: Path, large: Path) -> Section:
    """CPU of the hooks that do more than append."""
    small, quiet, huge = place / "few.db", place / "quiet.db", place / "many.db"
    copyfile(large, huge)
    for memory in (small, quiet, huge):
        with Store.open(memory) as store:
            # Nothing is looked up of a folder that no session was in.
            store.db.execute(PLACE)
    opening = as_json({"session_id": "s", "hook_event_name": "SessionStart", "cwd": "/project-07"})
    asked = Memories().text(24, False)
    prompt = as_json({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": asked,
                      "cwd": "/project-07"})  # fmt: skip
    config = place / "config.toml"
    config.write_text("[context]\nat_prompt = true\n")
    work = place / "work"
    work.mkdir()
    with Store.open(small) as store:
        for _ in range(30):
            store.observations.add("old", title=Memories().text(12, False), type="decision", project="work")
    ending = as_json({"session_id": "e", "hook_event_name": "Stop", "cwd": str(work),
                      "last_assistant_message": "We decided to keep one queue."})  # fmt: skip
    after_end = as_json({"session_id": "s", "hook_event_name": "SessionStart", "cwd": str(work)})
    cases = {
        f"a session's start, {WAITING} tool uses waiting": (small, after_end),
        "a session's start": (quiet, opening),
        "a session's start at 100,000 memories": (huge, opening),
        "a prompt that is looked up in 100,000 memories": (huge, prompt),
    }
    rows = []
    for name, (memory, given) in cases.items():
        shell = environment(memory)
        if given is prompt:
            shell |= {"MEMTUI_CONFIG": str(config)}
        ours, bare = [], []
        if memory is small:
            # At a session's end the next one's start is prepared; under load by the job that follows.
            start(HOOK, ending, shell)
            settle(memory)
            start((MEM, "queue", "process", "--background"), b"", shell)
        for number in range(ROUNDS // 4):
            if memory is small:
                leave(shell, number)
            # A session that starts twice within seconds is told once.
            event_now = given.replace(b'"s"', b'"s-%d"' % number)
            ours.append(cpu(HOOK, event_now, shell))
            bare.append(cpu(BARE_ISOLATED, b"", shell))
        rows.append((name, ms(middle(ours)), ms(middle(ours) - middle(bare))))
    return Section(
        "Hooks that do more",
        "Milliseconds of CPU of a hook's process, and how many over `python -I -S -c pass`.",
        ("event", "CPU p50", "over bare"),
        rows,
    )


def under_lock(place: Path) -> Section:
    """Hooks while another process writes for seconds, and while none does."""
    memory = place / "locked.db"
    Store.open(memory).close()
    shell = environment(memory)
    free = hooks_for(LOCKED_SECONDS, "free", shell)
    with closing(apsw.Connection(str(memory))) as other:
        other.execute("BEGIN EXCLUSIVE")
        locked = hooks_for(LOCKED_SECONDS, "locked", shell)
        other.execute("ROLLBACK")
    with Store.open(memory) as store:
        drain(store)
        kept = int(store.db.execute("SELECT count(*) FROM prompts").get)
    rows = [
        (name, str(len(found)), ms(middle(found)), ms(max(found)), f"{max(found) / max(free):.2f}")
        for name, found in (("free", free), ("locked", locked))
    ]
    rows.append(("lost", str(len(free) + len(locked) - kept), "", "", ""))
    return Section(
        "Hooks under a lock",
        f"Milliseconds of hooks one after the other for {LOCKED_SECONDS:g} s, the database free and "
        "then held by a writer; the slowest over the slowest of the free ones; events lost.",
        ("database", "hooks", "p50", "slowest", "over free"),
        rows,
    )


def drains(place: Path) -> Section:
    """Measure how many waiting tool uses become records in a CPU second."""
    memory = place / "drained.db"
    Store.open(memory).close()
    leave(environment(memory), 0, EVENTS)
    with Store.open(memory) as store:
        began = time.process_time()
        done = drain(store)
        took = time.process_time() - began
    return Section(
        "Drain",
        "Tool uses of 3 KB from the spool to the store, indexes included: seconds of CPU.",
        ("tool uses", "quarantined", "seconds", "a second"),
        [(f"{done.stored:,}", str(done.quarantined), f"{took:.1f}", f"{done.stored / took:,.0f}")],
    )


def event(size: int, secret: str = "", *, answer: object = None, name: str = "turn") -> bytes:
    """A hook's event of about so many bytes: a prompt, or a tool use where there is an answer."""
    # A dozen of these words after "backup" look like a seed phrase, which prose hardly ever does.
    text = Memories().text(size // 6, False).replace("backup", "restore")[: size - 200]
    head = {"session_id": "s-1", "hook_event_name": "UserPromptSubmit", "prompt_id": name}
    if answer is not None:
        head |= {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": name}
        return as_json({**head, "tool_input": {"command": text}, "tool_response": answer})
    return as_json({**head, "prompt": f"{name} {text} {secret}"})


def tool_use(number: int) -> bytes:
    """The event of a command like no other, with an output of about 3 KB of lines."""
    made = Memories()
    lines = "\n".join(made.text(12, False) for _ in range(36))
    event: dict[str, object] = {
        "session_id": "s-1",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_use_id": f"use-{number}",
        "tool_input": {"command": f"cd src && pytest -q tests/{number}.py -k token"},
        "tool_response": {"stdout": f"{number} {lines}", "stderr": "", "interrupted": False},
    }
    return as_json(event)


def leave(shell: dict[str, str], number: int, uses: int = WAITING) -> None:
    """Have so many tool uses wait in the spool, the `number`th time others than before: what a hook leaves
    of one, by other names."""
    start(HOOK, tool_use(number), shell)
    memory = Path(shell["MEMTUI_DB"])
    settle(memory)
    segment = max(Path(f"{memory}-spool").glob("*.jsonl"))
    line = segment.read_bytes().splitlines()[-1]
    with segment.open("ab") as file:
        for use in range(1, uses):
            again = line.replace(b"use-", b"use-%d-" % use).replace(b"tests/", b"tests/%d-" % use)
            file.write(again + b"\n")


def as_json(told: Mapping[str, object]) -> bytes:
    """An event as agents write it."""
    return json.dumps(told, ensure_ascii=False).encode()


def runner(command: Sequence[str], given: bytes, shell: dict[str, str]) -> Callable[[], object]:
    """What runs a process to its end."""
    return lambda: start(command, given, shell)


def start(command: Sequence[str], given: bytes, shell: dict[str, str]) -> None:
    """Run a process that reads these bytes from a pipe."""
    subprocess.run(
        command, input=given, env=shell, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
    )


def cpu(command: Sequence[str], given: bytes, shell: dict[str, str]) -> float:
    """The CPU time of a process, in ms."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start(command, given, shell)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used * 1_000


def hooks_for(seconds: float, name: str, shell: dict[str, str]) -> list[float]:
    """How long hooks took that ran one after the other for so long; ms."""
    found: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        given = event(3_000, name=f"{name} {len(found)}")
        began = time.perf_counter()
        start(HOOK, given, shell)
        found.append((time.perf_counter() - began) * 1_000)
    return found
