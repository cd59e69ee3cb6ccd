"""History: what was changed, when and by whom; and the versions of a record, by walking the journal's
changesets back from the row as it is; and who made a change, in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import apsw

from ..database import recording
from ..database.journal import Journal
from ..database.journal.undo import shown
from ..database.recording import CLOCKS, column_names
from ..platform.errors import NotFoundError
from ..platform.translation import _
from ..records.dataclasses import annotations_of, dataclass
from ..records.fields import NAMES, TITLES
from ..records.kinds import KIND_OF, TABLES, kind_of, ref
from ..records.rows import Common, Note, Record, Session
from .base import Table, read_object, to_record

AnyRecord = Record | Note | Session

COLUMNS = """
c.id, c.at, c.what, c.via, c.agent, c.actor,
(SELECT name FROM hosts WHERE id = c.host), c.undone_at,
c.undone_after IS NOT NULL AND c.undone_after = (SELECT max(id) FROM changes),
EXISTS (SELECT 1 FROM changes WHERE (id = c.id OR part_of = c.id) AND changeset <> x''),
(SELECT count(*) FROM changed_rows r JOIN changes p ON p.id = r.change_id
    WHERE p.id = c.id OR p.part_of = c.id)
"""
OF_PROJECT = {
    "sessions": "SELECT 1 FROM sessions t WHERE t.id = r.record_id AND t.project = :project",
    "prompts": "SELECT 1 FROM prompts p JOIN sessions t ON t.id = p.session_id "
    "WHERE p.id = r.record_id AND t.project = :project",
    "observations": "SELECT 1 FROM observations t WHERE t.id = r.record_id AND t.project = :project",
    "summaries": "SELECT 1 FROM summaries t WHERE t.id = r.record_id AND t.project = :project",
    "facts": "SELECT 1 FROM facts t WHERE t.id = r.record_id AND t.project = :project",
    "notes": "SELECT 1 FROM notes t WHERE t.id = r.record_id AND t.project = :project",
}
PART = "r.change_id IN (SELECT id FROM changes WHERE id = c.id OR part_of = c.id)"
EVENTS = """
SELECT id, at, what, via, agent, actor, (SELECT name FROM hosts WHERE id = c.host), changeset,
    undone_at, coalesce(undone_via, ''), undone_agent,
    (SELECT name FROM hosts WHERE id = c.undone_host),
    (SELECT undo_changeset FROM changes WHERE id = coalesce(c.part_of, c.id))
FROM changes c WHERE
    EXISTS (SELECT 1 FROM changed_rows
        WHERE change_id = c.id AND kind = ?1 AND record_id = ?2 AND uid = ?3)
    OR NOT EXISTS (SELECT 1 FROM changed_rows WHERE change_id = c.id)
"""
TOLD_BY = """
SELECT channel FROM captured_events WHERE session_id = ?1 AND record_id = ?2
    AND kind IN (SELECT value FROM json_each(
        CASE ?3 WHEN 'prompt' THEN '["prompt"]' WHEN 'observation' THEN '["tool", "reply"]' END))
"""
"""How a record came in: hook, transcript or both."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """An action as the journal has it. `via` is the command ("mem edit") or key ("e in memtui"), `agent`
    the agent that ran it (None for a person), `host` the name of the machine that it ran on, None where
    nobody noted it, `machine` the id of the memory that it was made in. `records` is how many it
    changed. Times are ms."""

    id: int
    at: int
    what: str
    via: str
    agent: str | None
    machine: str
    host: str | None
    undone_at: int | None
    can_redo: bool
    is_recorded: bool
    """Whether it can be taken back; a purge or an import can't."""
    records: int


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """What an action did to one record: `fields` are names with the values before and after, as texts,
    lists, numbers or None; `op` is INSERT, UPDATE or DELETE."""

    ref: str
    title: str
    op: str
    fields: tuple[tuple[str, Any, Any], ...]


