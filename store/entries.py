"""Entries: documents as lists show them, paged newest first however many there are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

import apsw

from .records import Entry
from .search.documents import KINDS
from .search.filters import Where
from .titles import TITLE

COLUMNS = f"""
d.id, d.kind, d.record_id,
{TITLE},
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


def page(db: apsw.Connection, where: Where, start: int, number: int) -> list[Entry]:
    """Entries that pass a filter, from place `start` on, newest first (or the pinned first)."""
    ids: list[int] = []
    for part in _parts(where):
        sql = (
            f"SELECT d.id FROM {part.source} d WHERE {part.sql} "
            "ORDER BY d.created_at DESC, d.id DESC LIMIT ? OFFSET ?"
        )
        ids += [one for (one,) in db.execute(sql, (*part.values, number - len(ids), max(0, start)))]
        if len(ids) == number:
            break
        if part.pinned_first:
            start -= count(db, part)
    known = by_ids(db, ids)
    return [known[number] for number in ids if number in known]


def count(db: apsw.Connection, where: Where) -> int:
    """How many entries pass a filter."""
    sql = f"SELECT count(*) FROM {where.source} d WHERE {where.sql}"
    return int(db.execute(sql, where.values).get)


def position(db: apsw.Connection, where: Where, entry: Entry) -> int:
    """The place of an entry in `page`'s order: how many come before it."""
    before = 0
    for part in _parts(where):
        if part.pinned_first and not entry.pinned:
            before += count(db, part)
            continue
        sql = f"{part.sql} AND (d.created_at, d.id) > (?, ?)"
        values = (*part.values, entry.created_at, entry.document_id)
        return before + count(db, replace(part, sql=sql, values=values))
    return before


def _parts(where: Where) -> Iterator[Where]:
    """The pinned ones and the others, each in an order that an index gives; or all at once."""
    if where.pinned_first:
        yield replace(where, sql=f"{where.sql} AND d.pinned = 1")
        yield replace(where, sql=f"{where.sql} AND d.pinned = 0", pinned_first=False)
    else:
        yield where
