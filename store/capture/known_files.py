"""The files that a session has read or changed: to read one of them again is no news."""

from __future__ import annotations

import apsw

SEEN = """
SELECT 1 FROM labels JOIN documents ON documents.id = labels.document_id
WHERE labels.kind = 'file' AND labels.value = ? AND documents.session_id = ?
    AND documents.kind = 'o' AND documents.record_id IS NOT ? LIMIT 1
"""


class KnownFiles:
    """What a session's observations tell of files, but for its `own` one; asked only where it matters."""

    def __init__(self, db: apsw.Connection, session_id: int, own: int | None = None) -> None:
        self.db = db
        self.session_id = session_id
        self.own = own

    def __contains__(self, path: object) -> bool:
        return bool(self.db.execute(SEEN, (path, self.session_id, self.own)).get)
