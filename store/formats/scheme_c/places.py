"""Open and write the files of a directory without ever following a link out of it.

The directory itself may be a link: its user named it. Below it none is followed, wherever it leads,
and none that takes the place of a folder meanwhile.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ...platform.regular_file import FLAGS, checked, read_bounded
from ...platform.translation import _

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FILE_MODE, FOLDER_MODE = 0o600, 0o700


def open_in(root: Path, name: str) -> BinaryIO:
    """Open a regular file by its name below a directory. Raises OSError, also for a link."""
    with _parent(root, name) as (folder, last):
        return checked(_opened(folder, last, FLAGS, root / name), root / name)


def read_in(root: Path, name: str) -> bytes:
    """Return the content of a regular file by its name below a directory. Raises OSError."""
    with open_in(root, name) as file:
        return read_bounded(file, root / name)


def link_in(root: Path, name: str) -> str | None:
    """Return the first part of a name below a directory that is a link; None where none is."""
    place = root
    for part in Path(name).parts:
        place /= part
        if place.is_symlink():
            return place.relative_to(root).as_posix()
    return None


@contextmanager
def appending(root: Path, name: str) -> Iterator[int]:
    """Give the descriptor of a file below a directory, open to be read and appended to; it and its
    folder are made where they are missing. Raises OSError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
    with _parent(root, name, make=True) as (folder, last):
        descriptor = _opened(folder, last, flags, root / name)
        try:
            checked(os.dup(descriptor), root / name).close()
            if os.fstat(descriptor).st_nlink > 1:
                # Another name of it may lie anywhere: what is written is a file of its own.
                content = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
                _replace(folder, last, content, descriptor)
                os.close(descriptor)
                descriptor = _opened(folder, last, flags, root / name)
            yield descriptor
        finally:
            os.close(descriptor)


def write_in(root: Path, name: str, content: bytes) -> None:
    """Put a file with this content below a directory in place of what is there, and wait for the
    disk. What was there keeps its mode, a new one is 0600. Raises OSError, also for a link."""
    with _parent(root, name, make=True) as (folder, last):
        before = None
        with suppress(FileNotFoundError):
            before = _opened(folder, last, FLAGS, root / name)
        try:
            if before is not None:
                checked(os.dup(before), root / name).close()
            _replace(folder, last, content, before)
        finally:
            if before is not None:
                os.close(before)


def _replace(folder: int, last: str, content: bytes, model: int | None) -> None:
    draft = f".{last}.{os.getpid()}.{os.urandom(4).hex()}"
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    made = os.open(draft, flags, FILE_MODE, dir_fd=folder)
    try:
        os.fchmod(made, FILE_MODE)
        if model is not None:
            wanted, own = os.fstat(model), os.fstat(made)
            if (wanted.st_uid, wanted.st_gid) != (own.st_uid, own.st_gid):
                os.fchown(made, wanted.st_uid, wanted.st_gid)
            os.fchmod(made, wanted.st_mode & 0o7777)
        view = memoryview(content)
        while view:
            view = view[os.write(made, view) :]
        os.fsync(made)
        os.rename(draft, last, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise
    finally:
        os.close(made)
    with suppress(OSError):
        os.fsync(folder)


@contextmanager
def _parent(root: Path, name: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """Give the descriptor of the folder that a file is in, and the last part of its name."""
    *folders, last = Path(name).parts
    if ".." in (*folders, last):
        raise OSError(errno.EINVAL, _("it would lead out of the directory"), str(root / name))
    descriptor = os.open(root, FOLDER)
    try:
        for part in folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, FOLDER_MODE, dir_fd=descriptor)
            inner = _opened(descriptor, part, FOLDER, root / name)
            os.close(descriptor)
            descriptor = inner
        yield descriptor, last
    finally:
        os.close(descriptor)


def _opened(folder: int, part: str, flags: int, path: Path) -> int:
    try:
        return os.open(part, flags | os.O_NOFOLLOW, FILE_MODE, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK) or (
            error.errno == errno.ENOTDIR and flags & os.O_DIRECTORY
        ):
            reason = _("it is a link, or in one, and none is followed out of a directory")
            raise OSError(errno.ELOOP, reason, str(path)) from error
        raise OSError(error.errno, error.strerror, str(path)) from error
