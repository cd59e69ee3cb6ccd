"""What of each record is searched, and in which part of the index it lies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from ... import fields
from ...kinds import KINDS, TABLES
from ...records.conforming import as_text
from ...records.dataclasses import dataclass
from ...tables.base import read_list
from ...text.language.scripts import SETTLED_HAN
from ...text.late_pattern import late_pattern

SEPARATOR = "\x1f"
"""Parts fields and list items in a joined text; no term can hold it, so none matches across."""

INDEXED_CHARACTERS = 65_536
"""Of one field, only so much is searched: a text of megabytes would hold the write lock for seconds."""

LONGEST_PATTERN = 1_000
"""Characters of a text that LIKE looks for; it takes 50,000 bytes at most."""

_SETTLED = late_pattern(f"[a-z0-9{SETTLED_HAN}]+")


def is_same_when_folded(text: str) -> bool:
    """Whether a folded text holds this one if the text it was made of does, but for ASCII's case."""
    # Most are ASCII, and the pattern takes a millisecond to compile.
    if text.isascii():
        return text.isalnum() and text == text.lower()
    return _SETTLED.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind's searchable columns: its title, its texts, its raw text, its lists.

    A prompt or fact is all title to a reader, but ranks as body: `titled` is false for it. Raw text
    (code, a tool's output) holds many words that it isn't about, so it ranks with the lists.
    """

    table: str
    title: str
    body: tuple[str, ...]
    lists: tuple[str, ...]
    raw: tuple[str, ...] = ()
    titled: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them, in the order in which they are joined."""
        return (self.title, *self.body, *self.raw, *self.lists)


def _shape(kind: str) -> Shape:
    parts = {
        part: tuple(field.name for field in fields.FIELDS[kind] if field.part == part)
        for part in ("title", "body", "list", "raw")
    }
    (title,) = parts["title"]
    is_titled = kind in ("observation", "summary")
    return Shape(TABLES[kind], title, parts["body"], parts["list"], parts["raw"], is_titled)


SHAPES = {letter: _shape(kind) for letter, kind in KINDS.items()}

FIELDS: dict[str, frozenset[str]] = {
    **{name: frozenset({name}) for shape in SHAPES.values() for name in shape.columns},
    "files": frozenset(
        field.name for listed in fields.FIELDS.values() for field in listed if field.label == "file"
    ),
    "prompt": frozenset({"text"}),
}
"""What may stand before the colon in `title:word`, and the columns it means."""


class Document(NamedTuple):
    """A document's id, kind and searchable texts by column; a list's items are joined."""

    id: int
    kind: str
    texts: tuple[str, ...]

    def parts(self) -> tuple[str, str, str]:
        """Title, body and lists: the columns of the words index."""
        shape, texts = SHAPES[self.kind], self.texts
        cut = 1 + len(shape.body)
        head = 1 if shape.titled else 0
        return (
            SEPARATOR.join(texts[:head]),
            SEPARATOR.join(texts[head:cut]),
            SEPARATOR.join(texts[cut:]),
        )

    def joined(self, columns: frozenset[str] | None = None) -> str:
        """All texts, or those of some columns, as one that no term matches across."""
        if columns is None:
            return SEPARATOR.join(self.texts)
        named = zip(SHAPES[self.kind].columns, self.texts, strict=True)
        return SEPARATOR.join(text for name, text in named if name in columns)


def fetch(
    db: apsw.Connection, ids: Iterable[int], without: Sequence[str] = (), within: Sequence[str] = ()
) -> Iterator[Document]:
    """The documents with these ids, hidden ones (negative ids) too, in no particular order.

    Most of those that hold one of the texts `without` are left out: SQLite sees them in the title or
    the body in a tenth of the time it takes to read and fold them. So are most of those that don't hold
    all texts `within`. Each of these texts `is_same_when_folded`.
    """
    for kind, numbers in _places(db, ids).items():
        sql = _TEXTS[kind] + "".join(_lacks(SHAPES[kind], place) for place in range(len(without)))
        sql += _may_hold(SHAPES[kind], len(without), len(within)) if within else ""
        values = (
            json.dumps(list(numbers)),
            *without,
            *(f"%{text[:LONGEST_PATTERN]}%" for text in within),
        )
        for record, *texts in db.execute(sql, values):
            yield Document(numbers[record], kind, _texts(SHAPES[kind], texts))


def holding(db: apsw.Connection, ids: Iterable[int], texts: Sequence[str]) -> set[int]:
    """Return those of the documents with these ids that surely hold all texts.

    SQLite sees each in the title, the body or the raw text in a tenth of the time it takes to read and
    fold them. Each of these texts `is_same_when_folded`, and is no longer than LONGEST_PATTERN.
    """
    patterns = [f"%{text}%" for text in texts]
    results: set[int] = set()
    for kind, numbers in _places(db, ids).items():
        shape = SHAPES[kind]
        sql = f"SELECT r.id FROM json_each(?) j CROSS JOIN {shape.table} r ON r.id = j.value WHERE "
        sql += " AND ".join(_holds(shape, place) for place in range(len(texts)))
        results.update(
            numbers[record] for (record,) in db.execute(sql, (json.dumps([*numbers]), *patterns))
        )
    return results


def _places(db: apsw.Connection, ids: Iterable[int]) -> dict[str, dict[int, int]]:
    """Return the documents with these ids by kind, each by the id of its record."""
    by_kind: dict[str, dict[int, int]] = {}
    wanted = list(ids)
    for number, kind, record in db.execute(_PLACES, (json.dumps([n for n in wanted if n > 0]),)):
        by_kind.setdefault(kind, {})[record] = number
    for number in wanted:
        if number < 0:
            by_kind.setdefault(_KINDS[-number % 4], {})[-number // 4] = number
    return by_kind


def made_of(number: int, kind: str, values: Mapping[str, Any]) -> Document:
    """The document that a row with these values, by column, will be; a column without is empty."""
    shape = SHAPES[kind]
    return Document(number, kind, _texts(shape, [values.get(column) for column in shape.columns]))


TEXTS = {str, type(None)}
"""The classes of what a text's column may hold."""


def _texts(shape: Shape, values: list[str | None]) -> tuple[str, ...]:
    cut = 1 + len(shape.body) + len(shape.raw)
    if not set(map(type, values)) <= TEXTS:
        values = [as_text(value) for value in values]
    texts = [value or "" for value in values[:cut]]
    texts += [_items(value) if value and value != "[]" else "" for value in values[cut:]]
    if sum(map(len, texts)) > INDEXED_CHARACTERS:
        texts = [text[:INDEXED_CHARACTERS] for text in texts]
    return tuple(texts)


def _items(text: str) -> str:
    """A list column's items, joined; most are what json.dumps writes of plain strings."""
    joined = text[2:-2].replace('", "', SEPARATOR)
    if '"' in joined or "\\" in text or text[:2] + text[-2:] != '[""]':
        return SEPARATOR.join(read_list(text))
    return joined


def _lacks(shape: Shape, place: int) -> str:
    """A condition: that neither title nor body, as far as they are searched, holds a text."""
    columns = (f"substr(r.{name}, 1, {INDEXED_CHARACTERS})" for name in (shape.title, *shape.body))
    return "".join(f" AND ifnull(instr(lower({text}), ?{place + 2}), 0) = 0" for text in columns)


def _holds(shape: Shape, place: int) -> str:
    """A condition: that a column of text, as far as it is searched, holds a text."""
    columns = (
        f"substr(r.{name}, 1, {INDEXED_CHARACTERS})" for name in (shape.title, *shape.body, *shape.raw)
    )
    return f"({' OR '.join(f'{text} LIKE ?{place + 2}' for text in columns)})"


def _may_hold(shape: Shape, place: int, number: int) -> str:
    """A condition: that the columns hold so many texts, or what may only hold them when folded or read as
    JSON."""
    text = f"concat({', '.join(f'r.{column}' for column in shape.columns)})"
    # LIKE, since it takes half the time of what else tells.
    all_of_them = " AND ".join(f"{text} LIKE ?{place + each + 2}" for each in range(number))
    return f" AND ({all_of_them} OR length({text}) <> octet_length({text}) OR {text} LIKE '%\\%')"


_KINDS = tuple(SHAPES)
_PLACES = "SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value"
_TEXTS = {
    kind: f"SELECT r.id, {', '.join(f'r.{column}' for column in shape.columns)} "
    f"FROM json_each(?) j CROSS JOIN {shape.table} r ON r.id = j.value"
    for kind, shape in SHAPES.items()
}
