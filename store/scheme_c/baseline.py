"""What a directory already knows of each record, so that only news is written to it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ..store import Store
from . import payload as parts
from .public import Public
from .rendering import file_of

_KINDS = {table: kind for kind, table in parts.TABLES.items()}
_PUT = """
INSERT INTO synced_records (directory, uid, kind, file, hash) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (directory, uid) DO UPDATE SET hash = excluded.hash, file = excluded.file
"""
_PUT_NEW = _PUT.replace("DO UPDATE SET hash = excluded.hash, file = excluded.file", "DO NOTHING")


class Synced(NamedTuple):
    """What a file of a directory says of a record, as a hash."""

    uid: str
    kind: str
    file: str
    mark: str


class Baseline:
    """The synced_records of one directory."""

    def __init__(self, store: Store, directory: str) -> None:
        self.db = store.db
        self.directory = directory
        self.public = Public(store, directory)

    def take(self, table: str, numbers: Iterable[int], *, only_new: bool = False) -> None:
        """The directory itself told these records, as they are now."""
        kind = _KINDS[table]
        told = (self.public.of(kind, number) for number in numbers)
        self.db.executemany(
            _PUT_NEW if only_new else _PUT,
            [
                (self.directory, record.uid, kind, file_of(record), parts.mark(values))
                for record, values in filter(None, told)
            ],
        )

    def lies_in(self, path: Path) -> None:
        """The directory was seen there."""
        self.db.execute(
            "INSERT INTO directories VALUES (?1, ?2) "
            "ON CONFLICT (directory) DO UPDATE SET path = ?2 WHERE path <> ?2",
            (self.directory, str(path.resolve())),
        )

    def put(self, synced: Synced) -> None:
        """A line of the directory says this of a record."""
        uid, kind, file, mark = synced
        self.db.execute(_PUT, (self.directory, uid, kind, file, mark))

    def known(self, kind: str) -> dict[str, tuple[str, str]]:
        """File and mark of every record of a kind that the directory knows, by uid."""
        rows = self.db.execute(
            "SELECT uid, file, hash FROM synced_records WHERE directory = ? AND kind = ?",
            (self.directory, kind),
        )
        return {uid: (file, mark) for uid, file, mark in rows}
