"""Snippets: the passage of a record that says why it was found, with the matches lit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apsw.unicode import grapheme_next_break

from ..records import Snippet
from .documents import SEPARATOR, SHAPES, Document
from .folding import fold
from .query import Query, Term

LENGTH = 160
LEAD = 20
"""So many characters at most stand before the first match: a narrow list shows only the beginning."""
MARGIN = 25
MAXIMUM_MATCHES = 200

# Characters that fold to exactly one, and others with the marks that may compose with them.
PIECE = re.compile(
    "(?P<plain>[\x00-\x7f\u3001-\u3002\u300a-\u300f\u4e00-\u9fff\uff01-\uff5e]+"
    "(?![\u0300-\u036f\u3099\u309a]))|.[\u0300-\u036f\u3099\u309a]*",
    re.DOTALL,
)
SPACE = re.compile(r"\s")

Spans = tuple[tuple[int, int], ...]


def light(text: str, query: Query) -> Snippet:
    """A whole text with every match of a query's terms lit, whatever field they were asked in."""
    return Snippet(text, spans(text, query.terms))


def snippet(document: Document, query: Query, length: int = LENGTH) -> Snippet:
    """The best passage of about `length` characters: the one with the most of the terms.

    Where only the title matches, the beginning of the body: the title is shown anyway.
    """
    shape = SHAPES[document.kind]
    named = list(zip(shape.columns, document.texts, strict=True))
    body = [(name, part) for name, text in named[1:] for part in _parts(name, text, shape.lists)]
    title = named[0][1]
    best = max(
        ((_distinct(part, query, name), -place) for place, (name, part) in enumerate(body)),
        default=(0, 0),
    )
    if best[0]:
        return passage(body[-best[1]][1], query, length)
    if len(title) > 80 or not body:
        return passage(title, query, length)
    return passage(body[0][1], query, length)


def passage(text: str, query: Query, length: int = LENGTH) -> Snippet:
    """The part of a text with the most distinct terms, its cuts marked by an ellipsis."""
    found = spans(text, query.terms)
    place = _densest(text, found, length)
    if len(text) <= length and place <= LEAD:
        return Snippet(text, found)
    start, end = _bounds(text, place, length)
    before, after = "…" if start else "", "…" if end < len(text) else ""
    shift = len(before) - start
    inside = tuple(
        (low + shift, high + shift) for low, high in found if start <= low and high <= end
    )
    return Snippet(before + text[start:end] + after, inside)


def spans(text: str, terms: Sequence[Term]) -> Spans:
    """Where the terms stand in a text, as [start, end) of its own characters, in order, disjoint."""
    wanted = {term.folded for term in terms} - {""}
    if not wanted:
        return ()
    folded, offsets = align(text)
    found: list[tuple[int, int]] = []
    for term in wanted:
        place = folded.find(term)
        count = 0
        while place >= 0 and count < MAXIMUM_MATCHES:
            found.append((offsets[place], offsets[place + len(term)]))
            place = folded.find(term, place + len(term))
            count += 1
    return _merged(text, found)


def align(text: str) -> tuple[str, Sequence[int]]:
    """A text folded, and for each folded character (and the end) its place in the text."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    parts: list[str] = []
    offsets: list[int] = []
    for piece in PIECE.finditer(text):
        folded = fold(piece.group())
        parts.append(folded)
        if piece.lastgroup:
            offsets.extend(range(piece.start(), piece.end()))
        else:
            offsets.extend([piece.start()] * len(folded))
    offsets.append(len(text))
    return "".join(parts), offsets


def _parts(name: str, text: str, lists: tuple[str, ...]) -> list[str]:
    parts = text.split(SEPARATOR) if name in lists else [text]
    return [part for part in parts if part]


def _distinct(text: str, query: Query, name: str) -> int:
    folded = fold(text)
    return sum(
        any(
            (term.columns is None or name in term.columns) and term.folded in folded
            for term in clause
        )
        for clause in query.clauses
    )


def _densest(text: str, found: Spans, length: int) -> int:
    """The start of the first match after which the most different matches lie within reach."""
    reach = length - LEAD
    best, place = 0, 0
    for index, (start, _) in enumerate(found):
        near = {
            fold(text[low:high]) for low, high in found[index : index + 32] if high - start <= reach
        }
        if len(near) > best:
            best, place = len(near), start
    return place


def _bounds(text: str, place: int, length: int) -> tuple[int, int]:
    """A window around a place that begins and ends between words and never inside a grapheme."""
    start = max(0, place - LEAD)
    end = min(len(text), start + length)
    if start:
        gap = SPACE.search(text, start, place)
        start = gap.end() if gap else _grapheme(text, start)
    if end < len(text):
        gap_before = text.rfind(" ", end - MARGIN, end)
        end = gap_before if gap_before > place else _grapheme(text, end)
    return start, end


def _grapheme(text: str, place: int) -> int:
    """The first grapheme boundary at or after a place; a cluster is never longer than the margin."""
    base = max(0, place - 32)
    while base < place:
        base = grapheme_next_break(text, base)
    return min(base, len(text))


def _merged(text: str, found: list[tuple[int, int]]) -> Spans:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        # A match inside a character that folds to several still lights that whole character.
        end = max(end, start + 1)
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, min(end, len(text))))
    return tuple(merged)
