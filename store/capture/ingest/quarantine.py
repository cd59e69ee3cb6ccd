"""Events that could not be stored: kept with their reason, to be tried again or dropped."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ...platform.clock import now_ms
from ...platform.errors import NotFoundError
from ...records.dataclasses import dataclass
from ...store import Store
from ...text.redaction import redact
from ..ingest import spool
from .spool import UnstoredLine

PUT = "INSERT INTO quarantine (at, agent, reason, record) VALUES (:at, :agent, :reason, :record)"


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record of the spool as it was written, why it can't be stored, and how often that was tried."""

    id: int
    at: int
    agent: str
    reason: str
    record: str
    attempts: int


def put(store: Store, unstored: UnstoredLine, reason: str) -> None:
    """Quarantine a line of the spool that can't be stored."""
    header = spool.HEADER.match(unstored.line)
    line = redact(unstored.line.decode("utf-8", "replace").replace("\0", "\ufffd"))
    agent = header[3].decode() if header else ""
    values = {"at": unstored.at or now_ms(), "agent": agent, "reason": redact(reason), "record": line}
    store.db.execute(PUT, values)


TRANSCRIPT = "transcript "
"""What the record of a transcript begins with, before its path."""


def put_transcript(store: Store, agent: str, path: str, reason: str) -> None:
    """Quarantine a transcript of which something can't be stored; once, however much that is."""
    values = {"at": now_ms(), "agent": agent, "reason": redact(reason), "record": f"{TRANSCRIPT}{path}"}
    with store.transaction():
        store.db.execute("UPDATE quarantine SET reason = :reason WHERE record = :record", values)
        if not store.db.changes():
            store.db.execute(PUT, values)


def transcript_of(record: str) -> str:
    """Return the path of the transcript that was quarantined; "" where it was an event."""
    return record.removeprefix(TRANSCRIPT) if record.startswith(TRANSCRIPT) else ""


def list_quarantined(store: Store, limit: int = 50) -> list[Quarantined]:
    """The oldest `limit` quarantined events."""
    sql = "SELECT id, at, agent, reason, record, attempts FROM quarantine ORDER BY id LIMIT ?"
    return [Quarantined(*row) for row in store.db.execute(sql, (limit,))]


def records(store: Store, numbers: Sequence[int]) -> list[str]:
    """The records of these numbers, as hooks wrote them. NotFoundError for an unknown number."""
    return [line for _, line in numbered_records(store, numbers)]


def drop(store: Store, numbers: Sequence[int] | None = None) -> int:
    """Delete the events of these numbers, or all; how many. NotFoundError for an unknown number."""
    chosen = [number for number, _ in numbered_records(store, numbers)]
    with store.transaction():
        store.db.executemany("DELETE FROM quarantine WHERE id = ?", [(number,) for number in chosen])
    return len(chosen)


def numbered_records(store: Store, numbers: Sequence[int] | None) -> list[tuple[int, str]]:
    """Numbers and records of these events, or of all. NotFoundError for an unknown number."""
    sql = "SELECT id, record FROM quarantine WHERE ?1 IS NULL OR id IN (SELECT value FROM json_each(?1))"
    wanted = None if numbers is None else json.dumps(list(numbers))
    results = [(int(number), str(line)) for number, line in store.db.execute(sql, (wanted,))]
    if missing := set(numbers or ()) - {number for number, _ in results}:
        raise NotFoundError(
            "There is no event q{missing}. `mem queue list` shows them.", missing=min(missing)
        )
    return results
