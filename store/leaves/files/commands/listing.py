"""`mem files`: the list of agents' files, and one of them in full."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call, Command, group
from ....cli.output.console import Row, print_json, print_rows, print_text, shown_path, tell
from ....cli.typer_later import typer
from ....platform.clock import local_time
from ....platform.translation import _
from ....text.plural import count_noun
from .checking import check, ignore, watch
from .discovered import discovered
from .editing import adopt, delete, diff, edit, move, new, promote, sync
from .sharing import share
from .starts import cost, told

if TYPE_CHECKING:
    from ....cli.output.serializers import Json
    from ..agent_files import AgentFile

app = group(
    "See, check and edit what agents are told at a start, what it costs, and what they note. "
    "Without a command: list.",
    alone="list",
)
app.command(cls=Command)(told)
app.command(cls=Command)(cost)
app.command(cls=Command)(check)
app.command(cls=Command)(ignore)
for declared in (edit, new, move, delete, diff, sync, promote, adopt, share, watch):
    app.command(cls=Command)(declared)

ForAgent = Annotated[
    str | None, typer.Option("--agent", help="Only files of this agent, such as claude-code.")
]


@app.command("list", cls=Command)
def list_files(
    call: Call,
    agent: ForAgent = None,
    kind: Annotated[
        str | None,
        typer.Option("--class", help="Only instruction, rule, index, note, agentnote, plan or task."),
    ] = None,
    project: Annotated[
        Path | None, typer.Option("--project", help="A project's folder; else the one you are in.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Those of every project that is known.")] = False,
) -> None:
    """List agents' files: those that hold everywhere, and those of this project."""
    discovery = discovered(call, project or Path.cwd(), all=all)
    files = [
        file
        for file in discovery.files
        if (agent is None or agent in file.agents) and (kind is None or kind == file.kind)
    ]
    for note in discovery.notes:
        tell(note)
    if call.json:
        print_json([file_json(file) for file in files])
        return
    if not files:
        hint = _("No files were found. `mem files list --all` looks in every project that is known.")
        tell(_("No files were found.") if all else hint)
    print_rows(
        ("agents", "class", "file", "size", "changed"),
        (
            Row(
                _agents(file),
                file.kind,
                shown_path(file.path),
                f"{file.size:,}",
                local_time(file.mtime_ns // 1_000_000)[:10],
            )
            for file in files
        ),
        wide="file",
        right=("size",),
        first_out=("changed", "size"),
    )


@app.command(cls=Command)
def show(
    call: Call,
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The file.")],
) -> None:
    """Print a file that an agent is told or keeps, as it stands but without secrets."""
    from ....agents.homes import SHOWN, is_denied, read_text, resolved_path
    from ....platform.errors import StoreError
    from ....text.redaction import scrub

    resolved = resolved_path(path)
    text = read_text(resolved)
    if text is None:
        raise StoreError(
            "{path} is never shown, as it may hold keys."
            if is_denied(resolved)
            else "{path} can't be read.",
            path=path,
        )
    plain = scrub(text)
    if call.json:
        print_json({"path": str(resolved), "text": plain})
    else:
        print_text(plain.removesuffix("\n"))
        if resolved.stat().st_size > SHOWN:
            tell("Only the first {limit} bytes are shown.", limit=f"{SHOWN:,}")


def file_json(file: AgentFile) -> Json:
    """Return a file as JSON has it."""
    return {
        "path": str(file.path),
        "agents": list(file.agents),
        "class": file.kind,
        "scope": file.scope,
        "project": str(file.project) if file.project else None,
        "title": file.title,
        "bytes": file.size,
        "modified_ns": file.mtime_ns,
        "session": file.session,
    }


def _agents(file: AgentFile) -> str:
    if len(file.agents) <= 2:
        return ", ".join(file.agents)
    return _(
        "{agent} and {others}",
        agent=file.agents[0],
        others=count_noun(len(file.agents) - 1, "others"),
    )
