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
from ..platform.paths import config_path_bytes
from ..platform.regular_file import read_regular
from ..platform.translation import _

LONGEST = 1 << 20
"""Bytes of a configuration that is read."""


def config_path() -> Path:
    """Where the configuration lies: `MEMTUI_CONFIG`, else in the platform's configuration directory."""
    return Path(os.fsdecode(config_path_bytes(os.environb)))


def read_text(path: Path, otherwise: str = "") -> str | None:
    """Return the file's text, None where there is no file. ConfigurationError where it can't be read;
    `otherwise` is a sentence on what holds then."""
    try:
        return read_regular(path, LONGEST).decode()
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
    where it isn't."""
    table: list[str] = []
    for line, is_header, values in _statements(text):
        if is_header:
            table = _only_names(values)
            if table[: len(names)] == list(names):
                return line
        elif table == list(names[: len(table)]):
            result: Any = values
            for name in names[len(table) :]:
                result = result.get(name) if isinstance(result, Mapping) else None
            if result is not None:
                return line
    return 0


@lru_cache(maxsize=1)
def _statements(text: str) -> tuple[tuple[int, bool, dict[str, Any]], ...]:
    """Return each statement of a text that is TOML: its first line, whether it is a table's header, and
    what it alone says."""
    import tomllib

    statements = []
    first, statement = 1, ""
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        statement += line
        try:
            values = tomllib.loads(statement)
        except ValueError:
            # In the middle of what stands on several lines.
            continue
        if values:
            statements.append((first, statement.lstrip().startswith("["), values))
        first, statement = number + 1, ""
    return tuple(statements)


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
