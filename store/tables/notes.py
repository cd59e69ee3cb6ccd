"""Notes: core memory, MEMORY.md and its like. (project, path) is the key."""

from __future__ import annotations

from typing import Any

from ..platform.clock import common_columns
from ..platform.translation import N_
from ..records.rows import Note
from .base import Table, insert, matching, write_text

Found = list[Note]

UPDATE = """
UPDATE notes SET
    text = :text, updated_at = :updated_at, editor = :editor,
    hlc = max(:hlc, hlc + 1), deleted_at = NULL,
    private = max(private, :private), pinned = max(pinned, :pinned)
WHERE project = :project AND path = :path
RETURNING id
"""
INSERT = """
INSERT INTO notes (
    uid, created_at, updated_at, deleted_at, private, pinned, origin, editor, hlc,
    source, native_id, fingerprint, extra,
    project, path, text
) VALUES (
    :uid, :created_at, :updated_at, :deleted_at, :private, :pinned, :origin, :editor, :hlc,
    :source, :native_id, :fingerprint, :extra,
    :project, :path, :text
) RETURNING id
"""


class Notes(Table[Note]):
    """The notes table."""

    record = Note
    name = "notes"

    def upsert(
        self, path: str, text: str, *, project: str = "", at: int | None = None, **origin: Any
    ) -> Note:
        """Store a note's text under its path, replacing what was there; a private one stays private.
        `at` is when it was written, ms since the epoch; now where it isn't given."""
        values = common_columns(self.machine, at=at, **origin)
        if at is not None:
            values["updated_at"] = at
        values |= {
            "project": write_text(project),
            "path": write_text(path),
            "text": write_text(text),
        }
        with self.transaction:
            # No conflict of an insertion: that would use a number up each time.
            result = self.db.execute(UPDATE, values).get
            if result is not None:
                self.transaction.check_person(
                    N_(
                        "The user reviews what agents write, so a note that is there can't be written "
                        "over. Give another path."
                    )
                )
            return self.get(insert(self.db, INSERT, values) if result is None else result)

    def list(self, project: str | None = None) -> Found:
        """Return the visible notes of a project (of all when None), by project and path."""
        condition = matching(project=project)
        return self.where(f"{condition} ORDER BY project, path", {"project": project})
