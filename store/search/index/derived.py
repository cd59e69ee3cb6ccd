"""What triggers derive from the rows, documents and labels: made anew, and compared with the rows."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import apsw

from ...records.fields import FIELDS
from ...records.kinds import KINDS, NOISE, visible
from . import documents
from .documents import SHAPES

DERIVE = """
DELETE FROM unindexed;
DELETE FROM documents;
DELETE FROM label_uses;
DELETE FROM label_names;
DELETE FROM file_commits;
DELETE FROM gone_lines;
DELETE FROM repositories;
DELETE FROM document_vectors;
INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
    SELECT * FROM visible_memories ORDER BY created_at, kind, record_id;
INSERT INTO label_names (kind, value) SELECT DISTINCT kind, value FROM (
    SELECT l.kind, l.value FROM memory_labels l
    JOIN documents d ON d.kind = l.memory_kind AND d.record_id = l.record_id
);
INSERT INTO label_uses (label_id, document_id)
    SELECT DISTINCT n.id, d.id FROM memory_labels l
    JOIN documents d ON d.kind = l.memory_kind AND d.record_id = l.record_id
    JOIN label_names n ON n.kind = l.kind AND n.value = l.value;
INSERT INTO unindexed SELECT id FROM documents;
UPDATE label_names SET uses = (SELECT count(*) FROM label_uses WHERE label_id = id);
"""
UNSYNCED = """
INSERT INTO unsynced_rows (kind, key)
SELECT '{0}', uid FROM json_each(?) j CROSS JOIN {0} r ON r.id = j.value
WHERE r.private = 0 AND EXISTS (SELECT 1 FROM sync_peers) ON CONFLICT DO NOTHING
"""
"""What other machines are to be given, as triggers note it."""
GONE = "IN (SELECT id FROM gone_documents)"
DROP = {
    "words": f"DELETE FROM words WHERE rowid {GONE}",
    "grams": f"DELETE FROM grams WHERE rowid {GONE}",
    # The index would be asked for each document anew, which takes far longer than the whole table.
    "spellings": f"UPDATE spellings SET document_id = 0 WHERE +document_id {GONE}",
    "unindexed": f"DELETE FROM unindexed WHERE document_id {GONE}",
    "document_vectors": f"DELETE FROM document_vectors WHERE document_id {GONE}",
    "document_counts": documents.TAKE_AWAY,
    "label_uses": "UPDATE label_names SET uses = uses - number FROM ("
    f"SELECT label_id, count(*) AS number FROM label_uses WHERE document_id {GONE} GROUP BY 1"
    f") WHERE label_id = id; DELETE FROM label_uses WHERE document_id {GONE}",
    "label_names": "DELETE FROM label_names WHERE id NOT IN (SELECT label_id FROM label_uses)",
    "file_commits": "DELETE FROM file_commits WHERE label_id NOT IN (SELECT id FROM label_names)",
    "gone_lines": f"DELETE FROM gone_lines WHERE document_id {GONE}",
    "documents": f"DELETE FROM documents WHERE id {GONE}",
    # The last ids may be given again, to what git's log was not looked through for.
    "repositories": (
        "UPDATE repositories SET labels = min(labels, (SELECT ifnull(max(id), 0) FROM label_names)), "
        "documents = min(documents, (SELECT ifnull(max(id), 0) FROM documents))"
    ),
}
"""What takes documents away, by the table that it is about."""

OWN_PROJECT = "coalesce((SELECT project FROM sessions WHERE id = r.session_id), '')"
SHAPED = {
    "o": ("r.session_id", "r.project", "r.type"),
    "p": ("r.session_id", OWN_PROJECT, "'prompt'"),
    "s": ("r.session_id", "r.project", "'summary'"),
    "f": ("NULL", "r.project", "'fact'"),
}
"""Of each kind what its documents' session, project and type are, as the view `memories` has it."""

SHOWN = {
    "o": f" AND r.type <> '{NOISE}'",
    "s": " AND NOT EXISTS (SELECT 1 FROM second_levels WHERE brief_id = r.id)",
}
"""What else makes a visible row of a kind a document, as the view `visible_memories` has it."""

KIND_OF_TABLE = {shape.table: kind for kind, shape in SHAPES.items()}

FLAGS = frozenset(("private", "deleted_at"))
"""The columns that hide records."""

MANY = 1_000
"""So few records are left to the triggers: setting these aside, and what reads all words, takes as long."""

SECOND_LEVELS = """
DELETE FROM documents WHERE kind = 's' AND record_id IN (
    SELECT brief_id FROM second_levels WHERE session_id IN (
        SELECT session_id FROM summaries WHERE id IN (SELECT value FROM json_each(?))
    )
)
"""

