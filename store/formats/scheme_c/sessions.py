"""The sessions of a scheme C directory: no line is one, but many name one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import PurePath, PureWindowsPath

from ...store import Store
from ...tables.rows import Values, stable_uid
from ..common.report import Report
from ..common.upsert import Mapped
from .items import Item, warn
from .lines import dumped
from .records import END, START, land

AGENT = "cursor"
"""Whose sessions they are where a line names no agent: scheme C was made for it."""

_FAILED = ("failed", "error", "crashed")


@dataclass(slots=True)
class Told:
    """What the lines tell of one session. Times are ms since the epoch, UTC; 0 is unknown."""

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


class Sessions:
    """Collects what is told of sessions, then stores them, then says which is whose."""

    def __init__(self, store: Store, report: Report) -> None:
        self.store = store
        self.report = report
        self.told: dict[str, Told] = {}
        self._waiting: tuple[Item, int, str | None] | None = None
        self._ids: dict[str, tuple[int, str]] = {}
        self.touched: list[int] = []
        """The numbers of those that this made or changed."""
        self._counts = report.of("sessions")

    @property
    def only_project(self) -> str:
        """The project of all sessions, where they have one in common; else ""."""
        found = {project(one.workspace) for one in self.told.values() if one.workspace}
        return found.pop() if len(found) == 1 else ""

    def hear(self, item: Item, at: int) -> None:
        """Take in what a line, in the order of the files, tells of its session; `at` is its time.

        A start without an id is that of the next session that is named and hasn't started yet.
        """
        name, agent = item.session, item.text("agent")
        workspace = item.text("workspace", "project", "cwd")
        if name is None:
            if item.type == START:
                self._give_up()
                self._waiting = item, at, workspace
            return
        told = self.told.setdefault(name, Told())
        if self._waiting and not told.is_started and item.type != START:
            self._start(told, *self._waiting)
            self._waiting = None
        told.first_at = min(told.first_at or at, at) if at else told.first_at
        told.last_at = max(told.last_at, at)
        told.workspace = told.workspace or workspace
        told.agent = told.agent or agent
        if item.type == START:
            self._start(told, item, at, workspace)
        elif item.type == END:
            told.ended_at, told.is_ended = max(told.ended_at, at), True
            told.reason = item.text("reason", "status") or told.reason
            told.extra |= item.left()

    def land(self) -> None:
        """Store the sessions that were told of."""
        self._give_up()
        self._counts.read += len(self.told)
        with self.store.transaction():
            for name, told in self.told.items():
                self._ids[name] = self._one(name, told), project(told.workspace)

    def of(self, name: str | None) -> tuple[int, str]:
        """The number and the project of the session of this name; those without one share one."""
        if name is None:
            name = f"{self.report.source}:none"
            if name not in self._ids:
                self._ids[name] = self._stub(name), ""
        return self._ids[name]

    def _stub(self, name: str) -> int:
        """A session for lines that name none; the report tells of it apart from theirs."""
        before = replace(self._counts)
        number = self._one(name, Told())
        self.report.stubs += self._counts.new - before.new
        self.report.counts["sessions"] = self._counts = before
        return number

    def _start(self, told: Told, item: Item, at: int, workspace: str | None) -> None:
        told.extra |= item.left()
        told.started_at = min(told.started_at or at, at)
        told.workspace = workspace or told.workspace
        told.is_started = True

    def _give_up(self) -> None:
        if self._waiting:
            item = self._waiting[0]
            warn(self.report, item.file, item.line.number, "starts a session that no line names")
            self._counts.skip("a start without a session")
            self._waiting = None

    def _one(self, name: str, told: Told) -> int:
        agent = told.agent or AGENT
        found = self.store.sessions.find(name, agent)
        is_ours = found is not None and found.source == self.report.source
        if found is not None and not is_ours:
            joined = self.store.sessions.start(
                name, agent=agent, project=project(told.workspace), project_path=told.workspace
            )
            if joined == found:
                self._counts.unchanged += 1
            else:
                self._counts.changed += 1
            return found.id
        row = self._mapped(f"session#{name}", name, agent, told)
        touched = land(self.store, self.report, "sessions", [row])
        self.touched += touched
        return found.id if found is not None else touched[0]

    def _mapped(self, native_id: str, name: str, agent: str, told: Told) -> Mapped:
        started = told.started_at or told.first_at
        failed = told.reason is not None and told.reason.lower() in _FAILED
        values: Values = {
            "created_at": started,
            "agent": agent,
            "content_session_id": name,
            "project": project(told.workspace),
            "project_path": told.workspace,
            "status": ("failed" if failed else "completed") if told.is_ended else "active",
            "started_at": started,
            "completed_at": told.ended_at or None,
            "extra": _extra(told),
        }
        initial: Values = {
            "uid": stable_uid(self.report.source, "sessions", name),
            "hlc": 0,
            "memory_session_id": None,
            "title": None,
            "first_prompt": None,
            "prompt_counter": 0,
        }
        return Mapped(native_id, values, initial)


def project(workspace: str | None) -> str:
    """A project's name: its workspace's last part; "" for none."""
    if not workspace:
        return ""
    path = PureWindowsPath(workspace) if "\\" in workspace else PurePath(workspace)
    return path.name or workspace


def _extra(told: Told) -> str | None:
    reason = {"reason": told.reason} if told.reason and told.reason != "completed" else {}
    return dumped(told.extra | reason)
