"""Complete messages that need no more work, and forget old ones, in bulk: no lease, one statement
a batch.
"""

from __future__ import annotations

import time

from ...clock import now_ms
from ...store import Store
from ...tables.queue import DUE, EMPTY, clocks
from .results import RULES

AT_ONCE = 500
DAY_MS = 86_400_000
WAIT_MS = 7 * DAY_MS
"""How long what has a record by the rules waits for a model."""
KEPT_MS = 7 * DAY_MS
"""How long it is known that a message was processed."""
DEAD_MS = 30 * DAY_MS
"""How long what failed can be retried."""
TIDY_AT_ONCE = 1_000

OBSERVED = "(observation_id IS NOT NULL OR summary_id IS NOT NULL)"
COMPLETE = f"""
UPDATE pending_messages SET status = :status, outcome = :outcome, error = NULL, updated_at = :wall,
    {EMPTY}
WHERE id IN (
    SELECT id FROM pending_messages INDEXED BY pending_messages_observed
    WHERE {DUE} AND {OBSERVED} AND {{which}} LIMIT :limit
)
"""
EVERY = COMPLETE.format(which="true")
# Another program's queue costs nothing either; what has waited for long would wait for ever.
NO_MODEL = COMPLETE.format(which="source IS NOT NULL")
OVERDUE = COMPLETE.format(which="created_at < :oldest")


def complete_observed(store: Store, *, for_model: bool, deadline: float) -> int:
    """Mark what the rules' record is enough for as processed; how many.

    All of it where no model comes after the rules; else what is no model's, and what has waited for
    one for a week. Until a deadline, in monotonic seconds.
    """
    if not for_model:
        return _each(store, EVERY, RULES, deadline)
    told = f"{RULES}: no model answered for a week"
    return _each(store, NO_MODEL, RULES, deadline) + _each(store, OVERDUE, told, deadline)


def forget_old(store: Store) -> int:
    """Forget some of what was processed a week ago, and of what failed a month ago; how many."""
    now = now_ms()
    old = (
        "SELECT id FROM pending_messages WHERE (status = 'processed' AND updated_at < ?) "
        "OR (status IN ('failed', 'abandoned') AND updated_at < ?) LIMIT ?"
    )
    values = (now - KEPT_MS, now - DEAD_MS, TIDY_AT_ONCE)
    if store.db.execute(old, values).get is None:
        return 0
    with store.transaction():
        store.db.execute(f"DELETE FROM pending_messages WHERE id IN ({old})", values)
        return store.db.changes()


def _each(store: Store, sql: str, outcome: str, deadline: float) -> int:
    done = 0
    while time.monotonic() < deadline:
        now = now_ms()
        values = clocks() | {
            "status": "processed",
            "outcome": outcome,
            "wall": now,
            "oldest": now - WAIT_MS,
            "limit": AT_ONCE,
        }
        with store.transaction():
            store.db.execute(sql, values)
            changed = store.db.changes()
        done += changed
        if changed < AT_ONCE:
            break
    return done
