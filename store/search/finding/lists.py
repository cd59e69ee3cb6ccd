"""The ids of the sessions, facts and messages of the queue that hold all of some words, in the order
of their lists. One walk answers a list of any length: its pages are read by these ids."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import apsw

from ...database.deadline import Deadline
from ...database.transaction import in_snapshot
from ...records import FACT_KINDS, FactKind
from ...records.dataclasses import dataclass
from ...tables.base import matching
from ...tables.fact_sql import NAMING
from ..matching.matcher import Matcher
from ..query.language import Filter, Query, Term
from .words import bound, holding, prepare, words_of

SUMMARIES_SECONDS = 0.25
"""So long is looked for a word in summaries, the newest first."""
LONGEST_TEXT = 4_000
"""Characters of a session's first prompt that are looked at."""

SESSION_TEXT = f"""
(coalesce(title, '') || char(10) || substr(coalesce(first_prompt, ''), 1, {LONGEST_TEXT})
|| char(10) || project || char(10) || agent || char(10) || content_session_id)
"""
SUMMED_UP = """
SELECT DISTINCT session_id FROM documents
WHERE id IN (SELECT value FROM json_each(?)) AND session_id IS NOT NULL
"""
KIND_NAMES = " ".join(f"WHEN '{letter}' THEN '{name}'" for letter, name in FACT_KINDS.items())
FACT_TEXT = f"""
(content || char(10) || coalesce(entities, '') || char(10) || project
|| char(10) || CASE kind {KIND_NAMES} ELSE '' END)
"""
# Nothing of a session that is hidden is looked at.
MESSAGE_TEXT = """
(m.kind || char(10) || coalesce(m.tool_name, '') || char(10)
|| coalesce(m.error, m.outcome, '') || char(10) || s.project || char(10) || s.agent || char(10)
|| iif(s.private OR s.deleted_at IS NOT NULL, '',
    substr(coalesce(s.title, s.first_prompt, s.content_session_id), 1, 200)))
"""
EVENT_TEXT = "(agent || char(10) || reason)"


@dataclass(frozen=True, slots=True)
class FoundIds:
    """The ids of rows, in the order of their list; `complete` unless time was up before all that hold
    the words were found."""

    ids: tuple[int, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class FoundSessions:
    """The ids of sessions, the newest first, with their starts in ms since the epoch; `complete` as
    `FoundIds` has it."""

    ids: tuple[int, ...]
    starts: tuple[int, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class FoundRefs:
    """The refs of messages (`12`) and quarantined events (`q12`), in the order of their list."""

    refs: tuple[str, ...]


def of_rows(table: str, time: str, text: str, condition: str) -> str:
    """Return the SELECT of the id, the time and the text of rows. Without an index by time: to find the
    few first of an order, and to read all of a table, are two things."""
    # Its LIMIT keeps SQLite from making the text anew for each time that it is named.
    return (
        f"SELECT id, {time} AS at, lower({text}) AS held FROM {table} NOT INDEXED "
        f"WHERE {condition} LIMIT -1"
    )


class ListSearch:
    """What the lists of a memory hold, asked on one connection."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        prepare(db)

    @in_snapshot
    def sessions(self, text: str, project: str | None = None, agent: str | None = None) -> FoundSessions:
        """Return the visible sessions that hold the words of `text`, the newest start first: in title,
        first prompt, project, agent, id, or in what sums them up."""
        words = words_of(text)
        values: dict[str, Any] = {"project": project, "agent": agent} | bound(words)
        complete = True
        for number, word in enumerate(words):
            results, is_all = self._summed_up(word)
            values[f"sessions{number}"] = json.dumps(results)
            complete = complete and is_all
        condition = holding(
            "held",
            words,
            lambda number: f"id IN (SELECT value FROM json_each(:sessions{number}))",
        )
        sql = (
            "SELECT id, at FROM "
            f"({of_rows('sessions', 'started_at', SESSION_TEXT, matching(project=project, agent=agent))}) "
            f"WHERE {condition} ORDER BY at DESC, id DESC"
        )
        rows: list[Any] = self.db.execute(sql, values).fetchall()
        ids, starts = zip(*rows, strict=True) if rows else ((), ())
        return FoundSessions(ids, starts, complete)

    @in_snapshot
    def facts(self, text: str, kind: FactKind | None = None, entity: str | None = None) -> FoundIds:
        """Return the visible facts that hold the words of `text`, the newest first: in what they say,
        what they name, their project, or the name of their kind."""
        words = words_of(text)
        naming = "" if entity is None else f" AND {NAMING}"
        sql = (
            "SELECT id FROM "
            f"({of_rows('facts', 'created_at', FACT_TEXT, matching(kind=kind) + naming)}) "
            f"WHERE {holding('held', words)} ORDER BY at DESC, id DESC"
        )
        values: dict[str, Any] = {"kind": kind, "entity": entity} | bound(words)
        return FoundIds(tuple(number for (number,) in self.db.execute(sql, values)))

    @in_snapshot
    def messages(self, text: str, states: Sequence[str]) -> FoundRefs:
        """Return what of the queue is in some states and holds the words of `text`, in the order of
        `item_page`: in its kind, tool, error, session, project or agent."""
        words = words_of(text)
        results: list[str] = []
        if "quarantined" in states:
            condition = holding(f"lower({EVENT_TEXT})", words)
            sql = f"SELECT 'q' || id FROM quarantine WHERE {condition} ORDER BY id"
            results += [ref for (ref,) in self.db.execute(sql, bound(words))]
        others = [word for word in states if word not in ("quarantined", "processed")]
        for part, order in ((["processed"], "DESC"), (others, "ASC")):
            wanted = [state for state in part if state in states]
            if wanted:
                sql = (
                    "SELECT CAST(m.id AS TEXT) FROM pending_messages m "
                    "JOIN sessions s ON s.id = m.session_id "
                    "WHERE m.status IN (SELECT value FROM json_each(:states)) "
                    f"AND {holding(f'lower({MESSAGE_TEXT})', words)} ORDER BY m.id {order}"
                )
                values: dict[str, Any] = {"states": json.dumps(wanted)} | bound(words)
                results += [ref for (ref,) in self.db.execute(sql, values)]
        return FoundRefs(tuple(results))

    def _summed_up(self, word: str) -> tuple[list[int], bool]:
        """The sessions whose summaries hold a word, and whether all of them were looked at."""
        deadline = Deadline(self.db, SUMMARIES_SECONDS)
        query = Query(clauses=((Term(word),),), filters=(Filter("kind", ("summary",)),))
        matcher = Matcher(self.db, query, deadline)
        documents: list[int] = []
        with deadline:
            # What was found until the time is up stays.
            documents.extend(matcher.matching(matcher.candidates()))
        rows: list[Any] = self.db.execute(SUMMED_UP, (json.dumps(documents),)).fetchall()
        return [number for (number,) in rows], not deadline.passed
