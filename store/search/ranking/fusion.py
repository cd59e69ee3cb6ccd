"""What meaning counts beside words.

Scores are fused, not ranks: the best hit by words and the nearest by meaning are each 1, and a part of
the second is taken. Its part is as large as the trust in the model, so that one which knows nothing of
these texts changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..meaning import Near
from .candidates import RankedDocument

SHARE = 0.4
"""What meaning counts beside words, at full trust."""


def fused(found: Sequence[RankedDocument], near: Near) -> list[RankedDocument]:
    """Return candidates with the scores that words and meaning give together, best first."""
    nearest = max(near.cosines.values(), default=0.0)
    share = SHARE * near.trust
    if nearest <= 0 or not share:
        return list(found)
    mixed: list[RankedDocument] = []
    for one in found:
        # What has no vector yet is not worse for it.
        cosine = near.cosines.get(one.id, one.score * nearest)
        part = share * max(0.0, cosine) / nearest
        parts = [(name, (1 - share) * score) for name, score in one.parts]
        mixed.append(_candidate(one.id, (*parts, ("meaning", part))))
    known = {one.id for one in found}
    mixed += [
        _candidate(number, (("meaning", share * cosine / nearest),))
        for number, cosine in near.cosines.items()
        if number not in known and cosine >= near.floor
    ]
    return sorted(mixed, key=lambda one: (-one.score, -one.id))


def _candidate(number: int, parts: tuple[tuple[str, float], ...]) -> RankedDocument:
    held = tuple((name, part) for name, part in parts if part)
    return RankedDocument(number, sum(part for _, part in held), held)
