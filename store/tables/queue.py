"""The queue: raw events waiting for an observer, and the states they pass through.

pending → processing (leased) → processed, or back to pending after a failure, or abandoned
after the third, or failed at once where another try would end the same. A lease counts the boot
clock, so that stepping the wall clock neither frees nor locks one. What waits, and the events that are
quarantined, are one list of items, in pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw

from ..database.transaction import Transaction, translate_errors
from ..platform.clock import now_ms, uuid7
from ..platform.errors import NotFoundError
from ..records.dataclasses import dataclass
from ..records.rows import PendingMessage, Prompt, Session
from . import queue_statements as queue_sql
from .base import Values, columns, insert, to_record, write_text
from .queue_statements import LEASE_MS as LEASE_MS
from .queue_statements import LONGEST_RETRY_MS as LONGEST_RETRY_MS
from .queue_statements import boot_ms as boot_ms
from .queue_statements import lease_values, unfinished_values
from .session_titles import session_titles
from .sessions import Sessions

ATTEMPTS = 3

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
    ) -> int:
        """Queue an event and return the message's id; the same `event_id` twice is one message.
        `payload` takes the record's own fields: tool_name, tool_input, tool_response, cwd,
        prompt_number and so on; `observation_id` names the record that was made of it already."""
        with self.transaction:
            known = "SELECT id FROM pending_messages WHERE event_id = ?"
            if number := self.db.execute(known, (payload.get("event_id"),)).get:
                return int(number)
            if status == "failed":
                # In place of what waits for the same record.
                observed = "DELETE FROM pending_messages WHERE observation_id = ?"
                self.db.execute(observed, (payload.get("observation_id"),))
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
            return insert(self.db, queue_sql.INSERT, values)

    def get(self, number: int) -> PendingMessage:
        """Return the message with this id; NotFoundError."""
        if messages := self.where("id = ?", (number,)):
            return messages[0]
        raise NotFoundError("There is no message {number}. `mem queue list` shows them.", number=number)

    def list(self, status: str | None = None, limit: int = 50, offset: int = 0) -> Sequence[PendingMessage]:
        """Return messages in the order in which they came, of one status or of all."""
        condition = "true" if status is None else "status = ?1"
        return self.where(f"{condition} ORDER BY id LIMIT ?2 OFFSET ?3", (status, limit, offset))

    def counts(self) -> dict[str, int]:
        """Return how many messages there are of each status that has any."""
        rows: Iterable[Any] = self.db.execute(
            "SELECT status, number FROM message_counts WHERE number > 0"
        ).fetchall()
        return {str(status): int(count) for status, count in rows}

    def claim(self, owner: str, limit: int = 20) -> Sequence[PendingMessage]:
        """Lease the oldest messages that have no record and may be worked on: pending, or left by a worker
        that died. One that three workers died of is abandoned.
        """
        return self._lease(queue_sql.CLAIM, {"owner": owner, "limit": limit})

    def claim_turn_ends(self, owner: str, session_id: int, limit: int) -> Sequence[PendingMessage]:
        """Lease the oldest ends of turns of a session that have no record and were never tried."""
        values = {"owner": owner, "session": session_id, "limit": limit}
        return self._lease(queue_sql.CLAIM_TURN_ENDS, values)

    def claim_these(self, owner: str, numbers: Iterable[int]) -> Sequence[PendingMessage]:
        """Lease those of the messages with these ids that may be worked on."""
        return self._lease(queue_sql.CLAIM_THESE, {"owner": owner, "ids": json.dumps(list(numbers))})

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
            self.db.execute(queue_sql.FINISH, values)
            return self.db.changes()

    def retry(self, numbers: Sequence[int] | None = None) -> int:
        """Let failed and abandoned messages, those given or all, be worked on again; how many.
        NotFoundError for an unknown number."""
        return self._each(queue_sql.RETRY, numbers)

    def drop(self, numbers: Sequence[int] | None = None) -> int:
        """Forget the messages given, whatever their state, or all that failed; how many.
        NotFoundError for an unknown number."""
        condition = "true" if numbers is not None else queue_sql.GIVEN_UP
        return self._each(f"DELETE FROM pending_messages WHERE {condition}", numbers)

    def is_waiting(self) -> bool:
        """Return whether any message is pending, or leased by a worker, which may have died."""
        sql = "SELECT 1 FROM pending_messages WHERE status IN ('pending', 'processing') LIMIT 1"
        return self.db.execute(sql).get is not None

    def has_unobserved(self) -> bool:
        """Return whether any message has no record; asked without a lock, since mostly each has one."""
        return (
            self.db.execute(f"SELECT 1 FROM pending_messages WHERE {queue_sql.UNOBSERVED} LIMIT 1").get
            is not None
        )

    def given_up(self) -> int:
        """How many messages failed or were abandoned here; not what another program had given up."""
        sql = f"SELECT count(*) FROM pending_messages WHERE {queue_sql.GIVEN_UP} AND source IS NULL"
        return int(self.db.execute(sql).get or 0)

    def why_given_up(self) -> str:
        """Return why the newest message that was given up here was; "" for none."""
        given_up = f"SELECT error FROM pending_messages WHERE {queue_sql.GIVEN_UP} AND source IS NULL"
        return str(self.db.execute(f"{given_up} ORDER BY updated_at DESC LIMIT 1").get or "")

    def sizes(self, longest: int) -> tuple[int, int, int]:
        """What waits for an observer, but for imported messages: how many messages, of how many turns,
        of how many characters, where at most `longest` of each text count."""
        rows: list[Any] = self.db.execute(queue_sql.SIZES, {"longest": longest}).fetchall()
        messages, turns, characters = rows[0]
        return int(messages), int(turns), int(characters)

    def complete_observed(
        self, outcome: str, limit: int, *, imported: bool = False, before: int | None = None
    ) -> int:
        """Mark at most `limit` messages that have a record, and that nobody leases, as processed; how
        many. Only `imported` ones, or only those created `before` a moment (ms since the epoch)."""
        sql = queue_sql.COMPLETE if before is None else queue_sql.COMPLETE_OLD
        if imported:
            sql = queue_sql.COMPLETE_IMPORTED
        values = {"status": "processed", "outcome": outcome, "before": before}
        with self.transaction:
            self.db.execute(sql, clocks() | values | {"wall": now_ms(), "limit": limit})
            return self.db.changes()

    def forget_old(self, processed: int, given_up: int, limit: int) -> int:
        """Delete at most `limit` messages that were processed, or given up, before these moments (ms
        since the epoch); how many."""
        values = {"processed": processed, "given_up": given_up, "limit": limit}
        if self.db.execute(queue_sql.OLD, values).get is None:
            return 0
        with self.transaction:
            self.db.execute(f"DELETE FROM pending_messages WHERE id IN ({queue_sql.OLD})", values)
            return self.db.changes()

    def is_for_rules(self) -> bool:
        """Return whether a message without a record may be worked on now, or its worker may be dead."""
        return self.db.execute(queue_sql.FOR_RULES, clocks()).get is not None

    def unfinished_sessions(
        self, *, agent: str = "", project: str = "", starting: str = ""
    ) -> Sequence[int]:
        """Return the newest sessions whose last turn is over, as far as can be seen, though nothing told
        so: they ended, nothing has come of them for a while or since their agent began another session
        in their project, or their `agent` is `starting` one (its own id) there now."""
        values = unfinished_values(agent, project, starting)
        return [number for (number,) in self.db.execute(queue_sql.UNFINISHED, values)]

    def finish_turn(self, number: int, last_prompt: str | None) -> None:
        """Queue the end of the last turn of a session, of which nobody knows the reply; once."""
        with self.transaction:
            session = self.sessions.get(number)
            sql = (
                "INSERT INTO captured_events VALUES (?, 'turn_end', ?, '', ?, 'hook', 0, NULL) "
                "ON CONFLICT DO NOTHING"
            )
            self.db.execute(sql, (number, str(session.prompt_counter), now_ms()))
            if self.db.changes():
                newest = "SELECT max(created_at) FROM observations WHERE session_id = ?"
                self.add(
                    session,
                    "summary",
                    last_user_message=last_prompt,
                    prompt_number=session.prompt_counter or None,
                    at=self.db.execute(newest, (number,)).get,
                )

    def take_over(self, owner: str, *, observed: bool = False) -> int:
        """End the leases of all others on messages without a record, or on those that are `observed`;
        how many. For the holder of the lock that such a worker needs: the others work no more."""
        values: Values = {"owner": owner, "observed": observed, "now": boot_ms()}
        held = f"SELECT 1 FROM pending_messages WHERE {queue_sql.OTHERS} LIMIT 1"
        if self.db.execute(held, values).get is None:
            return 0
        with self.transaction:
            self.db.execute(queue_sql.TAKE_OVER, values)
            return self.db.changes()

    def expired_leases(self) -> Sequence[tuple[int, str]]:
        """Return the messages whose workers died, each with its worker."""
        sql = f"SELECT id, lease_owner FROM pending_messages WHERE {queue_sql.EXPIRED}"
        rows: Iterable[Any] = self.db.execute(sql, clocks()).fetchall()
        return [(int(number), str(owner)) for number, owner in rows]

    def oldest_unobserved(self) -> int | None:
        """Return since when a message waits (ms) that nobody has observed, however old what it tells is."""
        sql = (
            "SELECT min(updated_at) FROM pending_messages WHERE observation_id IS NULL "
            "AND summary_id IS NULL AND status = 'pending'"
        )
        oldest: int | None = self.db.execute(sql).get
        return oldest

    def overdue_summaries(self, before: int) -> int:
        """Return how many sessions' summaries could not be made, or wait since before this moment (ms)."""
        return int(self.db.execute(queue_sql.OVERDUE, {"before": before}).get)

    def longest_expired(self) -> int:
        """Return for how long (ms) the lease that ended first has been over; 0 where none is."""
        sql = "SELECT min(lease_until) FROM pending_messages WHERE status = 'processing'"
        ended: int | None = self.db.execute(sql).get
        return 0 if ended is None else max(0, boot_ms() - ended)

    def set_response(self, observation_id: int, response: str) -> None:
        """Give the message of an observation that still waits for a model another answer of its tool."""
        with self.transaction:
            self.db.execute(
                "UPDATE pending_messages SET tool_response = ? "
                "WHERE observation_id = ? AND status = 'pending'",
                (response, observation_id),
            )

    def renumber(self, prompt: Prompt, before: int | None) -> None:
        """Give the messages behind a prompt, which were queued before it was known, its number."""
        with self.transaction:
            self.db.execute(
                "UPDATE pending_messages SET prompt_number = ?, "
                "last_user_message = iif(kind = 'summary', ?, last_user_message) "
                "WHERE session_id = ? AND prompt_number IS ? AND created_at >= ? AND status = 'pending'",
                (prompt.prompt_number, prompt.text, prompt.session_id, before, prompt.created_at),
            )

    def undo_claim(self, number: int, owner: str) -> None:
        """Free a message whose worker died, as if that worker had never claimed it."""
        with self.transaction:
            self.db.execute(queue_sql.UNDO_CLAIM, clocks() | {"id": number, "owner": owner})

    def lease_owners(self) -> set[str]:
        """Return the workers that hold a lease."""
        sql = "SELECT DISTINCT lease_owner FROM pending_messages WHERE status = 'processing'"
        rows: Iterable[Any] = self.db.execute(sql).fetchall()
        return {str(owner) for (owner,) in rows}

    def is_turn_due(self, timeout_ms: int) -> bool:
        """Return whether a turn is over whose messages may be worked on; one of which nothing came for
        `timeout_ms` is over."""
        values = clocks() | {"wall": now_ms(), "patience": timeout_ms}
        return self.db.execute(queue_sql.FIRST_OF_TURN, values).get is not None

    def claim_turn(self, owner: str, timeout_ms: int, limit: int) -> Sequence[PendingMessage]:
        """Lease at most `limit` messages of the oldest turn that is over; nothing where there is none.

        One that was tried before comes alone: where a turn can't be answered for one of its messages,
        the others are.
        """
        with self.transaction:
            values = clocks() | {"wall": now_ms(), "patience": timeout_ms}
            rows: list[Any] = self.db.execute(queue_sql.FIRST_OF_TURN, values).fetchall()
            if not rows:
                return []
            number, session, prompt, attempts = rows[0]
            numbers: Iterable[int] = [number]
            if not attempts:
                more = values | {"session": session, "prompt": prompt, "limit": limit}
                others: Iterable[Any] = self.db.execute(queue_sql.REST_OF_TURN, more).fetchall()
                numbers = [item for (item,) in others]
            return self.claim_these(owner, numbers)

    def where(self, condition: str, values: Sequence[object] = ()) -> Sequence[PendingMessage]:
        """Return the messages that meet a constant SQL condition."""
        sql = f"SELECT {columns(PendingMessage)} FROM pending_messages WHERE {condition}"
        with translate_errors(self.db, writing=False):
            return [to_record(PendingMessage, row) for row in self.db.execute(sql, tuple(values))]

    def _lease(self, sql: str, values: Values) -> Sequence[PendingMessage]:
        values = clocks() | values | {"attempts": ATTEMPTS, "wall": now_ms()}
        values["until"] = values["now"] + LEASE_MS
        with self.transaction:
            self.db.execute(queue_sql.ABANDON, values)
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
    """Return what `queue_sql.DUE` and `queue_sql.EXPIRED` compare with."""
    return lease_values(boot_ms())


