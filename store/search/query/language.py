"""The query language: what a user types, to a Query. Nothing raises; what isn't understood is a word.

The grammar is in docs/query-language.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice

from ...records.dataclasses import dataclass, field, replace
from ...records.kinds import KINDS
from ...text import clean
from ...text.language.folding import fold
from ...text.language.scripts import has_unspaced
from ..index.documents import FIELDS, INDEXED_CHARACTERS, SEPARATOR
from .grammar import (
    CHINESE_VALUES,
    CODE,
    DATES,
    FILTERS,
    LETTER,
    LONGEST_VALUE,
    MAXIMUM_VALUES,
    OPERATORS,
    SIMILAR,
    Item,
    items,
    may_name_a_time,
)
from .grammar import Term as Term
from .operators import Expression, as_word, joined
from .operators import clauses as clauses_of

FLAGS = frozenset(
    "pinned private deleted noise superseded stale reported wrong broken automatic pending".split()
)
SORTS = frozenset(("recent", "oldest", "relevance", "pinned", "meaning", "told"))
BY_TIME = ("recent", "oldest")
AMOUNT = re.compile(r"([<>]?=?|=[<=>])([0-9]{1,9})[x×]?|([0-9]{0,9})\.\.([0-9]{0,9})")
SIGNS = str.maketrans("＞＜＝０１２３４５６７８９＋", "><=0123456789+") | str.maketrans(
    {"≥": ">=", "≤": "<=", "…": ".."}
)
SPANS = re.compile(r"(?<=[0-9])(?:[-–](?=[0-9])|\+$)")
"""What stands for the two points of a span of numbers: 3-5, 3+."""
MOST = 10**9
COUNTING = frozenset(("told",))
"""The filters of which every value is one."""
KNOWN: dict[str, Mapping[str, str]] = {
    "kind": {name: kind for kind in KINDS.values() for name in (kind, f"{kind}s")}
    | {"summaries": "summary"},
    "is": {flag: flag for flag in FLAGS},
    "sort": {sort: sort for sort in SORTS},
}
"""Names of which every value is known, in lower case, and what it means."""
SINGLE = DATES | {"sort"}
"""Names that take one value and no minus."""
MAXIMUM_ITEMS = 64
"""Further items of a query are left out: no one types so many, and each costs an index walk."""
LONGEST = INDEXED_CHARACTERS
"""So much of a query is read: of a text no more is searched."""
PLACES = frozenset(("project", "session", "parent", "branch", "commit", "source"))
"""The filters that say where something is from."""
QUESTION = 4
"""A query of so many words, phrases or fields is a question."""
LONGEST_QUESTION = 24
"""Nobody asks in more items: what has more was pasted."""


def amounts(value: str) -> range:
    """Return the numbers that a value of a filter that counts means: `0`, `=1`, `>5`, `<=3`, `0..2`, `3+`;
    none where it means no number."""
    match = AMOUNT.fullmatch(SPANS.sub("..", value.translate(SIGNS)))
    if match is None or value == "..":
        return range(0)
    sign, number, first, last = match.groups()
    if number is None:
        return range(int(first or 0), int(last or MOST) + 1)
    amount = int(number)
    lowest = 0 if "<" in sign else amount + (sign == ">")
    return range(lowest, MOST + 1 if ">" in sign else amount + (sign != "<"))


FORMS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(COUNTING, amounts),
    "commit": re.compile(r"[0-9a-fA-F]{4,40}").fullmatch,
}
"""By the name of a filter, what is true of its values; others are words."""


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

    `since` is the first ms and `until` the first that is too late. `chips` are the filters, `expressions`
    what is joined by operators.
    `typing`: it was parsed while someone typed it. `similar` is the ref of a memory whose nearest are
    asked for, `` for none; `neighbours` are these, None until they are looked up. `for_agents`: what
    teammates shared is left out where agents are to be told nothing of it. `named_time` are the words of a
    question that name a time and are a filter unless what is searched says otherwise, None once that is
    known; `unapplied` is their text where they are none.
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
    expressions: tuple[Chip, ...] = ()
    for_agents: bool = False
    named_time: Chip | None = None
    unapplied: str = ""

    @property
    def has_words(self) -> bool:
        """Whether it looks for words, or leaves out what has some."""
        return bool(self.clauses or self.excluded)

    @property
    def is_filter_only(self) -> bool:
        """Whether it lists the newest rather than searching for words, or for what is similar."""
        return not self.has_words and not self.similar

    @property
    def is_by_time(self) -> bool:
        """Whether its hits come in the order of their time, whatever they score."""
        return self.sort in BY_TIME

    @property
    def plain_text(self) -> str:
        """What is asked for in words, without filters and signs."""
        return " ".join(term.text for term in self.terms)

    @property
    def is_question(self) -> bool:
        """Whether it has as many words as a question has: of fewer each was chosen, as with operators."""
        of_time = sum(len(chip.text.split()) for chip in self.chips if ":" not in chip.text)
        return len(self.clauses) + of_time >= QUESTION and not self.expressions

    @property
    def asks_how_often(self) -> bool:
        """Whether it asks how often memories were told, so that lists say it."""
        return self.sort == "told" or any(item.name in COUNTING for item in self.filters)

    @property
    def is_by_relevance(self) -> bool:
        """Whether its hits come in the order of how well they answer."""
        return self.sort in (None, "relevance")

    @property
    def is_plain(self) -> bool:
        """Whether it is of plain words alone: no phrase, field or negation has to hold as it stands."""
        return not any(term.phrase or term.field or term.negated for term in self.terms)

    @property
    def names_place(self) -> bool:
        """Whether it says where its memories are from, or asks for what is like one of them."""
        return bool(self.similar) or any(item.name in PLACES for item in self.filters)

    def names_state(self, state: str) -> bool:
        """Return whether it asks for memories in a state, or for those that aren't in it."""
        return state in self.flags or any(
            state in item.values for item in self.filters if item.name == "is"
        )

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms that were typed and that a text may hold."""
        return tuple(term for term in self.lit if not term.in_other_characters)

    @property
    def lit(self) -> tuple[Term, ...]:
        """All terms that may be lit."""
        return tuple(term for clause in self.clauses for term in clause if not term.negated)

    @property
    def has_other_characters(self) -> bool:
        """Whether what was typed in Chinese is looked for in other characters too."""
        return len(self.lit) > len(self.terms)

    @property
    def as_typed(self) -> Query:
        """It without terms in other characters."""
        return self.with_other_characters(lambda _: False)

    def with_other_characters(self, are_wanted: Callable[[Term], bool]) -> Query:
        """Return it with those terms in other characters that are wanted, and with all that were typed."""

        def chosen(terms: tuple[Term, ...]) -> tuple[Term, ...]:
            return tuple(term for term in terms if not term.in_other_characters or are_wanted(term))

        return replace(self, clauses=tuple(map(chosen, self.clauses)), excluded=chosen(self.excluded))

    @property
    def without_time(self) -> Query:
        """It with the words that name a time as words like others."""
        query, named = parse(self.text, typing=self.typing, applies_time=False), self.named_time
        return replace(query, for_agents=self.for_agents, unapplied=named.text if named else "")

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of its text that are no filters."""
        return tuple(items(_blanked(self.text, self.chips), typing=self.typing))


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
        if name in FORMS and not all(map(FORMS[name], values)):
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
        from .dates import named_range

        bounds = named_range(value, self.now, whole_days=name != "since")
        if bounds is None:
            return False
        first, last = bounds
        if name != "until":
            self.since = first if self.since is None else max(first, self.since)
        if name != "since":
            self.until = last if self.until is None else min(last, self.until)
        return True


