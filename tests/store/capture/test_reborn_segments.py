"""A segment that is cut, replaced, copied, moved or written anew loses no event and doubles none."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from memtui.store import Store
from memtui.store.capture.health import capture_checks

from ...promises import Tally, promise
from ...sizes import sizes
from .hooks import Machine, prompt
from .spooled_events import SpooledEvents

APART = 5_000
"""Between two events, in ms: of equal text within two seconds they would be one."""

TEXTS = ("fix the parser", "and the lexer", "x" * 900, "缓存")

PLACES = [None, *(place for place in ("/dev/shm",) if os.access(place, os.W_OK))]
"""Where files are: tmpfs numbers them otherwise than disks do."""

HAPPENINGS = (
    "drain", "drain", "drain", "interrupt", "scrub", "cut", "remove", "keep_copy", "restore_copy",
    "rename", "move_all", "keep_memory", "restore_memory",
)  # fmt: skip


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A directory on a disk, where the next file soon has the inode of one that was removed."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def segment_of(machine: Machine) -> Path:
    """The one file of the spool."""
    (found,) = machine.spool.glob("*.jsonl")
    return found


@promise("acknowledged-survives")
def test_a_spool_that_was_removed_and_written_again_on_the_same_day_is_read(machine: Machine) -> None:
    for number in range(3):
        machine.hook(*(prompt(f"round {number} event {one}") for one in range(2)))
        assert machine.drained().stored == 2
        shutil.rmtree(machine.spool)
    assert len(machine.prompts()) == 6


def test_a_file_of_the_same_inode_is_read_if_its_content_is_another(machine: Machine) -> None:
    machine.hook(prompt("before"))
    machine.drained()
    segment = segment_of(machine)
    inode = segment.stat().st_ino
    text = segment.read_bytes().replace(b"before", b"behind").replace(b'"took":', b'"took":7')
    segment.write_bytes(text)
    assert segment.stat().st_ino == inode
    assert machine.drained().stored == 1
    assert machine.prompts() == ["before", "behind"]


@promise("power-cut")
def test_a_segment_that_was_cut_and_written_on_is_read_from_its_beginning(machine: Machine) -> None:
    machine.hook(prompt("kept"), prompt("cut off later"))
    machine.drained()
    segment = segment_of(machine)
    os.truncate(segment, segment.stat().st_size - 40)
    machine.hook(prompt("written on"), prompt("and on"))
    done = machine.drained()
    assert (done.stored, done.recognised, done.quarantined) == (2, 2, 0)
    assert machine.prompts() == ["kept", "cut off later", "written on", "and on"]


def test_the_doctor_says_when_a_segment_was_read_anew(machine: Machine) -> None:
    def told() -> str:
        with Store.open(machine.database) as store:
            return " ".join(f"{one.name}: {one.found}" for one in capture_checks(store))

    machine.hook(prompt("first"), prompt("second"))
    machine.drained()
    assert "anew" not in told()
    segment = segment_of(machine)
    os.truncate(segment, 20)
    machine.hook(prompt("third"))
    machine.drained()
    assert f"{segment} " in told()
    assert "read again" in told()


def test_a_copy_is_not_read_again(machine: Machine) -> None:
    machine.hook(prompt("first"), prompt("second"))
    machine.drained()
    aside = machine.spool.with_name("aside")
    shutil.copytree(machine.spool, aside)
    shutil.rmtree(machine.spool)
    aside.rename(machine.spool)
    machine.hook(prompt("third"))
    done = machine.drained()
    assert (done.stored, done.recognised) == (1, 0)
    assert machine.prompts() == ["first", "second", "third"]


def test_what_an_older_version_stored_is_not_stored_again(machine: Machine) -> None:
    machine.hook(prompt("first"), prompt("second"))
    machine.drained()
    segment = segment_of(machine)
    status = segment.stat()
    key = f"{segment.name}:{status.st_dev}:{status.st_ino}"
    with Store.open(machine.database) as store, store.transaction():
        store.db.execute("DELETE FROM spool_lines")
        store.db.execute("DELETE FROM captured_events")
        store.db.execute("DELETE FROM spool_segments")
        sql = "INSERT INTO spool_segments (segment, stored) VALUES (?, ?)"
        store.db.execute(sql, (key, status.st_size))
    machine.hook(prompt("third"))
    assert machine.drained().stored == 1
    segment.write_bytes(segment.read_bytes() + b"\n")
    os.truncate(segment, segment.stat().st_size - 10)
    machine.hook(prompt("fourth"))
    machine.drained()
    assert machine.prompts() == ["first", "second", "third", "fourth"]


def test_a_memory_restored_from_an_older_backup_reads_again_what_it_lacks(machine: Machine) -> None:
    machine.hook(prompt("first"))
    machine.drained()
    with Store.open(machine.database) as store:
        store.backup(machine.folder / "backup.db")
    machine.hook(prompt("second"))
    machine.drained()
    for path in machine.database.parent.glob("memory.db*"):
        if path.is_file():
            path.unlink()
    (machine.folder / "backup.db").rename(machine.database)
    assert machine.drained().stored == 1
    assert machine.prompts() == ["first", "second"]


@pytest.mark.parametrize("damage", [b"\0" * 5_000, b"\xff\xfe" * 40, b'{"at":' + b"9" * 40])
def test_damage_spoils_only_the_lines_it_hits(machine: Machine, damage: bytes) -> None:
    machine.hook(prompt("before"), prompt("hit"), prompt("behind"))
    segment = segment_of(machine)
    content = segment.read_bytes()
    place = content.index(b"hit")
    segment.write_bytes(content[:place] + damage + content[place:])
    machine.drained()
    found = machine.prompts()
    assert [text for text in found if text in ("before", "behind")] == ["before", "behind"]
    with Store.open(machine.database) as store:
        quarantined = int(store.db.execute("SELECT count(*) FROM quarantine").get)
    assert len(found) + quarantined == 3
    assert machine.drained().recognised == 0


@promise("spool-exactly-once")
@sizes("rounds", 30, 60)
def test_whatever_happens_to_its_files_each_event_is_stored_once(
    machine: Machine, tally: Tally, rounds: int
) -> None:
    draw = tally.random()
    for number in range(rounds):
        with TemporaryDirectory(dir=PLACES[number % len(PLACES)]) as folder:
            events = SpooledEvents(Path(folder), draw)
            happened = live_through(events, draw)
            missing = events.expected() - events.found()
            twice = events.found() - events.expected()
            tally(tried=1, lost=missing.total(), twice=twice.total())
            assert (missing, twice) == ({}, {}), happened


def live_through(events: SpooledEvents, draw: Random) -> list[object]:
    """Let events be written and files suffer, in any order, and drain in the end; what happened."""
    happened: list[object] = []
    for _ in range(draw.randint(8, 32)):
        if draw.random() < 0.5:
            text, place = draw.choice(TEXTS), draw.choice([0, 0, 0, 1])
            step, count = draw.choice([APART, APART, -3 * APART]), draw.randint(1, 5)
            happened.append((text, place, step, count))
            for _ in range(count):
                events.append(text, place, step)
        else:
            happened.append(draw.choice(HAPPENINGS))
            getattr(events, str(happened[-1]))()
    events.drain()
    return happened
