"""The state of rows for an exchange: what may leave of each, which changed since a peer was met, and
digests of all of them, by which two stores find where they differ.

A row's version is the list of what orders it (hybrid clock and editor of records). What is private never
leaves; what is deleted leaves without its text.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any, NamedTuple

import apsw

from ...formats.common.scope import IN_SESSIONS, RECORDS, Scope, choose
from ...formats.jsonl.export import columns_of_lines
from ...formats.jsonl.export import rows as exported
from ...formats.jsonl.layout import TABLES
from ...platform.clock import DAY_MS, now_ms
from ...store import Store
from ...tables.lists import read_list

MONTH_MS = 2_629_746_000
"""Milliseconds of a month of a digest: a twelfth of a mean year."""

VERSIONS_OF = {
    "purged": (),
    "renamed_records": ("into_uid",),
    "fact_sources": ("told_at", "confidence", "deleted_at", "evidence"),
    "merged_records": ("at", "into_uid"),
    "not_duplicates": (),
    "project_aliases": ("project",),
    "reports": ("at",),
    "saved_searches": ("updated_at",),
    "shared_files": ("hlc",),
}
"""The tables beside records that travel, of which both sides give what differs: the columns that a row's
version is made of."""

ORDER = (
    *("purged", "renamed_records", "sessions", "prompts", "observations", "summaries", "facts"),
    *("merged_records", "fact_sources", "notes", "not_duplicates", "project_aliases", "reports"),
    *("saved_searches", "shared_files"),
)
"""The tables that travel, what rows name before what names it."""

LIVE = Scope()
CHUNK = 500
"""So many rows are read at once."""

PROJECT = {
    **dict.fromkeys(
        ("sessions", "observations", "summaries", "facts", "notes", "shared_files"), "t.project"
    ),
    "prompts": "owner.project",
}
OWNED = "JOIN sessions owner ON owner.id = t.session_id"

AUTHORS = (
    "SELECT uid, author FROM team_rows WHERE kind = ? AND uid IN (SELECT value FROM json_each(?)) "
    "AND author IS NOT (SELECT member FROM team)"
)
"""Which teammates shared the records of these uids that others than one's own did."""

UNSAID = {"id", "uid", "hlc", "editor", "first_prompt", "prompt_counter"}
"""The keys of lines in which two stores may differ whose rows have the same version: its name, the version
itself, and what follows of a session's prompts."""
NAMES_ONLY = ("purged", "not_duplicates")
"""The tables of which two rows of one name say the same."""

COPIED = {
    "observations": ("title", "subtitle", "narrative", "text", "facts"),
    "summaries": ("request", "investigated", "learned", "completed", "next_steps", "notes", "text"),
    "facts": ("content",),
    "notes": ("text",),
}
"""The texts of which both versions are kept."""


SQL_OF = {"fact": "(SELECT uid FROM facts WHERE id = t.fact_id)", "evidence": "json(t.evidence)"}
"""How what lines have is read where it is no column as it stands."""

Line = dict[str, Any]
Version = list[Any]
Bucket = str
"""A range of rows as it travels: table, month and project, parted by blanks."""


def place_of(bucket: Bucket) -> tuple[int, str]:
    """Return what orders buckets as `ORDER` does their tables."""
    kind = bucket.split(" ", 1)[0]
    return (ORDER.index(kind) if kind in ORDER else len(ORDER), bucket)


UNKNOWN_THERE = (
    "m.came_from IS NOT :peer AND m.id > coalesce((SELECT sent FROM sync_peers WHERE machine = :peer), -1)"
)
"""The SQL condition of a mark `m` that its row's version neither came from a peer nor was given to it."""


class Here(NamedTuple):
    """The record here that a line is about."""

    id: int
    uid: str
    version: tuple[int, str]
    private: bool
    is_edited: bool
    """Whether who brings another version was not given this one: neither may have known the other."""
    is_joined: bool = False
    """Whether it had another uid than the line until now."""


class Digest(NamedTuple):
    """How many rows a bucket holds, and the sum of their hashes."""

    rows: int
    sum: int


def digest_of(*cells: object) -> int:
    """Return a number that stands for what a row says, with lists as columns or as lines have them, in any
    order of their items."""
    items = [sorted(_items(cell), key=str) if _is_list(cell) else cell for cell in cells]
    return int.from_bytes(blake2b(json.dumps(items).encode(), digest_size=6).digest())


