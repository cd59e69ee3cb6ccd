"""`mem queue`: what waits for an observer, and the events that could not be stored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from ....cli import arguments
from ....platform.clock import local_time
from ....platform.translation import _
from ...command import Call, Command, group
from ...output.console import Row, localized, print_json, print_rows, tell
from ...typer_later import typer
from .process import cost, process

if TYPE_CHECKING:
    from ....capture.ingest.drain import Retried
    from ....capture.ingest.quarantine import Quarantined
    from ....records.rows import PendingMessage


ID = re.compile(r"q?[0-9]{1,18}")

app = group("List, process, retry and drop what waits, and what could not be stored.")
app.command(cls=Command)(process)
app.command(cls=Command)(cost)

LONGEST_ABOUT = 200
"""Characters of a tool's input that the list shows."""

Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID]...", help="12, or q12 for an event that could not be stored."),
]
Status = Literal["pending", "processing", "processed", "failed", "abandoned", "quarantined"]
All = Annotated[bool, typer.Option("--all", help="Each that failed.")]


@app.command("list", cls=Command)
def list_queue(
    call: Call,
    status: Annotated[
        Status | None,
        typer.Option("--status", help="Only messages with this status."),
    ] = None,
    limit: arguments.Limit = 50,
) -> None:
    """List what waits, and what could not be stored.

    Messages wait for an observer; events of hooks that could not be stored are there with the
    reason.
    """
    from ....capture.ingest import quarantine
    from ....capture.ingest.catch_up import is_there

    if not is_there(call.path):
        _put(call, [], [])
        return
    with call.reading(observing=False) as store:
        events = quarantine.list_quarantined(store, limit) if status in (None, "quarantined") else []
        room = limit - len(events) if status != "quarantined" else 0
        messages = (
            store.pending.list(status, room)
            if status is not None
            else store.pending.where("status <> 'processed' ORDER BY id LIMIT ?", (room,))
        )
    _put(call, events, messages)


def _put(call: Call, events: Sequence[Quarantined], messages: Sequence[PendingMessage]) -> None:
    if call.json:
        print_json(
            [
                *(_event_json(event) for event in events),
                *(_message_json(message) for message in messages),
            ]
        )
        return
    if not events and not messages:
        tell("Nothing waits.")
    rows = [*map(_event_row, events), *map(_message_row, messages)]
    print_rows(("id", "status", "since", "tries", "what", "about"), rows, wide="about")


@app.command(cls=Command)
def retry(call: Call, ids: Ids = None, all_failed: All = False) -> None:
    """Try again. The exit code is 1 where some could not be stored again."""
    from ....capture.ingest import drain

    events, messages = _numbers(ids, all_failed)
    with call.writing() as store:
        retried = drain.retry_quarantined(store, events)
        freed = store.pending.retry(messages)
    if call.json:
        print_json({"stored": retried.stored, "failed": retried.quarantined, "pending": freed})
    else:
        tell(f"{_told(retried, freed)}.")
    if retried.quarantined:
        raise typer.Exit(1)


@app.command(cls=Command)
def drop(call: Call, ids: Ids = None, all_failed: All = False) -> None:
    """Forget events that could not be stored, and messages that failed or still wait, for good.

    --all drops none that still wait; those go only by their ids.
    """
    from ....capture.ingest import quarantine

    events, messages = _numbers(ids, all_failed)
    with call.writing() as store, store.transaction():
        gone = quarantine.drop(store, events) + store.pending.drop(messages)
    if call.json:
        print_json({"dropped": gone})
    else:
        tell("{gone} dropped.", gone=gone)


def _numbers(ids: list[str] | None, all_failed: bool) -> tuple[list[int] | None, list[int] | None]:
    """The quarantined events and the messages that are named; None for all."""
    if all_failed:
        return None, None
    if not ids:
        raise typer.BadParameter(_("Give ids, as `mem queue list` shows them, or --all."))
    if wrong := [text for text in ids if not ID.fullmatch(text)]:
        raise typer.BadParameter(_("{id} is not an id. Give 12, or q12.", id=wrong[0]))
    return (
        [int(name[1:]) for name in ids if name.startswith("q")],
        [int(word) for word in ids if not word.startswith("q")],
    )


def _event_row(item: Quarantined) -> Row:
    since = local_time(item.at)
    return Row(
        f"q{item.id}",
        localized("quarantined"),
        since,
        str(item.attempts),
        item.agent,
        _(item.reason),
    )


def _message_row(message: PendingMessage) -> Row:
    since, what = local_time(message.created_at), message.tool_name or message.kind
    about = (
        message.error or _(message.outcome or "") or message.tool_input or message.last_user_message or ""
    )
    if len(about) > LONGEST_ABOUT:
        about = f"{about[:LONGEST_ABOUT]}…"
    return Row(str(message.id), localized(message.status), since, str(message.attempts), what, about)


def _told(retried: Retried, freed: int) -> str:
    """What trying again came to; only what there is of it."""
    parts = (
        (retried.stored, _("{number:,} stored")),
        (retried.quarantined, _("{number:,} failed again")),
        (freed, _("{number:,} waiting again")),
    )
    results = [what.format(number=number) for number, what in parts if number]
    return _(", ").join(results) or _("Nothing had failed")


def _event_json(item: Quarantined) -> dict[str, object]:
    return {
        "id": f"q{item.id}", "status": "quarantined", "created_at": item.at, "attempts": item.attempts,
        "agent": item.agent, "error": item.reason, "record": item.record,
    }  # fmt: skip


def _message_json(message: PendingMessage) -> dict[str, object]:
    from ....records.dataclasses import asdict

    return asdict(message)
