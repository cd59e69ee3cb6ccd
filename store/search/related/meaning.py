"""Hits by meaning, as a search asks for them of whoever keeps vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import apsw

from ...records.dataclasses import dataclass, field
from ..query.filters import Where

PATIENCE_SECONDS = 0.15
"""How long a search waits for the vector of a query, unless it is told otherwise."""
AMONG = 100
"""So many of the best by words are compared by meaning, and so many of the nearest come to them."""


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


Progress = Callable[[int, int, str], object]


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two records of one kind and project, the earlier first, and the cosine of what they say."""

    earlier: int
    later: int
    cosine: float


@dataclass(frozen=True, slots=True)
class NearPairs:
    """Pairs, the nearest first, or why there are none in a sentence; `trust`, from 0 to 1, is how much
    the model knows of what is written in a script."""

    pairs: tuple[NearPair, ...] = ()
    trust: dict[str, float] = field(default_factory=dict)
    trouble: str = ""


class StoreMeaning(Meaning, Protocol):
    """What finds the memories of one store by what they mean."""

    patience: float
    """How many seconds it waits for the vector of a query."""

    def near_pairs(
        self,
        db: apsw.Connection,
        kind: str,
        project: str | None = None,
        progress: Progress | None = None,
    ) -> NearPairs:
        """Return the pairs of records of a kind and project that are nearly the same in meaning. What
        `progress` raises ends it."""
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
