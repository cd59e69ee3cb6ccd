"""Search by meaning: the query's vector, from the user's model, and the documents nearest to it.

Nothing here raises: where there is no vector, or none in time, a search goes without, and says why.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, wait
from functools import lru_cache
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

import apsw

from ...config import EmbeddingsSettings, config_path, embeddings_settings
from ...platform.errors import ConfigurationError
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...records.dataclasses import replace
from ...search.index.documents import fetch
from ...search.query.filters import Where
from ...search.related.meaning import PATIENCE_SECONDS, Near, NearPairs, Progress
from ...search.related.passages import passages
from ...tables import unembedded
from ...text.language.scripts import script_of
from .folder import VectorFolder, trust_in
from .model import settings_of
from .nearest import near_pairs, nearest, similarity
from .vector_file import VectorFile, hash_of

if TYPE_CHECKING:
    from .blocks import Floats
    from .embedders import Embedder

LONGEST_SECONDS = 5.0
"""How long a provider has for a query at all."""
PAUSE_SECONDS = 15.0
"""A provider that failed isn't asked again before that."""
REMEMBERED = 64
LONGEST_QUERY = 2_000
UNREADABLE = _("The vectors can't be read ({error}): `mem embeddings build` repairs them.")
UNKNOWN = 0.4
"""Where a model doesn't know so large a share of a query's tokens, its vector says nothing of it."""


FAILURES = (ConfigurationError, ValueError, apsw.Error)
"""What may keep vectors from telling anything: the settings, the vectors, or their file."""


class QueryVectors:
    """The vectors of queries by one model, the last ones remembered.

    The model is asked on a thread of its own, one query at a time: of those that come meanwhile only the
    last is asked for, since whoever types has no use for the others.
    """

    def __init__(self, model: Embedder) -> None:
        self.model = model
        self._known: OrderedDict[str, Floats] = OrderedDict()
        self._lock = Lock()
        self._asked: dict[str, Future[None]] = {}
        self._next: str | None = None
        self._is_busy = False
        self._is_slow = False
        self._trouble = ""
        self._again_at = 0.0

    def get(self, text: str, patience: float) -> tuple[Floats | None, str, bool]:
        """Return the vector of a text, or why there is none in a sentence (`` where the model doesn't know
        its words), and whether it may come yet."""
        text = text[:LONGEST_QUERY]
        if text not in self._known:
            if monotonic() < self._again_at:
                return None, self._trouble, False
            there = self._ask(text)
            # Who types isn't made to wait, key after key, for what is slow.
            is_hopeless = self._is_slow and patience <= PATIENCE_SECONDS
            if not is_hopeless:
                wait([there], patience)
            if not there.done():
                self._is_slow = True
                slow = _("No hits by meaning yet: {model} is slow.", model=self.model.name)
                return None, slow, True
        result = self._known.get(text)
        return result, "" if result is not None else self._trouble, False

    def awaited(self, text: str) -> Future[None] | None:
        """Return what is done when the vector of a text that was asked for has come, or can't come; None
        where it isn't awaited."""
        return self._asked.get(text[:LONGEST_QUERY])

    def _ask(self, text: str) -> Future[None]:
        with self._lock:
            there = self._asked.get(text)
            if there is not None:
                return there
            there = self._asked[text] = Future()
            # From now on nobody who waits for it can cancel it for the others.
            there.set_running_or_notify_cancel()
            dropped, self._next = self._next, text
            if not self._is_busy:
                self._is_busy = True
                Thread(target=self._answer, daemon=True).start()
        if dropped is not None:
            self._done(dropped)
        return there

    def _answer(self) -> None:
        while (text := self._taken()) is not None:
            begun = monotonic()
            try:
                self._embed(text)
            except BaseException:
                self._is_busy = False
                raise
            finally:
                self._is_slow = monotonic() - begun > PATIENCE_SECONDS
                self._done(text)

    def _taken(self) -> str | None:
        with self._lock:
            text, self._next = self._next, None
            self._is_busy = text is not None
            return text

    def _done(self, text: str) -> None:
        with self._lock:
            there = self._asked.pop(text)
        there.set_result(None)

    def _embed(self, text: str) -> None:
        try:
            unknown = self.model.unknown_share([text])
            vector = self.model.embed([text], is_query=True, seconds=LONGEST_SECONDS)[0]
            if unknown is not None and unknown > UNKNOWN:
                vector = vector * 0
            self._known[text] = vector
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        except (ProviderError, ConfigurationError) as error:
            reason = error.reason if isinstance(error, ProviderError) else str(error)
            self._trouble = _(
                "No hits by meaning: {model} gave no vector. {reason}",
                model=self.model.name,
                reason=reason,
            )
            self._again_at = monotonic() + PAUSE_SECONDS


