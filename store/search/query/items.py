"""A query's items: words, phrases, fields, filters, operators and brackets, as they stand in its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ...records.dataclasses import dataclass, replace
from ...text.language.folding import fold
from ...text.late_pattern import late_pattern
from ..chinese.names import FILTER_NAMES, VALUES
from ..index.documents import FIELDS
from .grammar import CLOSING, FILTERS, ITEM, ONE_VALUE, OPENING, OPERATORS, QUOTED, QUOTES

SIMILAR = "similar:"
"""What stands before the id of a memory in `is:similar:276`."""
OF_MEMORY = late_pattern("([^:：]+)[:：](.*)")
"""A state that names a memory, and how that is spelled."""
MAXIMUM_VALUES, LONGEST_VALUE = 64, 4_096
"""What a filter may have: SQLite limits expressions and patterns, and no one types so many."""
IN_QUOTES = late_pattern(QUOTED)
OPERATOR = late_pattern(rf"(?<!\S)(?:{'|'.join(OPERATORS)})(?!\S)")

_folded = lru_cache(maxsize=256)(fold)
"""A term is compared with every candidate: folding it each time would cost as much as the text."""


@dataclass(frozen=True, slots=True)
class Term:
    """A text to be found: folded, in any field or in those of one field name."""

    text: str
    field: str | None = None
    phrase: bool = False
    negated: bool = False
    """Whether a text must not hold it; so only among alternatives."""

    @property
    def folded(self) -> str:
        """The form that is compared."""
        return _folded(self.text)

    @property
    def columns(self) -> frozenset[str] | None:
        """The columns it may stand in; None for all."""
        return FIELDS[self.field] if self.field else None


@dataclass(frozen=True, slots=True)
class Item:
    """`text` is what stands between `start` and `end` but for the minus. Its `values` have no quotes,
    and none is empty. `operator`: it is AND, OR, NOT or a bracket that groups, '' for anything else."""

    text: str
    start: int
    end: int
    negated: bool
    name: str | None
    values: tuple[str, ...]
    quoted: bool
    operator: str = ""

    @property
    def value(self) -> str:
        """The last of its values; '' when it has none."""
        return self.values[-1] if self.values else ""

    @property
    def label(self) -> str:
        """A filter as people read it."""
        return f"{'-' if self.negated else ''}{self.name}:{','.join(self.values)}"

    def with_alternatives(self, others: Sequence[Item], text: str) -> Item | None:
        """Return a filter that the values of others of its name pass too; None where they differ.

        `text` is what stands between its start and the end of the last.
        """
        every = (self, *others)
        values = tuple(dict.fromkeys(value for item in every for value in item.values))
        if self.name not in FILTERS or len(values) > MAXIMUM_VALUES:
            return None
        if any(entry.negated or entry.name != self.name for entry in every):
            return None
        return replace(self, text=text, end=others[-1].end, values=values)

    def without(self, start: int, text: str) -> Item | None:
        """Return a filter with NOT before it, from `start` on; None where it takes no minus."""
        if self.name not in FILTERS | {"is"} or self.value.lower().startswith(SIMILAR):
            return None
        return replace(self, text=text, start=start, negated=not self.negated)


def items(text: str, *, typing: bool = False) -> Iterator[Item]:
    """All of a text, from its beginning, but for the blanks between.

    While someone is `typing`, a bracket that is open yet groups up to the end.
    """
    words = text.split()
    if OPERATORS.isdisjoint(words) and all(map(str.isalnum, words)):
        # To compile the pattern takes as long as many a search.
        yield from _plain_items(text, words)
        return
    groups = brackets(text, typing=typing) if any(item in text for item in OPENING) else {}
    waiting = [
        Item(text[place], place, place + 1, False, None, (), False, operator)
        for place, operator in groups.items()
    ]
    for place in groups:
        text = f"{text[:place]} {text[place + 1 :]}"
    for match in ITEM.finditer(text):
        while waiting and waiting[0].start < match.start():
            yield waiting.pop(0)
        results = match.groupdict()
        minus, name = results["minus"] or "", results["listed"] or results["name"]
        phrase, word = results["phrase"], results["word"]
        if results["listed"]:
            name = canonical_name(name)
            values = [_meant(name, value) for value in re.findall(ONE_VALUE, results["values"])]
        elif phrase:
            values = [phrase[1:-1]]
        else:
            values = [_unquoted(word) if name or len(word) > 1 else word]
        yield Item(
            match.group().removeprefix(minus),
            match.start(),
            match.end(),
            bool(minus),
            name.lower() if name else None,
            tuple(value for value in values if value),
            phrase is not None,
            match.group() if match.group() in OPERATORS else "",
        )
    yield from waiting


def _plain_items(text: str, words: list[str]) -> Iterator[Item]:
    """The items of a text that is nothing but words."""
    end = 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        yield Item(word, start, end, False, None, (word,), False)


def brackets(text: str, *, typing: bool) -> dict[int, str]:
    """Return the brackets that group in a text, as operators by their places; a minus before one is a NOT.

    They stand at a word's edges, in pairs and outside quotes; `f(x)` is a word. While someone is
    `typing`, one that is open yet groups up to the end.
    """
    quoted = {place for match in IN_QUOTES.finditer(text) for place in range(*match.span())}
    results: dict[int, str] = {}
    opened: list[tuple[int, bool]] = []
    for place, sign in enumerate(text):
        if place in quoted:
            continue
        if sign in OPENING:
            before = text[:place].removesuffix("-").removesuffix("－")
            begins = not before or before[-1].isspace() or (len(before) - 1) in _groups(opened)
            opened.append((place, begins))
        elif sign in CLOSING and opened:
            start, begins = opened.pop()
            after = text[place + 1 : place + 2]
            if begins and (not after or after.isspace() or after in CLOSING):
                results |= _pair(text, start, place)
    if typing and opened and opened[-1][1]:
        results |= {start: "(" for start, begins in opened if begins}
    return dict(sorted(results.items()))


def _groups(opened: list[tuple[int, bool]]) -> set[int]:
    return {place for place, begins in opened if begins}


def _pair(text: str, start: int, end: int) -> dict[int, str]:
    minus = text[start - 1 : start] in ("-", "－")
    if not text[start + 1 : end].strip() or (minus and not OPERATOR.search(text[start:end], 1)):
        return {}
    return ({start - 1: "NOT"} if minus else {}) | {start: "(", end: ")"}


def canonical_name(spelling: str) -> str:
    """Return the name that a filter has in English and in lower case."""
    return FILTER_NAMES.get(spelling, spelling.lower())


def _meant(name: str, value: str) -> str:
    """A value as it was written, without quotes; of a known one in Chinese its English name."""
    bare = _unquoted(value)
    if bare != value or name not in VALUES:
        return bare
    if name == "is" and (match := OF_MEMORY.fullmatch(bare)):
        state = VALUES[name].get(match[1], match[1]).lower()
        return f"{SIMILAR}{match[2]}" if f"{state}:" == SIMILAR else bare
    return VALUES[name].get(bare, bare)


def _unquoted(value: str) -> str:
    """A value without its quotes, or without the one that opens and never closes: it may be on its way."""
    if re.fullmatch(QUOTED, value):
        return value[1:-1]
    return value[1:] if value[:1] in QUOTES else value
