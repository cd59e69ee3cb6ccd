"""Pasted text: what was read as syntax in it (`Revert "…"`, `docker -rm flag`) was likely no demand.

To guess before the search would change what deliberate queries find: so it is done only where these
find nothing. A minus at either end, where people type it, holds even then.
"""

from __future__ import annotations

from ...records.dataclasses import replace
from .language import QUESTION, Query, Term


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
