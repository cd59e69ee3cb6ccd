"""`mem trash list` and `empty`: what is deleted, and forgetting all of it for good."""

from __future__ import annotations

from ....cli import arguments
from ....platform.clock import local_time
from ....platform.translation import _
from ....records.dataclasses import asdict
from ...command import Call, Command, ReadingCommand, group
from ...output.console import Row, print_json, print_rows, tell
from ...typer_later import typer
from .chosen import DryRun, Yes
from .purge import purge as purge_for_good

app = group("List what is deleted, bring it back, or forget it for good.")


@app.command("list", cls=ReadingCommand)
def list_trash(
    call: Call,
    limit: arguments.Limit = 50,
    offset: arguments.Offset = 0,
) -> None:
    """List what is deleted, the last deleted first; `mem search is:deleted` searches it."""
    with call.reading() as store:
        trash = store.trash(limit, offset)
        total = store.trash_count()
    if call.json:
        print_json([asdict(item) for item in trash])
        return
    if not trash:
        tell("The trash is empty.")
    print_rows(
        ("id", "deleted", "project", "title"),
        (Row(entry.ref, local_time(entry.deleted_at), entry.project, entry.title) for entry in trash),
        wide="title",
    )
    if total > offset + len(trash):
        tell(
            "And {more} more; --offset {offset} goes on.",
            more=f"{total - offset - len(trash):,}",
            offset=offset + len(trash),
        )


@app.command(cls=Command)
def empty(
    call: Call,
    dry_run: DryRun = False,
    yes: Yes = False,
    backups: arguments.InBackups = False,
) -> None:
    """Forget all that is deleted for good, as `mem purge --deleted`."""
    import sys

    if not dry_run and not yes:
        if not sys.stdin.isatty():
            tell("This forgets all that is deleted for good: say --yes. Nothing was purged.")
            raise typer.Exit(1)
        if not typer.confirm(_("Forget all that is deleted for good?"), err=True):
            tell("Nothing was purged.")
            raise typer.Exit(1)
    purge_for_good(call, deleted=True, dry_run=dry_run, backups=backups)
