"""`mem install` and `uninstall`: our hooks in the agents' own configuration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .agents import known_states, memory_path, put_states
from .command import Call, Command, group
from .output import put, put_json, put_text, tell

if TYPE_CHECKING:
    from ..capture.events import Agent
    from ..errors import ConfigurationError
    from ..install import Installed

app = group()


def named(name: str) -> str:
    """An agent's name, as people give it."""
    from ..errors import ConfigurationError
    from ..install import agent_named

    try:
        return agent_named(name)
    except ConfigurationError as error:
        raise typer.BadParameter(str(error)) from None


AGENT_HELP = "claude-code (or claude), codex, cursor, gemini, opencode, copilot, windsurf or trae."
Name = Annotated[str, typer.Argument(parser=named, metavar="AGENT", help=AGENT_HELP)]
MaybeName = Annotated[str | None, typer.Argument(parser=named, metavar="[AGENT]", help=AGENT_HELP)]
InProject = Annotated[
    bool,
    typer.Option(
        "--project",
        help="Only in the repository here, in its personal configuration where it has one.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Change nothing; show what would be, as a diff.")
]


@app.command(cls=Command)
def install(
    ctx: typer.Context,
    agent: MaybeName = None,
    project: InProject = False,
    every: Annotated[bool, typer.Option("--all", help="Every agent that is found here.")] = False,
    dry_run: DryRun = False,
) -> None:
    """Make an agent tell the memory what it does. Without AGENT, list those found here."""
    from ..errors import ConfigurationError
    from ..install import install, states

    call: Call = ctx.obj
    if agent is not None and every:
        raise typer.BadParameter("Give an AGENT or --all, not both.")
    if agent is None and not every:
        found = [state for state in known_states(call, _project(project)) if state.found]
        put_states(call, found)
        if not found:
            tell("No agent was found. `mem install AGENT` prepares for one all the same.")
        return
    chosen = [agent] if agent else [state.agent for state in states() if state.found]
    where, database = _project(project), _database(call)
    done: list[Installed] = []
    refusals: list[ConfigurationError] = []
    for name in chosen:
        try:
            done.append(install(_agent(name), project=where, database=database, dry_run=dry_run))
        except ConfigurationError as error:
            refusals.append(error)
    if every or not refusals:
        _report(call, done, dry_run, "installed", is_list=every)
    for refusal in refusals:
        tell(str(refusal))
    if refusals:
        raise typer.Exit(1)


@app.command(cls=Command)
def uninstall(
    ctx: typer.Context, agent: Name, project: InProject = False, dry_run: DryRun = False
) -> None:
    """Take the hooks out of an agent's configuration. What it told stays in the memory."""
    from ..install import uninstall

    call: Call = ctx.obj
    done = uninstall(_agent(agent), project=_project(project), dry_run=dry_run)
    _report(call, [done], dry_run, "uninstalled", is_list=False)


def _agent(name: str) -> Agent:
    from ..install import agent_named

    return agent_named(name)


def _project(wanted: bool) -> Path | None:
    from ..install import repository

    return repository(Path.cwd()) if wanted else None


def _database(call: Call) -> Path | None:
    """The memory to name in the command: an agent started elsewhere has not this environment."""
    from platformdirs import user_data_path

    path = Path(os.path.abspath(memory_path(call)))  # noqa: PTH100 - links stay as they are
    return None if path == user_data_path("memtui", appauthor=False) / "memory.db" else path


def _report(call: Call, done: list[Installed], dry_run: bool, verb: str, *, is_list: bool) -> None:
    if call.json:
        found = [_json(one) for one in done]
        put_json(found if is_list else found[0])
        return
    for one in done:
        for change in one.changes:
            if dry_run:
                if change.changed:
                    put_text(change.diff().removesuffix("\n"))
            elif change.changed:
                put(f"{one.agent}: {verb} in {change.path}")
            else:
                put(f"{one.agent}: {change.path} is as it should be")
        if not dry_run:
            for sentence in one.advice:
                tell(f"{one.agent}: {sentence}")


def _json(done: Installed) -> dict[str, object]:
    return {
        "agent": done.agent,
        "changed": done.changed,
        "files": [
            {"path": str(change.path), "changed": change.changed, "diff": change.diff()}
            for change in done.changes
        ],
        "advice": list(done.advice),
    }
