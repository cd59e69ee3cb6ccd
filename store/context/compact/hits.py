"""Search lines: a line a hit, of at most 38 tokens, with the id that everything else takes.

The limit is a line's own, so that with fence and closing line ten hits stay under 45 tokens each:
an average would let one long title pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...config import lists_turns
from ...database.transaction import snapshot
from ...platform.errors import InvalidRecordError
from ...records.dataclasses import dataclass, replace
from ...search.listing.rows import reported_wrong
from ...search.listing.teammates import Teammates
from ...text.tokens import token_weight
from ..hints import answer_lines
from .answer import (
    TOOLS,
    Answer,
    CompactEntry,
    Json,
    Wording,
    age,
    one_line,
    start_of,
    within,
    without_nulls,
)

if TYPE_CHECKING:
    from ...records.rows import Hit
    from ...search.hits import Hits
    from ...search.page import Page
    from ...store import Store

LINE = 38.0
"""Tokens of a hit's line at most."""
TITLE, PROJECT, TYPE = 20.0, 6.0, 4.0
ASKED = 8.0
"""Tokens of what was asked in a turn, beside the line."""
ANSWER = 300.0
"""Tokens of what answers a question, below the first hit."""
QUESTION, VERDICT = 20.0, 30.0
"""Tokens of both where fields are answered."""
LEAST_SNIPPET = 5.0
"""Tokens: a shorter passage tells nothing."""
BETWEEN = " | "
PATIENCE = 2.0
"""Seconds after which a search is left at what it has found, and says so; and so many for which the vector
of its query is waited for beside."""
UNTITLED = "(untitled)"
MOST_HITS = 200
MOST_FACETS = 6
FURTHEST = 2_000
"""At so many hits of words no page begins: each makes all before it anew."""


@dataclass(frozen=True, slots=True)
class CompactHit(CompactEntry):
    """A hit of a search, with a passage that says why it is one; of a turn also what was asked in it, where
    that isn't the hit itself, and what came of it."""

    snippet: str = ""
    question: str = ""
    verdict: str = ""
    is_related: bool = False
    answer: tuple[str, ...] = ()
    """Of the first hit of a question, lines that answer it."""

    def line(self, *, with_project: bool) -> str:
        """Return it as a line of at most LINE tokens."""
        head = " ".join([self.id, self.type, *self.marks, f"{age(self.at)}:"])
        snippet = f"{BETWEEN}{self.snippet}" if self.snippet else ""
        tail = f" ({self.project})" if with_project and self.project else ""
        if self.question:
            tail = f" (asked: {within(self.question, ASKED)}){tail}"
        return f"{head} {self.title}{snippet}{tail}"

    def with_snippet(self, passage: str) -> CompactHit:
        """Return it with as much of a passage as its line has room for."""
        content = _beyond(self.title, passage)
        line = replace(self, question="").line(with_project=True)
        room = LINE - token_weight(line) - token_weight(BETWEEN)
        return replace(self, snippet=within(content, room)) if room >= LEAST_SNIPPET else self

    def as_dict(self) -> Json:
        more: Json = {
            "snippet": self.snippet,
            "question": self.question,
            "verdict": self.verdict,
            "related": self.is_related,
            "answer": [*self.answer],
        }
        return CompactEntry.as_dict(self) | without_nulls(more)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactHits(Answer):
    """A page of hits. `notes` are sentences on the query; `facets` by name how the exact hits divide,
    `total` how many those are."""

    hits: tuple[CompactHit, ...]
    notes: tuple[str, ...] = ()
    facets: dict[str, tuple[tuple[str, int], ...]] | None = None
    total: str = ""
    by_meaning: bool = False
    """Whether hits are ordered by meaning alone, whatever words they hold."""

    def lines(self) -> Iterator[str]:
        """Yield the hits, and how they divide."""
        projects = {hit.project for hit in self.hits}
        if len(projects) == 1 and len(self.hits) > 1 and (only := next(iter(projects))):
            yield f"all in {only}:"
        is_related = self.by_meaning
        for hit in self.hits:
            if hit.is_related and not is_related:
                yield "without every word:"
                is_related = True
            yield hit.line(with_project=len(projects) > 1 or len(self.hits) == 1)
            yield from hit.answer
        if self.facets is not None:
            yield f"hits with every word: {self.total}"
            for name, counts in self.facets.items():
                if counts:
                    yield f"{name}: " + ", ".join(f"{value or 'none'} {count}" for value, count in counts)

    @property
    def closing(self) -> str:
        """What was left out, and how to get it."""
        parts = list(self.notes)
        if self.cursor:
            parts.append(f"More: {self.wording.further(self.cursor)}.")
        if self.hits:
            parts.append(
                f"{self.wording.whole()} tells all of one, {self.wording.around()} what was around it."
            )
        elif not parts:
            parts.append("Nothing was found. Fewer or other words may find it.")
        return " ".join(parts)

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        facets = {
            name: [{"value": value, "count": count} for value, count in counts]
            for name, counts in (self.facets or {}).items()
        }
        return {"hits": [hit.as_dict() for hit in self.hits]} | without_nulls(
            {
                "cursor": self.cursor,
                "notes": list(self.notes),
                "facets": facets,
                "total": self.total,
            }
        )


