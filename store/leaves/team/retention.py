"""How long what teammates shared is kept here: what a rule takes away goes from this store alone.

It is no deletion: nothing of it is told to the team or to other machines, it stays on the server, and
asking for more, or joining again after `leave --drop`, brings it back. What is pinned, was changed here, or
has a review stays, and so do facts and notes but for `--drop`.
"""

from __future__ import annotations

import json
from typing import Any

from ...platform.clock import now_ms
from ...platform.errors import InvalidRecordError, NotFoundError
from ...records.dataclasses import asdict, dataclass
from ...records.kinds import KIND_OF, LETTERS
from ...search.index.derived import drop_documents
from ...store import Store
from ...tables.removal.purge import EVENT_KINDS
from ...tables.removal.retention import DAY, LONGEST_DAYS, whole_days
from .membership import RETENTION, own_team

BATCH = 1_000
"""So many records are removed in one transaction."""

PULLED = """
FROM team CROSS JOIN team_rows k ON k.kind = '{0}' AND k.author <> team.member AND k.state = 'here'
CROSS JOIN {0} t ON t.uid = k.uid AND t.hlc || ' ' || t.editor = k.version AND t.pinned = 0
"""
"""The rows of a table that teammates shared, as they did."""
EVENTS = (
    PULLED
    + """
CROSS JOIN sessions s ON s.id = t.session_id AND s.pinned = 0
WHERE NOT EXISTS (SELECT 1 FROM team_reviews r WHERE r.uid = t.uid AND r.member = team.member)
"""
)
SESSIONS = (
    PULLED.format("sessions")
    + "WHERE "
    + " AND ".join(
        f"NOT EXISTS (SELECT 1 FROM {table} e WHERE e.session_id = t.id)" for table in EVENT_KINDS
    )
)
"""Those sessions of teammates in which nothing is."""


@dataclass(frozen=True, slots=True)
class TeamRule:
    """Teammates' memories are kept so many days, and at most the newest so many; None: all. What was made
    before `since` (ms) was removed."""

    days: float | None
    most: int | None
    since: int = 0


class TeamRetention:
    """The rule of a store for what teammates shared, and what it takes away."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.db = store.db

    def rule(self) -> TeamRule | None:
        """Return the rule; None where all is kept."""
        text = self.db.execute("SELECT value FROM meta WHERE key = ?", (RETENTION,)).get
        return None if text is None else TeamRule(**json.loads(str(text)))

    def set(self, days: float | None, most: int | None) -> TeamRule:
        """Keep teammates' memories so many days, and at most so many. Nothing is removed before `run`;
        what an earlier rule removed comes back by the next meeting where this one keeps it. Raises
        InvalidRecordError."""
        if (days is not None and not 0 <= days <= LONGEST_DAYS) or (most is not None and most < 0):
            raise InvalidRecordError("Give days from 0 to 36,500; nothing was changed.")
        own_team(self.store)
        rule = TeamRule(None if days is None else whole_days(days), most)
        with self.store.transaction():
            self._ask_again()
            self._keep(rule)
        return rule

    def clear(self) -> None:
        """Keep all that teammates shared; what was removed comes back by the next meeting. Raises
        NotFoundError."""
        if self.rule() is None:
            raise NotFoundError("What teammates shared is kept for good already.")
        with self.store.transaction():
            self._ask_again()
            self.db.execute("DELETE FROM meta WHERE key = ?", (RETENTION,))

    def since(self, now: int | None = None) -> int:
        """Return from which moment on (ms) what teammates made is kept, as far as that is known without
        counting: what is older and not here isn't taken from the server either."""
        rule = self.rule()
        if rule is None:
            return 0
        at = now_ms() if now is None else now
        return max(rule.since, 0 if rule.days is None else int(at - rule.days * DAY))

    def due(self, now: int | None = None) -> dict[str, int]:
        """Return how many records would be removed at a moment (ms; now when None), by table."""
        until = self._until(now)
        due = {table: len(self._ids(table, until)) for table in EVENT_KINDS}
        return {table: many for table, many in due.items() if many}

    def run(self, now: int | None = None) -> int:
        """Remove what `due` returns, and sessions in which nothing is left; return how many records of
        `due` that were."""
        rule = self.rule()
        if rule is None:
            return 0
        until = self._until(now)
        removed = 0
        for table in EVENT_KINDS:
            ids = self._ids(table, until)
            removed += len(ids)
            for start in range(0, len(ids), BATCH):
                with self.store.transaction():
                    self._keep(TeamRule(rule.days, rule.most, until))
                    self._remove(table, ids[start : start + BATCH])
        with self.store.transaction():
            sql = f"SELECT t.id {SESSIONS} AND t.created_at < ?"
            self._remove("sessions", [int(str(number)) for (number,) in self.db.execute(sql, (until,))])
        return removed

    def remove_all(self) -> int:
        """Remove all that teammates shared and nobody changed here since; return how many records that
        were."""
        removed = 0
        with self.store.transaction():
            for table in (*EVENT_KINDS, "facts", "notes", "sessions"):
                rows = SESSIONS if table == "sessions" else PULLED.format(table)
                sql = f"SELECT t.id {rows}"
                ids = [int(str(number)) for (number,) in self.db.execute(sql)]
                self._remove(table, ids)
                removed += len(ids)
        return removed

    def _until(self, now: int | None) -> int:
        """Return before which moment (ms) all that a rule may take away goes."""
        rule = self.rule()
        until = self.since(now)
        if rule is None or rule.most is None:
            return until
        made = " UNION ALL ".join(f"SELECT t.created_at AS at {EVENTS.format(it)}" for it in EVENT_KINDS)
        sql = f"SELECT at + 1 FROM ({made}) ORDER BY at DESC LIMIT 1 OFFSET ?"
        return max(until, int(str(self.db.execute(sql, (rule.most,)).get or 0)))

    def _ids(self, table: str, until: int) -> list[int]:
        sql = f"SELECT t.id {EVENTS.format(table)} AND t.created_at < ?"
        rows: Any = self.db.execute(sql, (until,))
        return [number for (number,) in rows]

    def _remove(self, table: str, ids: list[int]) -> None:
        chosen = json.dumps(ids)
        among = "IN (SELECT value FROM json_each(?))"
        if letter := LETTERS.get(KIND_OF[table]):
            sql = f"SELECT id FROM documents WHERE kind = '{letter}' AND record_id {among}"
            drop_documents(self.db, [int(str(number)) for (number,) in self.db.execute(sql, (chosen,))])
        sql = f"DELETE FROM {table} WHERE id {among} RETURNING uid"
        uids = json.dumps([uid for (uid,) in self.db.execute(sql, (chosen,)).fetchall()])
        # Triggers take it for a deletion, which would travel.
        for marks, key in (("sync_tombstones", "uid"), ("unsynced_rows", "key")):
            self.db.execute(f"DELETE FROM {marks} WHERE kind = ? AND {key} {among}", (table, uids))

    def _keep(self, rule: TeamRule) -> None:
        text = json.dumps(asdict(rule))
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (RETENTION, text))

    def _ask_again(self) -> None:
        """Have the next meeting compare what is here with the server, which has what is missing."""
        for table in ("sessions", *EVENT_KINDS):
            self.db.execute(
                f"DELETE FROM team_rows WHERE kind = '{table}' AND state = 'here' "
                "AND author <> (SELECT member FROM team) "
                f"AND uid NOT IN (SELECT uid FROM {table})"
            )
        peer = own_team(self.store).peer
        self.db.execute("UPDATE sync_peers SET meeting = '' WHERE machine = ?", (peer,))
