"""How long deleted and old memories stay: the trash, from which they can be brought back until they are
purged, and retention policies, for how many days the memories of a project are kept, and which are due.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import apsw

from ...database.transaction import Transaction, translate_errors
from ...platform.clock import TOUCH, now_ms
from ...platform.errors import InvalidRecordError, NotFoundError
from ...platform.translation import _
from ...records.conforming import conformed
from ...records.dataclasses import dataclass
from ...records.fields import TITLES
from ...records.kinds import KIND_OF, ref
from .purge import PURGED_SESSION, PurgedTexts

DAY = 86_400_000
EVERY_OTHER = "*"
GRACE_DAYS = 30
LONGEST_DAYS = 36_500
ENDLESS_DAYS = 10**12

Ids = list[int]


@dataclass(frozen=True, slots=True)
class Policy:
    """Memories of a project (`*`: of all that have no policy of their own) are kept so many days,
    and so many more after they were deleted."""

    project: str
    days: float
    grace_days: float


class RetentionPolicies:
    """The retention_policies table."""

    def __init__(self, db: apsw.Connection, transaction: Transaction, machine: str) -> None:
        self.db = db
        self.transaction = transaction
        self.machine = machine

    def set(self, days: float, project: str = EVERY_OTHER, grace_days: float = GRACE_DAYS) -> Policy:
        """Keep a project's memories so many days from now on, or parts of one. Nothing is deleted
        yet."""
        if not 0 <= days <= LONGEST_DAYS or not 0 <= grace_days <= LONGEST_DAYS:
            raise InvalidRecordError("Give days and grace from 0 to 36,500; nothing was changed.")
        # A list counts the trash, and looks for no secret.
        from ...text.redaction import scrub

        project = scrub(project)
        with self.transaction:
            self.db.execute(
                "INSERT INTO retention_policies VALUES (?1, ?2, ?3, ?4, ?4) "
                "ON CONFLICT (project) DO UPDATE SET days = excluded.days, "
                "grace_days = excluded.grace_days, updated_at = excluded.updated_at",
                (project, days, grace_days, now_ms()),
            )
        return Policy(project, whole_days(days), whole_days(grace_days))

    def list(self) -> tuple[Policy, ...]:
        """Return the policies, by project."""
        sql = "SELECT project, days, grace_days FROM retention_policies ORDER BY project"
        with translate_errors(self.db, writing=False):
            rows: list[Any] = [conformed(Policy, row) for row in self.db.execute(sql)]
        return tuple(Policy(project, whole_days(days), whole_days(grace)) for project, days, grace in rows)

    def clear(self, project: str = EVERY_OTHER) -> None:
        """Keep a project's memories for good again; NotFoundError."""
        with self.transaction:
            sql = "DELETE FROM retention_policies WHERE project = ? RETURNING project"
            if self.db.execute(sql, (project,)).get is None:
                known = _(", ").join(policy.project for policy in self.list())
                raise NotFoundError(
                    "{project} has no policy. Policies: {projects}.",
                    project=project,
                    projects=known or _("none"),
                )

    def due_by_project(self, verb: str, table: str, now: int) -> Iterable[Any]:
        """Return (project, days, number, oldest, newest) of what is due in a table to be "deleted" or
        "purged" at a moment; all times in ms."""
        sql = (
            f"SELECT project, days, count(*), min(at), max(at) FROM ({_due(verb, table)}) GROUP BY project"
        )
        return self.db.execute(sql, {"now": now}).fetchall()

    def due_ids(self, verb: str, table: str, now: int) -> Ids:
        """Return the ids of what is due in a table to be "deleted" or "purged" at a moment (ms)."""
        sql = f"SELECT id FROM ({_due(verb, table)})"
        return [number for (number,) in self.db.execute(sql, {"now": now})]

    def empty_sessions(self, said: PurgedTexts) -> None:
        """Take the texts and the messages of the sessions that are past their days and in which
        nothing is left; what they said is added to `said`."""
        values = {"now": now_ms(), "machine": self.machine}
        with self.transaction:
            texts = f"SELECT title, first_prompt, extra FROM sessions WHERE {OLD_AND_EMPTY}"
            rows: list[Any] = self.db.execute(texts, values).fetchall()
            for row in rows:
                for column, value in zip(("title", "first_prompt", "extra"), row, strict=True):
                    said.add(column, value)
            emptied = [number for (number,) in self.db.execute(EMPTIED, values)]
            self.db.execute(
                "DELETE FROM pending_messages WHERE session_id IN (SELECT value FROM json_each(?))",
                (json.dumps(emptied),),
            )


