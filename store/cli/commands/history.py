"""`mem history`: all that was changed, one change in full, or the versions of a memory. `mem undo`, `redo`
and `revert`: taking changes back, and making them again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from ...database.journal.undo import Undone
from ...platform.clock import local_time
from ...platform.leaves import has_leaf
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...records.fields import flag_change
from ...tables.history import JournalEntry, Version, maker, short_maker
from .. import arguments
from ..arguments import file_named
from ..command import Call, Command, ReadingCommand, group
from ..output.console import Row, print_difference, print_gap, print_json, print_line, print_rows, tell
from ..output.serializers import record_json
from ..typer_later import typer

if TYPE_CHECKING:
    from pathlib import Path

    from ...store import Store


app = group()

KINDS = ("observation", "prompt", "summary", "fact", "note", "session")
SHOWN = 50


@app.command(cls=ReadingCommand)
def history(
    call: Call,
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="A memory or an agent's file, for its versions; c12, for that change in full.",
        ),
    ] = None,
    project: arguments.OfProject = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="Only changes of observations, facts, notes or another kind."),
    ] = None,
    before: Annotated[
        str | None,
        typer.Option("--before", metavar="CHANGE", help="Only what is older than this change."),
    ] = None,
    since: Annotated[
        int | None,
        typer.Option(
            "--since",
            parser=arguments.moment,
            metavar="TIME",
            help="Only what was changed since then: 7d, yesterday, ISO 8601, or ms.",
        ),
    ] = None,
    limit: arguments.Limit = SHOWN,
) -> None:
    """List what people changed, the newest first; of a memory, its versions.

    `mem revert c12` takes a change back by itself, `mem restore ID --version N` a memory back to a
    version.
    """
    if kind is not None and kind not in KINDS:
        raise typer.BadParameter(_("{kind!r} is not one of {names}.", kind=kind, names=", ".join(KINDS)))
    with call.reading() as store:
        if id is None:
            older_than = None if before is None else change_number(before)
            entries = store.changes(project=project, kind=kind, before=older_than, since=since, limit=limit)
            show_changes(call, store, entries)
        elif re.fullmatch(r"c\d{1,18}", id):
            show_change(call, store, change_number(id), limit)
        elif (file := file_named(id)) is not None:
            show_file_versions(call, store, file, limit)
        else:
            show_versions(call, store, store.history(id)[:limit])


def show_changes(call: Call, store: Store, entries: list[JournalEntry]) -> None:
    """Print changes as lines."""
    dropped = store.journal.dropped()
    if call.json:
        print_json([asdict(entry) for entry in entries])
    else:
        rows = (
            Row(
                    f"c{entry.id}", local_time(entry.at), short_maker(entry, store.machine_id) or "-",
                    entry.what, state(entry))
            for entry in entries
        )  # fmt: skip
        print_rows(("id", "when", "by", "what", ""), rows, wide="what")
        if not entries:
            tell("Nothing was changed.")
    if dropped:
        tell(dropped)


def show_change(call: Call, store: Store, number: int, limit: int) -> None:
    """Print what a change did to each record."""
    change = store.past.change(number)
    records = store.change_records(number, limit=limit)
    if call.json:
        print_json(
            asdict(change)
            | {
                "changed": [
                    {
                        "ref": record.ref,
                        "title": record.title,
                        "op": record.op,
                        "fields": {
                            name: {"before": before, "after": after}
                            for name, before, after in record.fields
                        },
                    }
                    for record in records
                ]
            }
        )
        return
    content = state(change)
    print_line(f"c{change.id}  {local_time(change.at)}  {maker(change, store.machine_id) or '-'}  "
               f"{change.what}"
               + (f" ({content})" if content else ""))  # fmt: skip
    verbs = {"INSERT": _("added"), "DELETE": _("removed"), "UPDATE": _("changed")}
    for changed_record in records:
        print_gap()
        print_line(f"{changed_record.ref} {changed_record.title} ({verbs[changed_record.op]})")
        if changed_record.op == "UPDATE":
            for name, before, after in changed_record.fields:
                print_difference(name, before, after)
    if change.records > len(records):
        tell("And {more} more; --limit shows more.", more=f"{change.records - len(records):,}")


def show_versions(call: Call, store: Store, versions: list[Version]) -> None:
    """Print the versions of a record, and how each differs from the one before."""
    pairs = list(zip(versions, [*versions[1:], None], strict=True))
    if call.json:
        print_json(
            [
                {
                    "version": version.number,
                    "at": version.at,
                    "what": version.what,
                    "via": version.via,
                    "agent": version.agent,
                    "machine": version.machine,
                    "host": version.host,
                    "change": version.change_id,
                    "changed": {
                        name: {
                            "before": getattr(before.record, name) if before else None,
                            "after": getattr(version.record, name),
                        }
                        for name in version.changed
                    },
                    "record": record_json(version.record),
                }
                for version, before in pairs
            ]
        )
        return
    for item, before in pairs:
        when = _("at a time unknown") if item.at is None else local_time(item.at)
        print_line(
            _(
                "version {number}  {when}  {maker}  {what}",
                number=item.number,
                when=when,
                maker=maker(item, store.machine_id) or "-",
                what=item.what,
            )
        )
        if before is not None:
            for name in item.changed:
                value = getattr(item.record, name)
                if content := flag_change(name, value):
                    print_line(f"  {_(content)}")
                else:
                    print_difference(name, getattr(before.record, name), value)
        print_gap()
    if dropped := store.journal.dropped():
        tell(dropped)


def show_file_versions(call: Call, store: Store, file: Path, limit: int) -> None:
    """Print the versions of an agent's file that are kept, and the changes of it that were made here."""
    versions = store.agent_files.numbered_versions(file)[:limit]
    changes = [store.past.change(number) for number in store.agent_files.changes_of(file)[:limit]]
    if call.json:
        print_json(
            {
                "path": str(file),
                "versions": [asdict(version) | {"version": number} for number, version in versions],
                "changes": [asdict(change) for change in changes],
            }
        )
        return
    print_rows(
        ("version", "seen", "bytes", "sha256"),
        (
            Row(str(number), local_time(item.seen_at), f"{item.size:,}", item.sha256[:12])
            for number, item in versions
        ),
        wide="sha256",
        right=("bytes",),
    )
    print_gap()
    show_changes(call, store, changes)
    if versions and has_leaf("files"):
        tell("mem files diff PATH --version N compares with one; mem restore brings it back.")


