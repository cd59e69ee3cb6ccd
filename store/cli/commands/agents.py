"""`mem agents`: which agents are here, and whether they tell the store what they do. `mem install` and
`uninstall`: our hooks, and what lets agents use the store themselves, in their own configuration.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from ...agents.registry import AGENTS
from ...platform.clock import local_time
from ...platform.errors import ConfigurationError
from ...platform.paths import current_environment, default_path_bytes
from ...platform.translation import _
from ...records.dataclasses import asdict
from ..command import Call, Command, group
from ..output.console import (
    Row,
    localized,
    on_terminal,
    print_json,
    print_line,
    print_rows,
    print_text,
    tell,
)
from ..typer_later import typer

if TYPE_CHECKING:
    from ...install import AgentState, Installed
    from ...records.events import AgentName


app = group()

HINTS = {"no": "mem install {}", "outdated": "mem install {}", "unreadable": _("fix {file}")}


@app.command(cls=Command)
def agents(call: Call) -> None:
    """Show each agent: found, installed, what it has beside hooks, its last event, those of today.

    Agents of which nothing is here are only named.
    """
    from ...capture.settings import pause_end
    from ...install import repository

    try:
        project = repository(Path.cwd())
    except ConfigurationError:
        project = None
    print_states(call, known_states(call, project))
    if content := pause_end(call.path):
        tell("Capture is paused until {content}.", content=content)


def known_states(call: Call, project: Path | None) -> list[AgentState]:
    """Return the state of each agent, with its events if there is a store."""
    from ...capture.ingest.catch_up import is_there
    from ...install import states

    if not is_there(call.path):
        return states(project=project)
    with call.reading() as store:
        return states(store, project=project)


def print_states(call: Call, states: list[AgentState]) -> None:
    """Print the states of agents, a line for each."""
    from ...install.agent_states import other_memory, silent_agents

    ran = silent_agents(call.path, states)
    others = {state.agent: other_memory(state, call.path) for state in states}
    if call.json:
        print_json([_state_json(state, ran, others[state.agent]) for state in states])
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


def _state_json(state: AgentState, ran: Mapping[str, int], other: str) -> dict[str, object]:
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


def named(name: str) -> str:
    """An agent's name, as people give it."""
    from ...install import agent_named

    try:
        return agent_named(name)
    except ConfigurationError as error:
        raise typer.BadParameter(str(error)) from None


AGENT_HELP = _("One of {names}.", names=", ".join(AGENTS))
MaybeName = Annotated[str | None, typer.Argument(parser=named, metavar="[AGENT]", help=AGENT_HELP)]
InProject = Annotated[
    bool,
    typer.Option(
        "--project",
        help="Only in the repository here, in its personal configuration where it has one.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; show what would be, as a diff.")]


NoHooks = Annotated[
    bool, typer.Option("--no-hooks", help="Without hooks: `mem import` reads its sessions instead.")
]
NoServer = Annotated[bool, typer.Option("--no-mcp", help="Without the entry of our MCP server.")]
NoSkill = Annotated[
    bool, typer.Option("--no-skill", help="Without the skill that teaches when to use the store.")
]
NoCommands = Annotated[
    bool, typer.Option("--no-commands", help="Without the slash commands /mem and /remember.")
]


class Words(NamedTuple):
    """What became of a file of the path {}, and what is said of one that needed no change."""

    changed: str
    unchanged: str


INSTALLING = Words(_("installed in {}"), _("{} is as it should be"))
UNINSTALLING = Words(_("uninstalled in {}"), _("no hooks of ours are in {}"))


@app.command(cls=Command)
def install(
    call: Call,
    agent: MaybeName = None,
    project: InProject = False,
    every: Annotated[bool, typer.Option("--all", help="Every agent that is found here.")] = False,
    dry_run: DryRun = False,
    no_hooks: NoHooks = False,
    no_mcp: NoServer = False,
    no_skill: NoSkill = False,
    no_commands: NoCommands = False,
) -> None:
    """Install hooks that record what an agent does, and what lets it use the store.

    That is the entry of an MCP server, a skill and slash commands, where the agent knows them, for all
    projects. Without AGENT, list those found here.
    """
    from ...install import PARTS, install, states

    if agent is not None and every:
        raise typer.BadParameter(_("Give an AGENT or --all, not both."))
    if agent is None and not every:
        agent_states = [state for state in known_states(call, _project(project)) if state.found]
        print_states(call, agent_states)
        if not agent_states:
            tell("No agent was found. `mem install AGENT` prepares for one all the same.")
        return
    chosen = (
        [agent]
        if agent
        else [
            agent_state.agent
            for agent_state in states()
            if (agent_state.found or _has_ours(agent_state)) and agent_state.takes_hooks
        ]
    )
    where, database = _project(project), _database(call)
    left_out = {"mcp": no_mcp, "skill": no_skill, "commands": no_commands}
    parts = [part for part in PARTS if not left_out[part]]
    results: list[Installed] = []
    refusals: list[ConfigurationError] = []
    for name in chosen:
        try:
            result = install(
                _agent(name),
                hooks=not no_hooks,
                parts=parts,
                project=where,
                database=database,
                dry_run=dry_run,
            )
            results.append(result)
        except ConfigurationError as error:
            refusals.append(error)
    if every or not refusals:
        _report(call, results, dry_run, INSTALLING, is_list=every)
    _refuse(refusals, results)


