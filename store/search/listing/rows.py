"""Listing: documents as list rows, paged newest first however many there are; as hits; and by
their refs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, cast

import apsw

from ...platform.clock import horizon_ms
from ...platform.errors import NotFoundError
from ...records.conforming import as_number, as_text
from ...records.dataclasses import dataclass, replace
from ...records.kinds import KINDS, LETTERS, TABLES, VISIBLE, bare_ref, kind_of, parse_ref, ref
from ...records.rows import Fact, Hit, ListRow, Observation, Prompt, Record, Summary
from ...tables.base import columns, to_record
from ...tables.session_titles import session_titles as titles_by_id
from ..index import documents
from ..index.documents import SHAPES, Document, fetch
from ..query.filters import STATES, USED, Where
from ..query.language import Query
from .document_sql import STATE, TIMES_TOLD, TITLE
from .snippets import Highlighter

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
END,
{STATE},
EXISTS (SELECT 1 FROM documents stale WHERE stale.id = d.id AND stale.changed_in > 0),
{TIMES_TOLD}
"""

Row = tuple[int, str, int, str | None, str, str, str, int | None, int, int, int, int, int, int]

RECORDS: dict[str, type[Record]] = {"o": Observation, "p": Prompt, "s": Summary, "f": Fact}
USUAL = {(str, str, str, str, session, int, int, int, int, int, int) for session in (int, type(None))}
"""The classes of a row's values from its title on, unless it is of another program's making."""

HEADING_CHARACTERS = 40
"""A first line that is shorter says hardly more than what a text is about."""

LOWEST = -(1 << 63)
"""Below the ids of all documents, hidden ones included."""
LIST_COLUMNS = 14
"""So many of a row's first values are those of COLUMNS."""

_WANTED = "json_each(?) j CROSS JOIN {} d ON d.id = j.value"
_KINDS = f"SELECT DISTINCT d.kind FROM {_WANTED}"
_ROWS = {
    letter: f"SELECT {COLUMNS}, {columns(record, 'r')} FROM {_WANTED} "
    f"JOIN {TABLES[KINDS[letter]]} r ON r.id = d.record_id WHERE d.kind = '{letter}'"
    for letter, record in RECORDS.items()
}

DOCUMENT_IDS = """
SELECT d.id FROM json_each(?) AS wanted
JOIN documents d ON d.kind = wanted.value ->> 0 AND d.record_id = wanted.value ->> 1
"""
AMONG = """
SELECT d.kind, d.record_id FROM (
    SELECT value ->> 0 AS kind, value ->> 1 AS record_id FROM json_each(?)
) AS d
"""
NOTE_NAMES = f"""
SELECT id, path, pinned FROM notes
WHERE {VISIBLE} AND id IN (SELECT value FROM json_each(?))
"""
NUMBER = "SELECT id FROM documents WHERE kind = ? AND record_id = ?"
BY_UID = "SELECT d.id FROM documents d WHERE " + " OR ".join(
    f"(d.kind = '{kind}' AND d.record_id = (SELECT id FROM {shape.table} WHERE uid = ?1))"
    for kind, shape in SHAPES.items()
)
TOLD = """
(SELECT d.*, u.told FROM memory_uses u CROSS JOIN {} d ON d.kind = u.kind AND d.record_id = u.record_id
WHERE u.told > 0)
"""
AHEAD = "SELECT EXISTS (SELECT 1 FROM documents WHERE created_at > ?)"
DETAILED = "SELECT detailed_id FROM summary_levels WHERE brief_id = ?"
SESSION_KEYS = f"""
SELECT id, agent, content_session_id FROM sessions
WHERE {VISIBLE}
AND (agent, content_session_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))
"""


