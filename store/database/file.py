"""Find or make the database file, open it, bring its schema up to date, and refuse what is no
memory in a sentence. Text that is no UTF-8 is read with U+FFFD in its place.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import apsw

from ..platform.clock import now_ms, uuid7
from ..platform.errors import DatabaseError, ReadOnlyError
from ..platform.translation import _
from . import notices, schema
from .connection import BUSY_SECONDS, OLDEST_SQLITE, set_up
from .files import atomic, disk, leftovers, permissions
from .log_size import keep_small

if TYPE_CHECKING:
    from .schema.comparison import SchemaDifference

MISSING = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def ready(path: Path, *, read_only: bool) -> tuple[str, int]:
    """Return the name and flags to connect with, after the file was made or found usable.

    Raises DatabaseError or ReadOnlyError with a sentence for the user; nothing is changed then.
    """
    check_sqlite()
    try:
        if not path.exists() and not read_only:
            create(path)
        check_file(path, read_only=read_only)
        if not read_only:
            leftovers.settle(path)
            permissions.narrow(path)
        return address(path, read_only=read_only)
    except OSError as error:
        raise DatabaseError(
            "{path} can't be opened or made ({error}). Name another file with --db.",
            path=path,
            error=error.strerror,
        ) from error


def create(path: Path) -> None:
    """Make an empty memory beside `path` and link it into place whole.

    So no process ever meets a half-made file, however many start at once, and a zero-byte file
    can only be damage. Directories are made 0700, files 0600, whatever the umask.
    """
    # A link may lead to nothing yet.
    path = Path(os.path.realpath(path))
    atomic.make_directories(path.parent)
    try:
        with atomic.draft(path) as draft:
            db = apsw.Connection(str(draft), flags=apsw.SQLITE_OPEN_READWRITE)
            with contextlib.closing(db):
                db.pragma("journal_mode", "wal")
                schema.migrate(db, now=now_ms())
                db.execute("INSERT INTO meta VALUES ('machine_id', ?)", (uuid7(now_ms()),))
            with contextlib.suppress(FileExistsError):
                leftovers.place(draft, path)
    finally:
        atomic.sweep(path)


def check_sqlite() -> None:
    """Refuse an SQLite with the WAL-reset corruption bug."""
    if apsw.SQLITE_VERSION_NUMBER < OLDEST_SQLITE:
        raise DatabaseError(
            "SQLite {version} can damage databases; memtui needs 3.51.3 or newer. Upgrade "
            "the apsw package.",
            version=apsw.sqlite_lib_version(),
        )


def check_file(path: Path, *, read_only: bool) -> None:
    """Give every unusable path its own sentence, before SQLite touches it."""
    try:
        # `Path.exists` says no too of what lies in a directory that can't be entered, from Python 3.14 on.
        status = path.stat()
    except OSError as error:
        if error.errno not in MISSING:
            raise
        raise DatabaseError(
            "There is no store at {path} yet. The first event of an agent with hooks "
            "makes it, or `mem add TITLE`.",
            path=path,
        ) from None
    if stat.S_ISDIR(status.st_mode):
        raise DatabaseError("{path} is a directory. Name a database file with --db.", path=path)
    if not os.access(path, os.R_OK):
        raise DatabaseError("{path} can't be read. Check its permissions.", path=path)
    if status.st_size == 0:
        raise DatabaseError(
            "{path} is an empty file, not a store. Put a backup in its place (`mem store "
            "restore-backup FILE`), or start over: `mem store reset`.",
            path=path,
        )
    if not read_only and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        raise ReadOnlyError("{path}, or its directory, can't be written. Check the permissions.", path=path)


def address(path: Path, *, read_only: bool) -> tuple[str, int]:
    """Return the file's name and flags for SQLite.

    Reading a WAL database needs its -shm file; where that can't be made and no WAL waits, the file
    can't change either, and is opened as immutable. So is one beside which another memory's log lies.
    """
    if not read_only:
        return str(path), apsw.SQLITE_OPEN_READWRITE
    file = path.resolve()
    log = file.with_name(file.name + "-wal")
    settled = not log.exists() or log.stat().st_size == 0
    is_foreign = leftovers.is_foreign(path)
    if is_foreign:
        notices.say(_("A log beside {path} is not its own, and was not read.", path=path))
    if is_foreign or (settled and not os.access(file.parent, os.W_OK)):
        return immutable(path)
    return str(path), apsw.SQLITE_OPEN_READONLY


def connect(path: Path, *, read_only: bool, patience: float = BUSY_SECONDS) -> apsw.Connection:
    """Return a ready connection, which waits for locks for `patience` seconds; its file is made when it is
    missing and may be written."""
    name, flags = ready(path, read_only=read_only)
    try:
        return _connected(path, name, flags, read_only=read_only, patience=patience)
    except (apsw.FullError, apsw.IOError, apsw.CantOpenError):
        if not read_only:
            raise
        # The index of the log, a file beside the memory, can't be made, on a full disk for example.
        return _connected_alone(path, patience)


def _connected(
    path: Path, name: str, flags: int, *, read_only: bool, patience: float, alone: bool = False
) -> apsw.Connection:
    db = apsw.Connection(name, flags=flags)
    try:
        if alone:
            keep_others_out(db)
        prepare(db, path, read_only=read_only, patience=patience)
    except BaseException:
        db.close()
        raise
    return db


def _connected_alone(path: Path, patience: float) -> apsw.Connection:
    """Return a connection that reads without a file beside the memory: one of nobody else's where no
    log waits, else one that keeps others out and the log's index in RAM."""
    if is_settled(path):
        return _connected(path, *immutable(path), read_only=True, patience=patience)
    flags = apsw.SQLITE_OPEN_READWRITE
    return _connected(path, str(path), flags, read_only=True, patience=patience, alone=True)


