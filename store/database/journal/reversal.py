"""Taking a change back, column by column: what others have written since stays as it is.

A column goes back only where it still has the value that the change gave it; a row that the change
made goes only where nobody has changed or used it since. What could not go back is said.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

import apsw

from ...platform.clock import TOUCH, now_ms
from ...platform.translation import _
from ...records.fields import TITLES
from ...records.kinds import KIND_OF, ref
from ..recording import CLOCKS, JOURNALED, RECORDS, column_names
from ..transaction import Transaction, savepoint
from .row_change import FILES, RowChange
from .undo import Affected, Undone, shown

if TYPE_CHECKING:
    from .file_reversal import FileReversal

SECOND_LEVELS = """
SELECT brief_id FROM summary_levels
WHERE brief_id IN (SELECT value FROM json_each(:ids))
AND detailed_id IN (SELECT value FROM json_each(:ids))
"""

DEPENDENT = {
    "sessions": tuple(
        (table, "session_id")
        for table in ("prompts", "observations", "summaries", "pending_messages",
                      "captured_events", "token_usage")
    ),
    "facts": (("fact_sources", "fact_id"),),
    "observations": (("pending_messages", "observation_id"),),
    "summaries": (("pending_messages", "summary_id"),),
}  # fmt: skip
"""The rows that would go with a row."""

STAYS = (
    _("{record} stays as it is, since another record says the same by now."),
    _("{record} stays, since others have used it since."),
)
"""Why a row can't be brought back, or can't go."""

MOST_SENTENCES = 20
TITLE_CHARACTERS = 80
READ_AT_ONCE = 1_000


class Reversal:
    """Reverses the changes of an action; always inside a transaction. Agents' files only where it is given
    what takes them back: a copy of a memory leaves them alone."""

    def __init__(
        self,
        db: apsw.Connection,
        machine: str,
        files: FileReversal | None = None,
        transaction: Transaction | None = None,
    ) -> None:
        self.db = db
        self.transaction = transaction
        self.machine = machine
        self.files = files
        self.kept: list[str] = []
        self.purged = 0
        self._columns: dict[str, tuple[str, ...]] = {}
        self._present: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._titles: dict[tuple[str, Any], str] = {}

    def run(
        self, what: str, at: int, parts: Sequence[tuple[int, bytes]], *, is_redo: bool = False
    ) -> Undone:
        """Take back the changesets of an action, which are given as (id of the change, changeset),
        the newest first; a redo takes back what undoing them did."""
        what = shown(what)
        records: dict[str, Affected] = {}
        rows = 0
        if not is_redo and not any(changeset for _, changeset in parts):
            return Undone(what, at, kept=(_("“{what}” can't be undone.", what=what),))
        for number, changeset in parts:
            for done in self._reverse(number, changeset):
                rows += 1
                if done.table in KIND_OF:
                    level = ref(KIND_OF[done.table], done.number)
                    records[level] = Affected(level, done.title, done.effect)
        if is_redo:
            self.purged = self._purged_since(number for number, _ in parts)
        if self.purged:
            self.kept.append(_("{number} of it purged since: gone for good.", number=f"{self.purged:,}"))
        kept = [*dict.fromkeys(self.kept)]
        if len(kept) > MOST_SENTENCES:
            more = len(kept) - MOST_SENTENCES
            kept[MOST_SENTENCES:] = [_("And {number} more like these.", number=f"{more:,}")]
        for level in self._second_levels(records):
            del records[level]
        return Undone(what, at, tuple(records.values()), tuple(kept), rows, is_redo)

    def _second_levels(self, refs: Iterable[str]) -> list[str]:
        """Return the refs of brief summaries that come with a detailed one: both are one memory."""
        summaries = json.dumps([int(text[1:]) for text in refs if text[0] == "s"])
        cursor = self.db.execute(SECOND_LEVELS, {"ids": summaries})
        return [ref("summary", int(number)) for (number,) in cursor]

    def _reverse(self, number: int, changeset: bytes) -> list[RowChange]:
        uids = {
            (table, row): uid
            for table, row, uid in self.db.execute(
                "SELECT kind, record_id, uid FROM changed_rows WHERE change_id = ?", (number,)
            )
        }
        # Looked at before anything is written, since triggers change rows beside.
        changes = [self._inverse(change) for change in apsw.Changeset.iter(changeset)]
        self._read(changes)
        planned: list[RowChange] = []
        for change in changes:
            change.uid = uids.pop((change.table, change.number), None) or change.uid
            if self._is_possible(change):
                planned.append(change)
        self.purged += sum(table in KIND_OF for table, _ in uids)
        done = self._write(planned)
        self._read_titles([change for change in done if _is_renamed(change)])
        for change in done:
            change.title = self._titles.get((change.table, change.number), "")
        return done

    def _purged_since(self, numbers: Iterable[int]) -> int:
        sql = (
            "SELECT count(*) FROM changed_rows WHERE change_id IN (SELECT value FROM json_each(?)) "
            "AND uid IN (SELECT uid FROM purged)"
        )
        return int(self.db.execute(sql, (json.dumps(list(numbers)),)).get)

    def _inverse(self, change: apsw.TableChange) -> RowChange:
        names = self._names(change.name)
        old: Any = change.old
        new: Any = change.new
        row = old or new
        key = {names[place]: row[place] for place in change.pk_columns}
        if change.op == "INSERT":
            row_change = RowChange(change.name, "DELETE", key, dict(zip(names, new, strict=False)))
        elif change.op == "DELETE":
            row_change = RowChange(change.name, "INSERT", key, dict(zip(names, old, strict=False)))
        else:
            changed = {
                name: (before, after)
                for name, before, after in zip(names, old, new, strict=False)
                if after is not apsw.no_change and name not in CLOCKS
            }
            row_change = RowChange(change.name, "UPDATE", key, changed)
        row_change.uid = row_change.values.get("uid") if change.op != "UPDATE" else None
        return row_change

    def _read(self, changes: list[RowChange]) -> None:
        """Read the present rows of what is to be taken back, and the titles of records."""
        self._present.clear()
        self._titles.clear()
        for table, row_changes in _by_table(changes).items():
            if table not in RECORDS:
                for change in row_changes:
                    if (row := self._row(change)) is not None:
                        self._present[table, *change.key.values()] = row
                continue
            names = self._names(table)
            if table != FILES and all(change.op == "UPDATE" for change in row_changes):
                columns = {"id", "uid", *(name for change in row_changes for name in change.values)}
                names = tuple(name for name in names if name in columns)
            sql = f"SELECT {', '.join(names)} FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
            for ids in _slices(change.number for change in row_changes):
                for row in self.db.execute(sql, (ids,)):
                    values = dict(zip(names, row, strict=True))
                    self._present[table, values["id"]] = values
        self._read_titles(changes)

    def _read_titles(self, row_changes: list[RowChange]) -> None:
        for table, changes in _by_table(row_changes).items():
            if table not in TITLES:
                continue
            sql = (
                f"SELECT id, substr({TITLES[table]}, 1, 400) FROM {table} "
                "WHERE id IN (SELECT value FROM json_each(?))"
            )
            for ids in _slices(change.number for change in changes):
                for number, text in self.db.execute(sql, (ids,)):
                    self._titles[table, number] = _title(text)

    def _is_possible(self, change: RowChange) -> bool:
        """Whether anything of a change is to be taken back; `values` are what is to be written then,
        and what stays is noted."""
        present = self._present.get((change.table, *change.key.values()))
        if present is not None and change.uid and present.get("uid", change.uid) != change.uid:
            present = None
        change.title = self._titles.get((change.table, change.number), "")
        if change.op == "INSERT":
            return present is None
        if present is None:
            if change.op == "UPDATE" and change.table in KIND_OF:
                self.kept.append(_("{record} is gone.", record=_sentence(change.name)))
            elif change.table == FILES and self.files is not None:
                self.kept.append(_("Of a file the former version is no longer kept."))
            return False
        if change.op == "DELETE":
            if any(present[name] != value for name, value in change.values.items() if name not in CLOCKS):
                self._keep(change, _("{record} was changed since, and stays."))
                return False
            return True
        if change.table == FILES:
            return self._is_file_possible(change, present)
        back: dict[str, Any] = {}
        for name, (before, after) in change.values.items():
            if _same(present[name], after):
                back[name] = before
            elif not _same(present[name], before):
                self._keep(change, _("{record} keeps its {field}, which was changed since."), field=name)
        change.values = back
        return bool(back)

    def _is_file_possible(self, change: RowChange, present: dict[str, Any]) -> bool:
        if self.files is None:
            return False
        if why := self.files.plan(change, present):
            self.kept.append(why)
        return why is None

    def _write(self, planned: list[RowChange]) -> list[RowChange]:
        """Write what is planned, again and again as long as that makes room for more: two rows may
        exchange a value that only one can have. Return what was written."""
        order = {table: place for place, table in enumerate(JOURNALED)}
        ranks = {"INSERT": 0, "UPDATE": 1, "DELETE": 2}
        planned.sort(
            key=lambda change: (
                ranks[change.op], order[change.table] * (-1 if change.op == "DELETE" else 1),
                change.statement[2:],
            )
        )  # fmt: skip
        done: list[RowChange] = []
        while planned:
            left: list[RowChange] = []
            for _statement, some in groupby(planned, key=lambda row_change: row_change.statement):
                group = list(some)
                failed = self._put_all(group)
                left += failed
                kept = {id(item) for item in failed}
                done += [entry for entry in group if id(entry) not in kept]
            if len(left) == len(planned):
                for one in left:
                    self._keep(one, STAYS[one.op == "DELETE"])
                break
            planned = left
        return done

    def _put_all(self, group: list[RowChange]) -> list[RowChange]:
        """Write changes that one statement makes; return those that a rule of the table is against."""
        used: list[RowChange] = []
        if group[0].op == "DELETE":
            numbers = self._used(group)
            used = [change for change in group if change.number in numbers]
            group = [row_change for row_change in group if row_change.number not in numbers]
        if not group or self._put(group):
            return used
        if len(group) == 1:
            return used + group
        return used + [item for item in group if not self._put([item])]

    def _put(self, group: list[RowChange]) -> bool:
        """Write changes that one statement makes; False, and nothing is written, where a rule of the
        table is against one."""
        first = group[0]
        is_record = first.table in KIND_OF
        where = " AND ".join(f"{name} = :key_{name}" for name in first.key)
        is_at_once = first.is_flat or (first.op == "DELETE" and first.table in RECORDS)
        if is_at_once:
            where = "id IN (SELECT value FROM json_each(:ids))"
        if first.op == "INSERT":
            marks = ", ".join(f":{name}" for name in first.values)
            sql = f"INSERT INTO {first.table} ({', '.join(first.values)}) VALUES ({marks})"
        elif first.op == "DELETE":
            sql = f"DELETE FROM {first.table} WHERE {where}"
        else:
            sets = ", ".join(f"{name} = :{name}" for name in first.values)
            # The clock must not go back with the row, or another machine would bring the change again.
            sql = f"UPDATE {first.table} SET {sets}{f', {TOUCH}' if is_record else ''} WHERE {where}"
        clock = {"now": now_ms(), "machine": self.machine}
        keys = [{f"key_{name}": value for name, value in change.key.items()} for change in group]
        rows = [
            (key if row_change.op == "DELETE" else key | row_change.values) | clock
            for row_change, key in zip(group, keys, strict=True)
        ]
        if is_at_once:
            rows = [rows[0] | {"ids": json.dumps([item.number for item in group])}]
        try:
            with savepoint(self.db):
                if is_at_once and self.transaction is not None:
                    numbers = [item.number for item in group]
                    self.transaction.announce(first.table, numbers, first.values)
                self.db.executemany(sql, rows)
                if first.op == "INSERT" and is_record:
                    sql = f"UPDATE {first.table} SET {TOUCH} WHERE {where}"
                    self.db.executemany(sql, [key | clock for key in keys])
        except apsw.ConstraintError:
            return False
        return True

    def _used(self, group: list[RowChange]) -> set[Any]:
        """Return the numbers of the records that rows of others belong to."""
        results: set[Any] = set()
        for table, column in DEPENDENT.get(group[0].table, ()):
            sql = (
                "SELECT value FROM json_each(?) "
                f"WHERE EXISTS (SELECT 1 FROM {table} WHERE {column} = value)"
            )
            for ids in _slices(change.number for change in group):
                results.update(number for (number,) in self.db.execute(sql, (ids,)))
        return results

    def _row(self, change: RowChange) -> dict[str, Any] | None:
        where = " AND ".join(f"{name} = :{name}" for name in change.key)
        row = self.db.execute(f"SELECT * FROM {change.table} WHERE {where}", change.key).fetchone()
        return None if row is None else dict(zip(self._names(change.table), row, strict=True))

    def _names(self, table: str) -> tuple[str, ...]:
        if table not in self._columns:
            self._columns[table] = column_names(self.db, table)
        return self._columns[table]

    def _keep(self, change: RowChange, sentence: str, **values: str) -> None:
        """Note that a record stays, by a sentence with a place for it."""
        title = f" “{change.title}”" if change.title else ""
        self.kept.append(sentence.format(record=f"{_sentence(change.name)}{title}", **values))


def _by_table(changes: Iterable[RowChange]) -> dict[str, list[RowChange]]:
    results: dict[str, list[RowChange]] = defaultdict(list)
    for change in changes:
        results[change.table].append(change)
    return results


def _slices(numbers: Iterable[Any]) -> Iterator[str]:
    """Yield numbers as JSON lists of no more than are read at once."""
    left = iter(numbers)
    while batch := list(islice(left, READ_AT_ONCE)):
        yield json.dumps(batch)


def _title(text: object) -> str:
    line = str(text or "").strip().split("\n", 1)[0]
    return line if len(line) <= TITLE_CHARACTERS else f"{line[: TITLE_CHARACTERS - 1]}…"


def _is_renamed(change: RowChange) -> bool:
    """Return whether a record has another title since, or is there again."""
    title = TITLES.get(change.table, "")
    return change.op == "INSERT" or (change.op == "UPDATE" and any(name in title for name in change.values))


def _same(item: Any, other: Any) -> bool:
    """Whether two values are the same to SQLite: 1 and 1.0 are, 1 and '1' aren't."""
    return bool(item == other)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
