"""Open another program's database unnoticed: no byte changes, no file appears beside it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import apsw

from ...errors import SourceError

HEADER = b"SQLite format 3\0"
COMPANIONS = ("-wal", "-journal")
ATTEMPTS = 5
LONGEST = 1 << 28
"""Bytes of the longest value: a damaged row may claim to hold more than there is memory."""

Stamp = list[tuple[int, int] | None]


@contextmanager
def open_foreign(path: Path) -> Iterator[apsw.Connection]:
    """Open a connection to what the file holds now, committed rows in its -wal included.

    Raises SourceError with a sentence for every file that is no SQLite database.
    """
    check_is_database(path)
    if not any(_has_content(beside(path, suffix)) for suffix in COMPANIONS):
        # Even a read-only connection would make -wal and -shm files; an immutable one does not.
        uri = f"file:{quote(os.fsencode(path.absolute()))}?immutable=1"
        with connect(uri, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI) as db:
            yield db
        return
    with TemporaryDirectory(prefix="memtui-") as directory:
        copy = copy_files(path, Path(directory))
        with connect(str(copy), apsw.SQLITE_OPEN_READWRITE) as db:
            yield db


@contextmanager
def translate_read_errors(path: Path) -> Iterator[None]:
    """Raise an error of SQLite's in the block, which reads the file, as a SourceError."""
    try:
        yield
    except apsw.Error as error:
        raise SourceError(
            f"{path} can't be read any further ({error}): it is damaged, or was written meanwhile. "
            "What was read before stays imported; importing again goes on from there."
        ) from error


def stamp(path: Path) -> Stamp:
    """Return size and time of the file and of its companions: equal as long as nobody writes."""
    found: Stamp = []
    for suffix in ("", *COMPANIONS):
        try:
            status = beside(path, suffix).stat()
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((status.st_size, status.st_mtime_ns))
    return found


def check_is_database(path: Path) -> None:
    """Raise SourceError, with a sentence of its own for each reason why a path can't be a database."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SourceError(f"{path} is a directory. Name the database file in it.")
        if not stat.S_ISREG(mode):
            raise SourceError(f"{path} is not a file. Name the program's database file.")
        with path.open("rb") as file:
            header = file.read(len(HEADER))
    except FileNotFoundError as error:
        raise SourceError(f"There is no file {path}. Check the path.") from error
    except OSError as error:
        reason = error.strerror
        raise SourceError(f"{path} can't be read ({reason}). Check its permissions.") from error
    if not header:
        raise SourceError(f"{path} is an empty file. Is there a backup of it?")
    if header != HEADER:
        raise SourceError(f"{path} is not an SQLite database. Name the program's database file.")


def copy_files(path: Path, directory: Path) -> Path:
    """Copy the file and its companions into a directory, all as of one moment; return the copy's
    path."""
    copy = directory / "source.db"
    for _ in range(ATTEMPTS):
        before = stamp(path)
        for suffix, found in zip(("", *COMPANIONS), before, strict=True):
            beside(copy, suffix).unlink(missing_ok=True)
            if found is not None:
                try:
                    shutil.copyfile(beside(path, suffix), beside(copy, suffix))
                except FileNotFoundError:
                    break
                except OSError as error:
                    raise SourceError(f"{path} can't be copied to be read ({error}).") from error
        if stamp(path) == before:
            return copy
    raise SourceError(
        f"{path} is being written all the time. Stop the program that writes it, then try again."
    )


@contextmanager
def connect(name: str, flags: int) -> Iterator[apsw.Connection]:
    """Open a connection that runs nothing the file's schema might ask for, and reads as much of a
    damaged file as can be read."""
    with closing(apsw.Connection(name, flags=flags)) as db:
        db.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST)
        for pragma in ("trusted_schema = off", "writable_schema = on", "cell_size_check = off"):
            db.execute(f"PRAGMA {pragma}")
        yield db


def beside(path: Path, suffix: str) -> Path:
    """Return the path of the file that SQLite keeps beside a database, or beside what a link leads
    to."""
    real = path.resolve()
    return real.with_name(real.name + suffix)


def _has_content(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False
