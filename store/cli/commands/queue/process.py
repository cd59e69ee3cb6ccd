"""`mem queue process` and `mem queue cost`: working on what waits, and what a model takes for it."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from ....platform.translation import _
from ....records.dataclasses import asdict
from ....text.plural import count_noun
from ...command import Call
from ...output.console import Row, on_terminal, print_json, print_line, print_rows, tell
from ...typer_later import typer

if TYPE_CHECKING:
    from ....config import EmbeddingsSettings, ModelSettings
    from ....observe.jobs.job import JobResult
    from ....providers.usage import DailyUsage
    from ....store import Store


WATCH_SECONDS = 2.0
BACKGROUND_PATIENCE = 5.0
"""Seconds that a background job waits for another that was quicker."""


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
    """Make memories of what waits, by the rules or by the model that config.toml names.

    In what time is left, vectors are built where they are kept (`mem embeddings`).
    """
    from ....capture.ingest.catch_up import catch_up
    from ....config import embeddings_settings, model_settings
    from ....database.daily_backup import back_up_if_due
    from ....database.files.disk import is_unwritable
    from ....links.changed_files import refresh
    from ....observe.jobs import job
    from ....observe.jobs.worker import wait_for_worker
    from ....platform.errors import StoreError
    from ....platform.leaves import offers

    settings = None if rules else model_settings()
    embeddings = None if rules else embeddings_settings()
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
                    catch_up(store, seconds=seconds, observing=False)
                    if settings is not None and insist and not call.json:
                        _tell_before(store, settings)
                    result = job.process(
                        store,
                        settings,
                        embeddings=embeddings,
                        seconds=seconds,
                        limit=limit,
                        insist=insist,
                        patience=patience,
                    )
                    back_up_if_due(store.db, store.path)
                    if background:
                        refresh(store)
                        for offered in offers("after a job"):
                            offered(store)
                content = ""
            except StoreError as error:
                if not watch or not is_unwritable(error):
                    raise
                if not content:
                    tell("{error} It is tried again until it can be done.", error=error)
                content = str(error)
                time.sleep(WATCH_SECONDS)
                continue
            if not watch or result.messages or (result.vectors and result.vectors.records):
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


def cost(call: Call) -> None:
    """Show what models were asked, by day, and what asking about all that waits would take."""
    from ....config import embeddings_settings, model_settings
    from ....observe.jobs.model_observer import forecast
    from ....providers.usage import TokenUsage

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
    from ....observe.jobs.model_observer import forecast

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
                dollars=_dollars(_price(settings, asked.input, asked.output), ", "),
            )
        )
    if asked.stopped:
        content.append(asked.stopped.rstrip("."))
    if vectors := result.vectors:
        built, left = count_noun(vectors.records, "records"), f"{vectors.left:,}"
        content.append(_("vectors of {records} built, {left} left", records=built, left=left))
        if vectors.stopped:
            content.append(vectors.stopped.rstrip("."))
    line = _("; ").join(content) + _(".")
    (print_line if on_terminal() else tell)(line)


def _price(settings: ModelSettings | None, input: int, output: int) -> float | None:
    return settings.dollars(input, output) if settings else None


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
