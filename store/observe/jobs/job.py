"""Jobs: short work on the queue, bounded by seconds and by count, one at a time of a memory."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ...config import ModelSettings, model_settings
from ...database.backup import is_due
from ...platform.clock import DAY_MS, now_ms, uuid7
from ...platform.errors import ConfigurationError
from ...platform.translation import _
from ...records.dataclasses import dataclass, field
from ...store import Store
from .findings import RULES, ModelResult
from .spawn import job_command
from .worker import backoffs, current_backoff, model_lock, remove_stale_markers, worker_lock

if TYPE_CHECKING:
    import subprocess

# What only a model needs is imported where one is configured: agents wait for the jobs of hooks.

SECONDS = 30.0
LIMIT = 10_000

WAIT_MS = 7 * DAY_MS
"""How long what has a record by the rules waits for a model."""
PROCESSED_MS = 7 * DAY_MS
"""How long it is known that a message was processed."""
GIVEN_UP_MS = 30 * DAY_MS
"""How long what failed or was abandoned can be retried."""
COMPLETED_AT_ONCE, FORGOTTEN_AT_ONCE = 500, 1_000
"""Messages a statement."""

_started: list[subprocess.Popen[bytes]] = []


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a job did: how many messages got a record by the rules (`recorded`), how many were done
    with that (`settled`), and what a model was asked. `elected` is False where another process is this
    memory's worker. `mem queue process --json` prints these fields."""

    elected: bool = True
    recorded: int = 0
    settled: int = 0
    asked: ModelResult = field(default_factory=ModelResult)

    @property
    def messages(self) -> int:
        """How many messages were worked on in all."""
        return self.recorded + self.settled + self.asked.messages


def process(
    store: Store,
    settings: ModelSettings | None,
    *,
    seconds: float = SECONDS,
    limit: int = LIMIT,
    holds: bool | None = None,
    ask_model: bool = True,
    insist: bool = False,
    patience: float = 0.0,
) -> JobResult:
    """Work on the queue until it is empty, for about so many seconds or messages at most.

    With `settings` a model comes after the rules; `holds` is whether messages wait for one, which
    may be known without its settings, and `ask_model=False` leaves it to another job. `insist` ends its
    backoff first. Another process that works on the queue is waited for `patience` seconds. A memory that
    can only be read is left as it is.
    """
    if not _can_write(store) or not store.pending.is_waiting():
        return JobResult()
    return _process_queue(
        store,
        settings if ask_model else None,
        holds=settings is not None if holds is None else holds,
        deadline=time.monotonic() + seconds,
        limit=limit,
        insist=insist,
        patience=patience,
    )


def _process_queue(
    store: Store,
    settings: ModelSettings | None,
    *,
    holds: bool,
    deadline: float,
    limit: int,
    insist: bool,
    patience: float,
) -> JobResult:
    with worker_lock(store.path, patience) as is_worker:
        if not is_worker:
            return JobResult(elected=False)
        owner = f"{os.getpid()}-{uuid7(now_ms())}"
        # Who finds another at work, or nothing that waits, needs no rules.
        from .rule_observer import record_messages

        # The lock is ours, so that a lease is of a worker that is gone, or was cut.
        store.pending.take_over(owner)
        recorded = record_messages(store, owner, final=not holds, deadline=deadline, limit=limit)
        completed = complete_observed(store, for_model=holds, deadline=deadline)
        forget_old(store)
        remove_stale_markers(store)
    asked = ModelResult()
    if settings is not None:
        left = max(0, limit - recorded)
        asked = _ask(store, settings, owner, deadline=deadline, limit=left, insist=insist)
    return JobResult(True, recorded, completed, asked)


def _ask(
    store: Store,
    settings: ModelSettings,
    owner: str,
    *,
    deadline: float,
    limit: int,
    insist: bool,
) -> ModelResult:
    """Ask the model, with a lock of its own: the rules don't wait for its answers."""
    from .model_observer import ask_about_turns

    with model_lock(store.path) as is_worker:
        if not is_worker:
            return ModelResult(stopped=_("another process asks the model"))
        store.pending.take_over(owner, observed=True)
        if insist:
            backoffs(store).end()
        return ask_about_turns(store, settings, owner, deadline=deadline, limit=limit)


