"""What every table of records can do: fetch by reference, set flags, each an undoable change; and how
values become rows, and rows records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import apsw

from ..database.transaction import Transaction, snapshot, translate_errors
from ..platform.clock import TOUCH, now_ms, uuid_of
from ..platform.errors import InvalidRecordError, NotFoundError
from ..platform.translation import _
from ..records.conforming import as_share, conformed
from ..records.dataclasses import annotations_of
from ..records.kinds import LETTERS, LISTED_BY, PREFIXES, VISIBLE, visible
from ..records.rows import Common
from ..text import clean
from .lists import read_list

if TYPE_CHECKING:
    from ..database.journal import Journal

R = TypeVar("R", bound=Common)
T = TypeVar("T")
Values = dict[str, Any]


PAGE = 1_000
"""So many ids are read at once of all that is visible."""


class Table(Generic[R]):
    """One table and its rules. `name` is the table."""

    record: ClassVar[type[Any]]
    name: ClassVar[str]

    def __init__(self, db: apsw.Connection, transaction: Transaction, machine: str) -> None:
        self.db = db
        self.transaction = transaction
        self.machine = machine

    @cached_property
    def journal(self) -> Journal:
        """The journal of edits, which can be undone."""
        from ..database.journal import Journal

        return Journal(self.db, self.transaction, self.machine)

    def get(self, ref: int | str) -> R:
        """Return the record with this id (12, "12", or with its letter: "p12") or uid; NotFoundError."""
        text = clean(str(ref))
        number = text.removeprefix(self.prefix)
        column = "id" if number.isdecimal() and len(number) < 19 else "uid"
        if results := self.where(f"{column} = ?", (int(number) if column == "id" else text,)):
            return results[0]
        raise NotFoundError(
            "There is no {kind} {ref}. `{command}` lists what there is.",
            kind=_(self.title),
            ref=text,
            command=LISTED_BY.get(self.title, "mem search"),
        )

    def beginning(self, text: str, limit: int) -> list[R]:
        """Return the visible records whose uid begins so, the newest first."""
        sql = f"uid BETWEEN ?1 AND ?1 || char(0x10ffff) AND {VISIBLE} ORDER BY uid DESC LIMIT ?2"
        return self.where(sql, (text, limit))

    def by_ids(self, ids: Iterable[int]) -> list[R]:
        """Return the records with these ids, in the order given; unknown ones are left out."""
        wanted = list(ids)
        results = self.where("id IN (SELECT value FROM json_each(?))", (json.dumps(wanted),))
        known = {record.id: record for record in results}
        return [known[number] for number in wanted if number in known]

    def pin(self, record: R | int, pinned: bool = True) -> R:
        """Keep a record at hand: pinned ones are offered first to a starting session."""
        return self._change(record, _("pinned") if pinned else _("unpinned"), "pinned", pinned)

    def set_private(self, record: R | int, private: bool = True) -> R:
        """Hide a record from every index, list and export, or show it again."""
        return self._change(record, _("hidden") if private else _("shown again"), "private", private)

    def delete(self, record: R | int) -> R:
        """Take a record out of sight; it stays in the table until it is purged."""
        return self._change(record, _("deleted"), "deleted_at", now_ms())

    def restore(self, record: R | int) -> R:
        """Bring a deleted record back."""
        return self._change(record, _("restored"), "deleted_at", None)

    def whole(self, ids: Iterable[int]) -> list[int]:
        """Return the ids of records with those of the rows that belong to them, which are flagged,
        moved and purged with them."""
        return list(ids)

    @property
    def title(self) -> str:
        """The record's kind: its name in a sentence."""
        return str(self.record.__name__).lower()

    @property
    def prefix(self) -> str:
        """What people write before the record's id."""
        return PREFIXES[self.title]

    def where(self, condition: str, values: Iterable[Any] | dict[str, Any] = ()) -> list[R]:
        """Return the records that meet a constant SQL condition, which may end in ORDER BY and LIMIT."""
        bindings = values if isinstance(values, dict) else tuple(values)
        sql = f"SELECT {columns(self.record)} FROM {self.name} WHERE {condition}"
        with translate_errors(self.db, writing=False):
            return [to_record(self.record, row) for row in self.db.execute(sql, bindings)]

    def raw(self, columns: str, ids: Iterable[int]) -> list[Any]:
        """Return these columns, as the table holds them, of the records with these ids, in no order."""
        sql = f"SELECT {columns} FROM {self.name} WHERE id IN (SELECT value FROM json_each(?))"
        with translate_errors(self.db, writing=False):
            return self.db.execute(sql, (json.dumps(list(ids)),)).fetchall()

    def write_columns(
        self, numbers: Iterable[int], values: Values, on_row: Callable[[], object] | None = None
    ) -> int:
        """Give records, by their ids, these values as their columns hold them; return how many
        there were. Inside a transaction; the journal notes what the caller has it record. `on_row` is
        called for each row on the way: one statement may take a second."""
        if values.get("deleted_at", 1) is None or values.get("private") == 0:
            # What its user took out of use, an agent doesn't bring back.
            self.transaction.check_person()
        changes = "".join(f"{column} = :{column}, " for column in values)
        if on_row is not None:
            first = next(iter(values))
            changes = changes.replace(f":{first}, ", f"row_written(:{first}), ", 1)

            def row_written(*cells: Any) -> Any:
                on_row()
                return cells[0]

            self.db.create_scalar_function("row_written", row_written, 1)
        ids = list(numbers)
        self.transaction.announce(self.name, ids, values)
        chosen = {"ids": json.dumps(ids), "now": now_ms(), "machine": self.machine}
        self.db.execute(
            f"UPDATE {self.name} SET {changes}{TOUCH} WHERE id IN (SELECT value FROM json_each(:ids))",
            values | chosen,
        )
        return self.db.changes()

    def set_column(self, record: R | int, column: str, value: object) -> R:
        """Give a record a value in a column on behalf of its source: no change of the journal."""
        with self.transaction:
            number = record if isinstance(record, int) else record.id
            self.write_columns([number], {column: value})
            return self.get(number)

    def count_visible(self, project: str | None = None) -> int:
        """Return how many visible records there are, of one project or of all."""
        chosen = "true" if project is None else "project = :project"
        sql = f"SELECT count(*) FROM documents WHERE kind = :kind AND {chosen}"
        with snapshot(self.db):
            return int(self.db.execute(sql, {"project": project, "kind": LETTERS[self.title]}).get)

    def visible_by_project(self, project: str | None = None) -> Iterator[tuple[str, int]]:
        """Yield project and id of each visible record, by project and time.

        Read a page at a time, each in a snapshot of its own, so that nothing is held meanwhile.
        """
        chosen, values = ("", ()) if project is None else ("AND project = ?5", (project,))
        sql = (
            # The index by kind would sort all of it for every page.
            "SELECT project, created_at, id, record_id FROM documents WHERE +kind = ?4 "
            f"AND (project, created_at, id) > (?1, ?2, ?3) {chosen} "
            f"ORDER BY project, created_at, id LIMIT {PAGE}"
        )
        after: tuple[str, int, int] = (project or "", -(1 << 62), 0)
        while True:
            with snapshot(self.db):
                rows: list[Any] = self.db.execute(sql, (*after, LETTERS[self.title], *values)).fetchall()
            if not rows:
                return
            for name, _at, _id, number in rows:
                yield name, number
            after = rows[-1][:3]

    def _change(self, record: R | int, done: str, column: str, value: object) -> R:
        with self.transaction:
            result = self.get(record if isinstance(record, int) else record.id)
            if bool(getattr(result, column)) == bool(value):
                return result
            kind, number = _(self.title), f"{self.prefix}{result.id}"
            what = _("{kind} {ref} {done}", kind=kind, ref=number, done=done)
            with self.journal.recording(what):
                try:
                    self.write_columns(self.whole([result.id]), {column: value})
                except apsw.ConstraintError as error:
                    raise InvalidRecordError(
                        "{name} can't be {done}: another one says the same. Delete that one first.",
                        name=f"{kind} {number}",
                        done=done,
                    ) from error
            return self.get(result.id)


