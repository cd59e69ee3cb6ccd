"""Put a finished memory in the place of another, whatever state that is in, and keep it beside; or start
anew, where all that belongs to a memory moves aside or goes.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import apsw

from ..capture.ingest.spool import SEGMENT, folders, settle
from ..context.own_files import FILES_INDEX
from ..database import backup
from ..database.connection import wait_when_busy
from ..database.file import translate_open_errors
from ..database.files import atomic, leftovers
from ..database.files.versions import VersionFolder
from ..database.replace import replace_pages
from ..platform.errors import DatabaseError, StoreError
from ..records.dataclasses import dataclass
from ..store import Store
from ..tables.unembedded import drop_vectors


def replace(path: Path, made: Path, while_locked: Callable[[Store], object] | None = None) -> Path | None:
    """Give the memory at `path` the content of `made`, which no process has open; return where the
    old one is now, if there was one.

    A memory that can be opened gets it page by page, so that whoever has it open goes on with it;
    `while_locked` is given the old one when nobody else can write to it any more. One that is too
    damaged for that is moved aside with all that belongs to it. Vectors are compared with what is there
    now. Raises StoreError.
    """
    before = _replace(path, made, while_locked)
    try:
        with Store.open(path) as store:
            store.vectors.settle()
    except (StoreError, apsw.Error):
        # They can be made anew.
        drop_vectors(path)
    return before


def is_unreadable(path: Path) -> bool:
    """Return whether a memory is so damaged that it can't be opened; StoreError where it is
    something else, or of a newer memtui."""
    if path.is_file() and path.stat().st_size == 0:
        return True
    try:
        Store.open(path).close()
    except (apsw.CorruptError, apsw.NotADBError):
        return True
    except StoreError as error:
        if isinstance(error.__cause__, apsw.CorruptError | apsw.NotADBError):
            return True
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise DatabaseError(
            "{path} can't be opened ({error}).", path=os.fspath(path), error=error
        ) from error
    return False


@dataclass(frozen=True, slots=True)
class ResetFiles:
    """What was moved or deleted, and where it is now (empty where it was deleted)."""

    files: tuple[Path, ...]
    aside: tuple[Path, ...] = ()


def belongings(path: Path) -> list[Path]:
    """Return the file of a memory, its log and locks, and the events that wait for it, wherever that
    is. Backups and the settings of hooks aren't among them."""
    place = path.resolve()
    beside = [place.with_name(place.name + suffix) for suffix in ("", *leftovers.COMPANIONS)]
    paths = [item for item in beside if item.is_symlink() or item.exists()]
    return paths + _segments(path)


def reset(path: Path, *, delete: bool = False) -> ResetFiles:
    """Move a memory, its log and the events that wait for it aside under one stamped name beside it,
    or delete them; its vectors and the index of agents' files, which can be made anew, and the versions
    that it keeps of these are deleted. Its archive stays. Raises DatabaseError, and changes nothing, while
    another process has it open.
    """
    place = path.resolve()
    if place.is_dir():
        raise DatabaseError("{path} is a directory. Name a database file with --db.", path=path)
    # What hooks have taken belongs to it, too.
    settle(path)
    if not belongings(path):
        _drop_beside(place)
        return ResetFiles(())
    if place.exists() and not (os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)):
        raise DatabaseError(
            "{path}, or its directory, can't be written, so nothing was changed. Check the permissions.",
            path=path,
        )
    with leftovers.AloneWith(place) as is_alone:
        if not is_alone:
            raise DatabaseError(
                "Another process has {path} open, so nothing was changed. End it (the "
                "browser, a worker), then try again.",
                path=path,
            )
        files = belongings(path)
        aside = Path(leftovers.free_aside(str(place)))
        spool = aside.with_name(f"{aside.name}-spool")
        moved = []
        for file in files:
            if delete:
                file.unlink(missing_ok=True)
            elif file.parent == place.parent and file.name.startswith(place.name):
                moved.append(file.rename(aside.with_name(aside.name + file.name[len(place.name) :])))
            else:
                moved.append(_move_into(spool, file))
        _drop_beside(place)
        atomic.sync(place.parent)
    return ResetFiles(tuple(files), tuple(moved))


def _replace(path: Path, made: Path, while_locked: Callable[[Store], object] | None) -> Path | None:
    before = _name_before(path)
    if not path.exists():
        with suppress(FileExistsError):
            leftovers.place(made, path)
            return None
    if is_unreadable(path):
        before = before.with_stem(before.stem + backup.DAMAGED)
        # Nobody knows what they are of.
        drop_vectors(path)
        _move_away(path, before)
        leftovers.place(made, path)
        return before
    kept: list[Path] = []

    def keep_and_prepare() -> None:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as old:
            wait_when_busy(old)
            kept.append(backup.backup(old, before))
        if while_locked is not None:
            with Store.open(path, read_only=True) as store:
                while_locked(store)

    try:
        with translate_open_errors(path, read_only=False):
            replace_pages(path, made, keep_and_prepare)
    except BaseException:
        for copy in kept:
            copy.unlink(missing_ok=True)
        raise
    return kept[0]


def _name_before(path: Path) -> Path:
    """Return a name beside a memory for what it holds now, which nothing has."""
    place = path.resolve()
    return backup.free_name(place.with_name(f"{place.stem}-before-{backup.stamp()}{path.suffix}"))


def _move_away(path: Path, to: Path) -> None:
    """Rename a file and what lies beside it."""
    place = path.resolve()
    for suffix in (*leftovers.COMPANIONS, ""):
        with suppress(FileNotFoundError):
            place.with_name(place.name + suffix).rename(to.with_name(to.name + suffix))


def _drop_beside(place: Path) -> None:
    drop_vectors(place)
    VersionFolder(place).drop()
    for suffix in ("", *leftovers.COMPANIONS):
        place.with_name(FILES_INDEX + suffix).unlink(missing_ok=True)


def _segments(path: Path) -> list[Path]:
    paths: list[Path] = []
    for folder in folders(path):
        with suppress(OSError):
            paths += [item for item in sorted(folder.iterdir()) if SEGMENT.fullmatch(item.name)]
    return paths


def _move_into(spool: Path, segment: Path) -> Path:
    """Move a segment, which may lie on another disk, beside others of the same day."""
    atomic.make_directories(spool)
    place = spool / segment.name
    number = 2
    while place.exists():
        place = spool / f"{segment.stem}-{number}{segment.suffix}"
        number += 1
    shutil.move(segment, place)
    return place
