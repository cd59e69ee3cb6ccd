"""Append to the files of the spool, or where events wait when it can't be written."""

import posix
import time

from ...platform.paths import fallback_spools, is_private_directory, make_last_two, make_private_directories
from ..hook_process import FILE_MODE


def append(database: bytes, spool: bytes, name: bytes, line: bytes) -> None:
    """Append a line to a file in the spool, else in the first fallback that can be written.

    Raises OSError where none does.
    """
    try:
        write_durably(spool, name, line)
        return
    except OSError:
        pass
    for fallback in fallback_spools(database):
        try:
            make_last_two(fallback)
            if is_private_directory(fallback.rpartition(b"/")[0]) and is_private_directory(fallback):
                write_durably(fallback, name, line)
                return
        except OSError:
            continue
    raise OSError("nothing can be written anywhere")


def note_loss(database: bytes, spool: bytes) -> None:
    """Count an event that could not be stored; `mem doctor` shows how many there were."""
    append(database, spool, b"/lost", b"%d\n" % time.time())


def write_durably(folder: bytes, name: bytes, line: bytes) -> None:
    """Append a line to a file in a directory with one write, and wait for the disk.

    Raises OSError where that can't be done, and where the file was removed meanwhile. A pipe in its
    place is not waited for, and doesn't count: no disk has what it takes.
    """
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
    try:
        file = posix.open(folder + name, flags)
        is_new = False
    except FileNotFoundError:
        make_private_directories(folder)
        file = posix.open(folder + name, flags | posix.O_CREAT, FILE_MODE)
        is_new = True
    try:
        if is_new:
            posix.fchmod(file, FILE_MODE)
        if posix.write(file, line) < len(line):
            raise OSError("the disk took only a part")
        getattr(posix, "fdatasync", posix.fsync)(file)
        if not posix.fstat(file).st_nlink:
            raise OSError("the file is gone")
    finally:
        posix.close(file)
    if is_new:
        directory = posix.open(folder, posix.O_RDONLY | posix.O_CLOEXEC)
        posix.fsync(directory)
        posix.close(directory)


def segment_name() -> bytes:
    """The file name of the day's segment (UTC)."""
    return b"/" + time.strftime("%Y-%m-%d", time.gmtime()).encode() + b".jsonl"
