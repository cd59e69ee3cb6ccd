"""`[embeddings]` is off until a provider is named, and read strictly."""

from pathlib import Path

import pytest

from memtui.store.config import EmbeddingsSettings, embeddings_settings, misspelt
from memtui.store.platform.errors import ConfigurationError


def read(tmp_path: Path, text: str) -> EmbeddingsSettings | None:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    return embeddings_settings(path)


@pytest.mark.parametrize(
    "text", ["", "[other]\nx = 1", "[embeddings]", '[embeddings]\nprovider = "off"\nmodel = "x"']
)
def test_there_are_no_vectors_unless_a_provider_is_named(tmp_path: Path, text: str) -> None:
    assert embeddings_settings(tmp_path / "none.toml") is None
    assert read(tmp_path, text) is None


def test_a_server_on_this_machine_needs_a_models_name_only(tmp_path: Path) -> None:
    text = '[embeddings]\nprovider = "openai-compatible"\nmodel = "nomic-embed-text"\n'
    found = read(tmp_path, text)
    assert found is not None and found.is_metered
    assert (found.url, found.key_env) == ("http://localhost:11434/v1", "")
    assert misspelt(tmp_path / "config.toml") == ""


def test_openais_own_server_gets_its_usual_key(tmp_path: Path) -> None:
    text = '[embeddings]\nprovider = "openai-compatible"\nmodel = "text-embedding-3-small"\n'
    found = read(tmp_path, f'{text}url = "https://api.openai.com/v1"\n')
    assert found is not None and found.key_env == "OPENAI_API_KEY"


def test_everything_can_be_set(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        '[embeddings]\nprovider = "static"\nurl = "http://x/v1"\nmodel = "m"\nkey_env = "K"\n'
        'key_command = ["pass", "key"]\ncommand = ["embed"]\ndirectory = "~/potion"\n'
        'dimensions = 64\nquery_prefix = "q: "\ndocument_prefix = "d: "\nbatch = 8\n'
        "daily_tokens = 5\ntimeout_seconds = 9.5\nprice = 0.02\n",
    )
    assert found == EmbeddingsSettings(
        "static", "http://x/v1", "m", "K", ("pass", "key"), ("embed",), "~/potion", 64,
        "q: ", "d: ", 8, 5, 9.5, 0.02,
    )  # fmt: skip
    assert found.name == "static:potion" and not found.is_metered


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("embeddings = 3", "write it as a table"),
        ('[embeddings]\nprovider = "ollama"', "provider can't be"),
        ('[embeddings]\nprovider = "static"\ndirectroy = "x"', "there is no setting directroy"),
        ('[embeddings]\nprovider = "static"', "name the model's directory"),
        ('[embeddings]\nprovider = "onnx"', "name the model's directory"),
        ('[embeddings]\nprovider = "command"', "name the program"),
        ('[embeddings]\nprovider = "openai-compatible"', "name the model"),
        ('[embeddings]\nprovider = "openai-compatible"\nmodel = "x"\nurl = "localhost:1"', "url is like"),
        ('[embeddings]\nprovider = "static"\nbatch = 0', "batch is 1 or more"),
        ('[embeddings]\nprovider = "static"\ndimensions = -1', "dimensions is a whole number"),
    ],
)
def test_what_a_setting_cant_be_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=r"config\.toml") as told:
        read(tmp_path, text)
    assert says in str(told.value)
    assert "embeddings" in misspelt(tmp_path / "config.toml")