def to_list_row(row: Row) -> ListRow:
    """Return a row of COLUMNS as a `ListRow`."""
    if tuple(map(type, row[3:])) not in USUAL:
        row = _conformed(row)
    number, letter, record_id, title, kind, project, agent, session, at, pinned, tokens = row[:11]
    state, stale, told = row[11:]
    return ListRow(
        number,
        KINDS[letter],
        record_id,
        _headline(title) if letter == "s" else (title or "").strip().split("\n", 1)[0],
        kind,
        project,
        agent,
        session,
        at,
        bool(pinned),
        tokens,
        bool(state & 1),
        bool(stale),
        bool(state & 2),
        told,
        bool(state & 4),
    )


def _headline(title: str | None) -> str:
    """A summary's title on one line: a first line that is but a heading, with what stands under it."""
    lines = [line.strip().lstrip("-*•#>").strip("* ") for line in (title or "").split("\n")]
    first, *others = [line for line in lines if line] or [""]
    if others and len(first) < HEADING_CHARACTERS:
        return f"{first.rstrip(':：')}: {others[0]}"
    return first


def _conformed(row: Row) -> Row:
    owner = None if row[7] is None else as_number(row[7])
    values = (*row[:3], *map(as_text, row[3:7]), owner, *map(as_number, row[8:11]), *row[11:])
    return cast("Row", values)


def by_ids(db: apsw.Connection, ids: Iterable[int]) -> dict[int, ListRow]:
    """Return list rows by document id; negative ids are hidden documents. What is gone is left out."""
    results: dict[int, ListRow] = {}
    wanted = list(ids)
    for source, some in (
        ("documents", [number for number in wanted if number > 0]),
        ("hidden_documents", [value for value in wanted if value < 0]),
    ):
        if some:
            sql = f"SELECT {COLUMNS} FROM {source} d WHERE d.id IN (SELECT value FROM json_each(?))"
            results |= {row[0]: to_list_row(row) for row in db.execute(sql, (json.dumps(some),))}
    return results


def list_row(db: apsw.Connection, record: Record) -> ListRow:
    """Return a record as lists show it, hidden or not; NotFoundError when it is gone."""
    row = find(db, LETTERS[kind_of(record)], record.id)
    if row is None:
        raise NotFoundError("Record {uid} is gone.", uid=record.uid)
    return row


def find(db: apsw.Connection, letter: str, record_id: int) -> ListRow | None:
    """Return the list row of a record by its kind's letter and id, a brief summary's by its detailed
    one; None when it is gone."""
    for source in ("documents", "hidden_documents"):
        sql = f"SELECT d.id FROM {source} d WHERE d.kind = ? AND d.record_id = ?"
        number = db.execute(sql, (letter, record_id)).get
        if number is not None:
            return by_ids(db, [number]).get(number)
    if letter == "s" and (detailed := db.execute(DETAILED, (record_id,)).get) is not None:
        return find(db, letter, detailed)
    return None


def document_of(db: apsw.Connection, ref: str) -> int | None:
    """Return the document of a record by the id people use (12, p12, s12, f12) or its uid; None where no
    visible memory has it."""
    result = parse_ref(bare_ref(ref))
    if result is not None and result[0] in LETTERS:
        letter, record = LETTERS[result[0]], result[1]
        number: int | None = db.execute(NUMBER, (letter, record)).get
        if number is None and letter == "s" and (whole := db.execute(DETAILED, (record,)).get):
            number = db.execute(NUMBER, (letter, whole)).get
        return number
    by_uid: int | None = db.execute(BY_UID, (ref,)).get
    return by_uid


def reported_wrong(db: apsw.Connection, rows: Iterable[ListRow]) -> frozenset[str]:
    """Return the refs of those of the rows that someone has reported as wrong."""
    wanted = json.dumps([(LETTERS[row.kind], row.record_id) for row in rows])
    result: Any = db.execute(f"{AMONG} WHERE {STATES['wrong']}", (wanted,))
    return frozenset(ref(KINDS[kind], number) for kind, number in result)


def page(db: apsw.Connection, where: Where, start: int, number: int) -> list[ListRow]:
    """Return up to `number` list rows that pass a filter, from `start` on, in the order of `page_ids`."""
    ids = page_ids(db, where, start, number)
    known = by_ids(db, ids)
    return [known[number] for number in ids if number in known]


