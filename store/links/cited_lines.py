"""Whether the lines that memories cite (`path:42`) still stand, by the diffs of git's log."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import NamedTuple

from ..tables.changed_files import OWN_MS, Citing
from .files import citations
from .git import BEGIN, Limit, commit_times, patches

SHARE = 10
"""Lines of a longer passage are gone where more than one in so many is."""
LONGEST = 500
"""Lines of a passage that are looked at."""
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class CitedPassage(NamedTuple):
    """Lines of a file that a memory cites, from 1, both ends included; `path` counts from the repository's
    root. `edited_at` is when the memory's session had changed the file last (ms), 0 for never."""

    memory: Citing
    path: str
    first: int
    last: int
    edited_at: int

    def __str__(self) -> str:
        return f"{self.path}:{self.first}" + (f"-{self.last}" if self.last > self.first else "")


class Hunk(NamedTuple):
    """The lines that a commit took out of a file from line `start` on, without blanks, and how many it put
    there; where it took none, it put them behind that line."""

    start: int
    removed: list[str]
    added: int


class FileChange(NamedTuple):
    """A commit on a file. Times in ms since the epoch, UTC: of the commit, and of its author."""

    committed_at: int
    authored_at: int
    hunks: list[Hunk]


def cited_lines(
    memories: Iterable[Citing], paths: Iterable[str], relative: Callable[[str], str]
) -> dict[str, list[CitedPassage]]:
    """Return the lines that memories cite of some files, by file. A name that several files end with means
    the one of them that the memory's session changed. `relative` takes the root off a name."""
    named: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        named[posixpath.basename(path)].append(path)
    results: defaultdict[str, list[CitedPassage]] = defaultdict(list)
    for memory in memories:
        edited = {relative(name): at for name, at in memory.edited.items()}
        for name, first, last in citations(memory.text):
            plain = posixpath.normpath(relative(name))
            ending = [path for path in named[posixpath.basename(plain)] if f"/{path}".endswith(f"/{plain}")]
            chosen = [plain] if plain in ending else ending
            chosen = chosen if len(chosen) == 1 else [path for path in ending if path in edited]
            last = min(max(first, last), first + LONGEST)
            for path in chosen if len(chosen) == 1 else ():
                results[path].append(CitedPassage(memory, path, first, last, edited.get(path, 0)))
    return results


def changes(
    root: str, commit: str, since: int, paths: Collection[str], limit: Limit
) -> dict[str, list[FileChange]]:
    """Return the commits after a moment (ms) on each of some files, the oldest first. GitError."""
    results: defaultdict[str, list[FileChange]] = defaultdict(list)
    with patches(root, commit, since // 1_000, paths, limit) as tokens:
        lines = (line for token in tokens for line in token.split("\n"))
        texts = (line for line in lines if not line.startswith("\\"))
        moments, hunks = (0, 0), list[Hunk]()
        for line in lines:
            if line.startswith(BEGIN):
                moments = commit_times(line)
            elif line.startswith("--- "):
                # A file that is new has nothing that could go.
                hunks = []
                results[line[len("--- a/") :].rstrip("\t")].append(FileChange(*moments, hunks))
            elif match := _HUNK.match(line):
                removed = ["".join(text[1:].split()) for text in islice(texts, int(match[2] or 1))]
                added = sum(1 for _ in islice(texts, int(match[3] or 1)))
                hunks.append(Hunk(int(match[1]), removed, added))
    return results


def gone_at(citation: CitedPassage, commits: Iterable[FileChange], lines: Collection[str]) -> int:
    """Return when a commit took what stood at the cited lines (ms), 0 while it stands there or elsewhere
    among the file's `lines` (without blanks)."""
    memory, _, first, last, edited_at = citation
    places = [*range(first, last + 1)]
    most, gone, previous_at = len(places) // SHARE, 0, 0
    for committed_at, authored_at, hunks in commits:
        # What the session changed and cited is what the next commit holds.
        is_own = previous_at < edited_at and authored_at <= memory.created_at + OWN_MS
        previous_at = committed_at
        if committed_at <= memory.created_at or is_own:
            continue
        known, places = places, []
        for place in known:
            moved = 0
            for start, removed, added in hunks:
                if start <= place < start + len(removed):
                    if committed_at > memory.confirmed_at:
                        gone += removed[place - start] not in lines
                    elif added:
                        places.append(moved + min(place, start + added - 1))
                    break
                if start < place:
                    moved += added - len(removed)
            else:
                places.append(place + moved)
        if gone > most:
            return committed_at
    return 0
