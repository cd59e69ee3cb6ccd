"""Purging rows: what is left is a row in `purged` without a word of what it said, so that no import
brings it back, and the event's own in `captured_events`, so that no transcript does.

All of it inside a transaction. What was purged from where it is quoted, `forget_quotes` takes out.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import apsw

from ...platform.clock import TOUCH, now_ms
from ...records.fields import LISTS
from ...records.kinds import KIND_OF, ref
from ..base import digest
from ..facts import fact_key
from ..merges import statement_key

if TYPE_CHECKING:
    from ...text.occurrences import Occurrences

EVENT_KINDS = {
    "prompts": ("prompt",), "observations": ("tool", "reply"), "summaries": ("compaction",),
}  # fmt: skip
"""The tables that retention purges, and the kinds of events that each is made of."""

UNFINISHED = "purge_unfinished"
"""The row of `meta` that stands while a purge isn't final on the disk."""

PURGED_SESSION = "purged-"
"""How the id of a session begins of which everything else is gone."""

UNSAID = frozenset(
    ("uid", "origin", "editor", "fingerprint", "content_hash", "source", "native_id", "agent",
     "status", "kind", "level", "type", "project", "project_path", "event_id", "lease_owner",
     "outcome", "evidence", "witnesses", "sources", "places", "session", "tool_name",
     "content_session_id", "memory_session_id", "continues", "branch", "cwd", "superseded_by")
)  # fmt: skip
"""Columns that say nothing of what is remembered, but where it came from."""

TRACES = frozenset(
    ("project", "project_path", "cwd", "type", "tool_name", "content_session_id",
     "memory_session_id", "continues", "branch", "session", "event_id")
)  # fmt: skip
"""Those of them that a person would know again."""

QUOTED_CHARACTERS = 12
"""A text of fewer characters is no quotation where it stands elsewhere."""

EMPTY_SESSION = f"""
UPDATE sessions SET title = NULL, first_prompt = NULL, extra = NULL, project = '',
    project_path = NULL, memory_session_id = NULL, content_session_id = :key, continues = NULL,
    branch = NULL, tags = '[]', pinned = 0, deleted_at = :now, {TOUCH}
WHERE id = :id
"""

FORGET_PARENT = f"UPDATE sessions SET continues = NULL, {TOUCH} WHERE continues = :gone"

OTHER_LEVELS = """
SELECT brief_id FROM summary_levels
WHERE session_id IN (SELECT session_id FROM summaries WHERE id IN (SELECT value FROM json_each(?1)))
    AND detailed_id IN (SELECT value FROM json_each(?1))
UNION SELECT detailed_id FROM summary_levels
WHERE detailed_id IS NOT NULL AND brief_id IN (SELECT value FROM json_each(?1))
"""


class PurgedTexts:
    """What the purged rows said, also before they were edited: whole texts, and items of lists."""

    def __init__(self) -> None:
        self.texts: dict[str, None] = {}
        self.items: dict[str, None] = {}
        self.names: set[str] = set()
        """The names of lines and files that rows came from: tombstones need them."""
        self.projects: set[str] = set()
        self.traces: dict[str, None] = {}
        """What columns held that say nothing of what is remembered, but may tell of whom."""

    def add(self, column: str, value: object) -> None:
        """Add the value of a column."""
        if not isinstance(value, str) or value in self.names:
            return
        if column == "project":
            self.projects.add(value)
        if column in TRACES:
            self.traces[value] = None
        if column in UNSAID:
            return
        if column in LISTS or column == "extra":
            self.items |= dict.fromkeys(_leaves(value))
        else:
            self.texts[value] = None

    @property
    def whole(self) -> str:
        """All of it as one text."""
        return "\n".join((*self.texts, *self.items))

    @property
    def quotations(self) -> Occurrences:
        """What is looked for where others may have quoted it."""
        from ...text.occurrences import Occurrences

        return Occurrences(text for text in self.texts if len(text) >= QUOTED_CHARACTERS)

    def gone(self, db: apsw.Connection) -> Occurrences:
        """What is looked for byte by byte: all but the names that memories still have."""
        from ...text.occurrences import Occurrences

        named = "SELECT value FROM label_names WHERE value IN (SELECT value FROM json_each(?))"
        alive = {name for (name,) in db.execute(named, (json.dumps([*self.items]),))}
        return Occurrences((*self.texts, *(item for item in self.items if item not in alive)))


AUTOMATIC = """
SELECT id FROM summaries WHERE session_id IN (SELECT value FROM json_each(?))
    AND json_valid(extra) AND extra ->> '$.observer' IS NOT NULL
"""
"""The automatic summaries of some sessions."""
SUMMED_UP = ("prompts", "observations")


