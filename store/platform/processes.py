"""What each system does in its own way, with what stands in for it where one has none.

Places of files are in `paths.py`, which a hook's process can import, as `system.py` can.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import suppress
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

AT_FDCWD = -100
EXCHANGE = 2
"""RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS."""


def processors() -> int:
    """Return how many processors this process may use; where that isn't told, how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_open_elsewhere(descriptor: int, to_write: bool = False) -> bool:
    """Return whether another program has a file open, or open to write to it: only who is alone with it
    gets a lease on it. False where there are no leases, as on a Mac."""
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        # By default the signal that tells of who opens it would end this process.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK if to_write else fcntl.F_WRLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False


def is_read_only(path: Path) -> bool:
    """Return whether a file lies on a file system that can't be written; False where that isn't told."""
    try:
        return hasattr(os, "statvfs") and bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def has_no_room_for_files(folder: Path) -> bool:
    """Return whether a file system can hold no more files, whatever room it has. Raises OSError."""
    if not hasattr(os, "statvfs"):
        return False
    table = os.statvfs(folder)
    return bool(table.f_files) and not table.f_favail


def signals(*names: str) -> list[signal.Signals]:
    """Return those signals that this system has."""
    return [signal.Signals[name] for name in names if name in signal.Signals.__members__]


def end_group(process: int) -> None:
    """End a process that leads a group, with all that it has started; nothing where it has ended."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process, signal.SIGKILL)
        else:
            os.kill(process, signal.SIGTERM)


def exchange(first: Path, other: Path) -> None:
    """Give two files each other's name at once. Raises OSError, ENOSYS where the system can't."""
    call = _exchange_call()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(first))
    if number := call(os.fsencode(first), os.fsencode(other)):
        raise OSError(number, os.strerror(number), str(other))


@cache
def _exchange_call() -> Callable[[bytes, bytes], int] | None:
    """Return what exchanges two names and returns an errno; None where the system can't."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    try:
        if sys.platform == "darwin":
            swap = library.renamex_np
            return lambda one, other: ctypes.get_errno() if swap(one, other, EXCHANGE) else 0
        rename = library.renameat2
    except AttributeError:
        return None

    def call(first: bytes, other: bytes) -> int:
        failed = rename(AT_FDCWD, first, AT_FDCWD, other, EXCHANGE)
        return ctypes.get_errno() if failed else 0

    return call


def copy_attributes(made: Path, model: Path) -> None:
    """Copy what the file system keeps of a file beside its mode, access lists and the like, as far as this
    process may. Nothing where Python can't ask for it, as on a Mac."""
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        for name in os.listxattr(model):
            with suppress(OSError):
                os.setxattr(made, name, os.getxattr(model, name))


def release_memory() -> None:
    """Give the free memory of the C library to the system, where it has a way to (glibc)."""
    _trim_call()(0)


@cache
def _trim_call() -> Callable[[int], object]:
    import ctypes

    try:
        trim: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return lambda _: None
    return trim
