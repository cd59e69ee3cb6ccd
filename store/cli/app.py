"""The typer app `mem`. Contract: exit code 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ..platform.translation import _
from . import after_hook
from .building import AnyGroup, Panels, build, typer_app
from .command import AS_OF_HELP, DATABASE_HELP, JSON_HELP, Call, group, write_utf8
from .commands import ALL_COMMANDS, COMMANDS, PANELS, UNDER, declared_in, in_sight

MEANT = dict.fromkeys(("cost", "costs", "usage", "spent"), "store stats")
"""By words that are no commands the command that tells of them."""


class Commands(AnyGroup):
    """The commands of `mem`, each imported when it is called: typer takes 20 ms to build them all."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """The commands in sight, in the order of the help."""
        return list(in_sight(COMMANDS))

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | TyperGroup | None:  # noqa: ARG002
        """A command, also one that stands under a parent; None when there is none of this name."""
        return _command(cmd_name) if cmd_name in ALL_COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command that is named first; `hook` takes an agent's name as well as commands."""
        if args[1:] and args[1] in UNDER.get(args[0], {}):
            # Where its leaf is missing this says so; typer knows none of this name then.
            declared_in(args[1])
        if after_hook(args) not in (None, ["--help"]):
            return "hook", _own("hook"), args[1:]
        return super().resolve_command(ctx, args)

    def panels(self, ctx: Any) -> Panels:  # noqa: ARG002
        """Every command's name and line, without importing them."""
        return {
            _(panel): [(name, _(line)) for name, (_module, line) in in_sight(commands).items()]
            for panel, commands in PANELS.items()
        }

    def paths(self, ctx: Any) -> dict[str, str]:
        """By each name what is typed for it, where it stands."""
        under = {name: f"{parent} {name}" for parent, inner in UNDER.items() for name in inner}
        return MEANT | under | super().paths(ctx)


@cache
def _command(name: str) -> TyperCommand | TyperGroup:
    """Return typer's command or group of this name, with what stands under it."""
    own = _own(name)
    if name not in UNDER:
        return own
    parent = own if isinstance(own, TyperGroup) else build(group(declared_in(name).help))
    parent.name = name
    parent.commands = {**parent.commands, **{inner: _command(inner) for inner in in_sight(UNDER[name])}}
    return parent


@cache
def _own(name: str) -> TyperCommand | TyperGroup:
    """Return typer's command or group that a module declares under this name."""
    built = build(declared_in(name))
    built.name = name
    command = built.commands.get(name, built)
    assert isinstance(command, TyperCommand | TyperGroup)
    return command


app = typer_app(_("Write, search and curate what coding agents remember."), Commands, completes=True)


def run(arguments: list[str]) -> int:
    """Run a command line; its exit code."""
    try:
        app(arguments, prog_name="mem")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def run_to_raise(arguments: list[str], names: list[str], error: BaseException) -> int:
    """Return the exit code of a command line whose command raised an error, and have typer tell of it;
    the command isn't run again."""

    def raise_it(**_: object) -> None:
        raise error

    command: Any = _command(names[0]) if names[1:] else _own(names[0])
    for name in names[1:]:
        command = command.commands[name]
    callback, command.callback = command.callback, raise_it
    try:
        return run(arguments)
    finally:
        command.callback = callback


def show_version(requested: bool) -> None:
    """Print the version and end."""
    if requested:
        from ..platform.version import own_version

        print(f"memtui {own_version()}")
        raise typer.Exit


@app.callback()
def mem(
    ctx: typer.Context,
    db: Annotated[str | None, typer.Option("--db", metavar="PATH", help=DATABASE_HELP)] = None,
    json: Annotated[bool, typer.Option("--json", help=JSON_HELP)] = False,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="DATE", help=AS_OF_HELP)] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Take what stands before the command."""
    write_utf8()
    ctx.obj = Call(db, json, as_of=as_of)
