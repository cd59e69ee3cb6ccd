"""A file is replaced whole or not at all, and what others write to it meanwhile is kept."""

import multiprocessing
import os
import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.store.database.files import atomic, replacing
from memtui.store.database.files.replacing import FileState, put, read_state
from memtui.store.platform import processes as system
from memtui.store.platform.errors import FileConflictError
from tests.sizes import sizes
from tests.tables import table

NEW = FileState()
PROCESSES = multiprocessing.get_context("fork")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(b"one\r\ntwo\nthree")
    path.chmod(0o640)
    return path


def names(path: Path) -> list[str]:
    return sorted(item.name for item in path.parent.iterdir())


def test_a_file_gets_new_content_and_keeps_its_mode(file: Path) -> None:
    before = file.read_bytes()
    assert put(file, before, b"other", NEW) == b"other"
    assert file.read_bytes() == b"other"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(file) == ["CLAUDE.md"]


def test_mode_and_time_are_set_where_they_are_named(file: Path) -> None:
    state = FileState(None, 0o600, 123_456_789_012_345_678)
    put(file, file.read_bytes(), b"other", state)
    assert file.stat().st_mtime_ns == state.mtime_ns
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_is_made_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "new.md"
    put(path, None, b"text", FileState(mode=0o644))
    assert read_state(path)[1] == b"text"
    put(path, b"text", None, NEW)
    assert names(path) == []


