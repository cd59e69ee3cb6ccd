"""What of each record is searched, and in which part of the index it lies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import apsw

from ..records import Kind
from ..rows import read_list

SEPARATOR = "\x1f"
"""Parts fields and list items in a joined text; no term can hold it, so none matches across."""

INDEXED_CHARACTERS = 65_536
"""Of one field, only so much is searched: a text of megabytes would hold the write lock for seconds."""

KINDS: dict[str, Kind] = {"o": "observation", "p": "prompt", "s": "summary", "f": "fact"}
LETTERS: dict[str, str] = {kind: letter for letter, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind's searchable columns: its title, its texts, its lists.

    A prompt or fact is all title to a reader, but ranks as body: `titled` is false for it.
    """

    table: str
    title: str
    body: tuple[str, ...]
    lists: tuple[str, ...]
    titled: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them, in the order in which they are joined."""
        return (self.title, *self.body, *self.lists)


SHAPES = {
    "o": Shape(
        "observations",
        "title",
        ("subtitle", "narrative", "text"),
        ("facts", "concepts", "files_read", "files_modified", "tags"),
    ),
    "p": Shape("prompts", "text", (), (), titled=False),
    "s": Shape(
        "summaries",
        "request",
        ("investigated", "learned", "completed", "next_steps", "notes", "text"),
        ("files_read", "files_edited"),
    ),
    "f": Shape("facts", "content", (), ("entities",), titled=False),
}

FIELDS: dict[str, frozenset[str]] = {
    **{name: frozenset({name}) for shape in SHAPES.values() for name in shape.columns},
    "files": frozenset({"files_read", "files_modified", "files_edited"}),
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


def fetch(db: apsw.Connection, ids: Iterable[int]) -> Iterator[Document]:
    """The documents with these ids, hidden ones (negative ids) too, in no particular order."""
    wanted = list(ids)
    shown = json.dumps([one for one in wanted if one > 0])
    for kind, sql in _BY_DOCUMENT.items():
        for number, *texts in db.execute(sql, (shown,)):
            yield Document(number, kind, _texts(kind, texts))
    concealed = [-one for one in wanted if one < 0]
    for place, kind in enumerate(SHAPES if concealed else ()):
        records = json.dumps([one // 4 for one in concealed if one % 4 == place])
        for number, *texts in db.execute(_BY_RECORD[kind], (records,)):
            yield Document(-(4 * number + place), kind, _texts(kind, texts))


def _texts(kind: str, values: list[str | None]) -> tuple[str, ...]:
    shape = SHAPES[kind]
    cut = 1 + len(shape.body)
    plain = [(value or "")[:INDEXED_CHARACTERS] for value in values[:cut]]
    listed = [
        SEPARATOR.join(read_list(value)) if value and value != "[]" else ""
        for value in values[cut:]
    ]
    return (*plain, *(text[:INDEXED_CHARACTERS] for text in listed))


def _select(shape: Shape, source: str, number: str) -> str:
    columns = ", ".join(f"r.{column}" for column in shape.columns)
    return f"SELECT {number}, {columns} FROM {source}"


_BY_DOCUMENT = {
    kind: _select(
        shape,
        "json_each(?) j CROSS JOIN documents d ON d.id = j.value "
        f"JOIN {shape.table} r ON r.id = d.record_id WHERE d.kind = '{kind}'",
        "d.id",
    )
    for kind, shape in SHAPES.items()
}
_BY_RECORD = {
    kind: _select(
        shape, f"json_each(?) j CROSS JOIN {shape.table} r ON r.id = j.value WHERE true", "r.id"
    )
    for kind, shape in SHAPES.items()
}
