"""JSON with comments: parsed with the place of everything in it, and changed in place.

Libraries that keep comments write a file anew from their own model of it, and with that change
bytes that nobody asked to change. Here every other byte stays.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from ..platform.translation import _
from ..records.dataclasses import dataclass

TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)

Step = str | int
"""A key of an object, or the place in a list."""


def _no_constant(name: str) -> object:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)

ON_THE_SAME_LINE = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*.*?\*/))*", re.DOTALL)
AT_LINE_END = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
UNIT = "  "


@dataclass(frozen=True, slots=True)
class Value:
    """A value and where it stands: text[start:end]. A text, number, true, false or null."""

    start: int
    end: int
    data: object


@dataclass(frozen=True, slots=True)
class Member:
    """What an object or a list holds: where it stands (with its key), and the comma behind it."""

    start: int
    value: Value | Container
    key: str | None
    comma: int | None

    @property
    def end(self) -> int:
        """The end of the value, before any comma."""
        return self.value.end


class Container:
    """An object or a list, from its opening to behind its closing bracket.

    Where `items` aren't given they are looked for when they are first asked for: agents keep files of
    many megabytes, and next to nothing of these concerns us. `data` is then known already.
    """

    __slots__ = ("_data", "_items", "_text", "end", "is_object", "start")

    def __init__(
        self, text: str, start: int, end: int, items: tuple[Member, ...] | None, data: object = None
    ) -> None:
        self.start, self.end, self.is_object = start, end, text[start] == "{"
        self._text, self._items, self._data = text, items, data

    @property
    def items(self) -> tuple[Member, ...]:
        """What it holds, in order."""
        if self._items is None:
            self._items = _parse_container(self._text, self.start).items
        return self._items

    @property
    def data(self) -> object:
        """What it holds as Python has it; of equal keys the last counts."""
        if self._data is None:
            if self.is_object:
                self._data = {item.key: item.value.data for item in self.items}
            else:
                self._data = [item.value.data for item in self.items]
        return self._data

    def at(self, step: Step) -> Member | None:
        """The item of a key or place; None when there is none. Of equal keys the last counts."""
        if isinstance(step, int):
            return None if self.is_object else self.items[step]
        return next((item for item in reversed(self.items) if item.key == step), None)


@lru_cache(maxsize=4)
def parse(text: str) -> Value | Container:
    """The value that a text is, comments and trailing commas allowed.

    Raises ValueError with line and column where it is no such text.
    """
    try:
        value = _value(text, skip(text, 0))
    except RecursionError:
        raise ValueError(_("it is nested too deep")) from None
    rest = skip(text, value.end)
    if rest != len(text):
        raise _error(text, rest, _("nothing more was expected"))
    return value


def skip(text: str, at: int) -> int:
    """The place behind blanks and comments."""
    match = TRIVIA.match(text, at)
    assert match is not None
    return match.end()


def _value(text: str, at: int) -> Value | Container:
    if text[at : at + 1] in ("{", "["):
        return _container(text, at)
    try:
        data, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _error(text, error.pos, error.msg) from None
    except ValueError:
        raise _error(text, at, _("a value was expected")) from None
    return Value(at, end, data)


def _container(text: str, start: int) -> Container:
    try:
        # One without comments is read by the faster reader, and not looked into until that's needed.
        data, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _parse_container(text, start)
    return Container(text, start, end, None, data)


def _parse_container(text: str, start: int) -> Container:
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    items: list[Member] = []
    at = skip(text, start + 1)
    while text[at : at + 1] != closing:
        if items and items[-1].comma is None:
            raise _error(text, at, _("a comma or {closing} was expected", closing=closing))
        begin, key = at, None
        if is_object:
            key, at = _key(text, at)
        value = _value(text, at)
        at = skip(text, value.end)
        comma = at if text[at : at + 1] == "," else None
        items.append(Member(begin, value, key, comma))
        if comma is not None:
            at = skip(text, comma + 1)
    return Container(text, start, at + 1, tuple(items))


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise _error(text, at, _("a name in double quotes was expected"))
    key = _value(text, at)
    at = skip(text, key.end)
    if text[at : at + 1] != ":":
        raise _error(text, at, _("a colon was expected"))
    return str(key.data), skip(text, at + 1)


def _error(text: str, at: int, message: str) -> ValueError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return ValueError(_("line {line}, column {column}: {error}", line=line, column=column, error=message))


def find(text: str, path: Sequence[Step]) -> Value | Container | None:
    """What stands at a path; None where nothing does."""
    result: Value | Container = parse(text)
    for step in path:
        item = result.at(step) if isinstance(result, Container) else None
        if item is None:
            return None
        result = item.value
    return result


def append(text: str, path: Sequence[Step], value: object, key: str | None = None) -> str:
    """`text` with one more item at the end of the object (under `key`) or list at `path`.

    It is written as its neighbours are: on lines of their own, or all on one.
    """
    held = _container_at(text, path)
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    line_break = line_break_of(text)
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
    result = find(text, path)
    assert result is not None
    return text[: result.start] + _dump(value) + text[result.end :]


def remove(text: str, path: Sequence[Step]) -> str:
    """`text` without the item at `path`, which has to be there: what `append` added, taken out."""
    held = _container_at(text, path[:-1])
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


def _cut(text: str, item: Member) -> str:
    """`text` without an item, its comma, and the blanks before it."""
    end = item.end if item.comma is None else item.comma + 1
    before = text[: item.start].rstrip(" \t\r\n")
    is_within_line = not text[len(before) : item.start].strip(" \t")
    if is_within_line or AT_LINE_END.match(text, end):
        return before + text[end:]
    # What follows stays on a line of its own: a comment may end the line before.
    return text[: item.start] + text[end:].lstrip(" \t")


def _empty(text: str, held: Container, item: Member) -> str:
    without = _cut(text, item)
    end = held.end - (len(text) - len(without))
    inside = without[held.start + 1 : end - 1]
    return without[: held.start + 1] + (inside if inside.strip() else "") + without[end - 1 :]


def _container_at(text: str, path: Sequence[Step]) -> Container:
    result = find(text, path)
    assert isinstance(result, Container)
    return result


def _dump(value: object, indent: str | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _line_end(text: str, at: int) -> int:
    """Behind the comments that follow on the same line: they belong to what stands before them."""
    match = ON_THE_SAME_LINE.match(text, at)
    assert match is not None
    return match.end()


def line_break_of(text: str) -> str:
    """Return how the lines of a text end."""
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
