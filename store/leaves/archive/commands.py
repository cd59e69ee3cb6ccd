"""`mem archive`: what agents leave and delete again, kept beside the store."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ...cli.command import Call, Command, group
from ...cli.output.console import Row, localized, print_json, print_line, print_rows, tell
from ...cli.typer_later import typer
from ...platform.clock import DAY_MS, local_time, now_ms
from ...platform.translation import _
from ...text.plural import count_noun

if TYPE_CHECKING:
    from ...agents.homes import AgentHomes
    from ...cli.output.serializers import Json
    from .archive import Archive, ArchivedUnit

app = group("Keep agents' transcripts, plans and notes where the agents delete them.")

ForAgents = Annotated[
    list[str] | None, typer.Option("--agent", help="Only this agent's, such as claude-code.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]
SHOWN = 20
"""The most transcripts that are named."""

Id = Annotated[str, typer.Argument(metavar="ID", help="A session's id, or its beginning; @8.")]


@app.command(cls=Command)
def capture(call: Call, agent: ForAgents = None, yes: Yes = False) -> None:
    """Archive what is new in what agents left: transcripts, sub-agents, results, plans, notes, prompts.

    It is kept as it is, secrets included, for you alone. The first time it asks, and tells the size;
    from then on what is new is archived after sessions (`[archive] on`).
    """
    from ...agents.homes import AgentHomes
    from ...cli.output.console import progress_bar
    from ...config import archives
    from .archive import units

    sources = list(units(AgentHomes.own(), agent or ()))
    if not archives():
        _ask(sum(unit.size for unit in sources), sum(len(unit.files) for unit in sources), yes=yes)
    with progress_bar(_("Archiving")) as show:
        result = _archive(call).capture(sources, show)
    if call.json:
        print_json({"sessions": result.units, "files": result.files, "bytes": result.bytes})
        return
    if not result.files:
        tell("Nothing is new.")
        return
    files = count_noun(result.files, "files")
    print_line(
        _(
            "Archived: {size} MB of {files}, {entries}.",
            size=f"{result.bytes / 1000000.0:,.1f}",
            files=files,
            entries=count_noun(result.units, "entries"),
        )
    )


@app.command("list", cls=Command)
def list_archived(
    call: Call,
    agent: ForAgents = None,
    only_here: Annotated[
        bool, typer.Option("--only-here", help="Only what its agent has deleted.")
    ] = False,
) -> None:
    """List what is archived: whether it is only here, or when its agent will delete it."""
    from ...agents.homes import AgentHomes

    archive, here = _archive(call), AgentHomes.own()
    lines = [
        unit
        for unit in archive.units()
        if (not agent or unit.agent in agent) and (unit.is_only_here or not only_here)
    ]
    if call.json:
        print_json([_json(archive, unit, here) for unit in lines])
        return
    if not lines:
        tell("Nothing is archived. `mem archive capture` does.")
    print_rows(
        ("agent", "project", "id", "files", "bytes", "stored", "seen", "state"),
        (
            Row(
                    unit.agent, unit.project, unit.id, f"{len(unit.files):,}", f"{unit.size:,}",
                    f"{archive.stored_bytes(unit):,}", local_time(unit.seen)[:10], _state(unit, here))
            for unit in lines
        ),
        wide="id",
        right=("files", "bytes", "stored"),
        first_out=("seen", "stored", "files"),
    )  # fmt: skip


@app.command(cls=Command)
def verify(call: Call) -> None:
    """Read all of the archive, and compare every hash; exit code 1 where something is damaged."""
    archive = _archive(call)
    damaged = [(str(folder), sentence) for folder, sentence in archive.verify()]
    if call.json:
        print_json([{"folder": folder, "problem": sentence} for folder, sentence in damaged])
    else:
        for folder, sentence in damaged:
            print_line(f"{folder}: {sentence}")
        if not damaged:
            print_line(
                _(
                    "{entries}, all as they were.",
                    entries=count_noun(len(archive.units()), "entries"),
                )
            )
    if damaged:
        raise typer.Exit(1)


@app.command(cls=Command)
def restore(
    call: Call,
    id: Id,
    to: Annotated[
        str | None, typer.Option("--to", metavar="DIR", help="Into this directory instead.")
    ] = None,
) -> None:
    """Put a session's files back, and print the command by which its agent resumes it.

    Nothing is written over a file that differs. They count as changed now, or the agent would delete
    them again.
    """
    from ...agents.registry import agent_called

    archive = _archive(call)
    unit = archive.unit(_own_id(call, id))
    folder = None if to is None else Path(to).expanduser().absolute()
    paths = archive.restore(unit, folder)
    agent = agent_called(unit.agent)
    command = agent.resume_command(unit.id) if agent is not None and folder is None else None
    if call.json:
        print_json({"paths": list(map(str, paths)), "resume": list(command or ())})
        return
    for path in paths:
        print_line(str(path))
    if not paths:
        tell("All of it is there.")
    if command is not None:
        tell("To go on with it: {names}", names=shlex.join(command))


@app.command(cls=Command)
def prune(
    call: Call,
    older: Annotated[
        float, typer.Option("--older", min=1, metavar="DAYS", help="What was seen so long ago.")
    ],
    yes: Yes = False,
) -> None:
    """Let go of what is archived and has not changed for this many days."""
    archive = _archive(call)
    old = [unit for unit in archive.units() if unit.seen < now_ms() - older * DAY_MS]
    _forget(call, archive, old, yes=yes)


@app.command(cls=Command)
def purge(call: Call, id: Id, yes: Yes = False) -> None:
    """Let go of a session in the archive; what the store remembers of it stays."""
    archive = _archive(call)
    _forget(call, archive, [archive.unit(_own_id(call, id))], yes=yes)


@app.command(cls=Command)
def retention(
    call: Call,
    keep: Annotated[
        int | None,
        typer.Option("--keep", min=1, metavar="DAYS", help="Have the agent keep them so long."),
    ] = None,
    agent: Annotated[str, typer.Option("--agent", help="With --keep: whose.")] = "claude-code",
    yes: Yes = False,
) -> None:
    """Show after how many days agents delete their transcripts; with --keep change it, as one undo."""
    from ...agents.homes import AgentHomes
    from ...agents.transcript_retention import SETTINGS, retention_days, with_days

    here = AgentHomes.own()
    if keep is None:
        days = {name: retention_days(here, name) for name in SETTINGS}
        if call.json:
            print_json(days)
            return
        print_rows(
            ("agent", "deletes transcripts after"),
            (
                Row(name, count_noun(count, "days") if count else localized("never"))
                for name, count in days.items()
            ),
            wide="deletes transcripts after",
        )
        _print_expiring(call, here)
        return
    path, before, after = with_days(here, agent, keep)
    if before == after:
        tell("{path} says so already.", path=path)
        return
    from ...cli.output.console import print_line_difference

    print_line_difference(before, after)
    if not (yes or _confirmed(_("Change {path} so?", path=path))):
        tell("Nothing was changed. --yes changes it.")
        raise typer.Exit(1)
    from ...database.files.replacing import FileState, read_state

    with call.writing() as store:
        state, content = read_state(path)
        if (content or b"").decode() != before:
            tell("{path} was changed meanwhile. Look at it again.", path=path)
            raise typer.Exit(1)
        mode = FileState(mode=state.mode or 0o600)
        store.agent_files.put(
            path,
            content,
            after.encode(),
            mode,
            _("{agent} keeps {days}", agent=agent, days=count_noun(keep, "days")),
        )
    print_line(str(path))


def _print_expiring(call: Call, here: AgentHomes) -> None:
    """Print the sessions whose transcripts agents delete within seven days, the first to go first."""
    from ...agents.transcript_retention import expiring

    soon = sorted(
        (entry.days - age, entry.agent, path) for entry in expiring(here) for path, age in entry.soon
    )
    if not soon:
        return
    with call.reading() as store:
        sessions = [store.sessions.find(path.stem, agent) for _, agent, path in soon[:SHOWN]]
        titles = store.sessions.titles(session.id for session in sessions if session is not None)
    tell(
        "Within seven days {transcripts} go; `mem archive capture` keeps them.",
        transcripts=count_noun(len(soon), "transcripts"),
    )
    print_rows(
        ("days left", "agent", "session", "title"),
        (
            Row(
                    f"{max(0, int(days))}", agent, "" if session is None else f"@{session.id}",
                    path.name if session is None else titles.get(session.id) or _("untitled"))
            for (days, agent, path), session in zip(soon, sessions, strict=False)
        ),
        wide="title",
    )  # fmt: skip
    if len(soon) > SHOWN:
        tell("And {more} more.", more=f"{len(soon) - SHOWN:,}")


def _own_id(call: Call, id: str) -> str:
    """Return the agent's own id of a session that is named by its number, `@8`; any other as it is."""
    if not id.startswith("@"):
        return id
    with call.reading() as store:
        return store.sessions.get(id).content_session_id


