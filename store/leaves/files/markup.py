"""The parts of an agent's Markdown (front matter, comments, imports in its text), and changing its notes:
front matter, lines of an index, and links, without touching anything else.

Texts have plain line ends here; `memtui.store.leaves.files.writing` gives each file its own back.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

from ...records.dataclasses import dataclass
from ...text.front_matter import split_front

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Import(NamedTuple):
    """An import: the path as it is written, and its line (from 1)."""

    path: str
    line: int


def without_comments(text: str) -> str:
    """Return a text without the HTML comments that are blocks of their own."""
    if "<!--" not in text:
        return text
    lines = text.splitlines(keepends=True)
    for token in _parsed(text):
        if token.type == "html_block" and token.map and token.content.lstrip().startswith("<!--"):
            start, end = token.map
            rest = replaced_comments("".join(lines[start:end]), lambda _match: "")
            lines[start:end] = [rest if rest.strip() else "", *[""] * (end - start - 1)]
    return "".join(lines)


def imports(text: str) -> list[Import]:
    """Return the imports of a text: `@path` after a space, at a beginning, or in bold, not in code nor in a
    comment. What follows `#` is no part of a path, and `\\ ` is a space in it. Of an item of a list, those
    in bold come last."""
    if "@" not in text:
        return []
    imports: list[Import] = []
    items = 0
    for token in _parsed(text):
        items += token.nesting if token.type in ("list_item_open", "list_item_close") else 0
        line = (token.map[0] if token.map else 0) + 1
        if token.type == "html_block" and token.content.lstrip().startswith("<!--"):
            imports += _imports_in(replaced_comments(token.content, lambda _match: ""), line)
        elif token.type == "inline":
            runs = list(_texts(token.children or (), line))
            for run, begins, _depth in sorted(runs, key=lambda run: run[2]) if items else runs:
                imports += _imports_in(run, begins)
    return imports


def masked(text: str, *, comments: bool = True) -> str:
    """Return a text with spaces for code and comments, of the same length and with the same lines."""
    lines = text.splitlines(keepends=True)
    for token in _parsed(text):
        if token.map and token.type in ("fence", "code_block"):
            for number in range(token.map[0], min(token.map[1], len(lines))):
                lines[number] = re.sub(r"[^\n]", " ", lines[number])
    plain = "".join(lines)
    if comments:
        plain = replaced_comments(plain, _blank)
    return re.sub(r"(?<!`)(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", _blank, plain, flags=re.DOTALL)


def replaced_comments(text: str, change: Callable[[re.Match[str]], str]) -> str:
    """Return a text with its HTML comments changed."""
    # None is looked for where none can end: that takes the square of their beginnings.
    end = text.rfind("-->") + 3 if "-->" in text else 0
    return COMMENT.sub(change, text[:end]) + text[end:]


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


INDEX = "MEMORY.md"
INDEX_LINE = re.compile(r"^[ \t]*[-*][ \t]+\[(?P<title>[^\]]*)\]\((?P<target>[^)\s]+)\)(?P<rest>.*)$")
WIKI_LINK = re.compile(r"\[\[(?P<name>[^\]|#\n]+)(?P<rest>[^\]\n]*)\]\]")
MARKDOWN_LINK = re.compile(r"(?P<before>\]\()(?P<target>[^)\s]+)(?P<after>(?:\s[^)]*)?\))")
LONGEST_HOOK = 150
"""Characters of what an index says of a note."""


@dataclass(frozen=True, slots=True)
class IndexLine:
    """A line of an index: its number (from 1), the note's title, the file that it names, relative to the
    index, and what it says of it."""

    number: int
    title: str
    target: str
    hook: str


def index_of(path: Path) -> Path | None:
    """Return the index that a note is listed in; None where there is none, and of the index itself."""
    index = path.parent / INDEX
    return index if path.name != INDEX and index.is_file() else None


def index_lines(text: str) -> list[IndexLine]:
    """Return the lines of an index that name notes."""
    lines = zip(text.splitlines(), masked(text).splitlines(), strict=True)
    return [
        IndexLine(number, match["title"], unquote(match["target"]), match["rest"].strip(" \t—–-:"))
        for number, (line, plain) in enumerate(lines, 1)
        if INDEX_LINE.match(plain) and (match := INDEX_LINE.match(line))
    ]


def with_index_line(text: str, title: str, target: str, hook: str) -> str:
    """Return an index that names a note in its last place, or says of it what is new where it names it
    already."""
    title = _one_line(title).replace("[", "(").replace("]", ")")
    line = f"- [{title}]({quote(target)})"
    if hook := _one_line(hook):
        line += f" — {hook if len(hook) <= LONGEST_HOOK else hook[: LONGEST_HOOK - 1] + '…'}"
    lines = text.splitlines(keepends=True)
    present = index_lines(text)
    for item in present:
        if item.target == target:
            lines[item.number - 1] = line + _end_of(lines[item.number - 1])
            return "".join(lines)
    place = present[-1].number if present else len(lines)
    if place and not lines[place - 1].endswith("\n"):
        lines[place - 1] += "\n"
    return "".join([*lines[:place], f"{line}\n", *lines[place:]])


def without_index_line(text: str, target: str) -> str:
    """Return an index without the lines that name a note."""
    gone = {item.number for item in index_lines(text) if item.target == target}
    lines = text.splitlines(keepends=True)
    return "".join(line for number, line in enumerate(lines, 1) if number not in gone)


def renamed(text: str, before: str, after: str) -> str:
    """Return a text whose links to a file beside it, by its name, lead to the file's new one; code is
    left alone."""

    def link(match: re.Match[str]) -> str:
        path, mark, section = match["target"].partition("#")
        if unquote(path).removeprefix("./") != before:
            return match[0]
        return f"{match['before']}{quote(after)}{mark}{section}{match['after']}"

    def wiki(match: re.Match[str]) -> str:
        if match["name"].strip() != _stem(before):
            return match[0]
        return f"[[{_stem(after)}{match['rest']}]]"

    for pattern, change in ((MARKDOWN_LINK, link), (WIKI_LINK, wiki)):
        text = _outside_code(text, pattern, change)
    return text


def with_fields(text: str, fields: Mapping[str, str]) -> str:
    """Return a note whose front matter has these values; `metadata.type` names one within another. What it
    holds else stays as it is written; where there is none, it is made."""
    split = split_front(text)
    lines = text.splitlines(keepends=True)
    front, rest = lines[1 : max(split.lines - 1, 1)], lines[split.lines :]
    is_new = not split.lines
    for name, value in fields.items():
        front = _with_field([] if is_new and not front else front, name, value)
    return "".join(["---\n", *front, "---\n", *(["\n"] if is_new and rest else []), *rest])


def field(text: str, name: str) -> str:
    """Return a value of a note's front matter as text, also one that stands within `metadata`; "" where it
    isn't there."""
    values: Any = split_front(text).values or {}
    inner = values.get("metadata")
    for place in (values, inner if isinstance(inner, dict) else {}):
        if (value := place.get(name)) is not None:
            return str(value)
    return ""


