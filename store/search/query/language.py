"""The query language: what a user types, to a Query. Nothing raises; what isn't understood is a word.

The grammar is in docs/query-language.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import islice

from ...kinds import KINDS
from ...records.dataclasses import dataclass, field
from ...text import clean
from ...text.language.folding import fold
from ...text.late_pattern import late_pattern
from ..chinese.names import FILTER_NAMES, VALUES
from ..index.documents import FIELDS, INDEXED_CHARACTERS, SEPARATOR
from .grammar import DATES, FILTERS, ITEM, LETTER, ONE_VALUE, QUOTED, QUOTES

FLAGS = frozenset(
    ("pinned", "private", "deleted", "noise", "superseded", "stale", "reported", "wrong")
)
SORTS = frozenset(("recent", "relevance", "pinned", "meaning"))
KNOWN: dict[str, Mapping[str, str]] = {
    "kind": {name: kind for kind in KINDS.values() for name in (kind, f"{kind}s")}
    | {"summaries": "summary"},
    "is": {flag: flag for flag in FLAGS},
    "sort": {sort: sort for sort in SORTS},
}
"""Names of which every value is known, in lower case, and what it means."""
SIMILAR = "similar:"
"""What stands before the id of a memory in `is:similar:276`."""
OF_MEMORY = late_pattern("([^:：]+)[:：](.*)")
"""A state that names a memory, and how that is spelled."""
SINGLE = DATES | {"sort"}
"""Names that take one value and no minus."""
MAXIMUM_ITEMS = 64
"""Further items of a query are left out: no one types so many, and each costs an index walk."""
LONGEST = INDEXED_CHARACTERS
"""So much of a query is read: of a text no more is searched."""
QUESTION = 4
"""A query of so many words, phrases or fields is a question."""
MAXIMUM_VALUES, LONGEST_VALUE = 64, 4_096
"""What a filter may have: SQLite limits expressions and patterns, and no one types so many."""

_folded = lru_cache(maxsize=256)(fold)
"""A term is compared with every candidate: folding it each time would cost as much as the text."""


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
class SimilarDocuments:
    """The memories that are like another one: documents with their scores, the nearest first.

    `by_meaning`: the scores are cosines of their vectors, else they tell of words that both have.
    `trouble` says in a sentence why there are none, or why words have to tell.
    """

    scored: tuple[tuple[int, float], ...] = ()
    by_meaning: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """What was understood. Every clause has to match by one of its terms; no excluded term may.

    `since` is the first ms and `until` the first that is too late. `chips` are the filters.
    `typing`: it was parsed while someone typed it. `similar` is the ref of a memory whose nearest are
    asked for, `` for none; `neighbours` are these, None until they are looked up.
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
    typing: bool = False
    similar: str = ""
    neighbours: SimilarDocuments | None = None

    @property
    def has_words(self) -> bool:
        """Whether it looks for words, or leaves out what has some."""
        return bool(self.clauses or self.excluded)

    @property
    def is_filter_only(self) -> bool:
        """Whether it lists the newest rather than searching for words, or for what is similar."""
        return not self.has_words and not self.similar

    @property
    def plain_text(self) -> str:
        """What is asked for in words, without filters and signs."""
        return " ".join(term.text for term in self.terms)

    @property
    def is_question(self) -> bool:
        """Whether it has as many words as a question has: of fewer each was chosen."""
        return len(self.clauses) >= QUESTION

    def names_state(self, state: str) -> bool:
        """Return whether it asks for memories in a state, or for those that aren't in it."""
        return state in self.flags or any(
            state in one.values for one in self.filters if one.name == "is"
        )

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms that may be lit."""
        return tuple(term for clause in self.clauses for term in clause)


@dataclass(slots=True)
class _Conditions:
    """What a query's filters come to."""

    now: datetime
    filters: list[Filter] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    since: int | None = None
    until: int | None = None
    sort: str | None = None
    similar: str = ""

    def take(self, item: Item) -> bool:
        """Adds an item if it is a filter; whether it is."""
        name, values = item.name, item.values
        if name == "is" and len(values) == 1 and values[0].lower().startswith(SIMILAR):
            return self._take_similar(item)
        if name in KNOWN:
            values = tuple(KNOWN[name].get(value.lower(), "") for value in values)
        if not all(values) or not 0 < len(values) <= MAXIMUM_VALUES:
            return False
        if name in SINGLE and (item.negated or len(values) > 1):
            return False
        if name in FILTERS or (name == "is" and item.negated):
            if max(map(len, values)) > LONGEST_VALUE:
                return False
            self.filters.append(Filter(name, values, item.negated))
        elif name == "is":
            self.flags.update(values)
        elif name == "sort":
            self.sort = values[0]
        else:
            return name in DATES and self._take_date(name, values[0])
        return True

    def _take_similar(self, item: Item) -> bool:
        ref = item.value[len(SIMILAR) :]
        if item.negated or not ref or len(ref) > LONGEST_VALUE:
            return False
        self.similar = ref
        return True

    def _take_date(self, name: str, value: str) -> bool:
        # Only for a query that has a date: the command line would pay for the import each time.
        from .dates import parse_range

        bounds = parse_range(value, self.now, whole_days=name != "since")
        if bounds is None:
            return False
        first, last = bounds
        if name != "until":
            self.since = first if self.since is None else max(first, self.since)
        if name != "since":
            self.until = last if self.until is None else min(last, self.until)
        return True


