"""Sessions: one working session of an agent. (agent, content_session_id) is the key."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Literal

import apsw

from ..database.transaction import in_snapshot
from ..platform.clock import common_columns, horizon_ms, now_ms
from ..platform.errors import InvalidRecordError, NotFoundError
from ..records.conforming import as_number, as_text
from ..records.events import Usage
from ..records.kinds import VISIBLE
from ..records.rows import Common, Relative, Session, SessionDay, SessionRow, SessionStatus
from ..text import clean
from .base import Table, Values, columns, insert, matching, new_columns, to_record, write_text
from .new_rows import LIVE_MS, LIVE_SESSION, insert_statement, manual_session
from .removal.purge import PURGED_SESSION, is_purged_key, purged_session_id
from .session_titles import ASKED_AND_DONE, NEWEST_SUMMARY, first_line, session_title, session_titles

if TYPE_CHECKING:
    from .families import Family

# The class has a method that is called `list`.
SessionRows = list[SessionRow]
SessionTree = list[tuple[int, int]]
DaysOfSessions = list[SessionDay]
ColumnCounts = list[tuple[str, int]]

INSERT = insert_statement("sessions", new_columns(Session))

FIRST, END = 1, 253_400_000_000_000
"""ms since the epoch, UTC: what lies before or after is no date that a calendar has."""

COUNTED = f"""
SELECT {columns(Session, "s")},
    (SELECT count(*) FROM documents d WHERE d.session_id = s.id AND d.kind = 'p'),
    (SELECT count(*) FROM documents d WHERE d.session_id = s.id AND d.kind = 'o'),
    (SELECT count(*) FROM documents d WHERE d.session_id = s.id AND d.kind = 's'),
    {ASKED_AND_DONE}, m.text,
    max(s.started_at, coalesce(
        (SELECT max(d.created_at) FROM documents d WHERE d.session_id = s.id), 0
    )),
    (SELECT count(DISTINCT subagent) FROM observations WHERE session_id = s.id AND subagent IS NOT NULL)