STATES = ("pending", "processing", "failed", "abandoned", "quarantined", "processed")
WAITING_OR_FAILED = ("pending", "processing", "failed", "abandoned", "quarantined")
"""What is listed unless something else is asked for."""

MESSAGES = """
SELECT CAST(m.id AS TEXT), m.status, m.kind, coalesce(m.tool_name, ''),
    iif(s.private OR s.deleted_at IS NOT NULL, '', s.content_session_id),
    s.private OR s.deleted_at IS NOT NULL, s.project, s.agent, m.created_at, m.attempts,
    coalesce(m.error, m.outcome, ''),
    CASE WHEN m.not_before BETWEEN :now + 1 AND :now + :retry THEN m.not_before - :now ELSE 0 END,
    s.id
FROM pending_messages m JOIN sessions s ON s.id = m.session_id
WHERE m.id IN (SELECT value FROM json_each(:ids))
"""
SESSION = 4
"""The column of a session's name."""
LONGEST_NAME = 200
EVENT = """
SELECT 'q' || id, 'quarantined', 'event', '', '', 0, '', agent, at, attempts, reason, 0
FROM quarantine
"""
EVENTS = f"{EVENT} ORDER BY id LIMIT :limit OFFSET :start"
IDS = "SELECT id FROM pending_messages WHERE status = '{}'"
SLICE = "LIMIT :limit OFFSET :start"


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A message, or an event that could not be stored; `ref` is 12 or q12. `wait_ms` is how long it
    waits before it is tried again. `session` is empty for a hidden one."""

    ref: str
    status: str
    kind: str
    what: str
    session: str
    hidden: bool
    project: str
    agent: str
    created_at: int
    attempts: int
    reason: str
    wait_ms: int


def item_counts(db: apsw.Connection) -> dict[str, int]:
    """Return how many items there are in each state."""
    rows: Iterable[Any] = db.execute(
        "SELECT status, number FROM message_counts UNION ALL SELECT 'quarantined', count(*) FROM quarantine"
    ).fetchall()
    results = {str(state): int(count) for state, count in rows}
    return {state: results.get(state, 0) for state in STATES}


def item_page(db: apsw.Connection, states: Sequence[str], start: int, length: int) -> list[QueueItem]:
    """At most `length` of the items in these states, from the item `start` on (0 is the first).

    Quarantined events come first, then what was processed, newest first, then all others in the
    order in which they came.
    """
    counts = item_counts(db)
    items: list[QueueItem] = []
    others = [state for state in STATES if state not in ("quarantined", "processed")]
    for part in (["quarantined"], ["processed"], others):
        wanted = [state for state in part if state in states]
        count = sum(counts[state] for state in wanted)
        if start < count and len(items) < length:
            items += _part(db, wanted, start, length - len(items))
        start = max(0, start - count)
    return items


def items_by_ref(db: apsw.Connection, refs: Sequence[str]) -> list[QueueItem]:
    """Return the items with these refs (`12`, `q12`), in the order given; without what is gone."""
    events = [ref[1:] for ref in refs if ref.startswith("q")]
    messages = [ref for ref in refs if not ref.startswith("q")]
    items = {row[0]: to_record(QueueItem, row) for row in _messages(db, map(int, messages))}
    sql = f"{EVENT} WHERE id IN (SELECT value FROM json_each(?))"
    rows: Iterable[Any] = db.execute(sql, (json.dumps([int(event) for event in events]),))
    items |= {row[0]: to_record(QueueItem, row) for row in rows}
    return [items[ref] for ref in refs if ref in items]


def _messages(db: apsw.Connection, ids: Iterable[int]) -> Iterator[list[Any]]:
    rows: list[Any] = db.execute(MESSAGES, clocks() | {"ids": json.dumps(list(ids))}).fetchall()
    titles = session_titles(db, {row[-1] for row in rows})
    for *values, session in rows:
        # A hidden session has no name at all.
        if values[SESSION]:
            values[SESSION] = (titles[session] or values[SESSION])[:LONGEST_NAME]
        yield values


def _part(db: apsw.Connection, states: Sequence[str], start: int, length: int) -> list[QueueItem]:
    values = {"limit": length, "start": start}
    if states == ["quarantined"]:
        return [to_record(QueueItem, row) for row in db.execute(EVENTS, values)]
    order = "ORDER BY id DESC" if states == ["processed"] else "ORDER BY id"
    # One state after another, each in the order of its index: what lies beyond the page is not read.
    sql = f"{' UNION ALL '.join(map(IDS.format, states))} {order} {SLICE}"
    ids = [int(number) for (number,) in db.execute(sql, values)]
    results = {row[0]: to_record(QueueItem, row) for row in _messages(db, ids)}
    return [results[str(number)] for number in ids if str(number) in results]
