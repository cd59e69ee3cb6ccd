"""Exclusion: projects, directories and files of which nothing is stored, by glob."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Self

from ...tables.projects.repositories import default_project

DIRECTORIES = ("cwd", "worktree", "workspace_roots", "transcript_path", "transcriptPath")
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
        """The globs of a file's content."""
        globs = (
            line.split("#")[0].strip() for line in lines.decode("utf-8", "replace").split("\n")
        )
        return cls([glob for glob in globs if glob])

    def cover(self, event: object, folder: str) -> bool:
        """Whether an event, as its agent reported it, happened in or touched something excluded.

        `folder` is where its hook ran, for an event that names no directory.
        """
        if not self.globs:
            return False
        named = list(_paths(event))
        base = next((path for is_directory, path in named if is_directory and path), folder)
        for is_directory, path in (*named, (True, folder)):
            full = posixpath.join(base, path)
            if self.cover_path(full) or (is_directory and self.cover_inside(full)):
                return True
        return self.cover_project(base)

    def cover_path(self, path: str) -> bool:
        """Whether a path, or a directory above it, is excluded."""
        pure = PurePosixPath(posixpath.normpath(path))
        above = [str(pure), *map(str, pure.parents)]
        for glob in self.globs:
            names = above if "/" in glob else pure.parts
            if any(fnmatchcase(name, glob) for name in names):
                return True
        return False

    def cover_inside(self, folder: str) -> bool:
        """Whether all that lies in a directory is excluded, as by `DIR/*` and `DIR/**`."""
        path = posixpath.normpath(folder)
        return any(
            fnmatchcase(path, glob.rstrip("*").rstrip("/"))
            for glob in self.globs
            if glob.endswith(("/*", "/**")) and glob.strip("/*")
        )

    def cover_project(self, folder: str) -> bool:
        """Whether the project of a directory is excluded by its name."""
        name = default_project(folder)
        return any(fnmatchcase(name, glob) for glob in self.globs)


def _paths(event: object) -> Iterator[tuple[bool, str]]:
    """Each path that an event names, and whether it is the directory in which the event happened."""
    waiting: list[tuple[str, object]] = [("", event)]
    while waiting:
        key, item = waiting.pop()
        if isinstance(item, dict):
            waiting += [(str(name), inner) for name, inner in item.items()]
        elif isinstance(item, list):
            waiting += [(key, inner) for inner in item]
        elif isinstance(item, str):
            if key in DIRECTORIES or key in FILES:
                yield key in DIRECTORIES, item
            elif key in COMMANDS:
                yield from (
                    (False, word) for word in WORDS.findall(item) if "/" in word or "." in word
                )
                yield from ((False, path) for path in PATCHED.findall(item))
