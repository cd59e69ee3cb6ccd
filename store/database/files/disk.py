"""What a disk says when a memory can't be written or read there, as a sentence."""

from __future__ import annotations

from pathlib import Path

import apsw

from ...platform.errors import StoreError
from ...platform.translation import _

ROOM = 1_000_000
"""With fewer bytes free than that, an error of the disk means that it is full."""

UNWRITABLE = (
    apsw.BusyError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.CantOpenError,
    apsw.PermissionsError, apsw.ProtocolError,
)  # fmt: skip
"""Errors that say that a file can't be written now, and nothing of what it holds."""


def sentence(error: apsw.Error, path: str | Path) -> str | None:
    """Return what is wrong with the disk that a memory lies on, and what to do; None where an error
    says nothing of it."""
    if not isinstance(error, apsw.FullError | apsw.IOError | apsw.CantOpenError):
        return None
    free = _free(path)
    if isinstance(error, apsw.FullError) or (free is not None and free < ROOM):
        return _(
            "The disk of {path} is full{room}, or a limit for you or for the size of files is "
            "reached. Make room, then do it again.",
            path=path,
            room="" if free is None else _(" ({number} MB free)", number=f"{free / 1e6:,.0f}"),
        )
    if isinstance(error, apsw.IOError):
        return _(
            "The disk of {path} reports an error ({error}). See whether it is full, gone or "
            "failing, then do it again; `mem doctor` checks the store.",
            path=path,
            error=error,
        )
    return None


def is_unwritable(error: BaseException) -> bool:
    """Return whether a refusal of the store came of a file that can't be written now."""
    cause = error.__cause__ if isinstance(error, StoreError) else error
    return isinstance(cause, UNWRITABLE)


def _free(path: str | Path) -> int | None:
    # Not worth its import where nothing is wrong.
    from shutil import disk_usage

    try:
        return disk_usage(Path(path).parent).free
    except OSError:
        return None
