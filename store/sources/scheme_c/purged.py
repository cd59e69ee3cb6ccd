"""What was purged here stays away, however often its source is read."""

from __future__ import annotations

from ...store import Store


class Purged:
    """The uids and the lines of a source that were purged."""

    def __init__(self, store: Store, source: str) -> None:
        rows = store.db.execute("SELECT uid, source, native_id FROM purged").fetchall()
        self._uids = {uid for uid, _, _ in rows}
        self._lines = {native_id for _, of, native_id in rows if of == source}

    def has(self, uid: object = None, native_id: str | None = None) -> bool:
        """Whether the record of this uid, or of this line, was purged."""
        return uid in self._uids or native_id in self._lines