def process_briefly(store: Store, seconds: float) -> JobResult:
    """Do what the rules can within about so many seconds, and start a background job where a model
    is to be asked. Where the configuration can't be read, what waits goes on waiting for its model."""
    if not _can_write(store) or not store.pending.is_waiting():
        return JobResult()
    done, settings = process_by_rules(store, seconds)
    if done.elected and (
        (settings is not None and wants_model(store, settings))
        # Agents wait for starts and ends of sessions, so the copy isn't made here.
        or is_due(store.path)
    ):
        start_job(store.path)
    return done


def process_by_rules(store: Store, seconds: float) -> tuple[JobResult, ModelSettings | None]:
    """Do what the rules can within about so many seconds, and nothing else; what was done, and the
    model that is to be asked after them, where one is known."""
    settings: ModelSettings | None = None
    holds = True
    with suppress(ConfigurationError):
        settings = model_settings()
        holds = settings is not None
    return process(store, settings, seconds=seconds, holds=holds, ask_model=False), settings


def process_at_once(store: Store, seconds: float) -> tuple[JobResult, bool]:
    """As `process_briefly`, but a model's backoff is ended first; what was done, and whether a
    background job asks the model now. Raises ConfigurationError."""
    settings = model_settings()
    if settings is not None:
        backoffs(store).end()
    done = process(store, settings, seconds=seconds, ask_model=False)
    is_asked = settings is not None and done.elected and wants_model(store, settings)
    if is_asked:
        start_job(store.path)
    return done, is_asked


def start_job(database: Path) -> None:
    """Start a background job, away from this process and its terminal; one at a time."""
    import subprocess

    _started[:] = [item for item in _started if item.poll() is None]
    if _started:
        return
    # Where it can't be started there is no model's answer now, and the rules' record stands.
    with suppress(OSError):
        _started.append(
            subprocess.Popen(
                job_command(str(database.absolute())),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=database.absolute().parent,
                env=dict(os.environ),
                start_new_session=True,
            )
        )


def wants_model(store: Store, settings: ModelSettings) -> bool:
    """Whether a job would ask the model now: no backoff, the cap allows it, and a turn is over."""
    from ...providers.usage import TokenUsage
    from .model_observer import is_turn_due

    usage = TokenUsage(store.db, store.transaction())
    return (
        current_backoff(store, settings) is None
        and usage.left_today(settings) > settings.output_tokens
        and is_turn_due(store)
    )


def complete_observed(store: Store, *, for_model: bool, deadline: float) -> int:
    """Mark what the rules' record is enough for as processed; how many.

    All of it where no model comes after the rules (`for_model` is False); else what is imported, and
    what has waited for a model for a week. Until a deadline, in monotonic seconds.
    """

    def complete(outcome: str, *, imported: bool = False, before: int | None = None) -> int:
        done = 0
        while time.monotonic() < deadline:
            changed = store.pending.complete_observed(
                outcome, COMPLETED_AT_ONCE, imported=imported, before=before
            )
            done += changed
            if changed < COMPLETED_AT_ONCE:
                break
        return done

    if not for_model:
        return complete(RULES)
    # Another program's queue costs nothing either; what has waited for long would wait for ever.
    late = f"{RULES}: no model answered for a week"
    return complete(RULES, imported=True) + complete(late, before=now_ms() - WAIT_MS)


def forget_old(store: Store) -> int:
    """Delete some of what was processed a week ago, and of what was given up a month ago; how many."""
    now = now_ms()
    return store.pending.forget_old(now - PROCESSED_MS, now - GIVEN_UP_MS, FORGOTTEN_AT_ONCE)


def _can_write(store: Store) -> bool:
    return not (store.read_only or store.db.in_transaction)
