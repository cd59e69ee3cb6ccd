"""What a purge is to take: records by table, with all that belongs to them, what quotes them, and who
else says it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from ...database.files.versions import VersionFolder
from ...database.journal import forget_texts, forget_words
from ...platform.errors import NotFoundError
from ...platform.paths import CHOSEN, forget_starts
from ...records.dataclasses import dataclass
from ...records.kinds import KIND_OF, ref
from ...text.occurrences import Occurrences
from ..facts import Facts
from ..merges import CONFLICT as CONFLICT
from .purge import PurgedTexts, all_levels

ORDER = ("facts", "notes", "prompts", "observations", "summaries", "sessions")
"""The tables of records, those that others cite last."""

WITH_MEMBERS = """
SELECT t.id FROM {0} kept CROSS JOIN merged_records m ON m.into_uid = kept.uid
CROSS JOIN {0} t ON t.uid = m.uid
WHERE kept.id IN (SELECT value FROM json_each(?)) AND t.deleted_at IS NOT NULL
"""

IN_SESSIONS = ("prompts", "observations", "summaries")
ROWS_AT_ONCE = 2_000
MESSAGES = """
coalesce(tool_input, '') || char(0) || coalesce(tool_response, '') || char(0)
|| coalesce(last_user_message, '') || char(0) || coalesce(last_assistant_message, '')
"""
NAMING = re.compile(r"\w{4,}")
"""Words of fewer letters name nothing."""

OF_PROJECTS = {
    "project_places": "project", "project_aliases": "project", "context_profiles": "project",
}  # fmt: skip
"""What is known of projects, by the column that names them. How long their memories are kept is a
person's choice, and stays."""
WAITING = ("pending_messages", "quarantine")
NAMED = "('saved_searches', 'project_aliases')"
"""Tables, for SQL, whose rows other machines know by a name that somebody gave."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Ids of what is to be purged, by table; `pending_messages` and `quarantine` may be among them."""

    numbers: dict[str, tuple[int, ...]]

    @property
    def counts(self) -> dict[str, int]:
        """How many of each there are."""
        return {table: len(numbers) for table, numbers in self.numbers.items() if numbers}


def deleted(db: apsw.Connection) -> Selection:
    """Return all that is deleted: the trash. What is left of purged sessions is not among it."""
    return Selection(
        {
            table: _ids(
                db,
                f"SELECT id FROM {table} t WHERE deleted_at IS NOT NULL "
                f"AND NOT EXISTS (SELECT 1 FROM purged WHERE uid = t.uid AND kind = '{table}')",
            )
            for table in ORDER
        }
    )


def with_what_belongs(
    db: apsw.Connection, chosen: Selection, facts_table: Facts, *, pinned: bool = False
) -> Selection:
    """Return a selection with all that its sessions hold, and the facts that rest on nothing else
    and, unless these are wanted too, aren't pinned."""
    numbers = {table: set(some) for table, some in chosen.numbers.items()}
    sessions = json.dumps([*numbers.get("sessions", ())])
    for table in IN_SESSIONS:
        sql = f"SELECT id FROM {table} WHERE session_id IN (SELECT value FROM json_each(?))"
        numbers.setdefault(table, set()).update(_ids(db, sql, sessions))
    numbers["summaries"].update(all_levels(db, numbers["summaries"]))
    uids = {
        str(uid)
        for table in IN_SESSIONS
        for (uid,) in db.execute(
            f"SELECT uid FROM {table} WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps([*numbers[table]]),),
        )
    }
    facts = numbers.setdefault("facts", set())
    cited = (
        "SELECT DISTINCT f.id FROM facts f, json_each(f.evidence) e "
        "WHERE f.pinned <= ? AND e.value IN (SELECT value FROM json_each(?))"
    )
    for number in _ids(db, cited, pinned, json.dumps([*uids])):
        sources = facts_table.sources_of(facts_table.get(number))
        if all(source.evidence and set(source.evidence) <= uids for source in sources):
            facts.add(number)
    return Selection({table: tuple(sorted(some)) for table, some in numbers.items() if some})