def parse(text: str, now: datetime | None = None, *, typing: bool = False) -> Query:
    """Return any text as a query; `now` is the local time, naive, that relative dates count from.

    While someone is `typing`, the last item is left out where it may yet become a filter.
    """
    text = text[:LONGEST]
    source = clean(text).replace(SEPARATOR, " ").rstrip()
    conditions = _Conditions(now or datetime.now())
    clauses: list[list[Term]] = []
    excluded: list[Term] = []
    chips: list[Chip] = []
    after_term = False
    for item in islice(items(source), MAXIMUM_ITEMS):
        is_filter = conditions.take(item)
        if is_filter:
            chips.append(Chip(item.label, text[item.start : item.end], item.start, item.end))
        elif typing and item.end == len(source) and _being_typed(item, after_term=after_term):
            break
        term = None if is_filter else _term(item)
        is_wanted = term is not None and not item.negated
        joined = item.joins and after_term and is_wanted
        if item.joins and not joined:
            # An OR without a term on both sides is a word as any other.
            clauses.append([Term("OR")])
        if term and item.negated:
            excluded.append(term)
        elif term and joined:
            clauses[-1].append(term)
        elif term:
            clauses.append([term])
        after_term = is_wanted
    return Query(
        text,
        tuple(dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in clauses)),
        tuple(dict.fromkeys(excluded)),
        tuple(conditions.filters),
        frozenset(conditions.flags),
        conditions.since,
        conditions.until,
        conditions.sort,
        tuple(chips),
        typing,
        conditions.similar,
    )


def parsed(query: str | Query) -> Query:
    """Return a query, parsed unless it is already."""
    return query if isinstance(query, Query) else parse(query)


def _term(item: Item) -> Term | None:
    """An item as a word or phrase; None when nothing of it can be found in a text."""
    if item.name is None:
        term = Term(item.value, phrase=item.quoted)
    elif item.name in FIELDS and item.values:
        term = Term(item.value, item.name, item.quoted)
    else:
        # No field, so the colon belongs to the word: `C:\x`, `std::move`.
        term = Term(item.text)
    return term if fold(term.text).strip() else None


def _being_typed(item: Item, *, after_term: bool) -> bool:
    """Whether the last item may yet become an alternative, a field or a filter, so that it is no
    word that anything should hold."""
    if item.name in SINGLE and (item.negated or len(item.values) > 1):
        return False
    if item.name in DATES:
        from .dates import may_become

        return may_become(item.value)
    if item.name in KNOWN:
        known = (*KNOWN[item.name], *((SIMILAR,) if item.name == "is" and not item.negated else ()))
        return any(one.startswith(item.value.lower()) for one in known)
    if item.name in FILTERS or item.name in FIELDS:
        return not item.values
    if re.fullmatch(f"[-－]{LETTER}", item.text):
        return True
    return item.text == "OR" and after_term and not item.negated


@dataclass(frozen=True, slots=True)
class Item:
    """`text` is what stands between `start` and `end` but for the minus. Its `values` have no quotes,
    and none is empty. `joins`: an OR stands before it."""

    text: str
    start: int
    end: int
    joins: bool
    negated: bool
    name: str | None
    values: tuple[str, ...]
    quoted: bool

    @property
    def value(self) -> str:
        """The last of its values; '' when it has none."""
        return self.values[-1] if self.values else ""

    @property
    def label(self) -> str:
        """A filter as people read it."""
        return f"{'-' if self.negated else ''}{self.name}:{','.join(self.values)}"


def items(text: str) -> Iterator[Item]:
    """All of a text, from its beginning, but for the blanks between."""
    words = text.split()
    if "OR" not in words and all(map(str.isalnum, words)):
        # To compile the pattern takes as long as many a search.
        yield from _plain_items(text, words)
        return
    for match in ITEM.finditer(text):
        found = match.groupdict()
        joins, minus = found["joins"] or "", found["minus"] or ""
        name = found["listed"] or found["name"]
        phrase, word = found["phrase"], found["word"]
        if found["listed"]:
            name = canonical_name(name)
            values = [_meant(name, value) for value in re.findall(ONE_VALUE, found["values"])]
        elif phrase:
            values = [phrase[1:-1]]
        else:
            values = [_unquoted(word) if name or len(word) > 1 else word]
        yield Item(
            match.group().removeprefix(joins).removeprefix(minus),
            match.start() + len(joins),
            match.end(),
            bool(joins),
            bool(minus),
            name.lower() if name else None,
            tuple(value for value in values if value),
            phrase is not None,
        )


def _plain_items(text: str, words: list[str]) -> Iterator[Item]:
    """The items of a text that is nothing but words."""
    end = 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        yield Item(word, start, end, False, False, None, (word,), False)


def canonical_name(spelling: str) -> str:
    """Return the name that a filter has in English and in lower case."""
    return FILTER_NAMES.get(spelling, spelling.lower())


def filter_text(name: str, value: str) -> str | None:
    """Return the filter that lets only `value` pass; None where the query language can't say it."""
    plain = not re.search(r"[^\w./@+-]", value) and value not in VALUES.get(name, ())
    written = f"{name}:{value}" if plain else f'{name}:"{value}"'
    understood = [chip.label for chip in parse(written).chips]
    return written if understood == [f"{name}:{value}"] else None


def _meant(name: str, value: str) -> str:
    """A value as it was written, without quotes; of a known one in Chinese its English name."""
    bare = _unquoted(value)
    if bare != value or name not in VALUES:
        return bare
    if name == "is" and (found := OF_MEMORY.fullmatch(bare)):
        state = VALUES[name].get(found[1], found[1]).lower()
        return f"{SIMILAR}{found[2]}" if f"{state}:" == SIMILAR else bare
    return VALUES[name].get(bare, bare)


def _unquoted(value: str) -> str:
    """A value without its quotes, or without the one that opens and never closes: it may be on its way."""
    if re.fullmatch(QUOTED, value):
        return value[1:-1]
    return value[1:] if value[:1] in QUOTES else value
