"""Saying of a memory that it is wrong, or was of use: for the person who curates, who sees who said so."""

from __future__ import annotations

from typing import Literal

import apsw

from ..database.journal import Journal
from ..platform.clock import now_ms
from ..platform.errors import InvalidRecordError
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass
from ..records.kinds import kind_of, ref_of
from ..records.rows import Common, Note, Session
from ..tables.base import write_text

Verdict = Literal["wrong", "useful"]
VERDICTS: tuple[Verdict, ...] = (N_("wrong"), N_("useful"))

PUT = """
INSERT INTO reports (uid, agent, verdict, reason, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (uid, agent) DO UPDATE SET
    verdict = excluded.verdict, reason = excluded.reason, at = excluded.at
"""
OF = "SELECT verdict, reason, agent, at FROM reports WHERE uid = ? ORDER BY at DESC, agent"

LONGEST_REASON = 2_000
"""Characters of a reason."""


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
        return self.agent or _("a person")


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
        result = len(self.of(uid))
        self.db.execute("DELETE FROM reports WHERE uid = ?", (uid,))
        return result


class Reporting:
    """Reports of memories, each call as one undo."""

    def __init__(self, journal: Journal, reports: Reports) -> None:
        self.journal = journal
        self.reports = reports

    def report(
        self, record: Common, verdict: Verdict, reason: str = "", agent: str | None = None
    ) -> MemoryReport:
        """Report a memory as wrong or useful, by an agent or (None) a person, and return the report. What
        the same one said of it before is replaced."""
        if verdict not in VERDICTS:
            raise InvalidRecordError(
                "A memory is reported as {verdicts}, not {verdict}.",
                verdicts=_(" or ").join(VERDICTS),
                verdict=verdict,
            )
        if isinstance(record, Note | Session):
            raise InvalidRecordError(
                "{record} can't be reported: observations, prompts, summaries and facts can.",
                record=ref_of(record),
            )
        if record.deleted_at is not None:
            raise InvalidRecordError(
                "{record} is deleted already. To have it back: mem restore {record}", record=ref_of(record)
            )
        reason_text = (write_text(reason) or "").strip()
        if len(reason_text) > LONGEST_REASON:
            raise InvalidRecordError(
                "A reason has at most {most} characters, and this one has {number}.",
                most=f"{LONGEST_REASON:,}",
                number=f"{len(reason_text):,}",
            )
        made = MemoryReport(verdict, reason_text, agent or "", now_ms())
        what = _(
            "{kind} {ref} reported as {verdict}",
            kind=_(kind_of(record)),
            ref=ref_of(record),
            verdict=_(verdict),
        )
        with self.journal.recording(what):
            self.reports.put(record.uid, made)
        return made

    def clear(self, record: Common) -> int:
        """Take away all reports of a memory, once they are settled; return how many there were."""
        what = _("reports of {kind} {ref} cleared", kind=_(kind_of(record)), ref=ref_of(record))
        with self.journal.recording(what):
            return self.reports.clear(record.uid)

    def of(self, record: Common) -> list[MemoryReport]:
        """Return the reports of a memory, the newest first."""
        return self.reports.of(record.uid)
