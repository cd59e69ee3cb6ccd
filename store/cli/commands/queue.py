"""`mem queue`: what waits for an observer, working on it and what a model takes for it; and the events that
could not be stored.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from ...config import EmbeddingsSettings, ModelSettings, embeddings_settings, model_settings
from ...database.backup import back_up_if_due
from ...platform.clock import local_time
from ...platform.errors import StoreError
from ...platform.paths import resolve_database_path
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...text.plural import count_noun
from .. import arguments
from ..command import Call, Command, group
from ..output.console import Row, localized, on_terminal, print_json, print_line, print_rows, tell
from ..typer_later import typer

if TYPE_CHECKING:
    from ...capture.ingest.drain import Retried
    from ...capture.ingest.quarantine import Quarantined
    from ...observe.jobs.job import JobResult
    from ...providers.usage import DailyUsage
    from ...records.rows import PendingMessage
    from ...store import Store


ID = re.compile(r"q?[0-9]{1,18}")

app = group("List, process, retry and drop what waits, and what could not be stored.")

WATCH_SECONDS = 2.0
BACKGROUND_PATIENCE = 5.0
"""Seconds that a background job waits for another that was quicker."""


@app.command(cls=Command)
def process(
    call: Call,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0.1, max=3_600, help="Begin nothing more after so long."),
    ] = 300,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, help="About how many messages at most.")
    ] = 10_000,
    watch: Annotated[bool, typer.Option("--watch", help="Go on with what comes until Ctrl+C.")] = False,
    rules: Annotated[
        bool, typer.Option("--rules", help="Take the rules' record for good, and ask no model.")
    ] = False,
    background: Annotated[
        bool, typer.Option("--background", hidden=True, help="Let a resting model rest.")
    ] = False,
) -> None:
    """Make memories of what waits, by the rules or by the model that config.toml names."""
    from ...capture.hook_process.prepared import prepare
    from ...capture.ingest.catch_up import catch_up
    from ...database.files.disk import is_unwritable
    from ...links.branches import refresh_branches
    from ...links.changed_files import refresh
    from ...observe.jobs import job
    from ...observe.jobs.worker import wait_for_worker
    from ...platform.leaves import offers

    settings = None if rules else model_settings()
    insist, content = not background, ""
    patience = BACKGROUND_PATIENCE if background else 0.0
    if background and not wait_for_worker(call.path, seconds):
        return
    try:
        while True:
            try:
                # A store that is open for hours would go on with a connection that the disk's first
                # error closed.
                with call.writing() as store:
                    store.transaction().only_adds = background
                    catch_up(store, seconds=seconds, observing=False)
                    if settings is not None and insist and not call.json:
                        _tell_before(store, settings)
                    result = job.process(
                        store,
                        settings,
                        seconds=seconds,
                        limit=limit,
                        insist=insist,
                        patience=patience,
                    )
                    back_up_if_due(store.db, store.path)
                    if background:
                        refresh(store)
                        refresh_branches(store)
                        store.transaction().only_adds = False
                        for offered in offers("after a job"):
                            offered(store)
                        prepare(store.db, resolve_database_path(bytes(store.path)))
                content = ""
            except StoreError as error:
                if not watch or not is_unwritable(error):
                    raise
                if not content:
                    tell("{error} It is tried again until it can be done.", error=error)
                content = str(error)
                time.sleep(WATCH_SECONDS)
                continue
            if not watch or result.messages:
                _tell(call, result, settings)
            if not watch:
                break
            # An error's own pause holds from now on.
            insist = False
            time.sleep(WATCH_SECONDS)
    except KeyboardInterrupt:
        if not watch:
            raise
    if not watch and not result.elected:
        raise typer.Exit(1)


@app.command(cls=Command)
def cost(call: Call) -> None:
    """Show what models were asked, by day, and what asking about all that waits would take."""
    from ...observe.jobs.model_observer import forecast
    from ...providers.usage import TokenUsage

    settings = model_settings()
    embeddings = embeddings_settings()
    if embeddings is not None and not embeddings.is_metered:
        embeddings = None
    with call.reading(observing=False) as store:
        usage = TokenUsage(store.db, store.transaction())
        days = usage.days()
        ahead = forecast(store, settings)
        left = usage.left_today(settings) if settings else None
        left_to_embed = usage.left_today(embeddings) if embeddings else None
    if call.json:
        print_json(
            {
                "model": settings.name if settings else None,
                "waiting": asdict(ahead),
                "daily_tokens": settings.daily_tokens if settings else None,
                "left_today": left,
                "embeddings": {
                    "model": embeddings.name if embeddings else None,
                    "daily_tokens": embeddings.daily_tokens if embeddings else None,
                    "left_today": left_to_embed,
                },
                "days": [_day_json(daily_usage, settings, embeddings) for daily_usage in days],
            }
        )
        return
    if settings is None:
        tell("The rules observe, which costs nothing. A model is named in config.toml, [observer].")
    else:
        tell(
            "{name}: {messages} to do, about {tokens} to read and {output} to "
            "write{dollars}. Today {left} of {daily_tokens} tokens are left.",
            name=settings.name,
            messages=count_noun(ahead.messages, "messages"),
            tokens=count_noun(ahead.input, "tokens"),
            output=f"{ahead.output:,}",
            dollars=_dollars(ahead.dollars, ", "),
            left=f"{left:,}",
            daily_tokens=f"{settings.daily_tokens:,}",
        )
    if embeddings:
        tell(
            "{name} makes vectors. Today {left_to_embed} of {daily_tokens} tokens are left.",
            name=embeddings.name,
            left_to_embed=f"{left_to_embed:,}",
            daily_tokens=f"{embeddings.daily_tokens:,}",
        )
    columns = ("day", "model", "calls", "failed", "input", "output", "cost")
    print_rows(columns, (_day_row(day, settings, embeddings) for day in days), wide="model")


def _tell_before(store: Store, settings: ModelSettings) -> None:
    from ...observe.jobs.model_observer import forecast

    ahead = forecast(store, settings)
    if ahead.messages:
        tell(
            "{messages} to do: about {tokens} for {name} to read{dollars}.",
            messages=count_noun(ahead.messages, "messages"),
            tokens=count_noun(ahead.input, "tokens"),
            name=settings.name,
            dollars=_dollars(ahead.dollars, ", "),
        )


def _tell(call: Call, result: JobResult, settings: ModelSettings | None) -> None:
    asked = result.asked
    if call.json:
        print_json({**asdict(result), "model": settings.name if settings else None})
        sys.stdout.flush()
        return
    if not result.elected:
        tell("Another process is at work on the queue.")
        return
    content = [
        _(
            "{recorded} observed by the rules, {done} done",
            recorded=f"{result.recorded:,}",
            done=f"{result.settled + result.asked.messages:,}",
        )
    ]
    if asked.calls:
        content.append(
            _(
                "{calls} ({failed} failed), {tokens} read and {output} written{dollars}",
                calls=count_noun(asked.calls, "calls"),
                failed=f"{asked.failed:,}",
                tokens=count_noun(asked.input, "tokens"),
                output=f"{asked.output:,}",
                dollars=_dollars(settings.dollars(asked.input, asked.output) if settings else None, ", "),
            )
        )
    if asked.stopped:
        content.append(asked.stopped.rstrip("."))
    line = _("; ").join(content) + _(".")
    (print_line if on_terminal() else tell)(line)


def _dollars(amount: float | None, before: str = "") -> str:
    return "" if amount is None else f"{before}${amount:,.4f}"


def _day_row(
    usage: DailyUsage, settings: ModelSettings | None, embeddings: EmbeddingsSettings | None
) -> Row:
    counts = [f"{number:,}" for number in (usage.calls, usage.failed, usage.input, usage.output)]
    return Row(_date(usage), usage.model, *counts, _dollars(_cost(usage, settings, embeddings)) or "—")


def _day_json(
    usage: DailyUsage, settings: ModelSettings | None, embeddings: EmbeddingsSettings | None
) -> dict[str, object]:
    use = "embeddings" if usage.is_of_embeddings else "observer"
    cost = _cost(usage, settings, embeddings)
    return asdict(usage) | {"day": _date(usage), "use": use, "dollars": cost}


def _cost(
    usage: DailyUsage, settings: ModelSettings | None, embeddings: EmbeddingsSettings | None
) -> float | None:
    return usage.dollars(embeddings if usage.is_of_embeddings else settings)


def _date(usage: DailyUsage) -> str:
    return datetime.fromtimestamp(usage.day * 86_400, UTC).strftime("%Y-%m-%d")


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
    from ...capture.ingest import quarantine
    from ...capture.ingest.catch_up import is_there

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
                *map(asdict, messages),
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
    from ...capture.ingest import drain

    events, messages = _numbers(ids, all_failed)
    with call.writing() as store:
        retried = drain.retry_quarantined(store, events)
        freed = store.pending.retry(messages)
    document = {"stored": retried.stored, "failed": retried.quarantined, "pending": freed}
    call.answer(document, f"{_retry_sentence(retried, freed)}.")
    if retried.quarantined:
        raise typer.Exit(1)


@app.command(cls=Command)
def drop(call: Call, ids: Ids = None, all_failed: All = False) -> None:
    """Forget events that could not be stored, and messages that failed or still wait, for good.

    --all drops none that still wait; those go only by their ids.
    """
    from ...capture.ingest import quarantine

    events, messages = _numbers(ids, all_failed)
    with call.writing() as store, store.transaction():
        gone = quarantine.drop(store, events) + store.pending.drop(messages)
    call.answer({"dropped": gone}, "{gone} dropped.", gone=gone)


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


def _retry_sentence(retried: Retried, freed: int) -> str:
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