class MeaningSearch:
    """The vectors of one memory. Belongs to one thread, as its connection does; it is a `StoreMeaning`."""

    def __init__(self, database: Path) -> None:
        self.folder = VectorFolder(database)
        self.patience = PATIENCE_SECONDS
        self.needs_words = False

    def near_text(
        self,
        db: apsw.Connection,
        text: str,
        where: Where,
        limit: int,
        best: Sequence[int] = (),
    ) -> Near:
        """As `Meaning` has it."""
        try:
            file, queries = self._chosen(db)
            if file is None or queries is None or not text.strip():
                return Near(trouble=self._damage)
            vector, trouble, is_late = queries.get(text, self.patience)
            if vector is None or not vector.any():
                return Near(trouble=trouble, is_late=is_late)
            near = nearest(db, file, vector, where, limit)
            missing = [number for number in best if number not in near.cosines]
            others = similarity(db, file, vector, missing) if missing else {}
            trust = max(near.trust, trust_in(file).get(script_of(text), 1.0))
            return replace(near, cosines={**near.cosines, **others}, trust=trust)
        except FAILURES as error:
            return Near(trouble=_sentence(error, _("No hits by meaning")))

    def near_document(
        self, db: apsw.Connection, document: int, where: Where, limit: int, best: Sequence[int] = ()
    ) -> Near:
        """As `Meaning` has it."""
        try:
            file = self._chosen(db)[0]
            vector = None if file is None else self._vector_of(db, file, document)
            if file is None or vector is None:
                return Near(trouble=self._damage)
            near = nearest(db, file, vector, where, limit + 1)
            others = [pair for pair in near.cosines.items() if pair[0] != document]
            text = "".join(row.joined() for row in fetch(db, [document]))
            trust = trust_in(file).get(script_of(text), 1.0)
            return replace(near, cosines=dict(others[:limit]), trust=trust)
        except FAILURES as error:
            return Near(trouble=_sentence(error, _("No hits by meaning")))

    def nearest_passage(self, db: apsw.Connection, text: str, document: int) -> str:
        """As `StoreMeaning` has it."""
        try:
            file, queries = self._chosen(db)
            vector = queries.get(text, self.patience)[0] if queries is not None else None
            texts = [text for row in fetch(db, [document]) for text in passages(row)]
            if file is None or vector is None or not texts:
                return ""
            hashes = {hash_of(text): text for text in texts}
            known = {number: hashes[hash] for hash, number in file.known(hashes).items()}
            ids, vectors = file.vectors([*known])
            return known[ids[int((vectors @ vector).argmax())]] if ids else ""
        except FAILURES:
            return ""

    def near_pairs(
        self,
        db: apsw.Connection,
        kind: str,
        project: str | None = None,
        progress: Progress | None = None,
    ) -> NearPairs:
        """As `StoreMeaning` has it."""
        try:
            file = self._chosen(db)[0]
            if file is None:
                return NearPairs()
            pairs = near_pairs(db, file, kind, project, progress)
            return NearPairs(tuple(pairs), trust_in(file))
        except FAILURES as error:
            return NearPairs(trouble=_sentence(error, _("Nothing is compared by meaning")))

    def awaited(self, db: apsw.Connection, text: str) -> Future[None] | None:
        """Return what is done when the vector of a query that is late has come, or can't come; None where
        none is awaited."""
        _, queries = self._chosen(db)
        return None if queries is None else queries.awaited(text)

    def close(self) -> None:
        """Close the files."""
        self.folder.close()

    @property
    def _damage(self) -> str:
        """What to do about vectors that can't be read; `` where there are none of these."""
        if not self.folder.damaged:
            return ""
        return _("The vectors are damaged: `mem embeddings build` makes them again.")

    def _chosen(self, db: apsw.Connection) -> tuple[VectorFile | None, QueryVectors | None]:
        """Return the file to be searched and its model; None and None where there is nothing to search."""
        state = unembedded.state(db)
        settings = None if state is None else configured()
        if state is None or settings is None:
            return None, None
        wanted = _queries(settings)
        file = self.folder.current(wanted.model.fingerprint, state)
        if file is None:
            return None, None
        if file.path.stem == wanted.model.fingerprint:
            return file, wanted
        return file, _queries(settings_of(file.noted("settings")))

    def _vector_of(self, db: apsw.Connection, file: VectorFile, document: int) -> Floats | None:
        """Return the mean of a document's vectors, of unit length."""
        import numpy as np

        sql = "SELECT kind, record_id FROM documents WHERE id = ?"
        records: Any = db.execute(sql, (document,)).fetchall()
        _, vectors = file.vectors([vector for _, _, vector in file.passages_of(records)])
        if not len(vectors):
            return None
        mean: Floats = vectors.mean(axis=0)
        return mean / max(float(np.linalg.norm(mean)), 1e-9)


def _sentence(error: Exception, lost: str) -> str:
    """Return what an error means for a search, in a sentence. An interrupt is none, and raised again."""
    if isinstance(error, apsw.InterruptError):
        raise error
    return UNREADABLE.format(error=error) if isinstance(error, apsw.Error) else f"{lost}: {error}"


def configured() -> EmbeddingsSettings | None:
    """Return what `[embeddings]` says; None where it is off. ConfigurationError where it can't be read."""
    path = config_path()
    try:
        result = path.stat()
    except OSError:
        return None
    return _read(path, result.st_mtime_ns, result.st_size)


@lru_cache(maxsize=1)
def _read(path: Path, _changed: int, _size: int) -> EmbeddingsSettings | None:
    return embeddings_settings(path)


@lru_cache(maxsize=2)
def _queries(settings: EmbeddingsSettings) -> QueryVectors:
    """The model of some settings, once a process: one that lies in a directory takes time to load."""
    from .model import embedder

    return QueryVectors(embedder(settings))
