"""`mem doctor`, `repair` and `rebuild`: the store as a file. `mem backup`, `restore-backup` and `reset`:
copies of it, the way back, a new beginning.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ...database.health import Check
from ...database.schema.comparison import SchemaDifference
from ...platform.errors import DatabaseError
from ...platform.translation import N_, _
from ...records.dataclasses import asdict
from ...records.rows import Snippet
from ...text.plural import count_noun
from ..command import Call, Command, failure_sentence, group
from ..output.console import Row, localized, print_json, print_line, print_rows, progress_bar, tell
from ..typer_later import typer

if TYPE_CHECKING:
    from ...maintain.repair import Repaired


MOST_TOLD = 20
"""So many holes of a damaged store are told one by one."""

app = group()


@app.command(cls=Command)
def doctor(
    call: Call,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Compare every indexed term, however many.")
    ] = False,
) -> None:
    """Check the file, its indexes, and what hooks bring. The exit code is 1 when something is wrong."""
    from ...maintain.place import place_checks

    # Before it is opened: opening mends some of what is to be told.
    checks = place_checks(call.path)
    checks += _checks_of_memory(call, thorough=thorough)
    is_well = all(check.ok for check in checks)
    if call.json:
        print_json({"ok": is_well, "checks": [asdict(check) for check in checks]})
    else:
        print_rows(("", "check", "found"), map(check_row, checks), wide="found", fold=True)
    if not is_well:
        raise typer.Exit(1)


def check_row(check: Check) -> Row:
    """What was looked at as a line; below it, what to do where it is not well."""
    state = localized("ok") if check.ok else localized("BAD")
    cells = (state, localized(check.name), check.found)
    return Row(*cells, below=None if check.ok else Snippet(check.remedy))


def _checks_of_memory(call: Call, *, thorough: bool) -> list[Check]:
    from ...capture.ingest.catch_up import is_there
    from ...install.checks import checks_without_memory
    from ...maintain.doctor import store_checks
    from ...maintain.place import checks_unopened

    path = call.path
    try:
        known = [] if is_there(path) else checks_without_memory(path)
        if known:
            return known
        store = call.reading(observing=False)
    except Exception as error:
        return [_unreadable(error, path), *checks_unopened(path)]
    with store:
        return [*store_checks(store, thorough=thorough)]


def _unreadable(error: Exception, path: Path) -> Check:
    """What can't be opened is a finding; what is an error of this program goes on as one."""
    from ...database.backup import known_backups
    from ...maintain.doctor import remedy

    content = failure_sentence(error)
    if content is None:
        raise error
    # Where there has been no store yet, there is nothing to restore.
    if not os.path.lexists(path) and not known_backups(path):
        return Check(N_("store"), True, _("none at {path} yet; `mem install` hooks agents up", path=path))
    return Check(N_("store"), False, content, remedy(path))


@app.command(cls=Command)
def rebuild(
    call: Call,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="An export (jsonl) whose rows replace those that are here.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="With --from: go on even if some lines can't be read.")
    ] = False,
) -> None:
    """Build the indexes again from the rows.

    With --from the rows too: the store then holds what the export holds and nothing else. What it
    held before is kept beside it. Either way all is done, or nothing is.
    """
    if source is None:
        if force:
            raise typer.BadParameter(_("--force is for --from."))
        rebuild_indexes(call)
        return
    from ...formats.common.upsert import PURGED
    from ...maintain.rebuild import rebuild_from

    with progress_bar(_("Rebuilding"), is_counted=True) as show:
        content = None if show is None else lambda done, total: show(done, total, "bytes")
        made = rebuild_from(call.path, source, force=force, progress=content)
    counts = {kind: count.read for kind, count in made.report.counts.items()}
    if call.json:
        before = None if made.before is None else str(made.before)
        print_json({"rows": counts, "before": before, "report": asdict(made.report)})
        return
    tell(
        "Rebuilt from {source}: {rows}.",
        source=source,
        rows=count_noun(sum(counts.values()), "rows"),
    )
    purged = sum(count.skipped.get(PURGED, 0) for count in made.report.counts.values())
    if purged:
        tell("Left out, since purged from this store: {rows}.", rows=count_noun(purged, "rows"))
    for warning in made.report.warnings[:20]:
        tell(f"{warning.table} {warning.native_id}: {warning.message}")
    if made.before is not None:
        tell("What was here before is in {before}; remove it when all is well.", before=made.before)


def rebuild_indexes(call: Call) -> None:
    """Make documents, labels and indexes anew, and what is missing or changed of the schema; a store of a
    development version is taken over first."""
    from ...database.development import take_over
    from ...database.file import mend
    from ...maintain.backups import automatic_backup

    taken_over_from = take_over(call.path)
    mended = mend(call.path)
    with call.writing() as store:
        if not mended and taken_over_from is None:
            automatic_backup(store, "before-rebuild")
        store.rebuild()
        held = store.find("").count().value
    if call.json:
        print_json({"indexed": held, "mended": [str(difference) for difference in mended]})
        return
    if taken_over_from is not None:
        tell("Took over a store of a development version; as it was it is in {copy}.", copy=taken_over_from)
    for difference in mended:
        tell(
            "Repaired {type} {name} ({detail}).",
            type=difference.type,
            name=difference.name,
            detail=difference.detail or difference.kind,
        )
        if _is_lost(difference):
            tell("It is empty now; `mem store repair` looks for its rows.")
    tell("Indexed {memories}.", memories=count_noun(held, "memories"))


def _is_lost(difference: SchemaDifference) -> bool:
    from ...database.schema.shapes import DERIVED

    return difference.kind == "missing" and difference.type == "table" and difference.name not in DERIVED


@app.command(cls=Command)
def repair(
    call: Call,
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="FILE", help="A new file; else memory-repaired.db."),
    ] = None,
) -> None:
    """Salvage a damaged store into a new file.

    Row by row, from the file and its log; where rows are missing, from the newest backups, the spool
    and transcripts. The damaged file stays as it is; `mem store restore-backup FILE` puts the new one in
    its place.
    """
    from ...maintain.repair import repair as salvage

    made = salvage(call.path, into)
    if call.json:
        print_json(asdict(made) | {"path": str(made.path)})
        return
    tables = sorted(made.rows.items())
    print_rows(
        ("table", "rows", "from"),
        [
            Row(
                table,
                f"{sum(results.values()):,}",
                ", ".join(f"{origin} {number:,}" for origin, number in results.items()),
            )
            for table, results in tables
        ],
        wide="from",
    )
    print_line(str(made.path))
    tell_losses(made)


def tell_losses(made: Repaired) -> None:
    """Say what could not be read, and what to do with the new file."""
    for lost in made.lost[:MOST_TOLD]:
        tell("{table}: rows {keys} can't be read in the file.", table=lost.table, keys=lost.keys)
    if len(made.lost) > MOST_TOLD:
        tell("And {more} holes more; --json lists all.", more=f"{len(made.lost) - MOST_TOLD:,}")
    for table, key, reason in made.refused[:MOST_TOLD]:
        tell("{table} {key} could not be kept ({reason}).", table=table, key=key, reason=reason)
    for number, what in (
        (made.stubs, _("{number:,} sessions were lost; what belonged to them has a new one.")),
        (made.cut, _("{number:,} rows are there in part only.")),
        (
            made.hidden,
            _("{number:,} rows came from an older copy and were hidden since; they stay hidden."),
        ),
    ):
        if number:
            tell(what.format(number=number))
    tell(
        "The damaged file is as it was. To go on with this one: mem store restore-backup {path}",
        path=made.path,
    )


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

    call.check_person()
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
