"""Files and directories that are there for a while: known by name, so that what a killed process left
is removed by the next command.

A process notes each in a file of its own, in the directory `drafts` of the spool of the memory that
it works for, before it makes it, and keeps that file locked. What lies in the system's temporary
directory is told by its name alone. A name holds the number of the process that made it.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...platform.paths import make_private_directories, spool_directory
from ...platform.processes import signals
from ...platform.system import posix
from .locks import open_lock, try_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOTES = "drafts"
FILES = "files"
IN_SYSTEM = r"memtui-(?:[a-z]+-)?(\d+)\.[0-9a-f]{8}"
BESIDE = ("", "-journal", "-wal", "-shm")


class _Notes:
    """What this process has noted, and where: nowhere before `work_for`."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.paths: list[Path] = []
        self.descriptor: int | None = None
        self.is_new = False
        """Whether the spool's directory was made for these notes."""


_notes = _Notes()


def work_for(database: Path) -> None:
    """Note from now on what this process makes for a while, in the spool of this memory."""
    if not _notes.paths:
        _notes.folder = spool_directory(database) / NOTES


@contextmanager
def noted(path: Path) -> Iterator[None]:
    """Note a file or directory that is made in the block, and gone when that ends."""
    _note(path)
    try:
        yield
    finally:
        _forget(path)


@contextmanager
def directory(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """Make a directory (0700) that is gone when the block ends, in the system's temporary directory
    unless a parent is named. `prefix` is `memtui-` or `memtui-NAME-` there.

    What is yielded lies within the one that has the name and is locked: a memory that is opened in it
    asks for the lock on its own directory.
    """
    # Not worth their import where a memory is only opened.
    import shutil
    import tempfile

    place = parent or Path(tempfile.gettempdir())
    path = place / f"{prefix}{os.getpid()}.{os.urandom(4).hex()}"
    with noted(path):
        path.mkdir(mode=0o700)
        path.chmod(0o700)
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            try_lock(descriptor)
            files = path / FILES
            files.mkdir(mode=0o700)
            files.chmod(0o700)
            yield files
        finally:
            os.close(descriptor)
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def removed_when_ended() -> Iterator[None]:
    """Have signals that end the process end it by way of every `finally`, so that what was made in the
    block is removed then too. On other threads than the main one signals stay as they are."""
    # Not worth their import where a memory is only opened.
    import signal
    import threading

    def leave(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for item in signals("SIGTERM", "SIGHUP"):
            before[item] = signal.signal(item, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def sweep(database: Path) -> None:
    """Remove what killed processes left: what they had noted in the spool of this memory, and what is
    of ours in the system's temporary directory. Nothing of a running process, and nothing that
    isn't this user's."""
    with suppress(OSError):
        sweep_notes(database)
    with suppress(OSError):
        import re

        system = _system_directory()
        for name in os.listdir(system):  # noqa: PTH208 - thousands may be there
            if name.startswith("memtui-") and (match := re.fullmatch(IN_SYSTEM, name)):
                _sweep_directory(system / name, int(match[1]))


def _system_directory() -> Path:
    """Return where `tempfile` makes its files, as far as that is known without importing it (5 ms)."""
    tempfile = sys.modules.get("tempfile")
    if tempfile is not None:
        return Path(tempfile.gettempdir())
    named = (os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    places = (*filter(None, named), "/tmp", "/var/tmp", "/usr/tmp")
    return next((place for place in map(Path, places) if place.is_dir()), Path.cwd())


def sweep_notes(database: Path) -> None:
    """Remove what killed processes had noted; no more than a look where nobody has."""
    folder = spool_directory(database) / NOTES
    if not folder.exists():
        return
    for file in list(folder.iterdir()):
        if not file.name.isdecimal() or is_running(int(file.name)):
            continue
        descriptor = open_lock(os.fspath(file))
        try:
            if try_lock(descriptor):
                for line in file.read_bytes().split(b"\0"):
                    with suppress(ValueError, OSError):
                        _remove(Path(os.fsdecode(line)), file.name)
                file.unlink(missing_ok=True)
        finally:
            os.close(descriptor)
    with suppress(OSError):
        folder.rmdir()


def _sweep_directory(path: Path, process: int) -> None:
    if is_running(process) or not _is_own(path):
        return
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_DIRECTORY)
    try:
        if try_lock(descriptor):
            _remove_directory(path)
    finally:
        os.close(descriptor)


def _remove(path: Path, process: str) -> None:
    """Remove a file with what SQLite kept beside it, or a directory, that a process had noted."""
    if f".{process}." not in path.name and not path.name.startswith(f"memtui-{process}."):
        return
    if path.is_dir() and not path.is_symlink():
        if _is_own(path):
            _remove_directory(path)
        return
    for place in (path.with_name(path.name + end) for end in BESIDE):
        if _is_own(place):
            place.unlink(missing_ok=True)


def _remove_directory(path: Path) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)


def _is_own(path: Path) -> bool:
    try:
        result = path.lstat()
    except OSError:
        return False
    return result.st_uid == posix.geteuid() and not stat.S_ISLNK(result.st_mode)


def is_running(process: int) -> bool:
    """Return whether there is a process of this number, be it another user's."""
    try:
        posix.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _note(path: Path) -> None:
    _notes.paths.append(path)
    if _notes.folder is None:
        return
    with suppress(OSError):
        if _notes.descriptor is None:
            _notes.is_new = not _notes.folder.parent.exists()
            make_private_directories(bytes(_notes.folder))
            _notes.descriptor = open_lock(os.fspath(_notes.folder / str(os.getpid())))
            try_lock(_notes.descriptor)
        os.lseek(_notes.descriptor, 0, os.SEEK_END)
        os.write(_notes.descriptor, os.fsencode(path.absolute()) + b"\0")


def _forget(path: Path) -> None:
    _notes.paths.remove(path)
    if _notes.paths or _notes.descriptor is None or _notes.folder is None:
        return
    with suppress(OSError):
        (_notes.folder / str(os.getpid())).unlink(missing_ok=True)
        os.close(_notes.descriptor)
        _notes.folder.rmdir()
        if _notes.is_new:
            _notes.folder.parent.rmdir()
    _notes.descriptor = None
