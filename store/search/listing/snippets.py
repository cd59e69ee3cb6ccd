"""Snippets: the passage of a record that says why it was found, with the matches highlighted,
and on one line what is told of its turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...records.rows import SNIPPET, Hit, Snippet
from ...text.language.folding import fold
from ...text.language.scripts import HANGUL, SETTLED_HAN
from ...text.late_pattern import late_pattern
from ...text.truncation import shortened
from ..index.documents import SEPARATOR, SHAPES, Document
from ..query.language import Query, Term

LEAD = 20
"""So many characters at most stand before the first match: a narrow list shows only the beginning."""
MARGIN = 25
SHORT = 36
MAXIMUM_MATCHES = 200

PLAIN = late_pattern(
    "[\x00-\x7f\xc0-\xde\xe0-\xff\u0410-\u044f\u3001-\u3002\u300a-\u300f\u3041-\u3096"
    f"\u30a1-\u30fc{SETTLED_HAN}{HANGUL}\uff01-\uff5e]+"
)
"""Characters that each fold to exactly one, whatever stands before and after them."""
SPACE = re.compile(r"\s")

_COLUMNS = {kind: shape.columns for kind, shape in SHAPES.items()}
Spans = tuple[tuple[int, int], ...]
Clause = list[tuple[str, frozenset[str] | None]]
"""Alternatives, each folded and with the columns that it may stand in."""


def highlight(text: str, query: Query) -> Snippet:
    """Return a whole text with every match of a query's terms highlighted, whatever field they name."""
    return Snippet(text, spans(text, query.lit))


class Highlighter:
    """Cuts and highlights the snippets of one query's hits."""

    def __init__(self, query: Query) -> None:
        self._wanted = _wanted(query.lit)
        self._clauses = [
            [(term.folded, term.columns) for term in clause]
            for clause in query.clauses
            if not any(term.negated for term in clause)
        ]

    def snippet(self, document: Document, length: int = SNIPPET) -> Snippet:
        """Return the best passage of about `length` characters, beside the title that is shown anyway.

        The column that holds the most of what the title lacks, running text before lists, and of a
        list the item that does. A prompt or fact short enough to be read as a title has none.
        """
        shape = SHAPES[document.kind]
        title = document.texts[0]
        if not shape.titled:
            return self.passage(title, length) if len(title) > SHORT else Snippet("")
        missing = self._clauses
        if missing and (titled := _held(shape.title, title, missing)):
            missing = [clause for clause in missing if clause not in titled] or missing
        columns = zip(_COLUMNS[document.kind], document.texts, strict=True)
        name, text = _best(((word, part) for word, part in columns if part), missing, shape.title)
        if name in shape.lists:
            text = _best(((name, item) for item in text.split(SEPARATOR) if item), missing)[1]
        return self.passage(text, length) if text else Snippet("")

    def passage(self, text: str, length: int = SNIPPET) -> Snippet:
        """The part of a text with the most distinct terms, its cuts marked by an ellipsis."""
        results = _spans(text, self._wanted)
        single = len(self._wanted) == 1
        match = results[0] if results and single else _densest(text, results, length)
        if len(text) <= length and match[0] <= LEAD:
            return Snippet(text, results)
        start, end = _bounds(text, match, length)
        before, after = "…" if start else "", "…" if end < len(text) else ""
        shift = len(before) - start
        inside = tuple((low + shift, high + shift) for low, high in results if start <= low and high <= end)
        return Snippet(before + text[start:end] + after, inside)


def _best(parts: Iterable[tuple[str, str]], clauses: list[Clause], without: str = "") -> tuple[str, str]:
    """The first named text of those that meet the most clauses, the one `without` left out."""
    best, most = ("", ""), -1
    for part in parts:
        if part[0] == without:
            continue
        held = len(_held(part[0], part[1], clauses)) if clauses else 0
        if held > most:
            best, most = part, held
        if held == len(clauses):
            break
    return best


def _held(name: str, text: str, clauses: list[Clause]) -> list[Clause]:
    """Those of the clauses that a column's text meets."""
    folded = fold(text)
    held = []
    for clause in clauses:
        for term, columns in clause:
            if term in folded and (columns is None or name in columns):
                held.append(clause)
                break
    return held


