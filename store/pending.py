"""The queue: raw events waiting for an observer, and the states they pass through.

pending → processing (leased) → processed, or back to pending after a failure, or abandoned after
the third. A lease counts the boot clock, so that stepping the wall clock neither frees nor locks one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import apsw

from .clock import now_ms, uuid7
from .records import PendingMessage, Session
from .rows import Values, columns, insert, to_record, write_text
from .sessions import Sessions
from .unit import Unit

ATTEMPTS = 3
LEASE_MS = 120_000

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
        """The message with this id."""
        return self.where("id = ?", (number,))[0]

    def list(self, status: str | None = None, limit: int = 50) -> Sequence[PendingMessage]:
        """Messages in the order in which they came, of one status or of all."""
        return self.where("status = coalesce(?, status) ORDER BY id LIMIT ?", (status, limit))

    def claim(self, owner: str, limit: int = 20) -> Sequence[PendingMessage]:
        """Lease the oldest messages that may be worked on: pending, or left by a worker that died."""
        now = boot_ms()
        with self.unit:
            ids: list[tuple[int]] = self.db.execute(
                "UPDATE pending_messages SET status = 'processing', attempts = attempts + 1, "
                "lease_owner = :owner, lease_until = :until, updated_at = :wall WHERE id IN ("
                "SELECT id FROM pending_messages WHERE (status = 'pending' "
                "AND coalesce(not_before, 0) <= :now) OR (status = 'processing' "
                "AND (lease_until <= :now OR lease_until > :now + :lease)) "
                "ORDER BY id LIMIT :limit) RETURNING id",
                {
                    "owner": owner,
                    "now": now,
                    "until": now + LEASE_MS,
                    "lease": LEASE_MS,
                    "wall": now_ms(),
                    "limit": limit,
                },
            ).fetchall()
        return [self.get(number) for number in sorted(row[0] for row in ids)]

    def confirm(self, messages: Iterable[PendingMessage]) -> int:
        """Mark leased messages processed; in the unit that stores what came of them. How many
        were still this worker's: one whose lease was taken over is left alone."""
        return sum(self._finish(message, "processed", None) for message in messages)

    def fail(self, message: PendingMessage, error: str, retry_ms: int = 0) -> None:
        """Give a leased message back for another try after `retry_ms`; abandoned after the third."""
        over = message.attempts >= ATTEMPTS
        self._finish(message, "abandoned" if over else "pending", error, boot_ms() + retry_ms)

    def where(self, condition: str, values: Sequence[object] = ()) -> Sequence[PendingMessage]:
        """The messages that meet a constant SQL condition."""
        sql = f"SELECT {columns(PendingMessage)} FROM pending_messages WHERE {condition}"
        return [to_record(PendingMessage, row) for row in self.db.execute(sql, tuple(values))]

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
