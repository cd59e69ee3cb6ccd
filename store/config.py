"""The user's configuration, `config.toml`: which observer looks at what agents did, and its limits."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from .errors import ConfigurationError
from .records.dataclasses import dataclass

Provider = Literal["openai", "anthropic", "command"]

URLS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
MODELS = {"openai": "gpt-4.1-nano", "anthropic": "claude-haiku-4-5"}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
LONGEST_SECONDS = 100
"""A call has to end before its lease does."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A model that observes. Prices are dollars for a million tokens, None where unknown."""

    kind: Provider
    url: str = ""
    model: str = ""
    key_env: str = ""
    key_command: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    daily_tokens: int = 200_000
    timeout_seconds: float = 60.0
    output_tokens: int = 2_000
    json_schema: bool = True
    input_price: float | None = None
    output_price: float | None = None

    @property
    def name(self) -> str:
        """What its costs are listed under."""
        return self.model or (Path(self.command[0]).name if self.command else self.kind)

    @property
    def fingerprint(self) -> str:
        """Changes with any of the settings."""
        from dataclasses import asdict

        return blake2b(repr(sorted(asdict(self).items())).encode(), digest_size=6).hexdigest()


def config_path() -> Path:
    """Where the configuration lies: `MEMTUI_CONFIG`, else in the platform's configuration directory."""
    if named := os.environ.get("MEMTUI_CONFIG"):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("memtui", appauthor=False) / "config.toml"


def model_settings(path: Path | None = None) -> ModelSettings | None:
    """The model that `[observer]` names; None where the rules observe, as they do by default.

    ConfigurationError tells what is wrong with the file.
    """
    place = path or config_path()
    try:
        text = place.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{place} can't be read ({error}). The rules observe.") from error
    import tomllib

    try:
        given = tomllib.loads(text).get("observer", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{place} is no TOML: {error}. Mend that line.") from error
    try:
        return _settings(given)
    except ValueError as error:
        raise ConfigurationError(f"{place}, [observer]: {error}") from error


def _settings(given: Any) -> ModelSettings | None:
    if not isinstance(given, Mapping):
        raise ValueError("write it as a table, [observer].")
    kind = given.get("kind", "rules")
    if kind == "rules":
        return None
    if kind not in ("openai", "anthropic", "command"):
        raise ValueError(f'kind is "rules", "openai", "anthropic" or "command", not {kind!r}.')
    if unknown := given.keys() - READERS.keys() - {"kind"}:
        raise ValueError(f"there is no setting {min(unknown)}. There are: {', '.join(READERS)}.")
    values = {name: READERS[name](name, given[name]) for name in READERS if name in given}
    values = {"url": URLS.get(kind, ""), "model": MODELS.get(kind, "")} | values
    if kind == "command" and not values.get("command"):
        raise ValueError('name the program and its arguments: command = ["ollama", "run", "x"].')
    if kind != "command":
        _check_url(values["url"])
        if not values.get("key_command") and values["url"] == URLS[kind]:
            values.setdefault("key_env", KEYS[kind])
    return ModelSettings(kind, **values)


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"url is like http://localhost:11434/v1, not {url!r}.")
    if parts.username or parts.password:
        raise ValueError("a key doesn't belong into url. Name its variable: key_env = ….")


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError(f"{name} is a text on one line, not {value!r}.")
    return value


def _words(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f'{name} is a list of texts, ["program", "argument"], not {value!r}.')
    return tuple(value)


def _amount(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} is a whole number, 0 or more, not {value!r}.")
    return value


def _number(name: str, value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
        raise ValueError(f"{name} is a number, 0 or more, not {value!r}.")
    return float(value)


def _seconds(name: str, value: Any) -> float:
    seconds = _number(name, value)
    if not 0 < seconds <= LONGEST_SECONDS:
        raise ValueError(f"{name} is more than 0 and at most {LONGEST_SECONDS}, not {value!r}.")
    return seconds


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is true or false, not {value!r}.")
    return value


READERS: dict[str, Any] = {
    "url": _text, "model": _text, "key_env": _text, "key_command": _words, "command": _words,
    "daily_tokens": _amount, "timeout_seconds": _seconds, "output_tokens": _amount,
    "json_schema": _flag, "input_price": _number, "output_price": _number,
}  # fmt: skip
