"""Notes: core memory, MEMORY.md and its like. (project, path) is the key."""

from __future__ import annotations

from typing import Any

from ..clock import common_columns
from ..records import Note
from .base import Table, insert, matching, write_text

Found = list[Note]

INSERT = """
INSERT INTO notes (
    uid, created_at, updated_at, deleted_at, private, pinned, origin, editor, hlc,
    source, native_id, fingerprint, extra,
    project, path, text
) VALUES (
    :uid, :created_at, :updated_at, :deleted_at, :private, :pinned, :origin, :editor, :hlc,
    :source, :native_id, :fingerprint, :extra,
    :project, :path, :text
) ON CONFLICT (project, path) DO UPDATE SET
    text = excluded.text, updated_at = excluded.updated_at, editor = excluded.editor,
    hlc = max(excluded.hlc, hlc + 1), deleted_at = NULL,
    private = max(private, excluded.private), pinned = max(pinned, excluded.pinned)
RETURNING id
"""


class Notes(Table[Note]):
    """The notes table."""

    record = Note
    name = "notes"

    def upsert(
        self, path: str, text: str, *, project: str = "", at: int | None = None, **origin: Any
    ) -> Note:
        """Store a note's text under its path, replacing what was there; a private one stays private."""
        values = common_columns(self.machine, at=at, **origin)
        values |= {
            "project": write_text(project),
            "path": write_text(path),
            "text": write_text(text),
        }
        with self.transaction:
            return self.get(insert(self.db, INSERT, values))

    def list(self, project: str | None = None) -> Found:
        """Return the visible notes of a project (of all when None), by project and path."""
        condition = matching(project=project)
        return self.where(f"{condition} ORDER BY project, path", {"project": project})
