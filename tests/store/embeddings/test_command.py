"""A program of the user's own makes vectors of what it is given as JSON."""

import sys

import numpy as np
import pytest

from memtui.store.config import EmbeddingsSettings
from memtui.store.leaves.embeddings.embedders import Embedder
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.providers.errors import ErrorKind, ProviderError
from tests.promises import promise

EMBED = """
import json, os, sys
told = json.load(sys.stdin)
assert os.environ["MEMTUI_OBSERVER"] == "1"
vectors = [[len(text), 1.0 if told["kind"] == "query" else 0.0] for text in told["texts"]]
print(json.dumps({"vectors": vectors} if told["kind"] == "query" else vectors))
"""


def command(script: str, **more: object) -> Embedder:
    told = (sys.executable, "-c", script)
    return embedder(EmbeddingsSettings("command", command=told, **more))  # type: ignore[arg-type]


@promise("no-self-observation")
def test_a_program_is_asked_with_the_mark_of_an_observer() -> None:
    model = command(EMBED)
    np.testing.assert_allclose(model.embed(["clock", ""]), [[1, 0], [0, 0]])
    root = 2**-0.5
    np.testing.assert_allclose(model.embed(["a"], is_query=True), [[root, root]], atol=1e-6)
    assert model.unknown_share(["clock"]) is None


@pytest.mark.parametrize(
    ("script", "kind", "says"),
    [
        ("import sys; sys.exit('out of luck')", "timeout", "out of luck"),
        ("import signal; signal.pause()", "timeout", "no answer within 0.5 s"),
        ("print('no idea')", "invalid", "not valid JSON: 'no idea'"),
        ("print('{}')", "invalid", "no list of vectors"),
        ("print('[[1], [2]]')", "invalid", "for 1 texts"),
        ("print('[[\"a\"]]')", "invalid", "not a number"),
        ("", "invalid", "not valid JSON"),
    ],
)
def test_a_program_that_gives_no_vectors_is_told(script: str, kind: ErrorKind, says: str) -> None:
    with pytest.raises(ProviderError) as told:
        command(script, timeout_seconds=0.5 if "pause" in script else 30).embed(["clock"])
    assert (told.value.kind, says in told.value.reason) == (kind, True), told.value.reason


def test_a_program_that_is_not_there_is_told() -> None:
    model = embedder(EmbeddingsSettings("command", command=("/no/such/program",)))
    with pytest.raises(ProviderError, match="Fix command"):
        model.embed(["clock"])
