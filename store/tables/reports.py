"""Reports: who said of a memory that it is wrong, or was of use, and why."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Literal

import apsw

from ..records.dataclasses import dataclass

Verdict = Literal["wrong", "useful"]
VERDICTS: tuple[Verdict, ...] = ("wrong", "useful")

PUT = """
INSERT INTO reports (uid, agent, verdict, reason, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (uid, agent) DO UPDATE SET
    verdict = excluded.verdict, reason = excluded.reason, at = excluded.at
"""
OF = "SELECT verdict, reason, agent, at FROM reports WHERE uid = ? ORDER BY at DESC, agent"


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """A report of a memory; `agent` is who said so, "" a person, `at` when (ms since the epoch, UTC)."""

    verdict: Verdict
    reason: str
    agent: str
    at: int

    @property
    def by(self) -> str:
        """Who said so, in words."""
        return self.agent or "a person"


class Reports:
    """The table reports; what writes is inside a transaction."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def put(self, uid: str, report: MemoryReport) -> None:
        """Store what someone says of the record of a uid, in place of what they said of it before."""
        self.db.execute(PUT, (uid, report.agent, report.verdict, report.reason, report.at))

    def of(self, uid: str) -> list[MemoryReport]:
        """Return the reports of a record, the newest first."""
        return [MemoryReport(*row) for row in self.db.execute(OF, (uid,))]

    def clear(self, uid: str) -> int:
        """Delete the reports of a record; return how many there were."""
        found = len(self.of(uid))
        self.db.execute("DELETE FROM reports WHERE uid = ?", (uid,))
        return found


def forget_reports(db: apsw.Connection, uids: Collection[str]) -> list[str]:
    """Delete the reports of purged records; return the reasons that they gave."""
    gone = (json.dumps(list(uids)),)
    which = "WHERE uid IN (SELECT value FROM json_each(?))"
    reasons = [str(row[0]) for row in db.execute(f"SELECT reason FROM reports {which}", gone)]
    db.execute(f"DELETE FROM reports {which}", gone)
    return reasons
