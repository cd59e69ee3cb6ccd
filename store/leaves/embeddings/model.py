"""The model that makes vectors of texts, as `[embeddings]` of the configuration says: asked with passages,
counted, and within the daily cap where it costs something; tried, and looked at.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ...config import EmbeddingsSettings, compares_meaning, embeddings_settings
from ...database.health import Check
from ...platform.errors import ConfigurationError
from ...platform.translation import N_, _
from ...providers.errors import ProviderError
from ...records.dataclasses import dataclass
from ...search.index.documents import fetch
from ...search.related.passages import passages
from ...text.language.scripts import SCRIPTS, script_of
from ...text.plural import count_noun
from .kept import amount

if TYPE_CHECKING:
    import apsw

    from ...maintain.doctor import Examination
    from ...store import Store
    from .embedders import Embedder, Vector


@lru_cache(maxsize=2)
def embedder(settings: EmbeddingsSettings) -> Embedder:
    """Return the configured embedder; its model is loaded when it is first used.

    ConfigurationError where a package that it needs is missing, or its directory lacks a file.
    """
    # Not all at once: a server's module takes long to import.
    kind: type[Embedder]
    if settings.provider in ("static", "onnx"):
        from .local_models import OnnxEmbedder, StaticEmbedder

        kind = StaticEmbedder if settings.provider == "static" else OnnxEmbedder
    else:
        from .embedders import CommandEmbedder, ServerEmbedder

        kind = CommandEmbedder if settings.provider == "command" else ServerEmbedder
    return kind(settings)


def metered(store: Store | None, model: Embedder, texts: Sequence[str]) -> list[Vector]:
    """Return the vectors of texts, counted in a store where they cost something. Raises ProviderError, also
    where the cap is reached."""
    if store is None or not model.settings.is_metered:
        return model.embed(texts)
    from ...providers.usage import TokenUsage

    usage = TokenUsage(store.db, store.transaction())
    tokens = model.tokens(texts)
    reserved = usage.reserve(model.settings, tokens)
    if reserved is None:
        raise ProviderError("quota", _("The daily cap of tokens is reached."))
    try:
        result = model.embed(texts)
    except ProviderError as error:
        usage.settle(reserved, tokens if error.spent else 0, failed=True)
        raise
    usage.settle(reserved, tokens)
    return result


TEXT = "The login failed because the clock of the server was two minutes late."
"""A text of nobody's own: none of that leaves the machine yet."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How many numbers a vector has, and the seconds that one text took."""

    dimensions: int
    seconds: float


def try_out(store: Store, model: Embedder) -> Trial:
    """Have a vector made of a text. Raises ProviderError."""
    # The first call may have to load the model.
    vector = metered(store, model, [TEXT])[0]
    if not any(vector):
        raise ProviderError("invalid", _("{name} gave a vector of zeros alone.", name=model.name))
    began = time.perf_counter()
    metered(store, model, [TEXT])
    return Trial(len(vector), time.perf_counter() - began)


LANGUAGE_SAMPLE = 400
"""Documents that are looked at, over the whole store."""
SPREAD = """
SELECT id FROM documents WHERE id % max(1, (SELECT count(*) FROM documents) / ?) = 0
ORDER BY id DESC LIMIT ?
"""


def unknown_shares(db: apsw.Connection, model: Embedder) -> dict[str, float]:
    """Return for each script of a store the share of tokens that a model doesn't know; empty where only
    a server or program could tell. Raises ProviderError."""
    ids = [number for (number,) in db.execute(SPREAD, (LANGUAGE_SAMPLE, LANGUAGE_SAMPLE))]
    texts: dict[str, list[str]] = {name: [] for name in SCRIPTS}
    for document in fetch(db, ids):
        texts[script_of(document.joined())] += passages(document)
    results = {name: model.unknown_share(some) for name, some in texts.items() if some}
    return {name: share for name, share in results.items() if share is not None}


NAME = N_("embeddings")
"""What `mem doctor` calls them."""


def check(db: apsw.Connection) -> Check:
    """Return which model compares meaning, and of how much it has made vectors; not well where it can't be
    used."""
    try:
        settings = embeddings_settings()
        if settings is None:
            own = _("word vectors of memtui's own") if compares_meaning() else _("off")
            return Check(NAME, True, own)
        number, _size = amount(db, embedder(settings).fingerprint)
    except ConfigurationError as error:
        return Check(NAME, False, str(error), _("memtui's own word vectors compare meaning until then."))
    memories = count_noun(number, "memories")
    return Check(NAME, True, _("{model}: vectors of {memories}", model=settings.name, memories=memories))


EXAMINATION: Examination = (NAME, lambda store: iter([check(store.db)]))
"""What `mem doctor` looks at."""
