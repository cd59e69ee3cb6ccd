"""The queue: raw events waiting for an observer, and the states they pass through.

pending → processing (leased) → processed, or back to pending after a failure, or abandoned
after the third, or failed at once where another try would end the same. A lease counts the boot
clock, so that stepping the wall clock neither frees nor locks one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from ..clock import now_ms, uuid7
from ..database.transaction import Transaction, translate_errors
from ..errors import NotFoundError
from ..records import PendingMessage, Session
from .rows import Values, columns, insert, to_record, write_text
from .sessions import Sessions

INSERT_MESSAGE = """
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
    SELECT id FROM pending_messages WHERE {DUE} OR {EXPIRED} ORDER BY id LIMIT :limit
) RETURNING id
"""
CLAIM_UNOBSERVED = f"""
{LEASE} WHERE id IN (
    SELECT id FROM pending_messages INDEXED BY pending_messages_unobserved
    WHERE {UNOBSERVED} AND ({DUE} OR {EXPIRED}) ORDER BY id LIMIT :limit
) RETURNING id
"""
CLAIM_THESE = f"""
{LEASE} WHERE id IN (SELECT value FROM json_each(:ids)) AND ({DUE} OR {EXPIRED}) RETURNING id
"""

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
RETRY = """
UPDATE pending_messages SET status = 'pending', attempts = 0, error = NULL, not_before = NULL,
    updated_at = :wall
