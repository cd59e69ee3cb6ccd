"""Counts in English words, for what agents read, and for what is stored or exported: `1 summary`,
`2,000 summaries`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def english_count(number: int, what: str) -> str:
    """`1 summary with a text`, `2,000 summaries with a text`: `what` begins with a plural."""
    noun, space, rest = what.partition(" ")
    return f"{number:,} {_singular(noun) if number == 1 else noun}{space}{rest}"


def english_counts(counts: Mapping[str, int]) -> str:
    """`1 prompt, 3 observations`: numbers by a plural, those of nothing left out."""
    return ", ".join(english_count(number, what) for what, number in counts.items() if number)


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-2] if noun.endswith(("ches", "shes", "sses", "xes")) else noun.removesuffix("s")
