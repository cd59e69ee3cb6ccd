"""The vectors of a store: building them, how far they are, dropping them, searching by them, and a first
look at a model."""

from __future__ import annotations

import time
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from ...config import EmbeddingsSettings, compares_meaning, embeddings_settings
from ...database.files import disk
from ...database.files.locks import FileLock
from ...database.health import Check
from ...database.transaction import Transaction
from ...platform.errors import ConfigurationError, DatabaseError
from ...platform.paths import make_spool_directory
from ...platform.translation import N_, _
from ...providers.errors import MINUTE, ProviderError
from ...providers.usage import Backoffs, TokenUsage
from ...records.dataclasses import dataclass, replace
from ...search.related.meaning import BuildResult, Vectors
from ...tables import unembedded
from ...text.tokens import estimate_tokens
from .folder import RATE, WHOLE, VectorFolder, VectorsGoneError, trust_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Future

    from ...maintain.doctor import Examination
    from ...search.query.language import Query
    from ...store import Store
    from .blocks import Floats
    from .building import Progress
    from .embedders import Embedder
    from .searching import MeaningSearch


LOCK_NAME = "worker-vectors"
BACKOFF = "embeddings_rest"
BUSY = _("Another process builds vectors.")


@dataclass(frozen=True, slots=True)
class VectorStatus:
    """How far the vectors of a model are.

    `records` of `total` have theirs, `passages` in all; `tokens` and `seconds` are about what the rest
    takes (None where nothing is known), `dollars` its price. `trust`, from 0 to 1, says of each script of
    the memory how much the model knows of what is written in it. `searched` is the name of the model
    that searches use now, which is another one while this one is being built; `` for none.
    """

    name: str
    dimensions: int = 0
    records: int = 0
    total: int = 0
    passages: int = 0
    bytes: int = 0
    is_whole: bool = False
    tokens: int | None = None
    seconds: float | None = None
    dollars: float | None = None
    trust: tuple[tuple[str, float], ...] = ()
    searched: str = ""
    trouble: str = ""

    @property
    def left(self) -> int:
        """Records that have no vectors yet."""
        return max(0, self.total - self.records)


