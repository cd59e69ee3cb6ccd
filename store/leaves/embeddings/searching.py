"""Nearness in meaning by the user's own model, of documents that words found.

Vectors are made when a search first needs them. Nothing here raises: where there is none, or none in time,
the word vectors that come with memtui tell instead, and it is said why.
"""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from functools import lru_cache
from operator import mul
from pathlib import Path
from threading import Lock, Thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING

import apsw

from ...config import EmbeddingsSettings, embeddings_settings
from ...platform.errors import ConfigurationError, StoreError
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...records.dataclasses import dataclass, field, replace
from ...search.index.documents import fetch
from ...search.related.meaning import PATIENCE_SECONDS, Near, WordMeaning
from ...search.related.passages import passages
from ...text.language.scripts import CHINESE, script_of
from .embedders import Vector
from .kept import Texts, as_kept, keep, kept

if TYPE_CHECKING:
    from ...store import Store
    from .embedders import Embedder

if sys.version_info >= (3, 12):
    from math import sumprod
else:

    def sumprod(vector: Vector, other: Vector) -> float:
        """Return the product of two vectors."""
        return float(sum(map(mul, vector, other)))


COMPARED = 50
"""So many of the best by words are compared."""
LONGEST_SECONDS = 5.0
"""How long a provider has for a query, and before no more documents are begun with."""
PAUSE_SECONDS = 15.0
"""A provider that failed isn't asked again before that."""
LOCK_SECONDS = 0.5
"""How long a lock of another process is waited for."""
REMEMBERED = 64
LONGEST_QUERY = 2_000
PAIRS = (
    *("登录失败", "用户进不了账号", "数据库很慢", "查询耗时太久", "删除旧文件", "清理过期资料"),
    *("测试都通过了", "检验全部成功", "价格上涨", "费用变贵", "服务器崩溃", "主机突然停机"),
)
"""Texts of which each two say nearly the same, without a character in common."""
BY_CHANCE, KNOWING = 4, 8
"""How many of them are nearest to their like up to which a model may know no Chinese, and from which on it
does."""
UNKNOWN = 0.4
"""Where a model doesn't know so large a share of a query's tokens, its vector says nothing of it."""


@dataclass(frozen=True, slots=True)
class WantedVectors:
    """What vectors are asked for: of a query, where it isn't empty, and of documents of a store by their
    ids, best first; and whether they are compared with what is Chinese."""

    query: str
    documents: Mapping[int, Texts]
    path: Path
    is_chinese: bool = False

    @property
    def key(self) -> str:
        """What it is waited for by."""
        return self.query or repr([*self.documents])


@dataclass(frozen=True, slots=True)
class MadeVectors:
    """The vectors that there are, of a query (None for none) and of documents; how far the model is
    trusted; in a sentence why some are missing, and whether these may come yet."""

    query: Vector | None = None
    trust: float = 1.0
    documents: dict[int, list[Vector]] = field(default_factory=dict)
    trouble: str = ""
    is_late: bool = False


