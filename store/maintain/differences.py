"""In what two texts differ that otherwise say the same: a number, a "not", a name."""

from __future__ import annotations

import re
from typing import Literal

from ..records.dataclasses import dataclass
from ..text.language.folding import fold
from ..text.language.scripts import CHINESE, script_of
from ..text.language.words import words_of

Difference = Literal[
    "another number", "a negation", "another name", "nearly the same words", "in other words"
]
SAME: tuple[Difference, ...] = ("nearly the same words", "in other words")
"""No difference that says another thing."""

NEGATIONS = frozenset(
    ("no", "not", "never", "none", "cannot", "without", "don", "doesn", "didn", "isn", "aren", "wasn",
     "weren", "won", "can't", "couldn", "shouldn", "wouldn", "mustn", "stopped", "dropped", "removed",
     "不", "没", "無", "无", "未", "别", "勿", "非")
)  # fmt: skip
FILLERS = frozenset(("t", "do", "does", "did", "longer", "any", "anymore", "more", "再"))
"""Auxiliary words beside a negation, which are left out with it."""

DIGITS = re.compile(r"\d+")
_TOKEN = re.compile(r"[a-z_]\w*(?:[./]\w+)*", re.ASCII | re.IGNORECASE)
_BEGINNING = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"'(*#-]*$")
SEEN = 8
"""Characters before a word that tell whether a sentence begins with it."""


@dataclass(frozen=True, slots=True)
class Core:
    """The words of a text without numbers and negations, and these apart."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    negations: int


def core(text: str) -> Core:
    """Return the core of a text."""
    words = words_of(text)
    kept = (word for word in words if word not in NEGATIONS and word not in FILLERS)
    return Core(
        tuple("#" if DIGITS.search(word) else word for word in kept),
        tuple(number for word in words for number in DIGITS.findall(word)),
        sum(word in NEGATIONS for word in words),
    )


def difference(one: str, other: str) -> Difference | None:
    """Return in what two texts differ, be it said in other words; None where no value tells them apart."""
    mine, theirs = core(one), core(other)
    if mine.negations % 2 != theirs.negations % 2:
        return "a negation"
    if {*mine.numbers} != {*theirs.numbers}:
        return "another number"
    (names, tokens), (other_names, other_tokens) = _names(one), _names(other)
    if names - other_tokens and other_names - tokens:
        return "another name"
    return None


def _names(text: str) -> tuple[set[str], set[str]]:
    """Return the names in a text (of files, functions, products), and all words that may be one."""
    is_chinese = script_of(text) == CHINESE
    names, tokens = set(), set()
    for found in _TOKEN.finditer(text):
        token = found[0].rpartition("/")[2]
        folded = fold(token)
        tokens.add(folded)
        start = found.start()
        before = text[max(0, start - SEEN) : start]
        if (
            is_chinese
            or before.endswith("`")
            or any(letter in "_." or letter.isupper() or letter.isdigit() for letter in token[1:])
            or (token[0].isupper() and len(token) > 1 and not _BEGINNING.search(before))
        ):
            names.add(folded)
    return names, tokens