def _is_list(cell: object) -> bool:
    return isinstance(cell, list) or (isinstance(cell, str) and cell[:1] == "[")


def _items(cell: Any) -> Iterable[str]:
    return cell if isinstance(cell, list) else read_list(cell)


def worth(cells: Sequence[object]) -> tuple[int, int]:
    """Return what orders rows of one version by what they say: that of which less was taken out counts."""
    return -sum(str(cell).count("[redacted ") for cell in cells), digest_of(*cells)


def said_by(line: Mapping[str, Any], names: Iterable[str]) -> list[object]:
    """Return what a line says under these names, as the row that it is of has it."""
    cells = (line.get(name) for name in names)
    return [int(cell) if isinstance(cell, bool) else cell for cell in cells]


def names_of(table: str) -> tuple[str, ...]:
    """Return what in a line of one of `VERSIONS_OF` names its row everywhere."""
    return ("fact", "source", "native_id") if table == "fact_sources" else TABLES[table].order


def name_and_version(table: str) -> tuple[str, str]:
    """Return the SQL of the name and of the version of a row `t` of one of `VERSIONS_OF`."""
    name, version = (
        [SQL_OF.get(column, f"t.{column}") for column in columns]
        for columns in (names_of(table), VERSIONS_OF[table])
    )
    return " || ' ' || ".join(name), f"json_array({', '.join(version)})"


def _handle(table: str) -> str:
    """Return the SQL by which a row of one of `VERSIONS_OF` is looked up here."""
    return "t.uid" if table == "fact_sources" else name_and_version(table)[0]


