"""Nearness in meaning of what words found, as whoever asks for it sees it: by the word vectors that come
with memtui, or by a model of the user's, which the embeddings leaf asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import apsw

from ...records.dataclasses import dataclass, field

if TYPE_CHECKING:
    from concurrent.futures import Future

PATIENCE_SECONDS = 0.15
"""How long a search waits for the vector of a query, unless it is told otherwise."""
AMONG = 100
"""So many of the best by words are offered to be compared by meaning."""
LEAST_ALIKE = 0.4
"""The cosine of word vectors of two texts that are about one thing."""


@dataclass(frozen=True, slots=True)
class Near:
    """Documents by id with their cosine, the nearest first.

    `floor` is the cosine from which on one is like another; `trust`, from 0 to 1, is how much the model
    tells of these texts. `trouble` says in a sentence why the user's model tells nothing; `is_late`: it may
    before long.
    """

    cosines: Mapping[int, float] = field(default_factory=dict)
    floor: float = 0.0
    trust: float = 0.0
    trouble: str = ""
    is_late: bool = False


class Meaning(Protocol):
    """What tells how near documents are in meaning. Raises nothing: `Near.trouble` says what is wrong."""

    needs_words: bool
    """Whether it knows words alone: of a single one no more than a search for it, and of a turn no more
    than of its records."""

    def near_text(self, db: apsw.Connection, text: str, best: Sequence[int] = ()) -> Near:
        """Return how near those documents are to a text that are the `best` by words, best first: at least
        the first of them."""

    def near_document(self, db: apsw.Connection, document: int, best: Sequence[int] = ()) -> Near:
        """Return how near those that are the `best` by words are to another document."""


class StoreMeaning(Meaning, Protocol):
    """What tells of the memories of one store how near they are in meaning."""

    patience: float
    """How many seconds it waits for vectors that have to be made."""

    def nearest_passage(self, db: apsw.Connection, text: str, document: int) -> str:
        """Return the passage of a document that is nearest to a text, '' where it isn't known."""

    def awaited(self, text: str) -> Future[None] | None:
        """Return what is done when the vectors of a query whose hits by meaning are late have come, or
        can't come; None where none are awaited."""


class WordMeaning:
    """A `StoreMeaning` by the word vectors that come with memtui, of those alone that words found."""

    needs_words = True
    patience = 0.0

    def near_text(self, db: apsw.Connection, text: str, best: Sequence[int] = ()) -> Near:
        """As `Meaning` has it."""
        # Not before a search needs them: the table takes some milliseconds to read.
        from .word_meaning import near_text

        cosines, trust = near_text(db, text, best)
        return Near(cosines, LEAST_ALIKE, trust)

    def near_document(self, db: apsw.Connection, document: int, best: Sequence[int] = ()) -> Near:
        """As `Meaning` has it."""
        from .word_meaning import near_document

        cosines, trust = near_document(db, document, best)
        return Near(cosines, LEAST_ALIKE, trust)

    def nearest_passage(self, db: apsw.Connection, text: str, document: int) -> str:
        """As `StoreMeaning` has it."""
        from .word_meaning import nearest_passage

        return nearest_passage(db, text, document)

    def awaited(self, text: str) -> Future[None] | None:
        """As `StoreMeaning` has it: nothing is late."""
        return None


class Recorded:
    """A `Meaning` that notes what it said last, for whoever asked through others."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning
        self.needs_words = meaning.needs_words
        self.near = Near()

    def near_text(self, db: apsw.Connection, text: str, best: Sequence[int] = ()) -> Near:
        """As `Meaning` has it."""
        self.near = self._meaning.near_text(db, text, best)
        return self.near

    def near_document(self, db: apsw.Connection, document: int, best: Sequence[int] = ()) -> Near:
        """As `Meaning` has it."""
        self.near = self._meaning.near_document(db, document, best)
        return self.near
