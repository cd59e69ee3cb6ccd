"""Put a finished memory in the place of another, whatever state that is in; it is kept beside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import apsw

from ...database import backup
from ...database.connection import wait_when_busy
from ...database.file import translate_open_errors
from ...database.files import leftovers
from ...database.replace import replace_pages
from ...embeddings.folder import VectorFolder
from ...errors import DatabaseError, StoreError
from ...store import Store


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
        VectorFolder(path).drop()
    return before


def _replace(path: Path, made: Path, while_locked: Callable[[Store], object] | None) -> Path | None:
    before = name_before(path)
    if not path.exists():
        with suppress(FileExistsError):
            leftovers.place(made, path)
            return None
    if is_unreadable(path):
        before = before.with_stem(before.stem + backup.DAMAGED)
        # Nobody knows what they are of.
        VectorFolder(path).drop()
        move_away(path, before)
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


def name_before(path: Path) -> Path:
    """Return a name beside a memory for what it holds now, which nothing has."""
    place = path.resolve()
    return backup.free_name(place.with_name(f"{place.stem}-before-{backup.stamp()}{path.suffix}"))


def move_away(path: Path, to: Path) -> None:
    """Rename a file and what lies beside it."""
    place = path.resolve()
    for suffix in (*leftovers.COMPANIONS, ""):
        with suppress(FileNotFoundError):
            place.with_name(place.name + suffix).rename(to.with_name(to.name + suffix))


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