def test_nothing_is_made_over_what_is_there(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(FileConflictError):
        put(file, None, b"text", NEW)
    assert file.read_bytes() == before


def test_what_was_changed_is_not_removed(file: Path) -> None:
    with pytest.raises(FileConflictError):
        put(file, b"as it was shown", None, NEW)
    assert file.read_bytes() == b"one\r\ntwo\nthree"
    assert names(file) == ["CLAUDE.md"]


def test_what_others_wrote_since_is_merged(file: Path) -> None:
    shown = file.read_bytes()
    file.write_bytes(b"zero\n" + shown)
    assert put(file, shown, shown + b"!", NEW) == b"zero\none\r\ntwo\nthree!"
    assert file.read_bytes() == b"zero\none\r\ntwo\nthree!"


def test_where_both_changed_a_line_theirs_stays_and_both_are_told(file: Path) -> None:
    shown = file.read_bytes()
    theirs = shown.replace(b"two", b"2")
    file.write_bytes(theirs)
    with pytest.raises(FileConflictError) as error:
        put(file, shown, shown.replace(b"two", b"zwei"), NEW)
    assert (error.value.ours, error.value.theirs) == (b"one\r\nzwei\nthree", theirs)
    assert file.read_bytes() == theirs
    assert names(file) == ["CLAUDE.md"]


def test_a_link_is_not_followed(tmp_path: Path, file: Path) -> None:
    link = tmp_path / "link.md"
    link.symlink_to(file)
    with pytest.raises(OSError):
        put(link, file.read_bytes(), b"other", NEW)
    assert link.is_symlink()
    assert file.read_bytes() == b"one\r\ntwo\nthree"


def test_another_name_of_a_file_shows_the_same(tmp_path: Path, file: Path) -> None:
    other = tmp_path / "AGENTS.md"
    os.link(file, other)
    put(file, file.read_bytes(), b"text", FileState(None, 0o600, 5_000_000_000))
    assert other.read_bytes() == b"text"
    assert other.stat().st_ino == file.stat().st_ino
    assert (other.stat().st_mtime_ns, stat.S_IMODE(other.stat().st_mode)) == (5_000_000_000, 0o600)


def written_between(monkeypatch: pytest.MonkeyPatch, write: Callable[[], object]) -> None:
    """Have something be written when two names are about to be exchanged, once."""
    exchange = system.exchange
    left = [write]

    def late(one: Path, other: Path) -> None:
        if left:
            left.pop()()
        exchange(one, other)

    monkeypatch.setattr(replacing, "exchange", late)


def test_what_is_written_at_the_last_moment_is_merged(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = file.read_bytes()

    def replace() -> None:
        other = file.with_name("other")
        other.write_bytes(b"zero\n" + shown)
        other.replace(file)

    written_between(monkeypatch, replace)
    assert put(file, shown, shown + b"!", NEW) == b"zero\none\r\ntwo\nthree!"
    assert file.read_bytes() == b"zero\none\r\ntwo\nthree!"


def test_what_is_written_to_a_line_at_the_last_moment_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = file.read_bytes()
    written_between(monkeypatch, lambda: file.write_bytes(b"theirs"))
    with pytest.raises(FileConflictError):
        put(file, shown, b"ours", NEW)
    assert file.read_bytes() == b"theirs"
    assert names(file) == ["CLAUDE.md"]


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    """What another program does: it reads a file, and renames another one over it."""
    other = path.with_name("other")
    other.write_bytes(change(path.read_bytes()))
    other.replace(path)


def in_line(number: int, text: bytes) -> Callable[[bytes], bytes]:
    """A change of one line of a file."""

    def change(content: bytes) -> bytes:
        lines = content.splitlines()
        lines[number] = text
        return b"\n".join([*lines, b""])

    return change


def ending(text: bytes) -> Callable[[bytes], bytes]:
    return lambda content: content + text


WROTE = b"1\n2\ntheirs\n4\n5\n"


@table(
    ("changes", "left", "displaced"),
    [
        # Made by another program before the first exchange, behind it, before the second, and so on.
        ([in_line(2, b"theirs")], WROTE, []),
        ([in_line(2, b"theirs"), ending(b"6\n")], WROTE + b"6\n", []),
        ([in_line(2, b"theirs"), in_line(0, b"0")], WROTE.replace(b"1", b"0"), []),
        ([in_line(2, b"theirs"), lambda _: WROTE + b"6\n"], WROTE + b"6\n", []),
        ([in_line(2, b"theirs"), ending(b"6\n"), ending(b"7\n")], WROTE + b"6\n7\n", []),
        ([in_line(2, b"theirs"), in_line(2, b"again")], WROTE.replace(b"theirs", b"again"), [WROTE]),
        ([in_line(0, b"0"), in_line(0, b"00")], b"00\n2\nours\n4\n5\n", [b"0\n2\n3\n4\n5\n"]),
        ([in_line(2, b"theirs"), bytes, ending(b"6\n")], WROTE + b"6\n", []),
        ([in_line(2, b"theirs"), bytes, in_line(2, b"again")], WROTE.replace(b"theirs", b"again"), [WROTE]),
        ([in_line(2, b"theirs"), bytes, in_line(2, b"again"), in_line(2, b"more")],
         WROTE.replace(b"theirs", b"more"), [WROTE, WROTE.replace(b"theirs", b"again")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_rewritten", [True, False])
def test_nothing_that_others_write_while_theirs_is_put_back_is_lost(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    changes: list[Callable[[bytes], bytes]],
    left: bytes,
    displaced: list[bytes],
    is_rewritten: bool,
) -> None:
    exchange, waiting = system.exchange, list(changes)

    def wrote() -> None:
        if waiting and is_rewritten:
            rewrite(file, waiting.pop(0))
        elif waiting:
            file.write_bytes(waiting.pop(0)(file.read_bytes()))

    def between(one: Path, other: Path) -> None:
        wrote()
        exchange(one, other)
        wrote()

    monkeypatch.setattr(replacing, "exchange", between)
    file.write_bytes(b"1\n2\n3\n4\n5\n")
    with pytest.raises(FileConflictError) as error:
        put(file, file.read_bytes(), b"1\n2\nours\n4\n5\n", NEW)
    assert file.read_bytes() == left
    assert [*error.value.displaced] == displaced
    assert names(file) == ["CLAUDE.md"]


def test_what_is_made_while_a_file_is_removed_stays_beside_what_was_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, read = file.read_bytes(), replacing._read_when_closed

    def made_anew(path: Path) -> tuple[bytes | None, bool]:
        file.write_bytes(b"new")
        path.write_bytes(b"theirs")
        return read(path)

    monkeypatch.setattr(replacing, "_read_when_closed", made_anew)
    with pytest.raises(FileConflictError) as error:
        put(file, shown, None, NEW)
    assert file.read_bytes() == b"new"
    assert error.value.displaced == (b"theirs",)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a file open")
def test_who_keeps_a_file_open_writes_on_to_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacing, "PATIENCE_SECONDS", 0.01)
    with PROCESSES.Pool(1) as pool, file.open("ab", buffering=0):
        put(file, file.read_bytes(), b"ours\n", NEW)
        assert pool.apply(file.read_bytes) == b"ours\n"


def append(path: Path, count: int) -> None:
    """What another program does: it adds lines, in place and by replacing the file in turn."""
    for number in range(count):
        line = f"theirs {number}\n".encode()
        if number % 2:
            with path.open("ab") as file:
                file.write(line)
            continue
        while True:
            with path.open("r+b") as file:
                before = file.read()
                file.seek(0)
                file.write(line + before)
            if line in path.read_bytes():
                break


@sizes("races", 20, 400)
def test_no_line_is_lost_beside_a_program_that_rewrites_the_file(tmp_path: Path, races: int) -> None:
    path = tmp_path / "MEMORY.md"
    middle = b"".join(b"line %d\n" % number for number in range(40))
    path.write_bytes(middle)
    other = PROCESSES.Process(target=append, args=(path, races))
    other.start()
    written = 0
    while other.is_alive() or written < races // 2:
        shown = path.read_bytes()
        ours = shown.replace(b"line 20\n", b"line 20\nours %d\n" % written)
        try:
            put(path, shown, ours, NEW)
        except FileConflictError:
            continue
        written += ours != shown
    other.join()
    lines = path.read_bytes().splitlines()
    assert other.exitcode == 0
    assert {b"theirs %d" % number for number in range(races)} <= {*lines}
    assert {b"ours %d" % number for number in range(written)} <= {*lines}
    assert names(path) == ["MEMORY.md"]


def write_for_ever(path: Path, ready: Any) -> None:
    ready.set()
    contents = [b"a" * 50_000, b"b" * 50_000]
    for number in range(1_000_000):
        put(path, contents[number % 2], contents[(number + 1) % 2], NEW)


@sizes("kills", 10, 100)
def test_who_is_killed_leaves_the_old_or_the_new_and_what_the_next_sweeps(
    tmp_path: Path, kills: int
) -> None:
    path = tmp_path / "CLAUDE.md"
    for number in range(kills):
        path.write_bytes(b"a" * 50_000)
        ready = PROCESSES.Event()
        writer = PROCESSES.Process(target=write_for_ever, args=(path, ready))
        writer.start()
        ready.wait()
        writer.join(number % 50 / 10_000)
        os.kill(writer.pid or 0, signal.SIGKILL)
        writer.join()
        assert path.read_bytes() in (b"a" * 50_000, b"b" * 50_000)
        atomic.sweep(path)
        assert names(path) == ["CLAUDE.md"]