def with_merged(db: apsw.Connection, chosen: Selection) -> Selection:
    """Return a selection with what was merged into its records, and lies in the trash: the one memory
    that was made of them says what they say. So do the versions of them that lost in a sync."""
    whole = {table: {*numbers, *_members(db, table, numbers)} for table, numbers in chosen.numbers.items()}
    for table, numbers in whole.items():
        if table in KIND_OF:
            uids = uids_of(db, Selection({table: tuple(numbers)}))
            numbers.update(lost_versions(db, table, uids))
    return Selection({table: tuple(sorted(numbers)) for table, numbers in whole.items()})


def lost_versions(db: apsw.Connection, table: str, uids: Iterable[str]) -> set[int]:
    """Return the records that keep the versions of these ones that lost in a sync."""
    sql = (
        f"SELECT t.id FROM json_each(?1) u JOIN {table} t ON t.source = ?2 "
        "AND t.native_id > u.value || '/' AND t.native_id < u.value || '0'"
    )
    return set(_ids(db, sql, json.dumps([*uids]), CONFLICT))


def deleted_with(db: apsw.Connection, sessions: Iterable[int], facts_table: Facts) -> Selection:
    """Return deleted sessions with what was deleted together with them, at the same moment."""
    of_all: dict[str, set[int]] = {}
    for session in sessions:
        sql = "SELECT deleted_at FROM sessions WHERE id = ?"
        at = db.execute(sql, (session,)).get
        whole = with_what_belongs(db, Selection({"sessions": (session,)}), facts_table)
        for table, numbers in whole.numbers.items():
            sql = f"SELECT id FROM {table} WHERE deleted_at = ? AND id IN (SELECT value FROM json_each(?))"
            of_all.setdefault(table, set()).update(_ids(db, sql, at, json.dumps(numbers)))
    return Selection({table: tuple(sorted(some)) for table, some in of_all.items() if some})


def of_uids(db: apsw.Connection, uids: Iterable[str]) -> Selection:
    """Return the records of these uids, those that are there."""
    wanted = json.dumps([*uids])
    sql = "SELECT id FROM {} WHERE uid IN (SELECT value FROM json_each(?))"
    return Selection({table: _ids(db, sql.format(table), wanted) for table in ORDER})


def uids_of(db: apsw.Connection, chosen: Selection) -> tuple[str, ...]:
    """Return the uids of the records that are chosen."""
    uids: list[str] = []
    for table in ORDER:
        sql = f"SELECT uid FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        wanted = json.dumps([*chosen.numbers.get(table, ())])
        uids += [str(uid) for (uid,) in db.execute(sql, (wanted,))]
    return tuple(uids)


def said_by(db: apsw.Connection, needles: Iterable[bytes]) -> dict[bytes, str]:
    """Return which of these pieces of texts any record, waiting message, saved search or file's name
    says, or the schema, which holds the names of columns: each with the ref of a record that says it,
    "" where something else does. All rows are read once, however many pieces there are."""
    left = dict.fromkeys(needles)
    results: dict[bytes, str] = {}
    schema = "SELECT group_concat(sql, char(0)) FROM sqlite_schema"
    looked_for = Occurrences.of_needles(left)
    in_schema = looked_for.needles_in(str(db.execute(schema).get).encode())
    results |= dict.fromkeys(in_schema, "")
    for table in (*KIND_OF, "fact_sources", "pending_messages", "saved_searches", "synced_records"):
        with suppress(apsw.SQLError):
            for number, needle in _found_in(db, table, left.keys() - results, looked_for):
                results[needle] = ref(KIND_OF[table], int(number)) if table in KIND_OF else ""
    return results


