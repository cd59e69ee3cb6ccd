"""Embedders: what all of them share, and those that are asked: any server with OpenAI's `/v1/embeddings`
(Ollama, LM Studio, llama.cpp, vLLM, a cloud), and a local program, with JSON on its standard input and on
its output.

Texts are prefixed, cut and sent in batches, and what comes back is checked and made of unit length.
Vectors are plain numbers: the few that a search compares need no numpy.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b
from importlib.util import find_spec
from math import hypot, isfinite
from pathlib import Path
from typing import Any, ClassVar

from ...config import EmbeddingsSettings
from ...platform.errors import ConfigurationError
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...text.tokens import estimate_tokens

Vector = Sequence[float]
"""The numbers of one text."""

LONGEST_TEXT = 8_000
"""Characters of a text that are embedded: about what models of 2,048 tokens take."""


class Embedder(ABC):
    """A model that makes vectors of texts; its provider only has to make those of a batch.

    Its `name`, `static:potion-base-8M`, is what its vectors and costs are listed under.
    """

    needs: ClassVar[tuple[str, ...]] = ()
    """The packages that have to be installed."""
    extra: ClassVar[str] = "vec"
    """The extra of memtui that brings them."""
    batch_characters: ClassVar[int] = 60_000
    """Characters of a batch, at most, but for one long text."""
    is_local: ClassVar[bool] = False
    """Whether its model runs in this process."""
    at_once: ClassVar[int] = 16
    """Of so many texts a search has vectors made before it looks whether there is time for more."""

    def __init__(self, settings: EmbeddingsSettings) -> None:
        self.settings = settings
        self.name = settings.name
        self.batch = settings.batch
        self._dimensions = settings.dimensions
        for package in self.needs:
            if find_spec(package) is None:
                raise ConfigurationError(
                    "Embeddings by {provider} need {package}: pip install 'memtui[{extra}]'.",
                    provider=settings.provider,
                    package=package,
                    extra=self.extra,
                )

    @property
    def fingerprint(self) -> str:
        """Changes with whatever changes the vectors; not with keys, caps, timeouts and prices."""
        settings = self.settings
        prefixes = (settings.query_prefix, settings.document_prefix)
        parts = (self.name, settings.dimensions, prefixes, *self._identity())
        return blake2b(repr(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()

    def embed(
        self, texts: Sequence[str], *, is_query: bool = False, seconds: float | None = None
    ) -> list[Vector]:
        """Return a vector of unit length a text, zeros for one without anything that the model knows; all
        within `seconds`, else each batch within what is configured. Raises ProviderError."""
        end = None if seconds is None else time.monotonic() + seconds
        prefix = self.settings.query_prefix if is_query else self.settings.document_prefix
        sent = {place: prefix + cut for place, text in enumerate(texts) if (cut := _sendable(text))}
        results: dict[int, Vector] = {}
        for places in self._batches(sent):
            batch = [sent[place] for place in places]
            vectors = self._embed_batch(batch, is_query=is_query, seconds=self._left(end))
            results |= zip(places, self._checked(vectors, len(batch)), strict=True)
        nothing = array("f", bytes(4 * self._dimensions))
        return [results.get(place, nothing) for place in range(len(texts))]

    def tokens(self, texts: Sequence[str]) -> int:
        """About how many tokens the texts are."""
        return sum(estimate_tokens(_sendable(text)) for text in texts)

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Return the share of tokens that the model's tokenizer doesn't know; None where only a server or
        program could tell."""
        return None

    @abstractmethod
    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> list[Vector]:
        """Return the vectors of some texts, none of them blank, as they come."""

    @abstractmethod
    def _identity(self) -> Iterable[object]:
        """What else than the settings that all providers share makes vectors what they are."""

    def _batches(self, sent: dict[int, str]) -> Iterator[list[int]]:
        """Yield the places of texts to be embedded together; those of about one length are."""
        places: list[int] = []
        characters = 0
        for place in sorted(sent, key=lambda number: len(sent[number])):
            characters += len(sent[place])
            if places and (len(places) >= self.batch or characters > self.batch_characters):
                yield places
                places, characters = [], len(sent[place])
            places.append(place)
        if places:
            yield places

    def _left(self, end: float | None) -> float:
        """Return the seconds that a batch may take."""
        if end is None:
            return self.settings.timeout_seconds
        left = end - time.monotonic()
        if left <= 0:
            raise ProviderError("timeout", _("{name} gave no vectors in the time it had.", name=self.name))
        return min(left, self.settings.timeout_seconds)

    def _checked(self, vectors: list[Vector], count: int) -> list[Vector]:
        """Return vectors of unit length, all of the same dimensions as those before."""
        dimensions = len(vectors[0]) if vectors else 0
        if len(vectors) != count or not dimensions:
            reason = _(
                "{name} gave {numbers} vectors of {dimensions} numbers for {count} texts.",
                name=self.name,
                numbers=len(vectors),
                dimensions=dimensions,
                count=count,
            )
            raise ProviderError("invalid", reason, spent=True)
        if dimensions != (self._dimensions or dimensions):
            reason = _(
                "{name} gave vectors of {dimensions} dimensions, not {expected}.",
                name=self.name,
                dimensions=dimensions,
                expected=self._dimensions,
            )
            raise ProviderError("invalid", reason, spent=True)
        lengths = [hypot(*vector) for vector in vectors]
        if not all(map(isfinite, lengths)):
            raise ProviderError(
                "invalid", _("{name} gave what is not a number.", name=self.name), spent=True
            )
        self._dimensions = dimensions
        return [
            array("f", [number / (length or 1.0) for number in vector])
            for vector, length in zip(vectors, lengths, strict=True)
        ]

    def _first_dimensions(self, vectors: list[Vector]) -> list[Vector]:
        """Return vectors cut to as many dimensions as are configured."""
        return [vector[: self.settings.dimensions or None] for vector in vectors]


