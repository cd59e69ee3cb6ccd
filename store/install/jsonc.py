"""JSON with comments, read with the place of everything in it, so that it can be changed in place.

Libraries that keep comments write a file anew from their own model of it, and with that change
bytes that nobody asked to change. Here every other byte stays: `store.install.splice` cuts and
pastes at the places that this finds.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)

Step = str | int
"""A key of an object, or the place in a list."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value and where it stands: text[start:end]. A text, number, true, false or null."""

    start: int
    end: int
    data: object


@dataclass(frozen=True, slots=True)
class Item:
    """What an object or a list holds: where it stands (with its key), and the comma behind it."""

    start: int
    value: Value | Container
    key: str | None
    comma: int | None

    @property
    def end(self) -> int:
        """The end of the value, before any comma."""
        return self.value.end


@dataclass(frozen=True, slots=True)
class Container:
    """An object or a list, from its opening to behind its closing bracket."""

    start: int
    end: int
    items: tuple[Item, ...]
    is_object: bool

    @property
    def data(self) -> object:
        """What it holds as Python has it; of equal keys the last counts."""
        if self.is_object:
            return {item.key: item.value.data for item in self.items}
        return [item.value.data for item in self.items]

    def at(self, step: Step) -> Item | None:
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
        found = _value(text, skip(text, 0))
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    rest = skip(text, found.end)
    if rest != len(text):
        raise _error(text, rest, "nothing more was expected")
    return found


def skip(text: str, at: int) -> int:
    """The place behind blanks and comments."""
    match = TRIVIA.match(text, at)
    assert match is not None
    return match.end()


def _value(text: str, at: int) -> Value | Container:
    if text[at : at + 1] in ("{", "["):
        return _container(text, at)
    try:
        data, end = _SCALARS.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _error(text, error.pos, error.msg) from None
    except ValueError:
        raise _error(text, at, "a value was expected") from None
    return Value(at, end, data)


def _container(text: str, start: int) -> Container:
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    items: list[Item] = []
    at = skip(text, start + 1)
    while text[at : at + 1] != closing:
        if items and items[-1].comma is None:
            raise _error(text, at, f"a comma or {closing} was expected")
        begin, key = at, None
        if is_object:
            key, at = _key(text, at)
        value = _value(text, at)
        at = skip(text, value.end)
        comma = at if text[at : at + 1] == "," else None
        items.append(Item(begin, value, key, comma))
        if comma is not None:
            at = skip(text, comma + 1)
    return Container(start, at + 1, tuple(items), is_object)


def _key(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise _error(text, at, "a name in double quotes was expected")
    key = _value(text, at)
    at = skip(text, key.end)
    if text[at : at + 1] != ":":
        raise _error(text, at, "a colon was expected")
    return str(key.data), skip(text, at + 1)


def _error(text: str, at: int, message: str) -> ValueError:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return ValueError(f"line {line}, column {column}: {message}")


def _no_constant(name: str) -> object:
    raise ValueError(name)


_SCALARS = json.JSONDecoder(parse_constant=_no_constant)
