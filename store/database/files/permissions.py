"""Whose eyes a memory is for: files and directories of ours that became readable for others are
theirs no more at the next opening."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from ...platform.system import HAS_POSIX, posix

OTHERS = 0o077
OWN_DIRECTORY = "memtui"
"""What the directory of a user's own memory is called. No other is ours to change."""


def narrow(path: Path) -> None:
    """Take from everybody but the owner what they may do with a memory, its log, its backups, its
    vectors and the directory that was made for it. What is a link, or another user's, stays as it is."""
    backups = path.with_name(path.name + "-backups")
    copies = backups.iterdir() if backups.is_dir() and not backups.is_symlink() else ()
    for place in (*(place for place, _ in too_wide(path)), *filter(_is_wide, copies)):
        try:
            place.chmod(stat.S_IMODE(place.lstat().st_mode) & ~OTHERS)
        except OSError:
            # Doctor tells.
            continue


def too_wide(path: Path) -> Iterator[tuple[Path, int]]:
    """Yield those files and directories of a memory that others may use, each with its mode."""
    beside = [
        path.with_name(path.name + suffix)
        for suffix in ("-wal", "-shm", "-backups", "-versions", "-archive")
    ]
    own = [path.parent] if path.parent.name == OWN_DIRECTORY else []
    for place in (path, *beside, *own):
        if _is_wide(place):
            yield place, stat.S_IMODE(place.lstat().st_mode)


def _is_wide(place: Path) -> bool:
    """Whether a file or directory of this user's, no link, may be used by others."""
    try:
        result = place.lstat()
    except OSError:
        return False
    is_plain = stat.S_ISREG(result.st_mode) or stat.S_ISDIR(result.st_mode)
    return is_plain and HAS_POSIX and bool(result.st_mode & OTHERS) and result.st_uid == posix.geteuid()
