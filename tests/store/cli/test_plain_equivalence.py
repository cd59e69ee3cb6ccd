"""A command line means without typer what it means with it, or is left to it."""

from datetime import datetime, tzinfo
from itertools import chain
from pathlib import Path
from typing import Any, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.cli import arguments, plain
from memtui.store.cli.app import build
from memtui.store.cli.command import Declared
from memtui.store.cli.commands import ALL_COMMANDS, UNDER, declared_in
from tests.sizes import costly

PLACES = {name: (parent, name) for parent, inner in UNDER.items() for name in inner}
DECLARED: dict[tuple[str, ...], tuple[str, str, Declared]] = {
    PLACES.get(name, (name,)) + (() if inner == name else (inner,)): (name, inner, command)
    for name in ALL_COMMANDS
    for inner, command in declared_in(name).commands.items()
    if inner == name or name not in declared_in(name).commands
}
"""Every command by the words that name it."""
BUILT = {name: build(declared_in(name)) for name, _, _ in DECLARED.values()}
VALUES = [
    "12", "p3", "@2", "token", "缓存", "a b", "", "-", "x=1", "7d", "30m", "W", "decision", "0", "1",
    "007", "-3", "1_0", " 5", "٣", "9" * 12, "0.5", "1.", ".5", "1e3", "99",
    "session", "all", "--json", "--db", "text", "claude-code",
]  # fmt: skip
ODD = ["--", "-x", "--nothing", "-n5", "--limit=", "--json=1", "--help", "--as-of"]


def options_of(names: tuple[str, ...]) -> list[str]:
    """The names of a command's options, as typer has them."""
    name, inner, _ = DECLARED[names]
    command: Any = BUILT[name].commands[inner]
    return sorted(name for one in command.params for name in (*one.opts, *one.secondary_opts))


def lines(names: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """Lines of a command: some of its options, with and without values, and words."""
    options, values = st.sampled_from(options_of(names)), st.sampled_from(VALUES)
    part = st.one_of(
        options.map(lambda name: [name]),
        st.tuples(options, values).map(list),
        st.tuples(options, values).map(lambda both: ["=".join(both)]),
        values.map(lambda value: [value]),
        st.sampled_from(ODD).map(lambda word: [word]),
    )
    return st.lists(part, max_size=4).map(lambda parts: [*names, *chain(*parts)])


def without_typer(line: list[str]) -> dict[str, Any] | None:
    """What a command is called with; None for a line that is left to typer."""
    try:
        found, _ = plain.parse(line)
    except plain.NotPlainError:
        return None
    return found.values | {"db": found.database, "json": found.is_json, "as_of": None}


def by_typer(names: tuple[str, ...], words: list[str]) -> dict[str, Any] | None:
    """What typer reads of a line, before it makes lists and paths; None for one that it refuses."""
    name, inner, _ = DECLARED[names]
    command: Any = BUILT[name].commands[inner]
    try:
        context = command.make_context("mem", list(words))
    except Exception as error:
        # What typer refuses a line with has no public name.
        assert getattr(error, "exit_code", None) == 2, error
        return None
    params: dict[str, Any] = context.params
    return params


def called(value: Any, *, is_path: bool) -> Any:
    """A value as a command is called with it."""
    if value in ((), []):
        return None
    if isinstance(value, tuple):
        return list(value)
    return Path(value) if is_path else value


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways read a time such as `7d` at the same moment."""

    class Still(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls(2026, 2, 18, 14, 30, tzinfo=tz)

    monkeypatch.setattr(arguments, "datetime", Still)


def test_what_every_command_declares_is_understood_without_typer() -> None:
    # `mem shell-init` has a way of its own.
    for names in DECLARED.keys() - {("config", "shell-init")}:
        plain.values_of(DECLARED[names][2].function)


@pytest.mark.parametrize("names", DECLARED, ids=" ".join)
@costly(25)
@given(data=st.data())
@pytest.mark.sampled
def test_a_line_means_the_same(names: tuple[str, ...], data: st.DataObject) -> None:
    line = data.draw(lines(names))
    read = without_typer(line)
    if read is not None:
        paths = {name for name, value in read.items() if isinstance(value, Path)}
        typed = by_typer(names, line[len(names) :])
        assert typed is not None
        assert {name: called(value, is_path=name in paths) for name, value in read.items()} == {
            name: called(value, is_path=name in paths) for name, value in typed.items()
        }


@pytest.mark.parametrize("names", [one for one in DECLARED if one[:2] in PLACES.values()], ids=" ".join)
def test_a_line_means_the_same_by_the_name_alone(names: tuple[str, ...]) -> None:
    for words in ([], ["12"], ["12", "--json"], ["--db", "x.db", "a", "b"]):
        assert without_typer([*names[1:], *words]) == without_typer([*names, *words])
