"""Which rows an export holds, neither private nor deleted ones unless they are asked for, and what its
sessions are called."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import apsw

from ...records.dataclasses import dataclass, replace
from ...records.kinds import KIND_OF, NOISE, REVIEWED, TABLES, parse_ref
from ...tables.session_titles import OUTCOME, request_of, session_title

RECORDS = tuple(TABLES.values())
IN_SESSIONS = ("prompts", "observations", "summaries")
OF_SESSIONS = (*IN_SESSIONS, "pending_messages", "captured_events", "token_usage")

VANISHING = ("sessions", "prompts", "observations", "summaries", "pending_messages")


@dataclass(frozen=True, slots=True)
class Scope:
    """What an export holds beside the rows that everyone sees. `noise` is no secret: formats that
    programs read hold it, those that people read don't."""

    private: bool = False
    deleted: bool = False
    noise: bool = True
    chosen: dict[str, str] | None = None
    """Of chosen records only: their ids as a JSON array, by table (`choose`)."""
    session: int | None = None
    """The session that was chosen, if all is chosen for being its own."""
    waiting: bool = True
    """Whether what waits for its user's word goes out, by which an agent or a teammate could read it."""
    levels: bool = True
    """Whether a brief summary goes beside the detailed one that says all of it."""

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        has_all = self.private and self.deleted and self.noise and self.waiting and self.levels
        return has_all and self.chosen is None

    def shown(self, alias: str, table: str = "") -> str:
        """Return the SQL condition that a record's own flags let it out, and that it is chosen, if
        its table is named; `alias` is its table's."""
        conditions = []
        if self.chosen is not None and table in self.chosen:
            conditions.append(f"{alias}.id IN (SELECT value FROM json_each('{self.chosen[table]}'))")
        if not self.private:
            conditions.append(f"{alias}.private = 0")
        if not self.deleted:
            conditions.append(f"{alias}.deleted_at IS NULL")
        if not self.waiting and KIND_OF.get(table) in REVIEWED:
            conditions.append(f"{alias}.unreviewed = 0")
        return " AND ".join(conditions) or "true"

    def condition(self, table: str, alias: str = "t") -> str:
        """Return the SQL condition that a row of `table` is exported; `alias` is the table's.

        A session that stays takes all that belongs to it along. So does a hidden record with the
        raw message that it was made of, and a hidden prompt with the message that quotes it.
        """
        conditions = [self.shown(alias, table)] if table in RECORDS else []
        if self.is_everything:
            return "true"
        if self.chosen is not None and table not in (*RECORDS, "fact_sources"):
            return "false"
        if table == "observations" and not self.noise and self.chosen is None:
            conditions.append(f"{alias}.type <> '{NOISE}'")
        if table == "summaries" and not self.levels:
            conditions.append(
                "NOT EXISTS (SELECT 1 FROM summary_levels level "
                "JOIN summaries detailed ON detailed.id = level.detailed_id "
                f"WHERE level.brief_id = {alias}.id AND {self.shown('detailed', table)})"
            )
        if table in OF_SESSIONS:
            conditions.append(
                "EXISTS (SELECT 1 FROM sessions owner "
                f"WHERE owner.id = {alias}.session_id AND {self.shown('owner')})"
            )
        if table == "pending_messages":
            conditions += [
                "NOT EXISTS (SELECT 1 FROM observations made "
                f"WHERE made.event_id = {alias}.event_id AND NOT ({self.shown('made')}))",
                f"NOT {self._hidden_prompt(f'{alias}.session_id', f'{alias}.last_user_message')}",
            ]
        if table == "reports":
            reported = " OR ".join(
                f"EXISTS (SELECT 1 FROM {item} reported "
                f"WHERE reported.uid = {alias}.uid AND {self.condition(item, 'reported')})"
                for item in ("prompts", "observations", "summaries", "facts")
            )
            conditions.append(f"({reported})")
        if table == "fact_sources":
            shown = self.shown("owner", "facts")
            conditions.append(
                f"EXISTS (SELECT 1 FROM facts owner WHERE owner.id = {alias}.fact_id AND {shown})"
            )
            conditions += [] if self.deleted else [f"{alias}.deleted_at IS NULL"]
        if table == "vanished":
            kept = (
                f"WHEN '{name}' THEN EXISTS (SELECT 1 FROM {name} gone "
                f"WHERE gone.id = {alias}.record_id AND {self.condition(name, 'gone')})"
                for name in VANISHING
            )
            conditions.append(f"CASE {alias}.kind {' '.join(kept)} END")
        return " AND ".join(conditions) or "true"

    def first_prompt(self, alias: str) -> str:
        """Return the SQL of a session's `first_prompt`: NULL where it repeats a prompt that stays."""
        if self.is_everything:
            return f"{alias}.first_prompt"
        hidden = self._hidden_prompt(f"{alias}.id", f"{alias}.first_prompt")
        return f"iif({hidden}, NULL, {alias}.first_prompt)"

    def is_empty(self, db: apsw.Connection) -> bool:
        """Whether no record goes out."""
        some = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} t WHERE {self.condition(table)})" for table in RECORDS
        )
        return not db.execute(f"SELECT {some}").get

    def left_out(self, db: apsw.Connection) -> dict[str, int]:
        """Count the records that stay, by table; tables without any are missing."""
        counts: dict[str, int] = {}
        for table in RECORDS:
            among = replace(ALL, chosen=self.chosen).shown("t", table)
            sql = f"SELECT count(*) FROM {table} t WHERE {among} AND NOT ({self.condition(table)})"
            result: Any = db.execute(sql).get
            if result:
                counts[table] = int(result)
        return counts

    def _hidden_prompt(self, session: str, text: str) -> str:
        """Return the SQL condition that a text quotes a hidden prompt of a session, or a part of one."""
        return (
            f"({text} IS NOT NULL AND EXISTS (SELECT 1 FROM prompts said "
            f"WHERE said.session_id = {session} AND NOT ({self.shown('said', 'prompts')}) "
            f"AND said.text <> '' AND (instr({text}, said.text) OR instr(said.text, {text}))))"
        )