def saying(db: apsw.Connection, words: Sequence[str]) -> tuple[str, ...]:
    """Return the refs of the records, hidden and deleted ones too, that say all of these words."""
    refs: list[str] = []
    for table, kind in KIND_OF.items() if words else ():
        says = " AND ".join(f"instr({_joined(db, table)}, ?)" for _ in words)
        rows = _ids(db, f"SELECT id FROM {table} WHERE {says}", *(word.casefold() for word in words))
        refs += [ref(kind, number) for number in rows]
    return tuple(refs)


def _joined(db: apsw.Connection, table: str) -> str:
    """Return the SQL of all that a row says, in small letters."""
    names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
    joined = " || char(0) || ".join(f"coalesce(CAST({name} AS TEXT), '')" for name in names)
    return f"lower({joined})"


def _found_in(
    db: apsw.Connection, table: str, needles: set[bytes], looked_for: Occurrences
) -> Iterator[tuple[Any, bytes]]:
    """Yield the first rows of a table, by their keys, that say pieces, with these."""
    if not needles:
        return
    names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
    # As they stand side by side in the file.
    joined = " || ".join(
        f"CASE typeof({name}) WHEN 'text' THEN {name} WHEN 'null' THEN '' ELSE char(0) END"
        for name in names
    )
    rows = iter(db.execute(f"SELECT {names[0]}, CAST({joined} AS BLOB) FROM {table}"))
    left = set(needles)
    while left and (batch := [*islice(rows, ROWS_AT_ONCE)]):
        for needle in left & looked_for.needles_in(b"\0".join(text for _number, text in batch)).keys():
            left.discard(needle)
            yield next(number for number, text in batch if needle in text), needle


