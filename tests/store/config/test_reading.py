"""The configuration is read strictly: what it can't mean is told with its place."""

import re
from pathlib import Path

import pytest

from memtui.store.config import (
    MODELS,
    URLS,
    ContextSettings,
    ModelSettings,
    config_path,
    context_settings,
    misspelt,
    model_settings,
)
from memtui.store.platform.errors import ConfigurationError


def read(tmp_path: Path, text: str) -> ModelSettings | None:
    path = tmp_path / "config.toml"
    path.write_text(text, "utf-8")
    return model_settings(path)


@pytest.mark.parametrize("text", ["", "[other]\nx = 1", "[observer]", '[observer]\nkind = "rules"'])
def test_the_rules_observe_unless_a_model_is_named(tmp_path: Path, text: str) -> None:
    assert model_settings(tmp_path / "none.toml") is None
    assert read(tmp_path, text) is None


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_kind_alone_is_enough(tmp_path: Path, kind: str) -> None:
    found = read(tmp_path, f'[observer]\nkind = "{kind}"')
    assert found is not None
    assert (found.url, found.model, found.name) == (URLS[kind], MODELS[kind], MODELS[kind])
    assert found.key_env == f"{kind.upper()}_API_KEY"


def test_a_server_of_ones_own_gets_no_key_unless_one_is_named(tmp_path: Path) -> None:
    found = read(tmp_path, '[observer]\nkind = "openai"\nurl = "http://localhost:11434/v1"\nmodel = "x"')
    assert found is not None and found.key_env == ""


def test_everything_can_be_set(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        '[observer]\nkind = "command"\ncommand = ["ollama", "run", "x"]\ndaily_tokens = 5\n'
        "timeout_seconds = 9.5\noutput_tokens = 7\njson_schema = false\ninput_price = 1\n"
        'output_price = 2.5\nkey_command = ["pass", "key"]\nkey_env = "K"\nmodel = "m"\n',
    )
    assert found == ModelSettings(
        "command", "", "m", "K", ("pass", "key"), ("ollama", "run", "x"), 5, 9.5, 7, False, 1, 2.5
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[observer", "is not valid TOML"),
        (f"[context]\nbudget = {chr(57) * 5_000}", "is not valid TOML"),
        ("observer = 3", "write it as a table"),
        ('[observer]\nkind = "gpt"', "kind can't be"),
        ('[observer]\nkind = "openai"\nmodle = "x"', "there is no setting modle"),
        ('[observer]\nkind = "openai"\nurl = "localhost:1"', "url is like"),
        ('[observer]\nkind = "openai"\nurl = "ftp://x/"', "url is like"),
        ('[observer]\nkind = "openai"\nurl = "https://me:key@x/"', "doesn't belong into url"),
        ('[observer]\nkind = "openai"\nmodel = 3', "model is a text"),
        ('[observer]\nkind = "command"', "name the program"),
        ('[observer]\nkind = "command"\ncommand = "claude -p"', "command is a list"),
        ('[observer]\nkind = "openai"\ndaily_tokens = -1', "daily_tokens is a whole number"),
        ('[observer]\nkind = "openai"\ndaily_tokens = true', "daily_tokens is a whole number"),
        ('[observer]\nkind = "openai"\ntimeout_seconds = 0', "timeout_seconds is more than 0"),
        ('[observer]\nkind = "openai"\ntimeout_seconds = 200', "at most 100"),
        ('[observer]\nkind = "openai"\ninput_price = "1"', "input_price is a number"),
        ('[observer]\nkind = "openai"\njson_schema = 1', "json_schema is true or false"),
    ],
)
def test_what_a_setting_cant_be_is_told(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigurationError, match=r"config\.toml") as told:
        read(tmp_path, text)
    assert says in str(told.value)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="can't be read"):
        model_settings(tmp_path / "config.toml")


def test_it_lies_where_the_platform_says_or_where_it_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "mine.toml"))
    assert config_path() == tmp_path / "mine.toml"
    monkeypatch.delenv("MEMTUI_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_path().parts[-2:] == ("memtui", "config.toml")


def test_other_settings_have_another_fingerprint() -> None:
    one = ModelSettings("openai", "http://localhost/v1", "a")
    assert one.fingerprint == ModelSettings("openai", "http://localhost/v1", "a").fingerprint
    assert one.fingerprint != ModelSettings("openai", "http://localhost/v1", "b").fingerprint


def test_hints_are_off_unless_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    assert context_settings(path) == ContextSettings(at_prompt=False, at_file=False)
    path.write_text("[context]\nat_prompt = true\n")
    assert context_settings(path) == ContextSettings(at_prompt=True)
    assert misspelt(path) == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[context]\nat_prompt = 1\n", "at_prompt is true or false, not 1"),
        ("[context]\nat_prompts = true\n", "there is no setting at_prompts"),
        ("context = 3\n", "write it as a table"),
    ],
)
def test_what_hints_cant_be_is_told(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=re.escape(says)):
        context_settings(path)
