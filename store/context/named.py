"""Memories by their refs, as lists name them; what is hidden, deleted or gone has no name here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from ..entries import by_ids

DOCUMENTS = """
SELECT d.id FROM json_each(?) AS wanted
JOIN documents d ON d.kind = wanted.value ->> 0 AND d.record_id = wanted.value ->> 1
"""
NOTES = """
SELECT id, path, pinned FROM notes
WHERE private = 0 AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))
"""


@dataclass(frozen=True, slots=True)
class Named:
    """What a memory is called: `type` is an observation's type, otherwise the kind (`note` for a note);
    `title` is one line, a note's path."""

    type: str
    title: str
    pinned: bool


def named(db: apsw.Connection, refs: Iterable[str]) -> dict[str, Named]:
    """The names of memories by ref (`12`, `s3`, `f4`, `n5`), of those that can be seen."""
    wanted = [_parts(ref) for ref in refs if ref[1:].isdecimal() or ref.isdecimal()]
    documents = [(kind, number) for kind, number in wanted if kind != "n"]
    notes = [number for kind, number in wanted if kind == "n"]
    ids = [one for (one,) in db.execute(DOCUMENTS, (json.dumps(documents),))]
    found = {
        entry.ref: Named(entry.type, entry.title, entry.pinned)
        for entry in by_ids(db, ids).values()
    }
    for number, path, pinned in db.execute(NOTES, (json.dumps(notes),)):
        found[f"n{number}"] = Named("note", path, bool(pinned))
    return found


def _parts(ref: str) -> tuple[str, int]:
    return ("o", int(ref)) if ref.isdecimal() else (ref[0], int(ref[1:]))