@dataclass(frozen=True, slots=True)
class Version:
    """A record as it was from a moment on. `number` counts from 1, the oldest that is known; `at` is
    None where nobody noted when; `changed` are the fields that differ from the version before."""

    number: int
    at: int | None
    what: str
    via: str
    agent: str | None
    machine: str
    host: str | None
    change_id: int | None
    record: AnyRecord
    changed: tuple[str, ...]


@dataclass(slots=True)
class _Event:
    at: int
    what: str
    via: str
    agent: str | None
    machine: str
    host: str | None
    change_id: int
    op: str
    before: dict[str, Any]
    after: dict[str, Any]


_UNKNOWN = _Event(
    0, _("changed by an agent, an import or another program"), "", None, "", None, 0, "", {}, {}
)


class History:
    """What the journal tells of the past. It is asked inside a snapshot."""

    def __init__(self, journal: Journal, tables: Mapping[str, Table[Any]]) -> None:
        self.db = journal.db
        self.tables = tables

    def changes(
        self,
        *,
        project: str | None = None,
        kind: str | None = None,
        before: int | None = None,
        since: int | None = None,
        start: int = 0,
        limit: int = 50,
    ) -> list[JournalEntry]:
        """Return a page of actions from `start` on, the newest first: those older than the change
        `before`, not older than `since` (ms), that changed records of a kind, or of a project."""
        sql = (
            f"SELECT {COLUMNS} FROM changes c WHERE {_conditions(project, kind, before, since)} "
            "ORDER BY c.id DESC LIMIT :limit OFFSET :start"
        )
        values = {"project": project, "kind": TABLES.get(kind or ""), "before": before}
        rows = self.db.execute(sql, values | {"since": since, "limit": limit, "start": start})
        return [_change(row) for row in rows]

    def change_count(
        self, *, project: str | None = None, kind: str | None = None, since: int | None = None
    ) -> int:
        """Count the actions that `changes` gives."""
        sql = f"SELECT count(*) FROM changes c WHERE {_conditions(project, kind, None, since)}"
        values = {"project": project, "kind": TABLES.get(kind or ""), "since": since}
        return int(self.db.execute(sql, values).get)

    def change(self, number: int) -> JournalEntry:
        """Return an action by its number, or that of a part of it; NotFoundError."""
        sql = (
            f"SELECT {COLUMNS} FROM changes c "
            "WHERE c.id = (SELECT coalesce(part_of, id) FROM changes WHERE id = ?)"
        )
        row: Any = self.db.execute(sql, (number,)).fetchone()
        if row is None:
            raise NotFoundError("There is no change {number}. `mem history` lists them.", number=number)
        return _change(row)

    def records_of(self, number: int, start: int = 0, limit: int = 200) -> list[ChangedRecord]:
        """Return what an action did to records, `limit` of them from `start` on."""
        records: list[ChangedRecord] = []
        sql = "SELECT changeset FROM changes WHERE id = ?1 OR part_of = ?1 ORDER BY id"
        parts: list[Any] = self.db.execute(sql, (number,)).fetchall()
        seen = 0
        for (changeset,) in parts:
            for change in apsw.Changeset.iter(changeset):
                if change.name not in KIND_OF:
                    continue
                record = self._told(change)
                if record is None:
                    continue
                seen += 1
                if seen > start:
                    records.append(record)
                if len(records) == limit:
                    return records
        return records

    def _told(self, change: apsw.TableChange) -> ChangedRecord | None:
        kind = KIND_OF[change.name]
        record = self.tables[kind].record
        op, number, before, after = self._images(change)
        hidden = {"id", "uid", "origin", "fingerprint", "statement", "extra", *CLOCKS}
        names = [name for name in {**before, **after} if name not in hidden]
        fields = tuple(
            (
                name,
                _readable(record, name, before.get(name)),
                _readable(record, name, after.get(name)),
            )
            for name in names
            if before.get(name) != after.get(name)
        )
        if op == "UPDATE" and not fields:
            return None
        sql = f"SELECT substr({TITLES[change.name]}, 1, 200) FROM {change.name} WHERE id = ?"
        title = self.db.execute(sql, (number,)).get
        if title is None:
            whole = after or before
            title = next((str(whole[name]) for name in NAMES[kind] if whole.get(name)), "")
        return ChangedRecord(ref(kind, number), str(title).strip().split("\n", 1)[0], op, fields)

    def versions(self, record: AnyRecord) -> list[Version]:
        """Return the versions of a record, the newest first; at least one."""
        kind = kind_of(record)
        table = TABLES[kind]
        names = column_names(self.db, table)
        row: Any = self.db.execute(f"SELECT * FROM {table} WHERE id = ?", (record.id,)).fetchone()
        if row is None:
            raise NotFoundError("Record {uid} is gone.", uid=record.uid)
        state = dict(zip(names, row, strict=True))
        events = sorted(self._events(table, record), key=lambda item: (item.at, item.change_id))
        steps: list[tuple[_Event | None, dict[str, Any]]] = []
        is_new = False
        for event in reversed(events):
            known = {name: value for name, value in event.after.items() if name in state}
            if event.op != "DELETE" and any(state[name] != value for name, value in known.items()):
                # What stood there then is not what stands now: somebody else has written between.
                steps.append((None, dict(state)))
                state |= known
            steps.append((event, dict(state)))
            is_new = event.op == "INSERT"
            if is_new:
                break
            state |= {name: value for name, value in event.before.items() if name in state}
        first = self._first(kind, record, state)
        if not is_new:
            steps.append((first, dict(state)))
        return self._numbered(record, steps)

    def _numbered(
        self, record: AnyRecord, steps: list[tuple[_Event | None, dict[str, Any]]]
    ) -> list[Version]:
        versions: list[Version] = []
        cls = type(record)
        before: Any = None
        for number, (event, state) in enumerate(reversed(steps), 1):
            as_it_was: Any = to_record(cls, [state[name] for name in annotations_of(cls)])
            changed = tuple(
                name
                for name in annotations_of(cls)
                if name not in CLOCKS
                and before is not None
                and getattr(before, name) != getattr(as_it_was, name)
            )
            by = event or _UNKNOWN
            versions.append(
                Version(
                    number,
                    event and event.at,
                    shown(by.what),
                    by.via,
                    by.agent,
                    by.machine,
                    by.host,
                    by.change_id or None,
                    as_it_was,
                    changed,
                )
            )
            before = as_it_was
        return versions[::-1]

    def _events(self, table: str, record: Common) -> Iterator[_Event]:
        """Yield what actions did to a record, and what undoing them did."""
        rows: list[Any] = self.db.execute(EVENTS, (table, record.id, record.uid)).fetchall()
        for number, at, what, via, agent, machine, host, changeset, *undoing, effect in rows:
            if result := self._find(changeset, table, record):
                yield _Event(at, what, via, agent, machine, host, number, *result)
            undone_at, undone_via, undone_agent, undone_host = undoing
            if undone_at is not None and effect and (result := self._find(effect, table, record)):
                by = undone_via, undone_agent, machine, undone_host
                yield _Event(undone_at, _("undone: {change}", change=shown(what)), *by, number, *result)

    def _find(
        self, changeset: bytes, table: str, record: Common
    ) -> tuple[str, dict[str, Any], dict[str, Any]] | None:
        for change in apsw.Changeset.iter(changeset):
            if change.name == table:
                op, number, before, after = self._images(change)
                if number == record.id and (before or after).get("uid", record.uid) == record.uid:
                    before = {key: item for key, item in before.items() if key not in CLOCKS}
                    after = {key: entry for key, entry in after.items() if key not in CLOCKS}
                    return (op, before, after) if before or after else None
        return None

    def _images(self, change: apsw.TableChange) -> tuple[str, int, dict[str, Any], dict[str, Any]]:
        """Return a change's kind, its record's id, and the columns before and after, as far as they
        differ."""
        names = column_names(self.db, change.name)
        old: Any = change.old or ()
        new: Any = change.new or ()
        before = dict(zip(names, old, strict=False))
        after = dict(zip(names, new, strict=False))
        number = int((before or after)["id"])
        if change.op == "UPDATE":
            after = {name: item for name, item in after.items() if item is not apsw.no_change}
            before = {name: before[name] for name in after}
        return str(change.op), number, before, after

    def _first(self, kind: str, record: Common, state: dict[str, Any]) -> _Event:
        """Return how a record came to be that no change of the journal made."""
        session = state.get("session_id")
        agent: Any = self.db.execute("SELECT agent FROM sessions WHERE id = ?", (session,)).get
        channel: Any = self.db.execute(TOLD_BY, (session, record.id, kind)).get
        via = _("import from {source}", source=record.source) if record.source else ""
        if not via:
            # A model's words about an event are the model's.
            observer = str(read_object(state.get("extra")).get("observer", ""))
            heard = {"transcript": "transcript", None: ""}.get(channel, "hook")
            via = observer if observer.startswith("model") else heard or observer
        at, origin = int(state["created_at"]), str(state["origin"])
        made = agent if agent != "manual" and not record.source else None
        what = _("{kind} {ref} stored", kind=_(kind), ref=ref(kind, record.id))
        return _Event(at, what, via, made, origin, None, 0, "", {}, {})


