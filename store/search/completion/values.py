"""The values that visible memories have for a filter, each with the number of memories.

No table is scanned: distinct values are read from indexes, a seek each, counts end at `COUNTED`, and
all of it has a deadline, so that it takes as long with a million memories.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

import apsw

from ...database.deadline import Deadline
from ...records.dataclasses import dataclass, replace
from ...records.kinds import KINDS, LETTERS, NOISE, VISIBLE
from ...tables.machines import machines_of_memories, named
from ...text.language.folding import fold
from ...text.language.scripts import FIRST_HAN
from .. import pinyin
from ..index.derived import LABELLED
from ..index.documents import SHAPES
from ..matching import Matcher
from ..query.filters import HIDDEN_STATES, SHARED, STORED, resolved_value, spellings, stored_as, where
from ..query.grammar import CHINESE_VALUES
from ..query.language import Filter, Query

LOOKING, COUNTING = 0.015, 0.010
"""Seconds for finding values, and for each of two rounds of counting them."""
READING = 0.1
"""Seconds for reading which memories the rest of a query matches."""
CANDIDATES = 256
"""How many of the values that match are compared by their counts."""
RANKED_BY, COUNTED = 1_000, 10_000
"""Counts end here: those that decide the order, and those that are shown."""
NEWEST = 400
"""How many of the newest memories are read for labels before anything is typed."""
MOST_READ = 5_000
"""So many of the memories that the rest of a query matches are looked at."""
SHORT = 2
"""Letters up to which too many labels begin so for reading them in the order of the index."""
HIGHEST = "\U0010ffff"

EXACT, BEGINS, HOLDS, SOUNDS = range(4)
"""How a value matches what was typed, the best first."""

OWN_TAG = (
    "SELECT 1 FROM label_uses WHERE label_id = "
    "(SELECT id FROM label_names WHERE kind = 'tag' AND value = ?1)"
)
COUNTS = (
    {name: f"SELECT 1 FROM documents WHERE {name} = ?1 LIMIT ?2" for name in ("type", "project", "kind")}
    | {
        name: "SELECT 1 FROM label_uses WHERE label_id = "
        f"(SELECT id FROM label_names WHERE kind = '{name}' AND value = ?1) LIMIT ?2"
        for name in ("concept", "entity", "file")
    }
    | {
        "tag": f"{OWN_TAG} UNION ALL SELECT 1 FROM session_tags t "
        "CROSS JOIN documents d ON d.session_id = t.session_id WHERE t.value = ?1 "
        f"AND d.id NOT IN ({OWN_TAG.replace('SELECT 1', 'SELECT document_id')}) LIMIT ?2",
        "tool": "SELECT 1 FROM observations WHERE tool_name = ?1 "
        f"AND {VISIBLE} AND type <> '{NOISE}' LIMIT ?2",
        "subagent": "SELECT 1 FROM observations WHERE subagent = ?1 "
        f"AND {VISIBLE} AND type <> '{NOISE}' LIMIT ?2",
        "agent": "SELECT 1 FROM sessions s CROSS JOIN documents d ON d.session_id = s.id "
        "WHERE s.agent = ?1 LIMIT ?2",
        "branch": "SELECT 1 FROM sessions s CROSS JOIN documents d ON d.session_id = s.id "
        "WHERE s.branch = ?1 LIMIT ?2",
        "source": " UNION ALL ".join(
            f"SELECT 1 FROM {shape.table} WHERE source BETWEEN ?1 AND ?1 || char(0x10ffff) AND {VISIBLE}"
            for shape in SHAPES.values()
        )
        + " LIMIT ?2",
        "machine": " UNION ALL ".join(
            f"SELECT 1 FROM {shape.table} WHERE origin IN (SELECT value FROM json_each(?1)) "
            f"AND {VISIBLE}" + (f" AND type <> '{NOISE}'" if kind == "o" else "")
            for kind, shape in SHAPES.items()
        )
        + " LIMIT ?2",
        "author": f"SELECT 1 FROM ({SHARED}) WHERE author = ?1 LIMIT ?2",
        "team": f"SELECT 1 FROM ({SHARED}) WHERE (SELECT name FROM team WHERE id = 1) = ?1 LIMIT ?2",
        "session": "SELECT 1 FROM documents WHERE session_id = ?1 LIMIT ?2",
    }
)
"""By the name of a filter, the SQL that has a row for each visible memory with value ?1, at most ?2."""

SHARED_BY = f"JOIN ({SHARED}) k ON k.kind = d.kind AND k.record_id = d.record_id"

READ_VALUES = {
    "type": ("d.type", ""),
    "project": ("d.project", ""),
    "kind": ("d.kind", ""),
    "agent": ("s.agent", "JOIN sessions s ON s.id = d.session_id"),
    "branch": ("s.branch", "JOIN sessions s ON s.id = d.session_id"),
    "subagent": ("o.subagent", "JOIN observations o ON d.kind = 'o' AND o.id = d.record_id"),
    "tool": ("o.tool_name", "JOIN observations o ON d.kind = 'o' AND o.id = d.record_id"),
    "machine": (
        "m.origin",
        "JOIN ("
        + " UNION ALL ".join(
            f"SELECT '{kind}' AS kind, id, origin FROM {shape.table}" for kind, shape in SHAPES.items()
        )
        + ") m ON m.kind = d.kind AND m.id = d.record_id",
    ),
    "author": ("k.author", SHARED_BY),
    "team": ("(SELECT name FROM team WHERE id = 1)", SHARED_BY),
    "tag": (
        "l.value",
        "JOIN json_each((SELECT json_group_array(value) FROM ("
        "SELECT value FROM memory_labels WHERE kind = 'tag' AND memory_kind = d.kind "
        "AND record_id = d.record_id UNION SELECT value FROM session_tags WHERE session_id = d.session_id"
        "))) l",
    ),
} | {
    name: (
        "l.value",
        f"JOIN memory_labels l ON l.kind = '{name}' AND l.memory_kind = d.kind "
        "AND l.record_id = d.record_id",
    )
    for name in ("concept", "entity", "file")
}
"""By the name of a filter: the column that holds a memory's value, and the join it needs."""


