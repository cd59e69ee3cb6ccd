"""An event is read as long as it comes, and no longer than an agent may be kept waiting."""

import json
from dataclasses import dataclass, field

import pytest

from memtui.store.capture.hook_process import main
from tests.promises import promise

EVENT = json.dumps({"prompt": "fix the parser"}).encode()
LATEST = 0.6
"""Seconds after which nothing may be waited for: what follows needs the rest of 700 ms."""


@dataclass
class Pipe:
    """A pipe into which bytes come at their times, in seconds, and the clock that tells them."""

    chunks: list[tuple[float, bytes]]
    is_closed: bool = False
    now: float = field(default=0.0, init=False)

    def read(self, _file: int, _size: int) -> bytes:
        """The next bytes that are there; b"" at the end."""
        if self.chunks and self.chunks[0][0] <= self.now:
            return self.chunks.pop(0)[1]
        if self.is_closed and not self.chunks:
            return b""
        raise BlockingIOError

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def read(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> bytes | None:
    monkeypatch.setattr(main, "posix", pipe)
    monkeypatch.setattr(main, "time", pipe)
    return main.read_pipe(0.0)


@promise("hook-never-blocks")
def test_an_event_that_comes_late_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read(Pipe([(0.5, EVENT)], is_closed=True), monkeypatch) == EVENT


@promise("hook-never-blocks")
def test_an_event_in_pieces_is_read_while_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [(0.35 + place * 0.002, EVENT[place : place + 1]) for place in range(len(EVENT))]
    for is_closed in (True, False):
        pipe = Pipe(list(pieces), is_closed=is_closed)
        assert read(pipe, monkeypatch) == EVENT
        assert pipe.now < LATEST


@promise("hook-never-blocks")
def test_a_pipe_that_stays_open_is_left_when_the_event_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = Pipe([(0.0, EVENT)])
    assert read(pipe, monkeypatch) == EVENT
    assert pipe.now < 0.1


@promise("hook-never-blocks")
def test_half_an_event_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = Pipe([(0.0, EVENT[:10])])
    assert read(pipe, monkeypatch) == EVENT[:10]
    assert pipe.now < LATEST


@promise("hook-never-blocks")
def test_bytes_without_end_are_not_read_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = Pipe([(place * 0.05, b" ") for place in range(1_000)])
    assert read(pipe, monkeypatch)
    assert pipe.now < LATEST


@promise("hook-never-blocks")
def test_nothing_at_all_is_told_from_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Pipe([])
    assert read(silent, monkeypatch) is None
    assert silent.now < LATEST
    assert read(Pipe([], is_closed=True), monkeypatch) == b""


@promise("hook-never-blocks")
def test_an_event_without_end_is_read_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Pipe):
        def read(self, _file: int, _size: int) -> bytes:
            self.now += 0.01
            return b"x"

    pipe = Endless([])
    assert read(pipe, monkeypatch)
    assert pipe.now < 1.1
