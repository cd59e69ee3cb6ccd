"""What `mem doctor` finds of a memory that no store can be opened on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw

from ..capture.ingest import spool
from ..capture.status.checks import pause_checks
from ..database import file
from ..database.connection import wait_when_busy
from ..database.health import RESTORE, Check, file_checks, guarded, schema_checks
from ..database.schema import APPLICATION_ID
from ..errors import StoreError
from ..observe.jobs.checks import configuration_check
from ..search.index import full_text as index
from ..text.plural import count_noun
from ..translation import _

PATIENCE_SECONDS = 0.5


def checks_unopened(path: Path) -> list[Check]:
    """Examine the pages and the schema of a file as far as SQLite can read it, and what is told
    without one: the events that wait, pauses and the observer's configuration."""
    checks = [*_file_checks(path)] if path.is_file() and path.stat().st_size else []
    checks.extend(_waiting(path))
    checks.extend(pause_checks(path))
    checks.append(configuration_check())
    return checks


def _file_checks(path: Path) -> Iterator[Check]:
    try:
        name, flags = file.ready(path, read_only=True)
        with closing(apsw.Connection(name, flags=flags)) as db:
            wait_when_busy(db, PATIENCE_SECONDS)
            if db.pragma("application_id") != APPLICATION_ID:
                return
            for examination in file_checks(db):
                yield from guarded("file", examination, RESTORE)
            scripts = index.scripts(index.wanted(db))
            yield from guarded("tables", lambda: schema_checks(db, scripts), RESTORE)
    except (apsw.Error, StoreError) as error:
        yield Check("file", False, _("SQLite can't read it ({error})", error=error), RESTORE)


def _waiting(path: Path) -> Iterator[Check]:
    try:
        waiting = sum(segment.unstored for segment in spool.segments(path))
    except OSError as error:
        content = f"{error.filename}: {error.strerror}"
        yield Check("spool", False, content, _("Check its permissions."))
        return
    if waiting:
        yield Check(
            "spool",
            False,
            _("{bytes} of events wait", bytes=count_noun(waiting, "bytes")),
            _("They are kept, and stored once the store can be opened."),
        )
