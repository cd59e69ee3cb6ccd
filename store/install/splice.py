"""Changes to a JSON text that leave every other byte, and the way it is written, as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from .jsonc import Container, Item, Step, Value, parse

ON_THE_SAME_LINE = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*.*?\*/))*", re.DOTALL)
AT_LINE_END = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
UNIT = "  "


def find(text: str, path: Sequence[Step]) -> Value | Container | None:
    """What stands at a path; None where nothing does."""
    found: Value | Container = parse(text)
    for step in path:
        item = found.at(step) if isinstance(found, Container) else None
        if item is None:
            return None
        found = item.value
    return found


def append(text: str, path: Sequence[Step], value: object, key: str | None = None) -> str:
    """`text` with one more item at the end of the object (under `key`) or list at `path`.

    It is written as its neighbours are: on lines of their own, or all on one.
    """
    held = _container(text, path)
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    line_break = _line_break(text)
    between = text[held.start : held.end]
    is_one_line = "\n" not in text.strip() and bool(path)
    if "\n" not in between and (held.items or is_one_line):
        return _insert(text, held, (" " if held.items else "") + name + _dump(value))
    outer = _indent_of_line(text, held.start)
    first = held.items[0].start if held.items else None
    inner = outer + _unit(text) if first is None else _own_indent(text, first, outer)
    dumped = _dump(value, _unit(text)).replace("\n", line_break + inner)
    added = line_break + inner + name + dumped
    if not held.items and "\n" not in between:
        added += line_break + outer
    return _insert(text, held, added)


def replace(text: str, path: Sequence[Step], value: object) -> str:
    """`text` with another value at `path`, which has to be there."""
    found = find(text, path)
    assert found is not None
    return text[: found.start] + _dump(value) + text[found.end :]


def remove(text: str, path: Sequence[Step]) -> str:
    """`text` without the item at `path`, which has to be there: what `append` added, taken out."""
    held = _container(text, path[:-1])
    item = held.at(path[-1])
    assert item is not None
    place = held.items.index(item)
    if len(held.items) == 1:
        return _empty(text, held, item)
    without = _cut(text, item)
    if place == len(held.items) - 1 and item.comma is None:
        comma = held.items[place - 1].comma
        assert comma is not None
        return without[:comma] + without[comma + 1 :]
    return without


def _insert(text: str, held: Container, added: str) -> str:
    if not held.items:
        at = _line_end(text, held.start + 1)
        return text[:at] + added + text[at:]
    last = held.items[-1]
    if last.comma is not None:
        at = _line_end(text, last.comma + 1)
        return text[:at] + added + "," + text[at:]
    at = _line_end(text, last.end)
    return text[: last.end] + "," + text[last.end : at] + added + text[at:]


def _cut(text: str, item: Item) -> str:
    """`text` without an item, its comma, and the blanks before it."""
    end = item.end if item.comma is None else item.comma + 1
    before = text[: item.start].rstrip(" \t\r\n")
    is_within_line = not text[len(before) : item.start].strip(" \t")
    if is_within_line or AT_LINE_END.match(text, end):
        return before + text[end:]
    # What follows stays on a line of its own: a comment may end the line before.
    return text[: item.start] + text[end:].lstrip(" \t")


def _empty(text: str, held: Container, item: Item) -> str:
    without = _cut(text, item)
    end = held.end - (len(text) - len(without))
    inside = without[held.start + 1 : end - 1]
    return without[: held.start + 1] + (inside if inside.strip() else "") + without[end - 1 :]


def _container(text: str, path: Sequence[Step]) -> Container:
    found = find(text, path)
    assert isinstance(found, Container)
    return found


def _dump(value: object, indent: str | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _line_end(text: str, at: int) -> int:
    """Behind the comments that follow on the same line: they belong to what stands before them."""
    match = ON_THE_SAME_LINE.match(text, at)
    assert match is not None
    return match.end()


def _line_break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 :]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _own_indent(text: str, at: int, outer: str) -> str:
    """The indent of what stands at `at`, if it begins its line."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return outer + _unit(text) if before.strip(" \t") else before


def _unit(text: str) -> str:
    """What the text indents by: the indent of its first item."""
    root = parse(text)
    if not isinstance(root, Container) or not root.items:
        return UNIT
    start = root.items[0].start
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return before if before and not before.strip(" \t") else UNIT