class RowState:
    """What a store has to give. Exclusions are read when it is made."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.db = store.db
        # In a file of its own that SQLite deletes: a purge that comes in meanwhile drops the store's
        # temporary tables.
        self._notes: apsw.Connection | None = None
        self._compares_rows = False
        self._said: dict[str, dict[str, str]] = {}
        queries = [str(query) for (query,) in self.db.execute("SELECT query FROM sync_exclusions")]
        self.excluded_projects = {query.removeprefix("project:") for query in queries if _is_project(query)}
        self._excluded_ids: dict[str, str] = {}
        if others := [query for query in queries if not _is_project(query)]:
            refs = [ref for query in others for ref in store.find(query).refs()]
            chosen = choose(self.db, refs, Scope(private=True, deleted=True)).chosen or {}
            # Their sessions hold other memories too.
            self._excluded_ids = {**chosen, "sessions": "[]"}

    def compare_rows(self) -> None:
        """Have the versions of rows stand for all that they say, too, in digests and listings."""
        self._compares_rows = True
        self.db.create_scalar_function("digest_of", digest_of, -1)

    def said(self, kind: str) -> dict[str, str]:
        """Return the SQL of all that rows `t` of a table say, by the keys of their lines."""
        if kind not in self._said:
            columns = columns_of_lines(self.db, kind, TABLES[kind], LIVE)
            self._said[kind] = {name: sql for name, sql in columns.items() if name not in UNSAID}
        return self._said[kind]

    def _whole(self, kind: str, version: str) -> str:
        """Return the SQL of the version (JSON) of a row as it is compared."""
        if not self._compares_rows or kind in NAMES_ONLY:
            return version
        return f"{version[:-1]}, digest_of({', '.join(self.said(kind).values())}))"

    def head(self) -> int:
        """Return the number of the newest mark."""
        sql = "SELECT seq FROM sqlite_sequence WHERE name = 'unsynced_rows'"
        return int(self.db.execute(sql).get or 0)

    def marked(self, peer: str, sent: int, head: int) -> dict[str, list[str]]:
        """Return what names the rows that a peer has to be given, by table, and those it refused."""
        uids: dict[str, list[str]] = {}
        sql = (
            "SELECT kind, key FROM unsynced_rows WHERE id > ?2 AND id <= ?3 AND came_from IS NOT ?1 "
            "UNION SELECT kind, key FROM sync_refused WHERE machine = ?1"
        )
        for kind, key in self.db.execute(sql, (peer, sent, head)):
            uids.setdefault(str(kind), []).append(str(key))
        return {kind: uids[kind] for kind in ORDER if kind in uids}

    def mark(self, kind: str, keys: Iterable[str]) -> None:
        """Mark rows as to be given to every peer, also where their mark was given before."""
        self.db.execute(
            "INSERT OR REPLACE INTO unsynced_rows (kind, key, note) SELECT ?1, value, "
            "(SELECT note FROM unsynced_rows WHERE kind = ?1 AND key = value) FROM json_each(?2)",
            (kind, json.dumps(sorted(keys))),
        )

    def lines(self, kind: str, keys: Collection[str], *, is_known_there: bool = False) -> Iterator[Line]:
        """Yield the lines of rows: whole, or without their text where they are deleted, or only that they
        are hidden now; of one that was always private only where the other side is known to have it."""
        wanted = list(keys)
        for start in range(0, len(wanted), CHUNK):
            chunk = wanted[start : start + CHUNK]
            if kind in RECORDS:
                yield from self._records(kind, chunk, is_known_there=is_known_there)
            else:
                yield from self._keyed(kind, chunk)

    def digests(self) -> dict[Bucket, Digest]:
        """Return the digest of each bucket of all rows that may leave. It takes some 3 s a million."""
        counts: dict[Bucket, int] = {}
        sums: dict[Bucket, int] = {}
        for kind in ORDER:
            for month, project, key, version, _ in self._scan(kind):
                bucket = f"{kind} {month} {project}"
                mark = blake2b(f"{key} {version}".encode(), digest_size=8).digest()
                counts[bucket] = counts.get(bucket, 0) + 1
                sums[bucket] = sums.get(bucket, 0) + int.from_bytes(mark)
        return {bucket: Digest(counts[bucket], sums[bucket] & (1 << 64) - 1) for bucket in counts}

    def listing(self, bucket: Bucket) -> dict[str, tuple[Version, str]]:
        """Return the version of each row of a bucket, and what it is looked up by here, by its name."""
        kind, month, project = bucket.split(" ", 2)
        return {
            key: (json.loads(version), handle)
            for _, _, key, version, handle in self._scan(kind, int(month), project)
        }

    def entries(self, buckets: Collection[Bucket] | None = None) -> Iterator[tuple[str, str, str, str]]:
        """Yield table, name, version (JSON) and handle of the rows of buckets, of which there may be
        hundreds, or of all: each table in one look."""
        for kind in ORDER:
            wanted = {bucket for bucket in buckets or () if bucket.startswith(f"{kind} ")}
            for month, project, key, version, handle in (
                self._scan(kind) if wanted or buckets is None else ()
            ):
                if buckets is None or f"{kind} {month} {project}" in wanted:
                    yield kind, key, version, handle

    def note_buckets(self, buckets: Collection[Bucket]) -> None:
        """Note the rows of buckets for `noted`, as they are now: rows that come in may move them."""
        self._notes = apsw.Connection("")
        self._notes.execute("CREATE TABLE noted_rows (kind, handle)")
        rows = ((kind, handle) for kind, _key, _version, handle in self.entries(buckets))
        with self._notes:
            self._notes.executemany("INSERT INTO noted_rows VALUES (?, ?)", rows)

    def noted(self, kind: str) -> Iterator[list[str]]:
        """Yield the rows of a table that were noted, some at a time."""
        after = 0
        sql = (
            "SELECT rowid, handle FROM noted_rows WHERE kind = ? AND rowid > ? "
            f"ORDER BY rowid LIMIT {CHUNK}"
        )
        while self._notes and (rows := self._notes.execute(sql, (kind, after)).fetchall()):
            after = int(str(rows[-1][0]))
            yield [str(handle) for _, handle in rows]

    def _scan(self, kind: str, month: int | None = None, project: str | None = None) -> Iterator[Any]:
        """Yield month, project, name, version (JSON) and handle of all rows of a table, or of a bucket."""
        for sql in self._of_records(kind) if kind in RECORDS else self._of_keyed(kind):
            condition = "" if month is None else " WHERE month = :month AND project = :project"
            values = {"month": month, "project": project} | self._bound()
            yield from self.db.execute(f"SELECT * FROM ({sql}){condition}", _used(sql + condition, values))

    def _of_records(self, kind: str) -> Iterator[str]:
        version = "json_array(t.hlc, t.editor)"
        join = OWNED if kind in IN_SESSIONS else ""
        private = "t.private = 0" + (" AND owner.private = 0" if join else "")
        owner = " AND owner.deleted_at IS NULL" if join else ""
        excluded = self._excluded(kind)
        whole = self._whole(kind, version)
        yield (
            f"SELECT t.created_at / {MONTH_MS} AS month, {PROJECT[kind]} AS project, t.uid, {whole}, "
            f"t.uid FROM {kind} t {join} WHERE {private} AND t.deleted_at IS NULL{owner}{excluded}"
        )
        yield (
            f"SELECT -1 - t.deleted_at / {MONTH_MS} AS month, '' AS project, t.uid, {version}, t.uid "
            f"FROM {kind} t {join} WHERE {private} AND t.deleted_at IS NOT NULL{excluded}"
        )
        yield (
            f"SELECT -1 - deleted_at / {MONTH_MS} AS month, '' AS project, uid, {version}, uid "
            f"FROM sync_tombstones t WHERE kind = '{kind}'"
        )

    def _of_keyed(self, kind: str) -> Iterator[str]:
        key, version = name_and_version(kind)
        condition = LIVE.condition(kind) + (self._excluded(kind) if kind in PROJECT else "")
        yield (
            f"SELECT 0 AS month, '' AS project, {key}, {self._whole(kind, version)}, {_handle(kind)} "
            f"FROM {kind} t WHERE {condition}"
        )

    def _excluded(self, kind: str) -> str:
        """Return the SQL condition, of rows `t`, that nothing excludes them."""
        condition = ""
        if self.excluded_projects:
            condition += f" AND {PROJECT[kind]} NOT IN (SELECT value FROM json_each(:excluded_projects))"
        if self._excluded_ids.get(kind, "[]") != "[]":
            condition += f" AND t.id NOT IN (SELECT value FROM json_each(:excluded_{kind}))"
        return condition

    def _bound(self) -> dict[str, Any]:
        return {
            "excluded_projects": json.dumps(sorted(self.excluded_projects)),
            **{f"excluded_{kind}": ids for kind, ids in self._excluded_ids.items()},
        }

    def _records(self, kind: str, keys: list[str], *, is_known_there: bool) -> Iterator[Line]:
        wanted = json.dumps(keys)
        notes = dict(
            self.db.execute(
                "SELECT key, note FROM unsynced_rows WHERE kind = ? AND note IS NOT NULL "
                "AND key IN (SELECT value FROM json_each(?))",
                (kind, wanted),
            )
        )
        self._leave_the_future(kind, wanted)
        left = set(keys)
        join = OWNED if kind in IN_SESSIONS else ""
        sql = (
            f"SELECT t.uid FROM {kind} t {join} WHERE t.uid IN (SELECT value FROM json_each(:keys))"
            f"{self._excluded(kind)}"
        )
        bound = {"keys": wanted} | self._bound()
        allowed = json.dumps([str(uid) for (uid,) in self.db.execute(sql, _used(sql, bound))])
        among = "t.uid IN (SELECT value FROM json_each(?))"
        authors = dict(self.db.execute(AUTHORS, (kind, allowed)))
        for line in exported(self.db, kind, TABLES[kind], LIVE, among, (allowed,)):
            left.discard(line["uid"])
            del line["id"]
            shown = {"shown": True} if notes.get(line["uid"]) == "shown" else {}
            author = {"author": authors[line["uid"]]} if line["uid"] in authors else {}
            yield {"table": kind} | line | shown | author
        hidden = left if is_known_there else {key for key in left if notes.get(key) == "hidden"}
        yield from self._gone(kind, left, hidden)

    def _gone(self, kind: str, keys: set[str], hidden: set[str]) -> Iterator[Line]:
        """Yield what may be said of rows that don't go out whole."""
        natural = [name for key in TABLES[kind].natural for name in key if name != "statement"]
        natural = [
            name for name in dict.fromkeys(natural) if kind != "facts" or name in ("source", "native_id")
        ]
        names = ("uid", "hlc", "editor", "updated_at", "deleted_at", "private", *natural)
        texts = COPIED.get(kind, ())
        join = OWNED if kind in IN_SESSIONS else ""
        is_open = "owner.private = 0" if join else "true"
        sql = (
            f"SELECT {', '.join(f't.{name}' for name in (*names, *texts))} FROM {kind} t {join} "
            f"WHERE t.uid IN (SELECT value FROM json_each(?)) AND {is_open}"
        )
        wanted = json.dumps(sorted(keys))
        rows: list[Any] = self.db.execute(sql, (wanted,)).fetchall()
        for cells in rows:
            values = {name: cell for name, cell in zip(names, cells, strict=False) if cell is not None}
            if values.pop("private"):
                if values["uid"] in hidden:
                    said = ("uid", "hlc", "editor", "updated_at", "deleted_at")
                    yield {"table": kind, "gone": "hidden"} | {name: values.get(name) for name in said}
            elif "deleted_at" in values:
                digest = {"texts": digest_of(*cells[len(names) :])} if texts else {}
                yield {"table": kind, "gone": "deleted"} | values | digest
        sql = (
            "SELECT uid, hlc, editor, deleted_at, deleted_at FROM sync_tombstones "
            "WHERE kind = ? AND uid IN (SELECT value FROM json_each(?))"
        )
        for cells in self.db.execute(sql, (kind, wanted)).fetchall():
            values = dict(zip(names[:5], cells, strict=True))
            yield {"table": kind, "gone": "deleted"} | values

    def _keyed(self, kind: str, keys: list[str]) -> Iterator[Line]:
        among = f"{_handle(kind)} IN (SELECT value FROM json_each(?))"
        for line in exported(self.db, kind, TABLES[kind], LIVE, among, (json.dumps(keys),)):
            line.pop("id", None)
            if kind not in PROJECT or line["project"] not in self.excluded_projects:
                yield {"table": kind} | line

    def _leave_the_future(self, kind: str, keys: str) -> None:
        """Give rows that were dated in a future the clock of now: a clock that was wrong wins nothing."""
        now = now_ms()
        with suppress(apsw.ReadOnlyError):
            self.db.execute(
                f"UPDATE {kind} SET hlc = ?2 << 16, updated_at = ?2 "
                "WHERE uid IN (SELECT value FROM json_each(?1)) AND hlc >> 16 > ?2 + ?3",
                (keys, now, DAY_MS),
            )


