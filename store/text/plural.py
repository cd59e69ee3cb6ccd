"""Counts in words, in the user's language: `1 summary`, `2,000 summaries`, `1 prompt, 3 observations`."""

from __future__ import annotations

from collections.abc import Mapping

from ..translation import _
from .english import english_count


def count_noun(number: int, what: str) -> str:
    """`1 summary with a text`, `2,000 summaries with a text`: `what` begins with a plural. Languages
    without plurals translate it after `{count} `, or by itself where it isn't written in a call of this."""
    counted = f"{{count}} {what}"
    if (translated := _(counted)) != counted:
        return translated.format(count=f"{number:,}")
    if (translated := _(what)) != what:
        return f"{number:,} {translated}"
    return english_count(number, what)


def count_nouns(counts: Mapping[str, int]) -> str:
    """`1 prompt, 3 observations`: numbers by a plural, those of nothing left out."""
    return _(", ").join(count_noun(number, what) for what, number in counts.items() if number)
