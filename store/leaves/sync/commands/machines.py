"""`mem sync`: meeting other machines, which are met, and what stays here."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call, Command, group
from ....cli.output.console import Row, localized, print_json, print_rows, tell
from ....cli.typer_later import typer
from ....platform.clock import local_time
from ....platform.errors import StoreError
from ....platform.translation import _
from ....records.dataclasses import asdict
from ....text.plural import count_noun

if TYPE_CHECKING:
    from ....store import Store
    from ..machines import Direction, MeetingPlace, PlaceStatus
    from ..meeting import Meeting

app = group(
    "Keep this store in step with those of other machines, by ssh or a folder.\n\n"
    "`mem sync` alone meets all machines that were added; `mem sync NAME` some.",
    alone="all",
)

DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would go each way, and exchange nothing.")
]
Verify = Annotated[
    bool,
    typer.Option("--verify", help="Compare all rows by digests, whatever is known, and fix what differs."),
]
NAMED = 10
"""So many of the memories that would go are named."""
WORDS = {
    "fact_sources": _("who told facts"),
    "merged_records": _("merges"),
    "not_duplicates": _("told apart"),
    "project_aliases": _("renamed projects"),
    "purged": _("purges"),
    "renamed_records": _("joined doubles"),
    "saved_searches": _("saved searches"),
    "shared_files": _("agents' files"),
}
"""What the tables hold that have other names than people know."""
ReadOnly = Annotated[bool, typer.Option("--read-only", help="Only take what is there.")]
WriteOnly = Annotated[bool, typer.Option("--write-only", help="Only give what is here.")]


@app.command("all", cls=Command)
def all_machines(
    call: Call,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Those to meet, team too; else all."),
    ] = None,
    dry_run: DryRun = False,
    verify: Verify = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Meet them again every minute, until Ctrl+C.")
    ] = False,
    serve: Annotated[
        bool,
        typer.Option("--serve", help="Answer a store that calls, on standard input and output."),
    ] = False,
    unattended: Annotated[
        bool,
        typer.Option("--unattended", hidden=True, help="Ask for nothing, such as a passphrase."),
    ] = False,
) -> None:
    """Meet the machines that were added, and exchange what changed, both ways.

    A machine that can't be met keeps none of the others; the exit code is 1 then.
    """
    from ..machines import Machines

    if serve:
        _serve(call)
        return
    with call.writing() as store:
        machines = Machines(store)
        places = [machines.place(name) for name in names] if names else machines.places()
        if not places:
            tell("No machine was added. `mem sync add laptop ssh://laptop` adds one.")
        is_whole = _meet(
            call, store, places, dry_run=dry_run, verify=verify, is_unattended=unattended
        )  # fmt: skip
        while watch:
            from time import sleep

            sleep(60)
            _meet(call, store, places, dry_run=dry_run)
    if not is_whole:
        raise typer.Exit(1)


@app.command("ssh", cls=Command)
def by_ssh(
    call: Call,
    host: Annotated[str, typer.Argument(metavar="HOST[:PATH]", help="The machine, and its store's file.")],
    dry_run: DryRun = False,
    verify: Verify = False,
    read_only: ReadOnly = False,
    write_only: WriteOnly = False,
) -> None:
    """Exchange rows with the store of another machine, by your own ssh. memtui has to be there too."""
    from ..meeting import address_of

    direction = _direction(read_only=read_only, write_only=write_only)
    _meet_at(call, host, address_of(host), direction, dry_run=dry_run, verify=verify)


@app.command("folder", cls=Command)
def by_folder(
    call: Call,
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder that is carried to the other machines.")
    ],
    git: Annotated[
        bool, typer.Option("--git", help="It is a git repository: pull, write, commit and push.")
    ] = False,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="Seal what is written: an age identity, or a passphrase; the same on all machines.",
        ),
    ] = None,
    dry_run: DryRun = False,
    verify: Verify = False,
    read_only: ReadOnly = False,
    write_only: WriteOnly = False,
) -> None:
    """Exchange rows by way of a folder, in which each machine writes files of its own only."""
    direction = _direction(read_only=read_only, write_only=write_only)
    place = directory.expanduser().absolute()
    address = f"{'git' if git else 'folder'}:{place}"
    address += f"?key={key.expanduser().absolute()}" if key else ""
    _meet_at(call, str(directory), address, direction, dry_run=dry_run, verify=verify)


def _direction(*, read_only: bool, write_only: bool) -> Direction:
    if read_only and write_only:
        raise typer.BadParameter(_("--read-only and --write-only leave nothing: give one of them."))
    return "read" if read_only else "write" if write_only else "both"


def _serve(call: Call) -> None:
    from ..channel import Channel
    from ..exchange import answer
    from ..meeting import beside_rows, patient

    with call.writing() as store:
        beside_rows(store)
        answer(store, Channel(*patient(sys.stdin.buffer, sys.stdout.buffer)))
        beside_rows(store)


def _meet_at(
    call: Call, name: str, address: str, direction: Direction, *, dry_run: bool, verify: bool
) -> None:
    """Meet an address: the place that was added for it, or one that is remembered under its name."""
    from ..machines import Machines

    with call.writing() as store:
        machines = Machines(store)
        # Who forgets --key doesn't mean to write what anybody can read.
        known = [
            it
            for it in machines.places()
            if it.address.split("?key=")[0] == address or it.address == address
        ]
        place = known[0] if known else machines.add(name, address, direction=direction)
        is_whole = _meet(call, store, [place], dry_run=dry_run, verify=verify)
    if not is_whole:
        raise typer.Exit(1)


def _meet(
    call: Call,
    store: Store,
    places: list[MeetingPlace],
    *,
    dry_run: bool,
    verify: bool = False,
    is_unattended: bool = False,
) -> bool:
    """Meet places one after the other and print what came of it; whether all could be met."""
    from ..channel import Wishes
    from ..meeting import meet

    wishes = Wishes(verify=verify, dry_run=dry_run)
    meetings: list[Meeting] = []
    troubles: list[tuple[str, str]] = []
    for place in places:
        try:
            meetings.append(meet(store, place, wishes, is_unattended=is_unattended))
        except StoreError as error:
            troubles.append((place.name, str(error)))
    if call.json:
        failed = [{"place": name, "trouble": trouble} for name, trouble in troubles]
        print_json([*(asdict(meeting) for meeting in meetings), *failed])
        return not troubles
    show(meetings, is_dry_run=dry_run)
    if dry_run:
        _name_waiting(store, places)
    for name, trouble in troubles:
        tell(f"{name}: {trouble}")
    return not troubles


def _name_waiting(store: Store, places: list[MeetingPlace]) -> None:
    from ..machines import Machines

    for place in places:
        names = Machines(store).named_waiting(place, NAMED + 1)
        for name in names[:NAMED]:
            tell(f"{place.name}: {name}")
        if len(names) > NAMED:
            tell("{name}: … and more.", name=place.name)


def show(meetings: list[Meeting], *, is_dry_run: bool = False) -> None:
    """Print what came of meetings, and tell what is odd."""
    if is_dry_run:
        print_rows(
            ("machine", "what", "would go", "would come"),
            (
                Row(
                    meeting.place,
                    WORDS.get(table) or localized(table),
                    str(meeting.given[table]),
                    "?" if meeting.is_unread else str(meeting.taken[table]),
                )
                for meeting in meetings
                for table in sorted({*meeting.given, *meeting.taken})
            ),
            wide="machine",
            right={"would go", "would come"},
        )
        for meeting in meetings:
            if meeting.is_unread:
                tell(
                    "{place}: what would come of a folder is known when it is read.",
                    place=meeting.place,
                )
            elif not meeting.given and not meeting.taken:
                tell("{place}: nothing would be exchanged.", place=meeting.place)
        return
    columns = ("stored", "known", "older")
    print_rows(
        ("machine", "given", "taken", "here already", "older", "refused"),
        (
            Row(
                meeting.place,
                str(meeting.given["stored"]),
                *(str(meeting.taken[name]) for name in columns),
                str(len(meeting.refused)),
            )
            for meeting in meetings
        ),
        wide="machine",
        right={"given", "taken", "here already", "older", "refused"},
    )
    for meeting in meetings:
        for sentence in (*meeting.refused[:SHOWN], *meeting.notes):
            tell(f"{meeting.place}: {sentence}")
        tell_more(meeting.place, len(meeting.refused))
        if meeting.differing:
            tell(
                "{place}: {ranges} differed, and were repaired.",
                place=meeting.place,
                ranges=count_noun(meeting.differing, "ranges"),
            )
        if meeting.conflicts:
            texts = count_noun(meeting.conflicts, "texts")
            tell(
                "{texts} had changed on both sides; both versions are here: `mem dedupe` lists them.",
                texts=texts,
            )


def tell_amiss(status: PlaceStatus) -> None:
    """Say what was refused of a place's rows, and why it could not be met."""
    for item in status.refused[:SHOWN]:
        tell("{name}: {row} was refused: {reason}", name=status.name, row=item.name, reason=item.reason)
    tell_more(status.name, len(status.refused))
    if status.trouble:
        tell(f"{status.name}: {status.trouble}")