LABELLED = {
    letter: {field.name: field.label for field in FIELDS[kind] if field.label}
    for letter, kind in KINDS.items()
}
"""Of each kind which list gives which labels, as the view `memory_labels` has it."""

NAMED = """
INSERT INTO label_names (kind, value, uses) SELECT label, value, count(DISTINCT document_id) FROM ({0})
WHERE true GROUP BY 1, 2 ON CONFLICT DO UPDATE SET uses = uses + excluded.uses
"""
USED = """
INSERT INTO label_uses (label_id, document_id)
SELECT n.id, document_id FROM ({0}) l CROSS JOIN label_names n ON n.kind = label AND n.value = l.value
WHERE true ORDER BY 1, 2 ON CONFLICT DO NOTHING
"""
"""What notes the labels of documents that had none."""


class Derived(NamedTuple):
    """What triggers keep, as the SQL of two sets of rows, those that are there and those that the
    records give; and of whether these are the same, which is far less work than both differences."""

    held: str
    due: str
    is_same: str


DOCUMENTS = Derived(
    held="SELECT kind, record_id, session_id, project, type, created_at, pinned FROM documents",
    due="SELECT * FROM visible_memories",
    # Nothing is sorted: each due row has its document, and there is no other.
    is_same=(
        "SELECT count(*) = count(d.id) AND count(*) = (SELECT count(*) FROM documents) "
        "FROM visible_memories v LEFT JOIN documents d ON d.kind = v.kind AND d.record_id = v.record_id "
        "AND (d.session_id, d.project, d.type, d.created_at, d.pinned) "
        "IS (v.session_id, v.project, v.type, v.created_at, v.pinned)"
    ),
)


def _labels(kind: str, documents: str) -> str:
    """Return the SQL of the labels that some documents `d` of a kind are due; each record is read once,
    whatever lists it has."""
    lists = LABELLED[kind]
    names = ", ".join(f"({number}, '{label}')" for number, label in enumerate(lists.values()))
    cells = " ".join(f"WHEN {number} THEN r.{column}" for number, column in enumerate(lists))
    cell = f"CASE list.column1 {cells} END"
    return (
        "SELECT list.column2 AS label, CAST(item.value AS TEXT) AS value, d.id AS document_id "
        f"FROM {documents} CROSS JOIN {SHAPES[kind].table} r ON r.id = d.record_id "
        f"CROSS JOIN (VALUES {names}) list ON {cell} <> '[]' "
        f"CROSS JOIN json_each(iif(json_valid({cell}), {cell}, '[]')) item "
        f"ON item.value IS NOT NULL WHERE d.kind = '{kind}'"
    )


def _label_ids(kind: str) -> str:
    """Return the SQL of the ids of the labels that documents of a kind are due, NULL for a name that
    isn't there."""
    return (
        "SELECT (SELECT id FROM label_names WHERE kind = label AND value = l.value) AS label_id, "
        f"document_id, 1 AS is_due FROM ({_labels(kind, 'documents d')}) l"
    )


LABELS = Derived(
    held=(
        "SELECT kind, value, document_id FROM labels UNION ALL "
        "SELECT kind, value, 0 FROM label_names WHERE id NOT IN (SELECT label_id FROM label_uses)"
    ),
    due=(
        "SELECT l.kind, l.value, d.id FROM memory_labels l "
        "JOIN documents d ON d.kind = l.memory_kind AND d.record_id = l.record_id"
    ),
    # Numbers are sorted, of both sides at once.
    is_same=(
        "SELECT NOT EXISTS (SELECT 1 FROM ("
        + " UNION ALL ".join(_label_ids(kind) for kind, lists in LABELLED.items() if lists)
        + " UNION ALL SELECT label_id, document_id, 0 FROM label_uses"
        ") GROUP BY label_id, document_id HAVING min(is_due) = max(is_due)) "
        "AND NOT EXISTS (SELECT 1 FROM label_names WHERE id NOT IN (SELECT label_id FROM label_uses))"
    ),
)


def derive(db: apsw.Connection) -> None:
    """Make documents and labels anew, the oldest first; inside a transaction. All wait to be indexed."""
    with without_triggers(db):
        db.execute(DERIVE)
        db.execute(documents.ANEW)


@contextmanager
def without_triggers(db: apsw.Connection) -> Iterator[None]:
    """Set this connection's triggers aside, for what does their work for many rows at once."""
    set_triggers(db, False)
    try:
        yield
    finally:
        with suppress(apsw.ConnectionClosedError):
            set_triggers(db, True)


def set_triggers(db: apsw.Connection, on: bool) -> None:
    """Have this connection's triggers run, or not. SQLite compiles every statement anew after it."""
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, int(on))


