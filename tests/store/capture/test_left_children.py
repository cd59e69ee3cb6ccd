"""A hook leaves at once: what it leaves behind cleans and stores the event, whatever becomes of others."""

import json
import os
import posix
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.hook_process import CHILD
from memtui.store.capture.hook_process.main import MOST_CHILDREN, REAPED_SECONDS, can_leave
from memtui.store.capture.ingest.spool import lost_events, settle
from memtui.store.capture.ingest.spool_files import wait_for_hooks
from memtui.store.platform.paths import TICKET
from tests.promises import promise

from .ended_sessions import spool_event
from .hooks import SCRIPT, Ended, Machine, Start, files_below, outlived, prompt, session_start

SECRET = "gh" + "p_" + "a1B2" * 9
LONG = 30.0
LOWEST = 19
"""The lowest priority that a process can have."""
MEM = str(Path(sys.executable).with_name("mem"))


def event_of(text: str) -> bytes:
    return json.dumps(prompt(text)).encode()


def written(machine: Machine) -> bytes:
    """What stands in the segments of the spool."""
    return b"".join(path.read_bytes() for path in sorted(machine.spool.glob("*.jsonl")))


def tickets(machine: Machine) -> list[str]:
    return sorted(path.name for path in machine.spool.glob(f"*{TICKET.decode()}"))


@contextmanager
def held_back(machine: Machine) -> Iterator[Path]:
    """Let no child write: an event that was handed over before theirs is still on its way."""
    machine.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = machine.spool / f"{1:020}-1{TICKET.decode()}"
    os.mkfifo(path)
    file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
        os.close(file)


def waiting_child(held: Path) -> int:
    """The process that waits for an event that was handed over before its own: it has cleaned that."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs Linux's /proc, which tells what files a process has open")
    while True:
        for process in Path("/proc").glob("[0-9]*"):
            try:
                files = [file.readlink() for file in (process / "fd").iterdir()]
            except OSError:
                continue
            if held in files and int(process.name) != os.getpid():
                return int(process.name)
        os.sched_yield()


@promise("hook-never-blocks")
def test_an_agent_that_reads_its_pipes_to_the_end_does_not_wait_for_the_child(machine: Machine) -> None:
    with held_back(machine):
        assert machine.leave(Start(event_of(f"with {SECRET}"))) == Ended(0, b"", b"")
        assert written(machine) == b""
    assert settle(machine.database, LONG)
    assert b"with [redacted github-token" in written(machine)
    assert tickets(machine) == []


@promise("spool-exactly-once")
@pytest.mark.parametrize("leads", [True, False], ids=["a group of its own", "in a shell's group"])
def test_a_child_outlives_the_process_group_of_its_agent(machine: Machine, leads: bool) -> None:
    hook = [sys.executable, "-I", "-S", str(SCRIPT), "claude-code"]
    command = hook if leads else ["sh", "-c", '"$@"; :', "sh", *hook]
    with held_back(machine) as held:
        agent = subprocess.Popen(
            command, stdin=subprocess.PIPE, env=machine.environment(), start_new_session=True
        )
        agent.communicate(event_of("of a group that ends"))
        try:
            os.killpg(agent.pid, signal.SIGKILL)
        except ProcessLookupError:
            assert agent.returncode == 0
        child = waiting_child(held)
        assert os.getsid(child) != os.getsid(0)
        assert os.getpgid(child) != agent.pid
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, child) > min(own, LOWEST - 1)
        limits = Path(f"/proc/{child}/limits").read_text().splitlines()
        assert [line.split()[4:6] for line in limits if "core" in line] in ([["0", "0"]], [["1", "1"]])
    machine.drained()
    assert machine.prompts() == ["of a group that ends"]


@promise("private-never-findable")
def test_a_child_that_is_killed_leaves_nothing_and_holds_up_nobody(machine: Machine) -> None:
    with held_back(machine) as held:
        machine.leave(Start(event_of(f"killed {SECRET}")))
        os.kill(waiting_child(held), signal.SIGKILL)
        machine.leave(Start(event_of("behind it")))
    machine.drained()
    assert machine.prompts() == ["behind it"]
    assert tickets(machine) == []
    assert not any(SECRET.encode() in content for _, content in files_below(machine.folder))


@promise("spool-exactly-once")
def test_events_are_written_in_the_order_in_which_they_were_handed_over(machine: Machine) -> None:
    texts = ["first " + "x1 " * 60_000, *(f"then {number}" for number in range(6))]
    with outlived() as file:
        for text in texts:
            assert machine.leave(Start(event_of(text)), file).code == 0
    machine.drained()
    assert [text[:6] for text in machine.prompts()] == [text[:6] for text in texts]


@promise("hook-never-blocks")
def test_an_agent_does_not_wait_for_what_is_made_of_an_ended_session(machine: Machine) -> None:
    common = {"session_id": "s-1", "cwd": str(machine.folder / "project")}
    machine.hook(prompt("why does the clock drift?"))
    stop = {"hook_event_name": "Stop", "last_assistant_message": "The root cause was the leap table."}
    spool_event(machine, "claude-code", common | stop)
    with held_back(machine):
        end = common | {"hook_event_name": "SessionEnd", "reason": "exit"}
        assert machine.leave(Start(json.dumps(end).encode())) == Ended(0, b"", b"")
        assert not machine.database.exists() and len(tickets(machine)) == 2
    assert settle(machine.database, LONG)
    # Whoever waits for the event has waited for all of it.
    assert tickets(machine) == []
    with Store.open(machine.database, read_only=True) as store:
        assert [one.status for one in store.sessions.where("true")] == ["completed"]
        assert len(store.summaries.recent()) == 2


@promise("hook-never-blocks")
def test_an_agent_does_not_wait_for_what_is_stored_at_a_turn_s_end(machine: Machine) -> None:
    common = {"session_id": "s-1", "cwd": str(machine.folder / "project")}
    machine.hook(common | prompt("why does the clock drift?"))
    assert not machine.database.exists()
    stop = {"hook_event_name": "Stop", "last_assistant_message": "The root cause was the leap table."}
    with held_back(machine):
        assert machine.leave(Start(json.dumps(common | stop).encode())) == Ended(0, b"", b"")
        assert not machine.database.exists() and len(tickets(machine)) == 2
    assert settle(machine.database, LONG)
    with Store.open(machine.database, read_only=True) as store:
        assert [one.status for one in store.sessions.where("true")] == ["active"]
        assert len(store.summaries.recent()) == 2


def test_a_search_right_after_an_event_finds_it(machine: Machine) -> None:
    machine.remember("something else")
    assert machine.leave(Start(event_of("the marzipan is handed over"))).code == 0
    done = subprocess.run(
        [MEM, "search", "marzipan"], env=machine.environment(), capture_output=True, check=True
    )
    assert b"marzipan" in done.stdout


def test_a_start_of_a_session_knows_what_was_handed_over_before(machine: Machine) -> None:
    machine.remember("a lesson")
    project = {"cwd": str(machine.folder / "project")}
    edited = {
        "session_id": "s-1", "hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "t-1",
        "tool_input": {"file_path": "auth.py", "old_string": "a = 1", "new_string": "b = 2"},
        "tool_response": {"filePath": "auth.py"}, **project,
    }  # fmt: skip
    machine.leave(Start(json.dumps(edited).encode()))
    opened = machine.leave(Start(json.dumps(session_start("s-2") | project).encode()))
    assert b"auth.py" in opened.out


def test_waiting_has_an_end(machine: Machine) -> None:
    with held_back(machine):
        assert not settle(machine.database, 0.01)
        assert not wait_for_hooks(bytes(machine.spool), 0.01)
        assert wait_for_hooks(bytes(machine.spool), 0.01, b"0")
    assert settle(machine.database, LONG)


WITHOUT_FORK = """
import posix, runpy, sys
del posix.fork
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_where_nothing_can_be_left_behind_the_event_is_stored_before_the_hook_ends(
    machine: Machine,
) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", WITHOUT_FORK, str(SCRIPT), "claude-code"],
        input=event_of(f"at once {SECRET}"),
        env=machine.environment(),
        capture_output=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert b"at once [redacted github-token" in written(machine)


