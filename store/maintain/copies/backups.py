"""Backups that are asked for, made by themselves before a memory is changed at large, or daily."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from ...capture.ingest.catch_up import open_caught_up
from ...database import backup
from ...database.backup import is_of_damaged, known_backups
from ...database.daily_backup import backup_check
from ...database.files import atomic, leftovers
from ...database.health import Check
from ...errors import DatabaseError, StoreError
from ...records.dataclasses import dataclass
from ...store import Store
from ...translation import N_, _

__all__ = [
    "MadeBackup", "automatic_backup", "back_up", "backup_checks", "is_of_damaged", "known_backups",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class MadeBackup:
    """A backup, which of the older ones are gone for it, and what is wrong with the memory."""

    copy: Path
    removed: tuple[Path, ...] = ()
    damage: str = ""


def back_up(path: Path, target: Path | None = None, *, keep: int | None = None) -> MadeBackup:
    """Copy a memory to a new file, or under a name that tells the time into a directory: the
    memory's own unless `target` names one. There all but the newest `keep` backups go.

    A damaged memory is copied as far as SQLite reads it, else byte by byte, under a name that says
    so. Raises StoreError.
    """
    is_named = target is not None and not target.is_dir()
    directory = None if is_named else target or backup.backups_directory(path)
    try:
        if directory is not None:
            atomic.make_directories(directory)
            target = backup.new_backup_path(path, directory=directory)
    except OSError as error:
        raise DatabaseError(
            "{directory} can't be made ({error}). Name another place.",
            directory=directory,
            error=error.strerror,
        ) from error
    assert target is not None
    try:
        with open_caught_up(path) as store:
            copy = store.backup(target)
    except StoreError as error:
        if not isinstance(error.__cause__, apsw.CorruptError | apsw.NotADBError) or not path.is_file():
            raise
        copy = _copy_bytes(path, target)
    removed = () if keep is None else backup.rotate(path, keep, directory=directory)
    return MadeBackup(copy, tuple(removed), _damage(copy) if is_of_damaged(copy) else "")


def automatic_backup(store: Store, reason: str) -> Path | None:
    """Back a memory up before something is done to it, outside any transaction, and return the copy;
    `reason` becomes a part of its name, as in `before-purge`.

    None where the disk has no room or can't be written: a notice says so (`database.notices`), and
    what was to be done goes on. The newest three of each reason stay.
    """
    return backup.automatic_backup(store.db, store.path, reason)


def backup_checks(path: Path) -> Iterator[Check]:
    """Yield how old the newest backup is, and what was moved aside from the memory."""
    yield backup_check(path)
    aside = leftovers.set_aside_files(path)
    if aside:
        names = _(", ").join(item.name for item in aside)
        content = _("{names}; remove what nobody misses", names=names)
        yield Check(N_("set aside"), True, content)


def _copy_bytes(path: Path, target: Path) -> Path:
    """Copy a file that SQLite can't read, and its log."""
    if target.exists():
        raise DatabaseError("{target} exists already. Name a new file for the backup.", target=target)
    copy = backup.free_name(target.with_name(f"{target.stem}{backup.DAMAGED}{target.suffix}"))
    for suffix in ("", "-wal"):
        source, place = (item.with_name(item.name + suffix) for item in (path.resolve(), copy))
        if source.exists():
            with atomic.draft(place) as draft:
                shutil.copyfile(source, draft)
                atomic.publish(draft, place, replace=False)
    return copy


def _damage(copy: Path) -> str:
    try:
        with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            return backup.damage(db)
    except apsw.Error as error:
        return str(error)
