"""Map lines of scheme C to records of ours, and import the sessions of a directory: no line is one, but
many name one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath, PureWindowsPath

from ...platform.translation import N_, _
from ...records.dataclasses import dataclass, field, replace
from ...store import Store
from ...tables import facts, notes, observations, prompts, sessions, summaries
from ...tables.base import Values, stable_uid
from ...tables.fact_sources import dump_list
from ..common.report import Report
from ..common.upsert import Mapped, Upsert
from .items import LineItem, warn
from .lines import dumped

AGENT = "cursor"
"""The agent of sessions whose lines name none: scheme C was made for it."""

_FAILED = ("failed", "error", "crashed")


@dataclass(slots=True)
class SessionDetails:
    """What the lines say of one session. Times are ms since the epoch, UTC; 0 is unknown."""

    first_at: int = 0
    last_at: int = 0
    started_at: int = 0
    ended_at: int = 0
    workspace: str | None = None
    agent: str | None = None
    reason: str | None = None
    deleted_at: int | None = None
    is_started: bool = False
    is_ended: bool = False
    extra: dict[str, object] = field(default_factory=dict)


class SessionCollector:
    """Collects what lines say of sessions, then stores these, then returns which is whose."""

    def __init__(self, store: Store, report: Report) -> None:
        self.store = store
        self.report = report
        self.details: dict[str, SessionDetails] = {}
        self._waiting: tuple[LineItem, int, str | None] | None = None
        self._ids: dict[str, tuple[int, str]] = {}
        self.touched: list[int] = []
        """The numbers of the sessions that were made or changed."""
        self._counts = report.of("sessions")

    @property
    def only_project(self) -> str:
        """The project of all sessions, where they have one in common; else ""."""
        results = {project(details.workspace) for details in self.details.values() if details.workspace}
        return results.pop() if len(results) == 1 else ""

    def add(self, item: LineItem, at: int) -> None:
        """Add what a line says of its session; lines come in the order of the files. `at` is the
        line's time.

        A start without an id belongs to the next session that is named and hasn't started yet.
        """
        name, agent = item.session, item.text("agent")
        workspace = item.text("workspace", "project", "cwd")
        if name is None:
            if item.type == START:
                self._give_up()
                self._waiting = item, at, workspace
            return
        details = self.details.setdefault(name, SessionDetails())
        if self._waiting and not details.is_started and item.type != START:
            self._start(details, *self._waiting)
            self._waiting = None
        details.first_at = min(details.first_at or at, at) if at else details.first_at
        details.last_at = max(details.last_at, at)
        details.workspace = details.workspace or workspace
        details.agent = details.agent or agent
        if item.type == START:
            self._start(details, item, at, workspace)
        elif item.type == END:
            details.ended_at, details.is_ended = max(details.ended_at, at), True
            details.reason = item.text("reason", "status") or details.reason
            details.extra |= item.left()

    def store_all(self) -> None:
        """Store the sessions that were collected."""
        self._give_up()
        self._counts.read += len(self.details)
        with self.store.transaction():
            for name, details in self.details.items():
                self._ids[name] = self._one(name, details), project(details.workspace)

    def of(self, name: str | None) -> tuple[int, str]:
        """Return number and project of the session of this name; lines without one share one."""
        if name is None:
            name = f"{self.report.source}:none"
            if name not in self._ids:
                self._ids[name] = self._stub(name), ""
        return self._ids[name]

    def _stub(self, name: str) -> int:
        """Make a session for lines that name none; the report counts it apart from theirs."""
        before = replace(self._counts)
        number = self._one(name, SessionDetails())
        self.report.stubs += self._counts.new - before.new
        self.report.counts["sessions"] = self._counts = before
        return number

    def _start(self, details: SessionDetails, item: LineItem, at: int, workspace: str | None) -> None:
        details.extra |= item.left()
        details.started_at = min(details.started_at or at, at)
        details.workspace = workspace or details.workspace
        details.is_started = True

    def _give_up(self) -> None:
        if self._waiting:
            item = self._waiting[0]
            warn(self.report, item.file, item.line.number, _("starts a session that no line names"))
            self._counts.skip(N_("a start without a session"))
            self._waiting = None

    def _one(self, name: str, details: SessionDetails) -> int:
        agent = details.agent or AGENT
        session = self.store.sessions.find(name, agent)
        is_ours = session is not None and session.source == self.report.source
        if session is not None and not is_ours:
            joined = self.store.sessions.start(
                name,
                agent=agent,
                project=project(details.workspace),
                project_path=details.workspace,
            )
            if joined == session:
                self._counts.unchanged += 1
            else:
                self._counts.changed += 1
            return session.id
        row = self._mapped(f"session#{name}", name, agent, details)
        touched = upsert_records(self.store, self.report, "sessions", [row])
        self.touched += touched
        return session.id if session is not None else touched[0]

    def _mapped(self, native_id: str, name: str, agent: str, details: SessionDetails) -> Mapped:
        started = details.started_at or details.first_at
        failed = details.reason is not None and details.reason.lower() in _FAILED
        values: Values = {
            "created_at": started,
            "agent": agent,
            "content_session_id": name,
            "project": project(details.workspace),
            "project_path": details.workspace,
            "status": ("failed" if failed else "completed") if details.is_ended else "active",
            "started_at": started,
            "completed_at": details.ended_at or None,
            "extra": _extra(details),
        }
        initial: Values = {"uid": stable_uid(self.report.source, "sessions", name), "hlc": 0}
        return Mapped(native_id, values, initial)


def project(workspace: str | None) -> str:
    """Return a project's name: its workspace's last part; "" for none."""
    if not workspace:
        return ""
    path = PureWindowsPath(workspace) if "\\" in workspace else PurePath(workspace)
    return path.name or workspace


def _extra(details: SessionDetails) -> str | None:
    reason = {"reason": details.reason} if details.reason and details.reason != "completed" else {}
    return dumped(details.extra | reason)


FACTS = ("fact", "preference")
"""The events that state a fact."""
START, END = "session_start", "session_end"

_TITLE = 200

INSERTS = {
    "sessions": sessions.INSERT,
    "prompts": prompts.INSERT,
    "observations": observations.INSERT,
    "summaries": summaries.INSERT,
    "facts": facts.INSERT,
    "notes": notes.INSERT,
}


def observation(item: LineItem, source: str, session_id: int, project: str) -> Mapped | None:
    """Map an event to an observation, whose title is its first line; None where it says nothing."""
    content = item.content()
    title = content or item.text("action", "title", "event", "name")
    body = content or item.text("command", "detail", "details", "description", "reason")
    if title is None and body is None:
        return None
    first = (title or body or "").split("\n", 1)[0].strip()
    at = item.moment("timestamp", "created_at")
    values: Values = {
        "session_id": session_id,
        "created_at": at,
        "deleted_at": item.deleted_at(at),
        "project": project,
        "type": item.type or "unknown",
        "title": first if len(first) <= _TITLE else first[: _TITLE - 1] + "…",
        "narrative": body if body != first else None,
        "concepts": dump_list(item.items("entities")),
        "extra": item.rest(),
    }
    return Mapped(item.native_id, values, kept_once("observations", item, source))


def summary(item: LineItem, source: str, session_id: int, project: str) -> Mapped | None:
    """Map a line of sessions.jsonl to a summary; None where it says nothing."""
    topic, text = item.text("topic", "title"), item.text("summary", "content", "text")
    decisions, todos = item.items("decisions"), item.items("todos")
    if not (topic or text or decisions or todos):
        return None
    at = item.moment("timestamp", "created_at")
    values: Values = {
        "session_id": session_id,
        "created_at": at,
        "deleted_at": item.deleted_at(at),
        "project": project,
        "request": topic,
        "text": text,
        "completed": "\n".join(decisions) or None,
        "next_steps": "\n".join(todos) or None,
        "extra": item.rest(),
    }
    return Mapped(item.native_id, values, kept_once("summaries", item, source))


def kept_once(table: str, item: LineItem, source: str) -> Values:
    """Return what a record keeps from its first import on: a uid that every import of the line
    gives it, a clock that every edit is ahead of, and its privacy."""
    return {
        "uid": stable_uid(source, table, item.native_id),
        "hlc": 0,
        "private": item.values.get("private") is True,
    }


def upsert_records(store: Store, report: Report, table: str, rows: Sequence[Mapped]) -> list[int]:
    """Insert the new rows and update the changed ones; return the numbers of both.

    A record that was edited here stays as it is, and the report lists the difference.
    """
    counts = report.of(table)
    upsert = Upsert(store, report.source, table, INSERTS[table], counts, report)
    upsert.apply(rows)
    return upsert.touched
