"""The typer app `mem`. Contract: exit code 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup
from typer.main import get_group

from .command import DATABASE_HELP, JSON_HELP, Call, group

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter


COMMANDS = {
    "add": ("add", "Add an observation and print its id."),
    "search": ("search", "Search the memory, best first."),
    "timeline": ("timeline", "Show what happened around a memory, in time order."),
    "show": ("show", "Show records in full."),
    "session": ("session", "Start, end, link, list and show sessions."),
    "prompt": ("prompt", "Add what the user asked and print its id."),
    "summary": ("summary", "Add what a session came to and print its id."),
    "fact": ("fact", "Add, list and show facts."),
    "note": ("note", "Put, list and show notes."),
    "pin": ("edit", "Keep memories at hand."),
    "unpin": ("edit", "Let pinned memories go."),
    "private": ("edit", "Hide memories from every list, search and export."),
    "delete": ("edit", "Delete memories."),
    "restore": ("edit", "Bring deleted memories back."),
    "undo": ("edit", "Take back the last change, and tell which it was."),
    "import": (
        "imports",
        "Bring in another tool's memory or agents' transcripts, or what is new in them.",
    ),
    "export": ("export", "Write the memory down in another format."),
    "sync": ("sync", "Keep a directory and the memory in step, both ways."),
    "install": ("install", "Make an agent tell the memory what it does."),
    "uninstall": ("install", "Take the hooks out of an agent's configuration."),
    "agents": ("agents", "Show each agent: found, installed, its last event, its events today."),
    "hook": ("capture", "Take one event of an agent, JSON on standard input."),
    "pause": ("capture", "Have hooks remember nothing for now."),
    "resume": ("capture", "Have hooks remember again."),
    "exclude": ("capture", "List, add or take away what hooks never remember."),
    "queue": ("queue", "List, process, retry and drop what waits, and what could not be stored."),
    "context": ("context", "Print what a session that starts now would be told."),
    "project": ("project", "List projects, and merge those that are one."),
    "dedupe": ("dedupe", "List memories that say nearly the same, and why."),
    "retention": ("retention", "Say how long memories are kept, and let the older ones go."),
    "stats": ("maintenance", "Count what the memory holds, and tell where it lies."),
    "doctor": ("maintenance", "Check the file, its indexes, and what hooks bring."),
    "backup": ("maintenance", "Copy the memory, verified, into a new file."),
    "rebuild": ("maintenance", "Make the indexes anew from the rows."),
}
"""Each command's module, and its line in the help."""


class Commands(TyperGroup):
    """The commands of `mem`, each imported when it is called: typer takes 20 ms to build them all."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Every command, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002
        """A command, or None when there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = COMMANDS[cmd_name][0]
        group = get_group(import_module(f".commands.{module}", __package__).app)
        group.name = cmd_name
        return group.commands.get(cmd_name, group)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


app = group("Write, search and curate what coding agents remember.", Commands)


def run(arguments: list[str]) -> int:
    """Run a command line; its exit code."""
    try:
        app(arguments, prog_name="mem")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from importlib.metadata import version

        print(f"memtui {version('memtui')}")
        raise typer.Exit


@app.callback()
def mem(
    ctx: typer.Context,
    db: Annotated[str | None, typer.Option("--db", metavar="PATH", help=DATABASE_HELP)] = None,
    json: Annotated[bool, typer.Option("--json", help=JSON_HELP)] = False,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Take what stands before the command."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # JSON is UTF-8 whatever the locale; what a terminal has no letters for becomes \uxxxx.
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
    ctx.obj = Call(db, json)
