"""What is known here of a team's server: which rows it has, as what, and up to which they are here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from .server import TeamEntry
from .sharing import Shared


class KnownRows:
    """The rows of the server, by their kind and what names them there."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def note(self, entries: Sequence[TeamEntry], *, is_given: bool = False) -> None:
        """Note what the server has, and whether this store gave it."""
        self.db.executemany(
            "INSERT INTO team_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "author = excluded.author, project = excluded.project, visibility = excluded.visibility, "
            "state = excluded.state, version = excluded.version, "
            "shared_here = max(shared_here, excluded.shared_here)",
            [
                (
                    item.kind, item.uid, item.author, item.project, item.visibility, item.state,
                    item.version, is_given,
                )
                for item in entries
            ],
        )  # fmt: skip

    def of(self, kind: str, rows: Sequence[Shared]) -> dict[str, tuple[str, str, str, str]]:
        """Return what of rows is on the server: state, version, visibility and project, by key."""
        sql = (
            "SELECT uid, state, version, visibility, project FROM team_rows "
            "WHERE kind = ? AND uid IN (SELECT value FROM json_each(?))"
        )
        keys = json.dumps([row.key for row in rows])
        found: Any = self.db.execute(sql, (kind, keys))
        return {uid: (state, version, *rest) for uid, state, version, *rest in found}

    def has(self, kind: str, uid: str) -> bool:
        """Whether anything is known of a row of the server."""
        sql = "SELECT 1 FROM team_rows WHERE kind = ? AND uid = ?"
        return self.db.execute(sql, (kind, uid)).get is not None

    def new(self, kind: str, rows: Sequence[Shared]) -> list[Shared]:
        """Return those of the rows that the server has not, or not as they are; but none of teammates' that
        it isn't known to have, which another team may have shared."""
        known = self.of(kind, rows)
        return [
            row
            for row in rows
            if row.visibility != "private"
            and known.get(row.key) != ("here", row.version, row.visibility, row.project)
        ]

    def mark(self, kind: str, keys: Iterable[str]) -> None:
        """Have rows of which a newer version is here go, also where their mark was given before."""
        self.db.execute(
            "INSERT OR REPLACE INTO unsynced_rows (kind, key, note) SELECT ?1, value, "
            "(SELECT note FROM unsynced_rows WHERE kind = ?1 AND key = value) FROM json_each(?2)",
            (kind, json.dumps(sorted(keys))),
        )

    def set_cursor(self, cursor: int) -> None:
        """Note up to which number the server's rows are here."""
        self.db.execute("UPDATE team SET cursor = ?", (cursor,))
