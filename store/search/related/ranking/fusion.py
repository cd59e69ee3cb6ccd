"""What meaning, and the rest of a turn, count beside words.

Scores are mixed, not ranks: the best by words and the nearest in meaning are each 1, and a part of the
second is taken. The share is as large as the trust in the model, so that one which knows nothing of
these texts changes nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence

from ..meaning import Near

SHARE, SHARE_OF_SHORT = 0.4, 0.2
"""What meaning counts beside words, at full trust: less where texts are short, of which the vectors say
little that the words don't."""
SHORT = 250
"""Characters of a short text."""
Parts = dict[int, dict[str, float]]
"""What the score of each document is made of, by its id and the parts' names."""


def share_beside(lengths: Collection[int]) -> float:
    """Return what meaning counts beside the words of texts of such lengths, in characters."""
    # Only now: it takes long to import.
    from statistics import median

    return SHARE_OF_SHORT if lengths and median(lengths) < SHORT else SHARE


def mix_meaning(found: Parts, near: Near, share: float = SHARE) -> None:
    """Give the parts of each score one more for its nearness, and take in what is near enough though no
    word finds it."""
    nearest = max(near.cosines.values(), default=0.0)
    share *= near.trust
    if nearest <= 0 or not share:
        return
    best = max((sum(parts.values()) for parts in found.values()), default=0.0) or 1.0
    for key, parts in found.items():
        cosine = near.cosines.get(key)
        words = sum(parts.values()) / best
        for name in parts:
            parts[name] *= (1 - share) / best
        # What has no vector yet is not worse for it.
        parts["meaning"] = share * (words if cosine is None else max(0.0, cosine) / nearest)
    for key, cosine in near.cosines.items():
        if key not in found and cosine >= near.floor:
            found[key] = {"meaning": share * cosine / nearest}


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
