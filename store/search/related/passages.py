"""The passages of a document whose meaning is compared.

Short texts say what they mean better than whole records: so a memory is its title, its narrative, each of
its facts, each part of a summary. Of long ones each passage is compared, and the nearest counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...records.fields import FIELDS
from ...records.kinds import KINDS
from ..index.documents import SEPARATOR, SHAPES, Document

MOST_PASSAGES = 32
"""Passages of a document."""


def passages(document: Document) -> list[str]:
    """Return the texts of a document that say what it means, each once, at most
    `MOST_PASSAGES` of `LONGEST_PASSAGE` characters."""
    results: dict[str, None] = {}
    for text in _texts(document):
        for passage in _pieces(text):
            results[passage] = None
            if len(results) == MOST_PASSAGES:
                return list(results)
    return list(results)


LONGEST_PASSAGE = 800
"""Characters of a passage: about what small models read, 256 tokens."""

ENDS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"(?<=[.!?;])\s|(?<=[。！？；])", r"\s")))
"""Where a text may be cut, the better places first."""


def _texts(document: Document) -> Iterator[str]:
    fields = [field for field in FIELDS[KINDS[document.kind]] if field.says]
    texts = dict(zip(SHAPES[document.kind].columns, document.texts, strict=True))
    # A title alone says what a memory is about, a subtitle the same in more words.
    yield "\n".join(filter(None, (texts[field.name] for field in fields if field.form == "line")))
    # Concepts, tags and paths are but names; raw text says least.
    for field in sorted(fields, key=lambda field: (field.part == "raw", field.form == "items")):
        if field.form != "line":
            yield from texts[field.name].split(SEPARATOR)


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces of at most `LONGEST_PASSAGE` characters, cut where something ends."""
    rest = text.strip()
    while len(rest) > LONGEST_PASSAGE:
        place = _end(rest[: LONGEST_PASSAGE + 1])
        yield rest[:place].strip()
        rest = rest[place:].strip()
    if rest:
        yield rest


def _end(text: str) -> int:
    """Return where the last paragraph, line, sentence or word of a text ends, in its second half."""
    for pattern in ENDS:
        places = [match.end() for match in pattern.finditer(text, LONGEST_PASSAGE // 2, LONGEST_PASSAGE)]
        if places:
            return places[-1]
    return LONGEST_PASSAGE
