"""What can be wrong where a hook runs: each fault, as long as it lasts, and whether events may be lost.

`tests/store/capture/test_faults.py` tries each a few times, `bench/hook_faults.py` a thousand times.
"""

import os
import pwd
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import apsw

from memtui.store import Store

from .hooks import SCRIPT, Machine, Start, after, in_namespace

MANY = 10_000_000
DEPTH = 100_000

Breaking = Callable[[Machine, bytes], AbstractContextManager[Start]]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    `breaking` makes it so for an event (JSON as an agent sends it) and gives how the hook starts.
    `answers`: the memory can be read all the same, so a session's start may be answered.
    `tells`: the hook is given an event at all. `mounts`: it takes mounts of one's own.
    """

    name: str
    breaking: Breaking
    answers: bool = False
    tells: bool = True
    mounts: bool = False


def faults() -> list[Fault]:
    """All of them."""
    return [
        Fault("nothing at all", given(lambda event: event), answers=True),
        Fault("a locked database", locked, answers=True),
        Fault("a database of garbage", database(lambda path: path.write_bytes(noise()))),
        Fault("an empty file as database", database(Path.touch)),
        Fault("a directory as database", database(Path.mkdir)),
        Fault("a database of a newer version", newer),
        Fault("a database that can't be written", read_only_database, mounts=True),
        Fault("a file where the spool should be", spool_is_a_file, answers=True),
        Fault("a directory as the day's segment", segment_is_a_directory, answers=True),
        Fault("a pipe as the day's segment", in_spool(segment_name, os.mkfifo), answers=True),
        Fault("a pipe that somebody reads as the day's segment", read_pipe, answers=True),
        Fault("a link as the day's segment", in_spool(segment_name, linked_to("elsewhere")), answers=True),
        Fault("a directory as `paused`", in_spool(lambda: "paused", Path.mkdir), answers=True),
        Fault("a pipe as `paused`", in_spool(lambda: "paused", os.mkfifo), answers=True),
        Fault("a directory as `excluded`", in_spool(lambda: "excluded", Path.mkdir), answers=True),
        Fault("a pipe as `excluded`", in_spool(lambda: "excluded", os.mkfifo), answers=True),
        Fault("a directory as `lost`", in_spool(lambda: "lost", Path.mkdir), answers=True),
        Fault("a pipe as `lost`", in_spool(lambda: "lost", os.mkfifo), answers=True),
        Fault("too many exclusions", in_spool(lambda: "excluded", sparse), tells=False),
        Fault("a link that leads nowhere as the spool", as_spool(linked_to("nowhere")), answers=True),
        Fault("a link to itself as the spool", as_spool(linked_to("memory.db-spool")), answers=True),
        Fault("a pipe as the spool", as_spool(os.mkfifo), answers=True),
        Fault("files that nobody may use", shell("umask 0777"), answers=True),
        Fault("a spool that can't be written", read_only_spool, answers=True, mounts=True),
        Fault("a home that can't be written", read_only_home, mounts=True),
        Fault("no HOME", homeless, answers=True, mounts=True),
        Fault("a full disk", full_disk, mounts=True),
        Fault("a disk that fills up amid an event", filling_disk, mounts=True),
        Fault("files that may not grow", shell("ulimit -f 64"), answers=True),
        Fault("stdin closed", closed("<&-"), answers=True, tells=False),
        Fault("stdin empty", given(lambda _event: b""), answers=True, tells=False),
        Fault("stdin never closed", open_pipe(lambda event: event), answers=True),
        Fault("stdin never written to", open_pipe(lambda _event: b""), tells=False),
        Fault("half an event, never closed", open_pipe(half)),
        Fault("half an event", given(half)),
        Fault("no JSON", given(lambda event: event.translate(None, b'{}"'))),
        Fault("no object", given(lambda event: b"[" + event + b"]")),
        Fault("20 MB", given(with_field(b'"%b"' % (b"x " * MANY))), answers=True),
        Fault("100,000 levels", given(with_field(b"[" * DEPTH + b"]" * DEPTH))),
        Fault("bytes that are no UTF-8", given(with_field(b'"\xff\xfe\xc3("')), answers=True),
        Fault("lone surrogates", given(with_field(rb'{"\ud800": "\udfff\u0000"}')), answers=True),
        Fault("stdout closed", closed(">&-"), answers=True),
        Fault("stdout that nobody reads", broken_pipe, answers=True),
        Fault("stderr closed", closed("2>&-"), answers=True),
        Fault("an agent nobody knows", arguments("somebody"), answers=True),
        Fault("no agent", arguments(), answers=True),
        Fault("a deleted working directory", shell("mkdir gone && cd gone && rmdir ../gone"), answers=True),
    ]  # fmt: skip


def given(change: Callable[[bytes], bytes]) -> Breaking:
    """The event in another form."""

    @contextmanager
    def breaking(_machine: Machine, event: bytes) -> Iterator[Start]:
        yield Start(change(event))

    return breaking


def open_pipe(change: Callable[[bytes], bytes]) -> Breaking:
    """The event in a pipe that stays open."""

    @contextmanager
    def breaking(_machine: Machine, event: bytes) -> Iterator[Start]:
        yield Start(change(event), stdin="open")

    return breaking


def arguments(*words: str) -> Breaking:
    """Other arguments than an agent's name."""

    @contextmanager
    def breaking(_machine: Machine, event: bytes) -> Iterator[Start]:
        yield Start(event, words)

    return breaking


