"""What another program does to a store's file, with plain SQL and none of our functions."""

from pathlib import Path

import apsw

from memtui.store.platform.clock import uuid7

INSERTS = {
    "observations": "INSERT INTO observations (uid, created_at, updated_at, private, session_id, title, "
    "narrative, facts, concepts) VALUES (:uid, :at, :at, :private, 1, :one, :text, :list, :list)",
    "prompts": "INSERT INTO prompts (uid, created_at, updated_at, private, session_id, "
    "prompt_number, text) VALUES (:uid, :at, :at, :private, 1, 1, :text)",
    "summaries": "INSERT INTO summaries (uid, created_at, updated_at, private, session_id, request, "
    "notes, files_read) VALUES (:uid, :at, :at, :private, 1, :one, :text, :list)",
    "facts": "INSERT INTO facts (uid, created_at, updated_at, private, content, entities) "
    "VALUES (:uid, :at, :at, :private, :text, :list)",
}
TEXTS = {"observations": "title", "prompts": "text", "summaries": "learned", "facts": "content"}


class AnotherProgram:
    """A connection of its own; every statement commits by itself."""

    def __init__(self, path: Path) -> None:
        self.db = apsw.Connection(str(path))
        self.db.pragma("foreign_keys", True)

    def insert(self, kind: str, at: int, one: str, two: str, private: bool) -> None:
        """A row whose texts hold NUL, and whose lists hold a number too."""
        values = {
            "uid": uuid7(at),
            "at": at,
            "private": private,
            "one": one,
            "text": f"{two}\0{one}",
            "list": self.db.execute("SELECT json_array(?, ?, 5)", (one, two)).get,
        }
        self.db.execute(INSERTS[kind], values)

    def pick(self, kind: str, number: int) -> int:
        """The id of an existing row of a kind; 0 when there is none."""
        ids = [row for (row,) in self.db.execute(f"SELECT id FROM {kind}")]
        return ids[number % len(ids)] if ids else 0

    def write_text(self, kind: str, number: int, text: str) -> None:
        """Another text in one of a row's fields."""
        sql = f"UPDATE {kind} SET {TEXTS[kind]} = ? WHERE id = ?"
        self.db.execute(sql, (text, self.pick(kind, number)))

    def change(self, kind: str, number: int, change: str) -> None:
        """Another value in one of a row's columns, as SQL says it."""
        self.db.execute(f"UPDATE {kind} SET {change} WHERE id = ?", (self.pick(kind, number),))

    def delete(self, kind: str, number: int) -> None:
        """A row less."""
        self.db.execute(f"DELETE FROM {kind} WHERE id = ?", (self.pick(kind, number),))
