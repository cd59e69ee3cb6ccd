"""What is offered while a query is typed: names and values that complete it, and, where a part of it
can't be understood or matches nothing, the nearest that exists.
"""

from __future__ import annotations

TIME_WORDS = frozenset(
    "ago last past this since today yesterday tonight on monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


def may_be_remarked_on(text: str) -> bool:
    """Return whether a query may have remarks. It is quick and imports nothing, since most have none."""
    return ":" in text or may_name_a_time(text)


def may_name_a_time(text: str) -> bool:
    """Return whether words of a text may name a time; as quickly."""
    return not text.isascii() or any(
        word.strip(".,;?!()").removesuffix("'s") in TIME_WORDS or _may_be_year(word)
        for word in text.lower().split()
    )


def _may_be_year(word: str) -> bool:
    return word[:2] in ("19", "20") and word[:4].isdecimal()
