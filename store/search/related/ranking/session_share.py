"""What a memory's session adds to its score: an answer stands beside what has the question's words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from heapq import nlargest

BEST = 3
"""So many of a session's memories tell how well it answers: a long session has more that do by chance."""


def session_scores(scores: Mapping[int, float], sessions: Mapping[int, int]) -> dict[int, float]:
    """Return how well the session of each document answers, by the document's id: the sum of its three
    best scores, as a part of the best sum.

    `sessions` has the session of a document where it has one; without, it stands for itself.
    """
    if not scores:
        return {}
    own: defaultdict[tuple[bool, int], list[float]] = defaultdict(list)
    places = {key: (key in sessions, sessions.get(key, key)) for key in scores}
    for key, score in scores.items():
        own[places[key]].append(score)
    sums = {place: sum(nlargest(BEST, some)) for place, some in own.items()}
    best = max(sums.values()) or 1.0
    return {key: sums[place] / best for key, place in places.items()}
