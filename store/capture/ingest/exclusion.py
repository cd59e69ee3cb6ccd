"""What the user does not want remembered at all: projects, directories and files, by glob."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Self

from ...tables.repositories import default_project

PLACES = ("cwd", "worktree", "workspace_roots", "transcript_path", "transcriptPath")
FILES = (
    "file_path", "filePath", "filepath", "path", "paths", "notebook_path", "absolute_path",
    "dir_path", "directory", "relative_workspace_path", "target_file", "files",
)  # fmt: skip
COMMANDS = ("command", "command_line", "cmd")
WORDS = re.compile(r"[^\s'\"`;|&<>()=]+")
PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


class Exclusions:
    """The globs, one a line; `#` begins a comment.

    A glob with a slash is matched against whole paths (`~` is the home directory), and covers what
    lies below; who works in DIR works in `DIR/*`, too. One without is matched against each part of
    a path, and against the project's name.
    """

    def __init__(self, globs: list[str]) -> None:
        self.globs = [posixpath.expanduser(glob).rstrip("/") or "/" for glob in globs]

    @classmethod
    def of(cls, lines: bytes) -> Self:
        """Those of a file's contents."""
        found = (
            line.split("#")[0].strip() for line in lines.decode("utf-8", "replace").split("\n")
        )
        return cls([line for line in found if line])

    def cover(self, event: object, folder: str) -> bool:
        """Whether an event, as its agent told it, happened in or touched something excluded."""
        if not self.globs:
            return False
        found = list(_paths(event))
        base = next((path for is_place, path in found if is_place and path), folder)
        for is_place, path in (*found, (True, folder)):
            place = posixpath.join(base, path)
            if self.cover_path(place) or (is_place and self.cover_inside(place)):
                return True
        return self.cover_project(base)

    def cover_path(self, path: str) -> bool:
        """Whether a path, or a directory above it, is excluded."""
        place = PurePosixPath(posixpath.normpath(path))
        above = [str(place), *map(str, place.parents)]
        for glob in self.globs:
            names = above if "/" in glob else place.parts
            if any(fnmatchcase(name, glob) for name in names):
                return True
        return False

    def cover_inside(self, folder: str) -> bool:
        """Whether all that lies in a directory is excluded, as by `DIR/*` and `DIR/**`."""
        place = posixpath.normpath(folder)
        return any(
            fnmatchcase(place, glob.rstrip("*").rstrip("/"))
            for glob in self.globs
            if glob.endswith(("/*", "/**")) and glob.strip("/*")
        )

    def cover_project(self, folder: str) -> bool:
        """Whether the project of a directory is excluded by its name."""
        name = default_project(folder)
        return any(fnmatchcase(name, glob) for glob in self.globs)


def _paths(event: object) -> Iterator[tuple[bool, str]]:
    """Each path that an event names, and whether it is where the event happened."""
    waiting: list[tuple[str, object]] = [("", event)]
    while waiting:
        key, item = waiting.pop()
        if isinstance(item, dict):
            waiting += [(str(name), inner) for name, inner in item.items()]
        elif isinstance(item, list):
            waiting += [(key, inner) for inner in item]
        elif isinstance(item, str):
            if key in PLACES or key in FILES:
                yield key in PLACES, item
            elif key in COMMANDS:
                yield from (
                    (False, word) for word in WORDS.findall(item) if "/" in word or "." in word
                )
                yield from ((False, path) for path in PATCHED.findall(item))
