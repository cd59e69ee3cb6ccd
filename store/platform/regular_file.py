"""Open files to be read: regular ones only, so that nothing waits for a pipe or reads a device."""

from __future__ import annotations

import errno
import os
import stat

from .system import posix
from .translation import _

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

LONGEST = 256 << 20
"""Bytes of a file that is read as a whole, unless a caller says otherwise."""

FLAGS = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK | posix.O_NOCTTY

KINDS = {
    stat.S_IFDIR: _("it is a directory, not a file"),
    stat.S_IFIFO: _("it is a pipe, not a file; write what comes out of it to a file first"),
    stat.S_IFSOCK: _("it is a socket, not a file"),
    stat.S_IFCHR: _("it is a device, not a file"),
    stat.S_IFBLK: _("it is a device, not a file"),
    stat.S_IFLNK: _("it is a link, which is not followed here"),
}


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to be read, be it by a link. Raises OSError, whose `strerror` says what
    else it is; nothing else is opened."""
    _check(path.stat(), path)
    return checked(posix.open(path, FLAGS), path)


def read_regular(path: Path, longest: int = LONGEST) -> bytes:
    """Return the content of a regular file of at most so many bytes. Raises OSError."""
    with open_regular(path) as file:
        return read_bounded(file, path, longest)


def read_bounded(file: BinaryIO, path: Path, longest: int = LONGEST) -> bytes:
    """Return the rest of an open file of at most so many bytes. Raises OSError."""
    content = file.read(longest + 1)
    if len(content) > longest:
        raise OSError(
            errno.EFBIG, _("it is larger than {longest} bytes", longest=f"{longest:,}"), str(path)
        )
    return content


def checked(descriptor: int, path: Path) -> BinaryIO:
    """Return the file of a descriptor if it is a regular one; else that is closed. Raises OSError."""
    try:
        status = os.fstat(descriptor)
        _check(status, path)
        if not status.st_size and _has_more(descriptor):
            # As /proc has them: some never end.
            raise OSError(errno.EINVAL, _("it is a file of the system's, without a size"), str(path))
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def _has_more(descriptor: int) -> bool:
    """Return whether a file without a size holds anything, or can't be read as files can."""
    try:
        return bool(posix.pread(descriptor, 1, 0))
    except OSError:
        return True


def kind_of(path: Path) -> str | None:
    """Return what is at a path, as a part of a sentence, if that is neither a regular file nor a
    directory. Raises OSError where nothing is, or a link leads nowhere or round."""
    mode = stat.S_IFMT(path.stat().st_mode)
    return None if mode in (stat.S_IFREG, stat.S_IFDIR) else KINDS.get(mode, _("it is not a file"))


def _check(status: os.stat_result, path: Path) -> None:
    mode = stat.S_IFMT(status.st_mode)
    if mode != stat.S_IFREG:
        raise OSError(errno.EINVAL, KINDS.get(mode, _("it is not a file")), str(path))