def parse(
    text: str, now: datetime | None = None, *, typing: bool = False, applies_time: bool = True
) -> Query:
    """Return any text as a query; `now` is the local time, naive, that relative dates count from.

    While someone is `typing`, the last item is left out where it may yet become a filter. With
    `applies_time` the words of a question that name a time are a filter.
    """
    text = text[:LONGEST]
    source = clean(text).replace(SEPARATOR, " ").rstrip()
    now = now or datetime.now()
    meant = _time_of_question(source, now, typing=typing) if applies_time else None
    if meant is not None:
        source = _blanked(source, [meant])
    tokens: list[Expression] = []
    for item in islice(items(source, typing=typing), MAXIMUM_ITEMS):
        is_filter = not item.operator and _Conditions(now).take(item)
        after_term = bool(tokens) and not tokens[-1].is_filter
        if typing and not is_filter and item.end == len(source) and _being_typed(item, after_term):
            break
        term = None if is_filter or item.operator else _term(item)
        if is_filter or term or item.operator:
            tokens.append(
                Expression(item.operator, (), item.start, item.end, None if item.operator else item, term)
            )
    whole = joined(tokens, text)
    words = whole.without_filters()
    clauses = _clauses(words)
    if clauses is None:
        whole = joined([as_word(token) for token in tokens if token.operator not in ("(", ")")], text)
        words = whole.without_filters()
        clauses = _clauses(words) or ()
    conditions = _Conditions(now)
    chips = []
    for item in whole.filters:
        conditions.take(item)
        chips.append(Chip(item.label, text[item.start : item.end], item.start, item.end))
    if meant is not None:
        conditions.take(next(items(meant.label)))
        chips = sorted([*chips, meant], key=lambda chip: chip.start)
    parts = whole.parts if whole.apart else (whole,)
    sought = tuple(clause for clause in clauses if len(clause) > 1 or not clause[0].negated)
    excluded = tuple(
        replace(clause[0], negated=False) for clause in clauses if len(clause) == 1 and clause[0].negated
    )
    if has_unspaced(source):
        sought = tuple(map(_in_all_characters, sought))
        excluded = _in_all_characters(excluded)
    return Query(
        text,
        sought,
        excluded,
        tuple(conditions.filters),
        frozenset(conditions.flags),
        conditions.since,
        conditions.until,
        conditions.sort,
        tuple(chips),
        typing,
        conditions.similar,
        expressions=tuple(_expressions(parts, text)),
        named_time=meant,
    )