FROM sessions s LEFT JOIN summaries m ON m.id = {NEWEST_SUMMARY}
"""


_IN_LIKE = str.maketrans({sign: f"\\{sign}" for sign in "\\%_"})


class Sessions(Table[Session]):
    """The sessions table."""

    record = Session
    name = "sessions"

    def start(
        self,
        content_session_id: str | None = None,
        *,
        agent: str = "manual",
        project: str = "",
        project_path: str | None = None,
        title: str | None = None,
        first_prompt: str | None = None,
        memory_session_id: str | None = None,
        status: SessionStatus = "active",
        at: int | None = None,
        completed_at: int | None = None,
        prompt_counter: int = 0,
        automatic: bool = False,
        **origin: Any,
    ) -> Session:
        """Return the session with this key, made when it is new; `at` is its start, ms since the epoch.

        Without an id it is the project's manual session, "manual-PROJECT". Starting a session
        again changes nothing but what was still unknown: its project, path and title.
        """
        key = write_text(content_session_id) or write_text(manual_session(project)) or ""
        agent = write_text(agent) or ""
        fresh = {
            "project": write_text(project),
            "project_path": write_text(project_path),
            "title": write_text(title),
        }
        with self.transaction:
            if session := self.find(key, agent):
                if fresh["title"] and not session.title and fresh["title"] == self._parents_title(session):
                    del fresh["title"]
                return self._fill(session, fresh)
            values: Values = common_columns(self.machine, at=at, **origin) | fresh
            values |= {
                "agent": agent,
                "content_session_id": key,
                "memory_session_id": memory_session_id,
                "first_prompt": write_text(first_prompt),
                "status": status,
                "started_at": values["created_at"],
                "completed_at": completed_at,
                "prompt_counter": prompt_counter,
                "automatic": automatic,
                "continues": None,
                "branch": None,
                "tags": "[]",
            }
            return self.get(insert(self.db, INSERT, values))

    def end(
        self,
        session: Session | int | str,
        status: SessionStatus = "completed",
        at: int | None = None,
    ) -> Session:
        """Mark a session completed or failed at `at` (now when None)."""
        if status not in ("completed", "failed"):
            raise InvalidRecordError("A session ends completed or failed, not {status}.", status=status)
        result = self.resolve(session)
        return self._update(result, status=status, completed_at=now_ms() if at is None else at)

    def resume(self, session: Session) -> Session:
        """Mark a session that had ended as active again."""
        return self._update(session, status="active", completed_at=None)

    def link(self, session: Session | int | str, memory_session_id: str) -> Session:
        """Fill in, or change, the memory session id; it is unique among sessions."""
        result = self.resolve(session)
        taken = self.where("memory_session_id = ? AND id <> ?", (memory_session_id, result.id))
        if taken:
            raise InvalidRecordError(
                "Memory session {memory_session_id} belongs to session @{id} already.",
                memory_session_id=memory_session_id,
                id=taken[0].id,
            )
        return self._update(result, memory_session_id=memory_session_id)

    @in_snapshot
    def usage(self, session: Session | int | str) -> Usage:
        """Return the tokens of all answers of the model in a session, as its transcript tells them."""
        return self._usage([self.get(session.id if isinstance(session, Session) else session).id])

    def _usage(self, numbers: Iterable[int]) -> Usage:
        sums: Iterable[Any] = self.db.execute(
            "SELECT total(input), total(output), total(cache_read), total(cache_written) "
            "FROM token_usage WHERE session_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(numbers)),),
        ).fetchall()[0]
        return Usage(*map(int, sums))

    def find(self, content_session_id: str, agent: str | None = None) -> Session | None:
        """Return the session with this content id, of this agent (of any: the newest); None if unknown."""
        sessions = self.where(
            f"content_session_id = :key AND {'true' if agent is None else 'agent = :agent'} "
            "ORDER BY started_at DESC LIMIT 1",
            {"key": write_text(content_session_id), "agent": agent},
        )
        return sessions[0] if sessions else self._purged(content_session_id, agent)

    def live(self, agent: str, project: str) -> Session | None:
        """Return the newest session of an agent in a project that goes on; None for none of today."""
        since = now_ms() - LIVE_MS
        result: Any = self.db.execute(LIVE_SESSION, (agent, project, since)).fetchone()
        return self.get(result[0]) if result else None

    def _purged(self, content_session_id: str, agent: str | None) -> Session | None:
        """Return what is left of a purged session, by the id that it had; None for none."""
        key = purged_session_id(content_session_id)
        if not is_purged_key(self.db, key):
            return None
        sessions = self.where("content_session_id = ? AND agent = coalesce(?, agent) LIMIT 1", (key, agent))
        return sessions[0] if sessions else None

    def revive(self, session: Session, content_session_id: str) -> Session:
        """Give what is left of a purged session its id again: it goes on."""
        values = {"content_session_id": write_text(content_session_id), "deleted_at": None}
        return self._update(session, **values)

    def get(self, ref: int | str) -> Session:
        """Return a session by number (12, "@12"), uid, content id, memory id, or an unambiguous start of
        its content id of four characters or more; NotFoundError."""
        text = clean(str(ref))
        number = text.removeprefix("@")
        if number.isdecimal() and len(number) < 19 and (isinstance(ref, int) or text[0] == "@"):
            sessions = self.where("id = ?", (int(number),))
        else:
            sessions = self.where(
                "content_session_id = ?1 OR memory_session_id = ?1 OR uid = ?1 "
                "ORDER BY started_at DESC LIMIT 1",
                (text,),
            )
            if not sessions and len(text) >= 4:
                sessions = self.where(
                    "content_session_id BETWEEN ?1 AND ?1 || char(0x10ffff) LIMIT 2", (text,)
                )
                if len(sessions) > 1:
                    raise NotFoundError(
                        "Several sessions begin with {text}. Give more of the id.", text=text
                    )
            if not sessions and number.isdecimal() and len(number) < 19:
                sessions = self.where("id = ?", (int(number),))
        if not sessions:
            raise NotFoundError("There is no session {text}. `mem session list` shows them.", text=text)
        return sessions[0]

    def beginning(self, text: str, limit: int) -> list[Session]:
        """Return the visible sessions whose uid, or whose id of the agent, begins so, the newest first."""
        begins = " OR ".join(
            f"{column} BETWEEN ?1 AND ?1 || char(0x10ffff)"
            for column in ("uid", "content_session_id", "memory_session_id")
        )
        return self.where(f"({begins}) AND {VISIBLE} ORDER BY started_at DESC LIMIT ?2", (text, limit))

    def resolve(
        self, session: Session | int | str | None, *, agent: str = "manual", project: str = ""
    ) -> Session:
        """Return the session that a write names, known or made now, so that nothing is ever orphaned."""
        if isinstance(session, Session):
            return session
        if isinstance(session, int):
            return self.get(session)
        if session and session.startswith("@") and session[1:].isdecimal():
            return self.get(session)
        if session and (result := self.find(session)):
            return result
        return self.start(session, agent=agent, project=project)

    @in_snapshot
    def list(
        self,
        project: str | None = None,
        agent: str | None = None,
        limit: int = 50,
        offset: int = 0,
        before: int | None = None,
        *,
        ahead_last: bool = False,
        without: Collection[int] = (),
    ) -> SessionRows:
        """Return a page of the visible sessions with their counts, the newest start first; with `before`
        of those that started before then, in ms; with `ahead_last` those last that are dated ahead, by a
        clock that was wrong; `without` those of these ids."""
        condition, values = _chosen(project, agent, without)
        values |= {
            "limit": limit, "offset": offset, "before": before, "horizon": horizon_ms(),
        }  # fmt: skip
        order = "s.started_at DESC, s.id DESC"
        ahead = "SELECT EXISTS (SELECT 1 FROM sessions WHERE started_at > :horizon)"
        # No index has that order: it is made where there is something to put last.
        if ahead_last and self.db.execute(ahead, values).get:
            order = f"s.started_at > :horizon, {order}"
        if before is not None:
            condition += " AND s.started_at < :before"
        sql = (
            f"{COUNTED} WHERE s.id IN (SELECT id FROM sessions s WHERE {condition} "
            f"ORDER BY {order} LIMIT :limit OFFSET :offset) ORDER BY {order}"
        )
        return [session_row(row) for row in self.db.execute(sql, values)]

    @in_snapshot
    def count(self, project: str | None = None, agent: str | None = None) -> int:
        """Return how many sessions `list` has in all."""
        sql = f"SELECT count(*) FROM sessions WHERE {matching(project=project, agent=agent)}"
        return int(self.db.execute(sql, {"project": project, "agent": agent}).get)

    @in_snapshot
    def days(
        self,
        project: str | None = None,
        agent: str | None = None,
        without: Collection[int] = (),
    ) -> DaysOfSessions:
        """Return the days of all that `list` has, the newest first."""
        return [*_days(self.db, *_chosen(project, agent, without))]

    @in_snapshot
    def count_by(self, column: Literal["project", "agent", "tag", "branch"]) -> ColumnCounts:
        """Return how many visible sessions each project, agent, tag or branch has, those with the most
        first."""
        listed = f"sessions INDEXED BY sessions_listed WHERE {matching()}"
        if column == "tag":
            listed = "(SELECT value AS tag FROM session_tags WHERE is_shown)"
        sql = f"SELECT {column}, count(*) AS number FROM {listed} GROUP BY 1 ORDER BY number DESC, 1"
        rows: Iterable[Any] = self.db.execute(sql)
        return [(as_text(value), int(number)) for value, number in rows]

    @in_snapshot
    def before(
        self,
        started_at: int,
        number: int,
        project: str | None = None,
        agent: str | None = None,
        without: Collection[int] = (),
    ) -> int:
        """Return how many sessions of `list` come before one with this start (ms) and id."""
        condition, values = _chosen(project, agent, without)
        sql = f"SELECT count(*) FROM sessions s WHERE {condition} AND (started_at, id) > (:at, :number)"
        return int(self.db.execute(sql, values | {"at": started_at, "number": number}).get)

    @in_snapshot
    def families(self, project: str | None = None, agent: str | None = None) -> dict[int, SessionTree]:
        """Return the families of several of the sessions that `list` has, each by the id of its newest: the
        ids of its sessions as a tree, the first one first, each with its depth."""
        from .families import parents, trees

        return trees(parents(self.db, project, agent))

    @in_snapshot
    def parents(self) -> dict[int, int]:
        """Return the ids of all sessions that `list` has and that go on from another of them, each with the
        id of that."""
        # Most of what asks for sessions asks for no families.
        from .families import parents

        return parents(self.db)

    @in_snapshot
    def family(self, session: Session | int) -> Family:
        """Return the sessions from which one goes on, those that go on from it, and itself, as a tree, the
        first one first."""
        from .families import Family, subagents

        own = session if isinstance(session, int) else session.id
        families = self.families().values()
        tree = next((tree for tree in families if any(number == own for number, _ in tree)), [(own, 0)])
        rows = {row.session.id: row for row in self.rows(number for number, _ in tree)}
        members = tuple(
            Relative(rows[number], depth, tuple(subagents(self.db, number)))
            for number, depth in tree
            if number in rows
        )
        return Family(members, self._usage(rows))

    def continue_from(self, session: Session, agent: str, content_session_id: str) -> Session:
        """Note that a session goes on from another one, known or not, unless it is known to already. A
        title of that one isn't its own."""
        is_itself = (agent, content_session_id) == (session.agent, session.content_session_id)
        is_gone = is_purged_key(self.db, purged_session_id(content_session_id))
        if session.continues or is_itself or is_gone:
            return session
        result = self._update(session, continues=write_text(f"{agent}/{content_session_id}"))
        is_copied = result.title and result.title == self._parents_title(result)
        return self._update(result, title=None) if is_copied else result

    def _parents_title(self, session: Session) -> str | None:
        agent, _, id = (session.continues or "").partition("/")
        parent = self.find(id, agent) if id else None
        return parent.title if parent else None

    @in_snapshot
    def content_ids(self, agent: str) -> tuple[str, ...]:
        """Return what an agent calls its sessions."""
        sql = "SELECT content_session_id FROM sessions WHERE agent = ?"
        return tuple(name for (name,) in self.db.execute(sql, (agent,)))

    @in_snapshot
    def rows(self, ids: Iterable[int]) -> SessionRows:
        """Return the sessions with these ids, with their counts, in the order given."""
        wanted = list(ids)
        sql = f"{COUNTED} WHERE s.id IN (SELECT value FROM json_each(?))"
        result = map(session_row, self.db.execute(sql, (json.dumps(wanted),)))
        known = {row.session.id: row for row in result}
        return [known[number] for number in wanted if number in known]

    @in_snapshot
    def titles(self, ids: Iterable[int]) -> dict[int, str]:
        """Return what the sessions with these ids are called."""
        return session_titles(self.db, ids)

    def of_record(self, record: Common) -> Session | None:
        """Return the session that a record is, or is of; None for a record of none."""
        if isinstance(record, Session):
            return record
        number = getattr(record, "session_id", None)
        return self.get(number) if isinstance(number, int) else None

    @in_snapshot
    def row(self, session: Session | int) -> SessionRow:
        """Return one session with its counts."""
        number = session if isinstance(session, int) else session.id
        result = self.db.execute(f"{COUNTED} WHERE s.id = ?", (number,)).fetchone()
        if result is None:
            raise NotFoundError(
                "There is no session @{number}. `mem session list` shows them.", number=number
            )
        return session_row(result)

    def move(self, session: Session, project: str, path: str) -> Session:
        """Give a session another project, which lies at a path."""
        return self._update(session, project=write_text(project), project_path=write_text(path))

    def set_branch(self, session: Session, branch: str) -> Session:
        """Note the git branch on which a session works now."""
        return self._update(session, branch=write_text(branch))

    def rename(self, session: Session, title: str) -> Session:
        """Give a session another title."""
        return self._update(session, title=write_text(title))

    @in_snapshot
    def titled(self, words: Iterable[str], limit: int = 3) -> tuple[Session, ...]:
        """Return the newest sessions whose title holds all of some words, at any place and in any letter
        case; none for no words."""
        values = {f"word{number}": f"%{word.translate(_IN_LIKE)}%" for number, word in enumerate(words)}
        if not values:
            return ()
        held = " AND ".join(f"title LIKE :{name} ESCAPE '\\'" for name in values)
        order = f"ORDER BY started_at DESC LIMIT {limit}"
        return tuple(self.where(f"{matching()} AND {held} {order}", values))

    def set_automatic(self, session: Session) -> Session:
        """Mark a session as one that a program started."""
        return self._update(session, automatic=True)

    def _fill(self, session: Session, fresh: Values) -> Session:
        if session.content_session_id.startswith(PURGED_SESSION):
            return session
        missing = {key: value for key, value in fresh.items() if value and not getattr(session, key)}
        return self._update(session, **missing) if missing else session

    def _update(self, session: Session, **values: object) -> Session:
        with self.transaction:
            self.write_columns([session.id], values)
        return self.get(session.id)

    def newest_prompt_number(self, session_id: int) -> int | None:
        """The number of a session's newest prompt, to which what happens now belongs; None before it."""
        sql = "SELECT nullif(prompt_counter, 0) FROM sessions WHERE id = ?"
        number: int | None = self.db.execute(sql, (session_id,)).get
        return number