def state(entry: JournalEntry) -> str:
    """Return what is to be said of a change beside what it did."""
    if entry.undone_at is not None:
        return _("undone, can be redone") if entry.can_redo else _("undone")
    return "" if entry.is_recorded else _("can't be undone")


Steps = Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many changes.")]


@app.command(cls=Command)
def undo(call: Call, steps: Steps = 1) -> None:
    """Take back the last change, or the last N, and tell which.

    All that one command or one key changed is one change. What others have changed since then stays and is
    named, as is what can't be undone.
    """
    content: list[Undone] = []
    with call.writing() as store:
        while len(content) < steps and (item := store.undo()) is not None:
            content.append(item)
            if not item.is_done:
                break
        before = store.journal.next_undo()
        dropped = store.journal.dropped()
    show_undone(call, content, steps)
    if not content:
        tell(" ".join(filter(None, (_("There is nothing to undo."), dropped))))
        raise typer.Exit(1)
    if not content[-1].is_done:
        tell("Nothing was changed." if len(content) == 1 else "It ends here.")
        if before:
            tell("`mem undo` again takes back what was done before: {before}.", before=before)
        raise typer.Exit(1)
    if len(content) < steps:
        tell("There is nothing more to undo.")


@app.command(cls=Command)
def redo(call: Call, steps: Steps = 1) -> None:
    """Redo the last change you undid, or the last N.

    A new change after an undo ends that: then there is nothing to do again.
    """
    content: list[Undone] = []
    with call.writing() as store:
        while len(content) < steps and (item := store.redo()) is not None:
            content.append(item)
    show_undone(call, content, steps, is_redo=True)
    if not content:
        tell("There is nothing to redo.")
        raise typer.Exit(1)
    if not any(entry.is_done for entry in content):
        tell("Nothing was changed.")
        raise typer.Exit(1)
    if len(content) < steps:
        tell("There is nothing more to redo.")


@app.command(cls=Command)
def revert(
    call: Call,
    change: Annotated[str, typer.Argument(metavar="CHANGE", help="c12, as `mem history` has it.")],
) -> None:
    """Undo one change and keep later ones; the revert is itself a change.

    Where a later change depends on it, this is said, and nothing is changed.
    """
    with call.writing() as store:
        undone = store.revert(change_number(change))
    if call.json:
        print_json(undone_json(undone, "reverted"))
    else:
        print_line(_("Reverted: {sentence}.", sentence=undone.sentence))


def change_number(text: str) -> int:
    """Return the number of a change that was typed as c12 or 12."""
    number = text.removeprefix("c")
    if not number.isdecimal() or len(number) > 18:
        raise typer.BadParameter(_("{text!r} is not a change. Give one as c12 (`mem history`).", text=text))
    return int(number)


def show_undone(call: Call, undone: list[Undone], steps: int, *, is_redo: bool = False) -> None:
    """Print what was undone or redone, and tell what could not be."""
    word = "redone" if is_redo else "undone"
    if call.json:
        results = [undone_json(item, word) for item in undone]
        print_json(results if steps > 1 else (results[0] if results else {word: None}))
    for entry in undone:
        if entry.is_done and not call.json:
            print_line(
                _("Redone: {sentence}.", sentence=entry.sentence)
                if is_redo
                else _("Undone: {sentence}.", sentence=entry.sentence)
            )
        for sentence in entry.kept:
            tell(sentence)


def undone_json(undone: Undone, word: str) -> dict[str, object]:
    """Return what was taken back, or done again, as a JSON object: `undone` (or `redone`) is null
    where nothing was."""
    records = [
        {"ref": record.ref, "title": record.title, "effect": record.effect} for record in undone.records
    ]
    return {
        word: undone.what if undone.is_done else None,
        "what": undone.what,
        "at": undone.at,
        "records": records,
        "kept": list(undone.kept),
        "select": undone.select,
    }
