"""Backups: verified copies of a live store, in place only when they are whole, and where they lie; and one
a day where the configuration asks for that.

A memory's own lie in `memory.db-backups` beside it, named by when and why they were made. Their
number is bounded for each reason by itself, so that copies of a damaged memory never push out those
of a sound one.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

import apsw

from ..config import BackupSettings, backup_settings
from ..platform.clock import now_ms
from ..platform.errors import ConfigurationError, DatabaseError
from ..platform.translation import N_, _
from ..text.plural import count_noun
from . import notices
from .files import atomic
from .files.locks import FileLock
from .health import Check

KEPT = 3
"""So many backups stay of each reason for which they are made by themselves."""

REASONS = {
    "before-migration": N_("before migration"),
    "before-purge": N_("before purge"),
    "before-rebuild": N_("before rebuild"),
}
"""Why backups are made by themselves, as sentences say it."""
DAMAGED = "-damaged"
"""How the name of a backup ends that is one of a damaged memory."""

SPARE_BYTES = 64 << 20
"""What has to stay free on the disk beside a backup that nobody asked for."""

PATIENCE_SECONDS = 30.0


def backup(db: apsw.Connection, target: Path) -> Path:
    """Copy the store to `target` (0600, refusing to replace a file), verified before it is named, and
    return its path: of a damaged store it is another, whose name says so.

    One step copies all pages under one read lock; smaller steps begin again at every write.
    """
    if target.exists():
        raise DatabaseError("{target} exists already. Name a new file for the backup.", target=target)
    try:
        atomic.sweep(target)
        with atomic.draft(target) as draft:
            if _copy(db, draft):
                target = free_name(target.with_name(f"{target.stem}{DAMAGED}{target.suffix}"))
            atomic.publish(draft, target, replace=False)
    except FileExistsError as error:
        raise DatabaseError("{target} exists already. Name a new file.", target=target) from error
    except OSError as error:
        raise DatabaseError(
            "{parent} can't be written ({error}). Name another place.",
            parent=target.parent,
            error=error.strerror,
        ) from error
    except apsw.Error as error:
        raise DatabaseError(
            "The backup could not be made ({error}). Check the disk, or name another place.", error=error
        ) from error
    return target


def is_of_damaged(copy: Path) -> bool:
    """Return whether a backup's name says that the memory was damaged."""
    return re.search(rf"{DAMAGED}(-\d+)?$", copy.stem) is not None


def damage(db: apsw.Connection, check: str = "integrity_check") -> str:
    """Return what is wrong with a file's pages, rows and indexes in a line; nothing where all is well.
    `quick_check` doesn't compare indexes, which can be made anew, with rows.

    What is wrong with a full-text index alone is no damage: `mem store rebuild` makes it anew.
    """
    try:
        results = [str(row[0]) for row in db.execute(f"PRAGMA {check}(5)")]
    except apsw.Error as error:
        return str(error)
    results = [line for line in results if line != "ok" and "inverted index" not in line]
    # SQLite's first line only names the database.
    lines = [line for text in results for line in text.splitlines() if not line.startswith("***")]
    result = "; ".join(lines[:2] or results[:1])
    if len(lines) <= 2:
        return result
    return _("{items} and {number} more", items=result, number=len(lines) - 2)


def backups_directory(path: Path) -> Path:
    """Return the directory of a memory's own backups, whether it is there or not."""
    place = path.resolve()
    return place.with_name(f"{place.name}-backups")


def new_backup_path(path: Path, reason: str = "", directory: Path | None = None) -> Path:
    """Return a name for a backup of a memory made now, which nothing has and which sorts behind those
    that are there."""
    folder = directory or backups_directory(path)
    now, mark = stamp(), f"-{reason}" if reason else ""
    same = [_order_of(item.name) for item in stamped_backups(path, directory=folder)]
    last = max((number for second, number in same if second == now), default=0)
    mark += f"-{last + 1}" if last else ""
    return free_name(folder / f"{path.resolve().stem}-{now}{mark}{path.resolve().suffix}")


def stamp() -> str:
    """Return the present as names of files have it, UTC."""
    return datetime.fromtimestamp(now_ms() / 1000, UTC).strftime("%Y%m%d-%H%M%S")


def free_name(path: Path) -> Path:
    """Return this path, or one like it that nothing has."""
    marks = chain(("",), (f"-{number}" for number in count(2)))
    places = (path.with_name(f"{path.stem}{mark}{path.suffix}") for mark in marks)
    return next(place for place in places if not os.path.lexists(place))


def known_backups(path: Path) -> list[Path]:
    """Return a memory's own backups and what it held before it was rebuilt or restored, newest first.

    Those of a damaged memory are among them (`is_of_damaged`).
    """
    beside = path.resolve()
    names = re.compile(
        rf"{re.escape(beside.stem)}-before-\d{{8}}-\d{{6}}.*{re.escape(path.resolve().suffix)}"
    )
    results = [(name, beside.parent / name) for name in _names(beside.parent) if names.fullmatch(name)]
    own = [(item.name, item) for item in stamped_backups(path)]
    by_time = sorted(results + own, key=lambda pair: _stamp_of(pair[0]), reverse=True)
    return [place for _, place in by_time if place.is_file() and not place.is_symlink()]


