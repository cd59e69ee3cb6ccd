"""`mem agents`: which agents are here, and whether they tell the memory what they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .command import Call, Command, group
from .output import Row, put_json, put_rows
from .times import local_time

if TYPE_CHECKING:
    from ..install import AgentState

app = group()

HINTS = {"no": "mem install {}", "outdated": "mem install {}", "unreadable": "mend {file}"}


@app.command(cls=Command)
def agents(ctx: typer.Context) -> None:
    """Show each agent: found, installed, its last event, its events today."""
    from ..errors import ConfigurationError
    from ..install import repository, states

    call: Call = ctx.obj
    try:
        project = repository(Path.cwd())
    except ConfigurationError:
        project = None
    if not memory_path(call).exists():
        put_states(call, states(project=project))
        return
    with call.reading() as store:
        found = states(store, project=project)
    put_states(call, found)


def put_states(call: Call, found: list[AgentState]) -> None:
    """The states of agents, a line for each."""
    if call.json:
        put_json([asdict(state) | {"files": list(map(str, state.files))} for state in found])
        return
    columns = ("agent", "found", "installed", "here", "last event", "today", "what to do")
    put_rows(columns, _rows(found), wide="what to do")


def memory_path(call: Call) -> Path:
    """The memory that a command is about, whether it is there or not."""
    from ..database import default_path

    return Path(call.database) if call.database is not None else default_path()


def _rows(found: list[AgentState]) -> Iterator[Row]:
    for state in found:
        last = "" if state.last_event_at is None else local_time(state.last_event_at)
        is_missed = state.found or state.installed != "no"
        is_enough = state.installed == "no" and state.in_project == "yes"
        hint = HINTS.get(state.installed, "") if is_missed and not is_enough else ""
        yield Row(
            (
                state.agent,
                "yes" if state.found else "no",
                state.installed,
                state.in_project or "",
                last,
                str(state.events_today),
                hint.format(state.agent, file=state.files[0]),
            )
        )
