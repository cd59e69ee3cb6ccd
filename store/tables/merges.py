"""What was merged into what, which records are no duplicates, and what was found to be alike, kept so that
only projects with changes are looked through again. Only uids and hashes are stored.

One row of `meta`, which is no change of the journal. It holds no word of a memory.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import Any

import apsw

from ..database.transaction import snapshot, try_write
from ..platform.clock import TOUCH, now_ms
from ..records.dataclasses import dataclass
from ..records.kinds import KINDS, TABLES, ref
from .base import digest
from .fact_sources import dump_list
from .lists import read_list

CONFLICT = "sync"
"""The `source` of a record that keeps the version of another one that lost in a sync; its `native_id` is
that one's uid, a slash, and the version."""

MERGED = """
INSERT INTO merged_records (uid, into_uid, session, key, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (uid) DO UPDATE SET into_uid = excluded.into_uid, session = excluded.session,
    key = excluded.key, at = excluded.at
"""
MEMBERS = """
SELECT m.uid, m.at, m.session, s.id, s.title FROM merged_records m
LEFT JOIN sessions s ON s.uid = m.session
WHERE m.into_uid = ?1 AND m.uid <> ?1 AND NOT EXISTS (
    SELECT 1 FROM {0} t WHERE t.uid = m.uid AND t.deleted_at IS NULL
)
ORDER BY m.at, m.uid
"""
CITING = "SELECT id, evidence FROM {0} WHERE evidence <> '[]' AND "
CITES_FEW = "(instr(evidence, ?1) OR instr(evidence, ?2))"
CITES_MANY = """
EXISTS (
    SELECT 1 FROM json_each(iif(json_valid(evidence), evidence, '[]'))
    WHERE value IN (SELECT value FROM json_each(?))
)
"""
PARTED = """
SELECT one.id, other.id FROM not_duplicates n
JOIN {0} one ON one.uid = n.uid JOIN {0} other ON other.uid = n.other_uid
"""
CONFLICTS = """
SELECT kept.id, copy.id FROM {0} copy
LEFT JOIN renamed_records r
    ON r.uid = substr(copy.native_id, 1, instr(copy.native_id, '/') - 1) AND r.kind = '{0}'
JOIN {0} kept ON kept.uid = coalesce(r.into_uid, substr(copy.native_id, 1, instr(copy.native_id, '/') - 1))
WHERE copy.source = ? AND copy.private = 0 AND copy.deleted_at IS NULL
    AND kept.private = 0 AND kept.deleted_at IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM not_duplicates n
        WHERE n.uid = min(kept.uid, copy.uid) AND n.other_uid = max(kept.uid, copy.uid)
    )
ORDER BY copy.id DESC
"""
PAIRS = """
SELECT uid, other_uid FROM not_duplicates
WHERE uid IN (SELECT value FROM json_each(?1)) AND other_uid IN (SELECT value FROM json_each(?1))
"""


@dataclass(frozen=True, slots=True)
class MergedRecord:
    """A record that was merged into another one, at `at` (ms), and the session it belonged to."""

    uid: str
    at: int
    session_uid: str | None
    session_id: int | None
    session_title: str | None


def statement_key(kind: str, statement: str) -> str:
    """Return the key under which what a fact said is known, by its kind and `fact_key`."""
    return digest("fact", kind, statement)


class Merges:
    """The tables merged_records and not_duplicates; what writes is inside a transaction."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def note(self, into_uid: str, members: Iterable[tuple[str, str | None, str | None]], at: int) -> None:
        """Note what was merged into a record: uid, the uid of its session, and its key if it is a
        fact; what was merged into these before comes along."""
        for uid, session, key in members:
            self.db.execute(
                "UPDATE merged_records SET into_uid = ?1 WHERE into_uid = ?2 AND uid <> ?2",
                (into_uid, uid),
            )
            self.db.execute(MERGED, (uid, into_uid, session, key, at))

    def of(self, kind: str, uid: str) -> list[MergedRecord]:
        """Return what was merged into a record, the earliest first; what was restored since is left
        out."""
        cursor = self.db.execute(MEMBERS.format(TABLES[kind]), (uid,))
        return [MergedRecord(*row) for row in cursor]

    def session_uids(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the uids of sessions, by their ids."""
        sql = "SELECT id, uid FROM sessions WHERE id IN (SELECT value FROM json_each(?))"
        return {int(row[0]): str(row[1]) for row in self.db.execute(sql, (json.dumps([*numbers]),))}

    def follow_evidence(self, renamed: Mapping[str, str], machine: str) -> None:
        """Replace the uids of merged records, in the evidence of facts, by those they were merged into."""
        uids = [*renamed]
        condition, wanted = CITES_MANY, [json.dumps(uids)]
        if len(uids) <= 2:
            # It takes a third of the time with a hundred thousand facts.
            condition, wanted = CITES_FEW, [uids[0], uids[-1]]
        for table, clock in (("facts", f", {TOUCH}"), ("fact_sources", "")):
            rows: list[Any] = self.db.execute(CITING.format(table) + condition, wanted).fetchall()
            for number, evidence in rows:
                cited = dict.fromkeys(renamed.get(text, text) for text in read_list(evidence))
                values = {"id": number, "evidence": dump_list(cited)}
                self.db.execute(
                    f"UPDATE {table} SET evidence = :evidence{clock} WHERE id = :id",
                    values | {"now": now_ms(), "machine": machine},
                )

    def follow_choices(self, renamed: Mapping[str, str]) -> None:
        """Replace, in projects' context profiles, the refs of merged memories by those of the results."""
        rows: list[Any] = self.db.execute(
            "SELECT project, first, left_out, brief FROM context_profiles"
        ).fetchall()
        for project, *lists in rows:
            chosen = [json.loads(item) for item in lists]
            wanted = [[*dict.fromkeys(renamed.get(ref, ref) for ref in some)] for some in chosen]
            if wanted != chosen:
                written = [json.dumps(entry) for entry in wanted]
                self.db.execute(
                    "UPDATE context_profiles SET first = ?, left_out = ?, brief = ? WHERE project = ?",
                    (*written, project),
                )

    def part(self, uids: Collection[str], at: int) -> int:
        """Note that each two of these records are no duplicates; return how many pairs are new."""
        before = self.db.total_changes()
        self.db.executemany(
            "INSERT INTO not_duplicates VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(text, other, at) for text, other in combinations(sorted(set(uids)), 2)],
        )
        return self.db.total_changes() - before

    def conflicts(self) -> list[tuple[str, str]]:
        """Return the refs of records whose texts were changed on two machines, each with that of the
        version that lost, the newest first of each kind."""
        return [
            (ref(kind, kept), ref(kind, copy))
            for kind in ("fact", "observation", "summary", "note")
            for kept, copy in self.db.execute(CONFLICTS.format(TABLES[kind]), (CONFLICT,))
        ]

    def parted_ids(self, table: str) -> set[tuple[int, int]]:
        """Return those pairs of a table's records, by their ids and in both orders, that are no
        duplicates."""
        rows: list[Any] = self.db.execute(PARTED.format(table)).fetchall()
        return {pair for item, other in rows for pair in ((item, other), (other, item))}

    def parted(self, uids: Iterable[str]) -> set[frozenset[str]]:
        """Return those pairs of these records that are no duplicates."""
        cursor = self.db.execute(PAIRS, (json.dumps([*uids]),))
        return {frozenset((str(item), str(other))) for item, other in cursor}