def matching(row: str = "", /, **columns: object) -> str:
    """Return the SQL condition that a row is visible and that each of these columns has the value
    which is bound by its name; None asks nothing. `+name` keeps SQLite from an index by the column.

    `name = coalesce(:name, name)` would say the same, but no index could be used for it.
    """
    of_row = f"{row}." if row else ""
    conditions = [visible(row) if row else VISIBLE]
    for name, value in columns.items():
        if value is not None:
            column = name.lstrip("+")
            conditions.append(f"{name[: -len(column)]}{of_row}{column} = :{column}")
    return " AND ".join(conditions)


_CONVERTERS: dict[type[Any], tuple[tuple[int, Any], ...]] = {}


_COLUMNS: dict[tuple[type[Any], str], str] = {}


def columns(record: type[Any], table: str = "") -> str:
    """Return the record's columns, in the order of its fields, ready for SELECT."""
    if (record, table) not in _COLUMNS:
        prefix = f"{table}." if table else ""
        _COLUMNS[record, table] = ", ".join(prefix + name for name in annotations_of(record))
    return _COLUMNS[record, table]


def new_columns(record: type[Any]) -> tuple[str, ...]:
    """Return the columns that a new row of the record brings: all but the id."""
    return tuple(name for name in annotations_of(record) if name != "id")


