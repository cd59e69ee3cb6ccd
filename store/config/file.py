"""The file `config.toml`: where it lies, and what it holds, with lines.

tomllib gives no lines: that of a key is where the shortest readable beginning of the file has it,
however TOML is written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..platform.errors import ConfigurationError
from ..platform.paths import config_path_bytes, current_environment
from ..platform.regular_file import read_regular
from ..platform.translation import _

LONGEST = 1 << 20
"""Bytes of a configuration that is read."""
MOST_PARTS = 200
"""Parts of a key."""


def config_path() -> Path:
    """Where the configuration lies: `MEMTUI_CONFIG`, else in the platform's configuration directory."""
    return Path(os.fsdecode(config_path_bytes(current_environment())))


def read_text(path: Path, otherwise: str = "") -> str | None:
    """Return the file's text, None where there is no file. ConfigurationError where it can't be read;
    `otherwise` is a sentence on what holds then."""
    try:
        return read_regular(path, LONGEST).decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            _(
                "{path} can't be read ({error}). {otherwise}",
                path=path,
                error=error,
                otherwise=otherwise,
            ).rstrip()
        ) from error


def parse(text: str, path: Path) -> dict[str, Any]:
    """Return the tables of a text. ConfigurationError names the line that is wrong."""
    import tomllib

    try:
        # The time it takes grows with the square of a key's parts.
        if any(line.partition("=")[0].count(".") > MOST_PARTS for line in text.splitlines()):
            raise RecursionError
        return tomllib.loads(text)
    except ValueError as error:
        raise ConfigurationError(
            "{path} is not valid TOML: {error}. Fix that line.", path=path, error=error
        ) from error
    except RecursionError as error:
        raise ConfigurationError("{path} is nested too deeply to be read.", path=path) from error


def read_tables(path: Path, otherwise: str = "") -> dict[str, Any]:
    """Return the tables of the file, none where there is no file. ConfigurationError as above."""
    text = read_text(path, otherwise)
    return {} if text is None else parse(text, path)


def line_of(text: str, names: Sequence[str]) -> int:
    """Return the line, from 1, on which a table or setting is given, by the names that lead to it; 0
    where it isn't, or that would take long to tell."""
    return _lines(text).get(tuple(names[:DEEPEST]), 0)


DEEPEST = 8
"""So many names lead to what lines are told of."""
MOST_TRIED = 200_000
"""Characters that are read again, since statements may stand on several lines."""


@lru_cache(maxsize=1)
def _lines(text: str) -> dict[tuple[str, ...], int]:
    """Return the first line that gives each table and setting of a text that is TOML, by the names that
    lead to it."""
    import tomllib

    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    first, statement, left = 1, "", len(text) + MOST_TRIED
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        statement += line
        left -= len(statement)
        if left < 0:
            break
        try:
            values = tomllib.loads(statement)
        except ValueError:
            # In the middle of what stands on several lines.
            continue
        if statement.lstrip().startswith("["):
            table = tuple(_only_names(values)[:DEEPEST])
            for depth in range(1, len(table) + 1):
                found.setdefault(table[:depth], first)
        else:
            _add(found, table, values, first)
        first, statement = number + 1, ""
    return found


def _add(
    found: dict[tuple[str, ...], int], above: tuple[str, ...], values: Mapping[str, Any], line: int
) -> None:
    """Add the line of values, and of those within them."""
    for name, value in values.items() if len(above) < DEEPEST else ():
        names = (*above, name)
        found.setdefault(names, line)
        if isinstance(value, Mapping):
            _add(found, names, value, line)


def _only_names(values: Any) -> list[str]:
    """Return the names that lead to the table of a header: each table on the way holds one more."""
    names = []
    while values:
        if isinstance(values, list):
            (values,) = values
        else:
            ((name, values),) = values.items()
            names.append(name)
    return names
