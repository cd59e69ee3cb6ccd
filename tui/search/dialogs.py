"""What opens over the search: why a hit was found and stands where it stands, and where to export all that
a query matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content

from memtui.store import Correction, ListRow, Matched, Query, Store, Why
from memtui.store.formats.common.scope import Scope
from memtui.store.platform.translation import N_, _

from ..keys.bindings import key
from ..parts.dialog import Dialog
from ..parts.text_view import TextView
from ..text.content import DIM, NO_MARK, Passage, fit, plain
from ..text.glyphs import glyph
from ..text.queries import understood
from .request import ResultCounts
from .suggestions import meant_for

if TYPE_CHECKING:
    from ..marks.screen import MarkingScreen


BARS, SCORE, DIGITS, TERM = 12, 6, 2, 20
TITLE = "bold $text-accent"
PARTS = {
    N_("words"): N_("its words, the rare ones most"),
    N_("n-grams"): N_("pieces of words"),
    N_("turn"): N_("what else its turn says"),
    N_("session"): N_("what else its session says"),
    N_("worth"): N_("what it is, and how old"),
    N_("meaning"): N_("how near it is to what is meant"),
}


def why_passages(
    row: ListRow, why: Why, place: int, counts: ResultCounts, corrections: Sequence[Correction]
) -> list[Passage]:
    """Return all about one hit of the query of `counts`; `place` is its index among all rows."""
    return [
        Passage(glyph(row.type).content + " " + plain(row.title, "bold")),
        Passage(plain(_rank(why, place, counts)), _("Rank"), space=1),
        Passage(plain(_holds(why, counts.query, corrections)), _("Holds")),
        Passage(plain(_order(why, counts)), _("Order")),
        *_terms(why),
        *_parts(why),
        Passage(Content.styled(_("Understood"), TITLE), space=1),
        *(Passage(what, label) for label, what in understood(counts.query)),
    ]


ORDINALS = {1: _("{number}st"), 2: _("{number}nd"), 3: _("{number}rd")}
OTHER_ORDINAL = _("{number}th")


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `11th`."""
    teen = number % 100 // 10 == 1
    text = OTHER_ORDINAL if teen else ORDINALS.get(number % 10, OTHER_ORDINAL)
    return text.format(number=f"{number:,}")


class WhyScreen(Dialog[None]):
    """The passages of `why_text`, over the search."""

    CSS_PATH = "why.tcss"
    BINDINGS = [
        key("escape,w,q", "dismiss", "Close", "Back to the results", "why.close"),
    ]

    def __init__(self, passages: Sequence[Passage]) -> None:
        super().__init__()
        self._passages = passages

    def compose(self) -> ComposeResult:
        yield TextView(id="why")

    def on_mount(self) -> None:
        view = self.query_one(TextView)
        view.border_title = _("why this hit")
        view.border_subtitle = _("esc closes")
        view.show(self._passages)
        # As high as the text, which it didn't have until now.
        view.refresh(layout=True)
        view.focus()


EVERYTHING = "kind:observation,prompt,summary,fact"


async def export_query(screen: MarkingScreen, query: Query, counts: ResultCounts) -> None:
    """Ask where to write what a query matches exactly, and do so; of an empty one all that there is.
    What is private or deleted stays."""

    def refs(store: Store) -> Sequence[str]:
        return store.find(query if query.text.strip() else EVERYTHING).refs()

    many = range(counts.count.value)
    note = _("What is private or deleted stays.")
    if counts.related:
        note = _("Exact hits only. What is private or deleted stays.")
    await screen.export_memories(_("this query"), many, refs, Scope(), note)


def _rank(why: Why, place: int, counts: ResultCounts) -> str:
    if counts.by_meaning and not counts.query.similar:
        return _("{place} nearest in meaning", place=ordinal(place + 1))
    if why.tier == "exact":
        return _("{place} of {hits}", place=ordinal(place + 1), hits=counts.hits)
    rank = ordinal(place + 1 - counts.related_from)
    return _(
        "{place} of {related} related, after {hits}",
        place=rank,
        related=counts.related,
        hits=counts.hits,
    )