def shell(script: str) -> Breaking:
    """A process that something was done to before."""

    @contextmanager
    def breaking(_machine: Machine, event: bytes) -> Iterator[Start]:
        yield Start(event, before=after(script))

    return breaking


def closed(redirection: str) -> Breaking:
    """A process without one of its streams."""

    @contextmanager
    def breaking(_machine: Machine, event: bytes) -> Iterator[Start]:
        yield Start(event, before=("sh", "-c", f'exec "$@" {redirection}', "sh"))

    return breaking


def mounted(machine: Machine, event: bytes, script: str) -> Start:
    """A start after a script that mounts."""
    return Start(event, before=in_namespace(script))


def half(event: bytes) -> bytes:
    """An event that was cut off behind what it tells."""
    return padded(event, b'"%b"' % (b"x" * 500))[:-300]


def padded(event: bytes, value: bytes) -> bytes:
    """An event with one more field."""
    return event[:-1] + b', "padding": ' + value + b"}"


def with_field(value: bytes) -> Callable[[bytes], bytes]:
    """What gives an event one more field."""
    return lambda event: padded(event, value)


def noise() -> bytes:
    """Bytes that mean nothing, the same each time."""
    return random.Random(4).randbytes(50_000)


@contextmanager
def locked(machine: Machine, event: bytes) -> Iterator[Start]:
    """Another process writes and doesn't end."""
    Store.open(machine.database).close()
    with closing(apsw.Connection(str(machine.database))) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield Start(event)
        other.execute("ROLLBACK")


def database(make: Callable[[Path], object]) -> Breaking:
    """Something else in the memory's place, which comes back unharmed."""

    @contextmanager
    def breaking(machine: Machine, event: bytes) -> Iterator[Start]:
        aside = machine.folder / "aside"
        machine.database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if machine.database.exists():
            machine.database.rename(aside)
        make(machine.database)
        yield Start(event)
        if machine.database.is_dir():
            machine.database.rmdir()
        machine.database.unlink(missing_ok=True)
        if aside.exists():
            aside.rename(machine.database)

    return breaking


@contextmanager
def newer(machine: Machine, event: bytes) -> Iterator[Start]:
    """A later version of the program has been here."""
    Store.open(machine.database).close()
    with closing(apsw.Connection(str(machine.database))) as other:
        known = other.pragma("user_version")
        other.pragma("user_version", 99)
        yield Start(event)
        other.pragma("user_version", known)


@contextmanager
def read_only_database(machine: Machine, event: bytes) -> Iterator[Start]:
    """The file can be read and not written, its directory can."""
    Store.open(machine.database).close()
    yield mounted(machine, event, read_only(machine.database))


@contextmanager
def spool_is_a_file(machine: Machine, event: bytes) -> Iterator[Start]:
    """No spool can be made."""
    aside = machine.folder / "aside"
    machine.spool.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if machine.spool.exists():
        machine.spool.rename(aside)
    machine.spool.touch()
    yield Start(event)
    machine.spool.unlink()
    if aside.exists():
        aside.rename(machine.spool)


