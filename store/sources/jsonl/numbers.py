"""Which of the numbers in an export its rows can keep here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw


class Numbers:
    """The numbers of a memory's rows. `renumbered`: a row has another one than its export says."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        # A number that was used here may stand in the journal, and an undo would change its row.
        self.are_kept = db.execute("SELECT 1 FROM changes LIMIT 1").get is None
        self.renumbered = False

    def free(self, table: str, wanted: Sequence[Any]) -> list[int | None]:
        """The numbers that rows can keep; None where SQLite has to give one."""
        if not self.are_kept:
            return [None] * len(wanted)
        sql = f"SELECT id FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        taken = {number for (number,) in self.db.execute(sql, (json.dumps(list(wanted)),))}
        return [None if number in taken else number for number in wanted]

    def given(self, wanted: Sequence[Any], got: Sequence[int]) -> None:
        """Rows that wanted these numbers got those."""
        self.renumbered = self.renumbered or list(wanted) != list(got)
