"""Typos: what the words of a query without exact hits may have meant.

Of Chinese: one wrong character in a word, or two in the wrong order. A wrong character makes
the pairs it stands in unknown. Most unknown pairs only stand where two words meet, so a repair
counts only if the memory holds all of the repaired text's pairs.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ...records.dataclasses import dataclass
from ...text.language.folding import CHINESE, fold
from ...text.language.stop_words import STOP_WORDS
from ..chinese.pinyin import characters_read, sound_alike, syllables
from ..index.documents import FIELDS
from ..index.full_text import SHORTEST_SPELLING
from ..matching.matcher import Matcher
from ..matching.terms import WORD, frequency
from ..query.language import Query

LONG = 9
"""From so many letters on a word may be two edits away, below it one."""
MAXIMUM_WORDS = 32
"""A query of more words was pasted, not typed."""
CANDIDATES = 12
"""So many of the nearest are compared by how often they stand in the memory."""
COUNTED = 1_000
SHORTEST_IN_QUESTION = 4
"""To a shorter word some word is near in any memory."""
PREFIX = 2
"""Letters of a syllable before a word that changes its sense, as in `incorrect`."""
LONGEST_PINYIN, CANDIDATES_READ = 30, 64
HIGHEST = "\U0010ffff"

LONGEST_RUN = 6
"""A longer run of Chinese is a sentence, of which most pairs are in no other text."""
COUNTED_PAIRS = 1_000


@dataclass(frozen=True, slots=True)
class Correction:
    """What no memory holds as a word, and the nearest word that some do.

    `query` is the whole query with all its corrections made.
    """

    typed: str
    meant: str
    query: str


def corrections(matcher: Matcher) -> tuple[Correction, ...]:
    """Return a correction for each word that no memory holds as a word and to which another is near."""
    if not matcher.has_words:
        return ()
    query = matcher.query
    # Beside a colon stands what was meant as a filter.
    terms = [term.text for term in query.terms if ":" not in term.text]
    typed = [(word, word == text) for text in terms for word in WORD.findall(text)]
    if len(typed) > MAXIMUM_WORDS:
        return ()
    meant = {}
    for word, whole in typed:
        nearest = _meant(matcher, word, whole=whole)
        if nearest and not (query.is_question and _is_needless(fold(word), nearest)):
            meant[word] = nearest
    text = _corrected(query, meant)
    if text == query.text:
        return ()
    return tuple(Correction(word, nearest, text) for word, nearest in meant.items())


def _is_needless(word: str, nearest: str) -> bool:
    """Whether a word of a question is likely meant as it stands, or its correction changes nothing.

    A question has words that a small memory lacks, and to most short words another one is near.
    """
    from .common_words import COMMON_WORDS

    return (
        len(word) < SHORTEST_IN_QUESTION
        or word in COMMON_WORDS
        or nearest in STOP_WORDS
        or word[PREFIX:] == nearest
    )


def _corrected(query: Query, meant: dict[str, str]) -> str:
    """A query's text with other words in its terms; filters, field names and what is excluded stay."""
    parts, last = [], 0
    for item in query.items:
        if item.negated or item.operator:
            continue
        start = item.start + (len(item.name) + 1 if item.name in FIELDS else 0)
        term = query.text[start : item.end]
        parts += [query.text[last:start], WORD.sub(lambda word: meant.get(word[0], word[0]), term)]
        last = item.end
    return "".join([*parts, query.text[last:]])


def _meant(matcher: Matcher, typed: str, *, whole: bool) -> str | None:
    """The nearest word; a part of a longer term (`tok*`) may also be the beginning of a word."""
    word = fold(typed)
    if CHINESE.fullmatch(word):
        return nearest_run(matcher, word)
    if not word.isalpha() or len(word) < SHORTEST_SPELLING or word in STOP_WORDS:
        return None
    if frequency(matcher.db, word, 1) or (not whole and _begins(matcher.db, word)):
        return None
    return _nearest_word(matcher, word) or (_in_chinese(matcher, word) if whole else None)


def _in_chinese(matcher: Matcher, typed: str) -> str | None:
    """The most frequent Chinese word that is read as letters were typed; None without pypinyin."""
    if not typed.isascii() or len(typed) > LONGEST_PINYIN:
        return None
    best: tuple[int, str] | None = None
    for way in syllables(typed):
        if len(way) > LONGEST_RUN or (best and len(way) > len(best[1])):
            continue
        for word in _read_so(matcher, way):
            number = frequency(matcher.db, " ".join(_pairs(word)), COUNTED_PAIRS)
            if number and (best is None or number > best[0]):
                best = number, word
    return best[1] if best else None


def _read_so(matcher: Matcher, way: tuple[str, ...]) -> list[str]:
    """Runs of Chinese, each pair of which some memory holds, that are read as these syllables."""
    results = list(characters_read(way[0]))
    for syllable in way[1:]:
        following = set(characters_read(syllable))
        after = {last: _fitting(matcher, last, "") & following for last in {run[-1] for run in results}}
        results = [run + char for run in results for char in sorted(after[run[-1]])][:CANDIDATES_READ]
    return results


def _nearest_word(matcher: Matcher, word: str) -> str | None:
    """The most frequent of the words with the fewest edits (optimal string alignment)."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    edits = 2 if len(word) >= LONG else 1
    known = set(_near(matcher.db, word, edits))
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=edits, limit=None)
    if not near:
        return None
    least = min(distance for _, distance, _ in near)
    best = sorted(text for text, distance, _ in near if distance == least)[:CANDIDATES]
    return max(best, key=lambda name: frequency(matcher.db, name, COUNTED))


def nearest_run(matcher: Matcher, run: str) -> str | None:
    """Return what a run of Chinese that no memory holds may have meant; None if nothing is near.

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
        number = frequency(matcher.db, " ".join(_pairs(around)), COUNTED_PAIRS)
        if number and (best is None or (alike, number) > best[:2]):
            best = alike, number, fixed
    return best[2] if best else None


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
            cursor = matcher.db.execute(sql, (beside, beside + HIGHEST))
            sets.append({str(pair)[1] for (pair,) in cursor})
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


def _near(db: apsw.Connection, word: str, edits: int) -> Iterator[str]:
    """Words of about its length that begin or end as it does: with its first or second half, or with
    its first or last third where there may be two edits.

    One edit leaves either half as it is, but for two letters in the wrong order in the middle.
    """
    half = len(word) // 2
    swapped = word[: half - 1] + word[half] + word[half - 1] + word[half + 1 :]
    first, last = (half, len(word) - half) if edits == 1 else (len(word) // 3, len(word) // 3)
    for column, start in (
        ("word", word[:first]),
        ("backwards", word[::-1][:last]),
        ("word", swapped),
    ):
        sql = (
            f"SELECT word FROM spellings WHERE {column} >= ? AND {column} < ? "
            "AND length(word) BETWEEN ? AND ? AND document_id > 0"
        )
        values = (start, start + HIGHEST, len(word) - edits, len(word) + edits)
        yield from (str(result) for (result,) in db.execute(sql, values))


def _begins(db: apsw.Connection, start: str) -> bool:
    """Whether a word begins so."""
    sql = "SELECT EXISTS (SELECT 1 FROM spellings WHERE word >= ? AND word < ? AND document_id > 0)"
    return bool(db.execute(sql, (start, start + HIGHEST)).get)
