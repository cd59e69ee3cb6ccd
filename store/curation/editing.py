"""Editing records: which fields of each kind can be changed, and changing them.

What is typed is scrubbed like all text. Nothing is overwritten that others wrote meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import apsw

from ..database.journal import Journal
from ..platform.errors import EditConflictError, InvalidRecordError
from ..platform.translation import _
from ..records.dataclasses import annotations_of
from ..records.fields import LISTS, RecordField, content_fields, editable
from ..records.kinds import LETTERS, REVIEWED, kind_of, ref
from ..records.rows import Common, Note, Record, Session, fact_kind
from ..search.listing.teammates import Teammates
from ..tables.base import Table, Values, write_list, write_text
from ..tables.facts import rekeyed
from ..tables.lists import read_list

AnyRecord = Record | Note | Session

CLOCKS = ("updated_at", "editor", "hlc")


def _text(name: str, value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InvalidRecordError(
            "{name} is a text, not {value}. Nothing was changed.", name=name, value=f"{value!r:.80}"
        )
    return write_text(value) or None


def _required(name: str, value: Any) -> str:
    kept = (_text(name, value) or "").strip()
    if not kept:
        raise InvalidRecordError("{name} can't be empty. Nothing was changed.", name=name)
    return kept


def _list(name: str, value: Any) -> str:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidRecordError(
            "{name} is a list of texts, not {value}.", name=name, value=f"{value!r:.80}"
        )
    items = list(value)
    if not all(isinstance(item, str) for item in items):
        raise InvalidRecordError("{name} is a list of texts; not all of its items are texts.", name=name)
    return write_list(dict.fromkeys(entry for entry in items if entry.strip()))


def _kind(name: str, value: Any) -> str:
    known = fact_kind(str(value))
    if known is None:
        raise InvalidRecordError(
            "{name} is fact, rule, preference or summary, not {value!r}.", name=name, value=value
        )
    return known


def _share(name: str, value: Any) -> float:
    try:
        result = float(value)
    except (TypeError, ValueError):
        result = -1.0
    if not 0 <= result <= 1:
        raise InvalidRecordError(
            "{name} is a number from 0 to 1, not {value}.", name=name, value=f"{value!r:.80}"
        )
    return result


def _column(record: AnyRecord, field: RecordField, value: Any) -> Any:
    """Return what a field's column holds for a new value. Raises InvalidRecordError."""
    if field.is_list:
        return _list(field.name, value)
    if field.form == "kind":
        return _kind(field.name, value)
    if field.form == "share":
        return _share(field.name, value)
    if field.is_needed:
        return _required(field.name, value)
    is_optional = "None" in annotations_of(type(record))[field.name]
    return _text(field.name, value) or (None if is_optional else "")


class Editing:
    """Changes fields of records, each call as one undo."""

    def __init__(self, journal: Journal, tables: Mapping[str, Table[Any]]) -> None:
        self.journal = journal
        self.tables = tables

    def edit(
        self,
        record: AnyRecord,
        fields: Mapping[str, Any],
        expected: AnyRecord | int | None = None,
    ) -> AnyRecord:
        """Give a record other values in the fields named; return it as it is then.

        `add_NAME` and `remove_NAME` change items of a list. `expected` is the record as it was read,
        or its `hlc`: where it was changed since, EditConflictError holds both. A value that can't be
        one of its field is InvalidRecordError. Where all is as it was, nothing is written.
        """
        kind = kind_of(record)
        table = self.tables[kind]
        with self.journal.transaction:
            present = table.get(record.id)
            if expected is not None:
                check_unchanged(expected, present)
            values = _values(kind, present, fields)
            if not values:
                return present  # type: ignore[no-any-return]
            Teammates(self.journal.db).check_writable([ref(kind, present.id)])
            if kind != "session" and not is_unreviewed(table, present):
                self.journal.transaction.check_person()
            name = _("{kind} {ref}", kind=_(kind), ref=ref(kind, present.id))
            _check_says_something(kind, name, present, values)
            fields_changed = _(", ").join(_(value.replace("_", " ")) for value in values)
            if kind == "fact" and values.keys() & {"content", "kind", "project"}:
                values["statement"] = rekeyed(table.db, present.id, values.get("content", present.content))
            what = _("{name} edited: {fields}", name=name, fields=fields_changed)
            with self.journal.recording(what):
                try:
                    table.write_columns([present.id], values)
                except apsw.ConstraintError as error:
                    raise InvalidRecordError(
                        "{name} can't be changed so: another {kind} says the same. Delete that one first.",
                        name=name,
                        kind=_(kind),
                    ) from error
            return table.get(present.id)  # type: ignore[no-any-return]