def purge_rows(
    db: apsw.Connection, table: str, numbers: Iterable[int], said: PurgedTexts | None = None
) -> int:
    """Purge the records of a table with these ids, and the events and messages that they were made
    of; return how many there were. What they said is added to `said`. Of one whose adding was undone only
    the changes know."""
    from ...database.journal import forget_rows

    if table not in KIND_OF:
        raise ValueError(f"{table} is not purged")
    said = said or PurgedTexts()
    numbers = all_levels(db, numbers) if table == "summaries" else list(numbers)
    values: dict[str, Any] = {"ids": json.dumps(numbers), "now": now_ms()}
    chosen = "id IN (SELECT value FROM json_each(:ids))"
    rows = [*_rows(db, table, chosen, values)]
    values["ids"] = json.dumps([row["id"] for row in rows])
    said.names |= {row["native_id"] for row in rows}
    for row in rows:
        for column, value in row.items():
            said.add(column, value)
    _leave_tombstones(db, table, rows)
    if table == "prompts":
        _forget_prompts(db, values)
    if table == "observations":
        _take_messages(db, f"event_id IN (SELECT event_id FROM observations WHERE {chosen})", values, said)
    if table in EVENT_KINDS:
        db.execute(
            "UPDATE captured_events SET record_id = NULL "
            "WHERE kind IN (SELECT value FROM json_each(:kinds)) "
            "AND record_id IN (SELECT value FROM json_each(:ids))",
            values | {"kinds": json.dumps(EVENT_KINDS[table])},
        )
        if made_of := {"observations": "observation_id", "summaries": "summary_id"}.get(table):
            _take_messages(db, f"{made_of} IN (SELECT value FROM json_each(:ids))", values, said)
    if table == "facts":
        content: Any = db.execute(
            "SELECT id FROM fact_sources WHERE fact_id IN (SELECT value FROM json_each(:ids))",
            values,
        ).fetchall()
        for old in forget_rows(db, "fact_sources", [number for (number,) in content]):
            for column, value in old.items():
                said.add(column, value)
    if table == "sessions":
        _empty_sessions(db, rows, values, said)
    else:
        db.execute(f"DELETE FROM {table} WHERE {chosen}", values)
    for old in forget_rows(db, table, numbers):
        for column, value in old.items():
            said.add(column, value)
    if table in SUMMED_UP:
        # What an automatic summary said of them before it was made anew without them.
        sessions = json.dumps([row["session_id"] for row in rows])
        forget_rows(db, "summaries", [number for (number,) in db.execute(AUTOMATIC, (sessions,))])
    _forget_refs(db, [ref(KIND_OF[table], row["id"]) for row in rows])
    _forget_merges(db, [row["uid"] for row in rows])
    _forget_reports(db, [row["uid"] for row in rows], said)
    return len(rows)


def is_unfinished(db: apsw.Connection) -> bool:
    """Return whether a purge was committed that isn't final on the disk."""
    return db.execute("SELECT 1 FROM meta WHERE key = ?", (UNFINISHED,)).get is not None


def fact_tombstone(kind: str, content: str) -> str:
    """Return the key by which a purged fact is known, whoever states it again."""
    return statement_key(kind, fact_key(content))


def note_tombstone(project: str, path: str) -> str:
    """Return the key by which a purged note is known."""
    return digest("note", project, path)


def is_purged_key(db: apsw.Connection, key: str) -> bool:
    """Return whether a record of this key was purged."""
    return db.execute("SELECT 1 FROM purged WHERE key = ? LIMIT 1", (key,)).get is not None


def all_levels(db: apsw.Connection, numbers: Iterable[int]) -> list[int]:
    """Return the ids of summaries with those of their other levels, hidden or not.

    A summary is deleted, hidden, shown, moved and purged with both of them.
    """
    results = list(dict.fromkeys(numbers))
    # From a brief one to its detailed one, and from there to others that belong to that.
    for _ in range(2):
        others: Any = db.execute(OTHER_LEVELS, (json.dumps(results),)).fetchall()
        results = list(dict.fromkeys([*results, *(number for (number,) in others)]))
    return results


def purged_at(db: apsw.Connection, uid: str) -> int | None:
    """Return when the record of this uid was purged (ms); None if it wasn't."""
    result: int | None = db.execute("SELECT at FROM purged WHERE uid = ?", (uid,)).get
    return result


def last_purged(db: apsw.Connection) -> int:
    """Return when anything that was said or done in a session was purged last (ms); 0 for never."""
    kinds = "'sessions', 'prompts', 'observations', 'summaries'"
    return int(db.execute(f"SELECT coalesce(max(at), 0) FROM purged WHERE kind IN ({kinds})").get)


def purged_session_id(content_session_id: str) -> str:
    """Return the id under which what is left of a purged session is found."""
    return PURGED_SESSION + digest("session", content_session_id)


def _leave_tombstones(db: apsw.Connection, table: str, rows: Collection[Mapping[str, Any]]) -> None:
    results: list[tuple[object, ...]] = []
    for row in rows:
        key = None
        if table == "facts":
            key = fact_tombstone(row["kind"], row["content"])
            content: Any = db.execute(
                "SELECT uid, source, native_id FROM fact_sources WHERE fact_id = ?", (row["id"],)
            ).fetchall()
            results += [(*item, "fact_sources", None) for item in content]
        elif table == "notes":
            key = note_tombstone(row["project"], row["path"])
        elif table == "sessions":
            key = purged_session_id(row["content_session_id"])
        results.append((row["uid"], row["source"], row["native_id"], table, key))
    now = now_ms()
    db.executemany(
        "INSERT INTO purged (uid, source, native_id, kind, key, at) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (uid) DO UPDATE SET at = excluded.at, key = excluded.key",
        [(*entry, now) for entry in results],
    )