def whole_days(number: float) -> float:
    """Return a number of days, whole ones as such; one without end, as no memtui sets, is very long."""
    number = max(-ENDLESS_DAYS, min(number, ENDLESS_DAYS))
    return int(number) if number == int(number) else number


def _is_teammates(table: str, uid: str) -> str:
    """Return the SQL condition that a row of a table, by its uid, is a teammate's: of theirs a rule of its
    own takes care (`store/leaves/team/retention.py`)."""
    return (
        f"EXISTS (SELECT 1 FROM team_rows k JOIN team ON k.author <> team.member "
        f"WHERE k.kind = '{table}' AND k.uid = {uid})"
    )


OLD_AND_EMPTY = f"""
deleted_at IS NULL AND pinned = 0 AND NOT {_is_teammates("sessions", "sessions.uid")} AND id IN (
    SELECT s.id FROM sessions s
    LEFT JOIN retention_policies own ON own.project = s.project
    LEFT JOIN retention_policies other ON other.project = '{EVERY_OTHER}'
    WHERE s.started_at > 0 AND s.started_at < :now - {DAY} * coalesce(own.days, other.days)
) AND id NOT IN (
    SELECT session_id FROM prompts UNION SELECT session_id FROM observations
    UNION SELECT session_id FROM summaries
)
"""
EMPTIED = f"""
UPDATE sessions SET title = NULL, first_prompt = NULL, extra = NULL, deleted_at = :now,
    {TOUCH}
WHERE {OLD_AND_EMPTY} RETURNING id
"""
"""Of a session in which nothing is left, only what tells that its events were known stays."""


_PROJECT = {"prompts": "coalesce((SELECT project FROM sessions WHERE id = prompts.session_id), '')"}
_IN_TRASH = {
    kind: f"{table} WHERE deleted_at IS NOT NULL"
    + (f" AND content_session_id NOT GLOB '{PURGED_SESSION}*'" if table == "sessions" else "")
    for table, kind in KIND_OF.items()
}
_PLACES = " UNION ALL ".join(
    f"SELECT '{kind}' AS kind, id, deleted_at FROM {source}" for kind, source in _IN_TRASH.items()
)
_ROWS = {
    kind: f"SELECT id, substr({TITLES[table]}, 1, 400), {_PROJECT.get(table, 'project')}, deleted_at "
    f"FROM {table} WHERE id IN (SELECT value FROM json_each(?))"
    for table, kind in KIND_OF.items()
}


@dataclass(frozen=True, slots=True)
class Deleted:
    """A memory in the trash; `deleted_at` in ms."""

    ref: str
    kind: str
    title: str
    project: str
    deleted_at: int


def trash(db: apsw.Connection, limit: int, offset: int = 0) -> list[Deleted]:
    """Return a page of what is deleted, the last deleted first."""
    # Each table has it in this order; the rows themselves are read of the page alone.
    sql = f"{_PLACES} ORDER BY deleted_at DESC, id DESC, kind LIMIT ? OFFSET ?"
    places: list[Any] = db.execute(sql, (limit, offset)).fetchall()
    results: dict[tuple[str, int], Deleted] = {}
    for kind in {place[0] for place in places}:
        ids = json.dumps([place[1] for place in places if place[0] == kind])
        rows: Any = db.execute(_ROWS[kind], (ids,))
        for number, title, project, at in rows:
            line = str(title or "").strip().split("\n", 1)[0]
            results[kind, number] = Deleted(ref(kind, number), kind, line, project, at)
    return [results[kind, number] for kind, number, _ in places]


def trash_count(db: apsw.Connection) -> int:
    """Return how many memories are deleted."""
    sums = " + ".join(f"(SELECT count(*) FROM {source})" for source in _IN_TRASH.values())
    return int(db.execute(f"SELECT {sums}").get)


def _due(verb: str, table: str) -> str:
    """Return the SELECT of the records of a table that are due to be deleted, or purged, at `:now`.
    One without a time is never due, nor to be deleted one that a teammate shared."""
    project = "s.project" if table == "prompts" else "r.project"
    state = {
        "deleted": f"r.deleted_at IS NULL AND NOT {_is_teammates(table, 'r.uid')}",
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