DIRECTIONS = {"both": _("both"), "read": _("from it"), "write": _("to it")}
SHOWN = 3
"""Refused rows of one machine that are named."""


def tell_more(name: str, refused: int) -> None:
    """Say how many rows a place refused beside those that were told."""
    if refused > SHOWN:
        tell("{name}: {more} more were refused (--json names all).", name=name, more=refused - SHOWN)


@app.command(cls=Command)
def add(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What you call the machine.")],
    address: Annotated[
        str,
        typer.Argument(metavar="ADDRESS", help="ssh://[USER@]HOST[:PORT][/PATH], folder:DIR, git:DIR."),
    ],
    auto: Annotated[
        bool, typer.Option("--auto", help="Meet it by itself after captures, in the background.")
    ] = False,
    read_only: ReadOnly = False,
    write_only: WriteOnly = False,
) -> None:
    """Add a machine, or a folder, that `mem sync` meets."""
    from ..machines import Machines

    direction = _direction(read_only=read_only, write_only=write_only)
    with call.writing() as store:
        place = Machines(store).add(name, address, automatic=auto, direction=direction)
    call.answer(
        asdict(place), "Added. `mem sync {name} --dry-run` says what would be exchanged.", name=name
    )


@app.command(cls=Command)
def status(call: Call) -> None:
    """List the machines: when each was met last, what waits for it, and what it refused."""
    from ..machines import Machines

    with call.reading() as store:
        listed = Machines(store).status()
    if call.json:
        print_json([asdict(status) for status in listed])
        return
    if not listed:
        tell("No machine was added. `mem sync add laptop ssh://laptop` adds one.")
    print_rows(
        ("machine", "last met", "waits", "refused", "rows go", "auto", "address"),
        (
            Row(
                entry.name,
                local_time(entry.met_at) if entry.met_at else localized("never"),
                localized("all") if entry.waiting is None else str(entry.waiting),
                str(len(entry.refused)),
                DIRECTIONS[entry.direction],
                localized("yes") if entry.is_automatic else "",
                entry.address,
            )
            for entry in listed
        ),
        wide="address",
        fold=True,
        right={"waits", "refused"},
    )
    for entry in listed:
        tell_amiss(entry)


