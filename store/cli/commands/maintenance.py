"""`mem stats`, `doctor` and `backup`: the memory as a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ...database.health import Check
from ...records import Snippet
from ..command import Call, Command, group
from ..output.console import Row, put, put_block, put_json, put_rows
from ..output.serializers import local_time

app = group()


@app.command(cls=Command)
def stats(ctx: typer.Context) -> None:
    """Count what the memory holds, and tell where it lies."""
    call: Call = ctx.obj
    with call.reading() as store:
        found = {"path": str(store.path), **asdict(store.stats())}
    if call.json:
        put_json(found)
        return
    for name in ("first_at", "last_at"):
        found[name] = "" if found[name] is None else local_time(found[name])
    put_block("memory", ((name, str(value)) for name, value in found.items()))


@app.command(cls=Command)
def doctor(
    ctx: typer.Context,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Compare every indexed term, however many.")
    ] = False,
) -> None:
    """Check the file, its indexes, and what hooks bring. The exit code is 1 when something is wrong."""
    call: Call = ctx.obj
    from ...capture.ingest.catch_up import is_there
    from ...capture.status.checks import capture_checks
    from ...install.checks import agent_checks, checks_without_memory
    from ...observe.jobs.checks import observer_checks

    place = call.path
    checks = [] if is_there(place) else checks_without_memory(place)
    if not checks:
        with call.reading() as store:
            own = store.doctor(thorough=thorough).checks
            checks = [
                *own,
                *capture_checks(store),
                *agent_checks(store),
                *observer_checks(store),
            ]
    is_well = all(check.ok for check in checks)
    if call.json:
        put_json({"ok": is_well, "checks": [asdict(check) for check in checks]})
    else:
        put_rows(("", "check", "found"), map(check_row, checks), wide="found", fold=True)
    if not is_well:
        raise typer.Exit(1)


def check_row(check: Check) -> Row:
    """What was looked at as a line; below it, what to do where it is not well."""
    cells = ("ok" if check.ok else "BAD", check.name, check.found)
    return Row(cells, None if check.ok else Snippet(check.remedy))


@app.command(cls=Command)
def backup(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A new file.")],
) -> None:
    """Copy the memory, verified, into a new file."""
    call: Call = ctx.obj
    with call.reading() as store:
        copy = store.backup(path)
    if call.json:
        put_json({"path": str(copy)})
    else:
        put(str(copy))
