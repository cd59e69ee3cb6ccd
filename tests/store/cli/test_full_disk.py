"""Where nothing more can be written, reading goes on, writing is refused in a sentence that names the
disk, and what was acknowledged stays."""

import json
import multiprocessing
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.platform.paths import make_spool_directory
from tests.promises import Tally, promise
from tests.store.full_disk import full_disk

from .runner import Mem

READING = [
    "search drift", "search --json drift", "show 1", "timeline 1", "session list", "fact list",
    "note list", "stats", "export jsonl -", "context", "queue list",
]  # fmt: skip
SIZES = (0, 2_048, 40_000, 400_000)
"""Bytes that a file may have: none, less than a page of the log, more than its index, and much."""
WRITING = ["add x", "fact add x", "note put a b", "pin 1", "delete 1", "undo", "rebuild"]


@pytest.fixture
def memory(tmp_path: Path, mem: Mem) -> Mem:
    """A memory with an event that waits."""
    path = tmp_path / "full" / "memory.db"
    with Store.open(path) as store:
        for number in range(20):
            store.observations.add("c-1", title=f"drift {number}", narrative="clock " * 200)
        store.facts.add("clocks drift", entities=["NTP"])
        store.notes.upsert("MEMORY.md", "# Atlas")
        store.observations.pin(3)
    spool = make_spool_directory(path)
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "waits here"}
    line = '{"at":1790000000000,"took":9,"agent":"claude-code","env":[],"cwd":"/tmp","event":%s}'
    (spool / "2026-01-01.jsonl").write_text("\n" + line % json.dumps(event) + "\n")
    (spool / "2026-01-01.jsonl").chmod(0o600)
    return Mem(path, mem.folder)


def limited(memory: Mem, command: str, size: int) -> tuple[int, str, str]:
    """Run a command in a process whose files may not grow beyond a size; its exit code and what it
    printed on stdout and stderr."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()

    def run() -> None:
        with full_disk(size):
            result = memory(*command.split())
        theirs.send((result.exit_code, result.stdout, result.stderr))

    process = context.Process(target=run)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        process.start()
    assert ours.poll(60), "it goes on without end"
    answer: tuple[int, str, str] = ours.recv()
    process.join(60)
    assert process.exitcode == 0
    return answer


@promise("full-disk")
@pytest.mark.parametrize("command", READING)
@pytest.mark.sampled
def test_reading_goes_on(memory: Mem, command: str, tally: Tally) -> None:
    wrong = []
    for size in SIZES:
        code, _, err = limited(memory, command, size)
        if code or "Traceback" in err:
            wrong.append((size, code, err))
    tally(tried=len(SIZES), failed=len(wrong))
    assert not wrong
    # Nothing that waited was lost by the tries.
    assert "waits here" in memory.ok("search", "waits")


@promise("full-disk")
@pytest.mark.parametrize("command", WRITING)
@pytest.mark.sampled
def test_writing_is_refused_in_a_sentence_and_breaks_nothing(
    memory: Mem, command: str, tally: Tally
) -> None:
    wrong = []
    for size in SIZES:
        with Store.open(memory.db) as store:
            before = store.stats().observations
        code, out, err = limited(memory, command, size)
        is_told = code == 0 or str(memory.db) in err or "nothing to undo" in err
        with Store.open(memory.db) as store:
            is_sound = store.doctor(thorough=True).ok
            if command == "add x":
                # What was acknowledged is there.
                is_sound &= store.stats().observations >= before + (code == 0)
        if not is_told or not is_sound or "Traceback" in err or "Error" in err:
            wrong.append((size, code, out, err))
    tally(tried=len(SIZES), failed=len(wrong))
    assert not wrong
    assert "waits here" in memory.ok("search", "waits")


@pytest.mark.long
def test_a_reader_answers_beside_a_lock_where_nothing_can_be_written(memory: Mem) -> None:
    with closing(apsw.Connection(str(memory.db))) as other:
        other.execute("BEGIN IMMEDIATE")
        for command in (*READING, "doctor"):
            for size in (0, 40_000):
                code, out, err = limited(memory, command, size)
                assert code == (command == "doctor"), (command, size, out, err)
                assert "Traceback" not in err
