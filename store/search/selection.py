"""The refs of all that a query matches: what is done to many at once."""

from __future__ import annotations

import json

import apsw

from ..kinds import KINDS, ref
from .matching.matcher import Matcher
from .query.language import Query


def refs(db: apsw.Connection, query: Query) -> list[str]:
    """Return the refs of every memory that a query matches, the newest first."""
    matcher = Matcher(db, query)
    source, condition, values = matcher.where.source, matcher.where.sql, matcher.where.values
    if not query.is_filter_only:
        ids = list(matcher.matching(matcher.candidates()))
        condition, values = "d.id IN (SELECT value FROM json_each(?))", (json.dumps(ids),)
    sql = (
        f"SELECT d.kind, d.record_id FROM {source} d WHERE {condition} "
        "ORDER BY d.created_at DESC, d.id DESC"
    )
    return [ref(KINDS[letter], number) for letter, number in db.execute(sql, values)]
