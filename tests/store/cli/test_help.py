"""Every command and option says what it does."""

import json

import pytest
from typer import Context
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from memtui.store.cli.app import app
from memtui.store.cli.commands import ALL_COMMANDS, COMMANDS, PANELS, UNDER
from tests.tables import table

from .runner import Mem

AnyCommand = TyperCommand | TyperGroup


def commands() -> dict[str, AnyCommand]:
    """Every command by its path, groups included."""
    found: dict[str, AnyCommand] = {}

    def walk(command: AnyCommand, path: str) -> None:
        found[path] = command
        if isinstance(command, TyperGroup):
            context = Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert isinstance(inner, AnyCommand)
                walk(inner, f"{path} {name}")

    whole = get_command(app)
    assert isinstance(whole, TyperGroup)
    walk(whole, "mem")
    return found


ALL = commands()


@table("path", ALL)
def test_every_command_and_option_has_help(path: str) -> None:
    command = ALL[path]
    assert command.help
    for parameter in command.params:
        assert getattr(parameter, "help", None), parameter.name


def test_help_exits_with_0_and_is_plain(mem: Mem) -> None:
    for path in ALL:
        assert mem.ok(*path.split()[1:], "--help").startswith("Usage: mem")
    assert not {"╭", "│"} & set(mem.ok("--help"))


def test_the_index_of_commands_says_what_each_says_of_itself() -> None:
    places = {name: f"{parent} {name}" for parent, inner in UNDER.items() for name in inner}
    for name, (_, line) in ALL_COMMANDS.items():
        said = ALL[f"mem {places.get(name, name)}"].help or ""
        assert " ".join(said.split("\n\n")[0].split()).startswith(line), name


def test_the_help_has_five_panels_and_few_enough_commands_to_read(mem: Mem) -> None:
    shown = mem.ok("--help")
    assert list(PANELS) == ["Everyday", "Curate", "Agents", "Exchange", "Care"]
    assert [line[:-1] for line in shown.splitlines() if line[:-1] in PANELS] == list(PANELS)
    assert len(COMMANDS) <= 26
    assert all(f"\n  {name} " in shown for name in COMMANDS)


def test_what_stands_under_a_parent_is_named_there_alone_and_called_by_its_name_alone_too(mem: Mem) -> None:
    names = [name for inner in UNDER.values() for name in inner]
    assert len(set(names)) == len(names) and not COMMANDS.keys() & set(names)
    assert not any(f"\n  {name} " in mem.ok("--help") for name in names)
    for parent, inner in UNDER.items():
        for name in inner:
            alone, _, rest = mem.ok(name, "--help").partition("\n")
            below, _, rest_below = mem.ok(parent, name, "--help").partition("\n")
            assert (below.replace(f"mem {parent} ", "mem "), rest_below) == (alone, rest)


def test_the_hook_takes_an_agent_or_a_command(mem: Mem) -> None:
    assert "pause" in mem.ok("hook", "--help")
    assert mem.ok("hook", "codex", "--help").startswith("Usage: mem hook [OPTIONS] {AGENT}")
    mem.ok("hook", "pause")
    assert mem.process("hook", "resume", "--json").stdout == b'{"paused": false, "was_paused": true}\n'


def test_every_command_takes_json_and_db() -> None:
    for path, command in ALL.items():
        if not isinstance(command, TyperGroup):
            assert {"--json", "--db"} <= {name for one in command.params for name in one.opts}, path


def test_json_and_db_may_stand_before_or_after_the_command(mem: Mem) -> None:
    elsewhere = str(mem.db.with_name("elsewhere.db"))
    mem.ok("--db", elsewhere, "add", "Title")
    mem.ok("add", "Title", "--db", elsewhere)
    after = mem.ok("stats", "--db", elsewhere, "--json")
    assert mem.ok("--db", elsewhere, "--json", "stats") == after
    assert json.loads(after)["observations"] == 2
    assert not mem.db.exists()


def test_version(mem: Mem) -> None:
    assert mem.ok("--version").startswith("memtui 0.")


@pytest.mark.parametrize("arguments", [(), ("session",), ("nonsense",), ("--nonsense",)])
def test_what_is_no_command_is_wrong_usage(mem: Mem, arguments: tuple[str, ...]) -> None:
    result = mem(*arguments)
    assert result.exit_code == 2
    assert "Usage: mem" in result.output


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("serach", "x"), "Did you mean `mem search`?"),
        (("rebiuld",), "Did you mean `mem store rebuild`?"),
        (("store", "rebiuld"), "Did you mean `mem store rebuild`?"),
        (("sesion", "list"), "Did you mean `mem session`?"),
        (("session", "lst"), "Did you mean `mem session list`?"),
        (("cost",), "Did you mean `mem store stats`?"),
        (("trash", "emtpy"), "Did you mean `mem trash empty`?"),
        (("search", "x", "--limt", "3"), "--limit"),
        (("session", "list", "--projct", "x"), "--project"),
    ],
)
def test_what_is_nearly_a_command_or_an_option_is_told_with_the_nearest(
    mem: Mem, arguments: tuple[str, ...], near: str
) -> None:
    assert near in mem.refused(*arguments, code=2)


def test_no_line_of_a_help_is_cut(mem: Mem) -> None:
    for path, command in ALL.items():
        if isinstance(command, TyperGroup):
            lists = mem.ok(*path.split()[1:], "--help").partition("--help ")[2]
            assert lists and "..." not in lists, path
