"""Counts for a query: how many memories by project, type, agent and kind, and of all the store."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice

import apsw

from .search.documents import KINDS
from .search.matching import Matcher
from .search.query import Query

AT_MOST = 10_000
VALUES = 12

Facets = dict[str, list[tuple[str, int]]]

COUNTED = {
    name: f"SELECT d.{name} AS value, count(*) AS number FROM {{source}} GROUP BY value"
    for name in ("type", "project", "kind")
} | {
    # By session first: that is an index, and there are far fewer sessions than documents.
    "agent": "SELECT coalesce(agent, '') AS value, sum(number) AS number FROM ("
    "SELECT d.session_id AS session, count(*) AS number FROM {source} GROUP BY session"
    ") LEFT JOIN sessions ON sessions.id = session GROUP BY value"
}


@dataclass(frozen=True, slots=True)
class Stats:
    """What the store holds; `hidden` are private or deleted, `bytes` the file's size."""

    observations: int
    prompts: int
    summaries: int
    facts: int
    notes: int
    sessions: int
    pending: int
    hidden: int
    projects: int
    first_at: int | None
    last_at: int | None
    bytes: int


def facets(db: apsw.Connection, query: Query) -> Facets:
    """The commonest values of each facet among the documents a query matches, most first.

    With words in the query they are counted among the first 10,000 matches.
    """
    matcher = Matcher(db, query)
    source, values = f"{matcher.where.source} d WHERE {matcher.where.sql}", matcher.where.values
    if not query.is_filter_only:
        ids = list(islice(matcher.verified(matcher.candidates()), AT_MOST))
        source = f"{matcher.where.source} d WHERE d.id IN (SELECT value FROM json_each(?))"
        values = (json.dumps(ids),)
    found: Facets = {}
    for name in ("type", "project", "agent", "kind"):
        sql = COUNTED[name].format(source=source) + f" ORDER BY number DESC, value LIMIT {VALUES}"
        found[name] = [
            (KINDS[value] if name == "kind" else value, number)
            for value, number in db.execute(sql, values)
        ]
    return found


def projects(db: apsw.Connection) -> list[tuple[str, int]]:
    """Every project with how many memories it has, most first."""
    sql = "SELECT project, count(*) FROM documents GROUP BY project ORDER BY count(*) DESC, project"
    return list(db.execute(sql))


def stats(db: apsw.Connection) -> Stats:
    """Counts over the whole store."""
    kinds = dict(db.execute("SELECT kind, count(*) FROM documents GROUP BY kind"))
    number = {
        name: int(db.execute(sql).get)
        for name, sql in {
            "notes": "SELECT count(*) FROM notes WHERE private = 0 AND deleted_at IS NULL",
            "sessions": "SELECT count(*) FROM sessions WHERE private = 0 AND deleted_at IS NULL",
            "pending": "SELECT count(*) FROM pending_messages WHERE status = 'pending'",
            "hidden": "SELECT count(*) FROM hidden_documents",
            "projects": "SELECT count(DISTINCT project) FROM documents",
            "bytes": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        }.items()
    }
    first: int | None = db.execute("SELECT min(created_at) FROM documents WHERE created_at > 0").get
    last: int | None = db.execute("SELECT max(created_at) FROM documents WHERE created_at > 0").get
    named = {KINDS[letter]: found for letter, found in kinds.items()}
    return Stats(
        named.get("observation", 0),
        named.get("prompt", 0),
        named.get("summary", 0),
        named.get("fact", 0),
        number["notes"],
        number["sessions"],
        number["pending"],
        number["hidden"],
        number["projects"],
        first,
        last,
        number["bytes"],
    )
