"""What a command finds around it: the user's own memory, and the project it runs in.

Only `os` is imported, for the lean `mem add` asks the same questions.
"""

# Paths are strings here: pathlib costs more than all of this.
# ruff: noqa: PTH109, PTH110, PTH117, PTH118, PTH120

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..store import Store


def current_folder() -> str | None:
    """The directory of the repository that the current directory is in, else that directory; None
    where it is gone."""
    try:
        here = os.getcwd()
    except FileNotFoundError:
        return None
    folder = here
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return here
        folder = parent
    return folder


def current_project(store: Store) -> str:
    """The project of the current directory, from now on known by its place; "" where there is none."""
    return store.known_projects.of(current_folder())[0]


def usual_database() -> str | None:
    """The path that `store.database.default_path` gives, where that is told without platformdirs."""
    if named := os.environ.get("MEMTUI_DB"):
        return named
    usual = {"linux": ".local/share", "darwin": "Library/Application Support"}.get(sys.platform)
    base = os.environ.get("XDG_DATA_HOME", "")
    home = os.environ.get("HOME", "")
    if usual is None or not (os.path.isabs(base) or os.path.isabs(home)):
        return None
    folder = base if os.path.isabs(base) else os.path.join(home, usual)
    return os.path.join(folder, "memtui", "memory.db")


def project_for(store: Store, session: str | int | None, given: str | None) -> str | None:
    """The project to store under: the one given, None for that of a known session, else the
    current one."""
    if given is not None:
        return given
    if session is None:
        return current_project(store)
    if isinstance(session, int) or (session[:1] == "@" and session[1:].isdecimal()):
        return None
    return None if store.sessions.find(session) else current_project(store)
