"""What is offered while a query is typed: names and values that complete it, and, where a part of it
can't be understood or matches nothing, the nearest that exists.
"""

from __future__ import annotations

TIME_WORDS = frozenset(
    "ago last past this since today yesterday tonight on monday tuesday wednesday thursday friday "
    "saturday sunday".split()
)


def may_be_remarked_on(text: str) -> bool:
    """Return whether a query may have remarks. It is quick and imports nothing, since most have none."""
    return (
        ":" in text
        or not text.isascii()
        or any(word.removesuffix("'s") in TIME_WORDS for word in text.lower().split())
    )
