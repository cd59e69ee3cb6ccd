"""Counts in words: `1 summary`, `2,000 summaries`, `1 prompt, 3 observations`; in the user's language, or
in English for what agents read, and for what is stored or exported."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def count_noun(number: int, what: str) -> str:
    """`1 summary with a text`, `2,000 summaries with a text`: `what` begins with a plural. Languages
    without plurals translate it after `{count} `, or by itself where it isn't written in a call of this."""
    # What agents wait for counts in English alone.
    from ..platform.translation import Phrase, _

    counted = f"{{count}} {what}"
    if (translated := _(counted)) != counted:
        said = translated.format(count=f"{number:,}")
    elif (translated := _(what)) != what:
        said = f"{number:,} {translated}"
    else:
        said = english_count(number, what)
    return Phrase.of(said, number, what)


def count_nouns(counts: Mapping[str, int]) -> str:
    """`1 prompt, 3 observations`: numbers by a plural, those of nothing left out."""
    from ..platform.translation import _

    return _(", ").join(count_noun(number, what) for what, number in counts.items() if number)


def english_count(number: int, what: str) -> str:
    """As `count_noun`, in English."""
    noun, space, rest = what.partition(" ")
    return f"{number:,} {_singular(noun) if number == 1 else noun}{space}{rest}"


def english_counts(counts: Mapping[str, int]) -> str:
    """As `count_nouns`, in English."""
    return ", ".join(english_count(number, what) for what, number in counts.items() if number)


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("ches", "shes", "sses", "xes")) else noun.removesuffix("s")
