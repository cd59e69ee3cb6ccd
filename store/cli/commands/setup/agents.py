"""`mem agents`: which agents are here, and whether they tell the store what they do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ....platform.clock import local_time
from ....platform.translation import _
from ....records.dataclasses import asdict
from ...command import Call, Command, group
from ...output.console import Row, localized, on_terminal, print_json, print_rows, tell

if TYPE_CHECKING:
    from ....install import AgentState


app = group()

HINTS = {"no": "mem install {}", "outdated": "mem install {}", "unreadable": _("fix {file}")}


@app.command(cls=Command)
def agents(call: Call) -> None:
    """Show each agent: found, installed, what it has beside hooks, its last event, those of today.

    Agents of which nothing is here are only named.
    """
    from ....capture.settings import pause_end
    from ....install import repository
    from ....platform.errors import ConfigurationError

    try:
        project = repository(Path.cwd())
    except ConfigurationError:
        project = None
    print_states(call, known_states(call, project))
    if content := pause_end(call.path):
        tell("Capture is paused until {content}.", content=content)


def known_states(call: Call, project: Path | None) -> list[AgentState]:
    """Return the state of each agent, with its events if there is a store."""
    from ....capture.ingest.catch_up import is_there
    from ....install import states

    if not is_there(call.path):
        return states(project=project)
    with call.reading() as store:
        return states(store, project=project)


def print_states(call: Call, states: list[AgentState]) -> None:
    """Print the states of agents, a line for each."""
    from ....install.agent_states import other_memory, silent_agents

    ran = silent_agents(call.path, states)
    others = {state.agent: other_memory(state, call.path) for state in states}
    if call.json:
        print_json([_json(state, ran, others[state.agent]) for state in states])
        return
    unseen = [state.agent for state in states if not state.is_seen]
    states = [state for state in states if state.is_seen]
    columns = [
        "agent",
        "found",
        "installed",
        "here",
        "parts",
        "last event",
        "today",
        "what to do",
    ]
    rows = [_cells(state, ran, others[state.agent]) for state in states]
    if on_terminal() and not any(state.in_project not in (None, "no") for state in states):
        # The commands need the room.
        place = columns.index("here")
        for cells in (columns, *rows):
            del cells[place]
    wide, first_out = "what to do", ["today", "parts", "last event", "found"]
    if on_terminal() and not any(cells[-1] for cells in rows):
        # Nothing is to be done about any: the rest has the room.
        for cells in (columns, *rows):
            del cells[-1]
        wide = first_out.pop(1)
    print_rows(
        columns,
        (Row(*cells) for cells in rows),
        wide=wide,
        fold=True,
        right=("today",),
        first_out=first_out,
    )
    if unseen:
        tell("Not here: {names}.", names=_(", ").join(unseen))


def _cells(state: AgentState, ran: Mapping[str, int], other: str) -> list[str]:
    is_elsewhere = other and state.installed == "yes"
    return [
        state.agent,
        localized("yes") if state.found else localized("no"),
        localized("elsewhere") if is_elsewhere else localized(state.installed),
        localized(state.in_project or ""),
        state.told_parts,
        "" if state.last_event_at is None else local_time(state.last_event_at),
        f"{state.events_today:,}",
        _hint(state, ran.get(state.agent), other),
    ]


def _hint(state: AgentState, ran_at: int | None, other: str) -> str:
    """Return what there is to do about an agent; "" where there is nothing."""
    if other and "yes" in (state.installed, state.in_project):
        where = " --project" if state.installed == "no" else ""
        return _(
            "{command}: its events go to another store, {store}",
            command=f"mem install {state.agent}{where}",
            store=other,
        )
    if ran_at is not None:
        return _("not heard: mem doctor")
    is_missed = state.found or state.installed != "no"
    is_enough = state.installed == "no" and state.in_project == "yes"
    hint = HINTS.get(state.installed, "") if is_missed and not is_enough else ""
    if not state.takes_hooks:
        hint = "mem import {}" if state.found else ""
    hint = hint.format(state.agent, file=next(iter(state.files), ""))
    if hint and not state.is_tried:
        return _("{hint} (not tried with the program)", hint=hint)
    fault = state.fault or state.part_fault
    if fault and not hint:
        hint = f"mem install {state.agent}"
    return f"{hint}: {fault}" if hint and fault else hint


def _json(state: AgentState, ran: Mapping[str, int], other: str) -> dict[str, object]:
    fields = asdict(state)
    del fields["memories"]
    return fields | {
        "takes_hooks": state.takes_hooks,
        "tried": state.is_tried,
        "files": list(map(str, state.files)),
        "parts": {
            part_state.part: {
                "condition": part_state.condition,
                "files": list(map(str, part_state.files)),
                "fault": part_state.fault,
            }
            for part_state in state.parts
        },
        "other_memory": other or None,
        "ran_unheard_at": ran.get(state.agent),
    }
