"""One job: bounded by seconds and by count, and the only one of its memory."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field

from ...clock import now_ms, uuid7
from ...config import ModelSettings
from ...store import Store
from .backoff import current_backoff, end_backoff
from .budget import left_today
from .completion import complete_observed, forget_old
from .model_observer import ModelResult, ask_about_turns
from .rule_observer import record_messages
from .turn_batch import is_turn_due
from .worker import remove_stale_markers, worker_lock

SECONDS = 30.0
LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class JobResult:
    """What a job did: messages that got a record by the rules, those that were processed by them,
    and what a model was asked. `elected` is False where another process is at work."""

    elected: bool = True
    recorded: int = 0
    settled: int = 0
    asked: ModelResult = field(default_factory=ModelResult)

    @property
    def messages(self) -> int:
        """How many were touched in all."""
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
) -> JobResult:
    """Work on the queue until it is empty, for at most about so many seconds or messages.

    With `settings` a model comes after the rules; `holds` is whether messages wait for one, which
    may be known without its settings, and `ask_model=False` leaves it to another job. `insist` asks
    it though it rests. A memory that can only be read is left as it is.
    """
    if store.read_only or store.db.in_transaction or not is_waiting(store):
        return JobResult()
    end = time.monotonic() + seconds
    holds = settings is not None if holds is None else holds
    with worker_lock(store.path) as is_elected:
        if not is_elected:
            return JobResult(elected=False)
        owner = f"{os.getpid()}-{uuid7(now_ms())}"
        recorded = record_messages(store, owner, final=not holds, deadline=end, limit=limit)
        settled = complete_observed(store, for_model=holds, deadline=end)
        asked = ModelResult()
        if settings is not None and ask_model:
            if insist:
                end_backoff(store)
            left = max(0, limit - recorded)
            asked = ask_about_turns(store, settings, owner, deadline=end, limit=left)
        forget_old(store)
        remove_stale_markers(store)
    return JobResult(True, recorded, settled, asked)


def is_waiting(store: Store) -> bool:
    """Whether anything waits, or was left by a worker that died."""
    return store.pending.is_waiting()


def wants_model(store: Store, settings: ModelSettings) -> bool:
    """Whether a job would ask the model now: a turn is over, the model is awake, the cap allows it."""
    return (
        current_backoff(store, settings) is None
        and left_today(store, settings) > settings.output_tokens
        and is_turn_due(store)
    )