def add(db: apsw.Connection, kind: str, ids: Sequence[int]) -> list[int]:
    """Make the documents and labels of new records of one kind, and give the documents' ids.

    Inside a transaction, with triggers set aside; none waits to be indexed. By the views, as the
    triggers do it, this would take four times as long.
    """
    results = _add_documents(db, kind, ids, visible("r") + SHOWN.get(kind, ""))
    db.execute(UNSYNCED.format(SHAPES[kind].table), (json.dumps(ids),))
    if more := {"f": documents.ADD_FACTS, "o": documents.ADD_TOKENS}.get(kind):
        db.execute(more, (json.dumps(ids),))
    return results


def _add_documents(db: apsw.Connection, kind: str, ids: Sequence[int], shown: str) -> list[int]:
    """Make documents, with what is counted of them, of those records of a kind that meet a condition."""
    table, columns = SHAPES[kind].table, ", ".join(SHAPED[kind])
    made: Any = db.execute(
        "INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned) "
        f"SELECT ?, r.id, {columns}, r.created_at, r.pinned FROM json_each(?) j "
        f"CROSS JOIN {table} r ON r.id = j.value "
        f"WHERE {shown} "
        "RETURNING id",
        (kind, json.dumps(ids)),
    ).fetchall()
    results = [number for (number,) in made]
    values = (json.dumps(results),)
    for sql in documents.ADD:
        db.execute(sql, values)
    if LABELLED[kind]:
        for sql in (NAMED, USED):
            db.execute(
                sql.format(_labels(kind, "json_each(?) j CROSS JOIN documents d ON d.id = j.value")), values
            )
    return results


def second_levels(db: apsw.Connection, ids: Sequence[int]) -> set[int]:
    """Return those of new summaries that are no documents: brief ones of which there is a detailed one."""
    sql = "SELECT brief_id FROM second_levels WHERE brief_id IN (SELECT value FROM json_each(?))"
    return {number for (number,) in db.execute(sql, (json.dumps(ids),))}


def drop_second_levels(db: apsw.Connection, ids: Sequence[int]) -> None:
    """Have the brief levels of new summaries be no documents, those that were there before them too.

    Inside a transaction, with triggers, which take them out of the indexes.
    """
    db.execute(SECOND_LEVELS, (json.dumps(ids),))


def drop_documents(db: apsw.Connection, ids: Collection[int]) -> None:
    """Take documents, by their ids, out of lists, labels and indexes in a few statements: thousands a
    hundred times faster than triggers do it. Inside a transaction."""
    if not ids:
        return
    db.execute("CREATE TEMP TABLE gone_documents (id INTEGER PRIMARY KEY)")
    db.execute("INSERT INTO gone_documents SELECT value FROM json_each(?)", (json.dumps([*ids]),))
    present = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    with without_triggers(db):
        for table, sql in DROP.items():
            if table in present:
                db.execute(sql)
    db.execute("DROP TABLE gone_documents")


def follow_flags(db: apsw.Connection, table: str, ids: Sequence[int], values: Mapping[str, object]) -> None:
    """Take documents of records away, or make them, before these records of a table get values in their
    columns: triggers then find that done, which takes them several times as long. Inside a transaction,
    with triggers; few records, and other columns than those that hide, are left to them."""
    kind = KIND_OF_TABLE.get(table)
    if kind is None or len(ids) < MANY or not values.keys() <= FLAGS:
        return
    chosen = (kind, json.dumps(sorted(ids)))
    hides = bool(values.get("private")) or values.get("deleted_at") is not None
    if hides:
        sql = "SELECT id FROM documents WHERE kind = ? AND record_id IN (SELECT value FROM json_each(?))"
        drop_documents(db, [number for (number,) in db.execute(sql, chosen)])
    # A summary may be the second level of another that is shown too.
    elif kind != "s":
        conditions = {"private": "r.private = 0", "deleted_at": "r.deleted_at IS NULL"}
        shown = " AND ".join(
            (
                *(sql for column, sql in conditions.items() if column not in values),
                f"NOT EXISTS (SELECT 1 FROM documents WHERE kind = '{kind}' AND record_id = r.id)",
            )
        )
        with without_triggers(db):
            made = _add_documents(db, kind, sorted(ids), shown + SHOWN.get(kind, ""))
            db.execute("INSERT INTO unindexed SELECT value FROM json_each(?)", (json.dumps(made),))


def differences(db: apsw.Connection, pair: Derived) -> tuple[int, int]:
    """Of DOCUMENTS or LABELS: how many the rows give that are missing, and how many too many."""
    if db.execute(pair.is_same).get:
        return 0, 0
    held, due = (f"SELECT * FROM ({text})" for text in (pair.held, pair.due))
    missing = int(db.execute(f"SELECT count(*) FROM ({due} EXCEPT {held})").get)
    extra = int(db.execute(f"SELECT count(*) FROM ({held} EXCEPT {due})").get)
    return missing, extra
