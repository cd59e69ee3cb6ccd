"""Words that may name a time. Nothing is imported: most queries hold none."""

from __future__ import annotations

TIME_WORDS = frozenset(
    "ago last past this since today yesterday tonight on monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november "
    "december jan feb mar apr jun jul aug sep sept oct nov dec".split()
)

CHINESE_SIGNS = frozenset("年月周期拜日天时钟")
"""One of these stands in everything that names a time in Chinese."""


def may_name_a_time(text: str) -> bool:
    """Return whether words of a text may name a time; as quickly."""
    if not text.isascii():
        # Words may stand between any signs there.
        lower = text.lower()
        return not CHINESE_SIGNS.isdisjoint(text) or any(
            word in lower for word in (*TIME_WORDS, "19", "20")
        )
    return any(
        word.strip(".,;?!()").removesuffix("'s") in TIME_WORDS or _may_be_year(word)
        for word in text.lower().split()
    )


def _may_be_year(word: str) -> bool:
    return word[:2] in ("19", "20") and word[:4].isdecimal()