def page_ids(db: apsw.Connection, where: Where, start: int, number: int) -> list[int]:
    """Return the ids of up to `number` documents that pass a filter, from `start` on, newest (or pinned,
    oldest or most often told) first; those dated more than a day ahead come last."""
    ids: list[int] = []
    for part in _parts(db, where):
        condition, offset = part.sql, max(0, start)
        if part.is_everything and not where.oldest_first:
            at, offset = documents.skipped(db, offset)
            condition = "true" if at is None else f"d.created_at < {at}"
        order = "ASC" if where.oldest_first else "DESC"
        first = "d.told DESC, " if part.is_told else ""
        sql = (
            f"SELECT d.id FROM {part.source} d WHERE {condition} "
            f"ORDER BY {first}d.created_at {order}, d.id {order} LIMIT ? OFFSET ?"
        )
        values = (*part.values, number - len(ids), offset)
        results = [int(item) for (item,) in db.execute(sql, values)]
        ids += results
        if len(ids) == number:
            break
        if start > 0 and not part.is_last:
            start = 0 if results else start - count(db, part)
    return ids


def count(db: apsw.Connection, where: Where | _Part) -> int:
    """Count the documents that pass a filter."""
    if isinstance(where, Where) and where.numbers is not None:
        numbers, values = where.numbers
        return int(db.execute(f"SELECT coalesce(sum(number), 0) FROM {numbers}", values).get)
    sql = f"SELECT count(*) FROM {where.source} d WHERE {where.sql}"
    return int(db.execute(sql, where.values).get)


def position(db: apsw.Connection, where: Where, row: ListRow) -> int:
    """Return a row's index in the order of `page`: how many come before it."""
    return _before(db, where, row.created_at, row.document_id, pinned=row.pinned, told=row.told)


def not_before(db: apsw.Connection, where: Where, at: int) -> int:
    """Return how many rows in the order of `page` are as new as a moment (ms), or pinned before all; where
    the oldest come first, how many are older."""
    return _before(db, where, at, LOWEST, pinned=False)


def _before(db: apsw.Connection, where: Where, at: int, number: int, *, pinned: bool, told: int = 0) -> int:
    """How many rows come before one of this time and document id."""
    if where.oldest_first:
        older = f"{where.sql} AND (d.created_at, d.id) < (?, ?)"
        sql = f"SELECT count(*) FROM {where.source} d WHERE {older}"
        return int(db.execute(sql, (*where.values, at, number)).get)
    before = 0
    for part in _parts(db, where):
        if part.is_told and told:
            order = "AND (d.told > ? OR d.told = ? AND (d.created_at, d.id) > (?, ?))"
            values = (*part.values, told, told, at, number)
            return before + count(db, replace(part, sql=f"{part.sql} {order}", values=values))
        if part.is_told or (part.pinned and not pinned) or (part.until is not None and at > part.until):
            before += count(db, part)
            continue
        if part.is_everything:
            return before + documents.number_after(db, at, number)
        sql = f"{part.sql} AND (d.created_at, d.id) > (?, ?)"
        return before + count(db, replace(part, sql=sql, values=(*part.values, at, number)))
    return before


