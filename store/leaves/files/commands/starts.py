"""`mem files told`: what an agent is told at a start in a folder, in order, and what it isn't; and `mem
files cost`: the tokens that agents are told at every start, by file and by how many starts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call
from ....cli.output.console import (
    Row,
    localized,
    print_gap,
    print_json,
    print_rows,
    print_text,
    shown_path,
    tell,
)
from ....cli.typer_later import typer
from ....platform.clock import DAY_MS, now_ms
from ....platform.translation import _
from ....text.plural import count_noun

if TYPE_CHECKING:
    from ....cli.output.serializers import Json
    from ..overview import StartCost
    from ..reports import ReportedStart
    from ..starts import AgentStart, LoadedFile


def told(
    call: Call,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Where it starts; else here.")
    ] = None,
    agent: Annotated[
        str, typer.Option("--agent", help="claude-code, codex, gemini, copilot or opencode.")
    ] = "claude-code",
    touch: Annotated[
        list[str] | None,
        typer.Option("--touch", metavar="FILE", help="Add what reading this file adds."),
    ] = None,
    as_text: Annotated[
        bool, typer.Option("--as-text", help="Print the text that is told, without secrets.")
    ] = False,
) -> None:
    """Print what an agent is told at a start in a folder, in order, and what it isn't told and why."""
    from ....agents.homes import AgentHomes, resolved_path
    from ....text.redaction import scrub
    from ..index import index_path
    from ..reports import AGENT as CLAUDE
    from ..reports import difference, difference_sentence, last_report
    from ..starts import agent_start

    name = known_agent(agent)
    place = resolved_path(folder or Path.cwd())
    if not place.is_dir():
        raise typer.BadParameter(_("{folder} is not a folder.", folder=folder))
    start = agent_start(AgentHomes.own(), name, place, [Path(file) for file in touch or ()])
    loaded = last_report(index_path(call.path), place) if name == CLAUDE else None
    if call.json:
        print_json(start_json(start) | {"reported": _loaded_json(loaded)})
        return
    if as_text:
        print_text(scrub("\n\n".join((start.text, *(piece.text.strip() for piece in start.on_demand)))))
        return
    _print_start(start)
    if loaded is not None and (other := difference(AgentHomes.own(), loaded)) is not None:
        print_gap()
        tell(f"{difference_sentence(other)}.")


def known_agent(text: str) -> str:
    """Return the name of an agent of which it is computed what it is told."""
    from ....agents.registry import agent_called
    from ..starts import AGENTS

    agent = agent_called(text)
    name = agent.name if agent is not None else text
    if name not in AGENTS:
        raise typer.BadParameter(
            _(
                "What {text} is told isn't computed; it is for {names}. `mem files list` "
                "lists the files of every agent.",
                text=text,
                names=", ".join(AGENTS),
            )
        )
    return name


def start_json(start: AgentStart) -> Json:
    """Return what is told as JSON has it."""
    from ..agent_files import rules_of

    rules = rules_of(start.agent)
    return {
        "agent": start.agent,
        "folder": str(start.folder),
        "rules_of_version": rules.seen,
        "approximate": rules.approximate,
        "tokens": start.tokens,
        "told": [_piece_json(piece) for piece in start.pieces],
        "on_demand": [_piece_json(piece) for piece in start.on_demand],
        "not_told": [
            {
                "path": str(entry.path),
                "why": entry.why,
                "id": entry.id or None,
                "by": str(entry.by) if entry.by else None,
                "line": entry.line or None,
            }
            for entry in start.skipped
        ],
    }


def _loaded_json(loaded: ReportedStart | None) -> Json | None:
    """Return what the agent's last session here reported itself, as JSON has it."""
    if loaded is None:
        return None
    return {
        "at": loaded.at,
        "files": [
            {
                "path": str(file.path),
                "type": file.type,
                "reason": file.reason,
                "parent": file.parent or None,
            }
            for file in loaded.files
        ],
    }


def _piece_json(piece: LoadedFile) -> Json:
    return {
        "path": str(piece.path),
        "class": piece.kind,
        "scope": piece.scope,
        "why": piece.why,
        "tokens": piece.tokens,
        "cut_at": piece.cut_at or None,
        "lost": piece.lost or None,
    }


def _print_start(start: AgentStart) -> None:
    from ..agent_files import rules_of

    rules = rules_of(start.agent)
    about = "≈ " if rules.approximate else ""
    tell(
        "{title} in {folder}: {about}{files}, ≈{tokens} at every start (rules as of {seen}).",
        title=rules.title,
        folder=start.folder,
        about=about,
        files=count_noun(len(start.pieces), "files"),
        tokens=count_noun(start.tokens, "tokens"),
        seen=rules.seen,
    )
    _print_pieces("told", start.pieces)
    if start.on_demand:
        print_gap()
        _print_pieces(_("told once they are read"), start.on_demand)
    if start.skipped:
        print_gap()
        print_rows(
            ("not told", "why"),
            (
                Row(shown_path(entry.path), entry.why + _named_by(entry.by, entry.line))
                for entry in start.skipped
            ),
            wide="why",
            fold=True,
        )


