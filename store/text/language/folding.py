"""The two forms of a text that search compares: folded for substrings, prepared for words; and its words as
the words index has them."""

from __future__ import annotations

import re
import unicodedata
from operator import add

from ..late_pattern import late_pattern
from .scripts import HANGUL, PAIRED, SETTLED_HAN, UNSPACED, is_paired

CHINESE = late_pattern(f"[{PAIRED}]+")
"""A run that the words index has in pairs."""
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
WORD = re.compile(r"\w+")
MARKS = re.compile("[\u0300-\u036f]+")
NARROW = {wide: chr(ord(wide) - 0xFEE0) for wide in "，！？：；（）"} | {"…": "..."}
"""The usual punctuation that NFKC makes ASCII, and what it makes of it."""
SETTLED = late_pattern(
    "[\x00-\x7f\u2013\u2014\u2018-\u201d\u2022\u2190-\u2193\u3001-\u3002\u3005-\u3011\u3041-\u3096\u30a1-\u30fa\u30fc"
    f"{SETTLED_HAN}{HANGUL}]*"
)
"""Characters that no normal form changes."""


def fold(text: str) -> str:
    """What a search compares: NFKC, casefold, NFD without U+0300 to U+036F, NFC.

    So `résumé` finds `RESUME` and `ﬁle` is `file`, but か is not が.
    """
    if text.isascii():
        return text.lower()
    text = narrowed(text)
    if text.isascii() or SETTLED.fullmatch(text):
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    bare = MARKS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare)


def narrowed(text: str) -> str:
    """A text with its usual punctuation in ASCII: normalizing a Chinese text that has none of the
    other kind takes a tenth of the time."""
    for wide, narrow in NARROW.items():
        text = text.replace(wide, narrow)
    return text


def prepare(text: str) -> str:
    """A text for the words index, whose tokenizer knows neither Chinese nor camelCase.

    Each run of Han or kana becomes its overlapping bigrams and its last character, so that a word
    of two is one token and a single character is a prefix; parts of camelCase identifiers follow
    the whole. The rest is folded as a query is, for SQLite's tokenizer folds less.
    """
    if text.isascii():
        return _with_parts(text)
    text = narrowed(text)
    if not SETTLED.fullmatch(text):
        text = unicodedata.normalize("NFKC", text)
    return fold(_with_parts(CHINESE.sub(_bigrams, text)))


def query_tokens(text: str) -> list[str]:
    """A query's text as tokens of the words index, before stemming.

    A run of two or more Chinese characters at the end is its bigrams alone: its last character need
    not end a run of the text.
    """
    folded = fold(text)
    spaced = folded if folded.isascii() else CHINESE.sub(_query_bigrams, folded)
    return WORD.findall(spaced.replace("_", " "))


INNER = re.compile(r"[a-z0-9][A-Z]")
CAPITAL = re.compile(r"[A-Z]\w*")
"""Of a word that may have parts, all from its first capital on: found much faster than the whole."""


def _with_parts(text: str) -> str:
    """A text with the parts of each camelCase word after it."""
    results: list[str] = []
    done = 0
    for capital in CAPITAL.finditer(text):
        start, end = capital.span()
        if not INNER.search(text, max(start - 1, 0), end):
            continue
        while start > done and (text[start - 1].isalnum() or text[start - 1] == "_"):
            start -= 1
        results += (text[done:end], " ", HUMP.sub(" ", text[start:end]))
        done = end
    return "".join([*results, text[done:]]) if results else text


def _bigrams(run: re.Match[str]) -> str:
    characters = run.group()
    return f" {' '.join([*map(add, characters, characters[1:]), characters[-1]])} "


def _query_bigrams(run: re.Match[str]) -> str:
    characters = run.group()
    if run.end() < len(run.string):
        return _bigrams(run)
    pairs = [characters[start : start + 2] for start in range(len(characters) - 1)]
    return f" {' '.join(pairs or [characters])} "


def index_words(text: str) -> list[str]:
    """Return a text's words, and pairs of Han and Kana, as the words index has them, before stemming.

    `folding.query_tokens` knows more odd letters, and takes longer to import than this takes.
    """
    results: list[str] = []
    word = ""
    for letter in f"{text.lower()} ":
        if is_paired(letter):
            if word and not is_paired(word[-1]):
                results.append(word)
                word = ""
            if word:
                results.append(word[-1] + letter)
            word = letter
        elif letter.isalnum():
            word = letter if word and is_paired(word[-1]) else word + letter
        elif word:
            if not is_paired(word):
                results.append(word)
            word = ""
    return results


INDEX_WORD = late_pattern(rf"[^\W_{UNSPACED}]+|(?=[^\W_])[{UNSPACED}]")
ASCII = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
"""ASCII with a blank for all that is in no word: parting a text by them is faster than a pattern."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded; of scripts that write no spaces each character."""
    folded = fold(text)
    return folded.translate(ASCII).split() if folded.isascii() else INDEX_WORD.findall(folded)
