"""Words that may name a time. Nothing is imported: most queries hold none."""

from __future__ import annotations

TIME_WORDS = frozenset(
    "ago last past this since today yesterday tonight on monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec".split()
)


def may_name_a_time(text: str) -> bool:
    """Return whether words of a text may name a time; as quickly."""
    return not text.isascii() or any(
        word.strip(".,;?!()").removesuffix("'s") in TIME_WORDS or _may_be_year(word)
        for word in text.lower().split()
    )


def _may_be_year(word: str) -> bool:
    return word[:2] in ("19", "20") and word[:4].isdecimal()
