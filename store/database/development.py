"""Take over stores of development versions, which came before the baseline, with all their rows."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from ..platform.clock import now_ms
from ..platform.errors import DatabaseError
from . import backup, file, schema
from .connection import set_up
from .schema import comparison, mending
from .schema.shapes import DERIVED, TABLES

MADE_OF = {
    ("observations", "subagent"): """
        UPDATE observations SET subagent = json_extract(extra, '$.subagent'),
            extra = nullif(json_remove(extra, '$.subagent'), '{}')
        WHERE extra LIKE '%"subagent"%' AND json_type(extra, '$.subagent') = 'text'
    """,
    ("machines", "machine"): """
        INSERT INTO machines SELECT machine, name FROM sync_peers WHERE machine NOT LIKE 'folder-%'
    """,
    ("team_reviews", "version"): """
        UPDATE team_reviews SET version = coalesce(
            (SELECT hlc || ' ' || editor FROM facts m WHERE m.uid = team_reviews.uid),
            (SELECT hlc || ' ' || editor FROM observations m WHERE m.uid = team_reviews.uid), '')
    """,
}
"""What fills a column, by its table and name, in a store that had none. Others have their defaults."""

FORMER_INDEXES = ("observations_by_session", "label_names_entities")


def take_over(path: Path) -> Path | None:
    """Give a store of a development version the schema of the baseline, in one transaction; return the
    copy that was made of it before. None where it is of another version, and nothing was done.

    What is derived of the rows is left to be made anew. Raises DatabaseError, and changes nothing,
    where no copy can be made, or where a table would not have all its rows and columns.
    """
    with file.translate_open_errors(path, read_only=False):
        name, flags = file.ready(path, read_only=False)
        with closing(apsw.Connection(name, flags=flags)) as db:
            set_up(db)
            if not _is_of_development(db):
                return None
            with backup.lock(path):
                copy = backup.automatic_backup(db, path, "before-migration")
                if copy is None:
                    raise DatabaseError(
                        "{path} was not taken over, for no backup of it could be made. Make room "
                        "on the disk, and try again.",
                        path=path,
                    )
                with mending.changing(db):
                    if _is_of_development(db):
                        _take_over(db, path)
            return copy


def _is_of_development(db: apsw.Connection) -> bool:
    version = schema.current_version(db)
    is_ours = db.pragma("application_id") == schema.APPLICATION_ID
    return is_ours and schema.OLDEST_TAKEN_OVER <= version < schema.BASELINE


def _take_over(db: apsw.Connection, path: Path) -> None:
    lacking = [
        (table, name)
        for table, name in MADE_OF
        if name not in {column[0] for column in comparison.columns(db, table)}
    ]
    before = _rows(db)
    mending.give(db, schema.latest_version(), now=now_ms())
    for column in lacking:
        db.execute(MADE_OF[column])
    for index in FORMER_INDEXES:
        db.execute(f"DROP INDEX IF EXISTS {index}")
    after = _rows(db)
    differences = comparison.differences(db, schema.latest_version())
    wrong = [table for table, number in before.items() if after.get(table) != number]
    wrong += [str(difference) for difference in differences if difference.kind != "foreign"]
    if wrong:
        raise DatabaseError(
            "{path} was not taken over, for not all of it would be kept ({wrong}). `mem store repair` "
            "salvages what can be read of it.",
            path=path,
            wrong=", ".join(wrong),
        )


def _rows(db: apsw.Connection) -> dict[str, int]:
    """Count the rows of each table that is made of no other, but for `meta`, which loses one."""
    rows: Any = db.execute(TABLES).fetchall()
    names = [name for name, *_ in rows if name not in DERIVED | {"meta"}]
    return {name: int(db.execute(f'SELECT count(*) FROM "{name}"').get) for name in names}
