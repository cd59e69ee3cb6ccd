"""AND, OR, NOT and brackets: which items of a query they join, as clauses of which each has to match.

NOT binds closest, then AND, then OR, and a space between two of these least: `lock NOT redis OR queue
slow` is (lock without redis, or queue) with slow. An operator without something on its sides is a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ...records.dataclasses import dataclass
from .grammar import Item, Term

MAXIMUM_CLAUSES = 64
"""Where brackets multiply to more clauses, operators are words: each clause costs an index walk."""
Literal = tuple[Term, bool]
"""A term, and whether it must not stand in a text."""
Clause = tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Expression:
    """Items joined by an operator, or one item: `term` is what it looks for, None where it is a filter.

    It stands between `start` and `end` in the text; with `apart` a blank joins its parts.
    """

    operator: str
    parts: tuple[Expression, ...]
    start: int
    end: int
    item: Item | None = None
    term: Term | None = None
    apart: bool = False

    @property
    def is_filter(self) -> bool:
        """Whether it is one item that looks at a property."""
        return self.item is not None and self.term is None

    @property
    def has_filters(self) -> bool:
        """Whether a filter stands anywhere in it."""
        return self.is_filter or any(part.has_filters for part in self.parts)

    @property
    def filters(self) -> Iterator[Item]:
        """The filters in it, in their order."""
        if self.item is not None and self.is_filter:
            yield self.item
        for part in self.parts:
            yield from part.filters

    def without_filters(self) -> Expression | None:
        """Return what is left of it without its filters, which narrow the whole query; None for nothing."""
        if not self.has_filters:
            return self
        left = [part for expression in self.parts if (part := expression.without_filters())]
        if len(left) < 2:
            return left[0] if left else None
        return Expression(self.operator, tuple(left), self.start, self.end, apart=self.apart)

    @property
    def is_joined(self) -> bool:
        """Whether operators stand in it."""
        named = bool(self.operator) and not self.apart
        return named or any(part.is_joined for part in self.parts)

    def label(self, *, within: bool = False) -> str:
        """Return it as people read it, in brackets where it stands `within` another and needs them."""
        if self.item is not None:
            return ("-" if self.item.negated else "") + self.item.text
        if self.operator == "NOT":
            return f"NOT {self.parts[0].label(within=True)}"
        between = " " if self.apart else f" {self.operator} "
        said = between.join(part.label(within=True) for part in self.parts)
        said = said.replace(" AND NOT ", " NOT ")
        return f"({said})" if within else said


def joined(tokens: Sequence[Expression], text: str) -> Expression:
    """Return the items, operators and brackets of a text, each an expression, as one."""
    return _Reader(tokens, text).sequence()


def clauses(expression: Expression, *, negated: bool = False) -> tuple[Clause, ...] | None:
    """Return the clauses that have to match, each by one of its literals; None for too many of them.

    The expression has no filters.
    """
    if expression.term is not None and expression.item is not None:
        return (((expression.term, negated != expression.item.negated),),)
    if expression.operator == "NOT":
        return clauses(expression.parts[0], negated=not negated)
    each = [clauses(part, negated=negated) for part in expression.parts]
    known = [item for item in each if item is not None]
    if len(known) < len(each):
        return None
    if (expression.operator == "AND") != negated:
        return _least([clause for entry in known for clause in entry])
    results: tuple[Clause, ...] = ((),)
    for one in known:
        if len(results) * len(one) > MAXIMUM_CLAUSES**2:
            return None
        multiplied = _least([before + after for before, after in product(results, one)])
        if multiplied is None:
            return None
        results = multiplied
    return results


def _least(found: list[Clause]) -> tuple[Clause, ...] | None:
    """Return clauses without those that say nothing, or no more than another one does."""
    wanted = dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in found)
    telling = [
        clause for clause in wanted if not any((term, not negated) in clause for term, negated in clause)
    ]
    least = tuple(
        clause
        for clause in telling
        if len(clause) == 1 or not any(set(other) < set(clause) for other in telling)
    )
    return least if len(least) <= MAXIMUM_CLAUSES else None


class _Reader:
    """Reads tokens in their order; each function one expression, from where the one before ended."""

    def __init__(self, tokens: Sequence[Expression], text: str) -> None:
        self._tokens = tokens
        self._text = text
        self._place = 0

    def sequence(self) -> Expression:
        """What blanks join, up to the end or a bracket that closes."""
        parts = []
        while self._next not in ("", ")") or self._starts_operand(self._place):
            parts.append(self._alternatives())
        return _all(parts, apart=True)

    @property
    def _next(self) -> str:
        """The operator that stands next, '' for none."""
        return self._operator(self._place)

    def _operator(self, place: int) -> str:
        return self._tokens[place].operator if place < len(self._tokens) else ""

    def _starts_operand(self, place: int) -> bool:
        operator = self._operator(place)
        if operator == "NOT":
            return self._starts_operand(place + 1)
        return place < len(self._tokens) and operator in ("", "(")

    def _alternatives(self) -> Expression:
        parts = [self._conjunction()]
        while self._joins("OR", parts[-1]):
            self._place += 1
            parts.append(self._conjunction())
        return self._either(parts) if len(parts) > 1 else parts[0]

    def _conjunction(self) -> Expression:
        parts = [self._operand()]
        while True:
            if self._joins("AND", parts[-1]):
                self._place += 1
            elif not self._joins("NOT", parts[-1]):
                return _all(parts)
            parts.append(self._operand())

    def _joins(self, operator: str, before: Expression) -> bool:
        if before.item is not None and before.item.operator:
            return False
        return self._next == operator and self._starts_operand(self._place + 1)

    def _operand(self) -> Expression:
        token = self._tokens[self._place]
        self._place += 1
        if token.operator == "(":
            inner = self.sequence()
            end = inner.end
            if self._next == ")":
                end = self._tokens[self._place].end
                self._place += 1
            return Expression(
                inner.operator, inner.parts, token.start, end, inner.item, inner.term, inner.apart
            )
        if token.operator == "NOT" and self._starts_operand(self._place):
            return self._none_of(token, self._operand())
        return as_word(token)

    def _either(self, parts: Sequence[Expression]) -> Expression:
        """Return alternatives. Filters of one name become one; else an OR beside a filter is a word, for no
        list of hits is made by two properties of which either will do."""
        start, end = parts[0].start, parts[-1].end
        if not any(part.has_filters for part in parts):
            return Expression("OR", tuple(parts), start, end)
        items = [part.item for part in parts if part.is_filter and part.item is not None]
        if len(items) == len(parts) and (
            item := items[0].with_alternatives(items[1:], self._text[start:end])
        ):
            return Expression("", (), start, end, item)
        words = [part for expression in parts[1:] for part in (_word("OR", expression.start), expression)]
        return _all([parts[0], *words], apart=True)

    def _none_of(self, token: Expression, part: Expression) -> Expression:
        if not part.has_filters:
            return Expression("NOT", (part,), token.start, part.end)
        if part.item is not None and (
            negated := part.item.without(token.start, self._text[token.start : part.end])
        ):
            return Expression("", (), token.start, part.end, negated)
        return _all([as_word(token), part], apart=True)


def _all(parts: Sequence[Expression], *, apart: bool = False) -> Expression:
    if len(parts) == 1:
        return parts[0]
    start, end = (parts[0].start, parts[-1].end) if parts else (0, 0)
    return Expression("AND", tuple(parts), start, end, apart=apart)


def as_word(token: Expression) -> Expression:
    """Return an operator as the word that it is by itself; anything else as it is."""
    return _word(token.operator, token.start) if token.operator else token


def _word(operator: str, start: int) -> Expression:
    end = start + len(operator)
    item = Item(operator, start, end, False, None, (operator,), False, operator)
    return Expression("", (), start, end, item, Term(operator))