def _conditions(project: str | None, kind: str | None, before: int | None, since: int | None) -> str:
    """Return what actions have to meet, in SQL, with a parameter for each of these that is given."""
    conditions = ["c.part_of IS NULL"]
    if before is not None:
        conditions.append("c.id < :before")
    if since is not None:
        conditions.append("c.at >= :since")
    if kind is not None:
        conditions.append(f"EXISTS (SELECT 1 FROM changed_rows r WHERE {PART} AND r.kind = :kind)")
    if project is not None:
        kinds = " OR ".join(f"(r.kind = '{table}' AND EXISTS ({sql}))" for table, sql in OF_PROJECT.items())
        conditions.append(f"EXISTS (SELECT 1 FROM changed_rows r WHERE {PART} AND ({kinds}))")
    return " AND ".join(conditions)


def _change(row: Any) -> JournalEntry:
    number, at, what, *by, undone_at, can_redo, is_recorded, records = row
    if not is_recorded:
        # An undo passes over it; nothing was taken back, and nothing can be done again.
        undone_at, can_redo = None, False
    via, agent, machine, host = by
    flags = bool(can_redo), bool(is_recorded)
    return JournalEntry(number, at, shown(what), via, agent, machine, host, undone_at, *flags, records)


def _readable(record: Any, name: str, value: Any) -> Any:
    """Return a column's value as people read it: a list as a tuple, a flag as a truth."""
    annotation = annotations_of(record).get(name)
    if annotation == "tuple[str, ...]" and isinstance(value, str):
        try:
            result = json.loads(value)
        except ValueError:
            return value
        return tuple(map(str, result)) if isinstance(result, list) else value
    if annotation == "bool" and value is not None:
        return bool(value)
    return value


