"""Put a backup in the place of a memory, page by page, while others have it open."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from ...database import backup, file, schema
from ...database.files import atomic, temporary
from ...database.replace import keep_numbers
from ...errors import DatabaseError, SourceError
from ...formats.sqlite.file import check_is_database, open_foreign
from ...records.dataclasses import dataclass
from ...store import Store
from ...translation import _
from .replace import is_unreadable, replace


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
