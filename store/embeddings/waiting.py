"""Records whose vectors are not as their text is, as the memory notes them. Next to nothing is imported:
every commit and every search asks."""

from __future__ import annotations

import apsw

KEY = "embeddings"
"""The row of `meta` that says that vectors are kept, and how often they were brought up to date: a file
of vectors that says another number is of another state of the memory."""


def are_kept(db: apsw.Connection) -> bool:
    """Return whether vectors are kept of this memory."""
    return state(db) is not None


def state(db: apsw.Connection) -> int | None:
    """Return the number of the state that the vectors were brought to last; None where none are kept."""
    found = db.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).get
    return None if found is None else int(found)


def set_state(db: apsw.Connection, number: int | None) -> None:
    """Note that vectors are kept and of which state they are; None: that they aren't."""
    if number is None:
        db.execute("DELETE FROM meta WHERE key = ?", (KEY,))
        db.execute("DELETE FROM unembedded")
    else:
        sql = "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        db.execute(sql, (KEY, str(number)))


def is_waiting(db: apsw.Connection) -> bool:
    """Return whether any record's vectors are out of date."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM unembedded)").get)
