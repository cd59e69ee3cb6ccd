"""Where a project lies on this machine, by what its sessions and the project's places tell."""

from __future__ import annotations

import os
from pathlib import Path

from ..records import Session
from ..store import Store
from ..tables.files.changed_files import known_roots, session_places
from ..tables.projects.repositories import locate

MOST = 20
"""Folders of one project in which a file is looked for."""


def project_folders(store: Store, session: Session | None, project: str) -> list[Path]:
    """Return the folders in which files of a project lie, those that are there: where the session was
    at work, its working copy and repository, then where else the project was seen."""
    results = _around(session.project_path) if session is not None else {}
    if project:
        for place in known_roots(store.db):
            if place.project == project:
                results |= _around(place.path)
        if not results:
            for place in session_places(store.db):
                if place.project == project:
                    results |= _around(place.path)
    return list(results)[:MOST]


def _around(path: str | None) -> dict[Path, None]:
    if not path or not path.startswith("/"):
        return {}
    try:
        place = locate(path)
        folders = dict.fromkeys((path, place.folder, place.root))
        return {Path(folder): None for folder in folders if os.path.isdir(folder)}  # noqa: PTH112
    except (OSError, ValueError):
        return {}
