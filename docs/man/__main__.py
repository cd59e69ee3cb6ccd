"""`python -m docs.man`: write the manual pages of both commands beside this file."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_group

from memtui.store.cli.app import app
from memtui.store.cli.commands import PANELS
from memtui.store.platform.version import own_version
from memtui.tui.__main__ import parser, serve_parser

FOLDER = Path(__file__).parent
COMMON = ("--json", "--db", "--as-of", "--help")
"""Options of every command, which stand once, at the top."""
FILES = {
    "mem": "The store is one file in your data directory; \\fBmem stats\\fR says where. What hooks leave "
    "lies beside it. Settings are read from \\fIconfig.toml\\fR in your configuration directory; "
    "\\fBmem config list\\fR shows them all.",
    "memtui": "The same store and settings as \\fBmem\\fR(1).",
}


def pages() -> dict[str, str]:
    """The text of each page, in roff, by its file's name."""
    return {"mem.1": _page("mem", _mem()), "memtui.1": _page("memtui", _memtui())}


def _page(name: str, lines: Iterator[str]) -> str:
    other = "memtui" if name == "mem" else "mem"
    return "\n".join([
        f'.TH {name.upper()} 1 "" "memtui {own_version()}" "User Commands"',
        *lines,
        ".SH FILES", FILES[name],
        ".SH ENVIRONMENT", ".TP", ".B MEMTUI_DB", "The store to use, unless \\-\\-db names one.",
        ".SH EXIT STATUS", "0 done, 1 could not, 2 wrong usage.",
        ".SH SEE ALSO", f"\\fB{other}\\fR(1)", "",
    ])  # fmt: skip


def _mem() -> Iterator[str]:
    root = get_group(app)
    context = typer.Context(root, info_name="mem")
    help = root.help or ""
    yield from (".SH NAME", f"mem \\- {_roff(help.rstrip('.').lower())}")
    yield from (".SH SYNOPSIS", _usage(root, context), ".SH DESCRIPTION", _roff(help))
    yield "Every command takes \\-\\-json and \\-\\-db, also after its name."
    yield from (".SH OPTIONS", *_parameters(root, context))
    for panel, commands in PANELS.items():
        yield f".SH {panel.upper()}"
        for name in commands:
            command = root.get_command(context, name)
            assert isinstance(command, TyperCommand | TyperGroup)
            yield from _command(command, typer.Context(command, context, name))


def _command(command: TyperCommand | TyperGroup, context: typer.Context) -> Iterator[str]:
    if command.hidden:
        return
    yield from (f".SS {_roff(context.command_path)}", _usage(command, context))
    yield from _paragraphs(command.help or "")
    yield from _parameters(command, context, but=COMMON)
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            assert isinstance(inner, TyperCommand | TyperGroup)
            yield from _command(inner, typer.Context(inner, context, name))


def _usage(command: TyperCommand | TyperGroup, context: typer.Context) -> str:
    name, usage = context.command_path, " ".join(command.collect_usage_pieces(context))
    return f"\\fB{_roff(name)}\\fR {_roff(usage)}"


def _parameters(
    command: TyperCommand | TyperGroup, context: typer.Context, but: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yield the roff of a command's arguments and options, without the options in `but`."""
    for parameter in command.get_params(context):
        record: Any = parameter.get_help_record(context)
        if record is not None and not set(parameter.opts) & set(but):
            names, description = record
            style = "I" if isinstance(parameter, TyperArgument) else "B"
            yield from _item(style, names, description)


def _memtui() -> Iterator[str]:
    browser, server = parser(), serve_parser()
    description = browser.description or ""
    yield from (".SH NAME", f"memtui \\- {_roff(description.rstrip('.').lower())}")
    yield from (".SH SYNOPSIS", _synopsis(browser), ".br", _synopsis(server))
    yield from (".SH DESCRIPTION", _roff(f"{description} {browser.epilog}"))
    yield from (".SH OPTIONS", *_options(browser))
    yield from (".SH SERVING", _roff(server.description or ""))
    known = {name for action in browser._actions for name in action.option_strings}
    yield from _options(server, but=known)


def _synopsis(of: ArgumentParser) -> str:
    return f"\\fB{of.prog}\\fR " + _roff(" ".join(of.format_usage().split()).partition(f"{of.prog} ")[2])


def _options(of: ArgumentParser, but: set[str] | None = None) -> Iterator[str]:
    # argparse has no public list of what was added to it.
    for action in of._actions:
        if not set(action.option_strings) & (but or set()):
            # One that takes nothing has no place for it.
            value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
            yield from _item("B", ", ".join(action.option_strings) + value, action.help or "")


def _item(style: str, names: str, description: str) -> Iterator[str]:
    yield from (".TP", f".{style} {_roff(names)}", _roff(description) or "\\&")


def _paragraphs(help: str) -> Iterator[str]:
    for paragraph in help.split("\n\n"):
        yield from (".PP", _roff(" ".join(paragraph.split())))


def _roff(text: str) -> str:
    """A text of one line as roff shows it as it is."""
    escaped = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^(?=\.)", r"\\&", escaped.replace("`", "\\(ga"))


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, "utf-8")
