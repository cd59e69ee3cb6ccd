"""Complete messages that need no more work, and forget old ones, in bulk: no lease, one statement
a batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ...clock import now_ms
from ...store import Store
from .results import RULES

AT_ONCE = 500
DAY_MS = 86_400_000
WAIT_MS = 7 * DAY_MS
"""How long what has a record by the rules waits for a model."""
KEPT_MS = 7 * DAY_MS
"""How long it is known that a message was processed."""
DEAD_MS = 30 * DAY_MS
"""How long what failed can be retried."""
FORGOTTEN_AT_ONCE = 1_000


def complete_observed(store: Store, *, for_model: bool, deadline: float) -> int:
    """Mark what the rules' record is enough for as processed; how many.

    All of it where no model comes after the rules; else what is no model's, and what has waited for
    one for a week. Until a deadline, in monotonic seconds.
    """
    if not for_model:
        return _in_batches(lambda: store.pending.complete_observed(RULES, AT_ONCE), deadline)
    # Another program's queue costs nothing either; what has waited for long would wait for ever.
    done = _in_batches(
        lambda: store.pending.complete_observed(RULES, AT_ONCE, imported=True), deadline
    )
    before = now_ms() - WAIT_MS
    late = f"{RULES}: no model answered for a week"
    return done + _in_batches(
        lambda: store.pending.complete_observed(late, AT_ONCE, before=before), deadline
    )


def forget_old(store: Store) -> int:
    """Delete some of what was processed a week ago, and of what failed a month ago; how many."""
    now = now_ms()
    return store.pending.forget_old(now - KEPT_MS, now - DEAD_MS, FORGOTTEN_AT_ONCE)


def _in_batches(complete: Callable[[], int], deadline: float) -> int:
    done = 0
    while time.monotonic() < deadline:
        changed = complete()
        done += changed
        if changed < AT_ONCE:
            break
    return done