class Asker:
    """Asks a model for vectors, on a thread of its own, one request at a time: of those that come meanwhile
    only the last is answered, since whoever types has no use for the others."""

    def __init__(self, model: Embedder) -> None:
        self.model = model
        self._trust_in_chinese: float | None = None
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._latest: dict[Texts, list[Vector]] = {}
        """The vectors of the last request's documents: where they can't be kept nothing else has them."""
        self._lock = Lock()
        self._asked: dict[str, Future[None]] = {}
        self._next: WantedVectors | None = None
        self._is_busy = False
        self._is_slow = False
        self._trouble = ""
        self._again_at = 0.0

    def get(self, request: WantedVectors, patience: float) -> MadeVectors:
        """Return the vectors of a request, as far as they are there after so many seconds."""
        trouble, is_late = "", False
        if not self._knows(request):
            if monotonic() >= self._again_at:
                there = self._ask(request)
                # Who types isn't made to wait, key after key, for what is slow.
                if not self._is_slow or patience > PATIENCE_SECONDS:
                    wait([there], patience)
                is_late = not there.done()
            trouble = self._trouble
            if is_late:
                self._is_slow = True
                trouble = _("No hits by meaning yet: {model} is slow.", model=self.model.name)
        latest = self._latest
        documents = {key: latest[texts] for key, texts in request.documents.items() if texts in latest}
        trust = (self._trust_in_chinese or 0.0) if request.is_chinese else 1.0
        return MadeVectors(self._queries.get(request.query), trust, documents, trouble, is_late)

    def awaited(self, query: str) -> Future[None] | None:
        """Return what is done when the vectors that were asked for with a query have come, or can't come;
        None where none are awaited."""
        return self._asked.get(query[:LONGEST_QUERY])

    def _knows(self, request: WantedVectors) -> bool:
        is_known = not request.query or request.query in self._queries
        is_known &= self._trust_in_chinese is not None or not request.is_chinese
        return is_known and all(texts in self._latest for texts in request.documents.values())

    def _ask(self, request: WantedVectors) -> Future[None]:
        with self._lock:
            there = self._asked.get(request.key)
            if there is not None:
                return there
            there = self._asked[request.key] = Future()
            # From now on nobody who waits for it can cancel it for the others.
            there.set_running_or_notify_cancel()
            dropped, self._next = self._next, request
            if not self._is_busy:
                self._is_busy = True
                # What runs here must not be cut off inside of its library, where that ends the process.
                Thread(target=self._answer, daemon=not self.model.is_local).start()
        if dropped is not None:
            self._done(dropped)
        return there

    def _answer(self) -> None:
        while (request := self._taken()) is not None and main_thread().is_alive():
            begun = monotonic()
            try:
                self._embed(request)
            except BaseException:
                self._is_busy = False
                raise
            finally:
                self._is_slow = monotonic() - begun > PATIENCE_SECONDS
                self._done(request)

    def _taken(self) -> WantedVectors | None:
        with self._lock:
            request, self._next = self._next, None
            self._is_busy = request is not None
            return request

    def _done(self, request: WantedVectors) -> None:
        with self._lock:
            there = self._asked.pop(request.key)
        there.set_result(None)

    def _embed(self, request: WantedVectors) -> None:
        self._trouble = ""
        try:
            if request.is_chinese and self._trust_in_chinese is None:
                self._trust_in_chinese = _trust(self.model.embed(PAIRS, seconds=LONGEST_SECONDS))
            if request.query and request.query not in self._queries:
                self._embed_query(request.query)
            self._embed_documents(request)
        except (ProviderError, StoreError, apsw.Error) as error:
            reason = error.reason if isinstance(error, ProviderError) else str(error)
            self._trouble = _(
                "No hits by meaning: {model} gave no vector. {reason}",
                model=self.model.name,
                reason=reason,
            )
            self._again_at = monotonic() + PAUSE_SECONDS

    def _embed_query(self, query: str) -> None:
        unknown = self.model.unknown_share([query])
        vector = self.model.embed([query], is_query=True, seconds=LONGEST_SECONDS)[0]
        if unknown is not None and unknown > UNKNOWN:
            vector = [0.0] * len(vector)
        self._queries[query] = vector
        while len(self._queries) > REMEMBERED:
            self._queries.popitem(last=False)

    def _embed_documents(self, request: WantedVectors) -> None:
        latest = {
            texts: self._latest[texts] for texts in request.documents.values() if texts in self._latest
        }
        self._latest = latest
        missing = {key: texts for key, texts in request.documents.items() if texts not in latest}
        if not missing:
            return
        end = monotonic() + LONGEST_SECONDS
        store = self._opened(request.path)
        try:
            for some in _batches(missing, self.model.at_once):
                if not main_thread().is_alive():
                    break
                vectors = self._vectors_of(store, some)
                latest |= {some[key]: vectors[key] for key in vectors}
                if store is not None:
                    keep(store, self.model.fingerprint, some, vectors)
                if monotonic() > end:
                    break
        finally:
            if store is not None:
                store.close()

    def _opened(self, path: Path) -> Store | None:
        """Return a store of this thread's own; None where it can't be written, and needn't be."""
        from ...store import Store

        try:
            return Store.open(path, patience=LOCK_SECONDS)
        except StoreError:
            if self.model.settings.is_metered:
                raise
            return None

    def _vectors_of(self, store: Store | None, documents: Mapping[int, Texts]) -> dict[int, list[Vector]]:
        """Return the vectors of documents, none of one that the model won't take. Raises ProviderError."""
        from .model import metered

        texts = [*dict.fromkeys(text for some in documents.values() for text in some)]
        try:
            vectors = dict(zip(texts, metered(store, self.model, texts), strict=True))
        except ProviderError as error:
            if error.kind not in ("refused", "invalid"):
                raise
            # It may be one of the texts: halves of them find out which.
            if len(documents) == 1:
                return {key: [] for key in documents}
            pairs = [*documents.items()]
            middle = len(pairs) // 2
            first, second = (dict(half) for half in (pairs[:middle], pairs[middle:]))
            return self._vectors_of(store, first) | self._vectors_of(store, second)
        return {key: [as_kept(vectors[text]) for text in some] for key, some in documents.items()}


