"""`mem trash list` and `empty`: what is deleted. `mem purge`: forgetting for good, and looking whether any
byte is left.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from ...platform.clock import local_time
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...records.fields import title_of
from ...records.kinds import TABLES, kind_of, parse_ref
from ...text.plural import count_noun
from .. import arguments
from ..command import Call, Command, ReadingCommand, group
from ..output.console import Row, localized, print_json, print_rows, progress_bar, tell
from ..output.serializers import ref
from ..typer_later import typer
from .chosen import DryRun, Yes, chosen

if TYPE_CHECKING:
    from ...maintain.purge import Purged
    from ...records.rows import Session
    from ...store import Store
    from ...tables.removal.purge_selection import Selection
    from ...tables.session_table import SessionTable


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
    if not dry_run and not yes:
        if not sys.stdin.isatty():
            tell("This forgets all that is deleted for good: say --yes. Nothing was purged.")
            raise typer.Exit(1)
        if not typer.confirm(_("Forget all that is deleted for good?"), err=True):
            tell("Nothing was purged.")
            raise typer.Exit(1)
    purge(call, deleted=True, dry_run=dry_run, backups=backups)


SHOWN = 20


@app.command(cls=Command)
def purge(
    call: Call,
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...",
            help="12, p12, s12, f12, n12, @12 (a session with all it holds), a uid; m12 or q12 of "
            "`mem queue`.",
        ),
    ] = None,
    deleted: Annotated[
        bool, typer.Option("--deleted", "--empty-trash", help="All that is deleted: the trash.")
    ] = False,
    query: Annotated[
        str | None,
        typer.Option("--query", metavar="QUERY", help="All that a search matches exactly."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would go, and change nothing.")
    ] = False,
    yes: arguments.YesPurge = False,
    backups: arguments.InBackups = False,
) -> None:
    """Forget memories for good: no undo, no import and no sync brings them back.

    Every file of the store is searched for them afterwards. What isn't deleted goes only with
    --yes, or when asked on a terminal.
    """
    from ...maintain import purge as purging
    from ...search.query.language import parsed
    from ...tables.removal import purge_selection as selection

    if backups and not ids and query is None and not deleted and not dry_run:
        purge_in_backups(call)
        return
    if bool(ids) + deleted + (query is not None) != 1 or (query is not None and not query.strip()):
        raise typer.BadParameter(
            _(
                "Give ids, or a --query, or --deleted for all that is deleted, or --backups alone for "
                "what was purged before."
            )
        )
    with call.reading() if dry_run else call.writing() as store:
        kept: list[str] = []
        if deleted:
            selected = selection.deleted(store.db)
        else:
            selected, kept = select(store, chosen(store, ids, query))
        selected = selection.with_what_belongs(store.db, selected, store.facts)
        if not call.json:
            show(store, selected)
        if dry_run:
            call.answer({"dry_run": True, "records": selected.counts}, "Nothing was changed.")
            return
        if kept and not yes and not confirmed(kept):
            some = ", ".join(kept[:5]) + (" …" if len(kept) > 5 else "")
            tell(
                "Not deleted: {refs}. `mem delete` them first, or say --yes. Nothing was purged.",
                refs=some,
            )
            raise typer.Exit(1)
        words = [term.text for term in parsed(query).terms] if query is not None else []
        if not selected.counts:
            tell("Nothing is deleted." if deleted else "Nothing matches.")
            tell_also(selection.saying(store.db, words))
            if call.json:
                print_json({"dry_run": False, "records": {}})
            return
        try:
            with progress_bar(_("Purging")) as progress:
                done = purging.purge_for_good(store, selected, backups=backups, progress=progress)
            # A search finds neither notes nor what was hidden, deleted or done in passing.
            done.also = tuple(dict.fromkeys((*done.also, *selection.saying(store.db, words))))
        except purging.UnfinishedPurge:
            tell(
                "Stopped. What was to go is gone; the next command overwrites what the store's files "
                "still hold of it. Run `mem purge --backups` for backups."
            )
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            tell("Stopped. Nothing was purged.")
            raise typer.Exit(1) from None
    if call.json:
        print_json(json_of(done))
    else:
        show_done(done)
    if done.found or not done.is_final:
        raise typer.Exit(1)


def purge_in_backups(call: Call) -> None:
    """Take what was purged before out of the store's own backups."""
    from ...maintain import purge as purging

    with call.writing() as store:
        done = purging.purge_backups(store)
    if call.json:
        print_json(json_of(done))
    else:
        tell("Purged in backups: {counts}.", counts=purging.summary(done.counts))
        for sentence in done.notes:
            tell(sentence)
    if done.notes:
        raise typer.Exit(1)


