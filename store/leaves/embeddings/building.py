"""Build vectors in the background: a few records at a time, newest first, until all have theirs; and
measure how much the model knows of what a memory says.

Each batch is stored while the memory's write lock is held, and only of records that nobody has touched
since they were read: so no vector comes after its text has gone. A killed build goes on where it was. A
changed model is built beside the one in use, and takes its place when it is whole. After a memory was
replaced or made anew nobody noted what changed: the vectors are compared with what it says.

A model knows a language where the memories that share the rarest words of one are also near to it by their
vectors. Measures that don't hold: how near two passages of one memory are (titles may say nothing), and the
same question asked of each query alone (chance lets one in ten pass).
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import sqrt
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import apsw

from ...config import EmbeddingsSettings
from ...database.transaction import Transaction
from ...platform.clock import now_ms
from ...providers.errors import ProviderError
from ...providers.usage import TokenUsage
from ...search.index import full_text as index
from ...search.index.documents import fetch
from ...search.matching import Matcher
from ...search.query.language import Query
from ...search.related.meaning import BuildResult
from ...search.related.passages import passages
from ...search.related.similar import like_by_words
from ...tables import unembedded
from ...text.language.scripts import SCRIPTS, script_of
from .folder import MEASURED, RATE, TRUST, WHOLE, VectorFolder, VectorsGoneError, follow
from .model import metered, settings_text
from .vector_file import Hash, Record, VectorFile, hash_of

if TYPE_CHECKING:
    from .blocks import Floats
    from .embedders import Embedder


SMALLEST_BATCH, LARGEST_BATCH = 16, 2_048
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
        self.size = SMALLEST_BATCH
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
            self.size = min(LARGEST_BATCH, 2 * self.size)
        elif seconds > LONG_SECONDS:
            self.size = max(SMALLEST_BATCH, self.size // 2)

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


SAMPLE = 100
"""Memories that are looked at."""
CANDIDATES, FEWEST_CANDIDATES = 100, 8
"""Of each so many that share its words are compared; fewer say nothing."""
FEWEST_MEASURED = 8
"""Of fewer memories of one script nothing is said."""

NEWEST = """
SELECT id, kind, record_id FROM documents WHERE id % ? = 0 ORDER BY id DESC LIMIT ?
"""


def measure(db: apsw.Connection, file: VectorFile) -> dict[str, float]:
    """Return the trust in a model, from 0 to 1, for each script that enough memories are in."""
    total = int(db.execute("SELECT coalesce(max(id), 0) FROM documents").get)
    rows: Any = db.execute(NEWEST, (max(1, total // (2 * SAMPLE)), 2 * SAMPLE)).fetchall()
    records: dict[int, Record] = {number: (kind, record) for number, kind, record in rows}
    results: dict[str, list[float]] = {name: [] for name in SCRIPTS}
    matcher = Matcher(db, Query())
    for document in fetch(db, records):
        correlations = results[script_of(document.joined())]
        if len(correlations) == SAMPLE:
            continue
        scored = like_by_words(matcher, document.id, CANDIDATES)
        value = _correlation(db, file, records[document.id], scored)
        if value is not None:
            correlations.append(value)
    return {name: _trust(values) for name, values in results.items() if len(values) >= FEWEST_MEASURED}


LANGUAGE_SAMPLE = 400
"""Records that are looked at, over the whole memory."""
SPREAD = """
SELECT id FROM documents WHERE id % max(1, (SELECT count(*) FROM documents) / ?) = 0
ORDER BY id DESC LIMIT ?
"""


def unknown_shares(db: apsw.Connection, model: Embedder) -> dict[str, float]:
    """Return for each script of a memory the share of tokens that a model doesn't know; empty where only
    a server or program could tell. Raises ProviderError."""
    ids = [number for (number,) in db.execute(SPREAD, (LANGUAGE_SAMPLE, LANGUAGE_SAMPLE))]
    texts: dict[str, list[str]] = {name: [] for name in SCRIPTS}
    for document in fetch(db, ids):
        texts[script_of(document.joined())] += passages(document)
    results = {name: model.unknown_share(some) for name, some in texts.items() if some}
    return {name: share for name, share in results.items() if share is not None}


CHANCE, CERTAIN = 0.05, 0.15
"""The mean correlation of words and vectors up to which chance may be at work, and from which on none
is."""
RECORDS = "SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value"


def _trust(correlations: Sequence[float]) -> float:
    """Return 1 for correlations that are no chance on average, 0 where they may be, else between."""
    doubt = 2 * stdev(correlations) / sqrt(len(correlations))
    return min(1.0, max(0.0, (mean(correlations) - doubt - CHANCE) / (CERTAIN - CHANCE)))


def _correlation(
    db: apsw.Connection, file: VectorFile, record: Record, scored: Sequence[tuple[int, float]]
) -> float | None:
    """Return how scores by words and cosines go together; None where too few have both."""
    import numpy as np

    rows: Any = db.execute(RECORDS, (json.dumps([number for number, _ in scored]),)).fetchall()
    of_record: dict[Record, int] = {(kind, item): number for number, kind, item in rows}
    passages = file.passages_of([record, *of_record])
    # What several say is embedded once, and near to itself whatever the model knows.
    held = Counter(value for _, _, value in passages)
    passages = [passage for passage in passages if held[passage[2]] == 1]
    ids, vectors = file.vectors(list(dict.fromkeys(entry for _, _, entry in passages)))
    places = {number: place for place, number in enumerate(ids)}
    own = [places[one] for kind, number, one in passages if (kind, number) == record]
    if not own:
        return None
    cosines = vectors @ vectors[own].mean(axis=0)
    nearest: dict[int, float] = {}
    for kind, number, one in passages:
        if (kind, number) != record:
            document = of_record[kind, number]
            nearest[document] = max(float(cosines[places[one]]), nearest.get(document, -1.0))
    pairs = [(score, nearest[number]) for number, score in scored if number in nearest]
    if len(pairs) < FEWEST_CANDIDATES:
        return None
    words, meaning = np.asarray(pairs).T
    if not words.std() or not meaning.std():
        return None
    return float(np.corrcoef(words, meaning)[0, 1])
