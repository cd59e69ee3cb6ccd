"""`mem sync add`, `status`, `forget` and `exclude`: which machines are met, and what stays here."""

from __future__ import annotations

from typing import Annotated

from ....cli.command import Call, Command
from ....cli.output.console import Row, localized, print_json, print_rows, tell
from ....cli.typer_later import typer
from ....platform.clock import local_time
from ....platform.translation import _
from ....records.dataclasses import asdict
from ....text.plural import count_noun
from .commands import app
from .meeting import ReadOnly, WriteOnly, _direction

DIRECTIONS = {"both": _("both"), "read": _("from it"), "write": _("to it")}
SHOWN = 20
"""Refused rows of one machine that are named."""


@app.command(cls=Command)
def add(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What you call the machine.")],
    address: Annotated[
        str,
        typer.Argument(metavar="ADDRESS", help="ssh://[USER@]HOST[:PORT][/PATH], folder:DIR, git:DIR."),
    ],
    auto: Annotated[
        bool, typer.Option("--auto", help="Meet it by itself after captures, in the background.")
    ] = False,
    read_only: ReadOnly = False,
    write_only: WriteOnly = False,
) -> None:
    """Add a machine, or a folder, that `mem sync` meets."""
    from ..machines import Machines

    direction = _direction(read_only=read_only, write_only=write_only)
    with call.writing() as store:
        place = Machines(store).add(name, address, automatic=auto, direction=direction)
    if call.json:
        print_json(asdict(place))
    else:
        tell("Added. `mem sync {name} --dry-run` says what would be exchanged.", name=name)


@app.command(cls=Command)
def status(call: Call) -> None:
    """List the machines: when each was met last, what waits for it, and what it refused."""
    from ..machines import Machines

    with call.reading() as store:
        listed = Machines(store).status()
    if call.json:
        print_json([asdict(status) for status in listed])
        return
    if not listed:
        tell("No machine was added. `mem sync add laptop ssh://laptop` adds one.")
    print_rows(
        ("machine", "last met", "waits", "refused", "rows go", "auto", "address"),
        (
            Row(
                entry.name,
                local_time(entry.met_at) if entry.met_at else localized("never"),
                localized("all") if entry.waiting is None else str(entry.waiting),
                str(len(entry.refused)),
                DIRECTIONS[entry.direction],
                localized("yes") if entry.is_automatic else "",
                entry.address,
            )
            for entry in listed
        ),
        wide="address",
        fold=True,
        right={"waits", "refused"},
    )
    for entry in listed:
        for item in entry.refused[:SHOWN]:
            tell(
                "{name}: {row} was refused: {reason}",
                name=entry.name,
                row=item.name,
                reason=item.reason,
            )
        if len(entry.refused) > SHOWN:
            tell(
                "{name}: {more} more were refused (--json names all).",
                name=entry.name,
                more=len(entry.refused) - SHOWN,
            )
        if entry.trouble:
            tell(f"{entry.name}: {entry.trouble}")


@app.command(cls=Command)
def forget(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A machine that was added.")],
    keep: Annotated[bool, typer.Option("--keep", help="Keep what came from it.")] = False,
    drop: Annotated[
        bool, typer.Option("--drop", help="Delete what was made there and not changed here since.")
    ] = False,
) -> None:
    """Meet a machine no more. `mem undo` brings back what --drop deleted."""
    from ..machines import Machines

    if keep == drop:
        raise typer.BadParameter(_("Say what becomes of what came from it: --keep or --drop."))
    with call.writing() as store:
        deleted = Machines(store).forget(name, keep=keep)
    if call.json:
        print_json({"forgotten": name, "deleted": deleted})
    else:
        tell("Forgotten; {memories} deleted.", memories=count_noun(deleted, "memories"))


@app.command(cls=Command)
def exclude(
    call: Call,
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="project:NAME, or any query.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Exclude it no more.")] = False,
) -> None:
    """List what stays on this machine, or add a query to it: what it finds neither leaves nor comes in."""
    from ..machines import Machines

    if query is None:
        if remove:
            raise typer.BadParameter(_("--remove needs the query."))
        with call.reading() as store:
            queries = Machines(store).exclusions()
        if call.json:
            print_json(queries)
            return
        print_rows(("stays here",), (Row(text) for text in queries), wide="stays here")
        return
    with call.writing() as store:
        machines = Machines(store)
        (machines.include if remove else machines.exclude)(query)
        queries = machines.exclusions()
    if call.json:
        print_json(queries)
    else:
        tell("No longer excluded: {query}" if remove else "It stays here: {query}", query=query)
