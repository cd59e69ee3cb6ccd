"""Mistyped Chinese: one wrong character in a word, or two in the wrong order.

A wrong character makes the pairs it stands in unknown. Most unknown pairs only stand where two
words meet, so a repair counts only if the memory holds all of the repaired text's pairs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from . import spellings
from .matching import Matcher
from .stop_words import STOP_WORDS
from .words import frequency

LONGEST_RUN = 6
"""A longer run of Chinese is a sentence, of which most pairs are in no other text."""
COUNTED = 1_000


def nearest_run(matcher: Matcher, run: str) -> str | None:
    """What a run of Chinese that no memory holds may have meant; None if nothing is near.

    A character that sounds like the typed one comes first, for that is how most are mistyped; then
    the more frequent.
    """
    groups = _unknown(matcher, run) if len(run) <= LONGEST_RUN else []
    if len(groups) != 1:
        return None
    best: tuple[bool, int, str] | None = None
    for place, fixed in _repairs(matcher, run, *groups[0]):
        alike = place is None or sound_alike(run[place], fixed[place])
        inner = place is None or 0 < place < len(run) - 1
        if _unknown(matcher, fixed) or not (alike or inner or _ends_a_run(matcher, fixed)):
            continue
        around = fixed[max(0, groups[0][0] - 1) : groups[0][1] + 3]
        number = frequency(matcher.db, " ".join(_pairs(around)), COUNTED)
        if number and (best is None or (alike, number) > best[:2]):
            best = alike, number, fixed
    return best[2] if best else None


def sound_alike(one: str, other: str) -> bool:
    """Whether two characters have a reading in common, whatever its tone."""
    # Readings of words would take most of the import, and are not asked for.
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "true")
    from pypinyin import Style, pinyin

    readings = [pinyin(char, style=Style.NORMAL, heteronym=True)[0] for char in (one, other)]
    return not set(readings[0]).isdisjoint(readings[1])


def _repairs(matcher: Matcher, run: str, start: int, end: int) -> Iterator[tuple[int | None, str]]:
    """The run with two of the characters of its unknown pairs in the other order, or with another
    character (its place is given) in all of these pairs."""
    for place in range(start, end + 1):
        yield None, run[:place] + run[place + 1] + run[place] + run[place + 2 :]
    for place in range(start, end + 2):
        pairs = {place - 1, place} & set(range(len(run) - 1))
        if pairs == set(range(start, end + 1)):
            before, after = run[:place], run[place + 1 :]
            for character in sorted(_fitting(matcher, before[-1:], after[:1])):
                yield place, before + character + after


def _fitting(matcher: Matcher, before: str, after: str) -> set[str]:
    """The characters that some memory holds after one character and before another ('': any)."""
    sets = []
    for column, beside in (("word", before), ("backwards", after)):
        if beside:
            sql = (
                f"SELECT {column} FROM spellings WHERE {column} > ? AND {column} < ? "
                "AND length(word) = 2 AND document_id > 0"
            )
            found = matcher.db.execute(sql, (beside, beside + spellings.HIGHEST))
            sets.append({str(pair)[1] for (pair,) in found})
    return set.intersection(*sets)


def _unknown(matcher: Matcher, run: str) -> list[tuple[int, int]]:
    """Where pairs that no memory holds follow each other: the first one's place, and the last's."""
    groups: list[tuple[int, int]] = []
    for place, pair in enumerate(_pairs(run)):
        if pair not in STOP_WORDS and not frequency(matcher.db, pair, 1):
            if groups and groups[-1][1] == place - 1:
                groups[-1] = (groups[-1][0], place)
            else:
                groups.append((place, place))
    return groups


def _ends_a_run(matcher: Matcher, run: str) -> bool:
    """Whether a text ends with this, before a mark or a space: then it is no part of a word."""
    return bool(frequency(matcher.db, " ".join([*_pairs(run), run[-1]]), 1))


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)]
