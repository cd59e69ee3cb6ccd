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
SHORT = 36
MAXIMUM_MATCHES = 200

PLAIN = re.compile(
    "[\x00-\x7f\xc0-\xde\xe0-\xff\u0410-\u044f\u3001-\u3002\u300a-\u300f\u3041-\u3096"
    "\u30a1-\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]+"
)
"""Characters that each fold to exactly one, whatever stands before and after them."""
SPACE = re.compile(r"\s")

Spans = tuple[tuple[int, int], ...]


def light(text: str, query: Query) -> Snippet:
    """A whole text with every match of a query's terms lit, whatever field they were asked in."""
    return Snippet(text, spans(text, query.terms))


def snippet(document: Document, query: Query, length: int = LENGTH) -> Snippet:
    """The best passage of about `length` characters, beside the title that is shown anyway.

    The part that holds the most of what the title lacks; running text before lists. A prompt or
    fact that is short enough to be read as a title has none.
    """
    shape = SHAPES[document.kind]
    title, texts = document.texts[0], document.texts[1:]
    if not shape.titled:
        return passage(title, query, length) if len(title) > SHORT else Snippet("")
    missing = [clause for clause in query.clauses if not _holds(clause, title, shape.title)]

    def worth(part: tuple[str, str]) -> tuple[int, bool, int]:
        name, text = part
        found = sum(_holds(clause, text, name) for clause in query.clauses)
        news = sum(_holds(clause, text, name) for clause in missing)
        return news, name not in shape.lists, found

    parts = [
        (name, part)
        for name, text in zip(shape.columns[1:], texts, strict=True)
        for part in (text.split(SEPARATOR) if name in shape.lists else [text])
        if part
    ]
    return passage(max(parts, key=worth)[1], query, length) if parts else Snippet("")


def passage(text: str, query: Query, length: int = LENGTH) -> Snippet:
    """The part of a text with the most distinct terms, its cuts marked by an ellipsis."""
    found = spans(text, query.terms)
    match = _densest(text, found, length)
    if len(text) <= length and match[0] <= LEAD:
        return Snippet(text, found)
    start, end = _bounds(text, match, length)
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
    folded, starts, ends = align(text)
    found: list[tuple[int, int]] = []
    for term in wanted:
        place = folded.find(term)
        count = 0
        while place >= 0 and count < MAXIMUM_MATCHES:
            found.append((starts[place], ends[place + len(term) - 1]))
            place = folded.find(term, place + len(term))
            count += 1
    return _merged(found)


def align(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """A text folded, and for each folded character the start and the end of what it came from.

    That is one character, or a grapheme where folding joins or drops some: nobody sees its parts.
    """
    if text.isascii():
        return text.lower(), range(len(text)), range(1, len(text) + 1)
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    while place < len(text):
        plain = PLAIN.match(text, place)
        # The last of a plain run may have a mark that follows it.
        stop = plain.end() - (plain.end() < len(text)) if plain else place
        if stop > place:
            parts.append(fold(text[place:stop]))
            starts.extend(range(place, stop))
            ends.extend(range(place + 1, stop + 1))
        else:
            stop = grapheme_next_break(text, place)
            folded = fold(text[place:stop])
            parts.append(folded)
            starts.extend([place] * len(folded))
            ends.extend([stop] * len(folded))
        place = stop
    return "".join(parts), starts, ends


def _holds(clause: tuple[Term, ...], text: str, name: str) -> bool:
    folded = fold(text)
    return any(
        (term.columns is None or name in term.columns) and term.folded in folded for term in clause
    )


def _densest(text: str, found: Spans, length: int) -> tuple[int, int]:
    """The first match after which the most different matches lie within reach."""
    reach = length - LEAD
    best, densest = 0, (0, 0)
    for index, (start, end) in enumerate(found):
        near = {
            fold(text[low:high]) for low, high in found[index : index + 32] if high - start <= reach
        }
        if len(near) > best or not index:
            best, densest = len(near), (start, end)
    return densest


def _bounds(text: str, match: tuple[int, int], length: int) -> tuple[int, int]:
    """A window around a match that begins and ends between words and never inside a grapheme."""
    first, last = match
    start = max(0, first - LEAD)
    end = min(len(text), max(start + length, last))
    if start:
        gap = SPACE.search(text, start, first)
        start = min(first, _boundary(text, gap.end() if gap else start))
    if end < len(text):
        gap_before = text.rfind(" ", max(last, end - MARGIN), end)
        end = _boundary(text, gap_before if gap_before > 0 else end)
    return start, end


def _boundary(text: str, place: int) -> int:
    """The first boundary of graphemes at or after a place."""
    base = place
    # Before a letter one begins, or ends soon; inside flags and emoji families nothing tells.
    while base and (base > place - 4 or not text[base : base + 1].isalnum()):
        base -= 1
    while base < place:
        base = grapheme_next_break(text, base)
    return base


def _merged(found: list[tuple[int, int]]) -> Spans:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