def search_lines(
    store: Store,
    query: str,
    *,
    limit: int = 20,
    cursor: str | None = None,
    facets: bool = False,
    related: bool = True,
    wording: Wording = TOOLS,
    turns: bool | None = None,
) -> CompactHits:
    """Search in the language of `mem search`, best first, and return a page of at most 200 hits.

    With `turns` each turn is one hit, under its best record; None is as the settings say. Of a question
    the first is told with what answers it. `cursor` is that of the page before. With `facets` it is also
    counted how the exact hits divide. Hidden and deleted memories and noise are found only by a query that
    says `is:private`, `is:deleted` or `is:noise`. Nothing in a query raises; a cursor that is none, or too
    far, raises InvalidRecordError.
    """
    start = start_of(cursor)
    limit = max(1, min(limit, MOST_HITS))
    understood = replace(store.parse(query), for_agents=True)
    turns = lists_turns() if turns is None else turns
    if start >= FURTHEST and not understood.is_filter_only:
        raise InvalidRecordError(
            f"Only the best {FURTHEST:,} hits are told in pages. Add a word or a filter to the query."
        )
    found = store.find(understood)
    page = found.page(
        start,
        limit + 1,
        related=related,
        fill=start + limit + 1,
        seconds=PATIENCE,
        patience=PATIENCE,
        turns=turns,
    )
    hits, has_more = page.hits[:limit], len(page.hits) > limit
    with snapshot(store.db):
        teammates = Teammates(store.db)
        authors = teammates.told(hit.row.ref for hit in hits)
        withholds = teammates.withholds
        wrong = reported_wrong(store.db, (hit.row for hit in hits))
    counted, total = _facets(found) if facets else (None, "")
    is_past_the_end = bool(start and not hits)
    notes = _notes(store, query, found, page, is_past_the_end=is_past_the_end, suggests=not withholds)
    told = [compact_hit(hit, is_wrong=hit.row.ref in wrong, author=authors[hit.row.ref]) for hit in hits]
    if understood.is_question and told and not (start or withholds):
        (shown,) = found.excerpts(hits[:1])
        told[0] = replace(told[0], answer=tuple(answer_lines(shown, ANSWER)))
    return CompactHits(
        hits=tuple(told),
        cursor=str(start + limit) if has_more else None,
        notes=tuple(notes),
        facets=counted,
        total=total,
        wording=wording,
        by_meaning=page.by_meaning,
    )


def compact_hit(hit: Hit, *, is_wrong: bool = False, author: str = "") -> CompactHit:
    """Return a hit of a search in the form of a line."""
    row = hit.row
    result = CompactHit(
        row.ref,
        one_line(row.type, TYPE).replace(" ", "-"),
        "",
        row.created_at,
        one_line(row.project, PROJECT),
        is_related=hit.tier == "related",
        is_stale=row.stale,
        state=row.state,
        is_wrong=is_wrong,
        author=author,
    )
    room = LINE - token_weight(result.line(with_project=True))
    if hit.turn is not None:
        question = "" if hit.kind == "prompt" else one_line(hit.turn.question, QUESTION)
        result = replace(result, question=question, verdict=one_line(hit.turn.verdict, VERDICT))
    titled = replace(result, title=one_line(row.title, min(TITLE, room)) or UNTITLED)
    return titled.with_snippet(one_line(hit.snippet.text, LINE))


def _beyond(title: str, snippet: str) -> str:
    """What a passage tells that the title doesn't; "" for nothing."""
    content, bare = title.rstrip("… ").casefold(), snippet.strip("… ").casefold()
    if title == UNTITLED:
        return snippet
    if bare in content:
        return ""
    place = snippet.casefold().find(content)
    if 0 <= place <= 1 and len(snippet.casefold()) == len(snippet):
        rest = snippet[place + len(content) :].lstrip(" .:,;…。，：；")
        return f"…{rest}" if rest else ""
    return snippet


def _notes(
    store: Store, query: str, found: Hits, page: Page, *, is_past_the_end: bool, suggests: bool
) -> Iterable[str]:
    """Sentences on a query. Words and names are suggested of all memories, so only where agents are told of
    all."""
    for remark in store.remarks(query) if suggests else ():
        yield one_line(remark.sentence, 60)
        if remark.query:
            yield f"Did you mean: {one_line(remark.query, 60)}"
            break
    if found.query.unapplied and not suggests:
        from ...search.completion.remarks import ALL_TIMES

        yield one_line(ALL_TIMES, 60)
    if page.trouble:
        yield one_line(page.trouble, 60)
    elif page.by_meaning and found.query.sort == "meaning":
        yield "Nearest in meaning first."
    if page.partial:
        yield "Stopped before everything was looked at: a longer word or a filter makes it faster."
    if page.corrections and suggests:
        meant = page.corrections[0]
        typed = one_line(meant.typed, 20)
        yield f'No memory has the word "{typed}"; meant may be: {one_line(meant.query, 60)}'
    if not page.hits and (sentence := found.left_out()):
        yield one_line(sentence, 60)
    if is_past_the_end:
        yield "There are no more hits."


def _facets(found: Hits) -> tuple[dict[str, tuple[tuple[str, int], ...]], str]:
    facets = found.facets()
    counted = {
        name: tuple((one_line(value, 12), count) for value, count in counts[:MOST_FACETS])
        for name, counts in facets.counts.items()
    }
    return counted, str(facets.total)
