"""`mem backup`, `restore-backup` and `reset`: copies of the store, the way back, a new beginning."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from ...platform.errors import DatabaseError
from ...platform.translation import _
from ...text.plural import count_noun
from ..command import Call, Command, group
from ..output.console import print_json, print_line, tell
from ..typer_later import typer

app = group()


@app.command(cls=Command)
def backup(
    call: Call,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]",
            help="A new file, or a directory (one that ends in / is made); else memory.db-backups.",
        ),
    ] = None,
    keep: Annotated[
        int | None,
        typer.Option("--keep", min=1, metavar="N", help="Remove all but the newest N that are there."),
    ] = None,
) -> None:
    """Copy the store, verified, into a new file.

    Without PATH, or where that is a directory, its name tells the time. --keep removes only files
    with such names, and none that was made before a migration, a rebuild or a purge. Of a damaged
    store the name ends in -damaged, and the exit code is 1.
    """
    from ...maintain.backups import back_up, is_of_damaged

    target = None if path is None else Path(path)
    if target is not None and path is not None and path.endswith("/"):
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DatabaseError(
                "{path} can't be made ({reason}). Name another place.", path=path, reason=error.strerror
            ) from error
    is_file = target is not None and not target.is_dir()
    if keep is not None and is_file:
        raise typer.BadParameter(_("--keep is for a directory, or for no PATH."))
    made = back_up(call.path, target, keep=keep)
    is_damaged = is_of_damaged(made.copy)
    if call.json:
        removed = [str(old) for old in made.removed]
        print_json({"path": str(made.copy), "damaged": is_damaged, "removed": removed})
    else:
        print_line(str(made.copy))
    if is_damaged:
        tell(
            "{path} is damaged ({damage}), and so is this copy of it. `mem store repair` "
            "salvages what can be read.",
            path=call.path,
            damage=made.damage,
        )
        raise typer.Exit(1)


@app.command("restore-backup", cls=Command)
def restore_backup(
    call: Call,
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A backup of a store.")],
    remove_old: Annotated[
        bool, typer.Option("--remove-old", help="Keep no copy of what is there now.")
    ] = False,
) -> None:
    """Put a backup in the store's place, and keep what was there.

    The backup is verified before, and stays as it is. Whoever has the store open goes on with it;
    events that wait in the spool are kept, and stored. Restoring the file that is kept takes it
    back.
    """
    from ...maintain.backups import restore_backup as restore

    restored = restore(call.path, source)
    before = restored.before
    if remove_old and before is not None:
        before.unlink()
        before = None
    if call.json:
        print_json(
            {
                "path": str(call.path),
                "before": None if before is None else str(before),
                "schema": restored.schema,
                "indexed_anew": restored.indexed_anew,
            }
        )
        return
    tell("{path} holds what {source} holds.", path=call.path, source=source)
    if restored.indexed_anew:
        tell("Its indexes were not sound, and were built again.")
    if before is not None:
        tell("What was here before is in {before}; remove it when all is well.", before=before)


@app.command(cls=Command)
def reset(
    call: Call,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete it, instead of moving it aside.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
) -> None:
    """Start over: move the store aside, or delete it.

    With it go its log and the events that wait for it, under one name that tells the time.
    Backups, the archive, and what hooks are told to leave out, stay. It is refused while another
    process has the store open.
    """
    from ...maintain.backups import belongings, known_backups
    from ...maintain.backups import reset as start_anew
    from ...platform.leaves import has_leaf, leaf

    paths = belongings(call.path)
    if paths and not yes:
        if not sys.stdin.isatty():
            raise typer.BadParameter(_("say --yes where nobody can be asked."))
        values = {"path": call.path, "files": count_noun(len(paths), "files")}
        question = (
            _("Delete {path} and what belongs to it ({files})?", **values)
            if delete
            else _("Move aside {path} and what belongs to it ({files})?", **values)
        )
        if not typer.confirm(question, err=True):
            tell("Nothing was changed.")
            raise typer.Exit(1)
    result = start_anew(call.path, delete=delete)
    if call.json:
        print_json({"files": list(map(str, result.files)), "aside": list(map(str, result.aside))})
    elif not result.files:
        tell("There is no store at {path}, and no event waits for one.", path=call.path)
    elif delete:
        many = count_noun(len(result.files), "files")
        tell(
            "Deleted {path} and all events that waited for it ({count}).",
            path=call.path,
            count=many,
        )
    else:
        tell("Moved aside: {names}", names=", ".join(map(str, result.aside)))
    if delete and (remaining := known_backups(call.path)):
        tell(
            "Left in {parent}: {backups}.",
            parent=remaining[0].parent,
            backups=count_noun(len(remaining), "backups"),
        )
    if not (result.files and has_leaf("archive")):
        return
    if units := leaf("archive.archive").Archive(call.path).units():
        many = count_noun(len(units), "entries")
        tell(
            "The archive stays: {count}. `mem archive list` and `mem archive purge` know them.",
            count=many,
        )