def fact_merged_into(db: apsw.Connection, kind: str, statement: str, project: str) -> int | None:
    """Return the id of the fact, not deleted, that one of this kind, `fact_key` and project was merged
    into, or that said so before it was merged; None for none."""
    result: int | None = db.execute(
        "SELECT kept.id FROM merged_records m JOIN facts kept ON kept.uid = m.into_uid "
        "LEFT JOIN facts gone ON gone.uid = m.uid "
        "WHERE m.key = ? AND kept.deleted_at IS NULL AND coalesce(gone.project, kept.project) = ? "
        "AND (gone.id IS NULL OR gone.id = kept.id OR gone.deleted_at IS NOT NULL) "
        "ORDER BY kept.id LIMIT 1",
        (statement_key(kind, statement), project),
    ).get
    return result


def has_said(db: apsw.Connection, uid: str, kind: str, statement: str) -> bool:
    """Return whether a fact, or one that was merged into it, said this before."""
    sql = "SELECT 1 FROM merged_records WHERE into_uid = ? AND key = ?"
    return db.execute(sql, (uid, statement_key(kind, statement))).get is not None


KEY = "merge_candidates"
PATIENCE_SECONDS = 0.1

LOOKED = """
SELECT json_object(
    'at', :now,
    'change', (SELECT coalesce(max(id), 0) FROM changes),
    'observation', (SELECT coalesce(max(id), 0) FROM observations),
    'fact', (SELECT coalesce(max(id), 0) FROM facts)
)
"""
CHANGED = """
SELECT kind, record_id, project FROM documents WHERE kind = 'o' AND record_id > :observation
UNION SELECT kind, record_id, project FROM documents WHERE kind = 'f' AND record_id > :fact
UNION SELECT d.kind, d.record_id, d.project FROM changes c
CROSS JOIN changed_rows r ON r.change_id = c.id AND r.kind IN ('observations', 'facts')
CROSS JOIN documents d ON d.kind = substr(r.kind, 1, 1) AND d.record_id = r.record_id
WHERE c.id > :change OR c.undone_at >= :at OR coalesce(c.part_of, c.id) IN (
    SELECT change_id FROM redone_changes WHERE redone_at >= :at
)
"""
KEEP = "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"


@dataclass(frozen=True, slots=True)
class KeptCandidates:
    """What was found when all was looked through last, `at` a time (ms), as it was given to
    `keep_candidates`; None where that never was. `changed` has the projects by the refs of what people
    changed and what came since; `mark` is up to where the memory is known now."""

    found: list[Any] | None
    at: int
    changed: dict[str, str]
    mark: dict[str, int]


def kept_candidates(db: apsw.Connection, now: int) -> KeptCandidates:
    """Return what is kept at `now` (ms)."""
    with snapshot(db):
        mark = json.loads(db.execute(LOOKED, {"now": now}).get)
        text: Any = db.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).get
        if text is None:
            return KeptCandidates(None, 0, {}, mark)
        kept = json.loads(text)
        rows: list[Any] = db.execute(CHANGED, kept["mark"]).fetchall()
    changed = {ref(KINDS[kind], number): str(project) for kind, number, project in rows}
    return KeptCandidates(kept["found"], kept["mark"]["at"], changed, mark)


def keep_candidates(db: apsw.Connection, mark: dict[str, int], candidates: list[Any]) -> None:
    """Keep what was found up to a mark; left undone where it can't be done soon."""
    text = json.dumps({"mark": mark, "found": candidates})
    try_write(db, lambda: db.execute(KEEP, (KEY, text)), PATIENCE_SECONDS)
