"""The query language: what a user types, to a Query. Nothing raises; what isn't understood is a word.

query   = item { space item }        every item has to match
item    = clause | filter
clause  = term { " OR " term }
term    = ["-"] [field ":"] ( word | '"' phrase '"' )
filter  = ["-"] name ":" value { "," value }
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

from ..privacy import clean
from .dates import parse_range
from .documents import FIELDS, KINDS, SEPARATOR
from .folding import fold

FILTERS = frozenset(
    ("type", "project", "session", "agent", "kind", "file", "concept", "tag", "tool", "entity")
)
DATES = frozenset(("since", "until", "on"))
FLAGS = frozenset(("pinned", "private", "deleted"))
SORTS = frozenset(("recent", "relevance"))
VALUES = {
    "kind": frozenset(KINDS.values()),
    "is": FLAGS,
    "sort": SORTS,
    **dict.fromkeys(DATES, frozenset(("today", "yesterday"))),
}
"""Names whose values are known, so that one still being typed can be told from a word."""
MAXIMUM_ITEMS = 64
"""Further items of a query are left out: no one types so many, and each costs an index walk."""

_folded = lru_cache(maxsize=256)(fold)
"""A term is compared with every candidate: folding it each time would cost as much as the text."""

ITEM = re.compile(r'(-(?=[\w"]))?(?:(\w+):)?(?:"([^"]*)"|(\S+))')


@dataclass(frozen=True, slots=True)
class Term:
    """A text to be found: folded, in any field or in those of one field name."""

    text: str
    field: str | None = None
    phrase: bool = False

    @property
    def folded(self) -> str:
        """The form that is compared."""
        return _folded(self.text)

    @property
    def columns(self) -> frozenset[str] | None:
        """The columns it may stand in; None for all."""
        return FIELDS[self.field] if self.field else None


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on a record's properties; any of the values will do, or none when negated."""

    name: str
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Chip:
    """A part of the query as it was understood: `label` for people, and where it stands in the text."""

    label: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """What was understood. Every clause has to match by one of its terms; no excluded term may.

    `since` is the first ms and `until` the first that is too late. `chips` are the filters.
    """

    text: str = ""
    clauses: tuple[tuple[Term, ...], ...] = ()
    excluded: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()
    flags: frozenset[str] = frozenset()
    since: int | None = None
    until: int | None = None
    sort: str | None = None
    chips: tuple[Chip, ...] = ()

    @property
    def is_filter_only(self) -> bool:
        """Whether it lists the newest rather than searching for words."""
        return not self.clauses and not self.excluded

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms that may be lit."""
        return tuple(term for clause in self.clauses for term in clause)


@dataclass(slots=True)
class _Draft:
    clauses: list[list[Term]] = field(default_factory=list)
    excluded: list[Term] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    since: int | None = None
    until: int | None = None
    sort: str | None = None
    chips: list[Chip] = field(default_factory=list)


def parse(text: str, now: datetime | None = None) -> Query:
    """Any text as a query; `now` is the local time, naive, that relative dates count from."""
    moment = now or datetime.now()
    source = clean(text).replace(SEPARATOR, " ")
    draft = _Draft()
    join = False
    for count, match in enumerate(ITEM.finditer(source)):
        if count >= MAXIMUM_ITEMS:
            break
        minus, name = match[1], match[2]
        if match.group() == "OR" and draft.clauses:
            join = True
            continue
        if name and _take_filter(draft, match, moment):
            draft.chips.append(Chip(match.group(), match.group(), match.start(), match.end()))
            continue
        if _being_typed(match, at_end=match.end() == len(source)):
            continue
        term = _term(match)
        if term is None:
            continue
        if minus:
            draft.excluded.append(term)
        elif join:
            draft.clauses[-1].append(term)
        else:
            draft.clauses.append([term])
        join = False
    return Query(
        text,
        tuple(tuple(clause) for clause in draft.clauses),
        tuple(draft.excluded),
        tuple(draft.filters),
        frozenset(draft.flags),
        draft.since,
        draft.until,
        draft.sort,
        tuple(draft.chips),
    )


def understood(query: str | Query) -> Query:
    """A query, parsed unless it is already."""
    return query if isinstance(query, Query) else parse(query)


def _term(match: re.Match[str]) -> Term | None:
    minus, name, phrase, bare = match.groups()
    if name and name.lower() not in FIELDS:
        # Not a field either, so the colon belongs to the word: `C:\x`, `std::move`.
        text = match.group().removeprefix(minus or "")
        return Term(text) if fold(text) else None
    text = phrase if phrase is not None else bare
    if phrase is None and len(text) > 1:
        # A quote that never closes is still being typed.
        text = text.removeprefix('"')
    if not fold(text).strip():
        return None
    return Term(text, name.lower() if name else None, phrase is not None)


def _take_filter(draft: _Draft, match: re.Match[str], now: datetime) -> bool:
    minus, name, phrase, bare = match.groups()
    name = name.lower()
    values = (phrase,) if phrase else tuple((bare or "").removeprefix('"').split(","))
    values = tuple(value for value in values if value)
    if name in VALUES:
        values = tuple(value.lower() for value in values)
    if not values:
        return False
    if name in FILTERS:
        if name == "kind":
            values = tuple(value.removesuffix("s") for value in values)
            if not set(values) <= VALUES[name]:
                return False
        draft.filters.append(Filter(name, values, bool(minus)))
        return True
    if minus:
        return False
    if name in DATES and (bounds := parse_range(values[0], now)):
        if name in ("since", "on"):
            draft.since = bounds[0]
        if name in ("until", "on"):
            draft.until = bounds[1]
        return True
    if name == "is" and set(values) <= FLAGS:
        draft.flags.update(values)
        return True
    if name == "sort" and values[0] in SORTS:
        draft.sort = values[0]
        return True
    return False


def _being_typed(match: re.Match[str], *, at_end: bool) -> bool:
    """Whether this is a filter or field without its value, or the query's end and the beginning of
    a value that it may have: no word that anything should hold."""
    name, colon, value = match.group().removeprefix("-").lower().partition(":")
    value = value.replace('"', "")
    if not colon or name not in FILTERS | FIELDS.keys() | VALUES.keys():
        return False
    last = value.rpartition(",")[2]
    begun = any(known.startswith(last) for known in VALUES.get(name, ()))
    return not value.strip(",") or (at_end and (begun or (name in DATES and last[0].isdigit())))