ALL = Scope(private=True, deleted=True)
"""All records, hidden ones too."""

_IDS = "(SELECT value FROM json_each(:ids))"
_RESTS_ON = " UNION ALL ".join(
    f"SELECT uid FROM {table} WHERE session_id IN {_IDS}" for table in IN_SESSIONS
)
WHOLE_SESSIONS = {
    "sessions": f"id IN {_IDS}",
    **dict.fromkeys(IN_SESSIONS, f"session_id IN {_IDS}"),
    "facts": "id IN (SELECT fact_id FROM fact_sources WHERE deleted_at IS NULL AND session IN "
    f"(SELECT content_session_id FROM sessions WHERE id IN {_IDS})) "
    "OR EXISTS (SELECT 1 FROM json_each(iif(json_valid(evidence), evidence, '[]')) shown "
    f"WHERE shown.value IN ({_RESTS_ON}))",
    "notes": "false",
}
"""Of each table which rows go with sessions: all that they hold but noise, and the facts that were told in
them or rest on what they hold."""


def choose(db: apsw.Connection, refs: Iterable[str], scope: Scope) -> Scope:
    """Return a scope of the records that refs name, those that are there, and of the sessions of those
    that go out, which go along as what they belong to: not with what else they hold. A session that is
    named itself goes with all that it holds."""
    numbers: dict[str, set[int]] = {table: set() for table in RECORDS}
    for ref in refs:
        if named := parse_ref(ref):
            numbers[TABLES[named[0]]].add(named[1])
    if numbers["sessions"]:
        is_one = sum(map(len, numbers.values())) == 1
        scope = replace(scope, session=min(numbers["sessions"]) if is_one else None)
        whole = _choose_by(db, scope, WHOLE_SESSIONS, ids=json.dumps([*numbers["sessions"]])).chosen or {}
        numbers = {table: some | set(json.loads(whole[table])) for table, some in numbers.items()}
    for table in IN_SESSIONS:
        sql = (
            f"SELECT DISTINCT session_id FROM {table} t "
            f"WHERE id IN (SELECT value FROM json_each(?)) AND {scope.shown('t')}"
        )
        rows: Any = db.execute(sql, (json.dumps([*numbers[table]]),)).fetchall()
        numbers["sessions"].update(number for (number,) in rows)
    return replace(scope, chosen={table: json.dumps(sorted(some)) for table, some in numbers.items()})


def choose_project(db: apsw.Connection, project: str, scope: Scope) -> Scope:
    """Return a scope of all that a project holds but noise, and of the sessions that it belongs to."""
    belonging = " UNION ".join(
        f"SELECT session_id FROM {table} WHERE project = :project"
        for table in IN_SESSIONS
        if table != "prompts"
    )
    conditions = {
        **dict.fromkeys(RECORDS, "project = :project"),
        "sessions": f"project = :project OR id IN ({belonging})",
        "prompts": "session_id IN (SELECT id FROM sessions WHERE project = :project)",
    }
    return _choose_by(db, scope, conditions, project=project)


def _choose_by(
    db: apsw.Connection, scope: Scope, conditions: Mapping[str, str], **values: str | int
) -> Scope:
    chosen: dict[str, str] = {}
    for table, condition in conditions.items():
        without = f" AND type <> '{NOISE}'" if table == "observations" else ""
        sql = f"SELECT json_group_array(id) FROM {table} WHERE ({condition}){without}"
        result: Any = db.execute(sql, values).get
        chosen[table] = str(result)
    return replace(scope, chosen=chosen)


def exported_titles(db: apsw.Connection, scope: Scope) -> dict[int, str]:
    """Return what each exported session is called, by its own title, its prompts and the summaries that
    are exported; `` where these say nothing."""
    # Beside `max`, the other columns are those of the newest.
    newest = (
        "SELECT session_id, request, completed, learned, max(created_at) FROM summaries t "
        f"WHERE {scope.condition('summaries')} GROUP BY session_id"
    )
    request = request_of("t.id", scope.condition("prompts", "p"))
    rows = db.execute(
        f"SELECT t.id, t.title, {scope.first_prompt('t')}, {request}, {OUTCOME} FROM sessions t "
        f"LEFT JOIN ({newest}) m ON m.session_id = t.id WHERE {scope.condition('sessions')}"
    )
    return {number: session_title(*parts) for number, *parts in rows}
