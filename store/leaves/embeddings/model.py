"""The model that makes vectors of texts, as `[embeddings]` of the configuration says; asked with documents
cut into passages, counted, and within the daily cap where it costs something.

Short texts embed better than whole records: so a memory is its title, its narrative, each of its facts,
each part of a summary. Of long ones each passage is embedded, and the nearest counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...config import EmbeddingsSettings
from ...platform.translation import _
from ...providers.errors import ProviderError
from ...providers.usage import TokenUsage
from ...records.fields import FIELDS
from ...records.kinds import KINDS
from ...search.index.documents import SEPARATOR, SHAPES, Document

if TYPE_CHECKING:
    from .blocks import Floats
    from .embedders import Embedder


def embedder(settings: EmbeddingsSettings) -> Embedder:
    """Return the configured embedder; its model is loaded when it is first used.

    ConfigurationError where a package that it needs is missing, or its directory lacks a file.
    """
    # Not all at once: hooks ask which vectors are due, and a server's module takes long to import.
    kind: type[Embedder]
    if settings.provider in ("static", "onnx"):
        from .local_models import OnnxEmbedder, StaticEmbedder

        kind = StaticEmbedder if settings.provider == "static" else OnnxEmbedder
    else:
        from .embedders import CommandEmbedder, ServerEmbedder

        kind = CommandEmbedder if settings.provider == "command" else ServerEmbedder
    return kind(settings)


def settings_text(settings: EmbeddingsSettings) -> str:
    """Return settings as a file of vectors keeps them. No key is among them."""
    from ...records.dataclasses import asdict

    return json.dumps(asdict(settings), ensure_ascii=False)


def settings_of(text: str) -> EmbeddingsSettings:
    """Return the settings that a file of vectors keeps. Raises ValueError."""
    try:
        result = json.loads(text)
        listed = {name: tuple(item) for name, item in result.items() if isinstance(item, list)}
        return EmbeddingsSettings(**(result | listed))
    except (TypeError, AttributeError) as error:
        raise ValueError(_("the file of vectors says of its model {text!r}.", text=text)) from error


def metered(
    usage: TokenUsage, settings: EmbeddingsSettings, model: Embedder, texts: Sequence[str]
) -> Floats:
    """Return the vectors of texts, a row each. Raises ProviderError, also where the cap is reached."""
    if not settings.is_metered:
        return model.embed(texts)
    tokens = model.tokens(texts)
    reserved = usage.reserve(settings, tokens)
    if reserved is None:
        raise ProviderError("quota", _("The daily cap of tokens is reached."))
    try:
        result = model.embed(texts)
    except ProviderError as error:
        usage.settle(reserved, tokens if error.spent else 0, failed=True)
        raise
    usage.settle(reserved, tokens)
    return result


MOST_PASSAGES = 32
"""Passages of a document."""


def passages(document: Document) -> list[str]:
    """Return the texts of a document that are embedded, each once, at most
    `MOST_PASSAGES` of `LONGEST_PASSAGE` characters."""
    results: dict[str, None] = {}
    for text in _texts(document):
        for passage in _pieces(text):
            results[passage] = None
            if len(results) == MOST_PASSAGES:
                return list(results)
    return list(results)


LONGEST_PASSAGE = 800
"""Characters of a passage: about what small models read, 256 tokens."""

ENDS = tuple(map(re.compile, (r"\n\s*\n", r"\n", r"(?<=[.!?;])\s|(?<=[。！？；])", r"\s")))
"""Where a text may be cut, the better places first."""


def _texts(document: Document) -> Iterator[str]:
    fields = [field for field in FIELDS[KINDS[document.kind]] if field.says]
    texts = dict(zip(SHAPES[document.kind].columns, document.texts, strict=True))
    # A title alone says what a memory is about, a subtitle the same in more words.
    yield "\n".join(filter(None, (texts[field.name] for field in fields if field.form == "line")))
    # Concepts, tags and paths are but names; raw text says least.
    for field in sorted(fields, key=lambda field: (field.part == "raw", field.form == "items")):
        if field.form != "line":
            yield from texts[field.name].split(SEPARATOR)


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces of at most `LONGEST_PASSAGE` characters, cut where something ends."""
    rest = text.strip()
    while len(rest) > LONGEST_PASSAGE:
        place = _end(rest[: LONGEST_PASSAGE + 1])
        yield rest[:place].strip()
        rest = rest[place:].strip()
    if rest:
        yield rest


def _end(text: str) -> int:
    """Return where the last paragraph, line, sentence or word of a text ends, in its second half."""
    for pattern in ENDS:
        places = [match.end() for match in pattern.finditer(text, LONGEST_PASSAGE // 2, LONGEST_PASSAGE)]
        if places:
            return places[-1]
    return LONGEST_PASSAGE