def test_a_child_that_nobody_waits_for_is_the_last(machine: Machine) -> None:
    machine.spool.mkdir(mode=0o700, parents=True)
    reading, writing = os.pipe()
    ended = os.fork()
    if ended == 0:
        posix._exit(0)
    os.close(writing)
    # At its end of the pipe it is a process that has ended and is still there.
    os.read(reading, 1)
    os.close(reading)
    os.waitid(os.P_PID, ended, os.WEXITED | os.WNOWAIT)
    note = machine.spool / f"{ended}{CHILD.decode()}"
    note.touch()
    spool = bytes(machine.spool)
    assert can_leave(spool, is_answered=True)
    long_ago = time.time() - 2 * REAPED_SECONDS
    os.utime(note, (long_ago, long_ago))
    assert not can_leave(spool, is_answered=True)
    os.waitpid(ended, 0)
    assert can_leave(spool, is_answered=True)
    machine.hook(prompt("and so on"))
    assert not note.exists()


def test_a_hook_leaves_no_more_children_than_a_machine_bears(machine: Machine) -> None:
    machine.spool.mkdir(mode=0o700, parents=True)
    for number in range(MOST_CHILDREN + 1):
        assert can_leave(bytes(machine.spool), is_answered=True)
        os.mkfifo(machine.spool / f"{number:020}-1{TICKET.decode()}")
    assert machine.leave(Start(event_of("one more"))).code == 0
    assert b"one more" in written(machine)
    assert tickets(machine) == []


def test_what_is_excluded_is_not_answered_either(machine: Machine) -> None:
    machine.remember("a lesson")
    machine.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    (machine.spool / "excluded").write_text("project\n")
    told = session_start("s-1") | {"cwd": str(machine.folder / "project")}
    assert machine.run(Start(json.dumps(told).encode())) == Ended(0, b"", b"")
    assert written(machine) == b""
    assert lost_events(machine.database) == 0