def _converters(record: type[Any]) -> tuple[tuple[int, Any], ...]:
    if record not in _CONVERTERS:
        kinds = {"tuple[str, ...]": read_list, "bool": bool, "float": as_share}
        converters = (
            (index, kinds.get(annotation))
            for index, annotation in enumerate(annotations_of(record).values())
        )
        _CONVERTERS[record] = tuple((index, convert) for index, convert in converters if convert)
    return _CONVERTERS[record]


def to_record(record: type[T], row: Sequence[Any]) -> T:
    """A row of `columns(record)` as the record."""
    values = conformed(record, row)
    for index, convert in _converters(record):
        values[index] = convert(values[index])
    return record(*values)


def read_object(text: str | None) -> dict[str, Any]:
    """Return a column's JSON object; an empty one where there is none, or something else."""
    try:
        result = json.loads(text) if text else {}
    except (TypeError, ValueError, RecursionError):
        return {}
    return result if isinstance(result, dict) else {}


def write_list(items: Iterable[str]) -> str:
    """Return a list as its column holds it, scrubbed of what is private, be it over several items, and
    empty items dropped."""
    # Who only reads needs none of the patterns of secrets.
    from ..text.redaction import scrub_json

    kept = scrub_json([*_texts(items)])
    assert isinstance(kept, list)
    return json.dumps([item for item in kept if item], ensure_ascii=False)


def _texts(items: Iterable[str]) -> Iterable[str]:
    if isinstance(items, str):
        raise InvalidRecordError("A list of texts was expected, not one text: {items!r}.", items=items[:80])
    return items


def write_text(text: str | None) -> str | None:
    """Return a text as its column holds it: NUL and lone surrogates replaced, private parts removed."""
    if text is None:
        return None
    from ..text.redaction import scrub

    return scrub(text)


def scrubbed_columns(texts: Mapping[str, str | None], lists: Mapping[str, Iterable[str]]) -> Values:
    """Return the texts and lists of a row, by column, as `write_text` and `write_list` do. Most hold
    nothing to scrub, which one look at all of them shows."""
    from ..text.redaction import is_plain

    items = {name: [*_texts(item)] for name, item in lists.items()}
    written = {
        name: json.dumps([word for word in some if word], ensure_ascii=False) if some else "[]"
        for name, some in items.items()
    }
    # Only the items of a list make a secret together, as they stand side by side.
    beside = [written[name] for name, some in items.items() if len(some) > 1]
    if is_plain(*filter(None, (*texts.values(), *chain(*items.values()))), *beside):
        return {**texts, **written}
    return {
        **{name: write_text(text) for name, text in texts.items()},
        **{name: write_list(some) for name, some in items.items()},
    }


def write_json(text: str) -> str:
    """Return a JSON document as its column holds it: as it is, but for what has to be scrubbed of it."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRecordError(
            "This is not JSON ({error}): {text!r}.", error=error, text=text[:80]
        ) from error
    from ..text.redaction import scrub_json

    kept = scrub_json(result)
    return text if kept == result else json.dumps(kept, ensure_ascii=False)


def insert(db: apsw.Connection, sql: str, values: Values) -> int:
    """Run a table's INSERT … RETURNING id and give the id; a broken rule is InvalidRecordError. `values`
    become those of the row."""
    if extra := values["extra"]:
        values["extra"] = write_json(extra)
    try:
        result = db.execute(sql, values).get
    except apsw.ConstraintError as error:
        raise InvalidRecordError("The record breaks a rule of its table ({error}).", error=error) from error
    assert isinstance(result, int)
    return result


def inserted(db: apsw.Connection, sql: str, record: type[T], values: Values) -> T:
    """As `insert`, but give the record: what a new row's columns were given is what they hold, and nothing
    where they were given nothing."""
    values = dict.fromkeys(new_columns(record)) | values
    number = insert(db, sql, values)
    given = (values[name] for name in new_columns(record))
    return to_record(record, [number, *(int(v) if isinstance(v, bool) else v for v in given)])


def digest(*parts: str) -> str:
    """32 hex digits that stand for these texts in this order."""
    # A search needs none.
    from ..text.hashing import blake2b

    return blake2b("\0".join(parts).encode(errors="replace"), digest_size=16).hexdigest()


def stable_uid(*parts: str) -> str:
    """A uid that is the same wherever and whenever it is made of the same parts (a UUID, version 8)."""
    return uuid_of(int(digest(*parts), 16), 0x8)