@contextmanager
def segment_is_a_directory(machine: Machine, event: bytes) -> Iterator[Start]:
    """Nothing can be appended to the segment of the day."""
    segment = machine.spool / time.strftime("%Y-%m-%d.jsonl", time.gmtime())
    segment.mkdir(mode=0o700, parents=True)
    yield Start(event)
    segment.rmdir()


def segment_name() -> str:
    """The file of the day."""
    return time.strftime("%Y-%m-%d.jsonl", time.gmtime())


def in_spool(name: Callable[[], str], make: Callable[[Path], object]) -> Breaking:
    """Something else in the place of one of the spool's files, which comes back afterwards."""

    @contextmanager
    def breaking(machine: Machine, event: bytes) -> Iterator[Start]:
        machine.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replaced(machine, machine.spool / name(), make):
            yield Start(event)

    return breaking


def as_spool(make: Callable[[Path], object]) -> Breaking:
    """Something else in the spool's place."""

    @contextmanager
    def breaking(machine: Machine, event: bytes) -> Iterator[Start]:
        with replaced(machine, machine.spool, make):
            yield Start(event)

    return breaking


@contextmanager
def replaced(machine: Machine, path: Path, make: Callable[[Path], object]) -> Iterator[None]:
    """Something else at a path; what was there comes back."""
    aside = machine.folder / "aside"
    if path.exists():
        path.rename(aside)
    make(path)
    yield
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)
    if aside.exists():
        aside.rename(path)


def linked_to(target: str) -> Callable[[Path], object]:
    """What makes a link."""
    return lambda path: path.symlink_to(target)


def sparse(path: Path) -> None:
    """A file that is longer than any list of exclusions."""
    path.touch()
    os.truncate(path, 10_000_000_000)


@contextmanager
def read_pipe(machine: Machine, event: bytes) -> Iterator[Start]:
    """The segment is a pipe, and who reads it forgets what it reads."""
    with in_spool(segment_name, os.mkfifo)(machine, event) as start:
        reader = os.open(machine.spool / segment_name(), os.O_RDONLY | os.O_NONBLOCK)
        try:
            yield start
        finally:
            os.close(reader)


@contextmanager
def read_only_spool(machine: Machine, event: bytes) -> Iterator[Start]:
    """The spool is there and takes nothing."""
    machine.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    yield mounted(machine, event, read_only(machine.spool))


@contextmanager
def read_only_home(machine: Machine, event: bytes) -> Iterator[Start]:
    """Nothing in the user's home can be written."""
    yield mounted(machine, event, read_only(machine.home))


@contextmanager
def homeless(machine: Machine, event: bytes) -> Iterator[Start]:
    """The environment doesn't tell where the home is."""
    home = pwd.getpwuid(os.geteuid()).pw_dir
    start = mounted(machine, event, f"mount --bind '{machine.home}' '{home}'")
    if any(
        Path(path).is_relative_to(home)
        for path in (sys.base_prefix, sys.executable, SCRIPT, machine.folder)
    ):
        # What the hook is made of would be hidden by the mount.
        start = Start(event, ("claude-code", "--db", str(machine.database)))
    yield replace(start, variables={"HOME": None})


@contextmanager
def full_disk(machine: Machine, event: bytes) -> Iterator[Start]:
    """No byte more can be written where the memory lies."""
    yield mounted(machine, event, small_disk(machine))


@contextmanager
def filling_disk(machine: Machine, event: bytes) -> Iterator[Start]:
    """A page of it can be written, and no more."""
    page = os.sysconf("SC_PAGE_SIZE")
    script = f"{small_disk(machine)} && truncate -s -{page} '{machine.database.parent}/filler'"
    yield mounted(machine, padded(event, b'"%b"' % (b"x" * 2 * page)), script)


def small_disk(machine: Machine) -> str:
    """A script that mounts a very small disk for the memory, with a spool, and fills it."""
    folder = machine.database.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = f"mount -t tmpfs -o size=64k none '{folder}' && mkdir '{machine.spool}'"
    return f"{made} && {{ cat /dev/zero > '{folder}/filler' 2>&-; true; }}"


@contextmanager
def broken_pipe(_machine: Machine, event: bytes) -> Iterator[Start]:
    """Whoever should read the answer is gone."""
    yield Start(event, stdout="broken")


def read_only(path: Path) -> str:
    """A script that makes a file or directory unwritable, for the superuser too."""
    return f"mount --bind '{path}' '{path}' && mount -o remount,bind,ro '{path}'"