def _print_pieces(head: str, pieces: tuple[LoadedFile, ...]) -> None:
    print_rows(
        ("", head, "why", "tokens"),
        (
            Row(str(place), shown_path(piece.path), _why(piece), f"≈{piece.tokens:,}")
            for place, piece in enumerate(pieces, 1)
        ),
        wide="why",
        fold=True,
        right=("tokens",),
    )


def _why(piece: LoadedFile) -> str:
    return (
        _(
            "{why}; cut at line {cut_at}: {lost}",
            why=piece.why,
            cut_at=piece.cut_at,
            lost=piece.lost,
        )
        if piece.cut_at
        else piece.why
    )


def _named_by(by: Path | None, line: int) -> str:
    return f" ({by.name}:{line})" if by is not None else ""


def cost(
    call: Call,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Where agents start; else here.")
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Only this agent, such as codex.")] = None,
) -> None:
    """Print the tokens that agents are told at every start here, by file, and what thirty days cost.

    Sub-agents are told all of it again; starts are those that the store knows. Tokens are estimates. Of
    Claude Code also skills, agents, commands and MCP servers, as its last session here tells them, and how
    often each was used.
    """
    from ....agents.homes import resolved_path

    place = resolved_path(folder or Path.cwd())
    costs = costs_of(call, place, None if agent is None else known_agent(agent))
    if call.json:
        print_json([_cost_json(entry) for entry in costs])
        return
    shown = [entry for entry in costs if entry.tokens or entry.extras]
    if not shown:
        tell("No agent is told anything at a start in {place}.", place=place)
    for place_number, entry in enumerate(shown):
        if place_number:
            print_gap()
        _print_cost(entry)


def costs_of(call: Call, folder: Path, agent: str | None = None) -> list[StartCost]:
    """Return what starts in a folder cost with an agent, or with each, the dearest first."""
    from ....agents.homes import AgentHomes
    from ....tables.families import starts_in, uses_in
    from ..extras import uses_of
    from ..overview import DAYS, start_costs
    from ..starts import AGENTS

    starts, sub_agents = Counter[str](), Counter[str]()
    uses = Counter[tuple[str, str]]()
    if call.path.exists():
        with call.reading(observing=False) as store:
            starts, sub_agents = starts_in(store.db, str(folder), now_ms() - DAYS * DAY_MS)
            uses = uses_of(uses_in(store.db))
    agents = AGENTS if agent is None else (agent,)
    costs = start_costs(AgentHomes.own(), folder, agents, starts, sub_agents, uses)
    return sorted(costs, key=lambda entry: (-entry.total, -entry.tokens - entry.beside))


def _print_cost(entry: StartCost) -> None:
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
    if entry.extras:
        unused = [item for item in entry.extras if item.used == 0]
        print_gap()
        tell(
            "Beside files: ≈{tokens} at every start, of which ≈{unused} were never used.",
            tokens=count_noun(entry.beside, "tokens"),
            unused=f"{sum(item.tokens for item in unused):,}",
        )
        print_rows(
            ("kind", "name", "tokens", "used", "declared in"),
            (
                Row(
                    localized(item.kind),
                    item.name,
                    f"≈{item.tokens:,}",
                    "" if item.used is None else f"{item.used:,}",
                    _doubles(item.places),
                )
                for item in entry.extras
            ),
            wide="name",
            right=("tokens", "used"),
            first_out=("declared in",),
        )
    for same in entry.doubled_extras:
        places = [path for item in same for path in item.places]
        tell(
            "Told twice: {kind} {names}",
            kind=_(same[0].kind),
            names=", ".join([item.name for item in same] if len(same) > 1 else map(shown_path, places)),
        )
    for rule in entry.doubled:
        tell("Told twice: “{text}” in {paths}", text=rule.text, paths=_doubles(rule.paths))


def _doubles(paths: tuple[Path, ...]) -> str:
    return _(" and ").join(map(shown_path, paths))


def _cost_json(entry: StartCost) -> Json:
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
        "beside_files": [
            {
                "kind": item.kind,
                "name": item.name,
                "tokens": item.tokens,
                "used": item.used,
                "places": [str(path) for path in item.places],
            }
            for item in entry.extras
        ],
        "doubles": [
            {"kind": same[0].kind, "names": [item.name for item in same]} for same in entry.doubled_extras
        ],
        "told_twice": [
            {"text": rule.text, "paths": [str(path) for path in rule.paths]} for rule in entry.doubled
        ],
    }
