"""The typer app `mem`. Contract: exit code 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

import io
import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_group

from .command import AS_OF_HELP, DATABASE_HELP, JSON_HELP, Call, Group, group

if TYPE_CHECKING:
    from typer._click import Command, Context


COMMANDS = {
    "add": ("add", "Add an observation and print its id."),
    "search": ("search", "Search the memory, best first."),
    "tail": ("tail", "Show what is stored, as it is stored."),
    "pick": ("shell.pick", "Pick memories in the browser's search, and print them."),
    "timeline": ("timeline", "Show what happened around a memory, in time order."),
    "show": ("timeline", "Show records in full."),
    "session": (
        "session",
        "Start, end, link, list, show, resume, delete, restore and purge sessions.",
    ),
    "prompt": ("prompt", "Add what the user asked and print its id."),
    "summary": ("summary", "Add a summary of a session and print its id."),
    "fact": ("fact", "Add, list and show facts."),
    "note": ("note", "Put, list and show notes."),
    "pin": ("curation.flags", "Pin memories, so that new sessions are given them first."),
    "unpin": ("curation.flags", "Unpin memories."),
    "private": ("curation.flags", "Hide memories from every list, search and export."),
    "delete": ("curation.flags", "Delete memories."),
    "restore": ("curation.flags", "Bring deleted memories back."),
    "purge": (
        "curation.purge",
        "Forget memories for good: no undo, no import and no sync brings them back.",
    ),
    "tag": ("curation.flags", "Add tags to observations, or take them away."),
    "report": ("report", "Report a memory as wrong or useful, for whoever curates."),
    "edit": ("curation.edit", "Edit memories, all of those named or none; print their ids."),
    "merge": ("curation.merge", "Merge several memories of one kind into one; print its id."),
    "trash": ("curation.trash", "List what is deleted, bring it back, or forget it for good."),
    "undo": ("curation.undo", "Take back the last change, or the last N, and tell which."),
    "redo": ("curation.undo", "Redo the last change you undid, or the last N."),
    "history": (
        "curation.history",
        "List what people changed, the newest first; of a memory, its versions.",
    ),
    "revert": (
        "curation.undo",
        "Undo one change and keep later ones; the revert is itself a change.",
    ),
    "import": (
        "imports",
        "Bring in another tool's memory or agents' transcripts, or what is new in them.",
    ),
    "export": ("export", "Write the memory down in another format."),
    "sync": ("sync", "Keep a directory and the memory in step, both ways."),
    "install": (
        "setup.install",
        "Install hooks that record what an agent does, and what lets it use the memory.",
    ),
    "uninstall": (
        "setup.install",
        "Take the hooks, and what was installed with them, out of an agent's configuration.",
    ),
    "agents": (
        "setup.agents",
        "Show each agent: found, installed, what it has beside hooks, its last event, its events today.",
    ),
    "hook": ("capture", "Take one event of an agent, JSON on standard input."),
    "pause": ("capture", "Have hooks remember nothing for now."),
    "resume": ("capture", "Have hooks remember again."),
    "exclude": ("capture", "List, add or take away what hooks never remember."),
    "queue": (
        "queue.messages",
        "List, process, retry and drop what waits, and what could not be stored.",
    ),
    "context": ("context", "Print what a session that starts now would be told."),
    "handoff": (
        "handoff",
        "Hand a session over: a brief of what was asked, decided, done and left.",
    ),
    "mcp": ("mcp", "Serve the memory to an agent (Model Context Protocol)."),
    "project": ("project", "List projects, and merge those that are one."),
    "dedupe": ("dedupe", "List memories that say nearly the same, and why."),
    "retention": ("retention", "Say how long memories are kept, and let the older ones go."),
    "shell-init": (
        "shell.init",
        "Print what binds Ctrl+G to mem pick in a shell, and has Tab complete mem.",
    ),
    "config": ("setup.config", "Show and change your configuration, config.toml."),
    "embeddings": (
        "embeddings.vectors",
        "Choose the model that makes vectors of memories, build and drop them.",
    ),
    "stats": (
        "statistics",
        "Count what the memory holds, in all and by time, type, project and agent.",
    ),
    "doctor": ("maintenance", "Check the file, its indexes, and what hooks bring."),
    "backup": ("backup", "Copy the memory, verified, into a new file."),
    "restore-backup": ("backup", "Put a backup in the memory's place, and keep what was there."),
    "reset": ("backup", "Start anew: move the memory aside, or delete it."),
    "repair": ("maintenance", "Salvage a damaged memory into a new file."),
    "rebuild": ("maintenance", "Make the indexes anew from the rows."),
}
"""Each command's module, and its line in the help."""


class Commands(Group):
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
    module = COMMANDS[name][0]
    group = get_group(import_module(f".commands.{module}", __package__).app)
    group.name = name
    return group.commands.get(name, group)


app = group("Write, search and curate what coding agents remember.", Commands, completes=True)


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
    if isinstance(sys.stdout, io.TextIOWrapper):
        # JSON is UTF-8 whatever the locale; what a terminal has no letters for becomes \uxxxx.
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
    ctx.obj = Call(db, json, as_of=as_of)
