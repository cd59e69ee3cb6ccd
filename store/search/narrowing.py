"""Narrowing a list by words, compared as a search compares them, folded and as parts of words too: the ids
of the sessions, facts and messages of the queue that hold all of them, in the order of their lists. One
walk answers a list of any length. Sessions are narrowed by the filters of a query too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import apsw

from ..database.deadline import Deadline
from ..database.transaction import in_snapshot
from ..records.dataclasses import dataclass, replace
from ..records.kinds import VISIBLE
from ..records.rows import SHOWN_KINDS, FactKind
from ..tables.base import matching
from ..tables.facts import NAMING
from ..text.language.folding import fold
from .listing.snippets import align
from .matching import Matcher
from .query.filters import HIDDEN_STATES, TAGGED, resolved_value, where
from .query.grammar import LISTED, items
from .query.language import Filter, Query, Term, parse

SUMMARIES_SECONDS = 0.25
"""So long is looked for a word in summaries, the newest first."""
LONGEST_TEXT = 4_000
"""Characters of a session's first prompt that are looked at."""

SESSION_TEXT = f"""
(coalesce(title, '') || char(10) || substr(coalesce(first_prompt, ''), 1, {LONGEST_TEXT})
|| char(10) || project || char(10) || agent || char(10) || content_session_id
|| iif(tags = '[]', '', char(10) || tags) || char(10) || coalesce(branch, ''))
"""
OWN_STATES = {
    "pinned": "pinned = 1",
    "private": "private = 1",
    "deleted": "deleted_at IS NOT NULL",
    "automatic": "automatic = 1",
}
"""The states that a session has by itself; of others it is asked what it holds."""
SUMMED_UP = """
SELECT DISTINCT session_id FROM documents
WHERE id IN (SELECT value FROM json_each(?)) AND session_id IS NOT NULL
"""
KIND_NAMES = " ".join(f"WHEN '{letter}' THEN '{name}'" for letter, name in SHOWN_KINDS.items())
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


class ListSearch:
    """What the lists of a memory hold, asked on one connection."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db
        _prepare(db)

    @in_snapshot
    def sessions(self, text: str, project: str | None = None, agent: str | None = None) -> FoundSessions:
        """Return the visible sessions that hold the words of `text`, the newest start first: in title,
        first prompt, project, agent, id, tags, branch, or in what sums them up.

        Its filters are about the session where it has such a property, else about what it holds; with
        is:private or is:deleted these are listed.
        """
        text, query = _parted(text)
        words = words_of(text)
        passing, values = _passing(self.db, query)
        values |= {"project": project, "agent": agent} | _bound(words)
        passing += [f"{name} = :{name}" for name in ("project", "agent") if values[name] is not None]
        complete = True
        for number, word in enumerate(words):
            results, is_all = self._summed_up(word)
            values[f"sessions{number}"] = json.dumps(results)
            complete = complete and is_all
        condition = _holding(
            "held",
            words,
            lambda number: f"id IN (SELECT value FROM json_each(:sessions{number}))",
        )
        sql = (
            "SELECT id, at FROM "
            f"({_of_rows('sessions', 'started_at', SESSION_TEXT, ' AND '.join(passing))}) "
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
            f"({_of_rows('facts', 'created_at', FACT_TEXT, matching(kind=kind) + naming)}) "
            f"WHERE {_holding('held', words)} ORDER BY at DESC, id DESC"
        )
        values: dict[str, Any] = {"kind": kind, "entity": entity} | _bound(words)
        return FoundIds(tuple(number for (number,) in self.db.execute(sql, values)))

    @in_snapshot
    def messages(self, text: str, states: Sequence[str]) -> FoundRefs:
        """Return what of the queue is in some states and holds the words of `text`, in the order of
        `item_page`: in its kind, tool, error, session, project or agent."""
        words = words_of(text)
        results: list[str] = []
        if "quarantined" in states:
            condition = _holding(f"lower({EVENT_TEXT})", words)
            sql = f"SELECT 'q' || id FROM quarantine WHERE {condition} ORDER BY id"
            results += [ref for (ref,) in self.db.execute(sql, _bound(words))]
        others = [word for word in states if word not in ("quarantined", "processed")]
        for part, order in ((["processed"], "DESC"), (others, "ASC")):
            wanted = [state for state in part if state in states]
            if wanted:
                sql = (
                    "SELECT CAST(m.id AS TEXT) FROM pending_messages m "
                    "JOIN sessions s ON s.id = m.session_id "
                    "WHERE m.status IN (SELECT value FROM json_each(:states)) "
                    f"AND {_holding(f'lower({MESSAGE_TEXT})', words)} ORDER BY m.id {order}"
                )
                values: dict[str, Any] = {"states": json.dumps(wanted)} | _bound(words)
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


def asks_for_sessions(text: str) -> bool:
    """Return whether a query asks for sessions, as `kind:session` does, and for no memories."""
    return ":" in text.replace("：", ":") and any(
        item.name == "kind" and not item.negated and item.value.casefold() in ("session", "sessions")
        for item in items(text)
    )


def _parted(text: str) -> tuple[str, Query]:
    """Return what is typed without its filters, and these as a query; kind:session says nothing here."""
    listed = [item for item in items(text) if item.name in LISTED]
    filters = [text[item.start : item.end] for item in listed if not asks_for_sessions(item.text)]
    query = parse(" ".join(filters))
    for item in reversed(listed):
        text = f"{text[: item.start]} {text[item.end :]}"
    # What no filter understood is a word that no session holds.
    return " ".join((text, *(term.text for term in query.terms))), query


def _passing(db: apsw.Connection, query: Query) -> tuple[list[str], dict[str, Any]]:
    """Return the SQL conditions that a session passes a query's filters, and their values."""
    hidden = query.flags & HIDDEN_STATES
    results = [] if hidden & OWN_STATES.keys() else [VISIBLE]
    values: dict[str, Any] = {"since": query.since, "until": query.until}
    asked = [*query.filters, *(Filter("is", (flag,)) for flag in sorted(query.flags))]
    for number, item in enumerate(asked):
        given: list[Any] = [resolved_value(db, item.name, value) for value in item.values]
        among = f"IN (SELECT value FROM json_each(:filter{number}))"
        if item.name == "tag":
            sql = f"id IN ({TAGGED.format(f'SELECT value FROM json_each(:filter{number})')})"
        elif item.name in ("project", "agent", "branch"):
            sql = f"coalesce({item.name}, '') COLLATE NOCASE {among}"
        elif item.name == "is" and OWN_STATES.keys() >= set(item.values):
            sql = " OR ".join(OWN_STATES[value] for value in item.values)
        else:
            held = where(db, Query(filters=(replace(item, negated=False),), flags=hidden))
            rows = f"SELECT DISTINCT session_id FROM {held.source} d WHERE {held.sql}"
            given = [session for (session,) in db.execute(rows, held.values)]
            sql = f"id {among}"
        values[f"filter{number}"] = json.dumps(given)
        results.append(f"NOT ({sql})" if item.negated else f"({sql})")
    results += ["started_at >= :since"] if query.since is not None else []
    results += ["started_at < :until"] if query.until is not None else []
    return results, values