WHERE status IN ('failed', 'abandoned')
"""

INSERT = INSERT_MESSAGE

ATTEMPTS = 3
LEASE_MS = 120_000
LONGEST_RETRY_MS = 3_600_000

TEXTS = (
    "error", "tool_name", "tool_input", "tool_response", "cwd",
    "last_user_message", "last_assistant_message",
)  # fmt: skip
PLAIN = (
    "prompt_number", "event_id", "source", "native_id", "fingerprint", "extra", "observation_id",
)  # fmt: skip


class PendingMessages:
    """The pending_messages table."""

    def __init__(self, db: apsw.Connection, transaction: Transaction, sessions: Sessions) -> None:
        self.db = db
        self.transaction = transaction
        self.sessions = sessions

    def add(
        self,
        session: Session | int | str,
        kind: str = "observation",
        *,
        status: str = "pending",
        attempts: int = 0,
        at: int | None = None,
        **payload: object,
    ) -> PendingMessage:
        """Queue an event; the same `event_id` twice is one message. `payload` takes the record's
        own fields: tool_name, tool_input, tool_response, cwd, prompt_number and so on;
        `observation_id` names the record that was made of it already."""
        with self.transaction:
            event = payload.get("event_id")
            if event and (known := self.where("event_id = ?", (event,))):
                return known[0]
            now = now_ms()
            values: Values = {
                "uid": uuid7(now),
                "session_id": self.sessions.resolve(session).id,
                "kind": kind,
                "created_at": now if at is None else at,
                "updated_at": now,
                "status": status,
                "attempts": attempts,
            }
            values |= {name: payload.get(name) for name in PLAIN}
            for name in TEXTS:
                text = payload.get(name)
                values[name] = None if text is None else write_text(str(text))
            return self.get(insert(self.db, INSERT, values))

    def get(self, number: int) -> PendingMessage:
        """The message with this id; NotFoundError."""
        if found := self.where("id = ?", (number,)):
            return found[0]
        raise NotFoundError(f"There is no message {number}. `mem queue list` shows them.")

    def list(
        self, status: str | None = None, limit: int = 50, offset: int = 0
    ) -> Sequence[PendingMessage]:
        """Messages in the order in which they came, of one status or of all."""
        condition = "status = coalesce(?, status) ORDER BY id LIMIT ? OFFSET ?"
        return self.where(condition, (status, limit, offset))

    def counts(self) -> dict[str, int]:
        """How many messages there are of each status that has any."""
        rows: Iterable[Any] = self.db.execute(
            "SELECT status, count(*) FROM pending_messages GROUP BY status"
        ).fetchall()
        return {str(status): int(count) for status, count in rows}

    def claim(
        self, owner: str, limit: int = 20, *, unobserved: bool = False
    ) -> Sequence[PendingMessage]:
        """Lease the oldest messages that may be worked on: pending, or left by a worker that died.
        One that three workers died of is abandoned. `unobserved` takes only those without a record.
        """
        sql = CLAIM_UNOBSERVED if unobserved else CLAIM
        return self._lease(sql, {"owner": owner, "limit": limit})

    def claim_these(self, owner: str, numbers: Iterable[int]) -> Sequence[PendingMessage]:
        """Lease those of the messages with these ids that may be worked on."""
        return self._lease(CLAIM_THESE, {"owner": owner, "ids": json.dumps(list(numbers))})

    def confirm(self, messages: Iterable[PendingMessage], outcome: str | None = None) -> int:
        """Mark leased messages processed; in the transaction that stores what came of them. How many
        were still this worker's: one whose lease was taken over is left alone."""
        with self.transaction:
            return sum(self.finish(message, "processed", outcome=outcome) for message in messages)

    def fail(self, message: PendingMessage, error: str, retry_ms: int = 0) -> None:
        """Give a leased message back for another try after `retry_ms`; abandoned after the third."""
        status = "abandoned" if message.attempts >= ATTEMPTS else "pending"
        self.finish(message, status, error=error, retry_ms=retry_ms)

    def refuse(self, message: PendingMessage, error: str) -> None:
        """Give a leased message up: another try would end the same."""
        self.finish(message, "failed", error=error)

    def release(self, message: PendingMessage, reason: str | None = None) -> None:
        """Give a leased message back as if it had never been tried, with why it waits."""
        self.finish(message, "pending", error=reason, counts=False)

    def finish(
        self,
        message: PendingMessage,
        status: str,
        *,
        error: str | None = None,
        retry_ms: int = 0,
        counts: bool = True,
        outcome: str | None = None,
        observation_id: int | None = None,
        summary_id: int | None = None,
    ) -> int:
        """End a lease: 1, or 0 where the message is another worker's by now, and is left alone.

        `counts` is whether the attempt does; `observation_id` and `summary_id` name what was made
        of it. What is processed keeps nothing of what the event told.
        """
        values: Values = {
            "id": message.id,
            "owner": message.lease_owner,
            "attempts": message.attempts,
            "status": status,
            "error": write_text(error),
            "not_before": boot_ms() + min(retry_ms, LONGEST_RETRY_MS) if retry_ms else 0,
            "counts": counts,
            "outcome": write_text(outcome),
            "observation_id": observation_id,
            "summary_id": summary_id,
            "wall": now_ms(),
        }
        with self.transaction:
            self.db.execute(FINISH, values)
            return self.db.changes()

    def retry(self, numbers: Sequence[int] | None = None) -> int:
        """Let failed and abandoned messages, those given or all, be worked on again; how many.
        NotFoundError for an unknown number."""
        return self._each(RETRY, numbers)

    def drop(self, numbers: Sequence[int] | None = None) -> int:
        """Forget the messages given, whatever their state, or all that failed; how many.
        NotFoundError for an unknown number."""
        condition = "true" if numbers is not None else "status IN ('failed', 'abandoned')"
        return self._each(f"DELETE FROM pending_messages WHERE {condition}", numbers)

    def where(self, condition: str, values: Sequence[object] = ()) -> Sequence[PendingMessage]:
        """The messages that meet a constant SQL condition."""
        sql = f"SELECT {columns(PendingMessage)} FROM pending_messages WHERE {condition}"
        with translate_errors(self.db, writing=False):
            return [to_record(PendingMessage, row) for row in self.db.execute(sql, tuple(values))]

    def _lease(self, sql: str, values: Values) -> Sequence[PendingMessage]:
        values = clocks() | values | {"attempts": ATTEMPTS, "wall": now_ms()}
        values["until"] = values["now"] + LEASE_MS
        with self.transaction:
            self.db.execute(ABANDON, values)
            ids: Iterable[Any] = self.db.execute(sql, values).fetchall()
            return [self.get(number) for (number,) in sorted(ids)]

    def _each(self, sql: str, numbers: Sequence[int] | None) -> int:
        for number in numbers or ():
            self.get(number)
        with self.transaction:
            chosen = " AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))"
            ids = None if numbers is None else json.dumps(list(numbers))
            self.db.execute(sql + chosen, {"wall": now_ms(), "ids": ids})
            return self.db.changes()


def clocks() -> Values:
    """What `DUE` and `EXPIRED` compare with."""
    return {"now": boot_ms(), "lease": LEASE_MS, "retry": LONGEST_RETRY_MS}


def boot_ms() -> int:
    """The clock that leases count: ms since boot, sleep included, untouched by clock changes."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return int(time.clock_gettime_ns(clock) // 1_000_000)