@dataclass(frozen=True, slots=True)
class FilterValue:
    """A value, how it matches what was typed, and how many visible memories have it, up to `COUNTED`;
    None where there was no time to count them."""

    text: str
    match: int
    count: int | None = None


@dataclass(frozen=True, slots=True)
class MatchingValues:
    """Values, the best first: by how they match, then by how many memories have them. `complete` is
    whether all values that match were looked at."""

    values: tuple[FilterValue, ...]
    complete: bool = True


def matching(
    db: apsw.Connection,
    name: str,
    typed: str,
    query: Query,
    *,
    limit: int,
    exclude: tuple[str, ...] = (),
    sounds: bool = True,
) -> MatchingValues:
    """Return the values of a filter that begin with what was typed, hold it, or (with `sounds`) have it
    as their pinyin.

    They are those of the memories that `query`, the rest of what is typed, matches.
    """
    within = _within(db, name, query) if name in READ_VALUES and _asks(query) else None
    if within is not None:
        rows, are_all = within
        matching_values = _those_meant(db, name, typed, rows, exclude, sounds=sounds)
        if matching_values.values or are_all or query.flags & HIDDEN_STATES:
            return matching_values
    matching_values = _those_meant(db, name, typed, _stored(db, name, typed), exclude, sounds=sounds)
    values = list(matching_values.values)
    for at_most, among in ((RANKED_BY, CANDIDATES), (COUNTED, limit)):
        counted = _counted(db, name, values[:among], at_most)
        values = [value for value in counted if value.count != 0] + values[among:]
        values.sort(key=_place)
    return replace(matching_values, values=tuple(values))


def _those_meant(
    db: apsw.Connection,
    name: str,
    typed: str,
    rows: Iterable[tuple[str, int | None]],
    exclude: tuple[str, ...],
    *,
    sounds: bool,
) -> MatchingValues:
    """Return those of some values, each with its count, that match what was typed."""
    results: dict[str, FilterValue] = {}
    unmatched: list[tuple[str, int | None]] = []
    looking = _deadline(db, LOOKING)
    with looking:
        for text, count in rows:
            looking.check()
            if not text or text in results or text in exclude:
                continue
            match = how(name, text, typed)
            if match is not None:
                results[text] = FilterValue(text, match, count)
            elif not text.isascii():
                unmatched.append((text, count))
            if len(results) == CANDIDATES:
                break
    if sounds and typed.isascii() and len(typed) > 1 and unmatched and pinyin.is_installed():
        reading = _deadline(db, LOOKING)
        with reading:
            for text, count in unmatched:
                reading.check()
                if pinyin.is_read(text, typed):
                    results[text] = FilterValue(text, SOUNDS, count)
    complete = not looking.passed and len(results) < CANDIDATES
    return MatchingValues(tuple(sorted(results.values(), key=_place)), complete)


