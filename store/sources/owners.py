"""Which of our sessions a foreign row belongs to: sessions come in here, and their children ask here."""

from __future__ import annotations

from collections.abc import Sequence

from ..records import Session
from ..sessions import INSERT
from ..store import Store
from .claude_mem_records import AGENT, AGENTS, CONTENT_ID, MEMORY_ID, session
from .foreign_row import ForeignRow
from .landing import Landing
from .report import Report


class Owners:
    """The sessions of one source, by each of the ids that their children name."""

    def __init__(self, store: Store, report: Report) -> None:
        self.store = store
        self.report = report
        self.counts = report.of("sessions")
        self.landing = Landing(store, report.source, "sessions", INSERT, self.counts)
        self._ids: dict[tuple[str, str], int] = {}

    def take(self, rows: Sequence[ForeignRow]) -> None:
        """Bring sessions in; one unit of work."""
        with self.store.unit():
            for row in rows:
                content_id, memory_id = row.text(*CONTENT_ID), row.text(*MEMORY_ID)
                number = self._take(row, content_id, memory_id)
                self._learn(number, native=row.native_id, content=content_id, memory=memory_id)

    def of(self, row: ForeignRow) -> int:
        """The session of a child row; one that its source has lost is made."""
        content_id, memory_id = row.text(*CONTENT_ID), row.text(*MEMORY_ID)
        native = row.text("session_db_id")
        named = (("native", native), ("content", content_id), ("memory", memory_id))
        for kind, name in named:
            if name is not None and (kind, name) in self._ids:
                return self._ids[kind, name]
        key = content_id or memory_id or "unknown"
        row.warn(f"its session is missing; it went to session {key}")
        number = self._stub(key, row)
        self._learn(number, content=content_id, memory=memory_id)
        return number

    def _learn(self, number: int, **names: str | None) -> None:
        for kind, name in names.items():
            if name is not None:
                self._ids.setdefault((kind, name), number)

    def _take(self, row: ForeignRow, content_id: str | None, memory_id: str | None) -> int:
        platform = row.text("platform_source")
        agent = AGENTS.get(platform, platform) if platform else AGENT
        key = content_id or memory_id or f"{self.report.source}:{row.native_id}"
        own = self._known(row)
        same = self.store.sessions.find(key, agent)
        if same is not None and same.id != own:
            return self._join(same, row, memory_id)
        if memory_id is not None and self._is_taken(memory_id, own):
            row.warn(f"memory session {memory_id} is another session's already; kept there only")
            row.keep("memory_session_id", memory_id)
            memory_id = None
        self.landing.put([session(row, key, memory_id, agent)])
        number = self._known(row)
        assert number is not None
        return number

    def _join(self, same: Session, row: ForeignRow, memory_id: str | None) -> int:
        """A session that is here already gains only what was unknown of it."""
        joined = self.store.sessions.start(
            same.content_session_id,
            agent=same.agent,
            project=row.text("project") or "",
            title=row.text("custom_title"),
        )
        if memory_id and joined.memory_session_id is None and not self._is_taken(memory_id):
            joined = self.store.sessions.link(joined, memory_id)
        if joined == same:
            self.counts.unchanged += 1
        else:
            self.counts.changed += 1
        return joined.id

    def _is_taken(self, memory_id: str, own: int | None = None) -> bool:
        return bool(
            self.store.sessions.where(
                "memory_session_id = ? AND id IS NOT ? LIMIT 1", (memory_id, own)
            )
        )

    def _known(self, row: ForeignRow) -> int | None:
        found = self.landing.known([row.native_id]).get(row.native_id)
        return found[0] if found else None

    def _stub(self, key: str, row: ForeignRow) -> int:
        if found := self.store.sessions.find(key, AGENT):
            return found.id
        self.report.stubs += 1
        stub = self.store.sessions.start(
            key,
            agent=AGENT,
            project=row.text("project") or "",
            at=row.moment("created_at") or 0,
            source=self.report.source,
            native_id=f"stub:{key}",
        )
        return stub.id
