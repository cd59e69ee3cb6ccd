"""Hits by meaning, as a search asks for them of whoever keeps vectors, and how they count beside words.

Scores are fused, not ranks: what words tell of the best hit, and what vectors tell of theirs, are each 1,
and a part of the second is taken. Its part is that of the trust in it, so that a model which knows
nothing of the texts changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import apsw

from ..records.dataclasses import dataclass, field
from .filters import Where

SHARE = 0.4
"""What meaning counts beside words, at full trust."""
AMONG = 100
"""So many of the best by words are compared by meaning, and so many of the nearest come to them."""
Scored = list[tuple[int, float]]
"""Documents with their scores, best first."""


@dataclass(frozen=True, slots=True)
class Near:
    """Documents by id with their cosine, the nearest first.

    `floor` is the cosine from which on one is near enough to count though no word finds it; `trust`, from
    0 to 1, is how much the model tells of these texts. `trouble` says in a sentence why there are none;
    `is_late`: there may be some before long.
    """

    cosines: Mapping[int, float] = field(default_factory=dict)
    floor: float = 0.0
    trust: float = 0.0
    trouble: str = ""
    is_late: bool = False


class Meaning(Protocol):
    """What finds documents by what a text means. Raises nothing: `Near.trouble` says what is wrong."""

    def near_text(
        self,
        db: apsw.Connection,
        text: str,
        where: Where,
        limit: int,
        best: Sequence[int] = (),
    ) -> Near:
        """Return the documents nearest to a text that pass the filters, and with them those that are the
        `best` by words, best first."""
        ...

    def near_document(self, db: apsw.Connection, document: int, where: Where, limit: int) -> Near:
        """Return the documents nearest to another one, which isn't among them."""
        ...


class Recorded:
    """A `Meaning` that notes what it said last, for whoever asked through others."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning
        self.near = Near()

    def near_text(
        self,
        db: apsw.Connection,
        text: str,
        where: Where,
        limit: int,
        best: Sequence[int] = (),
    ) -> Near:
        """As `Meaning` has it."""
        self.near = self._meaning.near_text(db, text, where, limit, best)
        return self.near

    def near_document(self, db: apsw.Connection, document: int, where: Where, limit: int) -> Near:
        """As `Meaning` has it."""
        self.near = self._meaning.near_document(db, document, where, limit)
        return self.near


def fused(scored: Scored, near: Near) -> Scored:
    """Return documents with the scores that words and meaning give together, best first; 1 is the best
    that both could say of one."""
    if not near.cosines or not near.trust:
        return scored
    most = max((score for _, score in scored), default=0.0) or 1.0
    nearest = max(near.cosines.values())
    if nearest <= 0:
        return scored
    share = SHARE * near.trust
    by_words = {number: score / most for number, score in scored}
    found: dict[int, float] = {}
    for number, words in by_words.items():
        # What has no vector yet is not worse for it.
        cosine = near.cosines.get(number)
        meaning = words if cosine is None else max(0.0, cosine) / nearest
        found[number] = (1 - share) * words + share * meaning
    for number, cosine in near.cosines.items():
        if number not in by_words and cosine >= near.floor:
            found[number] = share * cosine / nearest
    return sorted(found.items(), key=lambda pair: (-pair[1], -pair[0]))