@app.command(cls=Command)
def uninstall(
    call: Call,
    agent: MaybeName = None,
    project: InProject = False,
    every: Annotated[bool, typer.Option("--all", help="Every agent that has our hooks.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Take the hooks, and what was installed with them, out of an agent's configuration. What it told
    stays in the store."""
    from ...install import states, uninstall

    if (agent is None) != every:
        raise typer.BadParameter(_("Give an AGENT, or --all."))
    where = _project(project)
    hooked = (state.agent for state in states(project=where) if _has_ours(state, in_project=project))
    results: list[Installed] = []
    refusals: list[ConfigurationError] = []
    for name in [agent] if agent else hooked:
        try:
            results.append(uninstall(_agent(name), project=where, dry_run=dry_run))
        except ConfigurationError as error:
            refusals.append(error)
    if every or not refusals:
        _report(call, results, dry_run, UNINSTALLING, is_list=every)
    if every and not (results or refusals):
        tell("No agent has our hooks.")
    if not project:
        _tell_what_remains([item.agent for item in results])
    _refuse(refusals, results)


def _has_ours(state: AgentState, *, in_project: bool = False) -> bool:
    if not in_project and state.has_parts:
        return True
    return (state.in_project if in_project else state.installed) in ("yes", "outdated")


def _tell_what_remains(gone: list[AgentName]) -> None:
    """The agents that have our hooks in the repository here all the same."""
    from ...install import repository, states

    try:
        here = repository(Path.cwd())
    except ConfigurationError:
        return
    for state in states(project=here):
        if state.agent in gone and _has_ours(state, in_project=True):
            tell(
                "{agent}: the hooks of this project remain; mem uninstall {agent} --project "
                "takes them out.",
                agent=state.agent,
            )


def _refuse(refusals: list[ConfigurationError], results: list[Installed]) -> None:
    """Tell what could not be done, if anything, and end so."""
    problems = [f"{item.agent}: {problem}" for item in results for problem in item.problems]
    for sentence in (*problems, *map(str, refusals)):
        tell(sentence)
    if problems or refusals:
        raise typer.Exit(1)


def _agent(name: str) -> AgentName:
    from ...install import agent_named

    return agent_named(name)


def _project(is_for_project: bool) -> Path | None:
    from ...install import repository

    return repository(Path.cwd()) if is_for_project else None


def _database(call: Call) -> Path | None:
    """The store to name in the command: an agent started elsewhere has not this environment."""
    path = Path(os.path.abspath(call.path))  # noqa: PTH100 - links stay as they are
    usual = Path(os.fsdecode(default_path_bytes(current_environment())))
    return None if path == usual else path


def _report(call: Call, done: list[Installed], dry_run: bool, words: Words, *, is_list: bool) -> None:
    if call.json:
        results = [_installed_json(item) for item in done]
        print_json(results if is_list else results[0])
        return
    unchanged = [entry for entry in done if not entry.changed] if is_list else []
    # The diffs of a dry run are alone on stdout.
    put_unchanged = tell if dry_run else print_line
    for result in done:
        if result in unchanged:
            continue
        for change in result.changes:
            if not change.changed:
                put_unchanged(f"{result.agent}: {words.unchanged.format(change.path)}")
            elif dry_run:
                print_text(change.diff().removesuffix("\n"))
            else:
                print_line(f"{result.agent}: {words.changed.format(change.path)}")
        for sentence in (*result.kept, *(() if dry_run else result.advice)):
            tell(f"{result.agent}: {sentence}")
    if unchanged:
        number, names = len(unchanged), ", ".join(result.agent for result in unchanged)
        put_unchanged(
            _("1 agent is up to date: {names}", names=names)
            if number == 1
            else _("{number} agents are up to date: {names}", number=number, names=names)
        )


def _installed_json(result: Installed) -> dict[str, object]:
    return {
        "agent": result.agent,
        "changed": result.changed,
        "files": [
            {"path": str(change.path), "changed": change.changed, "diff": change.diff()}
            for change in result.changes
        ],
        "advice": list(result.advice),
        "problems": list(result.problems),
        "kept": list(result.kept),
    }
