"""A few numbers of each text, by which texts that say nearly the same are found among many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from zlib import crc32

SKETCH = 10
SHARED = 2
"""So many hashes of two sketches have to be equal; of a text that has only one, that one."""

HASHES = 1 << 32
"""There are so many."""

CROWD = 200
"""A hash of more texts than this says too little of any of them."""

SHORT = 16


def sketch(words: list[str]) -> tuple[int, ...]:
    """Return the sketch of a text: at most ten hashes; none where it has no word."""
    count = len(words)
    if count > SHORT:
        runs: Iterable[Sequence[str]] = zip(words, words[1:], words[2:], strict=False)
    else:
        sizes = (size for size in (3, 2) if size <= count) if count > 1 else (1,)
        runs = (words[at : at + size] for size in sizes for at in range(count - size + 1))
    # Each step is one call for all: of a long text every word is looked at.
    hashes = list(map(crc32, map(str.encode, map(" ".join, runs))))
    # Sorted are those of them that may be among the least.
    low = set(filter((2 * SKETCH * HASHES // (count or 1)).__gt__, hashes))
    return tuple(sorted(low if len(low) >= SKETCH else set(hashes))[:SKETCH])


class Neighbours:
    """Sketches by what they hold: a few numbers for each text, whatever its length."""

    def __init__(self) -> None:
        self._by_hash: dict[int, int | list[int]] = {}
        """Most hashes are of one text, which takes no list."""

    def add(self, number: int, hashes: tuple[int, ...]) -> None:
        """Remember a text under its number."""
        for value in hashes:
            holders = self._by_hash.setdefault(value, number)
            if isinstance(holders, list):
                if len(holders) <= CROWD:
                    holders.append(number)
            elif holders != number:
                self._by_hash[value] = [holders, number]

    def of(self, hashes: tuple[int, ...]) -> list[int]:
        """Return the texts that may be near one, the likeliest first, at most twenty."""
        least = min(SHARED, len(hashes))
        known = [holders for value in hashes if (holders := self._by_hash.get(value)) is not None]
        if len(known) < least:
            return []
        shared: Counter[int] = Counter()
        for holders in known:
            shared.update(holders if isinstance(holders, list) else (holders,))
        near = [number for number, many in shared.items() if many >= least]
        near.sort(key=shared.__getitem__, reverse=True)
        return near[:20]