def _archive(call: Call) -> Archive:
    from .archive import Archive

    return Archive(call.path.resolve())


def _ask(size: int, files: int, *, yes: bool) -> None:
    """Ask once whether to archive, and have that be so from then on."""
    from ...maintain.configuration import change

    question = _(
        "Archive {size} MB of {files}, and what is new after each session, secrets as they are?",
        size=f"{size / 1000000.0:,.1f}",
        files=count_noun(files, "files"),
    )
    if not (yes or _confirmed(question)):
        tell("Nothing was archived. --yes archives, and turns `[archive] on`.")
        raise typer.Exit(1)
    change({"archive.on": True})


def _confirmed(question: str) -> bool:
    return sys.stdin.isatty() and typer.confirm(question, err=True)


def _forget(call: Call, archive: Archive, units: list[ArchivedUnit], *, yes: bool) -> None:
    what = count_noun(len(units), "entries")
    if not units:
        tell("There is nothing of the kind.")
        return
    if not (yes or _confirmed(_("Let go of {what} of the archive for good?", what=what))):
        tell("{what} stay. --yes lets go of them.", what=what)
        raise typer.Exit(1)
    archive.forget(units)
    if call.json:
        print_json({"forgotten": [unit.id for unit in units]})
    else:
        print_line(_("{what} forgotten.", what=what))


def _state(unit: ArchivedUnit, here: AgentHomes) -> str:
    """Return whether what is archived is only here, or when its agent will delete it."""
    if unit.is_only_here:
        return _("only here")
    days = _days_left(unit, here)
    return "" if days is None else _("expires in {days}", days=count_noun(days, "days"))


def _days_left(unit: ArchivedUnit, here: AgentHomes) -> int | None:
    from ...agents.transcript_retention import retention_days

    days = retention_days(here, unit.agent)
    if not days or not any(entry.path.endswith((".jsonl", ".json")) for entry in unit.files):
        return None
    oldest = min(entry.mtime_ns for entry in unit.files) // 1_000_000
    return max(0, days - (now_ms() - oldest) // DAY_MS)


def _json(archive: Archive, unit: ArchivedUnit, here: AgentHomes) -> Json:
    return {
        "agent": unit.agent,
        "project": unit.project,
        "id": unit.id,
        "files": [entry.path for entry in unit.files],
        "versions": unit.versions,
        "bytes": unit.size,
        "stored": archive.stored_bytes(unit),
        "seen": unit.seen,
        "only_here": unit.is_only_here,
        "expires_in_days": _days_left(unit, here),
    }
