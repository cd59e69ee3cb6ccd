"""Search by meaning and the vectors of a memory, as whoever asks for them sees them who makes none.

The embeddings leaf makes and searches them. Where that is missing nothing is found by meaning, and the
files of vectors that it left are deleted before they could outlive a text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import apsw

from ...database.transaction import Transaction
from ...records.dataclasses import dataclass, field
from ...tables import unembedded
from ..query.filters import Where

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ...config import EmbeddingsSettings
    from ..query.language import Query

PATIENCE_SECONDS = 0.15
"""How long a search waits for the vector of a query, unless it is told otherwise."""
AMONG = 100
"""So many of the best by words are compared by meaning, and so many of the nearest come to them."""
LEAST_ALIKE = 0.4
"""The cosine of word vectors of two texts that are about one thing."""


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

    needs_words: bool
    """Whether it compares what words found, and knows of a single word no more than they do."""

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

    def near_document(
        self, db: apsw.Connection, document: int, where: Where, limit: int, best: Sequence[int] = ()
    ) -> Near:
        """Return the documents nearest to another one, which isn't among them, and with them those that are
        the `best` by words."""
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

    def nearest_passage(self, db: apsw.Connection, text: str, document: int) -> str:
        """Return the passage of a document that is nearest to a text, '' where it isn't known."""
        ...

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


class WordMeaning:
    """A `StoreMeaning` by the word vectors that come with memtui, of those alone that words found."""

    needs_words = True
    patience = 0.0

    def near_text(
        self, db: apsw.Connection, text: str, where: Where, limit: int, best: Sequence[int] = ()
    ) -> Near:
        """As `Meaning` has it."""
        # Not before a search needs them: the table takes some milliseconds to read.
        from .word_meaning import near_text

        cosines, trust = near_text(db, text, best)
        return Near(cosines, LEAST_ALIKE, trust)

    def near_document(
        self, db: apsw.Connection, document: int, where: Where, limit: int, best: Sequence[int] = ()
    ) -> Near:
        """As `Meaning` has it."""
        from .word_meaning import near_document

        cosines, trust = near_document(db, document, best)
        return Near(cosines, LEAST_ALIKE, trust)

    def nearest_passage(self, db: apsw.Connection, text: str, document: int) -> str:
        """As `StoreMeaning` has it."""
        from .word_meaning import nearest_passage

        return nearest_passage(db, text, document)

    def near_pairs(
        self, db: apsw.Connection, kind: str, project: str | None = None, progress: Progress | None = None
    ) -> NearPairs:
        """As `StoreMeaning` has it: none, since nothing is compared with all others."""
        return NearPairs()


class Recorded:
    """A `Meaning` that notes what it said last, for whoever asked through others."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning
        self.needs_words = meaning.needs_words
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

    def near_document(
        self, db: apsw.Connection, document: int, where: Where, limit: int, best: Sequence[int] = ()
    ) -> Near:
        """As `Meaning` has it."""
        self.near = self._meaning.near_document(db, document, where, limit, best)
        return self.near


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build did: records and passages embedded, and how many records are left. `stopped` says why
    it ended before it was through, `` where it is through or only its time was up."""

    records: int = 0
    passages: int = 0
    left: int = 0
    stopped: str = ""


class Vectors:
    """The vectors of a memory that nothing here can make or search."""

    def __init__(self, db: apsw.Connection, transaction: Transaction, path: Path) -> None:
        self.db = db
        self.path = path
        self._transaction = transaction

    @property
    def meaning(self) -> StoreMeaning | None:
        """What finds memories by what they mean; None where nothing does."""
        return None

    def awaited(self, query: Query) -> Future[None] | None:
        """Return what is done when the vector of a query whose hits by meaning are late has come, or can't
        come; None where none is awaited."""
        return None

    def follow(self) -> None:
        """Take the vectors of what was hidden, reworded or deleted out; inside a transaction, before it
        commits."""
        if unembedded.drop_vectors(self.path) and unembedded.are_kept(self.db):
            unembedded.note_followed(self.db, unembedded.new_state())

    def try_to_follow(self) -> bool:
        """Try again to take out the vectors of texts that are gone; whether none are left."""
        if unembedded.is_outdated(self.db):
            # Vectors follow before a transaction commits.
            with self._transaction:
                pass
        return not unembedded.is_outdated(self.db)

    def take_over(self, old: apsw.Connection, path: Path) -> None:
        """Keep vectors in this memory, which is about to take the place of another at a path, if that did;
        and take out of its files what this one doesn't say, before it can be asked for."""
        unembedded.take_over(old, self.db)

    def settle(self) -> None:
        """Have the vectors be those of what the memory says, whatever it was before it was replaced or made
        anew: compare them with its rows, or delete them where none are kept."""
        unembedded.drop_vectors(self.path)

    def can_build(self, settings: EmbeddingsSettings) -> bool:
        """Return whether a build would do something now: vectors are kept, some of this model's are
        missing, its provider may be asked, and nobody builds already."""
        return False

    def build(
        self,
        settings: EmbeddingsSettings,
        *,
        seconds: float | None = None,
        insist: bool = False,
        patience: float = 0.0,
    ) -> BuildResult:
        """Build vectors for about so many seconds, or until all have theirs. `insist` ends a backoff
        first; another process that builds is waited for `patience` seconds.

        ConfigurationError where the model can't be used at all; what its provider says stands in the
        result.
        """
        return BuildResult()

    def close(self) -> None:
        """Close the files."""