@app.command(cls=Command)
def forget(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A machine that was added.")],
    keep: Annotated[bool, typer.Option("--keep", help="Keep what came from it.")] = False,
    drop: Annotated[
        bool, typer.Option("--drop", help="Delete what was made there and not changed here since.")
    ] = False,
) -> None:
    """Meet a machine no more. `mem undo` brings back what --drop deleted."""
    from ..machines import Machines

    if keep == drop:
        raise typer.BadParameter(_("Say what becomes of what came from it: --keep or --drop."))
    with call.writing() as store:
        deleted = Machines(store).forget(name, keep=keep)
    document = {"forgotten": name, "deleted": deleted}
    call.answer(document, "Forgotten; {memories} deleted.", memories=count_noun(deleted, "memories"))


@app.command(cls=Command)
def exclude(
    call: Call,
    query: Annotated[
        str | None, typer.Argument(metavar="[QUERY]", help="project:NAME, or any query.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Exclude it no more.")] = False,
) -> None:
    """List what stays on this machine, or add a query to it: what it finds neither leaves nor comes in."""
    from ..machines import Machines

    if query is None:
        if remove:
            raise typer.BadParameter(_("--remove needs the query."))
        with call.reading() as store:
            queries = Machines(store).exclusions()
        if call.json:
            print_json(queries)
            return
        print_rows(("stays here",), (Row(text) for text in queries), wide="stays here")
        return
    with call.writing() as store:
        machines = Machines(store)
        (machines.include if remove else machines.exclude)(query)
        queries = machines.exclusions()
    call.answer(queries, "No longer excluded: {query}" if remove else "It stays here: {query}", query=query)
