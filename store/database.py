"""Open a database: whose it is, its migrations and indexes, and every refusal in a sentence."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import apsw

from . import files, migrations
from .clock import now_ms
from .connection import BUSY_SECONDS, set_up
from .errors import DatabaseError, ReadOnlyError
from .search import index


def default_path() -> Path:
    """Where the user's own memory lives: `MEMTUI_DB`, else the platform's data directory."""
    if named := os.environ.get("MEMTUI_DB"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("memtui", appauthor=False) / "memory.db"


def connect(path: Path, *, read_only: bool, patience: float = BUSY_SECONDS) -> apsw.Connection:
    """A ready connection, which waits for locks for `patience` seconds; its file is made when it is
    missing and may be written."""
    name, flags = files.ready(path, read_only=read_only)
    db = apsw.Connection(name, flags=flags)
    try:
        prepare(db, path, read_only=read_only, patience=patience)
    except BaseException:
        db.close()
        raise
    return db


def prepare(
    db: apsw.Connection, path: Path, *, read_only: bool, patience: float = BUSY_SECONDS
) -> None:
    """Set a fresh connection up, and bring its file to the newest schema with all its indexes."""
    set_up(db, patience)
    if db.pragma("application_id") != migrations.APPLICATION_ID:
        raise DatabaseError(
            f"{path} is a database of another program; nothing was changed. "
            "To bring its memories in: mem import claude-mem PATH."
        )
    version, latest = migrations.current_version(db), migrations.latest_version()
    if read_only:
        if version < latest:
            raise DatabaseError(
                f"{path} has an older schema ({version}) and can only be read. "
                "Open it once where it can be written, to upgrade it."
            )
        return
    if version > latest:
        raise ReadOnlyError(
            f"{path} was written by a newer memtui (schema {version}, this one knows {latest}). "
            "Upgrade memtui; until then it can only be read."
        )
    with contextlib.suppress(apsw.BusyError):
        # A restored backup has no log yet; where it is busy it works without one until next time.
        db.pragma("journal_mode", "wal")
    migrations.migrate(db, now=now_ms())
    index.ensure(db)


@contextlib.contextmanager
def telling(path: Path, *, read_only: bool) -> Iterator[None]:
    """Turn what SQLite says of a file while it is opened into sentences for the user."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise DatabaseError(
            f"{path} is not a memtui database, or is damaged ({error}). "
            "Nothing was changed; name another file with --db."
        ) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError) as error:
        if read_only:
            raise DatabaseError(
                f"{path} can't be read ({error}). Check the permissions of its directory."
            ) from error
        raise ReadOnlyError(
            f"{path} can't be written ({error}). Check the permissions of the file and its directory."
        ) from error
    except apsw.BusyError as error:
        raise DatabaseError(f"{path} stayed locked by another process. Try again.") from error
    except apsw.Error as error:
        raise DatabaseError(
            f"{path} can't be opened ({error}). Name another file with --db."
        ) from error
