"""Between rows and records: column lists made from a record's own fields, and the values of a write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import apsw

from ..errors import InvalidRecordError
from ..records.dataclasses import annotations_of
from ..text.privacy import clean, scrub, scrub_json

R = TypeVar("R")
Values = dict[str, Any]


_CONVERTERS: dict[type[Any], tuple[tuple[int, Any], ...]] = {}


def columns(record: type[Any], table: str = "") -> str:
    """The record's columns, in the order of its fields, ready for SELECT."""
    prefix = f"{table}." if table else ""
    return ", ".join(prefix + name for name in annotations_of(record))


def _converters(record: type[Any]) -> tuple[tuple[int, Any], ...]:
    if record not in _CONVERTERS:
        kinds = {"tuple[str, ...]": read_list, "bool": bool}
        found = (
            (index, kinds.get(annotation))
            for index, annotation in enumerate(annotations_of(record).values())
        )
        _CONVERTERS[record] = tuple((index, convert) for index, convert in found if convert)
    return _CONVERTERS[record]


def to_record(record: type[R], row: Sequence[Any]) -> R:
    """A row of `columns(record)` as the record."""
    values = list(row)
    for index, convert in _converters(record):
        values[index] = convert(values[index])
    return record(*values)


def read_list(text: str) -> tuple[str, ...]:
    """A list column: a JSON array of strings, or whatever JSON another program wrote there."""
    if text == "[]":
        return ()
    found = json.loads(text)
    if isinstance(found, list) and {str} == set(map(type, found)) and "\\u" not in text:
        return tuple(found)
    return tuple(
        clean(item) if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
        for item in (found if isinstance(found, list) else [found])
    )


def write_list(items: Iterable[str]) -> str:
    """A list as its column holds it, each item scrubbed of private text and empty ones dropped."""
    if isinstance(items, str):
        raise InvalidRecordError(f"A list of texts was expected, not one text: {items[:80]!r}.")
    return json.dumps([kept for item in items if (kept := scrub(item))], ensure_ascii=False)


def write_text(text: str | None) -> str | None:
    """A text as its column holds it: NUL and lone surrogates replaced, private parts removed."""
    return scrub(text) if text is not None else None


def write_json(text: str) -> str:
    """A JSON document as its column holds it: as it is, but for what has to be scrubbed of it."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidRecordError(f"This is not JSON ({error}): {text[:80]!r}.") from error
    kept = scrub_json(found)
    return text if kept == found else json.dumps(kept, ensure_ascii=False)


def insert(db: apsw.Connection, sql: str, values: Values) -> int:
    """Run a table's INSERT … RETURNING id and give the id; a broken rule is InvalidRecordError."""
    if extra := values["extra"]:
        values = values | {"extra": write_json(extra)}
    try:
        found = db.execute(sql, values).get
    except apsw.ConstraintError as error:
        raise InvalidRecordError(f"The record breaks a rule of its table ({error}).") from error
    assert isinstance(found, int)
    return found


def digest(*parts: str) -> str:
    """32 hex digits that stand for these texts in this order."""
    # OpenSSL, which this imports, isn't needed by a search.
    from hashlib import blake2b

    return blake2b("\0".join(parts).encode(errors="replace"), digest_size=16).hexdigest()


def stable_uid(*parts: str) -> str:
    """A uid that is the same wherever and whenever it is made of the same parts (a UUID, version 8)."""
    value = int(digest(*parts), 16)
    value = value & ~(0xF << 76) | 0x8 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
