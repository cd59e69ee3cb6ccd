"""A query as trigrams: the expression that narrows a search to what may hold every term."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import apsw

from .deadline import Deadline
from .query import Term
from .words import quote

LENGTH = 3
MAXIMUM_GRAMS = 32
"""Of all terms together, so many trigrams (at least two of each) narrow as well as all of them."""
MAXIMUM_EXPANSIONS = 1_000
"""Short terms that begin more trigrams than this stand in most texts: looking for them narrows little
and costs more than reading a text does."""
FEW = 500
"""When the long terms leave no more documents than this, the short ones needn't narrow."""
Clause = tuple[Term, ...]
Begun = dict[str, list[str]]


def narrowing(db: apsw.Connection, clauses: tuple[Clause, ...], deadline: Deadline) -> str:
    """What every document that meets the clauses matches; '' when only a scan is complete."""
    short = [clause for clause in clauses if _shortest(clause) < LENGTH]
    each = max(2, MAXIMUM_GRAMS // max(1, sum(map(len, clauses))))
    parts = [_alternatives(clause, each) for clause in clauses if clause not in short]
    if not short or (parts and _finds_few(db, " AND ".join(parts))):
        return " AND ".join(parts)
    share = MAXIMUM_EXPANSIONS // len(short)
    for clause in short:
        deadline.check()
        begun = _begun(db, clause, share)
        if begun is not None:
            parts.append(_alternatives(clause, each, begun))
    return " AND ".join(parts)


def _shortest(clause: Clause) -> int:
    return min(len(term.folded) for term in clause)


def _alternatives(clause: Clause, each: int, begun: Begun | None = None) -> str:
    """A clause: of a long term so many trigrams, of a short one any that it begins."""
    found = []
    for text in [term.folded for term in clause]:
        if begun and text in begun:
            found.append(f"({' OR '.join(map(quote, begun[text]))})")
        else:
            found.append(f"({' AND '.join(map(quote, _spread(text, each)))})")
    return f"({' OR '.join(found)})"


def _spread(text: str, number: int) -> dict[str, None]:
    """So many of a text's trigrams, or all, from its beginning to its end."""
    last = len(text) - LENGTH
    number = min(number, last + 1)
    starts = (last * place // max(1, number - 1) for place in range(number))
    return dict.fromkeys(text[start : start + LENGTH] for start in starts)


def _finds_few(db: apsw.Connection, sought: str) -> bool:
    sql = f"SELECT count(*) FROM (SELECT 1 FROM grams WHERE grams MATCH ? LIMIT {FEW})"
    return int(db.execute(sql, (sought,)).get) < FEW


def _begun(db: apsw.Connection, clause: Clause, at_most: int) -> Begun | None:
    """The trigrams that each of a clause's short terms begins; None when there are too many.

    A text ends in separators, so that every character begins one.
    """
    begun: Begun = {}
    for text in [term.folded for term in clause if len(term.folded) < LENGTH]:
        found = list(islice(_beginning(db, text), at_most + 1))
        at_most -= len(found)
        if at_most < 0:
            return None
        begun[text] = found or [f"{text}\x1f\x1f"[:LENGTH]]
    return begun


def _beginning(db: apsw.Connection, start: str) -> Iterator[str]:
    """The trigrams that begin with a text, each by one seek: to list them with their counts would
    read all their posting lists."""
    term = start
    sql = "SELECT term FROM gram_instances WHERE term >= ? LIMIT 1"
    while (found := db.execute(sql, (term,)).get) is not None and found.startswith(start):
        yield found
        term = found + "\x00"
