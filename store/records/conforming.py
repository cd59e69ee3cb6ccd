"""Values of another class than their column's, as damage or other programs leave them: read as what
the record says they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from .dataclasses import annotations_of

LARGEST = (1 << 63) - 1

_CONFORMING: dict[type[Any], set[tuple[type[Any], ...]]] = {}
"""The classes of whole rows that were found right; there are few, and most rows have one of them."""


def conformed(record: type[Any], row: Sequence[Any]) -> list[Any]:
    """Return a row of a record's columns, each value of the class that its field has (lists as the
    JSON they are stored as)."""
    known = _CONFORMING.setdefault(record, set())
    results = tuple(map(type, row))
    if results in known:
        return list(row)
    values = [
        value if type(value) in classes else convert(value)
        for value, (classes, convert) in zip(row, map(_field, annotations_of(record).values()), strict=True)
    ]
    if tuple(map(type, values)) == results:
        known.add(results)
    return values


def as_number(value: object) -> int:
    """Return a value as a number that a column can hold; 0 for what is none."""
    try:
        return max(-LARGEST - 1, min(int(value), LARGEST))  # type: ignore[call-overload,no-any-return]
    except (TypeError, ValueError, OverflowError):
        return 0


def as_share(value: object) -> float:
    """Return a value as a fraction of one; 0.0 for what is none."""
    try:
        result = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return max(0.0, min(result, 1.0)) if math.isfinite(result) else 0.0


def as_text(value: object) -> str:
    """Return a value as text."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


NOTHING = type(None)


def _field(annotation: str) -> tuple[tuple[type[Any], ...], Callable[[object], Any]]:
    """The classes that a field's stored value may have, and what makes one of any other."""
    name, _, optional = annotation.partition(" | ")
    nothing = (NOTHING,) if optional else ()
    if name in ("int", "bool"):
        return (int, *nothing), as_number
    if name == "float":
        return (float, *nothing), as_share
    return (str, *nothing), as_text
