"""Lock files: one process at a time, and a process that ends, however, lets go.

Next to nothing is imported: a hook's process asks here too.
"""

import errno
import time

from ...platform.system import lock, posix

NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EBADF)
"""What a file system without locks, or without any on directories, says; nobody is kept out there."""

STEP_SECONDS = 0.05
BRIEF_SECONDS = 0.0005
"""The same where a lock is never held for longer than that."""


class FileLock:
    """`with FileLock(path) as held:` holds the lock on a file (made when it is missing, 0600) while
    the block runs; `held` is False where another process kept it for `patience` seconds."""

    step = STEP_SECONDS

    def __init__(self, path: str | bytes, patience: float = 0.0) -> None:
        self.path = path
        self.patience = patience

    def __enter__(self) -> bool:
        self.descriptor = open_lock(self.path)
        return self._wait()

    def _wait(self) -> bool:
        until = time.monotonic() + self.patience
        while not (held := try_lock(self.descriptor)) and time.monotonic() < until:
            time.sleep(self.step)
        return held

    def __exit__(self, *error: object) -> None:
        posix.close(self.descriptor)


class DirectoryLock(FileLock):
    """The same on a directory, in which no file has to be made for it; for moments only."""

    step = BRIEF_SECONDS

    def __enter__(self) -> bool:
        self.descriptor = posix.open(self.path or ".", posix.O_RDONLY | posix.O_CLOEXEC)
        return self._wait()


def open_lock(path: str | bytes) -> int:
    """Open a lock file and give its descriptor; closing that lets the lock go."""
    flags = posix.O_CREAT | posix.O_RDWR | posix.O_CLOEXEC | posix.O_NOFOLLOW
    return posix.open(path, flags, 0o600)


def try_lock(descriptor: int, shared: bool = False) -> bool:
    """Take the lock on an open file without waiting; False where another process holds it.
    A shared one is refused only where another process holds it alone."""
    try:
        lock(descriptor, shared)
    except OSError as error:
        return error.errno in NO_LOCKS
    return True
