"""Front matter: the YAML that Markdown files of agents and others begin with."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

FRONT = re.compile(r"\A---[ \t]*\n(?P<front>.*?\n)??---[ \t]*(?:\n|\Z)", re.DOTALL)
LONGEST_FRONT = 1 << 16
"""Characters of front matter that are read."""
ALIAS = re.compile(r"(?:^|[\s\[{,:-])\*\w")
MOST_ALIASES = 20


class Split(NamedTuple):
    """A text without its front matter, the front matter's values, and how many lines it took.
    `values` is None where there is front matter that is no YAML mapping."""

    body: str
    values: dict[str, Any] | None
    lines: int


def split_front(text: str) -> Split:
    """Return a text's front matter and the rest."""
    if not text.startswith("---"):
        return Split(text, {}, 0)
    match = FRONT.match(text[:LONGEST_FRONT])
    if match is None:
        return Split(text, {}, 0)
    return Split(text[match.end() :], _values(match["front"] or ""), match[0].count("\n"))


def read_yaml(text: str, *, typed: bool = True) -> Any:
    """Return the value of a YAML text, all scalars as texts unless `typed`. ValueError where it can't be
    read, or has so many aliases that what they stand for may never end."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader) if typed else yaml.BaseLoader
    if len(ALIAS.findall(text)) > MOST_ALIASES:
        raise ValueError("too many aliases")
    try:
        return yaml.load(text, Loader=loader)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _values(front: str) -> dict[str, Any] | None:
    try:
        values = read_yaml(front)
    except ValueError:
        # A pattern such as **/*.py is no YAML value unless it is quoted; the agents take it.
        quoted = re.sub(r"(?m)^(\s*(?:-\s+|[\w-]+:\s+))([*{\[@%`!&][^\n]*)$", _quoted, front)
        try:
            values = read_yaml(quoted)
        except ValueError:
            return None
    if values is None:
        return {}
    return {str(key): value for key, value in values.items()} if isinstance(values, dict) else None


def _quoted(match: re.Match[str]) -> str:
    return match[1] + '"' + match[2].replace("\\", "\\\\").replace('"', '\\"') + '"'
