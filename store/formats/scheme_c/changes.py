"""What has to be written to a directory: the records that may go out, what the directory has of each, how
its files were when last read, and what of this differs; and the report of a sync."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...platform.clock import now_ms
from ...records.dataclasses import dataclass, field
from ...records.kinds import KIND_OF, TABLES
from ...records.rows import Common, Fact, Note
from ...store import Store
from ...tables.base import columns, to_record
from ..common.scope import Scope
from . import rendering as parts
from .directory import NOTES, REWRITTEN
from .lines import open_in
from .rendering import LineValues, fact_payload, file_of, gone, lines_of

if TYPE_CHECKING:
    from ..common.report import Report


class RecordChange(NamedTuple):
    """Lines about one record for a file, and what the directory has of the record once they are
    written.

    `native_id` is the line of another program that the record was made of, None for none.
    """

    lines: list[LineValues]
    synced: SyncedRecord
    native_id: str | None = None
    is_gone: bool = False


def changes(store: Store, directory: str) -> Iterator[list[RecordChange]]:
    """Yield the changes in lists, kind by kind."""
    public, baseline = Public(store, directory), Baseline(store, directory)
    for kind in parts.KINDS:
        known = baseline.known(kind)
        for page in public.pages(kind):
            yield [
                change
                for record, values in page
                if (change := _told(store, directory, record, values, known.pop(record.uid, None)))
            ]
        yield list(_hidden(store, directory, kind, known))


def _told(
    store: Store,
    directory: str,
    record: Common,
    values: parts.Payload,
    known: tuple[str, str] | None,
) -> RecordChange | None:
    mark = parts.payload_hash(values)
    if known is not None and known[1] == mark:
        return None
    file = known[0] if known and known[0] in REWRITTEN else file_of(record)
    native_id = foreign_line(store, directory, values["kind"], record, file)
    return RecordChange(
        lines_of(record, values), SyncedRecord(record.uid, values["kind"], file, mark), native_id
    )


def _hidden(
    store: Store, directory: str, kind: str, known: dict[str, tuple[str, str]]
) -> Iterator[RecordChange]:
    """Yield tombstones of what the directory has and nobody is to see any more."""
    for uid, (file, mark) in known.items():
        row = store.db.execute(
            f"SELECT id, deleted_at, hlc, editor FROM {TABLES[kind]} WHERE uid = ?", (uid,)
        ).fetchone()
        number, deleted_at, hlc, editor = row or (0, None, now_ms() << 16, store.machine_id)
        values = parts.tombstone(kind, uid, deleted_at or now_ms(), hlc, editor)
        if parts.payload_hash(values) == mark:
            continue
        native_id = None
        if number:
            table = getattr(store, TABLES[kind])
            native_id = foreign_line(store, directory, kind, table.get(number), file)
        synced = SyncedRecord(uid, kind, file, parts.payload_hash(values))
        yield RecordChange([gone(uid, values)], synced, native_id, is_gone=True)


def foreign_line(store: Store, directory: str, kind: str, record: Common, file: str) -> str | None:
    """Return the name of the line, by another program, that a file holds of a record; None for
    none."""
    if kind == "fact":
        result = store.db.execute(
            "SELECT native_id FROM fact_sources WHERE fact_id = ? AND source = ? "
            "AND native_id BETWEEN ? AND ? ORDER BY told_at DESC, native_id LIMIT 1",
            (record.id, directory, f"{file}#", f"{file}$"),
        ).get
        return None if result is None else str(result)
    if kind != "session" and record.source == directory and record.native_id and "#" in record.native_id:
        return record.native_id
    return None


PAGE = 500

_IN_SESSIONS = ("prompt", "observation", "summary")
_HIDDEN_FIRST = (
    "EXISTS (SELECT 1 FROM prompts WHERE session_id = ? AND text = ? "
    "AND (private = 1 OR deleted_at IS NOT NULL))"
)

PublicRecord = tuple[Common, parts.Payload]


class Public:
    """The public records of a store, or those of them that a scope chose, as one directory gets them."""

    def __init__(self, store: Store, directory: str, scope: Scope | None = None) -> None:
        self.store = store
        self.directory = directory
        self.scope = scope or Scope(waiting=False)

    def pages(self, kind: str) -> Iterator[list[PublicRecord]]:
        """Yield all public records of a kind with their payloads, in lists of up to 500, by their
        numbers."""
        last = 0
        while page := self._page(kind, "t.id > ?", last):
            last = page[-1][0].id
            yield page

    def of(self, kind: str, number: int) -> PublicRecord | None:
        """Return one record of a kind with its payload; None when it isn't public."""
        page = self._page(kind, "t.id = ?", number)
        return page[0] if page else None

    def _page(self, kind: str, condition: str, value: int) -> list[PublicRecord]:
        table, record = TABLES[kind], parts.KINDS[kind]
        owner, join = "NULL, NULL", ""
        if kind in _IN_SESSIONS:
            owner = "s.agent, s.content_session_id"
            join = "JOIN sessions s ON s.id = t.session_id"
        rows = self.store.db.execute(
            f"SELECT {owner}, {columns(record, 't')} FROM {table} t {join} "
            f"WHERE {condition} AND {self.scope.condition(table)} ORDER BY t.id LIMIT {PAGE}",
            (value,),
        ).fetchall()
        return [self._with_payload(kind, row) for row in rows]

    def _with_payload(self, kind: str, row: Any) -> PublicRecord:
        agent, session, *values = row
        record: Common = to_record(parts.KINDS[kind], values)
        if isinstance(record, Fact):
            return record, fact_payload(record, self.store.facts.sources_of(record), self.directory)
        payload = parts.payload(record, None if session is None else (agent, session))
        if isinstance(record, Note) and (file := file_in(record, self.directory)):
            # Its text stands there, and whoever reads that knows where it comes from.
            for name in ("text", "source", "native_id"):
                payload.pop(name, None)
            payload["file"] = file
        if kind == "session" and "first_prompt" in payload:
            hidden = f"SELECT {_HIDDEN_FIRST}"
            if self.store.db.execute(hidden, (record.id, payload["first_prompt"])).get:
                del payload["first_prompt"]
        return record, payload


