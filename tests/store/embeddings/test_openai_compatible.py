"""A server is asked in batches, with prefixes and key, and its answer is taken only where it is whole."""

import base64
import dataclasses
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from memtui.store.config import EmbeddingsSettings
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.providers.errors import ErrorKind, ProviderError
from tests.store.scripted_server import Scripted, ScriptedServer, serving

KEY = "sk-live-0123456789abcdef"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as found:
        found.answers = lambda body: vectors(*map(vector_of, body["input"]))
        yield found


@pytest.fixture
def settings(server: ScriptedServer) -> EmbeddingsSettings:
    return EmbeddingsSettings("openai-compatible", server.url, "tiny", timeout_seconds=30)


def vector_of(text: str) -> list[float]:
    """A vector that tells texts apart by their lengths."""
    return [1.0, float(len(text)), 0.0]


def unit(text: str) -> Any:
    vector = np.array(vector_of(text))
    return vector / np.linalg.norm(vector)


def vectors(*found: Any) -> Scripted:
    """An answer with these vectors, the last first."""
    data = [{"index": i, "embedding": one} for i, one in enumerate(found)]
    return Scripted(raw=json.dumps({"data": data[::-1]}).encode())


def test_texts_are_asked_about_in_batches_and_each_gets_its_own_vector(
    server: ScriptedServer, settings: EmbeddingsSettings
) -> None:
    texts = ["x" * (1 + i * 7 % 23) for i in range(23)] + ["", "  "]
    found = embedder(dataclasses.replace(settings, batch=10)).embed(texts)
    assert set(server.paths) == {"/v1/embeddings"}
    assert sorted(len(body["input"]) for body in server.bodies) == [3, 10, 10]
    assert {body["model"] for body in server.bodies} == {"tiny"}
    assert "dimensions" not in server.bodies[0] and "authorization" not in server.headers[0]
    np.testing.assert_allclose(found[:23], [unit(text) for text in texts[:23]], atol=1e-6)
    assert not any(map(any, found[23:]))


def test_a_call_holds_a_bounded_number_of_characters(
    server: ScriptedServer, settings: EmbeddingsSettings
) -> None:
    embedder(settings).embed(["x" * 20_000] * 20)
    sizes = [[len(text) for text in body["input"]] for body in server.bodies]
    assert sum(map(len, sizes)) == 20
    assert max(map(sum, sizes)) <= 60_000 and max(map(max, sizes)) == 8_000


def test_queries_and_documents_have_prefixes_of_their_own(
    server: ScriptedServer, settings: EmbeddingsSettings
) -> None:
    model = embedder(dataclasses.replace(settings, query_prefix="q: ", document_prefix="d: "))
    model.embed(["clock"])
    model.embed(["clock"], is_query=True)
    assert [body["input"] for body in server.bodies] == [["d: clock"], ["q: clock"]]


