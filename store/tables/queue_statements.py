"""The queue's SQL: how a message comes in, is leased, and goes on; and the clocks that it compares with.

The start of a session, which an agent waits for, asks too, so that next to nothing is imported.
"""

from __future__ import annotations

import time

from ..platform.clock import DAY_MS, now_ms
from ..records.kinds import NOISE, visible

LEASE_MS = 120_000
LONGEST_RETRY_MS = 3_600_000

NEWEST_SESSIONS = 50
OLDEST_MS = 30 * DAY_MS
"""Of so many sessions, begun so lately, it is looked whether their last turn is over."""
IDLE_MS = 600_000
"""A session of which nothing came for so long is over, unless it goes on."""

INSERT = """
INSERT INTO pending_messages (
    uid, session_id, kind, created_at, updated_at, status, attempts, error,
    tool_name, tool_input, tool_response, cwd, last_user_message, last_assistant_message,
    prompt_number, event_id, source, native_id, fingerprint, extra, observation_id
) VALUES (
    :uid, :session_id, :kind, :created_at, :updated_at, :status, :attempts, :error,
    :tool_name, :tool_input, :tool_response, :cwd, :last_user_message, :last_assistant_message,
    :prompt_number, :event_id, :source, :native_id, :fingerprint, :extra, :observation_id
) RETURNING id
"""

# The boot clock starts anew with the machine: what lies too far ahead is of another boot, and due.
EXPIRED = "(status = 'processing' AND lease_until NOT BETWEEN :now + 1 AND :now + :lease)"
DUE = "(status = 'pending' AND coalesce(not_before, 0) NOT BETWEEN :now + 1 AND :now + :retry)"
UNOBSERVED = "observation_id IS NULL AND summary_id IS NULL AND status IN ('pending', 'processing')"
"""What has no record yet; worded as its index is."""
OBSERVED = "(observation_id IS NOT NULL OR summary_id IS NOT NULL)"
FOR_RULES = f"""
SELECT 1 FROM pending_messages INDEXED BY pending_messages_unobserved
WHERE {UNOBSERVED} AND (status = 'processing' OR {DUE}) LIMIT 1
"""
"""Whether the rules have anything to do now: what is leased may be a dead worker's."""
OTHERS = f"status = 'processing' AND lease_owner <> :owner AND {OBSERVED} = :observed"
TAKE_OVER = f"UPDATE pending_messages SET lease_until = :now WHERE {OTHERS}"
GIVEN_UP = "status IN ('failed', 'abandoned')"

ABANDON = f"""
UPDATE pending_messages SET status = 'abandoned', error = 'Its workers died.', updated_at = :wall,
    lease_owner = NULL, lease_until = NULL
WHERE {EXPIRED} AND attempts >= :attempts
"""
LEASE = """
UPDATE pending_messages SET status = 'processing', attempts = attempts + 1, updated_at = :wall,
    lease_owner = :owner, lease_until = :until
"""
CLAIM = f"""
{LEASE} WHERE id IN (
    SELECT id FROM pending_messages INDEXED BY pending_messages_unobserved
    WHERE {UNOBSERVED} AND ({DUE} OR {EXPIRED}) ORDER BY id LIMIT :limit
) RETURNING id
"""
CLAIM_TURN_ENDS = f"""
{LEASE} WHERE id IN (
    SELECT id FROM pending_messages
    WHERE session_id = :session AND kind = 'summary' AND attempts = 0 AND {UNOBSERVED} AND {DUE}
    ORDER BY id LIMIT :limit
) RETURNING id
"""
CLAIM_THESE = f"""
{LEASE} WHERE id IN (SELECT value FROM json_each(:ids)) AND ({DUE} OR {EXPIRED}) RETURNING id
"""

OVERDUE = f"""
SELECT count(DISTINCT session_id) FROM pending_messages m
WHERE kind = 'summary' AND summary_id IS NULL AND source IS NULL
AND ({GIVEN_UP} OR (status IN ('pending', 'processing') AND updated_at < :before))
AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = m.session_id AND {visible("s")})
AND NOT EXISTS (
    SELECT 1 FROM summaries x WHERE x.session_id = m.session_id AND {visible("x")}
    AND x.updated_at > m.created_at
)
"""