def file_in(note: Note, directory: str) -> str | None:
    """Return the file of a directory that a note is; None when it is none of its files."""
    if note.source == directory and note.native_id in NOTES:
        return note.native_id
    if note.source != directory and note.project == "" and note.path in NOTES:
        return note.path
    return None


_PUT = """
INSERT INTO synced_records (directory, uid, kind, file, hash) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (directory, uid) DO UPDATE SET hash = excluded.hash, file = excluded.file
"""
_PUT_NEW = _PUT.replace("DO UPDATE SET hash = excluded.hash, file = excluded.file", "DO NOTHING")

_CHUNK = 1 << 20


class SyncedRecord(NamedTuple):
    """What a file of a directory says of a record: `mark` is its hash."""

    uid: str
    kind: str
    file: str
    mark: str


class Baseline:
    """The synced_records of one directory."""

    def __init__(self, store: Store, directory: str) -> None:
        self.db = store.db
        self.directory = directory
        self.public = Public(store, directory)

    def record(self, table: str, numbers: Iterable[int], *, only_new: bool = False) -> None:
        """Store that the directory has these records as they are now."""
        kind = KIND_OF[table]
        records = (self.public.of(kind, number) for number in numbers)
        self.db.executemany(
            _PUT_NEW if only_new else _PUT,
            [
                (self.directory, record.uid, kind, file_of(record), parts.payload_hash(values))
                for record, values in filter(None, records)
            ],
        )

    def lies_in(self, path: Path) -> None:
        """Store where the directory lies."""
        self.db.execute(
            "INSERT INTO directories VALUES (?1, ?2) "
            "ON CONFLICT (directory) DO UPDATE SET path = ?2 WHERE path <> ?2",
            (self.directory, str(path.resolve())),
        )

    def put(self, synced: SyncedRecord) -> None:
        """Store what a line of the directory says of a record."""
        uid, kind, file, mark = synced
        self.db.execute(_PUT, (self.directory, uid, kind, file, mark))

    def known(self, kind: str) -> dict[str, tuple[str, str]]:
        """Return file and hash of every record of a kind that the directory has, by uid."""
        rows = self.db.execute(
            "SELECT uid, file, hash FROM synced_records WHERE directory = ? AND kind = ?",
            (self.directory, kind),
        )
        return {uid: (file, mark) for uid, file, mark in rows}


class State(NamedTuple):
    """A file's size in bytes, and a hash of its content."""

    bytes: int
    hash: str


class SyncedFiles:
    """The synced_files of one directory."""

    def __init__(self, store: Store, path: Path, directory: str) -> None:
        self.store = store
        self.path = path
        self.directory = directory
        self.before: dict[str, State] = {
            file: State(size, mark)
            for file, size, mark in store.db.execute(
                "SELECT file, bytes, hash FROM synced_files WHERE directory = ?", (directory,)
            )
        }
        self.present: dict[str, State] = {}

    def changed(self, files: Iterable[str]) -> list[str]:
        """Return those of these files that have changed since they were last read."""
        results = []
        for file in files:
            self.present[file] = state_of(self.path, file)
            if self.present[file] != self.before.get(file):
                results.append(file)
        return results

    def was(self, file: str) -> State | None:
        """Return a file's state when this sync began to read; None when it wasn't there."""
        return self.present.get(file)

    def keep(self) -> None:
        """Store that all that was there when this sync began is read now."""
        self._put(self.present)

    def keep_own(self, file: str, data: bytes) -> None:
        """Store that the file holds exactly this now, which is known."""
        self._put({file: State(len(data), blake2b(data, digest_size=16).hexdigest())})

    def keep_longer(self, file: str, size: int) -> None:
        """Store that this sync has added to a file until it had `size` bytes, unless others have
        written to it as well."""
        present = state_of(self.path, file)
        if present.bytes == size:
            self._put({file: present})

    def _put(self, states: dict[str, State]) -> None:
        with self.store.transaction():
            self.store.db.executemany(
                "INSERT OR REPLACE INTO synced_files VALUES (?, ?, ?, ?)",
                [(self.directory, file, *state) for file, state in states.items()],
            )


def state_of(path: Path, name: str) -> State:
    """Return a file's state now; of -1 bytes when it can't be read."""
    digest = blake2b(digest_size=16)
    size = 0
    try:
        with open_in(path, name) as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
    except OSError:
        return State(-1, "")
    return State(size, digest.hexdigest())


@dataclass(slots=True)
class SyncReport:
    """The outcome of a sync: `read` is what came in, `written` how many lines went out by kind,
    `gone` how many of these are tombstones, `files` those that were written to, `notes` what the
    user should know, `conflicts` what both sides changed and neither got."""

    directory: str
    read: Report
    written: dict[str, int] = field(default_factory=dict)
    gone: int = 0
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    is_dry_run: bool = False

    def wrote(self, kind: str, file: str) -> None:
        """Count a line of a kind that goes to a file."""
        self.written[kind] = self.written.get(kind, 0) + 1
        if file not in self.files:
            self.files.append(file)

    @property
    def is_in_step(self) -> bool:
        """Whether there was nothing to do."""
        return not (self.written or self.files or self.read.changes)
