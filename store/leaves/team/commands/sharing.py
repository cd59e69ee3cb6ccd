"""`mem team export-rules`, `agents`, `share` and `unshare`, and `mem search --team`: what of
teammates' memories holds here, and what they may read."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli import arguments
from ....cli.command import Call, Command
from ....cli.output.console import Row, print_json, print_line, print_rows, tell
from ....cli.typer_later import typer
from ....platform.clock import local_time
from ....platform.errors import StoreError
from ....platform.translation import _
from ....records.dataclasses import asdict
from ....records.kinds import parse_ref
from ....store import Store
from ....text.plural import count_noun
from .membership import app

if TYPE_CHECKING:
    from ....curation.many import Changed
    from ..sharing import Visibility

Chosen = Annotated[
    list[str], typer.Argument(metavar="PROJECT|ID...", help="A project, or memories by their ids.")
]
MOST_LINES = 40
"""Lines of a difference that are printed."""
LEVELS = ("off", "accepted", "all")


@app.command("export-rules", cls=Command)
def rules(
    call: Call,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A Markdown file.")],
    read: Annotated[
        bool, typer.Option("--read", help="Accept what the file lists, and write nothing.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Only say what would change; the exit code is 1 then.")
    ] = False,
) -> None:
    """Write the facts and decisions that you accepted as Markdown, for the repository, to those that are
    there.

    --read in no team stores them as their authors'. --check needs no team, as in CI: what was changed by
    hand is found by the file alone.
    """
    from ..reviewing import read_rules, rules_page

    if read and check:
        raise typer.BadParameter(_("Give one of {names}.", names="--read, --check"))
    if read:
        with call.writing() as store:
            many = read_rules(store, path)
    elif call.path.exists():
        with call.reading() as store:
            before, page, many = rules_page(store, path)
    else:
        before, page, many = rules_page(None, path)
    if check:
        if before != page:
            changed = unified_diff(before.splitlines(), page.splitlines(), str(path), lineterm="", n=0)
            lines = [*islice(changed, MOST_LINES)]
            if call.json:
                print_json({"path": str(path), "changes": lines})
            for line in () if call.json else lines:
                print_line(line)
            raise StoreError("{path} is not what would be written: export the rules again.", path=path)
    elif not read:
        path.write_text(page, "utf-8")
    if call.json:
        print_json({"accepted" if read else "written": 0 if check else many})
    else:
        number = count_noun(many, "rules")
        tell(
            "{rules} accepted." if read else "{rules} in it." if check else "{rules} written.", rules=number
        )


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
    call.answer({"tells": tells}, "Of teammates' memories agents are told: {tells}.", tells=tells)


@app.command(cls=Command)
def share(
    call: Call,
    chosen: Chosen,
    since: Annotated[
        int | None,
        typer.Option("--since", parser=arguments.moment, metavar="DATE", help="Only what was made since."),
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
    from ..sharing import Sharing, check_may_share, rule_of, share_memories

    names = [name.strip() for name in (types or "").split(",") if name.strip()]
    are_ids = _are_ids(chosen)
    if are_ids and (names or since is not None):
        raise typer.BadParameter(_("--since and --types speak of projects, not of single memories."))
    with call.writing() as store:
        if are_ids:
            choice: Visibility = "team" if everyone else "project"
            result = share_memories(store, chosen, choice, dry_run=dry_run)
            _tell_left(result)
            _tell(call, {"memories": [*result.refs, *result.unchanged]}, dry_run=dry_run)
            return
        sharing, team = Sharing(store), check_may_share(store)
        refs_by_kind: dict[str, list[str]] = {}
        rules = [
            rule_of(store, project, since=since or 0, types=names, everyone=everyone) for project in chosen
        ]
        for rule in rules:
            for kind, refs in sharing.would_share(rule, team.member).items():
                refs_by_kind.setdefault(kind, []).extend(refs)
            if many := sharing.would_withdraw(rule, team.member):
                tell(
                    "The new rule leaves out {count} of {project}, which teammates lose by the next "
                    "`mem sync`.",
                    count=count_noun(many, "memories"),
                    project=rule.project,
                )
            if not dry_run:
                sharing.share(rule)
    _tell(call, refs_by_kind, dry_run=dry_run)


@app.command(cls=Command)
def unshare(call: Call, chosen: Chosen) -> None:
    """Share a project, or some memories, no more: teammates lose it when they next meet the team.

    `mem undo` takes back what was said of memories; of a project, `mem team share PROJECT` does.
    """
    from ..sharing import Sharing, share_memories

    are_ids = _are_ids(chosen)
    with call.writing() as store:
        sharing = Sharing(store)
        if are_ids:
            _tell_left(share_memories(store, chosen, "private"))
        else:
            for project in chosen:
                sharing.unshare(project)
        rules = sharing.rules()
    if call.json:
        print_json([asdict(rule) for rule in rules])
    else:
        tell("The next `mem sync` takes it from the team.")
        if not are_ids:
            project = chosen[0] if len(chosen) == 1 else "PROJECT"
            tell("`mem team share {project}` shares it again; `mem undo` does not.", project=project)


def _are_ids(chosen: list[str]) -> bool:
    """Whether these are memories' ids, else they are projects. Raises BadParameter where they are mixed."""
    ids = [name for name in chosen if parse_ref(name)]
    if ids and len(ids) < len(chosen):
        raise typer.BadParameter(
            _(
                "{ids} are memories' ids: name projects or memories, not both at once.",
                ids=_(", ").join(ids),
            )
        )
    return bool(ids)


def _tell_left(result: Changed) -> None:
    for sentence in result.left:
        tell(sentence)


def _tell(call: Call, refs_by_kind: dict[str, list[str]], *, dry_run: bool) -> None:
    if call.json:
        print_json(refs_by_kind)
        return
    if dry_run:
        print_rows(
            ("kind", "id"),
            (Row(kind, ref) for kind, refs in refs_by_kind.items() for ref in refs),
            wide="kind",
        )
        return
    many = count_noun(sum(len(refs) for refs in refs_by_kind.values()), "memories")
    tell("{count} will be shared by the next `mem sync`.", count=many)


def print_team_hits(store: Store, query: str, *, limit: int, as_json: bool) -> None:
    """Ask the server of the store's team, and print what it has."""
    from ..search import search_team

    results = search_team(store, query, limit=limit)
    if as_json:
        print_json([asdict(hit) for hit in results.hits])
    else:
        print_rows(
            ("id", "when", "author", "project", "title"),
            (
                Row(
                    hit.id or hit.uid[-8:],
                    local_time(hit.at, "%Y-%m-%d"),
                    hit.author,
                    hit.project,
                    hit.title,
                )
                for hit in results.hits
            ),
            wide="title",
        )
        tell("{hits} on the team's server.", hits=count_noun(len(results.hits), "hits"))
    if results.left_out:
        tell(
            "The server wasn't asked by {names}: that is only searched here.",
            names=" ".join(results.left_out),
        )
