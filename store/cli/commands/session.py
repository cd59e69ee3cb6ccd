"""`mem session`: the working sessions of agents."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Literal

from ...platform.errors import StoreError
from ...platform.leaves import leaf
from ...platform.translation import _
from ...records.kinds import TABLES, parse_ref
from ...text.plural import count_noun, count_nouns
from .. import arguments, completing
from ..arguments import current_project
from ..command import Call, Command, ReadingCommand, group, print_ref
from ..output.console import (
    print_answer,
    print_blocks,
    print_json,
    print_text,
    tell,
)
from ..output.hits import tell_remarks
from ..output.serializers import named, ref
from ..output.session import full_session_json, print_conversation, print_sessions, session_blocks
from ..typer_later import typer
from .search import QueryCommand, saved_query

if TYPE_CHECKING:
    pass

app = group("Start, end, list, show, resume, hand over, move and delete sessions, and add to them.")

SessionId = Annotated[
    str,
    typer.Argument(metavar="ID", help="@12, the session's own id, or its first four characters."),
]
SessionIds = Annotated[
    list[str],
    typer.Argument(metavar="ID...", help="@12, a session's own id, or its first four characters."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Tell how much it would be, and change nothing.")]


@app.command(cls=Command)
def start(
    call: Call,
    id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="The agent's own id; else the project's manual session."),
    ] = None,
    agent: arguments.Agent = "manual",
    project: Annotated[
        str | None, typer.Option("--project", help="The project; else the repository here.")
    ] = None,
    path: Annotated[
        str | None, typer.Option("--project-path", metavar="PATH", help="Where the project lies.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="What it is about.")] = None,
    at: arguments.At = None,
) -> None:
    """Start or find a session, and print its number."""
    with call.writing() as store, store.change() as action:
        session = store.sessions.start(
            id,
            agent=agent,
            project=current_project(store) if project is None else project,
            project_path=path,
            title=title,
            at=at,
        )
        action.what = _("{named} started", named=named(session))
    print_ref(call, session, action.what)


@app.command(cls=Command)
def end(
    call: Call,
    id: SessionId,
    status: Annotated[
        Literal["completed", "failed"], typer.Option("--status", help="How it ended.")
    ] = "completed",
    at: arguments.At = None,
) -> None:
    """Mark a session as completed or failed."""
    with call.writing() as store, store.change() as action:
        session = store.sessions.end(store.sessions.get(id), status, at)
        action.what = _("{named} ended", named=named(session))
    print_ref(call, session, action.what)


@app.command(cls=Command)
def link(
    call: Call,
    id: SessionId,
    memory_id: Annotated[str, typer.Argument(metavar="MEMORY_ID", help="Its memory session id.")],
) -> None:
    """Give a session the id under which a memory service knows it."""
    with call.writing() as store, store.change() as action:
        session = store.sessions.link(store.sessions.get(id), memory_id)
        action.what = _("{named} linked", named=named(session))
    print_ref(call, session, action.what)


@app.command("list", cls=QueryCommand)
def list_sessions(
    call: Call,
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUERY]...",
            help="Words, and filters such as tag:release since:7d is:private -type:note.",
            autocompletion=completing.queries,
        ),
    ] = None,
    saved: arguments.Saved = None,
    project: arguments.OfProject = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Only this agent's sessions.")] = None,
    limit: arguments.Limit = 50,
    offset: arguments.Offset = 0,
    for_agent: arguments.ForAgent = False,
    cursor: arguments.Cursor = None,
) -> None:
    """List sessions, the newest first; with a query those that hold its words and pass its filters.

    tag:, project:, agent:, branch:, since:, until: and is:pinned, private, deleted or automatic are about
    the session, other filters about what it holds: file:src/auth lists those that touched it.
    """
    arguments.refuse_without(bool(cursor and not for_agent), "--cursor", "--for-agent")
    arguments.refuse_without(bool((query or saved) and for_agent), "QUERY", _("no --for-agent"))
    if for_agent:
        from ...context.compact.answer import shell
        from ...context.compact.timeline import session_lines

        page = cursor or (str(offset) if offset else None)
        with call.reading() as store:
            sessions = session_lines(
                store, project=project, agent=agent, limit=limit, cursor=page, wording=shell()
            )
        print_answer(sessions, as_json=call.json)
        return
    with call.reading() as store:
        words = [] if saved is None else [saved_query(store, saved)]
        text = " ".join([*words, *(query or ())])
        if text.strip():
            tell_remarks(store, text, "mem session list")
            found = store.list_search.sessions(text, project, agent)
            rows = store.sessions.rows(found.ids[offset : offset + limit])
        else:
            rows = store.sessions.list(project, agent, limit, offset, ahead_last=True)
        print_sessions(store, rows, as_json=call.json)


@app.command(cls=Command)
def move(
    call: Call,
    old: Annotated[str, typer.Argument(metavar="OLD", help="The folder where they ran.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The folder that it is now.")],
) -> None:
    """Move the sessions of a folder to where it lies now, and its project with them, from now on too.

    What is later told of OLD is NEW's, as long as OLD isn't there. `mem undo` takes it back.
    """
    old, new = (os.path.abspath(os.path.expanduser(folder)) for folder in (old, new))  # noqa: PTH100, PTH111
    if not os.path.isdir(new):  # noqa: PTH112
        raise StoreError("{new} is no folder here. Name the one that {old} is now.", new=new, old=old)
    with call.writing() as store, store.change(_("sessions of {old} moved to {new}", old=old, new=new)):
        moved = store.known_projects.move_folder(old, new)
        project, _root = store.known_projects.of(new)
    if call.json:
        print_json({"moved": old, "to": new, "sessions": moved, "project": project})
        return
    tell(
        "{old} is {new} now, in project {project}: {sessions}. `mem undo` takes it back.",
        old=old,
        new=new,
        project=project,
        sessions=count_noun(moved, "sessions"),
    )


@app.command(cls=Command)
def delete(call: Call, ids: SessionIds, dry_run: DryRun = False) -> None:
    """Delete sessions with all they hold. `mem session restore` and `mem undo` bring them back.

    Their prompts, observations and summaries go with them, and the facts that nothing else says.
    """
    _change(call, ids, "delete", dry_run=dry_run)


@app.command(cls=Command)
def restore(call: Call, ids: SessionIds, dry_run: DryRun = False) -> None:
    """Bring deleted sessions back, with what was deleted with them."""
    _change(call, ids, "restore", dry_run=dry_run)


@app.command(cls=Command)
def purge(
    call: Call,
    ids: SessionIds,
    dry_run: DryRun = False,
    yes: arguments.YesPurge = False,
    backups: arguments.InBackups = False,
) -> None:
    """Forget sessions for good, with all they hold and all that waits of them.

    No undo, no import and no transcript brings them back.
    """
    from .purge import purge as purge_memories

    with call.reading() as store:
        refs = [ref(store.sessions.get(text)) for text in ids]
    purge_memories(call, refs, dry_run=dry_run, yes=yes, backups=backups)


def _change(call: Call, ids: list[str], name: Literal["delete", "restore"], *, dry_run: bool) -> None:
    """Delete or restore sessions as a whole, as one change; tells how many of what."""
    from ...curation.many import Action

    with call.writing() as store, suppress(_DryRunError):
        refs = [ref(store.sessions.get(text)) for text in ids]
        with store.transaction():
            result = store.change_many(refs, Action(name))
            if dry_run:
                raise _DryRunError
    kinds = Counter(kind for kind, _number in filter(None, map(parse_ref, result.refs)))
    counts = {table: kinds[kind] for kind, table in TABLES.items() if kinds[kind]}
    if call.json:
        print_json({"dry_run": dry_run, "records": counts, "refs": list(result.refs)})
        return
    content = count_nouns(counts) or _("nothing")
    if dry_run or not counts:
        tell(
            _("Would be {done}: {content}.", done=_(Action(name).done), content=content)
            if dry_run
            else _("Nothing was changed.")
        )
    else:
        tell(
            "{done}: {content}. `mem undo` takes it back.",
            done=_(Action(name).done).capitalize(),
            content=content,
        )
    for session in result.unchanged:
        tell(
            "Session {session} is deleted already."
            if name == "delete"
            else "Session {session} is not deleted.",
            session=session,
        )
    for sentence in result.left:
        tell(sentence)


class _DryRunError(Exception):
    """Takes back what was tried."""


@app.command(cls=ReadingCommand)
def show(
    call: Call,
    id: SessionId,
    for_agent: arguments.ForAgent = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, help="With --for-agent: at most this many.")
    ] = 50,
    cursor: arguments.Cursor = None,
    hidden: arguments.Hidden = False,
    as_conversation: Annotated[
        bool,
        typer.Option(
            "--conversation",
            help="As Markdown: prompts, a line for each step, replies; with what the transcript tells.",
        ),
    ] = False,
) -> None:
    """Show a session with its prompts, observations and summaries."""
    if as_conversation and for_agent:
        raise typer.BadParameter(_("--conversation and --for-agent exclude each other. Give one."))
    arguments.refuse_without(bool(cursor and not for_agent), "--cursor", "--for-agent")
    if for_agent:
        from ...context.compact.answer import shell
        from ...context.compact.timeline import session_rows

        with call.reading() as store:
            rows = session_rows(store, id, limit=limit, cursor=cursor, hidden=hidden, wording=shell())
        print_answer(rows, as_json=call.json)
        return
    if as_conversation:
        with call.reading() as store:
            print_conversation(store, store.sessions.get(id), as_json=call.json)
        return
    with call.reading() as store:
        session = store.sessions.get(id)
        if call.json:
            print_json(full_session_json(store, session))
            return
        blocks = list(session_blocks(store, session))
    print_blocks(blocks)


@app.command(cls=Command)
def resume(
    call: Call,
    id: SessionId,
    agent: Annotated[
        str | None,
        typer.Option("--in", metavar="AGENT", help="In this agent, with a hand-over as its first prompt."),
    ] = None,
    native: Annotated[
        bool,
        typer.Option(
            "--native",
            help="With --in: whole, by that agent's own importer. Codex has one for Claude Code's.",
        ),
    ] = False,
    fork: Annotated[bool, typer.Option("--fork", help="With a copy of it, which the agent makes.")] = False,
    print_only: Annotated[
        bool, typer.Option("--print", help="Print the command line, and run nothing.")
    ] = False,
    yes: Annotated[
        bool,
        typer.Option("--yes", "-y", help="Don't ask; try it where no transcript is left, too."),
    ] = False,
) -> None:
    """Go on with a session in its agent, or in another one, in the directory that it ran in.

    It shows `claude --resume ID` or its like, asks on a terminal, runs it, and ends as that does. With
    --in it starts a session of that agent, which is given what `mem handoff` tells; what goes on from
    what, `mem session show` tells. With --native that agent imports the conversation itself, whatever is
    private in it. With --print, or --json, it only tells the command.
    """
    from ...links.foreground import run_in_foreground

    if agent and fork:
        raise typer.BadParameter(_("--in and --fork exclude each other. Give one of them."))
    arguments.refuse_without(native and not agent, "--native", "--in")
    with call.writing() if native else call.reading() as store:
        session = store.known_projects.followed(store.sessions.get(id))
        if agent and native:
            result = leaf("handoff.native").imported(store, session, agent)
        elif agent:
            result = leaf("handoff.brief").continuation(store, session, agent)
        else:
            from ...formats.transcripts.resumption import resumption

            result = resumption(session, fork=fork)
    if call.json:
        directory = None if result.directory is None else str(result.directory)
        print_json(
            {
                "command": list(result.command),
                "directory": directory,
                "can_run": result.can_run,
                "sentences": [text for text in (result.reason, result.obstacle, result.doubt) if text],
            }
        )
        return
    if not result.command:
        raise StoreError(
            "It can't be forked. {reason}" if fork else "It can't be resumed. {reason}",
            reason=result.reason,
        )
    if print_only:
        print_text(result.shell_line)
        for sentence in filter(None, (result.obstacle, result.doubt)):
            tell(sentence)
        return
    line = result.brief_line
    if not result.can_run:
        raise StoreError("{obstacle} The command is: {line}", obstacle=result.obstacle, line=line)
    if result.doubt and not yes:
        raise StoreError("{doubt} --yes tries it all the same: {line}", doubt=result.doubt, line=line)
    tell(line)
    if not yes and sys.stdin.isatty() and not typer.confirm(_("Run it?"), default=True, err=True):
        raise typer.Exit(1)
    try:
        status = run_in_foreground(result.command, result.directory, result.variables)
    except (OSError, ValueError) as error:
        raise StoreError(
            "{program} can't be started ({error}).", program=result.command[0], error=error
        ) from error
    if status:
        raise typer.Exit(1)
