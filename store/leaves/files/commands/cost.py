"""`mem files cost`: the tokens that agents are told at every start, by file and by how many starts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call
from ....cli.output.console import Row, print_gap, print_json, print_rows, shown_path, tell
from ....cli.typer_later import typer
from ....platform.clock import now_ms
from ....text.plural import count_noun
from .told import known_agent

if TYPE_CHECKING:
    from ....cli.output.serializers import Json
    from ..overview import StartCost


def cost(
    call: Call,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Where agents start; else here.")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Only this agent, such as codex.")] = None,
) -> None:
    """Print the tokens that agents are told at every start here, by file, and what thirty days cost.

    Sub-agents are told all of it again; starts are those that the store knows. Tokens are estimates.
    """
    place = (folder or Path.cwd()).resolve()
    costs = costs_of(call, place, None if agent is None else known_agent(agent))
    if call.json:
        print_json([_json(entry) for entry in costs])
        return
    shown = [entry for entry in costs if entry.tokens]
    if not shown:
        tell("No agent is told anything at a start in {place}.", place=place)
    for place_number, entry in enumerate(shown):
        if place_number:
            print_gap()
        _print(entry)


def costs_of(call: Call, folder: Path, agent: str | None = None) -> list[StartCost]:
    """Return what starts in a folder cost with an agent, or with each, the dearest first."""
    from ....agents.homes import AgentHomes
    from ....platform.clock import DAY_MS
    from ....tables.families import starts_in
    from ..overview import DAYS, start_costs
    from ..told import AGENTS

    starts, sub_agents = Counter[str](), Counter[str]()
    if call.path.exists():
        with call.reading(observing=False) as store:
            starts, sub_agents = starts_in(store.db, str(folder), now_ms() - DAYS * DAY_MS)
    agents = AGENTS if agent is None else (agent,)
    costs = start_costs(AgentHomes.own(), folder, agents, starts, sub_agents)
    return sorted(costs, key=lambda entry: (-entry.total, -entry.tokens))


def _print(entry: StartCost) -> None:
    from ..agent_files import rules_of

    values = {
        "agent": rules_of(entry.agent).title,
        "tokens": count_noun(entry.tokens, "tokens"),
        "starts": count_noun(entry.starts, "starts"),
        "total": f"{entry.total:,}",
    }
    if again := entry.sub_agents:
        values["again"] = count_noun(again, "sub-agents")
        tell("{agent}: ≈{tokens} × {starts} in 30 days, told again to {again} = ≈{total}", **values)
    else:
        tell("{agent}: ≈{tokens} × {starts} in 30 days = ≈{total}", **values)
    print_rows(
        ("agent", "file", "class", "tokens", "also told to"),
        (
            Row(
                entry.agent,
                shown_path(file.path),
                file.kind,
                f"≈{file.tokens:,}",
                ", ".join(name for name in file.agents if name != entry.agent),
            )
            for file in entry.files
        ),
        wide="file",
        right=("tokens",),
        first_out=("also told to",),
    )


def _json(entry: StartCost) -> Json:
    return {
        "agent": entry.agent,
        "folder": str(entry.folder),
        "tokens": entry.tokens,
        "starts": entry.starts,
        "sub_agents": entry.sub_agents,
        "total": entry.total,
        "files": [
            {
                "path": str(file.path),
                "class": file.kind,
                "tokens": file.tokens,
                "agents": list(file.agents),
            }
            for file in entry.files
        ],
    }
