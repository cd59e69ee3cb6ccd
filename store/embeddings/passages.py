"""Cut a document into passages, each short enough to be embedded by itself.

Short texts embed better than whole records: so a memory is its title, its narrative, each of its
facts, each part of a summary. Of long ones each passage is embedded, and the nearest counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..fields import FIELDS
from ..kinds import KINDS
from ..search.index.documents import SEPARATOR, SHAPES, Document

LONGEST = 800
"""Characters of a passage: about what small models read, 256 tokens."""
MOST = 32
"""Passages of a document."""

ENDS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"(?<=[.!?;])\s|(?<=[。！？；])", r"\s")))
"""Where a text may be cut, the better places first."""


def passages(document: Document) -> list[str]:
    """Return the texts of a document that are embedded, each once, at most `MOST` of `LONGEST`
    characters."""
    results: dict[str, None] = {}
    for text in _texts(document):
        for passage in _cut(text):
            results[passage] = None
            if len(results) == MOST:
                return list(results)
    return list(results)


def _texts(document: Document) -> Iterator[str]:
    fields = [field for field in FIELDS[KINDS[document.kind]] if field.says]
    texts = dict(zip(SHAPES[document.kind].columns, document.texts, strict=True))
    # A title alone says what a memory is about, a subtitle the same in more words.
    yield "\n".join(filter(None, (texts[field.name] for field in fields if field.form == "line")))
    # Concepts, tags and paths are but names; raw text says least.
    for field in sorted(fields, key=lambda field: (field.part == "raw", field.form == "items")):
        if field.form != "line":
            yield from texts[field.name].split(SEPARATOR)


def _cut(text: str) -> Iterator[str]:
    """Yield a text in pieces of at most `LONGEST` characters, cut where something ends."""
    rest = text.strip()
    while len(rest) > LONGEST:
        place = _end(rest[: LONGEST + 1])
        yield rest[:place].strip()
        rest = rest[place:].strip()
    if rest:
        yield rest


def _end(text: str) -> int:
    """Return where the last paragraph, line, sentence or word of a text ends, in its second half."""
    for pattern in ENDS:
        places = [match.end() for match in pattern.finditer(text, LONGEST // 2, LONGEST)]
        if places:
            return places[-1]
    return LONGEST