def _holds(why: Why, query: Query, corrections: Sequence[Correction]) -> str:
    if query.similar and not query.clauses:
        return _("similar in meaning") if why.parts else _("words that are rare, and in both")
    if why.tier == "exact":
        return _("every term") if len(query.clauses) > 1 else _("the term")
    if corrections:
        return _("what may have been meant ({meant})", meant=meant_for(corrections))
    if not why.terms and why.similarity is not None:
        return _("none of the words: its meaning is near")
    return _("some of the words, or other forms of them: it is related")


def _order(why: Why, counts: ResultCounts) -> str:
    if counts.query.is_by_time:
        if counts.query.sort == "oldest":
            return _("oldest first, as asked: the score doesn't count")
        return _("newest first, as asked: the score doesn't count")
    if counts.by_meaning:
        return _after_pinned(_("the nearest in meaning first"), counts)
    if why.tier == "exact" and any(matched.score is None for matched in why.terms):
        return _("newest first: a term stands only inside words, and such hits are not ranked")
    if why.tier == "exact" and counts.ranked is not None and not why.score:
        return _(
            "not ranked, as only the newest {count} are: the others follow, newest first",
            count=f"{counts.ranked:,}",
        )
    if counts.ranked is None:
        return _after_pinned(_("by score, and of equal ones the newest first"), counts)
    best = _(
        "by score among the newest {count}, and of equal ones the newest first",
        count=f"{counts.ranked:,}",
    )
    return _after_pinned(best, counts)


def _after_pinned(order: str, counts: ResultCounts) -> str:
    is_after = counts.query.sort == "pinned"
    return _("the pinned first, then {order}", order=order) if is_after else order


def _terms(why: Why) -> Iterator[Passage]:
    most = max((matched.score or 0.0 for matched in why.terms), default=0.0)
    if why.terms:
        yield Passage(Content.styled(_("Matched terms"), TITLE), space=1)
    for term in why.terms:
        label = fit(plain(term.term), TERM).plain.rstrip()
        yield Passage(_places(term), label, _part(term.score, most) if most else NO_MARK)
    if why.score and len(why.terms) > 1 and not why.parts:
        yield Passage(Content.styled(_("together"), DIM), "", _score(_together(why)))


def _parts(why: Why) -> Iterator[Passage]:
    """What a hit's score is the sum of, where that is more than its words."""
    if not why.parts:
        return
    title = _("Score, 1 for the best") if why.tier == "related" else _("Score")
    yield Passage(Content.styled(title, TITLE), space=1)
    most = max(part for _, part in why.parts)
    for name, part in why.parts:
        content = _(PARTS[name]) if name in PARTS else ""
        if name == "meaning" and why.similarity is not None:
            content = _(
                "how near it is to what is meant: similarity {similarity}",
                similarity=f"{why.similarity:.2f}",
            )
        yield Passage(Content(content), _(name), _part(part, most))
        if name == "meaning" and why.nearest:
            yield Passage(plain(" ".join(why.nearest.split())), _("passage"), NO_MARK)
    yield Passage(Content.styled(_("together"), DIM), "", _score(why.score))


def _together(why: Why) -> float:
    """The score, as the sum of its parts as they are shown where only their rounding differs from it."""
    shown = [round(matched.score, DIGITS) for matched in why.terms if matched.score is not None]
    is_sum = abs(sum(shown) - why.score) <= (len(shown) + 1) / 2 / 10**DIGITS
    return sum(shown) if is_sum else why.score


def _places(matched: Matched) -> Content:
    if not matched.places:
        return Content.styled(_("in another form"), DIM)
    places = " · ".join(f"{_(column).replace('_', ' ')} {count}" for column, count in matched.places)
    return plain(places) + Content.styled(_(" inside words") if matched.score is None else "", DIM)


def _part(score: float | None, most: float) -> Content:
    """A term's part of the score, in numbers and as a bar beside the largest."""
    if score is None:
        return fit(Content.styled("–".rjust(SCORE), DIM), SCORE + BARS + 4)
    bar = Content.styled("━" * round(BARS * score / most), "$accent")
    return fit(_score(score) + bar, SCORE + BARS + 4)


def _score(score: float) -> Content:
    return Content(f"{score:{SCORE}.{DIGITS}f}  ")