def stamped_backups(path: Path, reason: str | None = None, directory: Path | None = None) -> list[Path]:
    """Return the files in a directory (of the memory's own backups) that have a name as
    `new_backup_path` gives them, newest first; of one reason, or of all."""
    folder = directory or backups_directory(path)
    why = r"(-[a-z]+(-[a-z]+)*)?" if reason is None else re.escape(f"-{reason}" if reason else "")
    stem, suffix = re.escape(path.resolve().stem), re.escape(path.resolve().suffix)
    name = rf"{stem}-\d{{8}}-\d{{6}}{why}(-\d+)?{suffix}"
    results = [text for text in _names(folder) if re.fullmatch(name, text)]
    return [folder / word for word in sorted(results, key=_order_of, reverse=True)]


def rotate(path: Path, keep: int, reason: str = "", directory: Path | None = None) -> list[Path]:
    """Remove all but the newest `keep` backups of a reason, and return those that are gone."""
    gone = []
    for old in stamped_backups(path, reason, directory)[keep:]:
        if old.is_file() and not old.is_symlink():
            old.unlink(missing_ok=True)
            gone.append(old)
    return gone


def automatic_backup(db: apsw.Connection, path: Path, reason: str, keep: int = KEPT) -> Path | None:
    """Back an open memory up before something is done to it, and return the copy; `reason` becomes a
    part of its name, as in `before-purge`.

    None where the disk has no room or can't be written: a notice says so, and what was to be done
    goes on.
    """
    folder = backups_directory(path)
    try:
        size = int(db.pragma("page_count")) * int(db.pragma("page_size"))
        atomic.make_directories(folder)
        atomic.sweep_all(folder)
        if free_bytes(folder) < size + SPARE_BYTES:
            notices.say(
                _(
                    "No backup was made {when}: the disk has no room for one.",
                    when=_spoken(reason),
                )
            )
            return None
        made = backup(db, new_backup_path(path, reason))
    except (OSError, apsw.Error, DatabaseError) as error:
        notices.say(_("No backup was made {when} ({error}).", when=_spoken(reason), error=error))
        return None
    with suppress(OSError):
        rotate(path, keep, reason)
    return made


def lock(path: Path) -> FileLock:
    """Return the lock that keeps two processes from making the same backup, waited for."""
    folder = backups_directory(path)
    atomic.make_directories(folder)
    return FileLock(str(folder / ".lock"), PATIENCE_SECONDS)


def free_bytes(directory: Path) -> int:
    """Return how many bytes of a directory's disk this user may still fill."""
    # Not worth its import where a store is only opened.
    from shutil import disk_usage

    return disk_usage(directory).free


def _copy(db: apsw.Connection, draft: Path) -> str:
    """Copy all pages, and return what is wrong with them."""
    with closing(apsw.Connection(str(draft), flags=apsw.SQLITE_OPEN_READWRITE)) as copy:
        with copy.backup("main", db, "main") as job:
            job.step(-1)
        # No damage of a full-text index counts, and to look for it would take longer than all else.
        copy.drop_modules(None)
        result = damage(copy, "quick_check")
        with suppress(apsw.Error):
            copy.pragma("journal_mode", "delete")
        return result


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _stamp_of(name: str) -> str:
    match = re.search(r"\d{8}-\d{6}", name)
    return match[0] if match else ""


def _order_of(name: str) -> tuple[str, int]:
    """Two of the same second are told apart by the number behind."""
    number = re.search(r"-(\d{1,5})\.?[^.]*$", name)
    return _stamp_of(name), int(number[1]) if number else 1


def _spoken(reason: str) -> str:
    return _(REASONS.get(reason, reason)) if reason else _("now")


DAY_SECONDS = 86_400
REASON = "daily"


def is_due(path: Path) -> bool:
    """Return whether a daily backup is asked for, and the last one is a day old or missing."""
    return _due(path) is not None


def back_up_if_due(db: apsw.Connection, path: Path) -> Path | None:
    """Make the day's backup of an open memory, once however many processes ask; None where there is
    none to be made. Not for where an agent waits."""
    if _due(path) is None:
        return None
    with suppress(OSError), lock(path) as is_held:
        settings = _due(path)
        if is_held and settings is not None:
            return automatic_backup(db, path, REASON, settings.keep)
    return None


def backup_check(path: Path) -> Check:
    """Return how old the newest backup is: not well where daily ones are asked for and there is none
    of the last two days, or the newest are of a damaged memory."""
    try:
        settings = backup_settings()
    except ConfigurationError as error:
        return Check(N_("backup"), False, str(error), _("Fix that file."))
    known = known_backups(path)
    sound = [copy for copy in known if not is_of_damaged(copy)]
    remedy = "mem backup"
    if not sound:
        result = _("all {number} are of a damaged store", number=len(known)) if known else _("none yet")
        return Check("backup", not settings.daily and not known, result, remedy)
    age = max(0.0, time.time() - sound[0].stat().st_mtime)
    result = _(
        "{number}, the newest {age} old: {path}",
        number=len(sound),
        age=spoken_age(age),
        path=sound[0],
    )
    return Check("backup", not settings.daily or age < 2 * DAY_SECONDS, result, remedy)


def spoken_age(seconds: float) -> str:
    """Return a time as people say it: 5 minutes, 3 hours, 12 days."""
    for unit, size in ((N_("days"), DAY_SECONDS), (N_("hours"), 3_600), (N_("minutes"), 60)):
        if seconds >= size:
            return count_noun(int(seconds // size), unit)
    return _("less than a minute")


def _due(path: Path) -> BackupSettings | None:
    with suppress(ConfigurationError):
        settings = backup_settings()
        if settings.daily:
            newest = next(iter(stamped_backups(path, REASON)), None)
            with suppress(OSError):
                if newest is None or time.time() - newest.stat().st_mtime >= DAY_SECONDS:
                    return settings
    return None