class StoredVectors(Vectors):
    """The vectors of one open memory."""

    def __init__(self, db: apsw.Connection, transaction: Transaction, path: Path) -> None:
        super().__init__(db, transaction, path)
        self._folder = VectorFolder(path)
        self._backoffs = Backoffs(db, transaction, BACKOFF)
        self._loaded: tuple[EmbeddingsSettings, Embedder] | None = None

    @cached_property
    def meaning(self) -> MeaningSearch:
        """What finds memories by what they mean."""
        from .searching import MeaningSearch

        return MeaningSearch(self.path)

    def awaited(self, query: Query) -> Future[None] | None:
        return self.meaning.awaited(self.db, query.plain_text)

    def follow(self) -> None:
        if unembedded.is_outdated(self.db):
            from .folder import follow

            follow(self.db, self._folder)

    def take_over(self, old: apsw.Connection, path: Path) -> None:
        super().take_over(old, path)
        from .building import bring_to_state

        with closing(VectorFolder(path)) as folder, self._transaction:
            bring_to_state(self.db, folder)

    def settle(self) -> None:
        if not unembedded.are_kept(self.db):
            self._folder.drop()
            return
        if not self._folder.files():
            return
        from .building import bring_to_state

        with self._transaction:
            bring_to_state(self.db, self._folder)

    @property
    def are_kept(self) -> bool:
        """Whether vectors are kept of this memory."""
        return unembedded.are_kept(self.db)

    def keep(self) -> None:
        """Keep vectors from now on: jobs build them."""
        with self._transaction:
            unembedded.keep(self.db)

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.path.stat().st_size for file in self._folder.files())

    @property
    def damaged(self) -> list[Path]:
        """The files that can't be opened; the next build makes them anew."""
        self._folder.files()
        return self._folder.damaged

    def can_build(self, settings: EmbeddingsSettings) -> bool:
        if not self.are_kept:
            return False
        from .model import embedder

        try:
            fingerprint = embedder(settings).fingerprint
        except ConfigurationError:
            return False
        if self._folder.file(fingerprint) is not None and not self.is_due():
            return False
        if self._backoffs.current(fingerprint) is not None:
            return False
        with FileLock(str(make_spool_directory(self.path) / LOCK_NAME)) as is_free:
            return is_free

    def embed(self, settings: EmbeddingsSettings, texts: Sequence[str]) -> Floats:
        """Return the vectors of texts, a row each, counted where they cost something; the model stays
        loaded for the next. Raises ProviderError; ConfigurationError where it can't be used at all."""
        from .model import embedder, metered

        if self._loaded is None or self._loaded[0] != settings:
            self._loaded = (settings, embedder(settings))
        usage = TokenUsage(self.db, self._transaction)
        return metered(usage, settings, self._loaded[1], texts)

    def unknown_shares(self, settings: EmbeddingsSettings) -> dict[str, float]:
        """Return for each script of the memory the share of tokens that the model doesn't know, by a
        sample; empty where only its server or program could tell. Raises ProviderError;
        ConfigurationError where the model can't be used at all."""
        from .building import unknown_shares
        from .model import embedder

        return unknown_shares(self.db, embedder(settings))

    def is_due(self) -> bool:
        """Return whether vectors are kept, and some are still to be built."""
        state = unembedded.state(self.db)
        if state is None:
            return False
        try:
            files = self._folder.files()
            is_built = all(file.is_of(state) and not file.is_due() for file in files)
        except apsw.Error:
            is_built = False
        return not files or not is_built or unembedded.is_waiting(self.db)

    def build(
        self,
        settings: EmbeddingsSettings,
        *,
        seconds: float | None = None,
        insist: bool = False,
        patience: float = 0.0,
        progress: Progress | None = None,
    ) -> BuildResult:
        """As `Vectors` has it; `progress` is told how many records are embedded, and of how many."""
        from .building import Builder
        from .model import embedder

        model = embedder(settings)
        fingerprint = model.fingerprint
        if insist:
            self._backoffs.end()
        if (rest := self._backoffs.current(fingerprint)) is not None:
            return BuildResult(left=self.status(settings).left, stopped=rest.reason)
        lock = make_spool_directory(self.path) / LOCK_NAME
        deadline = None if seconds is None else time.monotonic() + seconds
        with FileLock(str(lock), patience) as is_builder:
            if not is_builder:
                left = self.status(settings).left
                return BuildResult(left=left, stopped=BUSY)
            usage = TokenUsage(self.db, self._transaction)
            builder = Builder(self._transaction, self._folder, settings, model, usage)
            try:
                builder.prepare()
                done = builder.build(deadline=deadline, progress=progress)
            except ProviderError as error:
                # Some errors are their message's own elsewhere; here the model is asked the same again.
                again = 0 if error.rule.backoff_ms else MINUTE
                self._backoffs.begin(fingerprint, error, again_ms=again)
                stopped = f"{model.name}: {error.reason}"
            except VectorsGoneError as error:
                stopped = str(error)
            except (apsw.BusyError, apsw.FullError) as error:
                sentence = disk.sentence(error, builder.file.path)
                stopped = sentence or _("Another process keeps the vectors locked.")
            except (apsw.Error, ValueError) as error:
                self._folder.drop_file(builder.file)
                stopped = _unreadable(error)
            else:
                self._backoffs.end()
                return done
        return BuildResult(left=self.status(settings).left, stopped=stopped)

    def drop(self) -> bool:
        """Delete all vectors, and keep none from now on; whether there were any. DatabaseError where they
        can't be deleted."""
        with self._transaction:
            were_kept = unembedded.are_kept(self.db)
            if not self._folder.drop():
                raise DatabaseError(
                    "The vectors in {path} can't be deleted, so nothing was changed. Check the "
                    "permissions of that directory.",
                    path=self._folder.path,
                )
            unembedded.set_state(self.db, None)
        self._backoffs.end()
        return were_kept

    def status(self, settings: EmbeddingsSettings) -> VectorStatus:
        """Return how far the vectors of a model are. ConfigurationError where it can't be used at all."""
        from .model import embedder

        model = embedder(settings)
        total = int(self.db.execute("SELECT count(*) FROM documents").get)
        rest = self._backoffs.current(model.fingerprint)
        trouble = rest.reason if rest else ""
        if not self._transaction.read_only and not self.try_to_follow():
            content = _(
                "{path} can't be written: vectors of what was changed stay there.",
                path=self._folder.path,
            )
            trouble = content
        try:
            vector_status = self._status_of_files(model.name, model.fingerprint, total, settings)
        except (apsw.Error, ValueError) as error:
            return VectorStatus(model.name, total=total, trouble=trouble or _unreadable(error))
        if self._folder.damaged:
            content = _("{path} is damaged; the next build makes it again.", path=self._folder.damaged[0])
            trouble = trouble or content
        return replace(vector_status, trouble=trouble)

    def _status_of_files(
        self, name: str, fingerprint: str, total: int, settings: EmbeddingsSettings
    ) -> VectorStatus:
        state = unembedded.state(self.db)
        file = self._folder.file(fingerprint)
        current = None if state is None else self._folder.current(fingerprint, state)
        searched = str(current.noted("name") or "") if current else ""
        if file is None or state is None:
            tokens = self._tokens(total, settings)
            dollars = settings.dollars(tokens) if settings.is_metered else 0.0
            return VectorStatus(name, total=total, tokens=tokens, dollars=dollars, searched=searched)
        records, passages = min(total, file.count("records")), file.count("passages")
        left = total - records
        rate = file.noted(RATE)
        wanted = left * passages / records if records else None
        tokens = self._tokens(left, settings)
        return VectorStatus(
            name,
            file.dimensions,
            records,
            total,
            passages,
            file.path.stat().st_size,
            bool(file.noted(WHOLE)),
            tokens,
            wanted / rate if wanted is not None and rate else None,
            settings.dollars(tokens, 0) if settings.is_metered else 0.0,
            tuple(trust_in(file).items()),
            searched,
        )

    def close(self) -> None:
        self._folder.close()
        if "meaning" in self.__dict__:
            self.meaning.close()

    def _tokens(self, left: int, settings: EmbeddingsSettings) -> int:
        """Return about how many tokens so many records have, by the newest ones."""
        from ...search.index.documents import fetch
        from ...search.related.passages import passages

        if not left:
            return 0
        ids = [item for (item,) in self.db.execute("SELECT id FROM documents ORDER BY id DESC LIMIT 100")]
        tokens = [
            sum(estimate_tokens(settings.document_prefix + text) for text in passages(document))
            for document in fetch(self.db, ids)
        ]
        return round(left * sum(tokens) / max(1, len(tokens)))


