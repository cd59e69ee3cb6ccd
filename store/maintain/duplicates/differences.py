"""In what two texts differ that otherwise say the same: a number, a "not", a name, a choice."""

from __future__ import annotations

import re
from typing import Literal

from ...records.dataclasses import dataclass
from ...text.language.index_words import words_of
from ...text.language.names import names_in
from ...text.language.same import CHINESE_NEGATIONS, NEGATIONS, spelled_out
from ...translation import N_

Difference = Literal[
    "another number", "a negation", "another name", "another choice", "nearly the same words",
    "in other words", "a later decision",
]  # fmt: skip
NEGATION: Difference = N_("a negation")
ANOTHER_NUMBER: Difference = N_("another number")
ANOTHER_NAME: Difference = N_("another name")
SAME: tuple[Difference, ...] = (N_("nearly the same words"), N_("in other words"))
"""No difference that says another thing."""

DENIALS = NEGATIONS.union(CHINESE_NEGATIONS)
FILLERS = frozenset(("do", "does", "did", "longer", "any", "anymore", "more", "再"))
"""Auxiliary words beside a negation, which are left out with it."""

DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Core:
    """The words of a text without numbers and negations, and these apart."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    negations: int


def core(text: str) -> Core:
    """Return the core of a text."""
    words = words_of(spelled_out(text))
    kept = (word for word in words if word not in DENIALS and word not in FILLERS)
    return Core(
        tuple("#" if DIGITS.search(word) else word for word in kept),
        tuple(number for word in words for number in DIGITS.findall(word)),
        sum(word in DENIALS for word in words),
    )


def difference(text: str, other: str) -> Difference | None:
    """Return in what two texts differ, be it said in other words; None where no value tells them apart."""
    mine, theirs = core(text), core(other)
    if mine.negations % 2 != theirs.negations % 2:
        return NEGATION
    if {*mine.numbers} != {*theirs.numbers}:
        return ANOTHER_NUMBER
    (names, words), (other_names, other_words) = names_in(text), names_in(other)
    if names - other_words and other_names - words:
        return ANOTHER_NAME
    return None