def select(store: Store, ids: list[str]) -> tuple[Selection, list[str]]:
    """Return what ids name, and the refs of those that aren't deleted. Raises NotFoundError."""
    from ...capture.ingest.quarantine import numbered_records
    from ...tables.removal import purge_selection as selection

    numbers: dict[str, list[int]] = {}
    kept: list[str] = []
    for text in dict.fromkeys(ids):
        letter, rest = text[:1], text[1:]
        results: Sequence[int]
        if letter in ("q", "m") and rest.isdecimal():
            if letter == "q":
                table, results = (
                    "quarantine",
                    [number for number, _ in numbered_records(store, [int(rest)])],
                )
            else:
                table, results = "pending_messages", selection.message_ids(store.db, [int(rest)])
            numbers.setdefault(table, []).extend(results)
            continue
        named = parse_ref(text)
        record: Any
        if named and named[0] == "session":
            record = store.sessions.get(text)
        else:
            record = arguments.find_record(store, text)
        table = TABLES[kind_of(record)]
        numbers.setdefault(table, []).append(record.id)
        if record.deleted_at is None or (table == "sessions" and holds_visible(store, record)):
            kept.append(ref(record))
    return selection.Selection({table: tuple(some) for table, some in numbers.items()}), kept


def holds_visible(store: Store, session: Session) -> bool:
    """Return whether anything in a session, which may itself be deleted, is not."""
    tables: tuple[SessionTable[Any], ...] = (store.prompts, store.observations, store.summaries)
    return any(table.of_session(session) for table in tables)


def confirmed(kept: list[str]) -> bool:
    """Ask on a terminal whether what isn't deleted shall go; elsewhere no."""
    if not sys.stdin.isatty():
        return False
    return typer.confirm(
        _(
            "{memories} not deleted yet. Forget for good?",
            memories=count_noun(len(kept), "memories"),
        ),
        err=True,
    )


def show(store: Store, selected: Selection) -> None:
    """Tell what is to go."""
    rows: list[Row] = []
    for table, numbers in selected.numbers.items():
        if not hasattr(store, table):
            continue
        records = getattr(store, table).by_ids(numbers[:SHOWN])
        rows += [Row(ref(record), localized(table), title_of(record)) for record in records]
    if rows:
        print_rows(("id", "kind", "title"), rows, wide="title")
    if (more := sum(selected.counts.values()) - len(rows)) > 0:
        tell("And {more} more.", more=f"{more:,}")


def show_done(done: Purged) -> None:
    """Tell what was done, where it was looked, and what was found there."""
    from ...maintain.purge import summary

    tell("Purged: {counts}.", counts=summary(done.counts))
    if done.archived:
        tell("{sessions} of the archive went along.", sessions=count_noun(done.archived, "sessions"))
    tell(
        _(
            "{occurrences} occurrences in {files}, {size}, of {texts} that were looked for.",
            occurrences=f"{sum(leftover.texts for leftover in done.found):,}",
            files=count_noun(done.files, "files"),
            size=f"{done.bytes / 1e6:,.1f} MB",
            texts=count_noun(done.texts, "texts"),
        )
        if done.texts
        else _("There was no text to look for.")
    )
    for backup in done.found:
        tell("{path} still holds {texts}.", path=backup.path, texts=count_noun(backup.texts, "texts"))
    for backup in done.backups:
        tell(
            "{path} is a backup that still holds {texts}; `mem purge --backups` takes "
            "them out of it, or remove the file.",
            path=backup.path,
            texts=count_noun(backup.texts, "texts"),
        )
    for backup in done.sources:
        tell(
            "{path} still holds {texts}. Files outside of the store are left as they "
            "are: delete the lines there by hand. None of it is imported again.",
            path=backup.path,
            texts=count_noun(backup.texts, "texts"),
        )
    tell_also(done.also)
    for sentence in done.notes:
        tell(sentence)
    if not done.is_final:
        tell(
            "Another process has the store open, so that its log can't be emptied yet; the next "
            "command after it does that."
        )


def tell_also(refs: Sequence[str]) -> None:
    """Tell which memories say the same."""
    if refs:
        named = ", ".join(refs[:5]) + (" …" if len(refs) > 5 else "")
        tell("The same is also said by {named}: purge that too if it is to go.", named=named)


def json_of(done: Purged) -> dict[str, object]:
    """Return what was done as a JSON object."""
    results = [asdict(leftover) | {"path": str(leftover.path)} for leftover in done.found]
    copies = [asdict(backup) | {"path": str(backup.path)} for backup in done.backups]
    sources = [asdict(source) | {"path": str(source.path)} for source in done.sources]
    return {
        "dry_run": False,
        "records": done.counts,
        "texts": done.texts,
        "files": done.files,
        "bytes": done.bytes,
        "found": results,
        "backups": copies,
        "sources": sources,
        "also": list(done.also),
        "final": done.is_final,
        "notes": list(done.notes),
    }