class ModelMeaning(WordMeaning):
    """A `StoreMeaning` by the user's model. Without an asker word vectors tell, and `trouble` says why."""

    needs_words = False

    def __init__(self, asker: Asker | None, path: Path, patience: float, trouble: str = "") -> None:
        self.patience = patience
        self._asker = asker
        self._path = path
        self._trouble = trouble

    def near_text(self, db: apsw.Connection, text: str, best: Sequence[int] = ()) -> Near:
        """As `Meaning` has it."""
        answer = self._answer(db, text, best[:COMPARED])
        near = _near(answer, answer.query, answer.documents)
        return near if near.trust else _instead(super().near_text(db, text, best), near)

    def near_document(self, db: apsw.Connection, document: int, best: Sequence[int] = ()) -> Near:
        """As `Meaning` has it."""
        answer = self._answer(db, "", [document, *best[:COMPARED]])
        others = {key: vectors for key, vectors in answer.documents.items() if key != document}
        own = answer.documents.get(document)
        mean = [sum(numbers) / len(own) for numbers in zip(*own, strict=True)] if own else None
        near = _near(answer, mean, others)
        return near if near.trust else _instead(super().near_document(db, document, best), near)

    def nearest_passage(self, db: apsw.Connection, text: str, document: int) -> str:
        """As `StoreMeaning` has it."""
        answer = self._answer(db, text, [document])
        texts = [text for row in fetch(db, [document]) for text in passages(row)]
        vectors = answer.documents.get(document, [])
        if answer.query is None or not any(answer.query) or not answer.trust or len(vectors) != len(texts):
            return super().nearest_passage(db, text, document)
        products = [sumprod(answer.query, vector) for vector in vectors]
        return texts[products.index(max(products))]

    def awaited(self, text: str) -> Future[None] | None:
        """As `StoreMeaning` has it."""
        return None if self._asker is None else self._asker.awaited(text)

    def _answer(self, db: apsw.Connection, query: str, ids: Sequence[int]) -> MadeVectors:
        if self._asker is None:
            return MadeVectors(trouble=self._trouble)
        texts = {row.id: tuple(passages(row)) for row in fetch(db, ids)}
        known = kept(db, self._asker.model.fingerprint, texts)
        missing = {key: texts[key] for key in ids if texts.get(key) and key not in known}
        compared = query or "\n".join(texts.get(ids[0], ()))
        is_chinese = script_of(compared) == CHINESE
        request = WantedVectors(query.strip()[:LONGEST_QUERY], missing, self._path, is_chinese)
        answer = self._asker.get(request, self.patience)
        return replace(answer, documents=known | answer.documents)


def _near(answer: MadeVectors, wanted: Vector | None, documents: Mapping[int, list[Vector]]) -> Near:
    """Return how near documents are to a vector, each by its nearest passage."""
    cosines: dict[int, float] = {}
    if wanted is not None and any(wanted):
        size = len(wanted)
        cosines = {
            key: max(sumprod(wanted, vector) for vector in vectors)
            for key, vectors in documents.items()
            if vectors and len(vectors[0]) == size
        }
    floor = sum(cosines.values()) / (len(cosines) or 1)
    return Near(cosines, floor, answer.trust if cosines else 0.0, answer.trouble, answer.is_late)


def _trust(vectors: Sequence[Vector]) -> float:
    """Return how far a model is trusted that made these of `PAIRS`, from 0 to 1."""
    right = 0
    for place, vector in enumerate(vectors):
        products = [sumprod(vector, other) if other is not vector else -1.0 for other in vectors]
        right += products.index(max(products)) == place ^ 1
    return min(1.0, max(0.0, (right - BY_CHANCE) / (KNOWING - BY_CHANCE)))


def _instead(by_words: Near, near: Near) -> Near:
    """Return what word vectors tell, with why the model doesn't."""
    return replace(by_words, trouble=near.trouble, is_late=near.is_late)


def _batches(documents: Mapping[int, Texts], size: int) -> Iterator[dict[int, Texts]]:
    """Yield documents in batches of about so many passages."""
    batch: dict[int, Texts] = {}
    for key, texts in documents.items():
        batch[key] = texts
        if sum(map(len, batch.values())) >= size:
            yield batch
            batch = {}
    if batch:
        yield batch


def model_meaning(path: Path, patience: float) -> WordMeaning:
    """Return what compares the memories of a store by the model that is configured, which is waited for so
    many seconds; by word vectors where there is none."""
    try:
        settings = embeddings_settings()
        return WordMeaning() if settings is None else ModelMeaning(_asker(settings), path, patience)
    except ConfigurationError as error:
        return ModelMeaning(None, path, 0.0, _("No hits by meaning: {error}", error=error))


@lru_cache(maxsize=2)
def _asker(settings: EmbeddingsSettings) -> Asker:
    """The model of some settings, once a process: one that lies in a directory takes time to load."""
    from .model import embedder

    return Asker(embedder(settings))
