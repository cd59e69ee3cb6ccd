"""How a query that is being typed can be completed at the cursor: by names of filters, and values, or by
the Chinese names of those that have one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from operator import itemgetter
from typing import Any

import apsw

from ...platform.translation import _
from ...records.dataclasses import dataclass, replace
from ...records.kinds import VISIBLE
from ...tables.session_titles import session_titles
from ...text import clean
from ...text.language.folding import fold
from ..query.dates import AMOUNT, TIME_NAMES, parse_range
from ..query.filters import HERE, resolved_value
from ..query.grammar import (
    CHINESE_FILTERS,
    CHINESE_VALUES,
    COLON,
    DATES,
    LISTED,
    ONE_VALUE,
    QUOTED,
    QUOTES,
    SIMILAR,
    Item,
    items,
)
from ..query.language import (
    COUNTING,
    FLAGS,
    FORMS,
    LONGEST,
    MAXIMUM_ITEMS,
    SINGLE,
    Query,
    filter_text,
    parse,
)
from . import values
from .values import BEGINS, HOLDS, FilterValue

MOST = 8
"""How many completions are offered."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What is being typed at the cursor: a value of the filter `name`, or, where that is "", the name of a
    filter. A completion replaces the query from `start` to `end` (characters); `others` are the values
    that the filter has already, and `rest` is the query without it."""

    name: str
    text: str
    start: int
    end: int
    negated: bool = False
    others: tuple[str, ...] = ()
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """One completion: `label` is shown, `text` is typed, `count` is how many memories have it (None where
    that isn't counted, or there was no time), and `note` says what it means."""

    label: str
    text: str
    count: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """At most `MOST` completions of the query from `start` to `end`, the best first.

    `more` is whether others match too; `complete` is false where time ran out before all values were
    looked at. Counts end at `values.COUNTED`.
    """

    name: str
    start: int
    end: int
    items: tuple[Completion, ...]
    more: bool = False
    complete: bool = True

    def taken(self, text: str, item: Completion) -> tuple[str, int]:
        """Return the query with a completion in it, and the place of its cursor."""
        after = text[self.end :]
        typed = item.text
        if self.name and item.text != SIMILAR and not after.strip():
            # The filter is whole: a word comes next.
            typed, after = f"{typed} ", ""
        return text[: self.start] + typed + after, self.start + len(typed)


def typed_at(text: str, cursor: int) -> Typed | None:
    """Return what is being typed at a place of a query; None where nothing can be offered."""
    for item in islice(items(text[:LONGEST]), MAXIMUM_ITEMS):
        if item.start < cursor <= item.end:
            return _value_at(text, item, cursor) if item.name in LISTED else _name_at(item, cursor)
    return None


def completions(db: apsw.Connection, text: str, cursor: int, now: datetime) -> Completions | None:
    """Return how a query can be completed at the cursor; None where nothing is offered.

    It takes some 30 ms at most, 100 more behind words, however many memories there are.
    """
    text = clean(text)
    typed = typed_at(text, cursor)
    if typed is None:
        return None
    offers, complete = _offers(db, typed, parse(typed.rest, now), now)
    if len(offers) == 1 and fold(offers[0].label) == fold(typed.text):
        return None
    shown = tuple(offers[:MOST])
    if not shown:
        return None
    return Completions(typed.name, typed.start, typed.end, shown, len(offers) > MOST, complete)


CHINESE_NAMES = {name: chinese for chinese, name in reversed(CHINESE_FILTERS.items())}
"""The usual Chinese name of each filter: the first, which is the simplified one."""
OF_VALUES = {
    filter: {value: chinese for chinese, value in reversed(known.items())}
    for filter, known in CHINESE_VALUES.items()
}
"""The same of values, by the filter that has them."""


def in_chinese(found: Completions) -> Completions:
    """Return completions with Chinese names where there are any; the English one stands beside it."""
    return replace(found, items=tuple(_named(found.name, item) for item in found.items))


SHORTEST_NAME = 2
"""Letters that a word needs to be taken for the beginning of a filter's name."""
SESSIONS_READ = 2_000
SHORT_ID, SHORTEST_ID = 8, 4
"""Characters of a session's id that a completion types, and those that a beginning needs."""
USUAL_DATES = (
    "today", "yesterday", "this-week", "last-week", "7d", "30d", "this-month", "last-month",
    "3mo", "this-year",
)  # fmt: skip
MEANINGS = {
    "type": _("bugfix, decision …"),
    "project": _("a project's memories"),
    "session": _("one session's"),
    "parent": _("what goes on from a session"),
    "branch": _("a git branch"),
    "commit": _("what a commit comes from"),
    "agent": _("claude-code, codex …"),
    "subagent": _("what a sub-agent did"),
    "kind": _("observation, prompt …"),
    "file": _("a part of a path"),
    "concept": _("a concept"),
    "tag": _("a tag"),
    "tool": _("the tool that was used"),
    "entity": _("what a fact is about"),
    "source": _("where it was imported from"),
    "machine": _("where it was made"),
    "author": _("who shared it"),
    "team": _("what the team has"),
    "told": _("how often agents were told"),
    "since": _("from a date on"),
    "until": _("up to a date"),
    "on": _("on one day"),
    "is": _("a state"),
    "sort": _("the order"),
    "recent": _("newest first"),
    "oldest": _("oldest first"),
    "relevance": _("best first"),
    "pinned": _("pinned first"),
    "meaning": _("nearest in meaning first"),
    SIMILAR: _("like a memory, by its id"),
}
ORDERS = ("relevance", "recent", "oldest", "pinned", "meaning", "told")
"""What the names of filters and the orders mean, in a few words; the orders as they are offered."""


def _name_at(item: Item, cursor: int) -> Typed | None:
    word = item.text
    if item.name or item.quoted or cursor != item.end or len(word) < SHORTEST_NAME:
        return None
    if not (word.isalpha() and any(_names(word, negated=item.negated))):
        return None
    return Typed("", word, item.end - len(word), item.end, item.negated)


def _names(word: str, *, negated: bool) -> Iterator[str]:
    """Yield the names of filters that begin with a word. A whole English name isn't offered, as it may be
    a plain word; a whole Chinese one is, since input methods type it at once."""
    fit = sorted(LISTED - SINGLE) if negated else sorted(LISTED)
    if word.isascii():
        yield from (name for name in fit if name.startswith(word.lower()) and name != word.lower())
    else:
        yield from (name for name in CHINESE_FILTERS if name.startswith(word))


def _value_at(text: str, item: Item, cursor: int) -> Typed | None:
    name = item.name or ""
    if name in SINGLE and item.negated:
        return None
    colon = re.compile(COLON).search(text, item.start)
    if colon is None or cursor < colon.end():
        return None
    start = end = cursor
    others = []
    for match in re.compile(ONE_VALUE).finditer(text, colon.end(), item.end):
        if match.start() <= cursor <= match.end():
            start, end = match.span()
        else:
            others.append(match.group().strip(QUOTES))
    if re.fullmatch(QUOTED, text[start:end]) and cursor == end:
        return None
    return Typed(name, text[start:cursor].lstrip(QUOTES), start, end, item.negated, tuple(others),
                 text[: item.start] + text[item.end :])  # fmt: skip


def _offers(
    db: apsw.Connection, typed: Typed, query: Query, now: datetime
) -> tuple[list[Completion], bool]:
    name = typed.name
    if not name:
        names = _names(typed.text, negated=typed.negated)
        offers = [
            Completion(f"{text}:", f"{text}:", note=MEANINGS[CHINESE_FILTERS.get(text, text)])
            for text in names
        ]
        return offers, True
    if name in DATES:
        return list(_dates(typed.text, now)), True
    if name == "sort":
        return [_known(name, word) for word in ORDERS if word.startswith(typed.text.lower())], True
    if name in FORMS:
        offered = ("0", ">0", ">5", "1..5") if name in COUNTING else ()
        return [Completion(text, text) for text in offered if text.startswith(typed.text)], True
    if name == "is":
        return _states(db, typed, query)
    if name in ("session", "parent"):
        return _sessions(db, name, typed.text), True
    found_values = values.matching(db, name, typed.text, query, limit=MOST + 1, exclude=typed.others)
    written = (completion for value in found_values.values for completion in _written(name, value))
    here = _here(db, query) if name == "project" and typed.text in ("", HERE) else ()
    offers = list(islice((*here, *written), MOST + 1))
    return offers, found_values.complete


def _here(db: apsw.Connection, query: Query) -> tuple[Completion, ...]:
    """Return what stands for the project of the current directory, if that has any memory."""
    if not values.exists(db, "project", HERE, query):
        return ()
    return (Completion(HERE, HERE, note=f"here: {resolved_value(db, 'project', HERE)}"),)


def _written(name: str, value: FilterValue) -> Iterator[Completion]:
    """Yield the completion of a value, unless the query language can't say it."""
    text = filter_text(name, value.text)
    if text is not None:
        yield Completion(value.text, text.removeprefix(f"{name}:"), value.count)


def _known(name: str, value: str) -> Completion:
    return Completion(value, value, note=MEANINGS.get(value, "") if name == "sort" else "")


def _states(db: apsw.Connection, typed: Typed, query: Query) -> tuple[list[Completion], bool]:
    """Return the states that begin so, also those that no memory is in, and whether all were counted."""
    fit = [text for text in sorted(FLAGS) if text.startswith(typed.text.lower())]
    counts = values.counted_states(db, [name for name in fit if name not in typed.others], query)
    offers = [Completion(word, word, counts.get(word)) for word in fit if word not in typed.others]
    are_counted = len(counts) == len(offers)
    if SIMILAR.startswith(typed.text.lower()) and not (typed.negated or typed.others):
        offers.append(Completion(SIMILAR, SIMILAR, note=MEANINGS[SIMILAR]))
    return offers, are_counted


def _dates(typed: str, now: datetime) -> Iterator[Completion]:
    """Yield the names of dates and the amounts that begin so, each with the day that it means."""
    number = re.fullmatch(r"\d{1,3}", typed)
    amounts = [f"{typed}{unit}" for unit in ("d", "w", "mo", "h")] if number else []
    names = (
        [*USUAL_DATES, *(name for name in TIME_NAMES if name not in USUAL_DATES)] if typed else USUAL_DATES
    )
    for name in dict.fromkeys([*amounts, *names]):
        bounds = parse_range(name, now, whole_days=True)
        if name.startswith(fold(typed).replace(" ", "-")) and bounds is not None:
            day = datetime.fromtimestamp(bounds[0] / 1000)
            format = "%Y-%m-%d %H:%M" if AMOUNT.fullmatch(name) and name.endswith("h") else "%Y-%m-%d"
            yield Completion(name, name, note=day.strftime(format))


def _sessions(db: apsw.Connection, name: str, typed: str) -> list[Completion]:
    """Return the newest sessions whose ids begin so, or whose projects or titles hold it."""
    sql = (
        "SELECT s.id, content_session_id, project FROM sessions s "
        f"WHERE {VISIBLE} AND EXISTS (SELECT 1 FROM documents WHERE session_id = s.id) "
        "ORDER BY started_at DESC LIMIT ?"
    )
    sessions: list[Any] = db.execute(sql, (SESSIONS_READ,)).fetchall()
    titles = session_titles(db, [number for number, _, _ in sessions])
    rows = [
        (f"@{number}", str(native), str(project), titles[number]) for number, native, project in sessions
    ]
    heads = Counter(native[:SHORT_ID] for _, native, _, _ in rows)
    results: list[tuple[int, Completion]] = []
    for number, native, project, title in rows:
        head = native[:SHORT_ID]
        begins = fold(number if typed[:1] == "@" else native).startswith(fold(typed))
        if not begins and fold(typed) not in fold(f"{project} {title}"):
            continue
        value = number if typed[:1] == "@" or heads[head] > 1 or len(head) < SHORTEST_ID else head
        if text := filter_text(name, value):
            note = " · ".join(filter(None, (project, title)))
            results.append(
                (BEGINS if begins else HOLDS, Completion(value, text[len(name) + 1 :], note=note))
            )
    results.sort(key=itemgetter(0))
    return [completion for _, completion in results]


def _named(filter: str, item: Completion) -> Completion:
    if not filter:
        name = item.label.removesuffix(":")
        chinese = CHINESE_NAMES.get(name)
        return item if chinese is None else _called(item, f"{chinese}:", item.label)
    chinese = OF_VALUES.get(filter, {}).get(item.text)
    return item if chinese is None else _called(item, chinese, item.label)


def _called(item: Completion, chinese: str, english: str) -> Completion:
    note = " · ".join(filter(None, (english, item.note)))
    return replace(item, label=chinese, text=chinese, note=note)
