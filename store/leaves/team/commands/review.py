"""`mem team review`, `export-rules` and `agents`: what of teammates' memories holds here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ....cli.command import Call, Command
from ....cli.output.console import Row, print_json, print_rows, tell
from ....cli.typer_later import typer
from ....platform.translation import _
from ....records.dataclasses import asdict
from ....text.plural import count_noun
from .commands import app

LEVELS = ("off", "accepted", "all")


@app.command(cls=Command)
def review(
    call: Call,
    refs: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Those that you decide on.")
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="They hold for you too.")] = False,
    keep_out: Annotated[
        bool, typer.Option("--keep-out", help="They stay, and no agent is told them.")
    ] = False,
    dispute: Annotated[
        str | None,
        typer.Option("--dispute", metavar="WHY", help="Nor these; teammates read why."),
    ] = None,
) -> None:
    """List teammates' facts and decisions that wait for your word, or decide on some."""
    from ..reviewing import Verdict, give_verdict, reviews

    if accept + keep_out + (dispute is not None) != bool(refs):
        raise typer.BadParameter(_("Name memories and one of --accept, --keep-out and --dispute."))
    if refs:
        verdict: Verdict = "accepted" if accept else "kept out" if keep_out else "disputed"
        with call.writing() as store:
            many = give_verdict(store, refs, verdict, dispute or "")
        if call.json:
            print_json({"verdict": verdict, "memories": many})
        else:
            tell(f"{count_noun(many, 'memories')} {verdict}.")
        return
    with call.reading() as store:
        waiting = reviews(store)
    if call.json:
        print_json([asdict(item) for item in waiting])
        return
    print_rows(
        ("id", "author", "project", "what it says", "disputed by"),
        (Row(item.id, item.author, item.project, item.title, "; ".join(item.disputes)) for item in waiting),
        wide="what it says",
    )


@app.command("export-rules", cls=Command)
def rules(
    call: Call,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A Markdown file.")],
    read: Annotated[
        bool, typer.Option("--read", help="Accept what the file lists, and write nothing.")
    ] = False,
) -> None:
    """Write the facts and decisions that you accepted as Markdown, for the repository."""
    from ..reviewing import export_rules, read_rules

    with call.writing() as store:
        many = read_rules(store, path) if read else export_rules(store, path)
    if call.json:
        print_json({"accepted" if read else "written": many})
    else:
        rules = count_noun(many, "rules")
        tell("{rules} accepted." if read else "{rules} written.", rules=rules)


@app.command(cls=Command)
def agents(
    call: Call,
    level: Annotated[
        str | None, typer.Argument(metavar="[off|accepted|all]", help="What they are told.")
    ] = None,
) -> None:
    """Show, or set, what agents are told of teammates' memories: nothing, what you accepted, or all.

    Each is told with its author. What you kept out or dispute is never told.
    """
    from ..membership import own_team, tell_agents

    if level is not None and level not in LEVELS:
        raise typer.BadParameter(_("Give one of {names}.", names=_(", ").join(LEVELS)))
    with call.writing() if level else call.reading() as store:
        if level is not None:
            tell_agents(store, level)
        tells = own_team(store).tells
    if call.json:
        print_json({"tells": tells})
    else:
        tell("Of teammates' memories agents are told: {tells}.", tells=tells)