def is_unreviewed(table: Table[Any], record: AnyRecord) -> bool:
    """Return whether a record of a table waits for its user's word, be it visible or not."""
    return kind_of(record) in REVIEWED and bool(table.where("id = ? AND unreviewed = 1", (record.id,)))


def _check_says_something(kind: str, name: str, present: AnyRecord, values: Values) -> None:
    """Raise InvalidRecordError where new values would leave a record without any text."""
    if kind not in LETTERS:
        return
    names = content_fields(kind)
    present_texts = {text: getattr(present, text) for text in names}
    after = present_texts | {
        word: read_list(values[word]) if word in LISTS else values[word] for word in names if word in values
    }
    if _says(present_texts) and not _says(after):
        raise InvalidRecordError(
            "{name} would be empty. Delete it instead, or leave some text in it. Nothing was changed.",
            name=name.capitalize(),
        )


def _says(texts: Mapping[str, Any]) -> bool:
    """Return whether any of these texts and lists holds more than blanks."""
    return any("".join(text or ()).strip() for text in texts.values())


def field_values(record: Common) -> dict[str, Any]:
    """Return the fields of a record that people can change, in the order of a form."""
    return {name: getattr(record, name) for name in editable(kind_of(record))}


def check_unchanged(expected: AnyRecord | int, present: AnyRecord) -> None:
    """Raise EditConflictError where a record isn't what was read: `expected` is that, or its `hlc`."""
    if isinstance(expected, int):
        is_same = expected == present.hlc
    else:
        is_same = expected.uid == present.uid and all(
            getattr(expected, name) == getattr(present, name)
            for name in annotations_of(type(present))
            if name not in CLOCKS
        )
    if not is_same:
        kind = kind_of(present)
        raise EditConflictError(
            "{kind} {ref} was changed since it was read; nothing was written. Look at "
            "both, then edit it again.",
            None if isinstance(expected, int) else expected,
            present,
            kind=_(kind).capitalize(),
            ref=ref(kind, present.id),
        )


def _values(kind: str, present: AnyRecord, fields: Mapping[str, Any]) -> Values:
    """Return the columns that differ, as they are to be written."""
    known = editable(kind)
    wanted: dict[str, Any] = {}
    for name, value in fields.items():
        verb, _underscore, rest = name.partition("_")
        if name in known:
            wanted[name] = value
        elif verb in ("add", "remove") and rest in known and known[rest].is_list:
            written = read_list(_list(rest, [value] if isinstance(value, str) else value))
            items = wanted.get(rest, getattr(present, rest))
            if verb == "add":
                wanted[rest] = [*items, *written]
            else:
                gone = {text.casefold() for text in written}
                wanted[rest] = [item for item in items if item.casefold() not in gone]
        else:
            raise InvalidRecordError(
                "This {kind} has no {name!r} that can be changed. There is: {known}.",
                kind=_(kind),
                name=name,
                known=_(", ").join(known),
            )
    values: Values = {}
    for name, value in wanted.items():
        column = _column(present, known[name], value)
        before = getattr(present, name)
        after = read_list(column) if known[name].is_list else column
        if after != before and (after or before):
            values[name] = column
    return values
