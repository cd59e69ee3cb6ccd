"""Exclusion: projects, directories and files of which nothing is stored, by glob."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Self

from ...tables.repositories import default_project

DIRECTORIES = ("cwd", "worktree", "workspace_roots", "transcript_path", "transcriptPath")
COMMANDS = ("command", "command_line", "commandLine", "cmd", "script")
WORDS = re.compile(r"(?:\$\{\w+\}|\[[^\s\[\]]{0,64}\]|[^\s'\"`;|&<>()=,@{}\[\]])+")
LINES_OF_FILES = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |diff --git a/|\+\+\+ [b]/|--- [a]/|==> |rename (?:from|to) )"
    r"(?P<named>[^\n]+?)(?: <==| b/[^\n]+)?$"
    r"|^(?P<listed>[^\s:][^:\n]{0,1000}?)(?::|-(?=\d+-))(?=[^\s/])",
    re.MULTILINE,
)
"""Lines that name the file which the next are of, or themselves: of patches, of searches."""
HOMES = re.compile(r"^(?:\$\{?HOME\}?|%USERPROFILE%|\$env:(?:USERPROFILE|HOME))(?=/|$)", re.IGNORECASE)
HERE = re.compile(r"^(?:\$\{?PWD\}?|\$\(pwd\)|%CD%)/", re.IGNORECASE)
QUOTES = str.maketrans("", "", "'\"")
ESCAPES = str.maketrans("", "", "\\'\"")
WILDCARDS = frozenset("*?[")
LONGEST_PATH = 4_096
MOVES = ("cd", "pushd", "-C", "chdir", "Set-Location", "sl", "--work-tree", "--git-dir")


class Exclusions:
    """The globs, one a line; `#` begins a comment.

    A glob with a slash is matched against whole paths (`~` is the home directory), and covers what
    lies below; who works in DIR works in `DIR/*`, too. One without is matched against each part of
    a path, and against the project's name. Letter case doesn't count: on many disks it is none.
    """

    def __init__(self, globs: list[str]) -> None:
        self.globs = [posixpath.expanduser(glob).rstrip("/").lower() or "/" for glob in globs]

    @classmethod
    def of(cls, lines: bytes) -> Self:
        """The globs of a file's content."""
        globs = (line.split("#")[0].strip() for line in lines.decode("utf-8", "replace").split("\n"))
        return cls([glob for glob in globs if glob])

    def cover(self, event: object, folder: str) -> bool:
        """Whether an event, as its agent reported it, happened in or touched something excluded.

        `folder` is where its hook ran, for an event that names no directory.
        """
        if not self.globs:
            return False
        named = list(_paths(event))
        base = next((path for is_directory, path in named if is_directory and path), folder)
        # What a command goes to is where its next words may lie.
        bases = [
            base,
            *(posixpath.join(base, _plain(path)) for is_directory, path in named if is_directory),
        ]
        paths = dict.fromkeys(
            form
            for _, path in (*named, (True, folder))
            if len(path) <= LONGEST_PATH
            for form in _forms(path)
        )
        for full in {posixpath.join(text, path) for text in bases[:16] for path in paths}:
            if self.cover_path(full) or self.cover_inside(full):
                return True
        project = default_project(base).lower()
        return any(fnmatchcase(project, glob) for glob in self.globs)

    def cover_path(self, path: str) -> bool:
        """Whether a path, or a directory above it, is excluded."""
        pure = PurePosixPath(posixpath.normpath(path).lower())
        above = [str(pure), *map(str, pure.parents)]
        for glob in self.globs:
            names = above if "/" in glob else pure.parts
            if any(fnmatchcase(name, glob) or _may_mean(name, glob) for name in names):
                return True
        return False

    def cover_inside(self, folder: str) -> bool:
        """Whether all that lies in a directory is excluded, as by `DIR/*` and `DIR/**`."""
        path = posixpath.normpath(folder).lower()
        above = [path, *map(str, PurePosixPath(path).parents)]
        inside = [
            glob.rstrip("*").rstrip("/")
            for glob in self.globs
            if glob.endswith(("/*", "/**")) and glob.strip("/*")
        ]
        return any(
            fnmatchcase(path, glob) or any(_may_mean(name, glob) for name in above) for glob in inside
        )


def _paths(event: object) -> Iterator[tuple[bool, str]]:
    """Each path that an event names, and whether it is a directory in which something happened."""
    waiting: list[tuple[str, object]] = [("", event)]
    while waiting:
        key, item = waiting.pop()
        if isinstance(item, dict):
            waiting += [(str(name), inner) for name, inner in item.items()]
        elif isinstance(item, list):
            waiting += [(key, inner) for inner in item]
        elif not isinstance(item, str):
            continue
        elif key in DIRECTORIES:
            yield True, item
        elif key in COMMANDS:
            yield from _words(item)
            yield from _listed(item)
        elif len(item) <= LONGEST_PATH and not any(map(str.isspace, item)):
            yield False, item
            yield from _listed(item)
        else:
            # A path may have blanks.
            if len(item) <= LONGEST_PATH and "/" in item and "\n" not in item:
                yield False, item
            yield from _listed(item)


def _words(command: str) -> Iterator[tuple[bool, str]]:
    """The words of a command that may be paths; those that it goes to are directories."""
    before = ""
    # A shell takes quotes out, also within a word.
    bare = command.replace("\\\n", "")
    for word in (*WORDS.findall(bare), *WORDS.findall(bare.translate(QUOTES))):
        if not word.isalpha() or before in MOVES:
            yield before in MOVES, word
        before = word


def _listed(text: str) -> Iterator[tuple[bool, str]]:
    for match in LINES_OF_FILES.finditer(text):
        yield False, (match["named"] or match["listed"]).strip()


def _forms(path: str) -> Iterator[str]:
    """The paths that a word may mean: as it is, behind a revision or a scheme, without what a shell takes
    out."""
    rest = path.partition("://")[2] or path
    words = {path, rest, rest[2:] if rest[:2] in ("-C", "-f", "-d") else rest, rest.rpartition(":")[2]}
    if 0 < rest.find(":") < len(rest) - 1:
        words.update(rest.partition(":")[::2])
    for word in words:
        yield _plain(word)
        if "\\" in word:
            yield _plain(word.translate(ESCAPES))


def _plain(word: str) -> str:
    word = HERE.sub("", word.replace("\\", "/"))
    return posixpath.expanduser(HOMES.sub("~", word))


def _may_mean(name: str, glob: str) -> bool:
    """Whether a word with wildcards may mean what is excluded by its name."""
    if WILDCARDS.isdisjoint(name) or not WILDCARDS.isdisjoint(glob) or not name.strip("*?/"):
        return False
    # As in a shell, no wildcard stands for a file's first dot.
    return (name[0] == ".") == (glob[0] == ".") and fnmatchcase(glob, name)
