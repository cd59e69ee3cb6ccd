"""Which texts may be near-duplicates of one another, without comparing each with every other.

A text is known by a sketch: the smallest hashes of its runs of three words (of two, where it is
short). Texts that are nearly the same share most of these, others share none.
"""

from __future__ import annotations

import re
from collections import Counter
from zlib import crc32

from ..search.folding import fold

SKETCH = 10
SHARED = 2
"""So many hashes of two sketches have to be equal; of a text that has only one, that one."""

CROWD = 200
"""A hash of more texts than this says too little of any of them."""

SHORT = 16

_WORD = re.compile(r"[^\W_]+")
# No blanks part the words there: each character counts as one.
_SINGLE = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])")


def words_of(text: str) -> list[str]:
    """The words of a text, folded."""
    return _WORD.findall(_SINGLE.sub(r" \1 ", fold(text)))


def sketch(words: list[str]) -> tuple[int, ...]:
    """The sketch of a text: at most ten hashes; none where it has no word."""
    runs = {" ".join(words[at : at + 3]) for at in range(max(1, len(words) - 2))}
    if len(words) <= SHORT:
        runs |= {" ".join(words[at : at + 2]) for at in range(max(1, len(words) - 1))}
    return tuple(sorted({crc32(run.encode()) for run in runs if run})[:SKETCH])


class Neighbours:
    """Sketches by what they hold: a few numbers for each text, whatever its length."""

    def __init__(self) -> None:
        self._by_hash: dict[int, list[int]] = {}

    def add(self, number: int, found: tuple[int, ...]) -> None:
        """Remember a text under its number."""
        for one in found:
            holders = self._by_hash.setdefault(one, [])
            if len(holders) <= CROWD:
                holders.append(number)

    def of(self, found: tuple[int, ...]) -> list[int]:
        """The texts that may be near one, the likeliest first, at most twenty."""
        shared: Counter[int] = Counter()
        for one in found:
            shared.update(self._by_hash.get(one, ()))
        wanted = min(SHARED, len(found))
        return [number for number, many in shared.most_common(20) if many >= wanted]
