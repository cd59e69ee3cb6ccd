"""The queue: raw events waiting for an observer, and the states they pass through.

pending → processing (leased) → processed, or back to pending after a failure, or abandoned after
the third. A lease counts the boot clock, so that stepping the wall clock neither frees nor locks one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from .clock import now_ms, uuid7
from .errors import NotFoundError
from .records import PendingMessage, Session
from .rows import Values, columns, insert, to_record, write_text
from .sessions import Sessions
from .unit import Unit, telling_errors

ATTEMPTS = 3
LEASE_MS = 120_000
LONGEST_RETRY_MS = 3_600_000

INSERT = """
INSERT INTO pending_messages (
    uid, session_id, kind, created_at, updated_at, status, attempts, error,
    tool_name, tool_input, tool_response, cwd, last_user_message, last_assistant_message,
    prompt_number, event_id, source, native_id, fingerprint, extra
) VALUES (
    :uid, :session_id, :kind, :created_at, :updated_at, :status, :attempts, :error,
    :tool_name, :tool_input, :tool_response, :cwd, :last_user_message, :last_assistant_message,
    :prompt_number, :event_id, :source, :native_id, :fingerprint, :extra
) RETURNING id
"""

# The boot clock starts anew with the machine: what lies too far ahead is of another boot, and due.
EXPIRED = "status = 'processing' AND lease_until NOT BETWEEN :now + 1 AND :now + :lease"
DUE = "status = 'pending' AND coalesce(not_before, 0) NOT BETWEEN :now + 1 AND :now + :retry"
ABANDON = f"""
UPDATE pending_messages SET status = 'abandoned', error = 'Its workers died.', updated_at = :wall,
    lease_owner = NULL, lease_until = NULL
WHERE {EXPIRED} AND attempts >= :attempts
"""
CLAIM = f"""
UPDATE pending_messages SET status = 'processing', attempts = attempts + 1, updated_at = :wall,
    lease_owner = :owner, lease_until = :until
WHERE id IN (
    SELECT id FROM pending_messages WHERE ({DUE}) OR ({EXPIRED}) ORDER BY id LIMIT :limit
) RETURNING id
"""

TEXTS = (
    "error", "tool_name", "tool_input", "tool_response", "cwd",
    "last_user_message", "last_assistant_message",
)  # fmt: skip
PLAIN = ("prompt_number", "event_id", "source", "native_id", "fingerprint", "extra")


class PendingMessages:
    """The pending_messages table."""

    def __init__(self, db: apsw.Connection, unit: Unit, sessions: Sessions) -> None:
        self.db = db
        self.unit = unit
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
        own fields: tool_name, tool_input, tool_response, cwd, prompt_number and so on."""
        with self.unit:
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

    def list(self, status: str | None = None, limit: int = 50) -> Sequence[PendingMessage]:
        """Messages in the order in which they came, of one status or of all."""
        return self.where("status = coalesce(?, status) ORDER BY id LIMIT ?", (status, limit))

    def claim(self, owner: str, limit: int = 20) -> Sequence[PendingMessage]:
        """Lease the oldest messages that may be worked on: pending, or left by a worker that died.
        One that three workers died of is abandoned."""
        now = boot_ms()
        values = {
            "owner": owner,
            "now": now,
            "until": now + LEASE_MS,
            "lease": LEASE_MS,
            "retry": LONGEST_RETRY_MS,
            "attempts": ATTEMPTS,
            "wall": now_ms(),
            "limit": limit,
        }
        with self.unit:
            self.db.execute(ABANDON, values)
            ids: Iterable[Any] = self.db.execute(CLAIM, values).fetchall()
            return [self.get(number) for (number,) in sorted(ids)]

    def confirm(self, messages: Iterable[PendingMessage]) -> int:
        """Mark leased messages processed; in the unit that stores what came of them. How many
        were still this worker's: one whose lease was taken over is left alone."""
        with self.unit:
            return sum(self._finish(message, "processed", None) for message in messages)

    def fail(self, message: PendingMessage, error: str, retry_ms: int = 0) -> None:
        """Give a leased message back for another try after `retry_ms`; abandoned after the third."""
        over = message.attempts >= ATTEMPTS
        not_before = boot_ms() + min(retry_ms, LONGEST_RETRY_MS)
        self._finish(message, "abandoned" if over else "pending", error, not_before)

    def retry(self, numbers: Sequence[int] | None = None) -> int:
        """Let failed and abandoned messages, those given or all, be worked on again; how many.
        NotFoundError for an unknown number."""
        return self._each(
            "UPDATE pending_messages SET status = 'pending', attempts = 0, error = NULL, "
            "not_before = NULL, updated_at = :now WHERE status IN ('failed', 'abandoned')",
            numbers,
        )

    def drop(self, numbers: Sequence[int] | None = None) -> int:
        """Forget the messages given, whatever their state, or all that failed; how many.
        NotFoundError for an unknown number."""
        condition = "true" if numbers is not None else "status IN ('failed', 'abandoned')"
        return self._each(f"DELETE FROM pending_messages WHERE {condition}", numbers)

    def where(self, condition: str, values: Sequence[object] = ()) -> Sequence[PendingMessage]:
        """The messages that meet a constant SQL condition."""
        sql = f"SELECT {columns(PendingMessage)} FROM pending_messages WHERE {condition}"
        with telling_errors(self.db, writing=False):
            return [to_record(PendingMessage, row) for row in self.db.execute(sql, tuple(values))]

    def _each(self, sql: str, numbers: Sequence[int] | None) -> int:
        for number in numbers or ():
            self.get(number)
        with self.unit:
            chosen = " AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))"
            ids = None if numbers is None else json.dumps(list(numbers))
            self.db.execute(sql + chosen, {"now": now_ms(), "ids": ids})
            return self.db.changes()

    def _finish(
        self, message: PendingMessage, status: str, error: str | None, not_before: int = 0
    ) -> int:
        with self.unit:
            self.db.execute(
                "UPDATE pending_messages SET status = ?, error = ?, not_before = ?, "
                "lease_owner = NULL, lease_until = NULL, updated_at = ? "
                "WHERE id = ? AND status = 'processing' AND lease_owner IS ? AND attempts = ?",
                (
                    status,
                    error,
                    not_before,
                    now_ms(),
                    message.id,
                    message.lease_owner,
                    message.attempts,
                ),
            )
            return self.db.changes()


def boot_ms() -> int:
    """The clock that leases count: ms since boot, sleep included, untouched by clock changes."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return int(time.clock_gettime_ns(clock) // 1_000_000)