def model_directory(settings: EmbeddingsSettings, *names: str) -> Path:
    """Return the directory of a model. ConfigurationError where it isn't there, or lacks a file."""
    directory = Path(settings.directory).expanduser()
    if not directory.is_dir():
        raise ConfigurationError(
            "{directory} is not a directory. Name that of the model: `mem embeddings set {provider} "
            "--directory DIR`, or `directory` in [embeddings] of config.toml.",
            directory=directory,
            provider=settings.provider,
        )
    for name in names:
        if not (directory / name).is_file():
            raise ConfigurationError(
                "{directory} has no {name}, which a model for {provider} needs.",
                directory=directory,
                name=name,
                provider=settings.provider,
            )
    return directory


def file_states(paths: Iterable[Path]) -> list[tuple[str, int, int]]:
    """Return the names, sizes and times of change (ns) of those files that are there."""
    results = [(path, path.stat()) for path in paths if path.is_file()]
    return [(path.name, state.st_size, state.st_mtime_ns) for path, state in results]


def as_vectors(rows: object, name: str) -> list[Vector]:
    """Return lists of numbers as vectors. Raises ProviderError where they are none."""
    try:
        if not isinstance(rows, list) or any(isinstance(row, str) for row in rows):
            raise TypeError
        vectors: list[Vector] = [[*map(float, row)] for row in rows]
        if len({*map(len, vectors)}) > 1:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        reason = _("{name} gave vectors of different lengths, or what is not a number.", name=name)
        raise ProviderError("invalid", reason, spent=True) from None
    return vectors


def _sendable(text: str) -> str:
    """Return what of a text is embedded, as Unicode that any model takes."""
    return text.strip()[:LONGEST_TEXT].encode("utf-8", "replace").decode()