def known_here(
    db: apsw.Connection,
    kind: str,
    uids: Sequence[object],
    peer: str,
    *,
    is_team: bool = False,
    is_joined: bool = False,
) -> dict[str, Here]:
    """Return the records of a table that are here of these uids, as they are before a peer's versions."""
    # Of two notes of one path neither writer knew the other's.
    is_edited = "true" if is_joined and kind == "notes" else "m.id IS NOT NULL"
    is_unknown_there = UNKNOWN_THERE
    if is_team:
        # Another machine of one's own may have that version, and the team not.
        is_edited = (
            "iif(coalesce(k.version, '') = '', m.id IS NOT NULL, k.version <> t.hlc || ' ' || t.editor "
            "AND t.editor NOT IN (SELECT machine FROM team_machines))"
        )
        is_unknown_there = "m.came_from IS NULL AND m.was_sent = 0"
    sql = (
        f"SELECT t.id, t.uid, t.hlc, t.editor, t.private, {is_edited} "
        f"FROM {kind} t LEFT JOIN unsynced_rows m ON m.kind = '{kind}' AND m.key = t.uid "
        f"AND {is_unknown_there} LEFT JOIN team_rows k ON k.kind = '{kind}' AND k.uid = t.uid "
        "WHERE t.uid IN (SELECT value FROM json_each(:uids))"
    )
    rows = db.execute(sql, _used(sql, {"uids": json.dumps(uids), "peer": peer}))
    return {
        row[1]: Here(row[0], row[1], (row[2], row[3]), bool(row[4]), bool(row[5]), is_joined)
        for row in rows
    }


