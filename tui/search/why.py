"""Why a hit was found, and why it stands where it stands: its place, its score and what that is
made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from memtui.store import Correction, ListRow, Matched, Query, Why

from ..keys.bindings import key
from ..parts.dialog import Dialog
from ..parts.text_view import TextView
from ..text.content import DIM, NO_MARK, Passage, fit, plain
from ..text.glyphs import glyph
from ..text.queries import understood
from .providers import ResultCounts

BARS, SCORE, DIGITS, TERM = 12, 6, 2, 20
TITLE = "bold $text-accent"
PARTS = {
    "words": "its words, the rare ones most",
    "n-grams": "pieces of words",
    "turn": "what else its turn says",
    "session": "what else its session says",
    "worth": "what it is, and how old",
    "date": "it is of the time that is named",
    "meaning": "how near it is to what is meant",
}


def why_passages(
    row: ListRow, why: Why, place: int, counts: ResultCounts, corrections: Sequence[Correction]
) -> list[Passage]:
    """Return all about one hit of the query of `counts`; `place` is its index among all rows."""
    return [
        Passage(glyph(row.type).content + " " + plain(row.title, "bold")),
        Passage(plain(_rank(why, place, counts)), "Rank", space=1),
        Passage(plain(_holds(why, counts.query, corrections)), "Holds"),
        Passage(plain(_order(why, counts)), "Order"),
        *_terms(why),
        *_parts(why),
        Passage(Content.styled("Understood", TITLE), space=1),
        *(Passage(what, label) for label, what in understood(counts.query)),
    ]


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    teen = number % 100 // 10 == 1
    return f"{number:,}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _rank(why: Why, place: int, counts: ResultCounts) -> str:
    if counts.by_meaning and not counts.query.similar:
        return f"{ordinal(place + 1)} nearest in meaning"
    if why.tier == "exact":
        return f"{ordinal(place + 1)} of {counts.hits}"
    rank = ordinal(place + 1 - counts.related_from)
    return f"{rank} of {counts.related} related, after {counts.hits}"


def _holds(why: Why, query: Query, corrections: Sequence[Correction]) -> str:
    if query.similar and not query.clauses:
        return (
            "what is like it, by its meaning" if why.parts else "words that are rare, and in both"
        )
    if why.tier == "exact":
        return "every term" if len(query.clauses) > 1 else "the term"
    if corrections:
        meant = ", ".join(
            f"{correction.meant} for {correction.typed}" for correction in corrections
        )
        return f"what may have been meant ({meant})"
    if not why.terms and why.similarity is not None:
        return "none of the words: its meaning is near"
    return "some of the words, or other forms of them: it is related"


def _order(why: Why, counts: ResultCounts) -> str:
    if counts.query.is_by_time:
        first = "oldest" if counts.query.sort == "oldest" else "newest"
        return f"{first} first, as asked: the score doesn't count"
    if counts.by_meaning:
        pinned = "the pinned first, then " if counts.query.sort == "pinned" else ""
        return f"{pinned}the nearest in meaning first"
    if why.tier == "exact" and any(matched.score is None for matched in why.terms):
        return "newest first: a term stands only inside words, and such hits are not ranked"
    if why.tier == "exact" and counts.ranked is not None and not why.score:
        return (
            f"not ranked, as only the newest {counts.ranked:,} are: the others follow, newest first"
        )
    among = f" among the newest {counts.ranked:,}" if counts.ranked is not None else ""
    best = f"by score{among}, and of equal ones the newest first"
    return f"the pinned first, then {best}" if counts.query.sort == "pinned" else best


def _terms(why: Why) -> Iterator[Passage]:
    most = max((matched.score or 0.0 for matched in why.terms), default=0.0)
    if why.terms:
        yield Passage(Content.styled("Matched terms", TITLE), space=1)
    for term in why.terms:
        label = fit(plain(term.term), TERM).plain.rstrip()
        yield Passage(_places(term), label, _part(term.score, most) if most else NO_MARK)
    if why.score and len(why.terms) > 1 and not why.parts:
        yield Passage(Content.styled("together", DIM), "", _score(_together(why)))


def _parts(why: Why) -> Iterator[Passage]:
    """What a hit's score is the sum of, where that is more than its words."""
    if not why.parts:
        return
    title = "Score, 1 for the best" if why.tier == "related" else "Score"
    yield Passage(Content.styled(title, TITLE), space=1)
    most = max(part for _, part in why.parts)
    for name, part in why.parts:
        content = PARTS.get(name, "")
        if name == "meaning" and why.similarity is not None:
            content += f": similarity {why.similarity:.2f}"
        yield Passage(Content(content), name, _part(part, most))
    yield Passage(Content.styled("together", DIM), "", _score(why.score))


def _together(why: Why) -> float:
    """The score, as the sum of its parts as they are shown where only their rounding differs from it."""
    shown = [round(matched.score, DIGITS) for matched in why.terms if matched.score is not None]
    is_sum = abs(sum(shown) - why.score) <= (len(shown) + 1) / 2 / 10**DIGITS
    return sum(shown) if is_sum else why.score


def _places(matched: Matched) -> Content:
    if not matched.places:
        return Content.styled("in another form", DIM)
    places = " · ".join(f"{column.replace('_', ' ')} {count}" for column, count in matched.places)
    return plain(places) + Content.styled(" inside words" if matched.score is None else "", DIM)


def _part(score: float | None, most: float) -> Content:
    """A term's part of the score, in numbers and as a bar beside the largest."""
    if score is None:
        return fit(Content.styled("–".rjust(SCORE), DIM), SCORE + BARS + 4)
    bar = Content.styled("━" * round(BARS * score / most), "$accent")
    return fit(_score(score) + bar, SCORE + BARS + 4)


def _score(score: float) -> Content:
    return Content(f"{score:{SCORE}.{DIGITS}f}  ")


class WhyScreen(Dialog[None]):
    """The passages of `why_text`, over the search."""

    CSS_PATH = "why.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape,w,q", "dismiss", "Close", "Back to the results", "why.close"),
    ]

    def __init__(self, passages: Sequence[Passage]) -> None:
        super().__init__()
        self._passages = passages

    def compose(self) -> ComposeResult:
        yield TextView(id="why")

    def on_mount(self) -> None:
        view = self.query_one(TextView)
        view.border_title = "why this hit"
        view.border_subtitle = "esc closes"
        view.show(self._passages)
        # As high as the text, which it didn't have until now.
        view.refresh(layout=True)
        view.focus()
