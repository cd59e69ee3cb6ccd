"""The words that a list is narrowed by, compared as a search compares: folded, as substrings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import apsw

from ...text.language.folding import fold
from ..listing.snippets import align

LONGEST = 200
"""Characters of what is typed that are looked at."""
MOST = 8
"""Words that are looked for."""
MOST_PLACES = 10_000
"""Places of a phrase that are told of one text."""


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of what was typed, folded; every character stands for itself."""
    return tuple(dict.fromkeys(fold(text[:LONGEST]).split()))[:MOST]


def hold(words: Iterable[str], *texts: str | None) -> bool:
    """Return whether each word stands in one of some texts."""
    folded = fold("\n".join(text for text in texts if text))
    return all(word in folded for word in words)


def holding(text: str, words: Iterable[str], beside: Callable[[int], str] = lambda _: "") -> str:
    """Return the SQL condition that a text, in lower case as SQLite knows it, holds every word, each
    bound as `:word0` and so on; `beside` returns another condition that will do for a word, `` for none.

    What is ASCII is compared by SQLite alone, many times faster; `prepare` gives it the rest.
    """
    conditions = []
    for number, _ in enumerate(words):
        holds = (
            f"instr({text}, :word{number}) OR "
            f"(length(CAST({text} AS BLOB)) <> length({text}) AND holds_folded({text}, :word{number}))"
        )
        other = beside(number)
        conditions.append(f"({holds}{f' OR {other}' if other else ''})")
    return " AND ".join(conditions) or "true"


def bound(words: Iterable[str]) -> dict[str, object]:
    """Return the values that `holding` names."""
    return {f"word{number}": word for number, word in enumerate(words)}


def prepare(db: apsw.Connection) -> None:
    """Let a connection run what `holding` returns."""
    db.create_scalar_function("holds_folded", _holds_folded, 2, deterministic=True)


def _holds_folded(*cells: Any) -> bool:
    text, word = cells
    return isinstance(text, str) and word in fold(text)


def places(text: str, phrase: str, at_most: int = MOST_PLACES) -> list[tuple[int, int]]:
    """Return where a text holds a phrase, folded, as [start, end) of its own characters, in order."""
    wanted = fold(phrase)
    if not wanted.strip():
        return []
    folded, starts, ends = align(text)
    results: list[tuple[int, int]] = []
    place = folded.find(wanted)
    while place >= 0 and len(results) < at_most:
        results.append((starts[place], ends[place + len(wanted) - 1]))
        place = folded.find(wanted, place + len(wanted))
    return results