def spans(text: str, terms: Sequence[Term]) -> Spans:
    """Where the terms stand in a text, as [start, end) of its own characters, in order, disjoint."""
    return _spans(text, _wanted(terms))


def _wanted(terms: Sequence[Term]) -> set[str]:
    return {term.folded for term in terms} - {""}


def _spans(text: str, wanted: set[str]) -> Spans:
    if not wanted:
        return ()
    folded, starts, ends = align(text)
    results: list[tuple[int, int]] = []
    for term in wanted:
        place = folded.find(term)
        count = 0
        while place >= 0 and count < MAXIMUM_MATCHES:
            results.append((starts[place], ends[place + len(term) - 1]))
            place = folded.find(term, place + len(term))
            count += 1
    return merged(results) if len(results) > 1 else tuple(results)


def align(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """A text folded, and for each folded character the start and the end of what it came from.

    That is one character, or a grapheme where folding joins or drops some: nobody sees its parts.
    """
    if text.isascii() or PLAIN.fullmatch(text):
        return fold(text), range(len(text)), range(1, len(text) + 1)
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
            stop = _next_grapheme(text, place)
            folded = fold(text[place:stop])
            parts.append(folded)
            starts.extend([place] * len(folded))
            ends.extend([stop] * len(folded))
        place = stop
    return "".join(parts), starts, ends


def _densest(text: str, found: Spans, length: int) -> tuple[int, int]:
    """The first match after which the most different matches lie within reach."""
    if len(found) < 2:
        return found[0] if found else (0, 0)
    reach = length - LEAD
    matches = [text[start:end].lower() for start, end in found]
    best, densest = 0, found[0]
    for index, (start, end) in enumerate(found):
        near = {
            match
            for match, (_, high) in zip(matches[index:], found[index : index + 32], strict=False)
            if high - start <= reach
        }
        if len(near) > best:
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
    if text[place - 1 : place + 1].isascii():
        return place
    base = place
    # Before a letter one begins, or ends soon; inside flags and emoji families nothing tells.
    while base and (base > place - 4 or not text[base : base + 1].isalnum()):
        base -= 1
    while base < place:
        base = _next_grapheme(text, base)
    return base


def _next_grapheme(text: str, place: int) -> int:
    # Not worth its import where nothing is cut.
    from apsw.unicode import grapheme_next_break

    return grapheme_next_break(text, place)


def merged(found: list[tuple[int, int]]) -> Spans:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


ASKED, CAME_OF_IT = 24, 100
"""Characters of what was asked in a turn, and of what came of it, beside a passage."""
BEFORE_A_MATCH = 12
"""Characters of a passage that stand between the question and its first match, so that this is in view."""


def in_turn(hit: Hit, passage: Snippet) -> Snippet:
    """Return a passage of a hit with what else its turn says: behind a prompt what came of it, before
    anything else what was asked."""
    if hit.turn is None:
        return passage
    if hit.kind == "prompt":
        verdict = shortened(" ".join(hit.turn.verdict.split()), CAME_OF_IT)
        return Snippet(f"{passage.text} → {verdict}".strip(), passage.spans) if verdict else passage
    asked = " ".join(hit.turn.question.split())
    asked = shortened(asked, _room(ASKED, asked))
    passage = _near_its_match(passage)
    lead = f"{asked} › " if asked and passage.text else asked
    spans = tuple((start + len(lead), end + len(lead)) for start, end in passage.spans)
    return Snippet(lead + passage.text, spans)


def _near_its_match(passage: Snippet) -> Snippet:
    first = passage.spans[0][0] if passage.spans else 0
    cut = first - _room(BEFORE_A_MATCH, passage.text)
    if cut <= 1:
        return passage
    cut = max(cut, passage.text.find(" ", cut, first) + 1)
    spans = tuple((start - cut + 1, end - cut + 1) for start, end in passage.spans)
    return Snippet("…" + passage.text[cut:], spans)


def _room(characters: int, text: str) -> int:
    # Chinese characters are twice as wide.
    return characters if text.isascii() else characters // 2
