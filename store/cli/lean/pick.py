"""`mem pick` without typer, which takes as long to import as the picker's first paint.

What is unusual (help, a flag that isn't known here, a value that is wrong) is left to
`memtui.store.cli.commands.shell.pick`. A test holds the two equal.
"""

from __future__ import annotations

from ..picking import PickRequest, pick, query_of_stdin

VALUED = {
    "--db": "database",
    "--format": "format",
    "--template": "template",
    "--height": "height",
    "--quote-after": "quote_after",
}
BEFORE = ("--db", "--json")
"""What may stand before the command."""


def run(arguments: list[str]) -> int | None:
    """Pick what a command line asks for, and return the exit status; None if it isn't plain."""
    given = parse(arguments)
    if given is None or given[0].wrong():
        return None
    request, switches = given
    if "--from-stdin" in switches:
        request.query = f"{request.query} {query_of_stdin()}".strip()
    return pick(request, in_popup="--tmux" in switches)


def parse(arguments: list[str]) -> tuple[PickRequest, set[str]] | None:
    """Return what is asked for, and the switches; None where typer has to look at it."""
    values: dict[str, str] = {}
    words: list[str] = []
    switches: set[str] = set()
    is_named = False
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if not is_named and argument != "pick" and name not in BEFORE:
            return None
        if name in VALUED:
            result = value if equals else next(rest, None)
            if result is None or (not result and name != "--quote-after"):
                return None
            values[VALUED[name]] = result
        elif argument == "--json":
            switches.add(argument)
        elif argument in ("-c", "--clipboard", "--tmux", "--from-stdin"):
            switches.add("-c" if argument == "--clipboard" else argument)
        elif argument == "pick" and not is_named:
            is_named = True
        elif argument.startswith("--"):
            return None
        else:
            words.append(argument)
    if not is_named:
        return None
    if "--json" in switches:
        values.setdefault("format", "json")
    request = PickRequest(" ".join(words), clipboard="-c" in switches, **values)
    return request, switches
