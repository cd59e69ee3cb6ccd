"""`mem team share` and `unshare`: what teammates may read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ....kinds import parse_ref
from ....records.dataclasses import asdict
from ....text.plural import count_noun
from ....translation import _
from ... import arguments
from ...command import Call, Command
from ...output.console import Row, print_json, print_rows, tell
from ...typer_later import typer
from .commands import app

if TYPE_CHECKING:
    from ....curation.many import Changed

Chosen = Annotated[
    list[str], typer.Argument(metavar="PROJECT|ID...", help="A project, or memories by their ids.")
]


@app.command(cls=Command)
def share(
    ctx: typer.Context,
    chosen: Chosen,
    since: Annotated[
        int | None,
        typer.Option(
            "--since", parser=arguments.moment, metavar="DATE", help="Only what was made since."
        ),
    ] = None,
    types: Annotated[
        str | None,
        typer.Option(
            "--types",
            metavar="TYPE,...",
            help="Only these: types of observations, or observations, summaries, facts, prompts, notes.",
        ),
    ] = None,
    everyone: Annotated[
        bool,
        typer.Option("--everyone", help="Also with members who are only in other projects."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="List what would be shared, and share nothing.")
    ] = False,
) -> None:
    """Share a project, what it has and what it will have, or some memories.

    Without --types all goes but prompts, notes and noise. What is private never does, nor agents' raw
    output. The next `mem sync` carries it.
    """
    from ....team.membership import team_of
    from ....team.sharing import Sharing, rule_of, share_memories

    call: Call = ctx.obj
    names = [name.strip() for name in (types or "").split(",") if name.strip()]
    with call.writing() as store:
        sharing = Sharing(store)
        if all(map(parse_ref, chosen)):
            if not dry_run:
                done = share_memories(store, chosen, "team" if everyone else "project")
                chosen = [*done.refs, *done.unchanged]
                _tell_left(done)
            _tell(call, {"memories": chosen}, dry_run=dry_run)
            return
        refs_by_kind: dict[str, list[str]] = {}
        team = team_of(store)
        for project in chosen:
            rule = rule_of(project, since=since or 0, types=names, everyone=everyone)
            for kind, refs in sharing.would_share(rule, team.member if team else "").items():
                refs_by_kind.setdefault(kind, []).extend(refs)
            if not dry_run:
                sharing.share(rule)
    _tell(call, refs_by_kind, dry_run=dry_run)


@app.command(cls=Command)
def unshare(ctx: typer.Context, chosen: Chosen) -> None:
    """Share a project, or some memories, no more: teammates lose it when they next meet the team."""
    from ....team.sharing import Sharing, share_memories

    call: Call = ctx.obj
    with call.writing() as store:
        sharing = Sharing(store)
        if all(map(parse_ref, chosen)):
            _tell_left(share_memories(store, chosen, "private"))
        else:
            for project in chosen:
                sharing.unshare(project)
        rules = sharing.rules()
    if call.json:
        print_json([asdict(rule) for rule in rules])
    else:
        tell(_("The next `mem sync` takes it from the team."))


def _tell_left(done: Changed) -> None:
    for sentence in done.left:
        tell(sentence)


def _tell(call: Call, refs_by_kind: dict[str, list[str]], *, dry_run: bool) -> None:
    if call.json:
        print_json(refs_by_kind)
        return
    if dry_run:
        print_rows(
            ("kind", "id"),
            (Row((kind, ref)) for kind, refs in refs_by_kind.items() for ref in refs),
            wide="kind",
        )
        return
    many = count_noun(sum(len(refs) for refs in refs_by_kind.values()), "memories")
    tell(_("{count} will be shared by the next `mem sync`.", count=many))
