"""The folders of the projects that a memory knows, as far as they are on this machine."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ..tables.files.changed_files import known_roots, session_places
from .discovery import project_of

if TYPE_CHECKING:
    import apsw

MOST = 200
"""Projects that are looked at."""


def project_folders(db: apsw.Connection) -> list[Path]:
    """Return the root of each project where sessions were at work, resolved, those that are there."""
    folders: dict[Path, None] = {}
    for place in chain(known_roots(db), session_places(db)):
        if not isinstance(place.path, str) or not place.path.startswith("/"):
            continue
        try:
            folder = Path(place.path)
            if folder.is_dir():
                folders[project_of(folder)] = None
        except (OSError, ValueError):
            continue
        if len(folders) >= MOST:
            break
    return list(folders)
