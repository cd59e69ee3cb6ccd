"""`mem pin`, `unpin`, `private`, `delete`, `restore` and `tag`: one thing done to many memories. `mem
report`: saying of one that it is wrong, or was of use.
"""

from __future__ import annotations

from typing import Annotated, Literal

from ...curation.many import Action, ActionName
from ...platform.errors import NotFoundError
from ...platform.leaves import leaf
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...records.kinds import ref_of
from ...text.plural import count_noun
from ..arguments import file_named, find_record
from ..command import Call, Command, group, print_ref
from ..output.console import print_changed, print_json, tell
from ..output.serializers import named
from ..typer_later import typer
from .chosen import DryRun, Ids, WithQuery, Yes, perform

app = group()


def declare(name: str, action: ActionName, help: str) -> None:
    """Declare a command that does one thing to the memories that are chosen, and takes no option of its
    own."""

    def do(
        call: Call,
        ids: Ids = None,
        query: WithQuery = None,
        dry_run: DryRun = False,
        yes: Yes = False,
    ) -> None:
        perform(call, Action(action), ids, query, dry_run=dry_run, yes=yes)

    do.__doc__ = help
    app.command(name, cls=Command)(do)


declare(
    "pin",
    "pin",
    "Pin memories, so that new sessions are given them first. Pinned ones are offered first.",
)
declare("unpin", "unpin", "Unpin memories.")
declare(
    "still-true",
    "confirm",
    "Say that memories whose files have changed are still true. They are stale once these change again.",
)


@app.command(cls=Command)
def private(
    call: Call,
    ids: Ids = None,
    off: Annotated[bool, typer.Option("--off", help="Show them again.")] = False,
    query: WithQuery = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Hide memories from every list, search and export."""
    action = Action("show" if off else "hide")
    perform(call, action, ids, query, dry_run=dry_run, yes=yes)


declare("delete", "delete", "Delete memories. `mem restore` and `mem undo` bring them back.")


@app.command(cls=Command)
def restore(
    call: Call,
    ids: Ids = None,
    version: Annotated[
        int | None,
        typer.Option("--version", min=1, help="Take one memory back to this of its versions."),
    ] = None,
    query: WithQuery = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Bring deleted memories back.

    With --version one memory or agent's file, deleted or not, is taken back to what `mem history ID` shows.
    """
    if version is None:
        if any(text.endswith(".db") for text in ids or ()):
            raise NotFoundError("A backup takes the store's place by `mem store restore-backup FILE`.")
        perform(call, Action("restore"), ids, query, dry_run=dry_run, yes=yes)
        return
    if not ids or len(ids) != 1 or query is not None:
        raise typer.BadParameter(_("--version is for one ID."))
    if (file := file_named(ids[0])) is not None:
        with call.writing() as store:
            is_changed = leaf("files.writing").restore(store, file, version)
        print_changed(
            [str(file)],
            _("{file} taken back to version {version}", file=file, version=version) if is_changed else "",
        )
        return
    with call.writing() as store:
        before = store.any_record(ids[0])
        restored = store.restore_version(ids[0], version)
    is_same = restored == before
    what = (
        ""
        if is_same
        else _("{named} taken back to version {version}", named=named(restored), version=version)
    )
    print_ref(call, restored, what)
    if is_same:
        tell("Version {version} is what it says now; nothing was changed.", version=version)


@app.command(cls=Command)
def tag(
    call: Call,
    ids: Ids = None,
    add: Annotated[
        list[str] | None, typer.Option("--add", metavar="TAG", help="A tag to add (repeatable).")
    ] = None,
    remove: Annotated[
        list[str] | None,
        typer.Option("--remove", metavar="TAG", help="A tag to take away (repeatable)."),
    ] = None,
    query: WithQuery = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Add tags to observations and sessions, or take them away."""
    if not any(map(str.strip, (*(add or ()), *(remove or ())))):
        raise typer.BadParameter(_("Give --add TAG or --remove TAG."))
    action = Action("tag", add=tuple(add or ()), remove=tuple(remove or ()))
    perform(call, action, ids, query, dry_run=dry_run, yes=yes)


VerdictOrClear = Literal["wrong", "useful", "clear"]


@app.command(cls=Command)
def report(
    call: Call,
    id: Annotated[str, typer.Argument(metavar="ID", help="12, p12, s12, f12 or a uid.")],
    verdict: Annotated[
        VerdictOrClear,
        typer.Argument(
            metavar="wrong|useful|clear", help="What it is; clear takes all reports of it away."
        ),
    ],
    reason: Annotated[str, typer.Argument(metavar="[REASON]", help="Why, in a sentence.")] = "",
) -> None:
    """Report a memory as wrong or useful, for whoever curates.

    The browser shows it with the memory, and `mem search is:reported` (or is:wrong) finds it. Whoever
    reports it again replaces the report.
    """
    with call.writing() as store:
        record = find_record(store, id)
        name = ref_of(record)
        if verdict == "clear":
            cleared = store.reporting.clear(record)
            reports = count_noun(cleared, "reports")
            call.answer(
                {"id": name, "cleared": cleared}, "{reports} of {name} cleared.", reports=reports, name=name
            )
            return
        made = store.reporting.report(record, verdict, reason, store.maker[1])
    if call.json:
        print_json({"id": name, **asdict(made)})
    else:
        what = (
            _("{name} reported as wrong", name=name)
            if verdict == "wrong"
            else _("{name} reported as useful", name=name)
        )
        print_changed((name,), what)
