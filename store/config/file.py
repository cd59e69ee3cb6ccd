"""The file `config.toml`: where it lies, and what it holds, with lines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import ConfigurationError
from ..regular_file import read_regular

LONGEST = 1 << 20
"""Bytes of a configuration that is read."""


def config_path() -> Path:
    """Where the configuration lies: `MEMTUI_CONFIG`, else in the platform's configuration directory."""
    if named := os.environ.get("MEMTUI_CONFIG"):
        return Path(named)
    from platformdirs import user_config_path

    return user_config_path("memtui", appauthor=False) / "config.toml"


def read_text(path: Path, otherwise: str = "") -> str | None:
    """Return the file's text, None where there is no file. ConfigurationError where it can't be read;
    `otherwise` is a sentence on what holds then."""
    try:
        return read_regular(path, LONGEST).decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} can't be read ({error}). {otherwise}".rstrip()) from error


def parse(text: str, path: Path) -> dict[str, Any]:
    """Return the tables of a text. ConfigurationError names the line that is wrong."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path} is no TOML: {error}. Mend that line.") from error


def read_tables(path: Path, otherwise: str = "") -> dict[str, Any]:
    """Return the tables of the file, none where there is no file. ConfigurationError as above."""
    text = read_text(path, otherwise)
    return {} if text is None else parse(text, path)


def line_of(text: str, names: Sequence[str]) -> int:
    """Return the line, from 1, on which a table or setting is given, by the names that lead to it; 0
    where it isn't."""
    import tomllib

    lines = text.splitlines(keepends=True)
    last_whole = 0
    for number in range(1, len(lines) + 1):
        try:
            found: Any = tomllib.loads("".join(lines[:number]))
        except tomllib.TOMLDecodeError:
            # In the middle of what stands on several lines.
            continue
        for name in names:
            found = found.get(name) if isinstance(found, Mapping) else None
        if found is not None:
            return last_whole + 1
        last_whole = number
    return 0
