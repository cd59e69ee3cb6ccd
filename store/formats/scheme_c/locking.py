"""One sync of a directory at a time, and files that only their owner can read."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

from ...errors import StoreError

LOCK = ".memtui.lock"
PATIENCE_SECONDS = 10.0
_STEP_SECONDS = 0.05


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the directory's lock; StoreError where another process keeps it for ten seconds.

    The lock goes with the process that holds it, however that ends.
    """
    descriptor = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _wait(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def make_directory(path: Path) -> None:
    """Make a directory, and those it lies in, for their owner only; those that exist stay as they are."""
    for directory in (*reversed(path.parents), path):
        if not directory.exists():
            directory.mkdir(mode=0o700, exist_ok=True)
            directory.chmod(0o700)


def append(path: Path, data: bytes) -> int:
    """Add lines to a file, and see them on the disk; how many bytes it has then.

    They begin on a line of their own. Should only some of them find room, none stays.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        except OSError:
            os.ftruncate(descriptor, size)
            raise
        return size + len(data)
    finally:
        os.close(descriptor)


def replace(path: Path, data: bytes) -> None:
    """Put a file in place of the one that is there, whole or not at all; its permissions stay."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    # What a link leads to is replaced, not the link.
    place = path.resolve()
    draft = place.with_name(f".{place.name}.{os.getpid()}.{random.getrandbits(32):08x}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(place.parent, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _wait(descriptor: int, path: Path) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() >= until:
                raise StoreError(
                    f"Another sync of {path} is under way; nothing was done. Try again later."
                ) from error
            time.sleep(_STEP_SECONDS)
