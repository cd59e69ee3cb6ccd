"""How long memories are kept: a policy by project and age, what it would take away, and doing it.

What is older than its project's policy is deleted, which can be undone; what has been deleted for
the days of grace is purged, which can't. Pinned memories, and those of pinned sessions, stay, and so
do facts and notes: they are held true until someone says otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice, product

from ..clock import now_ms
from ..database.transaction import snapshot, translate_errors
from ..errors import InvalidRecordError, NotFoundError
from ..records.dataclasses import dataclass, replace
from ..store import Store
from .purge import KINDS, erasing, finish, purge

DAY = 86_400_000
EVERY_OTHER = "*"
GRACE_DAYS = 30
BATCH = 5_000
LONGEST_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class Policy:
    """Memories of a project (`*`: of all that have no policy of their own) are kept so many days,
    and so many more after they were deleted."""

    project: str
    days: int
    grace_days: int


@dataclass(frozen=True, slots=True)
class Due:
    """What a policy would take away in one project: by table, to be deleted and to be purged, and
    the time (ms) of the oldest and the newest of those."""

    project: str
    days: int
    deleted: dict[str, int]
    purged: dict[str, int]
    first_at: int
    last_at: int

    @property
    def total(self) -> int:
        """How many records it is about."""
        return sum(self.deleted.values()) + sum(self.purged.values())


class Retention:
    """The policies of a memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.db = store.db

    def set(self, days: int, project: str = EVERY_OTHER, grace_days: int = GRACE_DAYS) -> Policy:
        """Keep a project's memories so many days from now on. Nothing is deleted yet."""
        if not 0 < days <= LONGEST_DAYS or not 0 <= grace_days <= LONGEST_DAYS:
            raise InvalidRecordError("Memories are kept 1 to 36,500 days; grace is 0 to 36,500.")
        with self.store.transaction():
            self.db.execute(
                "INSERT INTO retention_policies VALUES (?1, ?2, ?3, ?4, ?4) "
                "ON CONFLICT (project) DO UPDATE SET days = excluded.days, "
                "grace_days = excluded.grace_days, updated_at = excluded.updated_at",
                (project, days, grace_days, now_ms()),
            )
        return Policy(project, days, grace_days)

    def list(self) -> tuple[Policy, ...]:
        """The policies, by project."""
        sql = "SELECT project, days, grace_days FROM retention_policies ORDER BY project"
        with translate_errors(self.db, writing=False):
            return tuple(Policy(*row) for row in self.db.execute(sql))

    def clear(self, project: str = EVERY_OTHER) -> None:
        """Keep a project's memories for good again; NotFoundError."""
        with self.store.transaction():
            sql = "DELETE FROM retention_policies WHERE project = ? RETURNING project"
            if self.db.execute(sql, (project,)).get is None:
                known = ", ".join(policy.project for policy in self.list())
                raise NotFoundError(f"{project} has no policy. Policies: {known or 'none'}.")

    def due(self, now: int | None = None) -> tuple[Due, ...]:
        """What would be deleted and purged at a moment (ms; now when None), by project."""
        at = now_ms() if now is None else now
        found: dict[str, Due] = {}
        with snapshot(self.db):
            for verb, table in product(("deleted", "purged"), KINDS):
                sql = (
                    "SELECT project, days, count(*), min(at), max(at) "
                    f"FROM ({_selected(verb, table)}) GROUP BY project"
                )
                for project, days, number, first, last in self.db.execute(sql, {"now": at}):
                    known = found.get(project) or Due(project, days, {}, {}, first, last)
                    getattr(known, verb)[table] = number
                    span = min(first, known.first_at), max(last, known.last_at)
                    found[project] = replace(known, first_at=span[0], last_at=span[1])
        return tuple(found[project] for project in sorted(found))

    def run(self, now: int | None = None) -> int:
        """Do what `due` tells; how many records were deleted or purged.

        Deleted ones are changes of the journal, some thousands each; purged ones are gone.
        """
        at = now_ms() if now is None else now
        done = 0
        # First what was deleted long ago, so that no grace is cut short.
        erasing(self.store)
        for table in KINDS:
            for numbers in self._batches("purged", table, at):
                done += purge(self.store, table, numbers)
        if done:
            self._empty_sessions()
            finish(self.store)
        for table in KINDS:
            for numbers in self._batches("deleted", table, at):
                done += self._delete(table, numbers, at)
        return done

    def _empty_sessions(self) -> None:
        values = {"now": now_ms(), "machine": self.store.machine_id}
        with self.store.transaction():
            emptied = [number for (number,) in self.db.execute(EMPTIED, values)]
            self.db.execute(
                "DELETE FROM pending_messages WHERE session_id IN (SELECT value FROM json_each(?))",
                (json.dumps(emptied),),
            )

    def _delete(self, table: str, numbers: tuple[int, ...], at: int) -> int:
        journal = self.store.observations.journal
        with self.store.transaction(), journal.recording(f"{len(numbers):,} old {table} deleted"):
            self.db.execute(
                f"UPDATE {table} SET deleted_at = :at, updated_at = :now, editor = :machine, "
                "hlc = max(:now << 16, hlc + 1) "
                "WHERE id IN (SELECT value FROM json_each(:ids))",
                {
                    "at": at,
                    "now": now_ms(),
                    "machine": self.store.machine_id,
                    "ids": json.dumps(numbers),
                },
            )
            return self.db.changes()

    def _batches(self, verb: str, table: str, at: int) -> Iterator[tuple[int, ...]]:
        sql = f"SELECT id FROM ({_selected(verb, table)})"
        with snapshot(self.db):
            numbers = iter([number for (number,) in self.db.execute(sql, {"now": at})])
        while batch := tuple(islice(numbers, BATCH)):
            yield batch


def _selected(verb: str, table: str) -> str:
    """The records of a table that are due to be deleted, or purged, at `:now`. One without a time
    is never due."""
    project = "s.project" if table == "prompts" else "r.project"
    state = {
        "deleted": "r.deleted_at IS NULL",
        "purged": f"r.deleted_at < :now - {DAY} * coalesce(own.grace_days, other.grace_days)",
    }
    return f"""
    SELECT r.id AS id, {project} AS project, coalesce(own.days, other.days) AS days,
        r.created_at AS at
    FROM {table} r JOIN sessions s ON s.id = r.session_id
    LEFT JOIN retention_policies own ON own.project = {project}
    LEFT JOIN retention_policies other ON other.project = '{EVERY_OTHER}'
    WHERE r.pinned = 0 AND s.pinned = 0 AND r.created_at > 0 AND {state[verb]}
        AND r.created_at < :now - {DAY} * coalesce(own.days, other.days)
    """


EMPTIED = f"""
UPDATE sessions SET title = NULL, first_prompt = NULL, extra = NULL, deleted_at = :now,
    updated_at = :now, editor = :machine, hlc = max(:now << 16, hlc + 1)
WHERE deleted_at IS NULL AND pinned = 0 AND id IN (
    SELECT s.id FROM sessions s
    LEFT JOIN retention_policies own ON own.project = s.project
    LEFT JOIN retention_policies other ON other.project = '{EVERY_OTHER}'
    WHERE s.started_at > 0 AND s.started_at < :now - {DAY} * coalesce(own.days, other.days)
) AND id NOT IN (
    SELECT session_id FROM prompts UNION SELECT session_id FROM observations
    UNION SELECT session_id FROM summaries
) RETURNING id
"""
"""Of a session in which nothing is left, only what tells that its events were known stays."""