def _forget_prompts(db: apsw.Connection, values: dict[str, Any]) -> None:
    """Take prompts out of their sessions, whose first they are, and delete messages that quote them."""
    said = "SELECT session_id, text FROM prompts WHERE id IN (SELECT value FROM json_each(:ids))"
    db.execute(
        "UPDATE sessions SET first_prompt = NULL "
        f"WHERE (id, first_prompt) IN ({said}) AND first_prompt IS NOT NULL",
        values,
    )
    db.execute(f"DELETE FROM pending_messages WHERE (session_id, last_user_message) IN ({said})", values)


def _take_messages(db: apsw.Connection, condition: str, values: dict[str, Any], said: PurgedTexts) -> None:
    """Delete the messages that records were made of; what they say is looked for too."""
    for row in _rows(db, "pending_messages", condition, values):
        for column, value in row.items():
            said.add(column, value)
    db.execute(f"DELETE FROM pending_messages WHERE {condition}", values)


def _empty_sessions(
    db: apsw.Connection,
    rows: Iterable[Mapping[str, Any]],
    values: dict[str, Any],
    said: PurgedTexts,
) -> None:
    """Leave of sessions, whose records are purged already, what tells that their events were known."""
    of_them = "session_id IN (SELECT value FROM json_each(:ids))"
    _take_messages(db, of_them, values, said)
    db.execute(f"DELETE FROM token_usage WHERE {of_them}", values)
    for row in rows:
        gone = {"gone": f"{row['agent']}/{row['content_session_id']}", "machine": row["editor"]}
        db.execute(FORGET_PARENT, gone | {"now": values["now"]})
        if row["agent"] == "manual":
            db.execute("DELETE FROM sessions WHERE id = ?", (row["id"],))
        elif not row["content_session_id"].startswith(PURGED_SESSION):
            key = purged_session_id(row["content_session_id"])
            db.execute(
                EMPTY_SESSION,
                {"id": row["id"], "key": key, "now": values["now"], "machine": row["editor"]},
            )
        ended = (row["content_session_id"],)
        db.execute("DELETE FROM given_contexts WHERE session = ?", ended)
        db.execute("UPDATE memory_uses SET session = '' WHERE session = ?", ended)


def _forget_refs(db: apsw.Connection, refs: Collection[str]) -> None:
    """Take refs out of what sessions were given and what was chosen for them: a later record may
    have the same."""
    gone = json.dumps(list(refs))
    without = (
        "(SELECT json_group_array(value) FROM json_each({0}) "
        "WHERE value NOT IN (SELECT value FROM json_each(:gone)))"
    )
    names = "EXISTS (SELECT 1 FROM json_each({0}) WHERE value IN (SELECT value FROM json_each(:gone)))"
    for table, column in (
        ("given_contexts", "refs"), ("context_profiles", "first"),
        ("context_profiles", "left_out"), ("context_profiles", "brief"),
    ):  # fmt: skip
        db.execute(
            f"UPDATE {table} SET {column} = {without.format(column)} WHERE {names.format(column)}",
            {"gone": gone},
        )


def _forget_merges(db: apsw.Connection, uids: Collection[str]) -> None:
    """Delete what is known of records that nobody can merge or compare any more. What was purged after
    it was merged into a record that stays is still told of that."""
    gone = (json.dumps(list(uids)),)
    for table, column in (
        ("merged_records", "into_uid"), ("not_duplicates", "uid"), ("not_duplicates", "other_uid"),
    ):  # fmt: skip
        db.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))", gone)


def _forget_reports(db: apsw.Connection, uids: Collection[str], said: PurgedTexts) -> None:
    """Delete what was reported of records, also from the journal: a reason may tell what they said."""
    from ...database.journal import forget_rows

    gone = (json.dumps(list(uids)),)
    which = "WHERE uid IN (SELECT value FROM json_each(?))"
    for (reason,) in db.execute(f"SELECT reason FROM reports {which}", gone).fetchall():
        said.add("reason", reason)
    db.execute(f"DELETE FROM reports {which}", gone)
    db.execute(f"DELETE FROM team_reviews {which}", gone)
    for old in forget_rows(db, "reports", uids):
        said.add("reason", old.get("reason"))


def _rows(
    db: apsw.Connection, table: str, condition: str, values: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    cursor = db.execute(f"SELECT * FROM {table} WHERE {condition}", values)
    rows: list[Any] = cursor.fetchall()
    names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
    for row in rows:
        yield dict(zip(names, row, strict=True))


def _leaves(text: str) -> Iterator[str]:
    """Yield all texts of a JSON document; the document itself where it is none."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        yield text
        return
    waiting = [result]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += [*item, *item.values()]
