"""The places in which events wait, in `mem doctor`: what keeps hooks or readers from using them. The
directory itself is looked at before a store is opened, which mends some of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ...clock import local_time
from ...database.health import Check
from ...paths import spool_directory
from ...store import Store
from ..hook_process import LARGEST_SETTING
from ..ingest import spool, spool_state

SETTINGS = ("paused", "pauses", "excluded", "lost")
OTHERS = 0o077
MOST_NAMED = 3


def spool_checks(store: Store) -> Iterator[Check]:
    """Check the files in the spool and in the fallbacks, and say which were cut or replaced after they had
    been stored."""
    spool.narrow(store.path)
    owner = owner_of(store.path)
    faults = [fault for place in spool.folders(store.path) for fault in file_faults(place, owner)]
    more = f" and {len(faults) - MOST_NAMED} more" if len(faults) > MOST_NAMED else ""
    yield Check(
        "spool files",
        not faults,
        "; ".join(faults[:MOST_NAMED]) + more or "well",
        "Hooks or readers can't use it. Move it away, or give it back to yourself.",
    )
    if anew := spool_state.read_anew(store.db):
        path, at = anew[0]
        result = f"{path} was cut or replaced, and read anew at {local_time(at)}"
        others = f" ({len(anew) - 1} more)" if len(anew) > 1 else ""
        yield Check("spool read anew", True, result + others)


def directory_check(database: Path) -> Check:
    """Check the directory of a store's spool, whether it can be opened or not."""
    folder = spool_directory(database)
    wrong = directory_fault(folder, owner_of(database))
    return Check(
        "spool directory",
        not wrong,
        wrong or str(folder),
        "Events go to another directory meanwhile. Put this right, then run `mem doctor` again.",
    )


def owner_of(database: Path) -> int:
    """The user whom a memory belongs to."""
    try:
        return database.stat().st_uid
    except OSError:
        return os.geteuid()


def directory_fault(folder: Path, owner: int) -> str:
    """What keeps hooks from writing to the spool's directory or lets others in; `` for nothing."""
    if folder.is_symlink():
        return f"{folder} is a link, not a directory"
    try:
        status = folder.stat()
    except FileNotFoundError:
        above = next((path for path in folder.parents if path.exists()), folder.parent)
        return "" if os.access(above, os.W_OK | os.X_OK) else f"{folder} can't be made"
    except OSError as error:
        return f"{folder} can't be reached ({error.strerror})"
    if not stat.S_ISDIR(status.st_mode):
        return f"{folder} is a file, not a directory"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return f"{folder} can't be written"
    if status.st_uid != owner:
        return f"{folder} belongs to another user"
    room = os.statvfs(folder)
    return f"the disk of {folder} is full" if room.f_blocks and not room.f_bavail else ""


def file_faults(folder: Path, owner: int) -> Iterator[str]:
    """What is wrong with each file of a spool that hooks append to or read."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        is_segment = bool(spool.SEGMENT.fullmatch(entry.name))
        if not is_segment and entry.name not in SETTINGS:
            continue
        try:
            status = entry.stat(follow_symlinks=not is_segment)
        except OSError as error:
            yield f"{entry.path} can't be reached ({error.strerror})"
            continue
        if not stat.S_ISREG(status.st_mode):
            yield f"{entry.path} is no regular file"
        elif not os.access(entry.path, os.R_OK | os.W_OK):
            yield f"{entry.path} can't be read and written"
        elif status.st_uid != owner:
            yield f"{entry.path} belongs to another user"
        elif status.st_mode & OTHERS:
            yield f"others can use {entry.path} (mode {stat.S_IMODE(status.st_mode):04o})"
        elif entry.name in ("paused", "excluded") and status.st_size > LARGEST_SETTING:
            yield f"{entry.path} is too large ({status.st_size:,} bytes): hooks store nothing"
