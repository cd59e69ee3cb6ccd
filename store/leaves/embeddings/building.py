"""Build vectors in the background: a few records at a time, newest first, until all have theirs.

Each batch is stored while the memory's write lock is held, and only of records that nobody has touched
since they were read: so no vector comes after its text has gone. A killed build goes on where it was. A
changed model is built beside the one in use, and takes its place when it is whole. After a memory was
replaced or made anew nobody noted what changed: the vectors are compared with what it says.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import apsw

from ...config import EmbeddingsSettings
from ...database.transaction import Transaction
from ...platform.clock import now_ms
from ...providers.errors import ProviderError
from ...providers.usage import TokenUsage
from ...search.index import full_text as index
from ...search.index.documents import fetch
from ...search.vectors import BuildResult
from ...tables import unembedded
from .embedder import metered, passages, settings_text
from .folder import MEASURED, RATE, TRUST, WHOLE, VectorFolder, VectorsGoneError, follow
from .knowledge import measure
from .vector_file import Hash, Record, VectorFile, hash_of

if TYPE_CHECKING:
    from .blocks import Floats
    from .embedder import Embedder

FEWEST, MOST = 16, 2_048
"""Records of a batch: as many as take a second or two."""
BRIEF_SECONDS, LONG_SECONDS = 0.7, 3.0
GROWN = 1.5
PROBE = "memory"
"""A text that any model takes: where it refuses that too, it isn't the texts' fault."""

Progress = Callable[[int, int], object]


class Builder:
    """Builds the vectors of one model. Whoever uses it holds the lock of builders."""

    def __init__(
        self,
        transaction: Transaction,
        folder: VectorFolder,
        settings: EmbeddingsSettings,
        model: Embedder,
        usage: TokenUsage,
    ) -> None:
        self.db = transaction.db
        self.transaction = transaction
        self.folder = folder
        self.settings = settings
        self.model = model
        self.usage = usage
        self.size = FEWEST
        folder.drop_damaged()
        self.file: VectorFile = folder.create(model.fingerprint)

    def prepare(self) -> None:
        """Note what is to be embedded, where a file is new or of another state of the memory."""
        with self.transaction:
            unembedded.keep(self.db)
            self._follow()
            with self.folder.dropping_damaged(self.file), self.file.transaction():
                # Keys and timeouts may have changed: queries are asked with the latest.
                self.file.note("name", self.model.name)
                self.file.note("settings", settings_text(self.settings))
            bring_to_state(self.db, self.folder)
            self._follow()

    def build(self, *, deadline: float | None = None, progress: Progress | None = None) -> BuildResult:
        """Embed what is due until a deadline, in monotonic seconds; one batch at least. Raises
        ProviderError, VectorsGoneError, and apsw's errors where the file can't be read or written."""
        records = made = 0
        total = self.file.count("due")
        while batch := self._batch():
            began = time.monotonic()
            new = self._embed(*batch)
            records, made = records + len(batch[0]), made + new
            self._adapt(time.monotonic() - began, new)
            if progress:
                progress(min(records, total), total)
            if deadline is not None and time.monotonic() > deadline:
                break
        left = self.file.count("due")
        self._measure()
        if not left:
            self._switch()
        return BuildResult(records, made, left)

    def _measure(self) -> None:
        """Note the trust in the model, where there are half as many records again as when it was measured
        last."""
        records, before = self.file.count("records"), self.file.noted(MEASURED)
        if before is not None and records < GROWN * int(before):
            return
        trust = json.dumps(measure(self.db, self.file))
        with self.file.transaction():
            self.file.roughen()
            self.file.note(TRUST, trust)
            self.file.note(MEASURED, records)

    def _adapt(self, seconds: float, passages: int) -> None:
        """Make batches as large as take a second or two, and note how fast it goes."""
        if passages and seconds > 0:
            with self.file.transaction():
                self.file.note(RATE, passages / seconds)
        if seconds < BRIEF_SECONDS:
            self.size = min(MOST, 2 * self.size)
        elif seconds > LONG_SECONDS:
            self.size = max(FEWEST, self.size // 2)

    def _switch(self) -> None:
        """Have searches use this file, and delete those of other models."""
        if not self.file.noted(WHOLE):
            with self.file.transaction():
                self.file.note(WHOLE, now_ms())
        self.folder.drop(keep=self.file.path.stem)

    def _batch(self) -> tuple[dict[Record, int], dict[Record, list[str]]] | None:
        """Return some records that are due with their places in the queue, and the passages of those that
        are there yet; None where none is due.

        Both are read while nobody can write: whoever changes a memory gives it a new place before the
        change can be read.
        """
        with self.transaction:
            self._follow()
            places = {(kind, number): place for place, kind, number in self.file.due(self.size)}
            return (places, texts_of(self.db, [*places])) if places else None

    def _embed(self, records: dict[Record, int], texts: dict[Record, list[str]]) -> int:
        """Embed the passages of records; how many had no vector yet."""
        hashes = hashes_of(texts)
        stored = self.file.known(hash for results in hashes.values() for hash in results)
        missing = {
            hash: text
            for pair, matches in texts.items()
            for hash, text in zip(hashes[pair], matches, strict=True)
            if hash not in stored
        }
        vectors = self._vectors(missing)
        refused = missing.keys() - vectors.keys()
        accepted = {
            entry: [hash for hash in of_kind if hash not in refused] for entry, of_kind in hashes.items()
        }
        self._store(records, accepted, vectors)
        return len(missing)

    def _vectors(self, texts: dict[Hash, str]) -> dict[Hash, Floats]:
        """Return the vectors of texts, without those that the model won't take. Raises ProviderError."""
        if not texts:
            return {}
        try:
            return dict(zip(texts, self._asked([*texts.values()]), strict=True))
        except ProviderError as error:
            if error.kind not in ("refused", "invalid"):
                raise
            # It may be one of the texts: halves of them find out which.
            self._asked([PROBE])
        if len(texts) == 1:
            return {}
        pairs = [*texts.items()]
        middle = len(pairs) // 2
        return self._vectors(dict(pairs[:middle])) | self._vectors(dict(pairs[middle:]))

    def _asked(self, texts: list[str]) -> Floats:
        return metered(self.usage, self.settings, self.model, texts)

    def _store(
        self,
        records: dict[Record, int],
        hashes: dict[Record, list[Hash]],
        vectors: dict[Hash, Floats],
    ) -> None:
        """Store vectors of those records that are as they were read, while nobody can change them."""
        with self.transaction:
            before = unembedded.state(self.db)
            self._follow()
            state = unembedded.state(self.db)
            with self.folder.dropping_damaged(self.file), self.file.transaction():
                there = self.file.still_due(records.values())
                current = {pair: results for pair, results in hashes.items() if records[pair] in there}
                # A vector that was known may have gone with its record meanwhile.
                stored = self.file.known(hash for matches in current.values() for hash in matches)
                whole = {
                    entry: passages
                    for entry, passages in current.items()
                    if all(hash in stored or hash in vectors for hash in passages)
                }
                needed = {hash for passages in whole.values() for hash in passages}
                self.file.put(whole, {hash: item for hash, item in vectors.items() if hash in needed})
                gone = [record for record in records if record not in hashes and records[record] in there]
                self.file.forget(gone)
                self.file.not_due(records[one] for one in whole)
                if state is not None and self.file.is_of(state):
                    # What is stored is of both.
                    self.file.bring_to(state, None if before == state else before)

    def _follow(self) -> None:
        """Bring the file to the present state of the memory. Raises VectorsGoneError."""
        index.catch_up(self.db)
        follow(self.db, self.folder)
        if not unembedded.are_kept(self.db) or self.folder.file(self.file.path.stem) is not self.file:
            raise VectorsGoneError("The vectors were dropped meanwhile.")


