"""Which source a database is, by marks in it, so that a copy, an upgraded or a damaged one is the same;
which sessions of ours its rows belong to; and which rows it has lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from ...formats.common.report import Report
from ...formats.common.upsert import Mapped, Upsert, mark_vanished, unmark_vanished
from ...formats.sqlite.row import ForeignRow, read_rows
from ...formats.sqlite.table import columns
from ...platform.clock import now_ms
from ...platform.regular_file import open_regular
from ...platform.translation import _
from ...records.rows import Session
from ...store import Store
from ...tables.sessions import INSERT
from .mapping import ChildSource, NamedSession, Names, Program, SessionSource, Target

HEAD = 1 << 20
"""Bytes of a file that identify it where nothing in it does."""


def source_of(store: Store, db: apsw.Connection, path: Path, program: Program) -> str:
    """Return the name of this very database as a source, wherever it lies: `program:hash`.

    It goes by the time when its schema was first made, else by its first session, else by its first
    bytes.
    """
    schema, session = _schema_made(db), _first_session(db, program)
    marks = {
        kind: f"{program.name}:{kind}:{_hash(mark)}"
        for kind, mark in (("schema", schema), ("session", session))
        if mark
    }
    with store.transaction():
        source = _known(store, marks) or f"{program.name}:{_hash(schema or session or _head(path))}"
        for mark in marks.values():
            sql = "INSERT INTO source_marks VALUES (?, ?) ON CONFLICT DO NOTHING"
            store.db.execute(sql, (mark, source))
    return source


def _known(store: Store, marks: dict[str, str]) -> str | None:
    sql = "SELECT source FROM source_marks WHERE mark = ?"
    results: dict[str, str | None] = {
        kind: store.db.execute(sql, (mark,)).get for kind, mark in marks.items()
    }
    same = results.get("schema") or results.get("session")
    if results.get("schema") or "schema" not in marks or same is None:
        return same
    # Another file may have the same first session; it is another source if it tells of its schema.
    kinds = "SELECT EXISTS (SELECT 1 FROM source_marks WHERE source = ? AND mark LIKE '%:schema:%')"
    return None if store.db.execute(kinds, (same,)).get else same


def _schema_made(db: apsw.Connection) -> bytes | None:
    with suppress(apsw.Error):
        if "applied_at" in columns(db, "schema_versions"):
            sql = "SELECT CAST(applied_at AS BLOB) FROM schema_versions ORDER BY rowid LIMIT 1"
            result: bytes | None = db.execute(sql).get
            return result if result and b"\0" not in result else None
    return None


def _first_session(db: apsw.Connection, program: Program) -> bytes | None:
    for sessions in program.sessions:
        first = next(read_rows(db, sessions.table, Report("")), None)
        if first is not None:
            names = sessions.names(first)
            return (names.content or names.memory or "").encode() or None
    return None


def _head(path: Path) -> bytes:
    with open_regular(path) as file:
        return file.read(HEAD)


def _hash(mark: bytes) -> str:
    return blake2b(mark, digest_size=4).hexdigest()


VANISHED = _("its row is gone from the source; the record stays")


class Tombstones:
    """The native ids of the rows that an import has seen, by our table for them, in a temporary
    file; and the marks that follow from them."""

    def __init__(self) -> None:
        self.db = apsw.Connection("")
        self.db.execute("PRAGMA journal_mode = off; PRAGMA synchronous = off")
        self.db.execute("CREATE TABLE seen (kind TEXT, id TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID")

    def see(self, table: str, native_ids: Iterable[str]) -> None:
        """Note rows that the source has."""
        with self.db:
            self.db.executemany(
                "INSERT INTO seen VALUES (?, ?) ON CONFLICT DO NOTHING",
                ((table, text) for text in native_ids),
            )

    def mark(self, store: Store, kind: Target, report: Report, prefixes: dict[str, bool]) -> None:
        """Mark the records of a source whose rows were not seen, and unmark those whose rows are back.

        `prefixes` are those of the native ids of each table that the kind is read from, and whether
        the source has that table: of one that is missing nothing can be said.
        """
        counts = report.of(kind.name)
        now = now_ms()
        with store.transaction():
            for number, native_id, is_marked in self._changed(store, kind, report.source):
                prefix = native_id[: native_id.find(":") + 1]
                if not prefixes.get(prefix, prefixes.get("", False)):
                    continue
                if is_marked:
                    unmark_vanished(store.db, kind.table, number)
                    counts.returned += 1
                else:
                    mark_vanished(store.db, kind.table, number, now)
                    counts.vanished += 1
                    report.warn(kind.table, native_id, VANISHED)

    def _changed(self, store: Store, kind: Target, source: str) -> Iterator[tuple[int, str, bool]]:
        """Id and native id of a source's records that are marked and were seen, or neither; and
        whether each is marked."""
        ours = store.db.execute(
            "SELECT r.id, r.native_id, v.at IS NOT NULL "
            f"FROM {kind.table} r LEFT JOIN vanished v ON v.kind = ? AND v.record_id = r.id "
            "WHERE r.source = ? AND r.native_id NOT LIKE 'stub:%' ORDER BY r.native_id",
            (kind.table, source),
        )
        theirs = self.db.execute("SELECT id FROM seen WHERE kind = ? ORDER BY id", (kind.table,))
        there: Any = theirs.fetchone()
        for number, native_id, is_marked in ours:
            while there is not None and there[0] < native_id:
                there = theirs.fetchone()
            is_there = there is not None and there[0] == native_id
            if is_there == bool(is_marked):
                yield number, native_id, bool(is_marked)


REMEMBERED = 20_000
"""The most names that are kept in memory."""


class Owner(NamedTuple):
    """The session that a row belongs to: our number of it, its project in the source, and whether it was
    here already from elsewhere."""

    id: int
    project: str
    is_joined: bool = False


class SessionResolver:
    """The sessions of one source, by each of the ids that their children name. `before_stub` is
    called before a session is made for a child without one."""

    def __init__(
        self, store: Store, report: Report, program: Program, before_stub: Callable[[], None]
    ) -> None:
        self.store = store
        self.before_stub = before_stub
        self.report = report
        self.program = program
        self.counts = report.of("sessions")
        self.upsert = Upsert(store, report.source, "sessions", INSERT, self.counts, report)
        self.known = _KnownSessions()
        self.stubs: set[int] = set()
        """The sessions that were made in place of those that the source has lost."""

    def add_sessions(self, table: SessionSource, rows: Sequence[ForeignRow]) -> None:
        """Import rows of a session table, in one transaction."""
        with self.store.transaction():
            for row in rows:
                names = table.names(row)
                project = row.text("project")
                row.native_id = table.prefix + row.native_id
                owner = self._owner(self._session_id(table, row, names), project)
                self._remember(owner, names, row.native_id)

    def resolve(self, table: ChildSource, row: Mapped, named: NamedSession) -> Owner:
        """Return the session of a child row; one that its source has lost is made, with a warning."""
        native, content, memory, platform, project = named
        is_free = table.session_is_optional and not native
        if is_free:
            content = f"{self.program.name} {project}".strip()
        names = (
            ("n", table.sessions + native if native else None),
            ("c", f"{platform}\0{content}" if platform and content else None),
            ("c", content),
            ("m", memory),
        )
        owners = (self.known.get(kind + name) for kind, name in names if name is not None)
        owner = next(filter(None, owners), None)
        if owner is not None and owner.id not in self.stubs:
            return owner
        if table.content or table.memory:
            native = None
        key = content or memory or native or "unknown"
        if not is_free:
            message = _("its session is missing; it went to session {key}", key=key)
            self.report.warn(table.table, row.native_id.removeprefix(table.prefix), message)
        if owner is None:
            owner = self._stub(key, project, row.values["created_at"])
            self.stubs.add(owner.id)
            self._remember(owner, Names(content, memory, ""), native)
        return owner

    def _remember(self, owner: Owner, names: Names, native: str | None) -> None:
        if native is not None:
            self.known.add("n" + native, owner)
        if names.content is not None:
            self.known.add("c" + names.content, owner)
            self.known.add(f"c{names.agent}\0{names.content}", owner)
        if names.memory is not None:
            self.known.add("m" + names.memory, owner)

    def _session_id(self, table: SessionSource, row: ForeignRow, names: Names) -> int:
        """Return our number of a session: new, known from this source, or here already from
        elsewhere."""
        key = names.content or names.memory or f"{self.report.source}:{row.native_id}"
        own = self._imported_id(row)
        same = self.store.sessions.find(key, names.agent)
        if same is not None and same.id != own:
            return self._join(same, row, names)
        memory = names.memory
        if memory is not None and self._is_taken(memory, own):
            row.warn(
                _(
                    "memory session {memory} is another session's already; kept there only",
                    memory=memory,
                )
            )
            row.keep("memory_session_id", memory)
            memory = None
        mapped = table.mapped(row, Names(key, memory, names.agent))
        self.upsert.apply([mapped])
        number = self._imported_id(row)
        if number is None:
            number = self._stub(key, row.text("project") or "", mapped.values["created_at"]).id
        return number

    def _join(self, same: Session, row: ForeignRow, names: Names) -> int:
        """Fill in what is unknown of a session that is here already; return its number."""
        joined = self.store.sessions.start(
            same.content_session_id,
            agent=same.agent,
            project=row.text("project") or "",
            title=row.text("custom_title", "title"),
        )
        if names.memory and joined.memory_session_id is None and not self._is_taken(names.memory):
            joined = self.store.sessions.link(joined, names.memory)
        if joined == same:
            self.counts.unchanged += 1
        else:
            self.counts.changed += 1
        return joined.id

    def _is_taken(self, memory: str, own: int | None = None) -> bool:
        sql = "SELECT 1 FROM sessions WHERE memory_session_id = ? AND id IS NOT ?"
        return self.store.db.execute(sql, (memory, own)).get is not None

    def _imported_id(self, row: ForeignRow) -> int | None:
        sql = "SELECT id FROM sessions WHERE source = ? AND native_id = ?"
        result: int | None = self.store.db.execute(sql, (self.report.source, row.native_id)).get
        return result

    def _owner(self, number: int, project: str | None) -> Owner:
        sql = "SELECT project, source IS NOT ? FROM sessions WHERE id = ?"
        kept: Any = self.store.db.execute(sql, (self.report.source, number)).fetchone()
        return Owner(number, project or kept[0], bool(kept[1]))

    def _stub(self, key: str, project: str, at: int) -> Owner:
        self.before_stub()
        agent = self.program.agent
        session = self.store.sessions.find(key, agent)
        if session is None:
            self.report.stubs += 1
            session = self.store.sessions.start(
                key,
                agent=agent,
                project=project,
                at=at,
                source=self.report.source,
                native_id=f"stub:{key}",
            )
        return self._owner(session.id, session.project)


class _KnownSessions:
    """Owners by name, however many: those looked up last in memory, all in a temporary file."""

    def __init__(self) -> None:
        self.db = apsw.Connection("")
        self.db.execute("PRAGMA journal_mode = off; PRAGMA synchronous = off")
        self.db.execute(
            "CREATE TABLE owners (name TEXT PRIMARY KEY, id INTEGER, project TEXT, is_joined INTEGER) "
            "WITHOUT ROWID"
        )
        self.newest: dict[str, Owner] = {}

    def add(self, name: str, owner: Owner) -> None:
        """Remember the first owner of a name."""
        sql = "INSERT INTO owners VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        self.db.execute(sql, (name, *owner))

    def get(self, name: str) -> Owner | None:
        """Return the owner of a name; None for none."""
        if (owner := self.newest.get(name)) is not None:
            return owner
        sql = "SELECT id, project, is_joined FROM owners WHERE name = ?"
        row: Any = self.db.execute(sql, (name,)).fetchone()
        if row is None:
            return None
        if len(self.newest) >= REMEMBERED:
            self.newest.clear()
        self.newest[name] = Owner(*row)
        return self.newest[name]
