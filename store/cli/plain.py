"""Any plain command line without typer, which takes longer to import than most commands take.

What a line means is read from what the command declares, so there is nothing to keep in step. What isn't
plain (help, an option that isn't known, a value that is refused) is left to typer, which also tells what
is wrong. A test holds the two equal.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import chain
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from .command import Call, Declared, carry_out, write_utf8
from .commands import ALL_COMMANDS, UNDER, declared_in
from .typer_later import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LONGEST_NUMBER = 9
"""Digits of a number that is read here."""
NEEDED = object()
UNDERSTOOD = {"help", "metavar", "autocompletion", "min", "max", "parser", "show_default", "hidden"}
"""What an option or argument may be declared with to be read here."""


class NotPlainError(Exception):
    """typer has to look at a line."""


class PlainLine:
    """A command with what it is given: its `path` as typed (`mem fact list`), and the values of its
    parameters by name."""

    def __init__(self) -> None:
        self.path = "mem"
        self.database: str | None = None
        self.is_json = False
        self.values: dict[str, Any] = {}


class PlainValue:
    """A parameter that a word of the line is read for; `default` is what it is without one, NEEDED where
    one has to stand there. `is_many` takes a word each time."""

    def __init__(self, name: str, hint: Any, declared: Parameter, default: object) -> None:
        if not declared.settings.keys() <= UNDERSTOOD:
            raise NotPlainError
        self.name = name
        self.is_many = get_origin(hint) is list
        kind = get_args(hint)[0] if self.is_many else hint
        self.is_switch = kind is bool and declared.is_option
        self.read = _reader(kind, declared.settings)
        # typer reads a default as it reads what is typed.
        is_read = isinstance(default, str) and "parser" in declared.settings
        is_read |= kind is float and isinstance(default, int)
        self.default = self.read(str(default)) if is_read else default


def run(arguments: list[str]) -> int:
    """Run a command line; its exit code. typer runs it where it isn't plain."""
    try:
        line, command = parse(arguments)
    except NotPlainError:
        from .app import run as run_by_typer

        return run_by_typer(arguments)
    write_utf8()
    try:
        return carry_out(
            Call(line.database, line.is_json, line.path),
            command.kind,
            lambda call: command.function(call, **line.values),
        )
    except (Exception, KeyboardInterrupt) as error:
        return _told_by_typer(arguments, line, error)


def parse(arguments: list[str]) -> tuple[PlainLine, Declared]:
    """Return what a line says; raise NotPlainError where typer has to look at it."""
    line = PlainLine()
    rest = iter(arguments)
    for argument in rest:
        if not _is_common(line, argument, rest):
            break
    else:
        raise NotPlainError
    if argument not in ALL_COMMANDS:
        raise NotPlainError
    line.path += f" {argument}"
    if argument in UNDER and (inner := next(rest, None)) is not None:
        if inner in UNDER[argument]:
            line.path += f" {inner}"
            argument = inner
        else:
            rest = chain((inner,), rest)
    declared = declared_in(argument)
    if argument not in declared.commands:
        inner = next(rest, "")
        if inner not in declared.commands and declared.alone:
            inner, rest = declared.alone, chain((inner,), rest) if inner else rest
        argument = inner
        line.path += f" {argument}"
    if argument not in declared.commands:
        raise NotPlainError
    command = declared.commands[argument]
    _read_values(line, command, rest)
    return line, command


def _is_common(line: PlainLine, argument: str, rest: Iterator[str]) -> bool:
    """Whether a word is an option that every command takes; it is noted then."""
    name, equals, value = argument.partition("=")
    if argument == "--json":
        line.is_json = True
    elif name == "--db":
        line.database = value if equals else _value(rest)
    else:
        return False
    return True


def _value(rest: Iterator[str]) -> str:
    value = next(rest, "-")
    if value[:1] == "-":
        raise NotPlainError
    return value