def bring_to_state(db: apsw.Connection, folder: VectorFolder) -> None:
    """Compare those files that are of another state with the memory; inside a transaction of it."""
    state = unembedded.state(db)
    for file in folder.files():
        with suppress(VectorsGoneError), folder.dropping_damaged(file):
            if state is not None and not file.is_of(state):
                compare(db, file, state)


AT_ONCE = 2_000
"""Records that are read at once."""
ALL = "SELECT kind, record_id FROM documents ORDER BY created_at, id"
DOCUMENT_IDS = """
SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d
ON d.kind = j.value ->> 0 AND d.record_id = j.value ->> 1
"""


def texts_of(db: apsw.Connection, records: Sequence[Record]) -> dict[Record, list[str]]:
    """Return the passages of those records that are documents; inside a transaction."""
    rows: Any = db.execute(DOCUMENT_IDS, (json.dumps(records),)).fetchall()
    names: dict[int, Record] = {number: (kind, record) for number, kind, record in rows}
    return {names[document.id]: passages(document) for document in fetch(db, [*names])}


def hashes_of(texts: dict[Record, list[str]]) -> dict[Record, list[Hash]]:
    """Return what the passages of records are known by."""
    return {record: [hash_of(text) for text in hashes] for record, hashes in texts.items()}


def compare(db: apsw.Connection, file: VectorFile, state: str) -> None:
    """Bring a file of another state to that of the memory: take out of it what the memory doesn't say,
    and note what is missing. Inside a transaction of the memory that may write."""
    rows: Any = db.execute(ALL).fetchall()
    records: list[Record] = [*rows]
    with file.transaction():
        file.forget_except(records)
        is_empty = not file.count("records")
        for begin in range(0, len(records), AT_ONCE):
            batch = records[begin : begin + AT_ONCE]
            if not is_empty:
                batch = _take_out_others(db, file, batch)
            file.set_due(batch)
        file.bring_to(state)


def _take_out_others(db: apsw.Connection, file: VectorFile, records: Sequence[Record]) -> list[Record]:
    """Take out those of some records that hold a vector of what they don't say; return those that lack
    any."""
    stored = file.hashes_of(records)
    said = hashes_of(texts_of(db, records))
    file.forget([pair for pair, results in stored.items() if results.difference(said.get(pair, ()))])
    return [record for record in records if stored.get(record) != set(said.get(record, ()))]
