"""The places in which events wait, in `mem doctor`: what keeps hooks or readers from using them. The
directory itself is looked at before a store is opened, which mends some of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ...database.health import Check
from ...platform.clock import local_time
from ...platform.paths import spool_directory
from ...platform.translation import N_, _
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
    result = _("; ").join(faults[:MOST_NAMED])
    if len(faults) > MOST_NAMED:
        result = _("{items} and {number} more", items=result, number=len(faults) - MOST_NAMED)
    yield Check(
        N_("spool files"),
        not faults,
        result or _("intact"),
        _("Hooks or readers can't use it. Move it away, or give it back to yourself."),
    )
    if anew := spool_state.read_anew(store.db):
        path, at = anew[0]
        result = _("{path} was cut or replaced, and read again at {time}", path=path, time=local_time(at))
        if len(anew) > 1:
            result += _(" ({number} more)", number=len(anew) - 1)
        yield Check(N_("spool read again"), True, result)


def directory_check(database: Path) -> Check:
    """Check the directory of a store's spool, whether it can be opened or not."""
    folder = spool_directory(database)
    wrong = directory_fault(folder, owner_of(database))
    return Check(
        N_("spool directory"),
        not wrong,
        wrong or str(folder),
        _("Events go to another directory meanwhile. Put this right, then run `mem doctor` again."),
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
        return _("{folder} is a link, not a directory", folder=folder)
    try:
        status = folder.stat()
    except FileNotFoundError:
        above = next((path for path in folder.parents if path.exists()), folder.parent)
        if os.access(above, os.W_OK | os.X_OK):
            return ""
        return _("{folder} can't be made", folder=folder)
    except OSError as error:
        return _("{folder} can't be reached ({error})", folder=folder, error=error.strerror)
    if not stat.S_ISDIR(status.st_mode):
        return _("{folder} is a file, not a directory", folder=folder)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return _("{folder} can't be written", folder=folder)
    if status.st_uid != owner:
        return _("{folder} belongs to another user", folder=folder)
    room = os.statvfs(folder)
    return _("the disk of {folder} is full", folder=folder) if room.f_blocks and not room.f_bavail else ""


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
            yield _("{path} can't be reached ({error})", path=entry.path, error=error.strerror)
            continue
        if not stat.S_ISREG(status.st_mode):
            yield _("{path} is not a regular file", path=entry.path)
        elif not os.access(entry.path, os.R_OK | os.W_OK):
            yield _("{path} can't be read and written", path=entry.path)
        elif status.st_uid != owner:
            yield _("{path} belongs to another user", path=entry.path)
        elif status.st_mode & OTHERS:
            yield _(
                "others can use {path} (mode {mode})",
                path=entry.path,
                mode=f"{stat.S_IMODE(status.st_mode):04o}",
            )
        elif entry.name in ("paused", "excluded") and status.st_size > LARGEST_SETTING:
            yield _(
                "{path} is too large ({size} bytes): hooks store nothing",
                path=entry.path,
                size=f"{status.st_size:,}",
            )
