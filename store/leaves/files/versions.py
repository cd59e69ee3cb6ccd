"""Former versions of agents' files: each that was seen or written here, while it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...platform.errors import NotFoundError
from ...platform.translation import _

if TYPE_CHECKING:
    from pathlib import Path

    from ...store import Store
    from .writing import ShownFile


def version_before(store: Store, shown: ShownFile, number: int | None = None) -> bytes:
    """Return a version of a file by its number, else the newest that isn't what it is now. Raises
    NotFoundError."""
    for place, version in store.agent_files.numbered_versions(shown.path):
        if place == number or (number is None and version.sha256 != shown.state.sha256):
            return store.agent_files.content(version)
    raise NotFoundError(
        "Of {path} there is not an earlier version. `mem history {path}` lists those that are kept."
        if number is None
        else "There is no version {number} of {path}. `mem history {path}` lists those that are kept.",
        path=shown.path,
        number=number,
    )


def restore(store: Store, path: Path, number: int) -> bool:
    """Give a file the bytes of one of its versions, as a new change; return whether it had others. Raises
    NotFoundError, and what `FileWriter` raises."""
    # What only lists versions does without all that writes a file.
    from .writing import FileWriter, show

    shown = show(path)
    content = version_before(store, shown, number)
    what = _("{path} taken back to version {number}", path=shown.path, number=number)
    return FileWriter(store).put(shown, content, what) != shown.content
