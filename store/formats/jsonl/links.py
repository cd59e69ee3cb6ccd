"""Resolve the rows that lines name: they have a uid there, columns have its number here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from ...errors import InvalidRecordError
from ...tables.base import Values
from ...text import clean
from ...translation import _
from ..common.report import Report
from .layout import RECORD_TABLES, TABLES, Parent
from .lines import ImportRow, warn


class Links:
    """Finds parents, and the records that rows are about. `renamed` are the numbers of those that
    are here under another uid than in the file."""

    def __init__(self, db: apsw.Connection, report: Report, numbers: RowNumbers) -> None:
        self.db = db
        self.report = report
        self.numbers = numbers
        self.renamed: dict[str, int] = {}
        self._parents: dict[str, int] = {}
        self._records: dict[str, int] = {}
        self._linked: dict[str, dict[str, int]] = {}

    def look_up(self, table: str, rows: Sequence[ImportRow]) -> None:
        """Look up at once all that rows of a table name."""
        parent = TABLES[table].parent
        self._parents = self._parents_of(rows, parent) if parent else {}
        self._records = self._records_of(rows, RECORD_TABLES[table]) if table in RECORD_TABLES else {}
        self._linked = {link.key: self._parents_of(rows, link) for link in TABLES[table].links}

    def resolve(self, row: ImportRow, values: Values) -> None:
        """Put the numbers of what a row names among its values. Raises InvalidRecordError."""
        if parent := TABLES[row.table].parent:
            uid = row.record.get(parent.key)
            if not isinstance(uid, str) or not uid:
                raise InvalidRecordError("has no {key!r}", key=parent.key)
            uid = clean(uid)
            if uid not in self._parents:
                self._parents[uid] = self._stub(row, uid, values, parent)
            values[parent.column] = self._parents[uid]
        for link in TABLES[row.table].links:
            values[link.column] = self._linked[link.key].get(str(row.record.get(link.key)))
        if row.table in RECORD_TABLES:
            values["record_id"] = self._records.get(str(row.record.get("record")))

    def _parents_of(self, rows: Sequence[ImportRow], parent: Parent) -> dict[str, int]:
        named = {str(row.record.get(parent.key)) for row in rows}
        numbers = self._numbers(parent.table, [*named])
        return {uid: self.renamed[uid] for uid in named if uid in self.renamed} | numbers

    def _records_of(self, rows: Sequence[ImportRow], tables: dict[str, str]) -> dict[str, int]:
        records: dict[str, int] = {}
        for kind, table in tables.items():
            uids = [row.record.get("record") for row in rows if row.record.get("kind") == kind]
            records |= self._numbers(table, uids)
        return records

    def _numbers(self, table: str, uids: list[object]) -> dict[str, int]:
        sql = f"SELECT uid, id FROM {table} WHERE uid IN (SELECT value FROM json_each(?))"
        return dict(self.db.execute(sql, (json.dumps(uids),)))

    def _stub(self, row: ImportRow, uid: str, values: Values, parent: Parent) -> int:
        """Make a session for a row whose own line is missing or bad; that line, once mended, fills
        it in."""
        if parent.table != "sessions":
            raise InvalidRecordError("names a {key} that is not here", key=parent.key)
        warn(
            self.report,
            row.number,
            _("its session {uid} is missing; one was made for it", uid=uid[:40]),
        )
        self.report.stubs += 1
        at = values.get("created_at") or 0
        result = self.db.execute(
            "INSERT INTO sessions (uid, created_at, updated_at, agent, content_session_id, project, "
            "started_at) VALUES (?1, ?2, ?2, 'unknown', ?1, ?3, ?2) RETURNING id",
            (uid, at, values.get("project") or ""),
        ).get
        assert isinstance(result, int)
        self.numbers.renumbered = True
        return result


class RowNumbers:
    """Which numbers of an export its rows can keep here. `renumbered`: some row has another one."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        # A number that was used here may stand in the journal, and an undo would change its row.
        self.are_kept = db.execute("SELECT 1 FROM changes LIMIT 1").get is None
        self.renumbered = False

    def free(self, table: str, wanted: Sequence[Any]) -> list[int | None]:
        """Return the numbers that rows can keep; None where SQLite has to give one."""
        if not self.are_kept:
            return [None] * len(wanted)
        sql = f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        taken = {number for (number,) in self.db.execute(sql, (json.dumps(list(wanted)),))}
        return [None if number in taken else number for number in wanted]

    def note(self, wanted: Sequence[Any], got: Sequence[int]) -> None:
        """Note that rows which wanted these numbers got those."""
        self.renumbered = self.renumbered or list(wanted) != list(got)
