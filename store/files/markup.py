"""The parts of an agent's Markdown: front matter, comments, and the imports in its text."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

FRONT = re.compile(r"\A---[ \t]*\n(?P<front>.*?\n)??---[ \t]*(?:\n|\Z)", re.DOTALL)
LONGEST_FRONT = 1 << 16
"""Characters of front matter that are read."""
ALIAS = re.compile(r"(?:^|[\s\[{,:-])\*\w")
MOST_ALIASES = 20
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
AT = re.compile(r"(?:^|\s)@((?:[^\s\\]|\\ )+)")
BEGINS_A_PATH = re.compile(r"\./|~/|/.|[A-Za-z0-9._-]")


class Import(NamedTuple):
    """An import: the path as it is written, and its line (from 1)."""

    path: str
    line: int


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


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def parsed(text: str) -> list[Token]:
    """Return the tokens of a Markdown text."""
    return _parser().parse(text)


def without_comments(text: str) -> str:
    """Return a text without the HTML comments that are blocks of their own."""
    if "<!--" not in text:
        return text
    lines = text.splitlines(keepends=True)
    for token in parsed(text):
        if token.type == "html_block" and token.map and token.content.lstrip().startswith("<!--"):
            start, end = token.map
            rest = COMMENT.sub("", "".join(lines[start:end]))
            lines[start:end] = [rest if rest.strip() else "", *[""] * (end - start - 1)]
    return "".join(lines)


def imports(text: str) -> list[Import]:
    """Return the imports of a text: `@path` after a space, at a beginning, or in bold, not in code nor in a
    comment. What follows `#` is no part of a path, and `\\ ` is a space in it."""
    if "@" not in text:
        return []
    imports: list[Import] = []
    for token in parsed(text):
        line = (token.map[0] if token.map else 0) + 1
        if token.type == "html_block" and token.content.lstrip().startswith("<!--"):
            imports += _imports_in(COMMENT.sub("", token.content), line)
        elif token.type == "inline":
            for part in _texts(token.children or (), line):
                imports += _imports_in(*part)
    return imports


def _texts(children: Any, line: int) -> Iterator[tuple[str, int]]:
    """Yield the runs of plain text of a paragraph, each with its line."""
    run, begins = "", line
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            run, line = run + "\n", line + 1
        elif child.type == "text":
            run += child.content
        else:
            line += child.content.count("\n")
            yield run, begins
            run, begins = "", line
            continue
        if run == "\n":
            begins = line
    yield run, begins


def _imports_in(text: str, line: int) -> Iterator[Import]:
    for match in AT.finditer(text):
        path = match[1].partition("#")[0].replace("\\ ", " ")
        if BEGINS_A_PATH.match(path) and path != "/":
            yield Import(path, line + text.count("\n", 0, match.start(1)))


def masked(text: str) -> str:
    """Return a text with spaces for code and comments, of the same length and with the same lines."""
    lines = text.splitlines(keepends=True)
    for token in parsed(text):
        if token.map and token.type in ("fence", "code_block"):
            for number in range(token.map[0], min(token.map[1], len(lines))):
                lines[number] = re.sub(r"[^\n]", " ", lines[number])
    plain = "".join(lines)
    for pattern in (r"<!--.*?-->", r"(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)"):
        plain = re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]), plain, flags=re.DOTALL)
    return plain
