"""Events that hooks have taken and that are not in the spool yet: wait for them.

A hook's child holds a pipe in the spool open until its event is written. The name of the pipe tells
the order, and the system closes it however the child ends.
"""

import posix
import time

from ...platform.paths import TICKET

NEW_SECONDS = 0.2
"""A pipe that is so new may be about to be opened."""

LONGEST_NAP = 0.05


def wait_for_hooks(spool: bytes, seconds: float, before: bytes = b"") -> bool:
    """Wait, for at most so many seconds, until every event that was handed over by now is in the spool,
    or each that was before one of that name; whether all are."""
    until = time.monotonic() + seconds
    for name in tickets(spool):
        if before and name >= before:
            break
        if not wait_for_close(spool + b"/" + name, until):
            return False
    return True


def tickets(spool: bytes) -> list[bytes]:
    """The names of the pipes that hooks' children hold or have left, in the order of their events."""
    try:
        return sorted(name for name in posix.listdir(spool) if name.endswith(TICKET))
    except OSError:
        return []


def wait_for_close(path: bytes, until: float) -> bool:
    """Wait until no process has a pipe open; False where one still has at a time, in monotonic seconds."""
    flags = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        file = posix.open(path, flags)
    except OSError:
        return True
    try:
        while is_held(file) or (is_new(path) and posix.fstat(file).st_nlink):
            left = until - time.monotonic()
            if left <= 0:
                return False
            wait_a_moment(file, min(LONGEST_NAP, left))
        if posix.fstat(file).st_nlink:
            # Its process was killed: one that ends well takes it along.
            posix.unlink(path)
    except OSError:
        # Another process has just done so.
        pass
    finally:
        posix.close(file)
    return True


def is_held(file: int) -> bool:
    """Whether a process has a pipe open for writing."""
    try:
        return posix.read(file, 1) != b""
    except BlockingIOError:
        return True


def wait_a_moment(file: int, seconds: float) -> None:
    """Wait until a pipe is closed, or for so long."""
    # Rarely is there anything to wait for.
    from select import POLLHUP, poll

    closing = poll()
    closing.register(file, POLLHUP)
    closing.poll(seconds * 1_000)


def is_new(path: bytes) -> bool:
    """Whether a pipe was made a moment ago, as its name tells."""
    made = path.rpartition(b"/")[2].partition(b"-")[0]
    return made.isdigit() and 0 <= time.monotonic() - int(made) / 1e9 < NEW_SECONDS
