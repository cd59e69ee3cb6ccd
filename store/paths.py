"""Where things are: the user's memory file, and the repository that a directory belongs to, read
from its files.

Imported by a hook's process too, so without SQLite.
"""

# Paths are strings where a lean process asks: pathlib costs more than all of this.
# ruff: noqa: PTH109, PTH110, PTH117, PTH118, PTH120

from __future__ import annotations

import os
import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

REMOTE_SECTION = re.compile(r'\s*\[remote "(?P<name>[^"]*)"\]')
URL = re.compile(r"\s*url\s*=\s*(?P<url>\S+)")
ADDRESS = re.compile(
    r"(?:[a-z0-9+.-]+://)?(?:[^@/\s]*@)?(?P<host>[^:/\s]+)(?::\d+(?=/))?[:/]+(?P<path>\S+?)(?:\.git)?/*$",
    re.IGNORECASE,
)


class Location(NamedTuple):
    """Where something happened: the working copy's folder, its repository's root and remote.

    Of a worktree the root is its repository's; outside of repositories it is the directory itself.
    """

    folder: str
    root: str
    remote: str | None

    @property
    def name(self) -> str:
        """What the project is called unless that name is taken: the remote's name, else the root's."""
        return (self.remote or self.root).rstrip("/").rpartition("/")[2].removesuffix(".git")


@lru_cache(maxsize=512)
def locate(folder: str) -> Location:
    """The place of a directory, which may be gone or of another machine: then it is its own root."""
    start = Path(folder)
    for directory in (start, *start.parents):
        git = directory / ".git"
        try:
            if git.is_dir():
                return Location(str(directory), str(directory), remote_of(git))
            if git.is_file():
                own = repository_of(git)
                shared = shared_by(own)
                if shared is None:
                    return Location(str(directory), str(directory), remote_of(own))
                root = shared.parent if shared.name == ".git" else shared
                return Location(str(directory), str(root), remote_of(shared))
        except (OSError, ValueError):
            continue
    return Location(str(start), str(start), None)


def default_project(folder: str) -> str:
    """What the project of a directory is called when nothing is known of it yet."""
    return locate(folder).name


def repository_of(git: Path) -> Path:
    """The repository that the `.git` file of a worktree or submodule leads to."""
    target = git.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
    return (git.parent / target).resolve()


def shared_by(repository: Path) -> Path | None:
    """The repository whose worktree this is; None for one of its own, such as a submodule's."""
    shared = repository / "commondir"
    if not shared.is_file():
        return None
    return (repository / shared.read_text("utf-8", "replace").strip()).resolve()


def remote_of(repository: Path) -> str | None:
    """The repository's remote as host/owner/name: `origin`, else the first; None without any."""
    try:
        lines = (repository / "config").read_text("utf-8", "replace").split("\n")
    except OSError:
        return None
    found: dict[str, str] = {}
    section = None
    for line in lines:
        if line.lstrip().startswith("["):
            header = REMOTE_SECTION.match(line)
            section = header["name"] if header else None
        elif section is not None and (url := URL.match(line)):
            found.setdefault(section, url["url"])
    address = found.get("origin") or next(iter(found.values()), None)
    return normalize_remote(address) if address else None


def normalize_remote(url: str) -> str | None:
    """A remote's address without scheme, user, port and `.git`; None for one that is a local path."""
    if url.startswith((".", "/", "~", "file:")):
        return None
    address = ADDRESS.match(url)
    return f"{address['host'].lower()}/{address['path'].strip('/')}" if address else None


def default_path() -> Path:
    """Where the user's own memory lives: `MEMTUI_DB`, else the platform's data directory."""
    if named := os.environ.get("MEMTUI_DB"):
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("memtui", appauthor=False) / "memory.db"


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