LONGEST = 200
"""Characters of what is typed that are looked at."""
MOST = 8
"""Words that are looked for."""
MOST_PLACES = 10_000
"""Places of a phrase that are told of one text."""


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of what was typed, folded; every character stands for itself."""
    return tuple(dict.fromkeys(fold(text[:LONGEST]).split()))[:MOST]


def hold(words: Iterable[str], *texts: str | None) -> bool:
    """Return whether each word stands in one of some texts."""
    folded = fold("\n".join(text for text in texts if text))
    return all(word in folded for word in words)


def places(text: str, phrase: str, at_most: int = MOST_PLACES) -> list[tuple[int, int]]:
    """Return where a text holds a phrase, folded, as [start, end) of its own characters, in order."""
    wanted = fold(phrase)
    if not wanted.strip():
        return []
    folded, starts, ends = align(text)
    results: list[tuple[int, int]] = []
    place = folded.find(wanted)
    while place >= 0 and len(results) < at_most:
        results.append((starts[place], ends[place + len(wanted) - 1]))
        place = folded.find(wanted, place + len(wanted))
    return results


def _of_rows(table: str, time: str, text: str, condition: str) -> str:
    """Return the SELECT of the id, the time and the text of rows. Without an index by time: to find the
    few first of an order, and to read all of a table, are two things."""
    # Its LIMIT keeps SQLite from making the text anew for each time that it is named.
    return (
        f"SELECT id, {time} AS at, lower({text}) AS held FROM {table} NOT INDEXED "
        f"WHERE {condition} LIMIT -1"
    )


def _holding(text: str, words: Iterable[str], beside: Callable[[int], str] = lambda _: "") -> str:
    """Return the SQL condition that a text, in lower case as SQLite knows it, holds every word, each
    bound as `:word0` and so on; `beside` returns another condition that will do for a word, `` for none.

    What is ASCII is compared by SQLite alone, many times faster; `prepare` gives it the rest.
    """
    conditions = []
    for number, _ in enumerate(words):
        holds = (
            f"instr({text}, :word{number}) OR "
            f"(length(CAST({text} AS BLOB)) <> length({text}) AND holds_folded({text}, :word{number}))"
        )
        other = beside(number)
        conditions.append(f"({holds}{f' OR {other}' if other else ''})")
    return " AND ".join(conditions) or "true"


def _bound(words: Iterable[str]) -> dict[str, object]:
    """Return the values that `holding` names."""
    return {f"word{number}": word for number, word in enumerate(words)}


def _prepare(db: apsw.Connection) -> None:
    """Let a connection run what `holding` returns."""
    db.create_scalar_function("holds_folded", _holds_folded, 2, deterministic=True)


def _holds_folded(*cells: Any) -> bool:
    text, word = cells
    return isinstance(text, str) and word in fold(text)
