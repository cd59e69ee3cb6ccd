"""The fields of a form: how each is shown to be edited, and what was typed in it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any, Literal

from memtui.store import FACT_KINDS, InvalidRecordError
from memtui.store.records.fields import FIELDS, editable
from memtui.store.text.display import safe

Shape = Literal["line", "words", "lines", "text"]
"""A text of one line; a list of words on a line, with commas between them; a list of an item a line; a
text of many lines."""

_FIELDS = [field for kind in FIELDS for field in editable(kind).values()]
WORDS = frozenset(field.name for field in _FIELDS if field.form == "words")
COMPLETED = frozenset(field.name for field in _FIELDS if field.label) | {"type", "project", "kind"}
"""The fields that are offered what the store holds in them."""

ONLY_WITH_VALUE = frozenset((("observation", "text"), ("summary", "text")))
"""What other programs fill in, and nobody misses where it is empty."""


def shape(kind: str, name: str) -> Shape:
    """Return how a field is edited."""
    field = editable(kind)[name]
    if field.is_list:
        return "words" if field.form == "words" else "lines"
    return "text" if field.form == "text" else "line"


def fields_of(kind: str, values: dict[str, Any]) -> list[str]:
    """Return the names of the fields of a form, in their order."""
    return [name for name in editable(kind) if (kind, name) not in ONLY_WITH_VALUE or values.get(name)]


def shown(kind: str, name: str, value: Any) -> str:
    """Return a field's value as it is edited."""
    match shape(kind, name):
        case "words":
            return ", ".join(_quoted(safe(item)) for item in value or ())
        case "lines":
            return "\n".join(safe(entry) for entry in value or ())
        case "text":
            return safe(value or "", newlines=True)
    if name == "kind":
        return FACT_KINDS.get(value, str(value))
    return f"{value:g}" if isinstance(value, float) else safe(value or "")


def typed(kind: str, name: str, text: str, before: Any) -> Any:
    """Return the value that was typed for a field that held `before`. What nobody touched of a list
    stays as it was, also where it can't be shown as it is."""
    match shape(kind, name):
        case "words":
            return list(_untouched(split_words(text), before))
        case "lines":
            return list(_untouched((word for word in text.split("\n") if word.strip()), before))
    return text


def split_words(text: str) -> Iterator[str]:
    """Yield the words of a line: what stands between its commas, or between quotation marks."""
    try:
        rows = list(csv.reader(StringIO(text, newline=None), skipinitialspace=True))
    except csv.Error as error:
        raise InvalidRecordError("These words can't be told apart ({error}).", error=error) from error
    yield from (name.strip() for row in rows for name in row if name.strip())


def _quoted(word: str) -> str:
    if "," in word or word.startswith('"'):
        return '"' + word.replace('"', '""') + '"'
    return word


def _untouched(items: Iterable[str], before: Iterable[str] | None) -> Iterator[str]:
    known = {safe(text).strip(): text for text in before or ()}
    yield from (known.get(item.strip(), item.strip()) for item in items)
