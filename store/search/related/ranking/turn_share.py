"""What the rest of a turn adds to a memory's score: a turn answers with the words of all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

NEXT = 0.25
"""The best of a turn's other records counts a quarter, the next one a quarter of that."""
BEST = 5
"""So many of them count: a long turn has more that hold a word by chance."""


def with_turn_shares(
    scored: Sequence[tuple[int, float]], turns: Mapping[int, Hashable]
) -> list[tuple[int, float]]:
    """Return documents, given as (id, score) with the best first, with what the others of their turns add,
    best first again. `turns` has the turn of a document where it has one."""
    of_turn: defaultdict[Hashable, list[tuple[int, float]]] = defaultdict(list)
    for number, score in scored:
        if number in turns:
            of_turn[turns[number]].append((number, score))
    results = []
    for number, score in scored:
        others = (
            [other for key, other in of_turn[turns[number]] if key != number] if number in turns else []
        )
        share = sum(other * NEXT**place for place, other in enumerate(others[:BEST], 1))
        results.append((number, score + share))
    return sorted(results, key=lambda pair: (-pair[1], -pair[0]))
