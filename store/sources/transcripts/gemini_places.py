"""Where a chat of Gemini's took place: its folder is named by the project, or by a hash of its path."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from .fields import mapping
from .parts import text

ABSOLUTE = re.compile(r"/[^\s\"'\\<>:*?|`,;()\[\]{}]+")


def working_directory(path: Path, project_hash: str = "", content: str = "") -> str | None:
    """The directory in which the chat at `path` was held; None where nothing tells it.

    `project_hash` is SHA-256 of that directory. Where the program kept no list of projects, the
    absolute paths in the chat's `content` are tried.
    """
    folder = next((parent.parent for parent in path.parents if parent.name == "chats"), None)
    if folder:
        with suppress(OSError, UnicodeDecodeError):
            if root := (folder / ".project_root").read_text(encoding="utf-8").strip():
                return root
    projects = known_projects(folder.parent.parent) if folder else {}
    for directory, name in projects.items():
        if folder and (text(name) == folder.name or hashed(directory) == folder.name):
            return directory
    if not project_hash:
        return None
    known = (*projects, *ancestors(content))
    return next((directory for directory in known if hashed(directory) == project_hash), None)


def known_projects(home: Path) -> dict[str, object]:
    """The projects that the program has listed: directories, and the names it gave them."""
    with suppress(OSError, ValueError, RecursionError):
        listed = json.loads((home / "projects.json").read_text(encoding="utf-8"))
        return mapping(mapping(listed).get("projects"))
    return {}


def ancestors(content: str) -> Iterator[str]:
    """Every directory, once, above the absolute paths in a text."""
    found: set[str] = set()
    for path in set(ABSOLUTE.findall(content)):
        for parent in PurePosixPath(path).parents:
            if str(parent) not in found:
                found.add(str(parent))
                yield str(parent)


def hashed(directory: str) -> str:
    """The name that the program gives to a project's directory."""
    return sha256(directory.encode(errors="replace")).hexdigest()
