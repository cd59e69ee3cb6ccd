"""The typer app `mem`. Contract: exit code 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from .building import AnyGroup, build, typer_app
from .command import AS_OF_HELP, DATABASE_HELP, JSON_HELP, Call, write_utf8
from .commands import COMMANDS, declared_in

if TYPE_CHECKING:
    from typer._click import Command, Context


class Commands(AnyGroup):
    """The commands of `mem`, each imported when it is called: typer takes 20 ms to build them all."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Every command, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002
        """A command, or None when there is none of this name."""
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def lines(self, ctx: Context) -> list[tuple[str, str]]:  # noqa: ARG002
        """Every command's name and line, without importing them."""
        return [(name, line) for name, (_, line) in COMMANDS.items()]


@cache
def _command(name: str) -> Command:
    group = build(declared_in(COMMANDS[name][0]))
    group.name = name
    return group.commands.get(name, group)


app = typer_app("Write, search and curate what coding agents remember.", Commands, completes=True)


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

    command = _command(names[0])
    if isinstance(command, TyperGroup):
        command = command.commands[names[1]]
    callback, command.callback = command.callback, raise_it
    try:
        return run(arguments)
    finally:
        command.callback = callback


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from ..version import own_version

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