def _unreadable(error: Exception) -> str:
    return _("The vectors can't be read ({error}): `mem embeddings build` makes them again.", error=error)


def vectors_in(store: Store) -> StoredVectors:
    """Return the vectors of an open store with all that can be asked of them."""
    assert isinstance(store.vectors, StoredVectors)
    return store.vectors


NAME = N_("embeddings")
"""What `mem doctor` calls them."""


def vectors_check(vectors: StoredVectors) -> Check:
    """Return how far the vectors are; not well where a file is damaged, or the model can't be used."""
    if damaged := vectors.damaged:
        remedy = _("mem embeddings build makes it again; mem embeddings drop deletes it.")
        return Check(NAME, False, _("{path} is damaged", path=damaged[0]), remedy)
    try:
        settings = embeddings_settings()
        if settings is None:
            size = f"{vectors.size / 1e6:,.1f}"
            own = _("word vectors of memtui's own") if compares_meaning() else _("off")
            result = _("{own}; {size} MB of vectors stay", own=own, size=size) if vectors.size else own
            return Check(NAME, True, result)
        status = vectors.status(settings)
    except ConfigurationError as error:
        return Check(NAME, False, str(error), _("Searches go without vectors until then."))
    if not vectors.are_kept:
        return Check(
            NAME,
            True,
            _("{model}, but none of this store: mem embeddings build begins", model=status.name),
        )
    share = int(100 * status.records / status.total) if status.total else 100
    content = _(
        "{model}: {share} % of {total} records built",
        model=status.name,
        share=share,
        total=f"{status.total:,}",
    )
    if status.trouble:
        remedy = _("mem embeddings test tries the model, mem embeddings build goes on at once.")
        return Check(NAME, False, f"{content}. {status.trouble}", remedy)
    return Check(NAME, True, content)


EXAMINATION: Examination = (NAME, lambda store: iter([vectors_check(vectors_in(store))]))
"""What `mem doctor` looks at."""


TEXT = "The login failed because the clock of the server was two minutes late."
SAMPLE = tuple(f"{number}. {TEXT} {TEXT}" for number in range(16))
"""Texts of nobody's own, about as long as a passage of a memory: none of that leaves the machine yet."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How many numbers a vector has, the seconds that one text took, and tokens a second of many."""

    dimensions: int
    seconds: float
    tokens_a_second: float


def try_out(vectors: StoredVectors, settings: EmbeddingsSettings) -> Trial:
    """Embed a few texts. Raises ProviderError; ConfigurationError where the model can't be used at all."""
    dimensions = vectors.embed(settings, [TEXT]).shape[1]
    # The first call may have had to load the model.
    began = time.perf_counter()
    vectors.embed(settings, [TEXT])
    value = time.perf_counter() - began
    began = time.perf_counter()
    vectors.embed(settings, SAMPLE)
    many = time.perf_counter() - began
    return Trial(dimensions, value, sum(map(estimate_tokens, SAMPLE)) / max(many, 1e-6))
