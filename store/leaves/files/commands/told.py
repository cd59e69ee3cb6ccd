"""`mem files told`: what an agent is told at a start in a folder, in order, and what it isn't."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call
from ....cli.output.console import Row, print_gap, print_json, print_rows, print_text, shown_path, tell
from ....cli.typer_later import typer
from ....platform.translation import _
from ....text.plural import count_noun

if TYPE_CHECKING:
    from ....cli.output.serializers import Json
    from ..loaded import LoadedFiles
    from ..told import AgentStart, ToldFile


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
    from ....agents.homes import AgentHomes
    from ....text.redaction import scrub
    from ..health import told_otherwise
    from ..index import index_path
    from ..loaded import AGENT as CLAUDE
    from ..loaded import difference, last_loaded
    from ..told import told as compute

    name = known_agent(agent)
    place = (folder or Path.cwd()).resolve()
    if not place.is_dir():
        raise typer.BadParameter(_("{folder} is not a folder.", folder=folder))
    start = compute(AgentHomes.own(), name, place, [Path(file) for file in touch or ()])
    loaded = last_loaded(index_path(call.path), place) if name == CLAUDE else None
    if call.json:
        print_json(told_json(start) | {"reported": _loaded_json(loaded)})
        return
    if as_text:
        print_text(scrub(start.text))
        return
    _print(start)
    if loaded is not None and (other := difference(AgentHomes.own(), loaded)) is not None:
        print_gap()
        tell(f"{told_otherwise(other)}.")


def known_agent(text: str) -> str:
    """Return the name of an agent of which it is computed what it is told."""
    from ....agents.registry import agent_called
    from ..told import AGENTS

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


def told_json(start: AgentStart) -> Json:
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
            for entry in start.untold
        ],
    }


def _loaded_json(loaded: LoadedFiles | None) -> Json | None:
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


def _piece_json(piece: ToldFile) -> Json:
    return {
        "path": str(piece.path),
        "class": piece.kind,
        "scope": piece.scope,
        "why": piece.why,
        "tokens": piece.tokens,
        "cut_at": piece.cut_at or None,
        "lost": piece.lost or None,
    }


def _print(start: AgentStart) -> None:
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
    if start.untold:
        print_gap()
        print_rows(
            ("not told", "why"),
            (
                Row(shown_path(entry.path), entry.why + _named_by(entry.by, entry.line))
                for entry in start.untold
            ),
            wide="why",
            fold=True,
        )


def _print_pieces(head: str, pieces: tuple[ToldFile, ...]) -> None:
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


def _why(piece: ToldFile) -> str:
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
