"""The vectors of one open memory, as whoever asks for them sees them who neither makes nor searches them.

The embeddings leaf does. Where that is missing there is no search by meaning, and the files of vectors that
it left are deleted before they could outlive a text.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from ..database.files.vectors import drop_vectors
from ..database.transaction import Transaction
from ..records.dataclasses import dataclass
from ..tables import unembedded

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..config import EmbeddingsSettings
    from .query.language import Query
    from .related.meaning import StoreMeaning


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
        if drop_vectors(self.path) and unembedded.are_kept(self.db):
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
        drop_vectors(self.path)

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
