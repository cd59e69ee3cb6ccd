"""A query's terms as the words index understands them: FTS5 expressions over its tokens."""

from __future__ import annotations

from .folding import CHINESE, query_tokens
from .query import Query, Term


def expression(query: Query, *, prefix: bool = False, apart: bool = False) -> str:
    """The clauses of a query that have words, all of them demanded; '' when none has.

    With `prefix` a term's last word may go on; with `apart` a phrase is all of its words.
    """
    clauses = []
    for clause in query.clauses:
        phrases = [phrase(term, prefix=prefix, apart=apart) for term in clause]
        if all(phrases):
            clauses.append(f"({' OR '.join(phrases)})")
    return " AND ".join(clauses)


def has_phrases(query: Query) -> bool:
    """Whether a term is several words in a row."""
    return any(len(query_tokens(term.text)) > 1 for term in query.terms)


def phrase(term: Term, *, prefix: bool = False, apart: bool = False) -> str:
    """A term for the words index: its tokens in a row, or `apart`; '' when it has none.

    A single Chinese character begins the bigrams it stands in, so it is always a prefix.
    """
    tokens = query_tokens(term.text)
    if not tokens:
        return ""
    lone = len(tokens[-1]) == 1 and CHINESE.match(tokens[-1]) is not None
    last = " *" if prefix or lone else ""
    if apart:
        return f"({' AND '.join(map(quote, tokens))}{last})"
    return quote(" ".join(tokens)) + last


def quote(text: str) -> str:
    """A text as an FTS5 string: whatever it holds, it is no syntax."""
    return '"' + text.replace('"', '""') + '"'
