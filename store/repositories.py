"""Repositories: which one a directory belongs to, its root, and its remote; read from its files.

Apart from `store.projects`, for a hook's process asks it too, without SQLite.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

REMOTE_SECTION = re.compile(r'\s*\[remote "(?P<name>[^"]*)"\]')
URL = re.compile(r"\s*url\s*=\s*(?P<url>\S+)")
ADDRESS = re.compile(
    r"(?:[a-z0-9+.-]+://)?(?:[^@/\s]*@)?(?P<host>[^:/\s]+)(?::\d+(?=/))?[:/]+(?P<path>\S+?)(?:\.git)?/*$",
    re.IGNORECASE,
)


class Place(NamedTuple):
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
def place_of(folder: str) -> Place:
    """The place of a directory, which may be gone or of another machine: then it is its own root."""
    start = Path(folder)
    for directory in (start, *start.parents):
        git = directory / ".git"
        try:
            if git.is_dir():
                return Place(str(directory), str(directory), remote_of(git))
            if git.is_file():
                own = repository_of(git)
                shared = shared_by(own)
                if shared is None:
                    return Place(str(directory), str(directory), remote_of(own))
                root = shared.parent if shared.name == ".git" else shared
                return Place(str(directory), str(root), remote_of(shared))
        except (OSError, ValueError):
            continue
    return Place(str(start), str(start), None)


def name_of_place(folder: str) -> str:
    """What the project of a directory is called when nothing is known of it yet."""
    return place_of(folder).name


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
    return normalised(address) if address else None


def normalised(url: str) -> str | None:
    """A remote's address without scheme, user, port and `.git`; None for one that is a local path."""
    if url.startswith((".", "/", "~", "file:")):
        return None
    address = ADDRESS.match(url)
    return f"{address['host'].lower()}/{address['path'].strip('/')}" if address else None