CHANNELS = ("hook", "transcript")
"""What an agent writes by without a command; shown after its name: "codex hook"."""

IN_BROWSER = " in memtui"
"""What stands behind a key of the browser."""


def maker(item: JournalEntry | Version, here: str) -> str:
    """Return by what, by whom and where a change was made: "mem edit (codex) on atlas", "claude-code
    hook"; "" where nobody noted it. `here` is the id of this memory's machine."""
    place = where(item, here)
    return " ".join((by(item), place)).strip()


def short_maker(item: JournalEntry | Version, here: str) -> str:
    """Return what `maker` does, without the machine where it is this one."""
    return by(item) if item.host == recording.host_name() else maker(item, here)


def by(item: JournalEntry | Version) -> str:
    """Return the command or key, and the agent that ran it."""
    via = item.via
    if via.endswith(IN_BROWSER):
        via = _("{key} in memtui", key=via.removesuffix(IN_BROWSER))
    if via and item.agent:
        return f"{item.agent} {via}" if via in CHANNELS else f"{via} ({item.agent})"
    return via or item.agent or ""


def where(item: JournalEntry | Version, here: str) -> str:
    """Return the machine by its name, or by its id for a change that came from another memory."""
    if item.host:
        return _("on {machine}", machine=item.host)
    if item.machine in ("", here):
        return ""
    return _("on machine {id}", id=item.machine[:8])
