# mypy: disable-error-code="attr-defined"
"""The names of `posix` on Windows: those of `nt`, and a stand-in for each that we use and it lacks.

Windows has no owner of a file by number and no mode for others, so whatever is asked is the user's own.
"""

import nt
from nt import *  # noqa: F403

O_CLOEXEC = nt.O_NOINHERIT
O_NOFOLLOW = O_NONBLOCK = O_DIRECTORY = O_NOCTTY = 0

environ = {
    name.encode("utf-8", "surrogateescape"): value.encode("utf-8", "surrogateescape")
    for name, value in nt.environ.items()
}


def open(path: str | bytes, flags: int, mode: int = 0o777) -> int:
    """As `posix.open`: what is read and written are bytes."""
    return int(nt.open(path, flags | nt.O_BINARY, mode))


def geteuid() -> int:
    """The number of this user, which every file's owner has here."""
    return 0


getuid = geteuid


def fchmod(_descriptor: int, _mode: int) -> None:
    """Nothing: a file belongs to whom its directory belongs."""


def pread(descriptor: int, length: int, offset: int) -> bytes:
    """As `posix.pread`, but that the place in the file moves."""
    nt.lseek(descriptor, offset, 0)
    return bytes(nt.read(descriptor, length))


def pwrite(descriptor: int, data: bytes, offset: int) -> int:
    """As `posix.pwrite`, but that the place in the file moves."""
    nt.lseek(descriptor, offset, 0)
    return int(nt.write(descriptor, data))


def kill(process: int, number: int) -> None:
    """As `posix.kill`, where the number 0 asks whether there is such a process. Raises OSError."""
    if number:
        nt.kill(process, number)
        return
    from _winapi import CloseHandle, OpenProcess

    try:
        CloseHandle(OpenProcess(QUERY, False, process))
    except PermissionError:
        raise
    except OSError as error:
        raise ProcessLookupError(f"there is no process {process}") from error


QUERY = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION."""


def mkfifo(_path: bytes, _mode: int) -> None:
    """Raise OSError: there are no named pipes in directories, so a hook stores its event by itself."""
    raise OSError("there are no named pipes here")