def new_note(name: str, description: str, kind: str, body: str) -> str:
    """Return a note as Claude Code writes them."""
    fields = {"name": name, "description": _one_line(description), "metadata.node_type": "memory"}
    front = with_fields("", fields | {"metadata.type": kind})
    return f"{front}\n{body.strip(chr(10))}\n"


def file_name(title: str) -> str:
    """Return the name that a note of this title has as a file: `use-pnpm.md`."""
    words = re.sub(r"[^\w]+", "-", title.casefold()).strip("-_")[:60].rstrip("-")
    return f"{words or 'note'}.md"


AT = re.compile(r"(?:^|\s)@((?:[^\s\\]|\\ )+)")
BEGINS_A_PATH = re.compile(r"\./|~/|/.|[A-Za-z0-9._-]")


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _parsed(text: str) -> list[Token]:
    """Return the tokens of a Markdown text."""
    return _parser().parse(text)


def _texts(children: Any, line: int) -> Iterator[tuple[str, int, int]]:
    """Yield the runs of plain text of a paragraph, each with its line and how deep it stands in bold."""
    run, begins, depth = "", line, 0
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            run, line = run + "\n", line + 1
        elif child.type == "text":
            run += child.content
        else:
            line += child.content.count("\n")
            yield run, begins, depth
            run, begins, depth = "", line, depth + child.nesting
            continue
        if run == "\n":
            begins = line
    yield run, begins, depth


def _imports_in(text: str, line: int) -> Iterator[Import]:
    for match in AT.finditer(text):
        path = match[1].partition("#")[0].replace("\\ ", " ")
        if BEGINS_A_PATH.match(path) and path != "/":
            yield Import(path, line + text.count("\n", 0, match.start(1)))


PLAIN = re.compile(r"[A-Za-z0-9_./@+()' -]+")
"""A value of YAML that needs no quotes, if it is none of the words that mean something else."""
WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "null", "~", ""))


def _outside_code(text: str, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str]) -> str:
    plain = masked(text)
    parts: list[str] = []
    place = 0
    for match in pattern.finditer(plain):
        parts += [text[place : match.start()], change(match)]
        place = match.end()
    return "".join([*parts, text[place:]])


def _with_field(front: list[str], name: str, value: str) -> list[str]:
    outer, _, inner = name.partition(".")
    if not inner:
        place, end = _span(front, outer, "")
        return [*front[:place], f"{outer}: {_yaml(value)}\n", *front[end:]]
    place, end = _span(front, outer, "")
    if place == end:
        return [*front, f"{outer}:\n", f"  {inner}: {_yaml(value)}\n"]
    block = front[place + 1 : end]
    indent = next((line[: len(line) - len(line.lstrip())] for line in block if line.strip()), "  ")
    first, last = _span(block, inner, indent)
    block = [*block[:first], f"{indent}{inner}: {_yaml(value)}\n", *block[last:]]
    return [*front[: place + 1], *block, *front[end:]]


def _span(lines: list[str], name: str, indent: str) -> tuple[int, int]:
    """Return the lines that a key and its value take up; an empty span at the end where it isn't there."""
    for place, line in enumerate(lines):
        if re.match(rf"{indent}['\"]?{re.escape(name)}['\"]?[ \t]*:", line):
            end = place + 1
            while end < len(lines) and _is_deeper(lines[end], indent):
                end += 1
            return place, end
    return len(lines), len(lines)


def _is_deeper(line: str, indent: str) -> bool:
    """Return whether a line goes on with the value above it."""
    if not line.strip():
        return False
    depth = len(line) - len(line.lstrip(" \t"))
    return depth > len(indent) or (depth == len(indent) and line.lstrip().startswith("- "))


def _yaml(value: str) -> str:
    is_plain = PLAIN.fullmatch(value) and value == value.strip() and value[0] not in "-@'"
    if is_plain and value.casefold() not in WORDS and not re.match(r"[\d.+]", value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _end_of(line: str) -> str:
    return "\n" if line.endswith("\n") else ""


def _stem(name: str) -> str:
    return name.removesuffix(".md")