def _place(value: FilterValue) -> tuple[int, int, str]:
    return value.match, -(value.count or 0), value.text


def exists(db: apsw.Connection, name: str, value: str, query: Query) -> bool:
    """Return whether any memory that the query may show has a value; True too where time ran out."""
    looking, result = _deadline(db, LOOKING), True
    value = resolved_value(db, name, value)
    with looking:
        result = _is_stored(db, name, value)
        if not result and query.flags & HIDDEN_STATES:
            states = Query(flags=query.flags & HIDDEN_STATES, filters=(Filter(name, (value,)),))
            result = any_of(db, states)
    return result or looking.passed


def _is_stored(db: apsw.Connection, name: str, value: str) -> bool:
    if name == "file":
        sql = "SELECT EXISTS (SELECT 1 FROM label_names WHERE kind = 'file' AND value LIKE ? ESCAPE '!')"
        return bool(db.execute(sql, (f"%{_escaped(value)}%",)).get)
    if name in STORED:
        return bool(stored_as(db, name, value))
    return any_of(db, Query(filters=(Filter(name, (value,)),)))


def any_of(db: apsw.Connection, query: Query) -> bool:
    """Return whether any memory passes a query's filters."""
    result = where(db, query)
    sql = f"SELECT EXISTS (SELECT 1 FROM {result.source} d WHERE {result.sql})"
    return bool(db.execute(sql, result.values).get)


