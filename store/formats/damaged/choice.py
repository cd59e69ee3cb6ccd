"""Of several copies of a row, the one that counts."""

from __future__ import annotations

from typing import Any

from ...database.schema.shapes import TableShape
from .records import Copy, Found, all_rows

Key = tuple[Any, ...]


class Chosen:
    """The rows that are kept, by table and key, each with the number of the copy it came from.

    Rows with a uid go by it, and the greater (hlc, editor) wins; others go by their table's key, and
    the first copy's stands. What was purged in any copy stays away.
    """

    def __init__(self, copies: list[Copy], shapes: dict[str, TableShape]) -> None:
        self.copies = copies
        self.rows: dict[str, dict[Key, tuple[int, Found]]] = {name: {} for name in shapes}
        rows = list(all_rows(copies))
        purged = [row.values for _, row in rows if row.table == "purged"]
        self.purged_uids = {item.get("uid") for item in purged}
        self.purged_sources = {
            (entry["source"], entry["native_id"])
            for entry in purged
            if None not in (entry.get("source"), entry.get("native_id"))
        }
        for number, row in rows:
            if not self._is_purged(row) and self._is_due(number, row):
                self._consider(number, row, shapes[row.table])

    def of(self, table: str) -> list[tuple[int, Found]]:
        """Return the rows of a table, those of the first copies first."""
        return sorted(self.rows[table].values(), key=lambda row: row[0])

    def _consider(self, number: int, row: Found, shape: TableShape) -> None:
        key = _key(row, shape)
        before = self.rows[shape.name].get(key)
        if before is None:
            self.rows[shape.name][key] = (number, row)
            return
        first, kept = before
        # Of two that say the same the whole one; the parts of a newer one stand in an older one.
        newer, older = (row, kept) if _clock(row) > _clock(kept) else (kept, row)
        if newer.is_whole or not older.is_whole:
            chosen = newer
        else:
            chosen = Found(newer.table, older.values | newer.values, True)
        self.rows[shape.name][key] = (number if chosen is row else first, chosen)

    def _is_purged(self, row: Found) -> bool:
        values = row.values
        return row.table != "purged" and (
            (values.get("uid") in self.purged_uids and "uid" in values)
            or (values.get("source"), values.get("native_id")) in self.purged_sources
        )

    def _is_due(self, number: int, row: Found) -> bool:
        """Whether a row of another copy may stand here: the first one has it too, or lost it. What is
        just gone from there was purged, or replaced."""
        if self.copies[number].is_own or row.table == "purged":
            return True
        first = self.copies[0]
        if "id" in row.values:
            return first.is_lost(row.table, row.values["id"])
        return bool(first.holes.get(row.table))


def _key(row: Found, shape: TableShape) -> Key:
    names = ("uid",) if shape.has_uid else shape.key
    return tuple(row.values.get(name) for name in names)


def _clock(row: Found) -> tuple[int, str]:
    values = row.values
    clock = values.get("hlc", values.get("updated_at", values.get("told_at", 0)))
    return (clock if isinstance(clock, int) else 0, str(values.get("editor", "")))