def is_changed(version: tuple[int, str], uid: str) -> bool:
    """Whether a version isn't the first of its record, whose clock is the time in its uid."""
    return f"{version[0]:016x}" != f"{uid.replace('-', '')[:12]}0000"


def versions_here(
    db: apsw.Connection, kind: str, uids: Sequence[str], table: str = ""
) -> dict[str, tuple[int, str]]:
    """Return the versions of the records of a table that are here of these uids, or of those in another
    table that names them by their kind."""
    condition = "AND kind = :kind" if table else ""
    sql = (
        f"SELECT uid, hlc, editor FROM {table or kind} "
        f"WHERE uid IN (SELECT value FROM json_each(:uids)) {condition}"
    )
    cursor = db.execute(sql, {"uids": json.dumps(uids), "kind": kind})
    return {uid: (hlc, editor) for uid, hlc, editor in cursor}


def is_later(record: Line, here: dict[str, Here]) -> bool:
    """Whether a line is a later version of a record that is here."""
    ours = here.get(str(record.get("uid")))
    return ours is not None and ours.version < version_of(record)


def version_of(line: Line) -> tuple[int, str]:
    return int(line.get("hlc") or 0), str(line.get("editor") or "")


def _is_project(query: str) -> bool:
    return query.startswith("project:") and " " not in query and "," not in query


def _used(sql: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the values that a statement binds."""
    return {name: value for name, value in values.items() if f":{name}" in sql}