def purge_waiting(db: apsw.Connection, chosen: Selection, said: PurgedTexts) -> dict[str, int]:
    """Delete the waiting messages and the events that are chosen; return how many, by table."""
    counts: dict[str, int] = {}
    for table in WAITING:
        if not (numbers := chosen.numbers.get(table)):
            continue
        wanted = (json.dumps(numbers),)
        where = f"FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
        names = [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
        rows: Any = db.execute(f"SELECT * {where}", wanted).fetchall()
        for row in rows:
            for name, value in zip(names, row, strict=True):
                said.add(name, value)
        db.execute(f"DELETE {where}", wanted)
        counts[table] = db.changes()
    return counts


def message_ids(db: apsw.Connection, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of waiting messages. Raises NotFoundError for one that isn't there."""
    sql = "SELECT id FROM pending_messages WHERE id IN (SELECT value FROM json_each(?))"
    results = _ids(db, sql, json.dumps([*numbers]))
    if missing := set(numbers) - set(results):
        raise NotFoundError(
            "There is no message {missing}. `mem queue list` shows them.", missing=min(missing)
        )
    return results


def forget_quotes(db: apsw.Connection, said: PurgedTexts) -> None:
    """Delete or clear what quotes purged texts: waiting messages, events that could not be stored,
    the history of searches, saved ones, what transcripts' readers remember, changes of the journal
    and what these are called, and versions of agents' files; and what is known of projects that no
    memory is of any more. What was chosen for sessions' next prompts goes too, whosever words it has."""
    forget_starts(str(db.filename), CHOSEN)
    texts = said.quotations
    if texts:
        for table, text in (("pending_messages", MESSAGES), ("quarantine", "record")):
            rows: Any = db.execute(f"SELECT id, {text} FROM {table}")
            gone = [number for number, value in rows if texts.are_in(str(value).encode())]
            db.executemany(f"DELETE FROM {table} WHERE id = ?", [(number,) for number in gone])
        states: Any = db.execute("SELECT path, state FROM transcripts WHERE state <> '{}'")
        cleared = [path for path, state in states if texts.are_in(str(state).encode())]
        db.executemany("UPDATE transcripts SET state = '{}' WHERE path = ?", [(item,) for item in cleared])
        forget_texts(db, texts)
        VersionFolder(Path(str(db.filename))).drop_those_with(texts)
    dead = _DeadWords(db, said)
    forget_words(db, dead.are_in)
    _forget_searches(db, said, dead)
    _forget_projects(db, said)


class _DeadWords:
    """Tells whether a text has a word that only purged rows said."""

    def __init__(self, db: apsw.Connection, said: PurgedTexts) -> None:
        self.db = db
        self.whole = said.whole.casefold()
        self.known: dict[str, bool] = {}

    def are_in(self, text: str) -> bool:
        """Return whether one of a text's words was said by what is purged, and is by nothing else."""
        return any(self._is_dead(word) for word in NAMING.findall(text.casefold()))

    def _is_dead(self, word: str) -> bool:
        if word not in self.known:
            self.known[word] = word in self.whole and not self._is_alive(word)
        return self.known[word]

    def _is_alive(self, word: str) -> bool:
        # The index has what was deleted no longer; what is hidden is in no index.
        sql = "SELECT 1 FROM words WHERE words MATCH ? LIMIT 1"
        if self.db.execute(sql, (f'"{word}"',)).get is not None:
            return True
        return any(self._is_in(table, word) for table in KIND_OF)

    def _is_in(self, table: str, word: str) -> bool:
        sql = f"SELECT 1 FROM {table} WHERE instr({_joined(self.db, table)}, ?) LIMIT 1"
        return self.db.execute(sql, (word,)).get is not None


def _forget_searches(db: apsw.Connection, said: PurgedTexts, dead: _DeadWords) -> None:
    """Delete the searches of the history that are words of what was purged, and of the saved ones,
    which somebody wants to keep, those that only it had words of."""
    whole = said.whole.casefold()
    rows: Any = db.execute("SELECT text FROM recent_searches").fetchall()
    gone = [
        (text,)
        for (text,) in rows
        if any(len(word) >= 4 and word in whole for word in (text.casefold(), *text.casefold().split()))
    ]
    db.executemany("DELETE FROM recent_searches WHERE text = ?", gone)
    rows = db.execute("SELECT name, query FROM saved_searches").fetchall()
    gone = [(name,) for name, query in rows if dead.are_in(f"{name} {query}")]
    db.executemany("DELETE FROM saved_searches WHERE name = ?", gone)
    rows = db.execute("SELECT query FROM sync_exclusions").fetchall()
    gone = [(query,) for (query,) in rows if dead.are_in(query)]
    db.executemany("DELETE FROM sync_exclusions WHERE query = ?", gone)
    for table in ("unsynced_rows", "sync_refused"):
        rows = db.execute(f"SELECT DISTINCT key FROM {table} WHERE kind IN {NAMED}").fetchall()
        gone = [(key,) for (key,) in rows if dead.are_in(key)]
        db.executemany(f"DELETE FROM {table} WHERE kind IN {NAMED} AND key = ?", gone)


def _forget_projects(db: apsw.Connection, said: PurgedTexts) -> None:
    of_records = " UNION ALL ".join(
        f"SELECT project FROM {table}" for table in KIND_OF if table != "prompts"
    )
    alive = f"SELECT 1 FROM ({of_records}) WHERE project = ? LIMIT 1"
    gone = [project for project in said.projects if project and db.execute(alive, (project,)).get is None]
    for table, column in OF_PROJECTS.items():
        sql = f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))"
        db.execute(sql, (json.dumps(gone),))


def _ids(db: apsw.Connection, sql: str, *values: str | int | None) -> tuple[int, ...]:
    return tuple(int(number) for (number,) in db.execute(sql, values))


def _members(db: apsw.Connection, table: str, numbers: Iterable[int]) -> Iterator[int]:
    if table in KIND_OF:
        sql = WITH_MEMBERS.format(table)
        for (number,) in db.execute(sql, (json.dumps([*numbers]),)):
            yield int(number)