def _chosen(project: str | None, agent: str | None, without: Collection[int]) -> tuple[str, dict[str, Any]]:
    """Return the SQL condition on `s` of all that a list has, and its values."""
    condition = matching("s", project=project, agent=agent)
    values: dict[str, Any] = {"project": project, "agent": agent}
    if without:
        # The plus keeps the list in the order of its index.
        condition += " AND +s.id NOT IN (SELECT value FROM json_each(:without))"
        values["without"] = json.dumps(list(without))
    return condition, values


def session_row(row: tuple[Any, ...]) -> SessionRow:
    """Return a row of COUNTED as its record."""
    *values, prompts, observations, summaries, request, outcome, text, last_at, subagents = row
    session = to_record(Session, values)
    title = session_title(session.title, session.first_prompt, request, outcome)
    line = first_line(outcome or request or text) or None
    return SessionRow(session, prompts, observations, summaries, title, line, as_number(last_at), subagents)


def _days(db: apsw.Connection, condition: str, values: dict[str, Any]) -> Iterator[SessionDay]:
    """Yield the days of the sessions that meet an SQL condition, the newest first.

    What has no date is a day of its own at either end, as these sort.
    """
    many = f"SELECT count(*) FROM sessions s WHERE {condition} AND started_at >= :since"
    if undated := int(db.execute(many, {**values, "since": END}).get):
        yield SessionDay(0, undated, None)
    last = (
        f"SELECT started_at FROM sessions s WHERE {condition} AND started_at < :until "
        "ORDER BY started_at DESC LIMIT 1"
    )
    until = END
    while (newest := db.execute(last, {**values, "until": until}).get) is not None:
        since, following = _midnights(newest) if newest >= FIRST else (-1 << 63, FIRST)
        bounds = {"since": since, "until": until}
        result = int(db.execute(f"{many} AND started_at < :until", {**values, **bounds}).get)
        yield SessionDay(max(0, newest), result, min(until, following))
        until = since


def _midnights(ms: int) -> tuple[int, int]:
    """The midnights before and after a moment."""
    day = datetime.fromtimestamp(ms / 1000).date()
    edges = (datetime.combine(date, time.min) for date in (day, day + timedelta(days=1)))
    first, last = (round(edge.timestamp() * 1000) for edge in edges)
    return first, last