def keep_others_out(db: apsw.Connection) -> None:
    """Have a fresh connection only read, with the log's index in RAM: nobody else can have the file
    open then."""
    db.pragma("query_only", True)
    db.pragma("locking_mode", "exclusive")
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


def is_settled(path: Path) -> bool:
    """Return whether nothing waits in a memory's log."""
    file = path.resolve()
    log = file.with_name(file.name + "-wal")
    return not log.exists() or log.stat().st_size == 0


def immutable(path: Path) -> tuple[str, int]:
    """Return a file's name and flags for reading it as one that nobody changes: SQLite then needs no
    other file."""
    from urllib.parse import quote

    uri = f"file:{quote(str(path.resolve()))}?immutable=1"
    return uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI


def prepare(db: apsw.Connection, path: Path, *, read_only: bool, patience: float = BUSY_SECONDS) -> None:
    """Set a fresh connection up, and bring its file to the newest schema."""
    set_up(db, patience)
    db.cursor_factory = LenientCursor
    if db.pragma("application_id") != schema.APPLICATION_ID:
        raise DatabaseError(
            "{path} is a database of another program; nothing was changed. To bring its "
            "memories in: mem import claude-mem PATH.",
            path=path,
        )
    version, latest = schema.current_version(db), schema.latest_version()
    refuse_older(path, version)
    if read_only:
        # Sorting must not need a disk that may be full.
        db.pragma("temp_store", "memory")
        if version < latest:
            raise DatabaseError(
                "{path} has an older schema ({version}) and can only be read. Open it once "
                "where it can be written, to upgrade it.",
                path=path,
                version=version,
            )
        return
    if version > latest:
        raise ReadOnlyError(
            "{path} was written by a newer memtui (schema {version}, this one knows "
            "{latest}). Upgrade memtui; until then it can only be read.",
            path=path,
            version=version,
            latest=latest,
        )
    with contextlib.suppress(apsw.BusyError):
        # A restored backup has no log yet; where it is busy it works without one until next time.
        db.pragma("journal_mode", "wal")
    keep_small(db, patience)
    if version < latest:
        upgrade(db, path)