LARGEST = 64_000_000
"""Bytes of an answer that are read, at most."""
SHORTEST = 250
"""Characters of a text below which it isn't cut for a server that finds it too long."""
TOO_LONG = (
    *("too long", "too large", "too many tokens", "context length", "context size"),
    *("context window", "input length", "maximum input", "max_seq_len", "maximum sequence"),
)
"""What servers say of texts that the model can't take whole."""


class ServerEmbedder(Embedder):
    """An embedder that asks a server."""

    @cached_property
    def _key(self) -> str:
        from ...providers.calls import key_of

        return key_of(self.settings)

    def _identity(self) -> Iterable[object]:
        return (self.settings.url, self.settings.model)

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> list[Vector]:
        end = time.monotonic() + seconds
        longest = max(map(len, texts))
        while True:
            try:
                cut = [text[:longest] for text in texts]
                return self._ask(cut, max(0.001, end - time.monotonic()))
            except ProviderError as error:
                reason = error.reason.lower()
                longest //= 2
                if longest < SHORTEST or not any(words in reason for words in TOO_LONG):
                    raise

    def _ask(self, texts: list[str], seconds: float) -> list[Vector]:
        from ...providers.calls import post

        settings, key = self.settings, self._key
        document: dict[str, Any] = {"model": settings.model, "input": texts}
        if settings.dimensions:
            document["dimensions"] = settings.dimensions
        result = post(
            settings.url.rstrip("/") + "/embeddings",
            document,
            headers={"Authorization": f"Bearer {key}"} if key else {},
            seconds=seconds,
            key=key,
            largest=LARGEST,
        )
        return as_vectors(_vectors(result, len(texts)), self.name)


class CommandEmbedder(Embedder):
    """An embedder that runs a program once a batch. It gets `{"texts": […], "kind": "document"}`, or
    `"query"`, and prints `{"vectors": [[…], …]}` or the list alone."""

    at_once = 256

    def _identity(self) -> Iterable[object]:
        return self.settings.command

    def _embed_batch(self, texts: Sequence[str], *, is_query: bool, seconds: float) -> list[Vector]:
        from ...providers.calls import run

        content = {"texts": list(texts), "kind": "query" if is_query else "document"}
        printed = run(
            self.settings.command,
            json.dumps(content, ensure_ascii=False),
            seconds=seconds,
            largest=LARGEST,
        )
        try:
            result = json.loads(printed)
        except (ValueError, RecursionError):
            begun = " ".join(printed.split())[:80]
            reason = _("{name} printed what is not valid JSON: {begun!r}.", name=self.name, begun=begun)
            raise ProviderError("invalid", reason, spent=True) from None
        vectors = result.get("vectors") if isinstance(result, dict) else result
        if not isinstance(vectors, list):
            raise ProviderError(
                "invalid", _("{name} printed no list of vectors.", name=self.name), spent=True
            )
        return self._first_dimensions(as_vectors(vectors, self.name))


def _vectors(answer: Any, count: int) -> list[object]:
    """Return the vectors of an answer in the order of the texts."""
    listed = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise ProviderError("invalid", _("The answer has no list of vectors."), spent=True)
    places = [entry.get("index", place) for place, entry in enumerate(listed)]
    if not all(isinstance(place, int) for place in places) or sorted(places) != list(range(count)):
        reason = _(
            "The answer has {number} vectors for {count} texts, or the wrong ones.",
            number=len(listed),
            count=count,
        )
        raise ProviderError("invalid", reason, spent=True)
    by_place = dict(zip(places, listed, strict=True))
    return [_numbers(by_place[place].get("embedding")) for place in range(count)]


def _numbers(embedding: object) -> object:
    """Return a vector that may be written in base64, as 32-bit numbers."""
    if not isinstance(embedding, str):
        return embedding
    try:
        raw = base64.b64decode(embedding, validate=True)
        return struct.unpack(f"<{len(raw) // 4}f", raw)
    except (binascii.Error, ValueError, struct.error):
        raise ProviderError("invalid", _("A vector is not base64 of numbers."), spent=True) from None
