"""The searches people come back to: the history of the query line, and those saved under a name."""

from __future__ import annotations

import apsw

from ..database.transaction import Transaction, translate_errors, try_write
from ..platform.clock import now_ms
from ..platform.errors import InvalidRecordError, NotFoundError
from ..platform.translation import N_, _
from ..records.conforming import as_text, conformed
from ..records.rows import SavedSearch
from ..text.late_pattern import late_pattern

KEPT = 200
PATIENCE_SECONDS = 0.1
"""How long a lock is waited for to remember a query: nobody should wait for that."""

# The clock may go back, the order of use doesn't.
REMEMBER = """
INSERT INTO recent_searches (text, used_at)
    VALUES (:text, max(:now, (SELECT coalesce(max(used_at), 0) + 1 FROM recent_searches)))
    ON CONFLICT (text) DO UPDATE SET used_at = excluded.used_at;
DELETE FROM recent_searches WHERE used_at <= (
    SELECT used_at FROM recent_searches ORDER BY used_at DESC LIMIT 1 OFFSET :kept
)
"""

SAVE = """
INSERT INTO saved_searches (name, query, created_at, updated_at)
    VALUES (:name, :query, :now, :now)
    ON CONFLICT (name) DO UPDATE SET query = excluded.query, updated_at = excluded.updated_at
    RETURNING name, query, created_at, updated_at
"""

_CONTROLS = late_pattern(r"[\x00-\x1f\x7f-\x9f]+")


class Searches:
    """Two small tables of queries; what is written into them is one line without private text."""

    def __init__(self, db: apsw.Connection, transaction: Transaction) -> None:
        self.db = db
        self.transaction = transaction

    def remember(self, text: str) -> None:
        """Put a query at the front of the history; a blank one is none.

        Left undone where it can't be done soon: in a store that is only read, on a full disk, or
        while another process keeps the lock.
        """
        if self.transaction.read_only or not (text := _one_line(text)):
            return
        values = {"text": text, "now": now_ms(), "kept": KEPT}
        try_write(self.db, lambda: self.db.execute(REMEMBER, values), PATIENCE_SECONDS)

    def recent(self, limit: int = 50) -> list[str]:
        """Return the queries used last, newest first, each once; at most 200 are kept."""
        sql = "SELECT text FROM recent_searches ORDER BY used_at DESC LIMIT ?"
        with translate_errors(self.db, writing=False):
            return [as_text(text) for (text,) in self.db.execute(sql, (max(0, limit),))]

    def save(self, name: str, query: str) -> SavedSearch:
        """Keep a query under a name, in place of what had that name."""
        values = {"name": _one_line(name), "query": _one_line(query), "now": now_ms()}
        for what in (N_("name"), N_("query")):
            if not values[what]:
                raise InvalidRecordError("A saved search needs a {what}; nothing was saved.", what=_(what))
        with self.transaction:
            row = self.db.execute(SAVE, values).get
        assert isinstance(row, tuple)
        return SavedSearch(*row)

    def saved(self) -> list[SavedSearch]:
        """Return the saved searches, by name."""
        sql = (
            "SELECT name, query, created_at, updated_at FROM saved_searches "
            "ORDER BY name COLLATE NOCASE, name"
        )
        with translate_errors(self.db, writing=False):
            return [SavedSearch(*conformed(SavedSearch, row)) for row in self.db.execute(sql)]

    def forget(self, name: str) -> None:
        """Remove a saved search; NotFoundError."""
        name = _one_line(name)
        with self.transaction:
            sql = "DELETE FROM saved_searches WHERE name = ? RETURNING name"
            if not self.db.execute(sql, (name,)).fetchall():
                known = _(", ").join(search.name for search in self.saved())
                raise NotFoundError(
                    "There is no saved search {name}. Saved: {names}.", name=name, names=known or _("none")
                )


def _one_line(text: str) -> str:
    # Controls first: a blank in the place of one can make a private tag whole.
    from ..text.redaction import scrub

    return scrub(_CONTROLS.sub(" ", text)).strip()
