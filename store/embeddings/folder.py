"""The files of vectors beside a memory, one a model: which there are, which one is searched, and how they
follow the memory.

A vector can be turned back into words, so none may outlive its text. When a record is hidden, reworded
or deleted its vectors go first, in the same transaction of the memory: a kill between the two leaves a
text without a vector, never a vector without its text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from ..database.connection import real_path
from . import waiting
from .vector_file import Record, VectorFile

SUFFIX = ".db"
STATE = "state"
"""The key of `meta` of a file: the number of the memory's state that it was brought to."""
WHOLE = "whole_at"
"""The same of when all records had their vectors for the first time, in ms."""
TRUST = "trust"
"""What `trust.measure` found, as JSON."""
MEASURED = "measured"
"""How many records there were then."""
RATE = "rate"
"""Passages a second that were embedded last."""
AT_ONCE = 10_000
"""Records that are forgotten by one statement."""


def vectors_directory(database: Path) -> Path:
    """Return the directory of a memory's vectors, whether it is there or not."""
    return Path(f"{real_path(str(database))}-vectors")


class VectorFolder:
    """The files of one memory, opened when they are asked for. Belongs to one thread at a time, as a
    connection does."""

    def __init__(self, database: Path) -> None:
        self.path = vectors_directory(database)
        self._open: dict[tuple[str, int], VectorFile] = {}
        self.damaged: list[Path] = []

    def close(self) -> None:
        """Close all files."""
        for file in self._open.values():
            file.close()
        self._open.clear()

    def files(self) -> list[VectorFile]:
        """Return the files that there are, opened; `damaged` are those that can't be."""
        found: dict[tuple[str, int], VectorFile] = {}
        self.damaged = []
        for path, inode in self._present():
            key = (path.name, inode)
            try:
                found[key] = self._open.pop(key) if key in self._open else VectorFile(path)
            except apsw.BusyError:
                raise
            except apsw.Error:
                self.damaged.append(path)
        self.close()
        self._open = found
        return [*found.values()]

    def file(self, fingerprint: str) -> VectorFile | None:
        """Return the file of the model with a fingerprint, where there is one."""
        return next((one for one in self.files() if one.path.stem == fingerprint), None)

    def create(self, fingerprint: str, about: dict[str, Any]) -> VectorFile:
        """Return the file of a model, made where it is missing."""
        path = self.path / f"{fingerprint}{SUFFIX}"
        VectorFile.create(path, about).close()
        found = self.file(fingerprint)
        assert found is not None
        return found

    def current(self, fingerprint: str) -> VectorFile | None:
        """Return the file to be searched: that of the wanted model once it is whole, else the one that
        was whole last, else what there is of the wanted one."""
        files = self.files()
        wanted = next((one for one in files if one.path.stem == fingerprint), None)
        if wanted is not None and wanted.noted(WHOLE):
            return wanted
        whole = [one for one in files if one.noted(WHOLE)]
        return max(whole, key=lambda one: int(one.noted(WHOLE))) if whole else wanted

    def drop_damaged(self) -> None:
        """Delete what can't be opened. Raises OSError."""
        for path in self.damaged:
            drop(path)

    def drop(self, *, keep: str = "") -> None:
        """Delete all files, but for that of one fingerprint."""
        self.close()
        for path, _ in self._present():
            if path.stem != keep:
                drop(path)
        if not keep:
            with suppress(OSError):
                self.path.rmdir()

    def _present(self) -> Iterator[tuple[Path, int]]:
        try:
            with os.scandir(self.path) as entries:
                found = [
                    (Path(one.path), one.inode())
                    for one in entries
                    if one.name.endswith(SUFFIX) and one.is_file(follow_symlinks=False)
                ]
        except OSError:
            return
        yield from sorted(found)


def trust_in(file: VectorFile) -> dict[str, float]:
    """Return the trust in a file's model by script, as far as it was measured."""
    found: dict[str, float] = json.loads(file.noted(TRUST) or "{}")
    return found


def drop(path: Path) -> None:
    """Delete a file of vectors, and what lies beside it. Raises OSError."""
    for end in ("", "-journal"):
        Path(f"{path}{end}").unlink(missing_ok=True)


def follow(db: apsw.Connection, folder: VectorFolder) -> None:
    """Take the vectors of what was hidden, reworded or deleted out of all files, and note there what is
    to be embedded; inside a transaction of the memory, before it commits.

    A file that can't be written is dropped as a whole. Raises OSError where even that is not possible.
    """
    number = waiting.state(db)
    rows: Any = db.execute("SELECT kind, record_id FROM unembedded").fetchall()
    changed: list[Record] = [*rows]
    if number is None or not changed:
        return
    present: Any = db.execute(
        "SELECT d.kind, d.record_id FROM unembedded u CROSS JOIN documents d "
        "ON d.kind = u.kind AND d.record_id = u.record_id ORDER BY d.id"
    ).fetchall()
    files = folder.files()
    folder.drop_damaged()
    for file in files:
        try:
            with file.transaction():
                for begin in range(0, len(changed), AT_ONCE):
                    file.forget(changed[begin : begin + AT_ONCE])
                file.set_due(present)
                if int(file.noted(STATE) or -1) == number:
                    file.note(STATE, number + 1)
        except apsw.Error:
            drop(file.path)
    waiting.set_state(db, number + 1)
    # What isn't indexed yet may be reworded again without being noted again.
    db.execute(
        "DELETE FROM unembedded WHERE NOT EXISTS (SELECT 1 FROM unindexed x CROSS JOIN documents d "
        "ON d.id = x.document_id WHERE d.kind = unembedded.kind AND d.record_id = unembedded.record_id)"
    )
