"""What became of a transcript's events, counted for a report."""

from __future__ import annotations

from ...capture import noise
from ...capture.events import Event
from ...capture.keeping import is_own, keep
from ...errors import InvalidRecordError
from ...store import Store
from ..report import Counts, Report, SourceWarning

KINDS = {
    "session_start": "sessions",
    "prompt": "prompts",
    "tool": "observations",
    "compaction": "summaries",
    "usage": "tokens",
}
"""What each kind of event counts as; others are kept and not counted."""

OWN = "memtui's own"
NOT_THE_USERS = "not the user's own words"
COPIED = "told by an earlier session"


class Tally:
    """Keeps events and counts them; tokens are those that the model wrote."""

    def __init__(self, store: Store, report: Report, name: str) -> None:
        self.store = store
        self.report = report
        self.name = name
        self.at: int | None = None
        """When it happened that the transcript tells no time of, ms since the epoch."""
        self.sessions: set[str] = set()

    def keep(self, event: Event) -> None:
        """Store an event and count what became of it."""
        if is_own(self.store, event.cwd):
            if event.kind in KINDS:
                self._count(event, 1).skip(OWN)
            return
        if event.kind == "session_start":
            self._start(event)
        elif event.kind == "usage" and event.usage:
            self._spend(event, event.usage.output)
        else:
            is_new = self._kept(event)
            if event.kind in KINDS:
                self._settle(event, is_new)

    def copied(self, number: int) -> None:
        """Count records that belong to an earlier session."""
        if number:
            counts = self.report.of("copies")
            counts.read += number
            counts.skipped[COPIED] = counts.skipped.get(COPIED, 0) + number

    def warn(self, message: str, line: int | None = None) -> None:
        """Tell of something odd in the file, or in a line of it."""
        place = "" if line is None else f"line {line}"
        self.report.warnings.append(SourceWarning(self.name, place, message))

    def _kept(self, event: Event) -> bool:
        try:
            return keep(self.store, event, "transcript", at=self.at)
        except InvalidRecordError as error:
            self.warn(str(error))
            return False

    def _settle(self, event: Event, is_new: bool) -> None:
        counts = self._count(event, 1)
        if is_new:
            counts.new += 1
        elif noise.is_noise(event):
            counts.skip(NOT_THE_USERS)
        else:
            counts.unchanged += 1

    def _start(self, event: Event) -> None:
        is_known = self.store.sessions.find(event.session, event.agent) is not None
        self._kept(event)
        if event.session not in self.sessions and not event.subagent:
            self._settle(event, not is_known)
            self.sessions.add(event.session)

    def _spend(self, event: Event, output: int) -> None:
        before = self.store.db.execute(
            "SELECT output FROM token_usage WHERE message = ? AND session_id = "
            "(SELECT id FROM sessions WHERE agent = ? AND content_session_id = ?)",
            (event.key, event.agent, event.session),
        ).get
        self._kept(event)
        counts = self._count(event, output)
        counts.new += max(0, output - (before or 0))
        counts.unchanged += min(output, before or 0)

    def _count(self, event: Event, number: int) -> Counts:
        counts = self.report.of(KINDS[event.kind])
        counts.read += number
        return counts
