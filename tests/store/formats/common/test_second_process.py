"""A second process that works ahead gives what this one would give, and ends with the block."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.store.formats.common import second_process
from memtui.store.formats.common.report import Progress
from memtui.store.formats.common.second_process import working_ahead

MANY = 20


def numbers(place: str = "") -> Iterator[tuple[int, int]]:
    """Numbers, each with the id of the process that made it."""
    for number in range(MANY):
        yield number, os.getpid()


def printing() -> Iterator[str]:
    """An item amid words on the standard output."""
    print("a word")
    os.write(1, b"another")
    yield "item"
    print("a last word", flush=True)


def dying() -> Iterator[tuple[int, int]]:
    """Numbers until the process is killed, as one is that takes too much memory."""
    for number, process in numbers():
        if number == 7:
            os.kill(process, signal.SIGKILL)
        yield number, process


def failing() -> Iterator[tuple[int, int]]:
    """Numbers until an error."""
    yield from list(numbers())[:3]
    raise ValueError("odd")


def telling(progress: Progress) -> Iterator[int]:
    """Numbers, telling before each how many there are; the process dies before the last."""
    for number in range(3):
        progress(number, 3, "numbers")
        if number == 2 and "serve" in " ".join(sys.orig_argv):
            os.kill(os.getpid(), signal.SIGKILL)
        yield number


def endless() -> Iterator[bytes]:
    """More than anybody reads; each item begins with the id of the process."""
    while True:
        yield os.getpid().to_bytes(8, "big") + bytes(1 << 20)


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be two processors wherever this runs."""
    monkeypatch.setattr(second_process, "processors", lambda: 2)


def is_running(process: int) -> bool:
    """Whether there is a process of this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_second_process_makes_them_in_order_and_is_gone_afterwards() -> None:
    with working_ahead(numbers, numbers, "there") as items:
        found = list(items)
    assert [number for number, _ in found] == list(range(MANY))
    (process,) = {process for _, process in found}
    assert process != os.getpid()
    assert not is_running(process)


def test_on_one_processor_this_process_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_process, "processors", lambda: 1)
    with working_ahead(numbers, numbers) as items:
        assert list(items) == [(number, os.getpid()) for number in range(MANY)]


@pytest.mark.parametrize("program", ["", "/nowhere/python", "/bin/false", "/bin/cat", "/bin/true"])
def test_where_none_can_be_started_this_process_makes_them(
    monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    with working_ahead(numbers, numbers) as items:
        assert list(items) == [(number, os.getpid()) for number in range(MANY)]


@pytest.mark.parametrize(("there", "made"), [(dying, range(7)), (failing, range(3))])
def test_what_one_that_ends_too_early_has_left_is_made_here(there: object, made: range) -> None:
    with working_ahead(numbers, there) as items:  # type: ignore[arg-type]
        found = list(items)
    assert [number for number, _ in found] == list(range(MANY))
    theirs = [number for number, process in found if process != os.getpid()]
    assert theirs == list(made)[: len(theirs)]


def test_what_it_prints_does_not_come_between(capfd: pytest.CaptureFixture[str]) -> None:
    with working_ahead(lambda: iter(()), printing) as items:
        assert list(items) == ["item"]
    assert capfd.readouterr().out == ""


def test_it_ends_with_a_block_that_leaves_items_unread() -> None:
    children = set_of_children()
    with pytest.raises(KeyboardInterrupt), working_ahead(lambda: iter(()), endless) as items:
        next(items)
        assert set_of_children() > children
        raise KeyboardInterrupt
    assert set_of_children() == children


def test_how_far_it_has_come_is_told_between_the_items_and_is_none_of_them() -> None:
    events: list[object] = []

    def progress(*step: object) -> None:
        events.append(step)

    with working_ahead(lambda: iter(range(3)), telling, progress=progress) as items:
        events.extend(items)
    assert events[:4] == [(0, 3, "numbers"), 0, (1, 3, "numbers"), 1]
    assert [event for event in events if isinstance(event, int)] == [0, 1, 2]


def test_what_progress_raises_ends_the_second_process() -> None:
    before = set_of_children()

    def stop(*step: object) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError), working_ahead(lambda: iter(()), telling, progress=stop) as items:
        next(items)
    assert set_of_children() == before


LEFT = """
import os, signal
from memtui.store.formats.common import second_process
from tests.store.formats.common.test_second_process import endless
second_process.processors = lambda: 2
with second_process.working_ahead(lambda: iter(()), endless) as items:
    print(int.from_bytes(next(items)[:8], "big"), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="this system has no such files")
def test_it_ends_when_the_first_one_is_killed() -> None:
    path = os.pathsep.join([str(Path.cwd()), *sys.path])
    killed = subprocess.run(
        [sys.executable, "-c", LEFT],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    try:
        left = os.pidfd_open(int(killed.stdout))
    except ProcessLookupError:
        return
    try:
        assert select.select([left], [], [], 60)[0]
    finally:
        os.close(left)


def set_of_children() -> set[str]:
    """The processes that this one has started and that have not been waited for."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    if not listed.exists():
        pytest.skip("this system doesn't list children")
    return set(listed.read_text().split())
