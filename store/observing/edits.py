"""What users have changed themselves, which no observer overwrites."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import apsw

from ..records import Observation, Summary
from ..store import Store

NO_EDIT = frozenset(("updated_at", "deleted_at", "private", "pinned", "editor", "hlc", "extra"))
"""Columns whose change says nothing of the texts."""


class Edits:
    """The edits of the journal that stand, read when they are first asked for."""

    def __init__(self, store: Store) -> None:
        self._db = store.db
        self._machine = store.machine_id

    def touch(self, record: Observation | Summary) -> bool:
        """Whether a record's texts were edited, here or on another machine."""
        table = "observations" if isinstance(record, Observation) else "summaries"
        return record.editor != self._machine or (table, record.id) in self._rows

    @cached_property
    def _rows(self) -> set[tuple[str, int]]:
        columns = {table: self._free(table) for table in ("observations", "summaries")}
        found: set[tuple[str, int]] = set()
        sql = "SELECT changeset FROM changes WHERE undone_at IS NULL"
        changesets: list[Any] = self._db.execute(sql).fetchall()
        for (changeset,) in changesets:
            for change in apsw.Changeset.iter(changeset):
                new: Any = change.new
                if change.op != "UPDATE" or change.name not in columns or new is None:
                    continue
                if any(new[place] is not apsw.no_change for place in columns[change.name]):
                    old: Any = change.old
                    found.add((change.name, int(old[0])))
        return found

    def _free(self, table: str) -> list[int]:
        """The places of a table's columns whose change is an edit."""
        rows: list[Any] = self._db.execute(f"PRAGMA table_info({table})").fetchall()
        return [int(row[0]) for row in rows if row[1] not in NO_EDIT and not row[5]]