def _escaped(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def how(name: str, value: str, typed: str) -> int | None:
    """Return how a value matches what was typed (`EXACT`, `BEGINS` or `HOLDS`); None where it doesn't. A
    path may also match by its last part."""
    folded, sought = fold(value), fold(typed)
    if folded == sought:
        return EXACT
    last = folded.rpartition("/")[2] if name == "file" else folded
    chinese = [other for other, meant in CHINESE_VALUES.get(name, {}).items() if meant == value]
    if any(text.startswith(sought) for text in (folded, last, *chinese)):
        return BEGINS
    return HOLDS if sought in folded else None


def _deadline(db: apsw.Connection, seconds: float) -> Deadline:
    # Interrupting a statement inside a transaction may roll back what was written in it.
    return Deadline(db, None if db.in_transaction and _writes(db) else seconds)


def _writes(db: apsw.Connection) -> bool:
    return db.txn_state("main") == apsw.SQLITE_TXN_WRITE


def _counted(db: apsw.Connection, name: str, values: list[FilterValue], at_most: int) -> list[FilterValue]:
    """Return values with their counts, as far as there is time; final counts stay."""
    counting = _deadline(db, COUNTING)
    counted = {}
    with counting:
        for value in values:
            counting.check()
            if value.count is None or value.count >= RANKED_BY:
                sql = f"SELECT count(*) FROM ({COUNTS[name]})"
                number = int(db.execute(sql, (_key(db, name, value.text), at_most)).get)
                counted[value.text] = replace(value, count=number)
    return [counted.get(filter_value.text, filter_value) for filter_value in values]


def _key(db: apsw.Connection, name: str, text: str) -> str:
    if name == "machine":
        return json.dumps(named(machines_of_memories(db), text))
    return LETTERS[text] if name == "kind" else text


def _stored(db: apsw.Connection, name: str, typed: str) -> Iterator[tuple[str, int | None]]:
    """Yield the values of visible memories that may match, those that begin so first."""
    if name == "kind":
        yield from ((kind, None) for kind in LETTERS)
    elif name == "agent":
        yield from ((agent, None) for (agent,) in db.execute("SELECT DISTINCT agent FROM sessions"))
    elif name == "machine":
        yield from ((label, None) for label in machines_of_memories(db).values())
    elif name == "author":
        sql = "SELECT DISTINCT author FROM team_rows"
        yield from ((str(author), None) for (author,) in db.execute(sql))
    elif name == "team":
        yield from ((str(team), None) for (team,) in db.execute("SELECT name FROM team WHERE id = 1"))
    elif name == "source":
        for source in _distinct(db, name, ""):
            yield source.partition(":")[0], None
            yield source, None
    elif name in ("type", "project", "tool", "subagent", "branch"):
        for head in spellings(db, name, typed, begun=True) if typed else ():
            yield from ((value, None) for value in _distinct(db, name, head))
        yield from ((value, None) for value in _distinct(db, name, ""))
    else:
        yield from ((value, None) for value in _labels(db, name, typed))


def _distinct(db: apsw.Connection, name: str, head: str) -> Iterator[str]:
    """Yield the stored values that begin with `head`, each found by one seek."""
    first, following = STORED[name].format(">= ?1"), STORED[name].format("> used.value")
    sql = (
        f"WITH RECURSIVE used(value) AS ({first} UNION ALL SELECT ({following}) FROM used "
        "WHERE value IS NOT NULL) SELECT value FROM used WHERE value IS NOT NULL"
    )
    for (value,) in db.execute(sql, (head,)):
        if not value.startswith(head):
            return
        yield value


def _labels(db: apsw.Connection, name: str, typed: str) -> Iterator[str]:
    """Yield labels of one kind, those of the newest memories first where little was typed."""
    if name == "tag":
        for (value,) in db.execute("SELECT DISTINCT value FROM session_tags WHERE is_shown"):
            yield value
    if len(typed) <= SHORT:
        yield from _newest_labels(db, name)
    values = "SELECT value FROM label_names WHERE kind = ?1 AND value "
    for head in spellings(db, name, typed, begun=True) if typed else ():
        for (value,) in db.execute(f"{values} >= ?2 AND value < ?3 LIMIT ?4",
                                   (name, head, head + HIGHEST, CANDIDATES // 2)):  # fmt: skip
            yield value
    for (value,) in db.execute(f"{values} LIKE ?2 ESCAPE '!'", (name, f"%{_escaped(typed)}%")):
        yield value
    if typed.isascii() and len(typed) > 1:
        for (value,) in db.execute(f"{values} >= ?2", (name, FIRST_HAN)):
            yield value


def _newest_labels(db: apsw.Connection, name: str) -> Iterator[str]:
    for kind, columns in LABELLED.items():
        for column in [column for column, label in columns.items() if label == name]:
            sql = (
                f"SELECT r.{column} FROM (SELECT record_id FROM documents WHERE kind = ? "
                f"ORDER BY created_at DESC LIMIT ?) CROSS JOIN {SHAPES[kind].table} r "
                f"ON r.id = record_id WHERE r.{column} <> '[]'"
            )
            for (written,) in db.execute(sql, (kind, NEWEST)):
                with suppress(ValueError, TypeError):
                    yield from (item for item in json.loads(written) if isinstance(item, str))


def _asks(query: Query) -> bool:
    """Whether a query asks for anything but an order."""
    bounds = (query.since, query.until)
    return not query.is_filter_only or bool(query.filters or query.flags) or any(bounds)


def _within(db: apsw.Connection, name: str, query: Query) -> tuple[list[tuple[str, int | None]], bool]:
    """Return the values of the memories that a query matches, those of most first, with their counts, and
    whether these are all; None for counts where there was no time for all memories."""
    matcher = Matcher(db, query)
    matching = matcher.candidates()
    ids: list[int] = []
    looking = _deadline(db, READING)
    with looking:
        if not query.is_filter_only:
            matching = matcher.matching(matching)
        for number in islice(matching, MOST_READ):
            looking.check()
            ids.append(number)
    are_all = len(ids) < MOST_READ and not looking.passed
    value, joined = READ_VALUES[name]
    sql = (
        f"SELECT {value} AS value, count(*) FROM {matcher.where.source} d {joined} "
        "WHERE d.id IN (SELECT value FROM json_each(?)) AND value IS NOT NULL "
        "GROUP BY 1 ORDER BY count(*) DESC"
    )
    called = KINDS if name == "kind" else machines_of_memories(db) if name == "machine" else {}
    results = [
        (called.get(text, str(text)), number if are_all else None)
        for text, number in db.execute(sql, (json.dumps(ids),))
    ]
    return results, are_all


def counted_states(db: apsw.Connection, states: list[str], query: Query) -> dict[str, int]:
    """Return how many memories that pass a query's filters are in each state, as far as there is time."""
    counts: dict[str, int] = {}
    counting = _deadline(db, LOOKING)
    with counting:
        for state in states:
            result = where(db, replace(query, flags=query.flags | {state}))
            sql = f"SELECT 1 FROM {result.source} d WHERE {result.sql} LIMIT ?{len(result.values) + 1}"
            number = db.execute(f"SELECT count(*) FROM ({sql})", (*result.values, RANKED_BY)).get
            counts[state] = int(number)
    return counts