def refuse_older(path: Path, version: int) -> None:
    """Refuse a file of a schema from before the baseline, and say how its memories come along."""
    if schema.OLDEST_TAKEN_OVER <= version < schema.BASELINE:
        raise DatabaseError(
            "{path} has the schema {version} of a development version. `mem store rebuild --db {path}` "
            "takes it over, after a backup.",
            path=path,
            version=version,
        )
    if version < schema.BASELINE:
        raise DatabaseError(
            "{path} has the schema {version} of a development version, and nothing was changed. Export it "
            "with the memtui that wrote it (`mem export jsonl FILE --with-private --with-deleted`), then "
            "bring that in here (`mem import jsonl FILE`).",
            path=path,
            version=version,
        )


def upgrade(db: apsw.Connection, path: Path) -> None:
    """Bring a file to the newest schema; of several processes that start at once, one backs it up
    before. The steps are for a file that is what its number says; any other is mended instead."""
    # Next to every opening has nothing to do with these.
    from . import backup
    from .files.old_vectors import drop_old_vectors, old_vectors
    from .schema import comparison, mending

    with contextlib.ExitStack() as stack:
        # Where no lock can be had, the steps are safe all the same.
        with contextlib.suppress(OSError):
            stack.enter_context(backup.lock(path))
        version, latest = schema.current_version(db), schema.latest_version()
        if version >= latest:
            return
        backup.automatic_backup(db, path, "before-migration")
        if not drop_old_vectors(path):
            notices.say(_("{path} can't be deleted: see that it can be written.", path=old_vectors(path)))
        differences = comparison.differences(db, version)
        # Of steps that were taken already, rows need nothing more.
        is_ahead = comparison.is_ahead(differences)
        if is_ahead or comparison.are_wrong(differences):
            mending.mend(db, latest if is_ahead else version, now=now_ms())
            notices.say(
                _(
                    "The schema of {path} was not what its number ({version}) says, and was repaired.",
                    path=path,
                    version=version,
                )
            )
        schema.migrate(db, now=now_ms())


def mend(path: Path) -> list[SchemaDifference]:
    """Give a file the schema that it should have, though no store could be opened on it; return what
    was missing or changed. It is backed up before."""
    from . import backup
    from .schema import comparison, mending

    with translate_open_errors(path, read_only=False):
        db = connect(path, read_only=False)
        with contextlib.closing(db):
            differences = comparison.differences(db, schema.latest_version())
            if comparison.are_wrong(differences):
                backup.automatic_backup(db, path, "before-rebuild")
            return mending.mend_where_wrong(db, now=now_ms())


def vacuum(db: apsw.Connection) -> None:
    """Write the file anew without what is free in it. The copy that SQLite makes of all of it is a
    temporary file, also where the connection keeps temporary tables in memory; these are dropped."""
    before = db.pragma("temp_store")
    db.pragma("temp_store", "file")
    try:
        db.execute("VACUUM")
    finally:
        db.pragma("temp_store", before)


