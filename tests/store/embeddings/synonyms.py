"""Models that know a few words, and which of them mean the same: in a directory, and behind a server that
answers when it may."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

from memtui.store.leaves.embeddings.searching import Asker
from tests.store.scripted_server import Scripted, ScriptedServer, serving

MEANINGS = (
    "login signin authentication",
    "clock drift time",
    "cache redis stale",
    "broken fails expired",
    "database postgres ledger",
    "picture screenshot image",
    *(f"topic{number}" for number in range(40)),
)
"""Words of one line are near to each other, and far from all others."""
QUERY = "query: "
"""What a server is told before a query, and before no memory."""
LONG = 60.0
"""Seconds that a test waits for a model where its users wait for a moment."""

Vectors = NDArray[np.float32]


def vectors_of_words() -> dict[str, Vectors]:
    """A vector of unit length for each word."""
    rng = np.random.default_rng(17)
    found: dict[str, Vectors] = {}
    for place, words in enumerate(MEANINGS):
        for word in words.split():
            vector = 0.01 * rng.normal(size=len(MEANINGS))
            vector[place] += 1.0
            found[word] = (vector / np.linalg.norm(vector)).astype(np.float32)
    return found


def vector_of(text: str) -> list[float]:
    """The mean of the vectors of a text's words, of those that are known."""
    known = vectors_of_words()
    rows = [known[word] for word in text.lower().replace(".", " ").split() if word in known]
    mean = np.mean(rows, axis=0) if rows else np.full(len(MEANINGS), 0.01)
    return [float(one) for one in mean]


def synonym_model(directory: Path) -> Path:
    """Write a static model that knows the words, and return its directory."""
    directory.mkdir(parents=True, exist_ok=True)
    vectors = vectors_of_words()
    vocabulary = {word: number for number, word in enumerate(["[UNK]", *vectors])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(directory / "tokenizer.json"))
    nothing = np.zeros((1, len(MEANINGS)), np.float32)
    save_file({"embeddings": np.vstack([nothing, *vectors.values()])}, directory / "model.safetensors")
    return directory


def configure(monkeypatch: pytest.MonkeyPatch, place: Path, **values: Any) -> None:
    """Have a configuration in a directory say this of [embeddings]."""
    lines = ["[embeddings]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())]
    path = place / "embeddings.toml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(path))


def by_static_model(monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
    """Compare meaning by a model in a directory, which is waited for on a busy machine too."""
    model = synonym_model(directory / "synonyms")
    configure(monkeypatch, directory, provider="static", directory=str(model))
    get = Asker.get
    monkeypatch.setattr(Asker, "get", lambda one, request, _: get(one, request, LONG))


class Answers:
    """How the server answers: queries not before `may_answer`, and as `broken` where that is given."""

    def __init__(self) -> None:
        self.may_answer = Event()
        self.broken: Scripted | None = None

    def __call__(self, body: dict[str, Any]) -> Scripted:
        texts = [str(text) for text in body["input"]]
        if texts[0].startswith(QUERY):
            self.may_answer.wait(LONG)
            if self.broken is not None:
                return self.broken
        data = [
            {"index": place, "embedding": vector_of(text.removeprefix(QUERY))}
            for place, text in enumerate(texts)
        ]
        return Scripted(raw=json.dumps({"data": data}).encode())


@contextmanager
def by_server(monkeypatch: pytest.MonkeyPatch, directory: Path) -> Iterator[tuple[ScriptedServer, Answers]]:
    """Compare meaning by a server, which gives no vector of a query until it may."""
    answers = Answers()
    with serving() as server:
        server.answers = answers
        configure(
            monkeypatch,
            directory,
            provider="openai-compatible",
            url=server.url,
            model="synonyms",
            query_prefix=QUERY,
        )
        try:
            yield server, answers
        finally:
            answers.may_answer.set()
