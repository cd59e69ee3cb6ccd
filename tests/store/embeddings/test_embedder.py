"""Which embedder is taken, what it needs, and what makes its vectors others."""

import dataclasses
import os
import sys
from pathlib import Path

import pytest

from memtui.store.config import EmbeddingsProvider, EmbeddingsSettings
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.platform.errors import ConfigurationError
from tests.store.embeddings.models import onnx_model, static_model

SERVER = EmbeddingsSettings("openai-compatible", "http://localhost:1/v1", "tiny")


@pytest.mark.parametrize(
    ("provider", "package", "extra"),
    [
        ("static", "tokenizers", "vec"),
        ("onnx", "onnxruntime", "onnx"),
        ("onnx", "numpy", "onnx"),
    ],
)
def test_a_package_that_is_missing_is_named_with_how_to_install_it(
    provider: EmbeddingsProvider, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigurationError, match="need ") as told:
        embedder(dataclasses.replace(SERVER, provider=provider))
    assert str(told.value) == (f"Embeddings by {provider} need {package}: pip install 'memtui[{extra}]'.")


@pytest.mark.parametrize("provider", ["openai-compatible", "command"])
def test_a_server_or_program_needs_no_package(
    provider: EmbeddingsProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("numpy", "tokenizers", "onnxruntime"):
        monkeypatch.setitem(sys.modules, package, None)
    assert embedder(dataclasses.replace(SERVER, provider=provider)).name.startswith(provider)


def test_a_directory_that_lacks_a_file_is_told(tmp_path: Path) -> None:
    for provider, missing in (("static", "model.safetensors"), ("onnx", "model.onnx")):
        settings = EmbeddingsSettings(provider, directory=str(tmp_path / provider))  # type: ignore[arg-type]
        with pytest.raises(ConfigurationError, match="is not a directory"):
            embedder(settings)
        (tmp_path / provider).mkdir()
        with pytest.raises(ConfigurationError, match=r"has no tokenizer\.json"):
            embedder(settings)
        (tmp_path / provider / "tokenizer.json").write_text("{}")
        with pytest.raises(ConfigurationError, match=f"has no {missing}"):
            embedder(settings)


def test_a_model_is_listed_under_its_provider_and_name(tmp_path: Path) -> None:
    static = EmbeddingsSettings("static", directory=str(static_model(tmp_path / "potion")))
    assert embedder(static).name == "static:potion"
    assert embedder(SERVER).name == "openai-compatible:tiny"
    program = EmbeddingsSettings("command", command=("/usr/bin/embed", "--fast"))
    assert embedder(program).name == "command:embed"


@pytest.mark.parametrize(
    ("change", "is_other"),
    [
        ({"model": "other"}, True),
        ({"url": "http://localhost:2/v1"}, True),
        ({"dimensions": 3}, True),
        ({"query_prefix": "q: "}, True),
        ({"document_prefix": "d: "}, True),
        ({"key_env": "KEY"}, False),
        ({"key_command": ("pass", "key")}, False),
        ({"daily_tokens": 1}, False),
        ({"timeout_seconds": 1.0}, False),
        ({"batch": 1}, False),
        ({"price": 1.0}, False),
    ],
)
def test_the_fingerprint_changes_with_what_changes_vectors(
    change: dict[str, object], is_other: bool
) -> None:
    other = embedder(dataclasses.replace(SERVER, **change))  # type: ignore[arg-type]
    assert (other.fingerprint != embedder(SERVER).fingerprint) is is_other


@pytest.mark.parametrize("provider", ["static", "onnx"])
def test_other_files_in_the_directory_are_another_model(
    tmp_path: Path, provider: EmbeddingsProvider
) -> None:
    static_model(tmp_path)
    onnx_model(tmp_path)
    settings = EmbeddingsSettings(provider, directory=str(tmp_path))
    before = embedder(settings).fingerprint
    assert embedder(settings).fingerprint == before
    for name in ("model.safetensors", "model.onnx"):
        os.utime(tmp_path / name, ns=(1, 1))
    assert embedder(settings).fingerprint != before