@contextlib.contextmanager
def translate_open_errors(path: Path, *, read_only: bool) -> Iterator[None]:
    """Turn what SQLite says of a file while it is opened into sentences for the user."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise DatabaseError(
            "{path} is not a memtui database, or is damaged ({error}). Nothing was "
            "changed. `mem store repair` salvages what is left of a store; or name "
            "another file with --db.",
            path=path,
            error=error,
        ) from error
    except (apsw.ReadOnlyError, apsw.PermissionsError, apsw.CantOpenError) as error:
        if (sentence := disk.sentence(error, path)) is not None:
            raise DatabaseError(sentence) from error
        if read_only:
            raise DatabaseError(
                "{path} can't be read ({error}). Check the permissions of its directory.",
                path=path,
                error=error,
            ) from error
        raise ReadOnlyError(
            "{path} can't be written ({error}). Check the permissions of the file and its directory.",
            path=path,
            error=error,
        ) from error
    except apsw.BusyError as error:
        raise DatabaseError("{path} stayed locked by another process. Try again.", path=path) from error
    except apsw.Error as error:
        if (sentence := disk.sentence(error, path)) is not None:
            raise DatabaseError(sentence) from error
        raise DatabaseError(
            "{path} can't be opened ({error}). Name another file with --db.", path=path, error=error
        ) from error


READS = ("SELECT", "WITH", "VALUES")
"""How statements begin that can be asked once more, since they change nothing."""


class LenientCursor:
    """A cursor whose texts are always text: a byte that is no UTF-8 becomes U+FFFD.

    apsw decodes strictly, and its error would hide the rows behind the text as well. A statement that meets
    such a text is asked once more for the rows that are still due, with its texts as bytes.

    It has an `apsw.Cursor` and isn't one. From 3.54.0 on apsw keeps a cursor that ends on one thread while
    another uses its connection, and ends it again when that is closed; one of a subclass gives up its
    reference to the class both times, until the class is freed while it is in use and the process crashes.
    """

    __slots__ = ("__weakref__", "_cursor")

    def __init__(self, db: apsw.Connection) -> None:
        self._cursor = apsw.Cursor(db)

    def execute(self, *given: Any, **options: Any) -> Self:
        """Run a statement as `apsw.Cursor.execute` does."""
        self._cursor.execute(*given, **options)
        return self

    def executemany(self, *given: Any, **options: Any) -> Self:
        """Run a statement with many values as `apsw.Cursor.executemany` does."""
        self._cursor.executemany(*given, **options)
        return self

    def close(self, force: bool = False) -> None:
        """Give up the rows that are left."""
        self._cursor.close(force)

    def __iter__(self) -> Iterator[Any]:
        done = 0
        try:
            for row in self._cursor:
                done += 1
                yield row
        except UnicodeDecodeError as error:
            yield from self._leniently(done, error)

    def __next__(self) -> Any:
        if (row := self.fetchone()) is None:
            raise StopIteration
        return row

    def fetchone(self) -> Any:
        """Return the next row; None when there is none."""
        try:
            return self._cursor.fetchone()
        except UnicodeDecodeError as error:
            return next(self._leniently(0, error), None)

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        return list(self)

    @property
    def get(self) -> Any:
        """The one value of the one row; as a row, or a list of them, where there are more."""
        try:
            return self._cursor.get
        except UnicodeDecodeError as error:
            rows = [row[0] if len(row) == 1 else row for row in self._leniently(0, error)]
            return rows[0] if len(rows) == 1 else rows

    def get_description(self) -> Any:
        """Return the names and declared types of the columns."""
        return self._cursor.get_description()

    def _leniently(self, done: int, error: UnicodeDecodeError) -> Iterator[Any]:
        """Yield the rows behind the first `done` ones."""
        sql = (self._cursor.expanded_sql or "").strip().rstrip(";")
        if not sql.upper().startswith(READS):
            raise error
        names = [f"c{number}" for number in range(len(self.get_description()))]
        casts = ", ".join(
            f"typeof({name}), iif(typeof({name}) = 'text', CAST({name} AS BLOB), {name})" for name in names
        )
        # An OFFSET would have SQLite skip rows of another order where it plans anew.
        again = f"WITH asked({', '.join(names)}) AS MATERIALIZED ({sql}\n) SELECT {casts} FROM asked"
        db = self._cursor.get_connection()
        # A statement that stands half-read keeps others from a lock.
        self.close(True)
        for number, row in enumerate(apsw.Cursor(db).execute(again)):
            if number >= done:
                yield tuple(
                    value.decode("utf-8", "replace") if kind == "text" else value
                    for kind, value in zip(row[::2], row[1::2], strict=True)
                )
