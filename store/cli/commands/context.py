"""`mem context`: what a session that starts now would be told, and what earlier ones were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ...platform.clock import local_time
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...text.plural import count_noun
from .. import arguments
from ..command import Call, ReadingCommand, group
from ..output.console import Row, print_json, print_rows, print_text, shown_path, tell
from ..typer_later import typer

if TYPE_CHECKING:
    from ...store import Store


app = group()


@app.command(cls=ReadingCommand)
def context(
    call: Call,
    project: Annotated[
        str | None, typer.Option("--project", help="Of which project; else the one here.")
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            min=1,
            metavar="TOKENS",
            help="About how many tokens at most; else the project's profile decides, or 1,500.",
        ),
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option("--prompt", metavar="TEXT", help="What it is about; that comes first."),
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="What sessions were given, the newest first.")] = False,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Of which session, with --then-and-now."),
    ] = None,
    compares: Annotated[
        bool,
        typer.Option(
            "--then-and-now",
            help="What the session was given at its start, beside what it would be given now.",
        ),
    ] = False,
    limit: arguments.Limit = 50,
) -> None:
    """Print what a session that starts now would be told.

    With --log, which sessions were given which memories: of all projects, or of --project. With
    --session ID --then-and-now, what that one was given at its start, rebuilt as of that moment, and
    how it differs from what it would be given now.
    """
    if compares != (session is not None):
        raise typer.BadParameter(_("--session ID and --then-and-now go together. Give both."))
    with call.reading() as store:
        if session is not None:
            _then_and_now(store, session, call.json)
        elif log:
            _log(store, project, limit, call.json)
        else:
            _context(store, project, budget, prompt, call.json)


def _context(
    store: Store, project: str | None, budget: int | None, prompt: str | None, as_json: bool
) -> None:
    from pathlib import Path

    from ...context.block import compose
    from ...context.own_files import REPORTING, own_files
    from ...context.preview import about
    from ...database.transaction import snapshot
    from ...tables.projects import project_here

    if project is None:
        project = project_here(store.db)
    relevant = about(store, project, prompt) if prompt else []
    with snapshot(store.db):
        own = own_files(store.db, project, REPORTING)
        context = compose(
            store.db, project, budget=budget, relevant=relevant, own=own, folder=str(Path.cwd())
        )
    if as_json:
        content = {
            "project": project,
            "tokens": context.tokens,
            "refs": context.refs,
            "text": context.text,
            "in_files": [{"ref": ref, "path": path} for ref, path in context.in_files],
        }
        print_json(content)
        return
    for ref, path in context.in_files:
        tell(
            "{ref} is left out: Claude Code is told it already by {path}.",
            ref=ref,
            path=shown_path(Path(path)),
        )
    if context.text:
        print_text(context.text)
    elif context.in_files:
        tell("Nothing else is remembered.")
    else:
        tell(
            "Nothing is remembered of {project} yet.",
            project=project or _("work outside of any project"),
        )


def _then_and_now(store: Store, session: str, as_json: bool) -> None:
    from ...context.log_entries import start_entry
    from ...maintain.past import then_and_now
    from ..output.console import print_line_difference, progress_bar

    logged = start_entry(store, session)
    with progress_bar(_("Looking back")) as show:
        result = then_and_now(store, logged, show and (lambda done, total: show(done, total, "")))
    for sentence in result.notes:
        tell(sentence)
    if as_json:
        both = {
            name: {"tokens": item.tokens, "refs": item.refs, "text": item.text}
            for name, item in (("then", result.then), ("now", result.now))
        }
        is_exact, notes = result.is_exact, result.notes
        print_json({"logged": asdict(logged), "is_exact": is_exact, "notes": notes, **both})
        return
    whose = f"{logged.agent} {logged.session}"
    then, now = (count_noun(len(side.refs), "memories") for side in (result.then, result.now))
    tell(
        "{whose} at {time} (-, {then}) and now (+, {now}):",
        whose=whose,
        time=local_time(logged.at),
        then=then,
        now=now,
    )
    print_line_difference(result.then.text, result.now.text)


def _log(store: Store, project: str | None, limit: int, as_json: bool) -> None:
    from ...context.log_entries import log_entries

    entries = log_entries(store, project, limit)
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    columns = ("when", "agent", "session", "project", "at", "tokens", "memories")
    rows = (
        Row(
                local_time(entry.at), entry.agent, entry.session, entry.project, entry.occasion,
                f"{entry.tokens:,}", " ".join(entry.refs))
        for entry in entries
    )  # fmt: skip
    print_rows(columns, rows, "memories")
    if not entries:
        tell("No session was given anything yet.")
