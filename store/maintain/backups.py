"""Backups, asked for, made by themselves before a memory is changed at large, or daily; and a backup put
back in the place of a memory, page by page, while others have it open.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from ..capture.ingest.catch_up import open_caught_up
from ..database import backup, file, schema
from ..database.backup import backup_check, is_of_damaged, known_backups
from ..database.files import atomic, leftovers, temporary
from ..database.health import Check
from ..database.replace import keep_numbers
from ..formats.sqlite.file import check_is_database, open_foreign
from ..platform.errors import DatabaseError, SourceError, StoreError
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass
from ..store import Store
from .replacing import is_unreadable, replace

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


@dataclass(frozen=True, slots=True)
class Restored:
    """Where the memory that was there before is now, if there was one; the schema that the backup had;
    and whether its indexes had to be made anew."""

    before: Path | None
    schema: int
    indexed_anew: bool


def restore_backup(path: Path, source: Path) -> Restored:
    """Have the memory at `path` hold what a backup holds, which stays as it is.

    Verified is it with nobody else writing, so that all that was acknowledged until then is in what is
    kept beside the memory, and all that comes later in the memory. Raises StoreError, and changes
    nothing, where the backup is damaged or none of ours.
    """
    file.check_sqlite()
    folder = backup.backups_directory(path)
    check_is_database(
        source, _("Name a backup of a store; {folder} holds those that there are.", folder=folder)
    )
    if path.exists() and path.samefile(source):
        raise SourceError("{source} is the store itself. Name a backup of it.", source=source)
    atomic.make_directories(path.absolute().parent)
    with temporary.directory(".restore.", path.absolute().parent) as directory:
        made = directory / path.name
        version = _copy(source, made)
        checked: list[bool] = []

        def check(old: Store | None = None) -> None:
            checked.append(_verify(source, made))
            if old is not None:
                with Store.open(made) as store:
                    keep_numbers(old.db, store.db)
                    store.vectors.take_over(old.db, old.path)

        if not path.exists() or is_unreadable(path):
            check()
        before = replace(path, made, None if checked else check)
    return Restored(before, version, checked[0])


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


def _copy(source: Path, made: Path) -> int:
    """Copy a backup's pages, without what another memory's log beside it says, and return its schema."""
    with file.translate_open_errors(source, read_only=True), open_foreign(source) as db:
        version = _check(db, source)
        with closing(apsw.Connection(str(made))) as copy, copy.backup("main", db, "main") as job:
            job.step(-1)
    return version


def _check(db: apsw.Connection, source: Path) -> int:
    """Return the schema of a memory that can be restored; SourceError for all others."""
    if db.pragma("application_id") != schema.APPLICATION_ID:
        raise SourceError(
            "{source} is not a backup of a store of ours. To bring another program's in: mem import.",
            source=source,
        )
    version, latest = schema.current_version(db), schema.latest_version()
    file.refuse_older(source, version)
    if version > latest:
        raise SourceError(
            "{source} has the schema {version}; this memtui knows {latest}. Upgrade "
            "memtui, or restore it with the version that wrote it.",
            source=source,
            version=version,
            latest=latest,
        )
    return version


def _verify(source: Path, made: Path) -> bool:
    """Refuse a copy that isn't sound, but for its indexes, which are made anew; whether they were."""
    with file.translate_open_errors(source, read_only=True):
        with closing(apsw.Connection(str(made))) as db:
            damage = backup.damage(db)
        if damage:
            raise DatabaseError(
                "{source} is damaged ({damage}), so nothing was changed. `mem store repair` "
                "salvages what can be read of it.",
                source=source,
                damage=damage,
            )
        with Store.open(made) as store:
            if store.doctor().ok:
                return False
            store.rebuild()
            wrong = [check for check in store.doctor().checks if not check.ok]
            if wrong:
                raise DatabaseError(
                    "{source} is not sound ({name}: {found}), so nothing was changed. `mem store "
                    "repair` salvages what can be read of it.",
                    source=source,
                    name=wrong[0].name,
                    found=wrong[0].found,
                )
            return True
