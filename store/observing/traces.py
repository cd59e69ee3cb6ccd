"""What a worker was busy with when it died: only that is held against a message.

A worker notes in a file of its own which message it is making something of. The note needs no disk
to be waited for: it survives the process, and a machine that stops is no message's fault.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..capture.settings import folder
from ..pending import clocks
from ..pending_sql import EXPIRED
from ..store import Store

PREFIX = "working-"
WIDTH = 20

FORGIVE = f"""
UPDATE pending_messages SET status = 'pending', attempts = max(0, attempts - 1), not_before = NULL,
    lease_owner = NULL, lease_until = NULL
WHERE id = :id AND lease_owner = :owner AND {EXPIRED}
"""


class Trace:
    """One worker's note; the file is made when there is something to note."""

    def __init__(self, database: Path, owner: str) -> None:
        self._path = folder(database) / f"{PREFIX}{owner}"
        self._file: int | None = None

    @contextmanager
    def of(self, number: int) -> Iterator[None]:
        """Note a message while the block makes something of it."""
        self._write(str(number))
        try:
            yield
        finally:
            self._write("")

    def open(self) -> None:
        """Have the note there, empty."""
        if self._file is None:
            flags = os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW
            self._file = os.open(self._path, flags, 0o600)
            self._write("")

    def close(self) -> None:
        """Take the note away: this worker did not die."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            self._path.unlink(missing_ok=True)

    def _write(self, text: str) -> None:
        if self._file is not None:
            os.pwrite(self._file, text.ljust(WIDTH).encode(), 0)


def forgive(store: Store) -> None:
    """Free what dead workers had leased but weren't busy with, as if they had never tried."""
    rows: list[Any] = store.db.execute(
        f"SELECT id, lease_owner FROM pending_messages WHERE {EXPIRED}", clocks()
    ).fetchall()
    if not rows:
        return
    room = folder(store.path)
    noted = {owner: _noted(room / f"{PREFIX}{owner}") for _, owner in rows}
    with store.unit():
        for number, owner in rows:
            if noted[owner] not in (None, str(number)):
                store.db.execute(FORGIVE, clocks() | {"id": number, "owner": owner})


def sweep(store: Store) -> None:
    """Take away the notes of workers that hold nothing any more."""
    sql = "SELECT DISTINCT lease_owner FROM pending_messages WHERE status = 'processing'"
    rows: list[Any] = store.db.execute(sql).fetchall()
    holding = {f"{PREFIX}{owner}" for (owner,) in rows}
    for path in folder(store.path).glob(f"{PREFIX}*"):
        if path.name not in holding and not _is_alive(path.name):
            path.unlink(missing_ok=True)


def _noted(path: Path) -> str | None:
    """What a worker was busy with, `` for nothing; None where it has left no note."""
    with suppress(OSError):
        return path.read_text("ascii").strip()
    return None


def _is_alive(name: str) -> bool:
    number = name.removeprefix(PREFIX).partition("-")[0]
    if not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
