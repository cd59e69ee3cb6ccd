"""Which directory it is, wherever it lies, and whatever was added to it or changed in it."""

from __future__ import annotations

import json
import os
from collections import Counter

from ...store import Store
from .files import Directory, kept_mark, marks

SYSTEM = "scheme-c"


def source_of(store: Store, directory: Directory) -> str:
    """The source that the records of a directory have.

    The mark that a sync has left in it says so, else the beginnings of its files, by which it was
    known before, else its place. A new one is called after its own first line.
    """
    found = marks(directory)
    mark = kept_mark(directory.path)
    source = f"{SYSTEM}:{mark}" if mark else _known(store, directory, found)
    if source is None:
        source = f"{SYSTEM}:{found[0] if found else os.urandom(4).hex()}"
    with store.unit():
        store.db.executemany(
            "INSERT INTO source_marks VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(f"{SYSTEM}:{one}", source) for one in dict.fromkeys(found)],
        )
    return source


def _known(store: Store, directory: Directory, found: list[str]) -> str | None:
    rows = store.db.execute(
        "SELECT source FROM source_marks WHERE mark IN (SELECT value FROM json_each(?))",
        (json.dumps([f"{SYSTEM}:{mark}" for mark in found]),),
    )
    votes = Counter(str(source) for (source,) in rows)
    if votes:
        return min(votes, key=lambda source: (-votes[source], source))
    there: str | None = store.db.execute(
        "SELECT directory FROM directories WHERE path = ? LIMIT 1", (str(directory.path.resolve()),)
    ).get
    return there
