"""Open a database file: pragmas, migrations, the machine's identity, and what SQLite here can do."""

from __future__ import annotations

import contextlib
import os
import random
import time
from pathlib import Path
from urllib.parse import quote

import apsw

from . import migrations
from .clock import now_ms, uuid7
from .errors import DatabaseError, ReadOnlyError

BUSY_SECONDS = 30.0


def default_path() -> Path:
    """Where the user's own memory lives: `MEMTUI_DB`, else the platform's data directory."""
    if named := os.environ.get("MEMTUI_DB"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("memtui", appauthor=False) / "memory.db"


def connect(path: Path, *, read_only: bool) -> apsw.Connection:
    """A ready connection; its file is made when it is missing and may be written.

    Raises DatabaseError or ReadOnlyError with a sentence for the user; nothing is changed then.
    """
    name, flags = ready(path, read_only=read_only)
    try:
        db = apsw.Connection(name, flags=flags)
    except apsw.CantOpenError as error:
        raise DatabaseError(f"{path} can't be opened ({error}). Check its permissions.") from error
    try:
        prepare(db, path, read_only=read_only)
    except BaseException:
        db.close()
        raise
    return db


def ready(path: Path, *, read_only: bool) -> tuple[str, int]:
    """The name and flags to connect with, after the file was made or found usable."""
    check_sqlite()
    if not path.exists() and not read_only:
        create(path)
    check_file(path, read_only=read_only)
    return address(path, read_only=read_only)


def prepare(db: apsw.Connection, path: Path, *, read_only: bool) -> None:
    """Set a fresh connection up and bring its file to the newest schema."""
    wait_when_busy(db)
    db.transaction_mode = "IMMEDIATE"
    try:
        db.pragma("foreign_keys", True)
        db.pragma("synchronous", "FULL")
        db.pragma("temp_store", "MEMORY")
        version = migrations.current_version(db)
        if version > migrations.latest_version() and not read_only:
            raise ReadOnlyError(
                f"{path} was written by a newer memtui (schema {version}, this one knows "
                f"{migrations.latest_version()}). Upgrade memtui; until then it can only be read."
            )
        if version < migrations.latest_version():
            upgrade(db, path, version, read_only=read_only)
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise DatabaseError(
            f"{path} is not a memtui database, or is damaged ({error}). "
            "Nothing was changed; name another file with --db."
        ) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError) as error:
        raise ReadOnlyError(
            f"{path} can't be written ({error}). Check the permissions of the file and its directory."
        ) from error
    except apsw.BusyError as error:
        raise DatabaseError(f"{path} stayed locked by another process. Try again.") from error


def upgrade(db: apsw.Connection, path: Path, version: int, *, read_only: bool) -> None:
    """Apply the missing migrations, to a file that is ours."""
    if version == 0:
        raise DatabaseError(
            f"{path} is a database of another program; nothing was changed. "
            "To bring its memories in: mem import claude-mem PATH."
        )
    if read_only:
        raise DatabaseError(
            f"{path} has an older schema ({version}) and can only be read. "
            "Open it once where it can be written, to upgrade it."
        )
    migrations.migrate(db, now=now_ms())


def create(path: Path) -> None:
    """Make an empty memory beside `path` and link it into place whole.

    So no process ever meets a half-made file, however many start at once, and a zero-byte file
    can only be damage. Directories are made 0700, files 0600, whatever the umask.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.{random.getrandbits(32):08x}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise DatabaseError(
            f"{path} can't be made ({error.strerror}). Name another file with --db."
        ) from error
    try:
        db = apsw.Connection(str(draft), flags=apsw.SQLITE_OPEN_READWRITE)
        with contextlib.closing(db):
            db.pragma("journal_mode", "wal")
            migrations.migrate(db, now=now_ms())
            db.execute("INSERT INTO meta VALUES ('machine_id', ?)", (uuid7(now_ms()),))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def address(path: Path, *, read_only: bool) -> tuple[str, int]:
    """The file's name and flags for SQLite.

    Reading a WAL database needs its -shm file; where that can't be made and no WAL waits, the file
    can't change either, and is opened as immutable.
    """
    if not read_only:
        return str(path), apsw.SQLITE_OPEN_READWRITE
    log = path.with_name(path.name + "-wal")
    settled = not log.exists() or log.stat().st_size == 0
    if settled and not os.access(path.parent, os.W_OK):
        uri = f"file:{quote(str(path.absolute()))}?immutable=1"
        return uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return str(path), apsw.SQLITE_OPEN_READONLY


def wait_when_busy(db: apsw.Connection) -> None:
    """Retry a locked database in short jittered steps: fairer than SQLite's own growing ones."""
    since = 0.0

    def handler(attempt: int) -> bool:
        nonlocal since
        if attempt == 0:
            since = time.monotonic()
        time.sleep(random.uniform(0.0002, 0.004))
        return time.monotonic() - since < BUSY_SECONDS

    db.set_busy_handler(handler)


def check_sqlite() -> None:
    """Refuse an SQLite with the WAL-reset corruption bug."""
    if apsw.SQLITE_VERSION_NUMBER < 3_051_003:
        raise DatabaseError(
            f"SQLite {apsw.sqlite_lib_version()} can damage databases; memtui needs 3.51.3 or "
            "newer. Upgrade the apsw package."
        )


def check_file(path: Path, *, read_only: bool) -> None:
    """Give every unusable path its own sentence, before SQLite touches it."""
    if path.is_dir():
        raise DatabaseError(f"{path} is a directory. Name a database file with --db.")
    if not path.exists():
        raise DatabaseError(f"There is no memory at {path} yet. `mem add TITLE` makes one.")
    if not os.access(path, os.R_OK):
        raise DatabaseError(f"{path} can't be read. Check its permissions.")
    if path.stat().st_size == 0:
        raise DatabaseError(
            f"{path} is an empty file, not a memory. Restore a backup, or remove it to start anew."
        )
    if not read_only and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise ReadOnlyError(f"{path}, or its directory, can't be written. Check the permissions.")
