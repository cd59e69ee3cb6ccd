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
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from ...database.files import disk
from ...platform.errors import DatabaseError, StoreError
from ...platform.translation import _
from ...tables import unembedded
from ...tables.unembedded import SUFFIX, drop_files, drop_vectors, vectors_directory
from .vector_file import Record, VectorFile

WHOLE = "whole_at"
"""The key of `meta` of a file: when all records had their vectors for the first time, in ms."""
TRUST = "trust"
"""What `trust.measure` found, as JSON."""
MEASURED = "measured"
"""How many records there were then."""
RATE = "rate"
"""Passages a second that were embedded last."""
AT_ONCE = 10_000
"""Records that are forgotten by one statement."""


class VectorsGoneError(StoreError):
    """The file of vectors that is worked on was dropped, or was damaged and had to be."""


class VectorFolder:
    """The files of one memory, opened when they are asked for. Belongs to one thread at a time, as a
    connection does."""

    def __init__(self, database: Path) -> None:
        self.database = database
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
        results: dict[tuple[str, int], VectorFile] = {}
        self.damaged = []
        for path, inode in self._present():
            key = (path.name, inode)
            try:
                results[key] = self._open.pop(key) if key in self._open else VectorFile(path)
            except apsw.BusyError:
                raise
            except apsw.Error:
                self.damaged.append(path)
        self.close()
        self._open = results
        return [*results.values()]

    def file(self, fingerprint: str) -> VectorFile | None:
        """Return the file of the model with a fingerprint, where there is one."""
        return next(
            (vector_file for vector_file in self.files() if vector_file.path.stem == fingerprint),
            None,
        )

    def create(self, fingerprint: str) -> VectorFile:
        """Return the file of a model, made where it is missing. DatabaseError where it can't be made."""
        path = self.path / f"{fingerprint}{SUFFIX}"
        reason = _("something else has its name")
        try:
            VectorFile.create(path)
        except (OSError, apsw.Error) as error:
            content = disk.sentence(error, path) if isinstance(error, apsw.Error) else error.strerror
            reason = content or str(error)
        file = self.file(fingerprint)
        if file is None:
            raise DatabaseError(
                "The file of vectors {path} can't be made: {reason}.", path=path, reason=reason
            )
        return file

    def current(self, fingerprint: str, state: str) -> VectorFile | None:
        """Return the file to be searched, of those that are of a state of the memory: that of the wanted
        model once it is whole, else the one that was whole last, else what there is of the wanted one."""
        files = [file for file in self.files() if file.is_of(state)]
        wanted = next((vector_file for vector_file in files if vector_file.path.stem == fingerprint), None)
        if wanted is not None and wanted.noted(WHOLE):
            return wanted
        whole = [item for item in files if item.noted(WHOLE)]
        return max(whole, key=lambda entry: int(entry.noted(WHOLE))) if whole else wanted

    def drop_damaged(self) -> bool:
        """Delete what can't be opened; whether that is gone."""
        self.files()
        return drop_files(self.damaged)

    def drop_file(self, file: VectorFile) -> bool:
        """Delete one of the files; whether it is gone."""
        is_gone = drop_files([file.path])
        self.files()
        return is_gone

    @contextmanager
    def dropping_damaged(self, file: VectorFile) -> Iterator[None]:
        """Delete a file that turns out to be damaged while it is worked on. Raises VectorsGoneError then,
        and apsw.BusyError and apsw.FullError, which say nothing of the file."""
        try:
            yield
        except (apsw.BusyError, apsw.FullError):
            raise
        except (apsw.Error, ValueError) as error:
            is_gone = self.drop_file(file)
            raise VectorsGoneError(
                "{path} can't be used ({error}), and was dropped: the next build makes it again."
                if is_gone
                else "{path} can't be used ({error}), nor deleted.",
                path=file.path,
                error=error,
            ) from error

    def drop(self, *, keep: str = "") -> bool:
        """Delete all files, but for that of one fingerprint; whether they are gone."""
        is_gone = drop_vectors(self.database, keep=keep)
        self.files()
        return is_gone

    def _present(self) -> Iterator[tuple[Path, int]]:
        try:
            with os.scandir(self.path) as entries:
                results = [
                    (Path(entry.path), entry.inode())
                    for entry in entries
                    if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False)
                ]
        except OSError:
            return
        yield from sorted(results)


def trust_in(file: VectorFile) -> dict[str, float]:
    """Return the trust in a file's model by script, as far as it was measured."""
    results: dict[str, float] = json.loads(file.noted(TRUST) or "{}")
    return results


def follow(db: apsw.Connection, folder: VectorFolder) -> bool:
    """Take the vectors of what was hidden, reworded or deleted out of all files, and note there what is
    to be embedded; inside a transaction of the memory, before it commits.

    What is gone is noted as well: if the memory doesn't commit it is there yet, without its vectors. A
    damaged file is deleted; where even that is not possible all stays noted for the next time, and
    False is returned. Raises apsw.BusyError and apsw.FullError.
    """
    state = unembedded.state(db)
    rows: Any = db.execute(
        "SELECT u.kind, u.record_id FROM unembedded u LEFT JOIN documents d "
        "ON d.kind = u.kind AND d.record_id = u.record_id ORDER BY d.id"
    ).fetchall()
    changed: list[Record] = [*rows]
    if state is None or not changed:
        return True
    next_state = unembedded.new_state()
    is_done = folder.drop_damaged()
    for file in folder.files():
        try:
            with file.transaction():
                for begin in range(0, len(changed), AT_ONCE):
                    file.forget(changed[begin : begin + AT_ONCE])
                file.set_due(changed)
                if file.is_of(state):
                    file.bring_to(next_state, state)
        except (apsw.BusyError, apsw.FullError):
            raise
        except (apsw.Error, ValueError):
            is_done = folder.drop_file(file) and is_done
    if not is_done:
        return False
    unembedded.note_followed(db, next_state)
    return True
