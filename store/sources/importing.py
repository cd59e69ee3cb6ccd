"""Import another program's database: read by what it has, never by its version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw

from ..errors import SourceError
from ..store import Store
from .foreign import opened, stamp
from .foreign_table import undefined
from .import_run import Import, Progress
from .mapping import Program
from .programs import PROGRAMS, UNREAD
from .recognise import system
from .report import Report
from .source_marks import source_of

UNTOLD = (
    "is damaged where it says what it holds, so nothing of it can be read. "
    "Nothing was imported. Is there a backup of it?"
)

OBSERVER = "observer-sessions"


def import_database(
    store: Store, path: Path, progress: Progress | None = None, *, program: str | None = None
) -> Report:
    """Bring in whatever a database of claude-mem, codexmem or trae-mem holds, and say what became of it.

    The file is not touched. Rows come in by the thousand, each batch whole: after a kill, doing it
    again goes on where it stopped, and again after that changes nothing. What is damaged is passed
    over and told. `progress` is told how many rows of how many are done; `program` is which of them
    it has to be. Raises SourceError for a file that none of these programs wrote, or of which
    nothing can be read.
    """
    with opened(path) as db:
        before = stamp(path)
        _settle_schema(db)
        read_as = _program(db, path, program)
        report = Report(source_of(store, db, path, read_as))
        _tell_undefined(db, report)
        Import(store, db, read_as, report, progress).run()
        report.notes += _notes(db, path, report)
    if stamp(path) != before:
        report.notes.append(f"{path} was written meanwhile. Import it again for what is new.")
    return report


def _program(db: apsw.Connection, path: Path, wanted: str | None) -> Program:
    """What wrote a database; what can't be imported is refused, by what it is."""
    try:
        found = system(db)
        read_as = PROGRAMS.get(found) if found else None
        program = read_as(db, path) if read_as else None
        is_damaged = program is None and bool(undefined(db))
    except apsw.Error as error:
        raise SourceError(f"{path} {UNTOLD} ({error})") from error
    if is_damaged:
        raise SourceError(f"{path} {UNTOLD}")
    if program is None:
        raise SourceError(f"{path} {UNREAD[found]}. Nothing was imported.")
    if wanted not in (None, program.name):
        raise SourceError(
            f"{path} was written by {program.name}, not by {wanted}. Import it as that."
        )
    return program


def _settle_schema(db: apsw.Connection) -> None:
    """Have SQLite read what can be read of the list of tables: it fails once where that is damaged."""
    with suppress(apsw.Error):
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()


def _tell_undefined(db: apsw.Connection, report: Report) -> None:
    """Tell of the tables that can't be read at all."""
    try:
        for name in undefined(db):
            report.lose(name or "the list of tables", "", "what this table holds is no longer told")
    except apsw.Error as error:
        report.lose("the list of tables", "", f"can't be read ({error})")


def _notes(db: apsw.Connection, path: Path, report: Report) -> Iterator[str]:
    """What a reader of the report might wonder about."""
    if report.is_damaged:
        yield f"{path} is damaged. What can be read of it came in; the warnings tell what can't."
    try:
        sql = "SELECT count(*) FROM observations WHERE project = ?"
        own = db.execute(sql, (OBSERVER,)).get
    except apsw.Error:
        return
    if own:
        yield f"{own:,} observations are of {OBSERVER}: claude-mem watching itself at work."
