"""The records that may go out, as payloads, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...records.kinds import TABLES
from ...records.rows import Common, Fact, Note
from ...store import Store
from ...tables.base import columns, to_record
from ..common.scope import Scope
from ..scheme_c import payload as parts
from .directory import NOTES
from .rendering import fact_payload

PAGE = 500

_IN_SESSIONS = ("prompt", "observation", "summary")
_HIDDEN_FIRST = (
    "EXISTS (SELECT 1 FROM prompts WHERE session_id = ? AND text = ? "
    "AND (private = 1 OR deleted_at IS NOT NULL))"
)

PublicRecord = tuple[Common, parts.Payload]


class Public:
    """The public records of a store, or those of them that a scope chose, as one directory gets them."""

    def __init__(self, store: Store, directory: str, scope: Scope | None = None) -> None:
        self.store = store
        self.directory = directory
        self.scope = scope or Scope()

    def pages(self, kind: str) -> Iterator[list[PublicRecord]]:
        """Yield all public records of a kind with their payloads, in lists of up to 500, by their
        numbers."""
        last = 0
        while page := self._page(kind, "t.id > ?", last):
            last = page[-1][0].id
            yield page

    def of(self, kind: str, number: int) -> PublicRecord | None:
        """Return one record of a kind with its payload; None when it isn't public."""
        page = self._page(kind, "t.id = ?", number)
        return page[0] if page else None

    def _page(self, kind: str, condition: str, value: int) -> list[PublicRecord]:
        table, record = TABLES[kind], parts.KINDS[kind]
        owner, join = "NULL, NULL", ""
        if kind in _IN_SESSIONS:
            owner = "s.agent, s.content_session_id"
            join = "JOIN sessions s ON s.id = t.session_id"
        rows = self.store.db.execute(
            f"SELECT {owner}, {columns(record, 't')} FROM {table} t {join} "
            f"WHERE {condition} AND {self.scope.condition(table)} ORDER BY t.id LIMIT {PAGE}",
            (value,),
        ).fetchall()
        return [self._with_payload(kind, row) for row in rows]

    def _with_payload(self, kind: str, row: Any) -> PublicRecord:
        agent, session, *values = row
        record: Common = to_record(parts.KINDS[kind], values)
        if isinstance(record, Fact):
            return record, fact_payload(record, self.store.facts.sources_of(record), self.directory)
        payload = parts.payload(record, None if session is None else (agent, session))
        if isinstance(record, Note) and (file := file_in(record, self.directory)):
            # Its text stands there, and whoever reads that knows where it comes from.
            for name in ("text", "source", "native_id"):
                payload.pop(name, None)
            payload["file"] = file
        if kind == "session" and "first_prompt" in payload:
            hidden = f"SELECT {_HIDDEN_FIRST}"
            if self.store.db.execute(hidden, (record.id, payload["first_prompt"])).get:
                del payload["first_prompt"]
        return record, payload


def file_in(note: Note, directory: str) -> str | None:
    """Return the file of a directory that a note is; None when it is none of its files."""
    if note.source == directory and note.native_id in NOTES:
        return note.native_id
    if note.source != directory and note.project == "" and note.path in NOTES:
        return note.path
    return None
