"""What triggers derive from the rows, documents and labels: made anew, and compared with the rows."""

from __future__ import annotations

import apsw

DERIVE = """
DELETE FROM documents;
DELETE FROM label_uses;
DELETE FROM label_names;
INSERT INTO documents (kind, record_id, session_id, project, type, created_at, pinned)
    SELECT kind, record_id, session_id, project, type, created_at, pinned FROM memories
    WHERE private = 0 AND deleted_at IS NULL
    ORDER BY created_at, kind, record_id;
INSERT INTO label_names (kind, value) SELECT DISTINCT kind, value FROM (
    SELECT l.kind, l.value FROM memory_labels l
    JOIN documents d ON d.kind = l.memory_kind AND d.record_id = l.record_id
);
INSERT INTO label_uses (label_id, document_id)
    SELECT DISTINCT n.id, d.id FROM memory_labels l
    JOIN documents d ON d.kind = l.memory_kind AND d.record_id = l.record_id
    JOIN label_names n ON n.kind = l.kind AND n.value = l.value;
INSERT INTO unindexed SELECT id FROM documents;
"""

DOCUMENTS = (
    "SELECT kind, record_id, session_id, project, type, created_at, pinned FROM documents",
    "SELECT kind, record_id, session_id, project, type, created_at, pinned FROM memories "
    "WHERE private = 0 AND deleted_at IS NULL",
)
LABELS = (
    "SELECT kind, value, document_id FROM labels UNION ALL "
    "SELECT kind, value, 0 FROM label_names WHERE id NOT IN (SELECT label_id FROM label_uses)",
    "SELECT l.kind, l.value, d.id FROM memory_labels l "
    "JOIN documents d ON d.kind = l.memory_kind AND d.record_id = l.record_id",
)


def derive(db: apsw.Connection) -> None:
    """Make documents and labels anew, the oldest first; inside a transaction. All wait to be indexed."""
    db.execute(DERIVE)


def differences(db: apsw.Connection, pair: tuple[str, str]) -> tuple[int, int]:
    """Of DOCUMENTS or LABELS: how many the rows give that are missing, and how many too many."""
    held, due = (f"SELECT * FROM ({one})" for one in pair)
    missing = int(db.execute(f"SELECT count(*) FROM ({due} EXCEPT {held})").get)
    extra = int(db.execute(f"SELECT count(*) FROM ({held} EXCEPT {due})").get)
    return missing, extra