def _read_values(line: PlainLine, command: Declared, rest: Iterator[str]) -> None:
    options, places = values_of(command.function)
    words: list[str] = []
    for argument in rest:
        name, equals, text = argument.partition("=")
        if argument[:1] != "-" or argument == "-":
            words.append(argument)
        elif (option := options.get(name)) is None:
            if not _is_common(line, argument, rest):
                raise NotPlainError
        elif option[0].is_switch:
            if equals:
                raise NotPlainError
            line.values[option[0].name] = option[1]
        elif equals and name[:2] != "--":
            raise NotPlainError
        else:
            _note(line, option[0], text if equals else _value(rest))
    for place in places:
        for word in words if place.is_many else words[:1]:
            _note(line, place, word)
        words = [] if place.is_many else words[1:]
    for value in (*places, *(option for option, _ in options.values())):
        if line.values.setdefault(value.name, value.default) is NEEDED:
            raise NotPlainError
    if words:
        raise NotPlainError


def _note(line: PlainLine, value: PlainValue, text: str) -> None:
    read = value.read(text)
    if value.is_many:
        line.values.setdefault(value.name, []).append(read)
    else:
        line.values[value.name] = read


@cache
def values_of(
    function: Callable[..., object],
) -> tuple[dict[str, tuple[PlainValue, bool]], list[PlainValue]]:
    """Return what a command's function declares: by an option's name its value, and what the name means
    if it is a switch; and the arguments in order. NotPlainError where something is not understood."""
    code: Any = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given: tuple[object, ...] = function.__defaults__ or ()
    defaults = dict(zip(reversed(names[: code.co_argcount]), reversed(given), strict=False))
    options: dict[str, tuple[PlainValue, bool]] = {}
    places: list[PlainValue] = []
    for name in names[1:]:
        hint, declared = _declaration(function, name)
        value = PlainValue(name, hint, declared, defaults.get(name, NEEDED))
        if not declared.is_option:
            if places and places[-1].is_many:
                raise NotPlainError
            places.append(value)
        for spelled in declared.names:
            yes, slash, no = spelled.partition("/")
            options[yes] = value, True
            if slash:
                options[no] = value, False
    return options, places


def _declaration(function: Callable[..., object], name: str) -> tuple[Any, Parameter]:
    """Return the type of a parameter, without None, and what it is declared with."""
    hint: Any = function.__annotations__[name]
    if isinstance(hint, str):
        hint = eval(hint, function.__globals__)
    if get_origin(hint) is not Annotated or not isinstance(hint.__metadata__[0], Parameter):
        raise NotPlainError
    kind = hint.__origin__
    if get_origin(kind) in (UnionType, Union):
        kinds = [arg for arg in get_args(kind) if arg is not type(None)]
        kind = kinds[0] if len(kinds) == 1 else None
    return kind, hint.__metadata__[0]


def _reader(kind: Any, settings: dict[str, Any]) -> Callable[[str], Any]:
    """Return what makes a value of a word; it raises NotPlainError where it can't."""
    if parser := settings.get("parser"):
        return lambda text: _parsed(parser, text)
    if kind in (str, bool):
        return str
    if kind is Path:
        return Path
    if kind in (int, float):
        least, most = settings.get("min", 0), settings.get("max")
        return lambda text: _number(kind, text, least, most)
    if get_origin(kind) is Literal:
        return lambda text: _one_of(get_args(kind), text)
    raise NotPlainError


def _parsed(parser: Callable[[str], Any], text: str) -> Any:
    try:
        return parser(text)
    except Exception:
        raise NotPlainError from None


def _number(kind: type[int | float], text: str, least: float, most: float | None) -> float:
    digits = text if kind is int else text.replace(".", "", 1)
    if not (digits.isascii() and digits.isdecimal() and len(text) <= LONGEST_NUMBER):
        raise NotPlainError
    number = kind(text)
    if number < least or (most is not None and number > most):
        raise NotPlainError
    return number


def _one_of(allowed: tuple[object, ...], text: str) -> str:
    if text not in allowed:
        raise NotPlainError
    return text


def _told_by_typer(arguments: list[str], line: PlainLine, error: BaseException) -> int:
    """Return the exit code of what a command raised; typer says what there is to say of it."""
    is_typers = "typer" in sys.modules or isinstance(error, KeyboardInterrupt | EOFError)
    if not is_typers:
        raise error
    from .app import run_to_raise

    return run_to_raise(arguments, line.path.split()[1:], error)