def _blanked(text: str, chips: Iterable[Chip]) -> str:
    """Return a text with blanks in the place of some parts."""
    for chip in chips:
        text = text[: chip.start] + " " * (chip.end - chip.start) + text[chip.end :]
    return text


def _time_of_question(text: str, now: datetime, *, typing: bool) -> Chip | None:
    """The words of a plain question that name a time, as the filter that they mean; None where there are
    none. In quotes, in code and beside operators and dates they are words like others."""
    if "\n" in text.strip() or not may_name_a_time(text):
        return None
    every = [*islice(items(text, typing=typing), LONGEST_QUESTION + 1)]
    if any(item.operator or item.name in DATES or CODE.search(item.text) for item in every):
        return None
    # Only now: the calendar takes longer to import than most searches take.
    from .dates import time_in

    words = time_in(every, now)
    if words is None or len(every) > LONGEST_QUESTION:
        return None
    end = words.end + len(text[words.end :]) - len(text[words.end :].lstrip("?!.,？！。，"))
    rest = [item for item in items(text[: words.start] + " " + text[end:]) if item.name is None]
    named = text[words.start : end]
    is_word = named.isascii() and " " not in named.strip()
    if not rest or (is_word and len(rest) + 1 < QUESTION):
        return None
    return Chip(words.filter, named, words.start, end)


def _clauses(words: Expression | None) -> tuple[tuple[Term, ...], ...] | None:
    """The clauses that have to match; None for too many."""
    results = clauses_of(words) if words else ()
    if results is None:
        return None
    return tuple(
        tuple(replace(term, negated=True) if negated else term for term, negated in clause)
        for clause in results
    )


def _in_all_characters(clause: tuple[Term, ...]) -> tuple[Term, ...]:
    """A clause's terms, and those in Chinese also in other characters, but what is in quotes."""
    # Only for a query in Chinese: it reads a table.
    from ...text.language.han_forms import other_forms

    others = (
        replace(term, text=form, in_other_characters=True)
        for term in clause
        if not term.phrase and not term.negated
        for form in other_forms(term.text)
    )
    return (*clause, *others)


def _expressions(parts: Iterable[Expression], text: str) -> Iterator[Chip]:
    """Yield what operators join, each as one."""
    for part in parts:
        words = part.without_filters()
        if words is not None and words.is_joined:
            yield Chip(words.label(), text[part.start : part.end], part.start, part.end)


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


def _being_typed(item: Item, after_term: bool) -> bool:
    """Whether the last item may yet become an alternative, a field or a filter, so that it is no
    word that anything should hold."""
    if item.name in SINGLE and (item.negated or len(item.values) > 1):
        return False
    if item.name in DATES:
        from .dates import may_become

        return may_become(item.value)
    if item.name in KNOWN:
        known = (*KNOWN[item.name], *((SIMILAR,) if item.name == "is" and not item.negated else ()))
        return any(entry.startswith(item.value.lower()) for entry in known)
    if item.name in FILTERS or item.name in FIELDS:
        return not item.values
    if re.fullmatch(f"[-－]{LETTER}", item.text):
        return True
    return item.operator == "NOT" or (item.operator in OPERATORS and after_term)


def filter_text(name: str, value: str) -> str | None:
    """Return the filter that lets only `value` pass; None where the query language can't say it."""
    plain = not re.search(r"[^\w./@+-]", value) and value not in CHINESE_VALUES.get(name, ())
    written = f"{name}:{value}" if plain else f'{name}:"{value}"'
    understood = [chip.label for chip in parse(written).chips]
    return written if understood == [f"{name}:{value}"] else None


def as_plain_words(query: Query) -> Query | None:
    """Return a query with its phrases and what a minus excludes as plain words, under the same filters;
    None where it reads as if it was typed.

    Typed is what has few words, or a field, or nothing but phrases, and a minus before or behind all
    plain words: that one still excludes.
    """
    if any(term.field for term in (*query.terms, *query.excluded)):
        return None
    parts = [item for item in query.items if item.operator not in ("(", ")")]
    plain = [place for place, item in enumerate(parts) if not (item.quoted or item.negated)]
    if not plain:
        return None
    excluding = {
        place for place, item in enumerate(parts) if item.negated and not plain[0] < place < plain[-1]
    }
    if not any(item.quoted or item.negated for place, item in enumerate(parts) if place not in excluding):
        return None
    kept = [item for place, item in enumerate(parts) if place not in excluding]
    words = dict.fromkeys(
        word for item in kept for word in (item.value if item.quoted else item.text).split()
    )
    if len(words) < QUESTION:
        return None
    excluded = tuple(Term(parts[place].value, phrase=parts[place].quoted) for place in sorted(excluding))
    return replace(query, clauses=tuple((Term(word),) for word in words), excluded=excluded)
