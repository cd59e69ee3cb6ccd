"""Open another program's database unnoticed: no byte changes, no file appears beside it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import apsw

from ...database.files import temporary
from ...database.files.leftovers import is_foreign
from ...platform.errors import SourceError
from ...platform.regular_file import open_regular
from ...platform.translation import _

HEADER = b"SQLite format 3\0"
COMPANIONS = ("-wal", "-journal")
ATTEMPTS = 5
LONGEST = 1 << 28
"""Bytes of the longest value: a damaged row may claim to hold more than there is memory."""

PRAGMAS = (
    "trusted_schema = off", "writable_schema = on", "cell_size_check = off",
    "ignore_check_constraints = on",
)  # fmt: skip

STEPS_AT_ONCE, LEAST_STEPS, STEPS_A_BYTE = 100_000, 200_000_000, 1_000
"""Steps of SQLite's machine that reading a file may take: an import takes a few for each byte."""

Stamp = list[tuple[int, int] | None]


class Address(NamedTuple):
    """What a connection to a file is opened by; `size` is in bytes."""

    name: str
    flags: int
    size: int


@contextmanager
def open_foreign(path: Path) -> Iterator[apsw.Connection]:
    """Open a connection to what the file holds now. Raises SourceError as `foreign_address` does."""
    with foreign_address(path) as address, connect(*address) as db:
        yield db


@contextmanager
def foreign_address(path: Path) -> Iterator[Address]:
    """Give the address of what the file holds now, committed rows in its -wal included, unless that
    can't be its own.

    Raises SourceError with a sentence for every file that is no SQLite database.
    """
    check_is_database(path)
    is_alone = not any(_has_content(beside(path, suffix)) for suffix in COMPANIONS)
    if is_alone or is_foreign(path):
        # Even a read-only connection would make -wal and -shm files; an immutable one does not.
        uri = f"file:{quote(os.fsencode(path.absolute()))}?immutable=1"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        yield Address(uri, flags, path.stat().st_size)
        return
    with temporary.directory("memtui-") as directory:
        copy = copy_files(path, directory)
        yield Address(
            str(copy), apsw.SQLITE_OPEN_READWRITE, sum(result[0] for result in stamp(copy) if result)
        )


@contextmanager
def translate_read_errors(path: Path) -> Iterator[None]:
    """Raise an error of SQLite's in the block, which reads the file, as a SourceError."""
    try:
        yield
    except apsw.Error as error:
        raise SourceError(
            "{path} can't be read any further ({error}): it is damaged, or was written "
            "meanwhile. What was read before stays imported; importing again goes on "
            "from there.",
            path=path,
            error=error,
        ) from error


def stamp(path: Path) -> Stamp:
    """Return size and time of the file and of its companions: equal as long as nobody writes."""
    results: Stamp = []
    for suffix in ("", *COMPANIONS):
        try:
            status = beside(path, suffix).stat()
        except FileNotFoundError:
            results.append(None)
        else:
            results.append((status.st_size, status.st_mtime_ns))
    return results


def check_is_database(path: Path, name: str = _("Name the program's database file.")) -> None:
    """Raise SourceError, with a sentence of its own for each reason why a path can't be a database;
    `name` is what to do where it is something else."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise SourceError("{path} is a directory. Name the database file in it.", path=path)
        if not stat.S_ISREG(mode):
            raise SourceError("{path} is not a file. {name}", path=path, name=name)
        with open_regular(path) as file:
            header = file.read(len(HEADER))
    except FileNotFoundError as error:
        raise SourceError("There is no file {path}. Check the path.", path=path) from error
    except OSError as error:
        reason = error.strerror
        raise SourceError(
            "{path} can't be read ({reason}). Check its permissions.", path=path, reason=reason
        ) from error
    if not header:
        raise SourceError("{path} is an empty file. Is there a backup of it?", path=path)
    if header != HEADER:
        raise SourceError("{path} is not an SQLite database. {name}", path=path, name=name)


def copy_files(path: Path, directory: Path) -> Path:
    """Copy the file and its companions into a directory, all as of one moment; return the copy's
    path."""
    copy = directory / "source.db"
    for _attempt in range(ATTEMPTS):
        before = stamp(path)
        for suffix, result in zip(("", *COMPANIONS), before, strict=True):
            beside(copy, suffix).unlink(missing_ok=True)
            if result is not None:
                try:
                    shutil.copyfile(beside(path, suffix), beside(copy, suffix))
                except FileNotFoundError:
                    break
                except OSError as error:
                    raise SourceError(
                        "{path} can't be copied to be read ({error}).", path=path, error=error
                    ) from error
        if stamp(path) == before:
            return copy
    raise SourceError(
        "{path} is being written all the time. Stop the program that writes it, then try again.", path=path
    )


@contextmanager
def connect(name: str, flags: int, size: int = 0) -> Iterator[apsw.Connection]:
    """Open a connection that runs nothing the file's schema might ask for, and reads as much of a
    damaged file as can be read; `size` are the file's bytes, by which the work is bounded."""
    with closing(apsw.Connection(name, flags=flags)) as db:
        db.limit(apsw.SQLITE_LIMIT_LENGTH, LONGEST)
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        db.authorizer = _only_tables
        _bound_steps(db, size)
        yield db


def _only_tables(
    operation: int, _one: str | None, _two: str | None, _database: str | None, inside: str | None
) -> int:
    """Refuse what a view or a trigger of the file asks for, and recursion: either may go on for ever."""
    is_foreign = inside is not None or operation == apsw.SQLITE_RECURSIVE
    return apsw.SQLITE_DENY if is_foreign else apsw.SQLITE_OK


def _bound_steps(db: apsw.Connection, size: int) -> None:
    left = LEAST_STEPS + size * STEPS_A_BYTE

    def is_enough() -> bool:
        nonlocal left
        left -= STEPS_AT_ONCE
        return left < 0

    db.set_progress_handler(is_enough, STEPS_AT_ONCE)


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
