"""Which messages are asked about together: those of a turn that is over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..clock import now_ms
from ..pending import clocks
from ..pending_sql import DUE, EXPIRED
from ..records import PendingMessage
from ..store import Store
from .settling import OBSERVED

MOST = 20
PATIENCE_MS = 600_000
"""A turn of which nothing was heard for so long is taken for over."""

# A clock that was set back or forward makes no turn endless.
OVER = """
(kind = 'summary'
OR created_at NOT BETWEEN :wall - :patience AND :wall + :patience
OR EXISTS (
    SELECT 1 FROM pending_messages later
    WHERE later.session_id = m.session_id AND later.kind = 'summary' AND later.id > m.id
)
OR EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = m.session_id
    AND (s.status <> 'active' OR s.prompt_counter > coalesce(m.prompt_number, 0))
))
"""
FIRST = f"""
SELECT id, session_id, prompt_number, attempts
FROM pending_messages m INDEXED BY pending_messages_observed
WHERE ({DUE} OR {EXPIRED}) AND {OBSERVED} AND {OVER} ORDER BY attempts > 0, id LIMIT 1
"""
OTHERS = f"""
SELECT id FROM pending_messages
WHERE session_id = :session AND ({DUE} OR {EXPIRED}) AND {OBSERVED} AND prompt_number IS :prompt
AND attempts = 0 ORDER BY kind = 'summary', id LIMIT :limit
"""


def is_due(store: Store) -> bool:
    """Whether any turn could be asked about now."""
    return store.db.execute(FIRST, _values()).get is not None


def next_turn(store: Store, owner: str) -> Sequence[PendingMessage]:
    """Lease the messages of the oldest turn that is over; nothing where there is none.

    One that was tried before comes alone: where a turn can't be answered for one of its messages,
    the others are.
    """
    with store.unit():
        values = _values()
        rows: list[Any] = store.db.execute(FIRST, values).fetchall()
        if not rows:
            return []
        number, session, prompt, attempts = rows[0]
        ids = [int(number)]
        if not attempts:
            more = values | {"session": session, "prompt": prompt, "limit": MOST}
            others: Iterable[Any] = store.db.execute(OTHERS, more).fetchall()
            ids = [int(one) for (one,) in others]
        return store.pending.claim_these(owner, ids)


def _values() -> dict[str, Any]:
    return clocks() | {"wall": now_ms(), "patience": PATIENCE_MS}