# A turn's end is noted where it is queued, so that what is purged isn't made again.
UNFINISHED = f"""
SELECT s.id FROM sessions s
WHERE s.id IN (SELECT id FROM sessions ORDER BY started_at DESC LIMIT :newest)
AND s.started_at > :wall - :oldest AND {visible("s")} AND s.source IS NULL
AND NOT EXISTS (
    SELECT 1 FROM summaries x WHERE x.session_id = s.id
    AND coalesce(x.prompt_number, iif(s.prompt_counter, -1, 0)) >= s.prompt_counter
)
AND NOT EXISTS (
    SELECT 1 FROM captured_events c WHERE c.session_id = s.id AND c.kind = 'turn_end'
    AND c.key = CAST(s.prompt_counter AS TEXT)
)
AND NOT EXISTS (
    SELECT 1 FROM pending_messages m WHERE m.session_id = s.id AND m.kind = 'summary'
    AND coalesce(m.prompt_number, 0) >= s.prompt_counter
)
AND EXISTS (
    SELECT 1 FROM captured_events c WHERE c.session_id = s.id AND c.kind IN ('tool', 'prompt')
)
AND EXISTS (
    SELECT 1 FROM observations o WHERE o.session_id = s.id AND {visible("o")}
    AND o.type <> '{NOISE}' AND coalesce(o.prompt_number, 0) >= s.prompt_counter
)
AND (
    s.status <> 'active'
    OR (s.agent = :agent AND s.project = :project AND s.content_session_id <> :starting)
    OR (SELECT max(created_at) FROM observations WHERE session_id = s.id) < max(
        :wall - :idle, coalesce((
            SELECT max(later.started_at) FROM sessions later
            WHERE later.project = s.project AND later.started_at > s.started_at
            AND later.agent = s.agent
        ), 0)
    )
)
"""
"""The newest sessions that are over, or idle, and whose last turn told of no end."""

PAYLOAD = ("tool_input", "tool_response", "last_user_message", "last_assistant_message")
"""What is large, and not kept of a message that is processed."""

EMPTY = ", ".join(f"{name} = iif(:status = 'processed', NULL, {name})" for name in PAYLOAD)
FINISH = f"""
UPDATE pending_messages SET status = :status, error = :error, outcome = :outcome,
    not_before = :not_before, attempts = iif(:counts, attempts, 0),
    observation_id = coalesce(:observation_id, observation_id),
    summary_id = coalesce(:summary_id, summary_id),
    lease_owner = NULL, lease_until = NULL, updated_at = :wall, {EMPTY}
WHERE id = :id AND status = 'processing' AND lease_owner IS :owner AND attempts = :attempts
"""
RETRY = f"""
UPDATE pending_messages SET status = 'pending', attempts = 0, error = NULL, not_before = NULL,
    updated_at = :wall, observation_id = iif(extra ->> '$.replaces' IS NULL, observation_id, NULL)
WHERE {GIVEN_UP}
"""
_COMPLETE = f"""
UPDATE pending_messages SET status = :status, outcome = :outcome, error = NULL, updated_at = :wall,
    {EMPTY}
WHERE id IN (
    SELECT id FROM pending_messages INDEXED BY pending_messages_observed
    WHERE {DUE} AND {OBSERVED} AND {{which}} LIMIT :limit
)
"""
COMPLETE = _COMPLETE.format(which="true")
COMPLETE_IMPORTED = _COMPLETE.format(which="source IS NOT NULL")
COMPLETE_OLD = _COMPLETE.format(which="created_at < :before")
OLD = f"""
SELECT id FROM pending_messages WHERE (status = 'processed' AND updated_at < :processed)
OR ({GIVEN_UP} AND updated_at < :given_up) LIMIT :limit
"""
UNDO_CLAIM = f"""
UPDATE pending_messages SET status = 'pending', attempts = max(0, attempts - 1), not_before = NULL,
    lease_owner = NULL, lease_until = NULL
WHERE id = :id AND lease_owner = :owner AND {EXPIRED}
"""

# A clock that was set back or forward makes no turn endless.
TURN_IS_OVER = """
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
FIRST_OF_TURN = f"""
SELECT id, session_id, prompt_number, attempts
FROM pending_messages m INDEXED BY pending_messages_observed
WHERE ({DUE} OR {EXPIRED}) AND {OBSERVED} AND {TURN_IS_OVER} ORDER BY attempts > 0, id LIMIT 1
"""
REST_OF_TURN = f"""
SELECT id FROM pending_messages
WHERE session_id = :session AND ({DUE} OR {EXPIRED}) AND {OBSERVED} AND prompt_number IS :prompt
AND attempts = 0 ORDER BY kind = 'summary', id LIMIT :limit
"""
SIZES = """
SELECT count(*), count(DISTINCT session_id || ':' || coalesce(prompt_number, 0)), total(
    min(length(coalesce(tool_input, '')), :longest) + min(length(coalesce(tool_response, '')), :longest)
    + min(length(coalesce(last_assistant_message, '')), :longest)
) FROM pending_messages WHERE status IN ('pending', 'processing') AND source IS NULL
"""


def boot_ms() -> int:
    """Return the clock that leases count: ms since boot, sleep included, untouched by clock changes."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return int(time.clock_gettime_ns(clock) // 1_000_000)


def lease_values(now: int) -> dict[str, object]:
    """Return what `DUE` and `EXPIRED` compare with, at a time of the boot clock."""
    return {"now": now, "lease": LEASE_MS, "retry": LONGEST_RETRY_MS}


def unfinished_values(agent: str, project: str, starting: str) -> dict[str, object]:
    """Return what `UNFINISHED` compares with."""
    return {
        "agent": agent, "project": project, "starting": starting, "wall": now_ms(),
        "newest": NEWEST_SESSIONS, "oldest": OLDEST_MS, "idle": IDLE_MS,
    }  # fmt: skip
