"""Backups: a verified copy of a live store, in place only when it is whole."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from ..errors import DatabaseError
from . import atomic


def backup(db: apsw.Connection, target: Path) -> Path:
    """Copy the store to `target` (0600, refusing to replace a file), verified before it is named.

    One step copies all pages under one read lock; smaller steps begin again at every write.
    """
    if target.exists():
        raise DatabaseError(f"{target} exists already. Name a new file for the backup.")
    try:
        with atomic.draft(target) as draft:
            _copy(db, draft)
            atomic.publish(draft, target, replace=False)
    except FileExistsError as error:
        raise DatabaseError(f"{target} exists already. Name a new file.") from error
    except OSError as error:
        raise DatabaseError(
            f"{target.parent} can't be written ({error.strerror}). Name another place."
        ) from error
    except apsw.Error as error:
        raise DatabaseError(
            f"The backup could not be made ({error}). Check the disk, or name another place."
        ) from error
    return target


def _copy(db: apsw.Connection, draft: Path) -> None:
    with closing(apsw.Connection(str(draft), flags=apsw.SQLITE_OPEN_READWRITE)) as copy:
        with copy.backup("main", db, "main") as job:
            job.step(-1)
        copy.pragma("journal_mode", "delete")
        if copy.execute("PRAGMA integrity_check").get != "ok":
            raise DatabaseError("The copy is damaged and was removed. Run `mem doctor`.")