def test_the_key_is_sent_and_the_dimensions_are_asked_for(
    server: ScriptedServer, settings: EmbeddingsSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TINY_KEY", KEY)
    embedder(dataclasses.replace(settings, key_env="TINY_KEY", dimensions=3)).embed(["clock"])
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert server.bodies[0]["dimensions"] == 3


def test_numbers_in_base64_are_read(server: ScriptedServer, settings: EmbeddingsSettings) -> None:
    raw = base64.b64encode(np.array([3, 4], "<f4").tobytes()).decode()
    server.answers = lambda body: vectors(raw)
    np.testing.assert_allclose(embedder(settings).embed(["clock"]), [[0.6, 0.8]], atol=1e-6)


def test_a_text_that_the_model_finds_too_long_is_cut_until_it_fits(
    server: ScriptedServer, settings: EmbeddingsSettings
) -> None:
    def answers(body: dict[str, Any]) -> Scripted:
        if max(map(len, body["input"])) > 2_000:
            message = "This model's maximum context length is 512 tokens."
            return Scripted(400, json.dumps({"error": {"message": message}}).encode())
        return vectors(*map(vector_of, body["input"]))

    server.answers = answers
    found = embedder(settings).embed(["short", "x" * 8_000])
    np.testing.assert_allclose(found, [unit("short"), unit("x" * 2_000)], atol=1e-6)


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (Scripted(401, b'{"error": {"message": "no such key"}}'), "auth", "no such key"),
        (Scripted(404, b'{"error": "model tiny not found"}'), "auth", "model tiny not found"),
        (Scripted(429, b"slower", {"Retry-After": "7"}), "rate", "slower"),
        (Scripted(500, b"oh"), "timeout", "oh"),
        (Scripted(400, b'{"error": "no"}'), "refused", "no"),
        (Scripted(raw=b"<html>"), "invalid", "not valid JSON"),
        (Scripted(raw=b"[]"), "invalid", "no list of vectors"),
        (Scripted(raw=b'{"data": [3, 4]}'), "invalid", "no list of vectors"),
        (vectors([1.0, 2.0]), "invalid", "1 vectors for 2 texts"),
        (vectors([1.0], [2.0], [3.0]), "invalid", "3 vectors for 2 texts"),
        (vectors([1.0, 2.0], [1.0]), "invalid", "different lengths"),
        (vectors([1.0, 2.0], [1.0, float("nan")]), "invalid", "not a number"),
        (vectors([1.0, 2.0], [1.0, float("inf")]), "invalid", "not a number"),
        (vectors([1.0, 2.0], None), "invalid", "different lengths"),
        (vectors([1.0, 2.0], ["a", "b"]), "invalid", "not a number"),
        (vectors([1.0, 2.0], "!!"), "invalid", "not base64"),
        (vectors([], []), "invalid", "2 vectors of 0 numbers"),
        (vectors(1.0, 2.0), "invalid", "not a number"),
        (vectors("abc", "abc"), "invalid", "not base64"),
        (vectors(["1"], ["2"], ["3"]), "invalid", "3 vectors for 2 texts"),
        (
            Scripted(raw=b'{"data": [{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [2]}]}'),
            "invalid",
            "or the wrong ones",
        ),
        (
            Scripted(raw=b'{"data": [{"index": [], "embedding": [1]}, {"embedding": [2]}]}'),
            "invalid",
            "or the wrong ones",
        ),
    ],
)
def test_an_answer_that_is_none_is_told_by_its_kind(
    server: ScriptedServer, settings: EmbeddingsSettings, answer: Scripted, kind: ErrorKind, says: str
) -> None:
    server.answers = lambda _: answer
    with pytest.raises(ProviderError) as told:
        embedder(settings).embed(["one", "two"])
    assert (told.value.kind, says in told.value.reason) == (kind, True), told.value.reason
    assert told.value.retry_ms == (7_000 if kind == "rate" else None)


def test_other_dimensions_than_before_or_than_asked_for_are_told(
    server: ScriptedServer, settings: EmbeddingsSettings
) -> None:
    model = embedder(settings)
    model.embed(["clock"])
    server.answers = lambda _: vectors([1.0, 2.0])
    with pytest.raises(ProviderError, match="2 dimensions, not 3"):
        model.embed(["clock"])
    with pytest.raises(ProviderError, match="2 dimensions, not 256"):
        embedder(dataclasses.replace(settings, dimensions=256)).embed(["clock"])


def test_a_query_waits_no_longer_than_it_is_given(
    server: ScriptedServer, settings: EmbeddingsSettings
) -> None:
    server.answers = lambda _: Scripted(hangs=True)
    with pytest.raises(ProviderError, match=r"within 0\.\d+ s") as told:
        embedder(settings).embed(["clock"], is_query=True, seconds=0.1)
    assert told.value.kind == "timeout"


def test_nobody_who_listens_is_told(settings: EmbeddingsSettings) -> None:
    nobody = dataclasses.replace(settings, url="http://127.0.0.1:9/v1")
    with pytest.raises(ProviderError, match="can't be reached") as told:
        embedder(nobody).embed(["clock"])
    assert told.value.kind == "unreachable"


def test_only_the_server_knows_its_tokenizer(settings: EmbeddingsSettings) -> None:
    assert embedder(settings).unknown_share(["clock"]) is None
    assert embedder(settings).tokens(["the clock drifts", ""]) > 2