@dataclass(frozen=True, slots=True)
class _Part:
    """One of the parts that make up a list, each in an order that an index gives. `pinned` says whether it
    holds the pinned ones alone; `until` is the latest time in it, None where that isn't bounded;
    `is_told`, whether its rows are in the order of how often agents were told them."""

    source: str
    sql: str
    values: tuple[object, ...]
    pinned: bool
    until: int | None
    is_last: bool
    is_told: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether it holds all documents."""
        return self.sql == "true" and self.source == "documents"


def _parts(db: apsw.Connection, where: Where) -> Iterator[_Part]:
    """The pinned ones before the others, and of each what is dated far ahead last; mostly all at once. What
    was told comes before what never was, however far ahead it is dated."""
    pins = [("", False)]
    if where.pinned_first:
        pins = [(" AND d.pinned = 1", True), (" AND d.pinned = 0", False)]
    if where.most_told_first:
        yield _Part(TOLD.format(where.source), where.sql, where.values, False, None, False, is_told=True)
        where = replace(where, sql=f"{where.sql} AND NOT {USED.format('told > 0')}")
    horizon = horizon_ms()
    times: list[tuple[str, tuple[object, ...], int | None]] = [("", (), None)]
    if where.source == "documents" and db.execute(AHEAD, (horizon,)).get:
        times = [
            (" AND d.created_at <= ?", (horizon,), horizon),
            (" AND d.created_at > ?", (horizon,), None),
        ]
    for pin, pinned in pins:
        for time, values, until in times:
            is_last = (pin, time) == (pins[-1][0], times[-1][0])
            sql = f"{where.sql}{pin}{time}"
            yield _Part(where.source, sql, (*where.values, *values), pinned, until, is_last)


def describe(
    db: apsw.Connection,
    query: Query,
    scored: Iterable[tuple[int, float]],
    known: Mapping[int, Document],
) -> list[Hit]:
    """Return documents, given by id with their scores, as hits in that order.

    `known` are documents that were read already. Record and snippet are made when they are asked for.
    """
    wanted = list(scored)
    missing = [number for number, _ in wanted if number not in known]
    documents = (
        {**known, **{document.id: document for document in fetch(db, missing)}} if missing else known
    )
    highlighter = Highlighter(query)
    rows = _rows(db, [number for number, _ in wanted])
    return [
        Hit(
            to_list_row(row[:LIST_COLUMNS]),
            score,
            partial(to_record, RECORDS[row[1]], row[LIST_COLUMNS:]),
            partial(highlighter.snippet, documents[number]),
        )
        for number, score in wanted
        if (row := rows.get(number)) and number in documents
    ]


def _rows(db: apsw.Connection, ids: list[int]) -> dict[int, tuple[Any, ...]]:
    """Return by document id the values of COLUMNS followed by those of its record."""
    rows: dict[int, tuple[Any, ...]] = {}
    for source, some in (
        ("documents", [number for number in ids if number > 0]),
        ("hidden_documents", [number for number in ids if number < 0]),
    ):
        kinds = db.execute(_KINDS.format(source), (json.dumps(some),)).fetchall() if some else []
        for kind in [str(item) for (item,) in kinds]:
            for row in db.execute(_ROWS[kind].format(source), (json.dumps(some),)):
                rows[row[0]] = row
    return rows


@dataclass(frozen=True, slots=True)
class Named:
    """What a memory is called: `type` is an observation's type, otherwise the kind (`note` for a note);
    `title` is one line, a note's path. `stale`: a file of it has changed since."""

    type: str
    title: str
    pinned: bool
    stale: bool = False


def named(db: apsw.Connection, refs: Iterable[str]) -> dict[str, Named]:
    """Return the names of visible memories by ref (`12`, `s3`, `f4`, `n5`); what is hidden has none."""
    wanted = [result for result in map(parse_ref, refs) if result]
    documents = [(LETTERS[kind], number) for kind, number in wanted if kind in LETTERS]
    notes = [number for kind, number in wanted if kind == "note"]
    ids = [item for (item,) in db.execute(DOCUMENT_IDS, (json.dumps(documents),))]
    results = {
        row.ref: Named(row.type, row.title, row.pinned, row.stale) for row in by_ids(db, ids).values()
    }
    for number, path, pinned in db.execute(NOTE_NAMES, (json.dumps(notes),)):
        results[ref("note", number)] = Named("note", path, bool(pinned))
    return results


def session_titles(db: apsw.Connection, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return what visible sessions are called, by agent and content id."""
    rows: Any = db.execute(SESSION_KEYS, (json.dumps(list(keys)),))
    results = {number: (agent, session) for number, agent, session in rows}
    return {results[number]: title for number, title in titles_by_id(db, results).items()}
