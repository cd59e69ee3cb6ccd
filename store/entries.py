"""Entries: documents as lists show them, paged newest first however many there are."""

from __future__ import annotations

import json
from collections.abc import Iterable

import apsw

from .records import Entry
from .search.documents import KINDS
from .search.filters import Where

COLUMNS = """
d.id, d.kind, d.record_id,
CASE d.kind
    WHEN 'o' THEN (
        SELECT coalesce(nullif(title, ''), nullif(subtitle, ''), substr(narrative, 1, 200),
            substr(text, 1, 200), '')
        FROM observations WHERE id = d.record_id
    )
    WHEN 'p' THEN (SELECT substr(text, 1, 400) FROM prompts WHERE id = d.record_id)
    WHEN 's' THEN (
        SELECT substr(coalesce(nullif(request, ''), nullif(completed, ''), nullif(learned, ''),
            text, ''), 1, 400)
        FROM summaries WHERE id = d.record_id
    )
    ELSE (SELECT substr(content, 1, 400) FROM facts WHERE id = d.record_id)
END,
d.type, d.project,
coalesce((SELECT agent FROM sessions WHERE id = d.session_id), ''),
d.session_id, d.created_at, d.pinned,
CASE d.kind
    WHEN 'o' THEN (SELECT discovery_tokens FROM observations WHERE id = d.record_id)
    WHEN 's' THEN (SELECT discovery_tokens FROM summaries WHERE id = d.record_id)
    ELSE 0
END
"""

Row = tuple[int, str, int, str | None, str, str, str, int | None, int, int, int]


def to_entry(row: Row) -> Entry:
    """A row of COLUMNS as its record."""
    number, letter, record_id, title, kind, project, agent, session, at, pinned, tokens = row
    return Entry(
        number,
        KINDS[letter],
        record_id,
        (title or "").strip().split("\n", 1)[0],
        kind,
        project,
        agent,
        session,
        at,
        bool(pinned),
        tokens,
    )


def by_ids(db: apsw.Connection, ids: Iterable[int]) -> dict[int, Entry]:
    """Entries by document id; negative ids are hidden documents."""
    found: dict[int, Entry] = {}
    wanted = list(ids)
    for source, some in (
        ("documents", [one for one in wanted if one > 0]),
        ("hidden_documents", [one for one in wanted if one < 0]),
    ):
        if some:
            sql = f"SELECT {COLUMNS} FROM {source} d WHERE d.id IN (SELECT value FROM json_each(?))"
            found |= {row[0]: to_entry(row) for row in db.execute(sql, (json.dumps(some),))}
    return found


def page(db: apsw.Connection, where: Where, start: int, count: int) -> list[Entry]:
    """Entries that pass a filter, from place `start` on, newest first."""
    sql = (
        f"SELECT d.id FROM {where.source} d WHERE {where.sql} "
        "ORDER BY d.created_at DESC, d.id DESC LIMIT ? OFFSET ?"
    )
    ids = [number for (number,) in db.execute(sql, (*where.values, count, start))]
    known = by_ids(db, ids)
    return [known[number] for number in ids if number in known]


def count(db: apsw.Connection, where: Where) -> int:
    """How many entries pass a filter."""
    sql = f"SELECT count(*) FROM {where.source} d WHERE {where.sql}"
    return int(db.execute(sql, where.values).get)


def position(db: apsw.Connection, where: Where, entry: Entry) -> int:
    """The place of an entry in `page`'s order: how many come before it."""
    sql = (
        f"SELECT count(*) FROM {where.source} d WHERE {where.sql} AND (d.created_at, d.id) > (?, ?)"
    )
    values = (*where.values, entry.created_at, entry.document_id)
    return int(db.execute(sql, values).get)
