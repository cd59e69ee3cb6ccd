"""Which commits changed the files that memories name, read from git's log; renames are followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..translation import _
from .command import GitError

MOST_COMMITS = 20_000
"""So many of the newest commits are read."""
MOST_OF_A_FILE = 100
"""So many of the newest commits are kept of each file."""
BEGIN = "\x01"
LATEST = 1 << 50
"""The last time (ms) that is believed: a commit may claim any."""


class FileCommit(NamedTuple):
    """A commit that changed a file. Times in ms since the epoch, UTC: of the commit, of its author, and of
    the commit before it that changed the file (0 for none). `status` is git's letter: M, D, R …"""

    committed_at: int
    authored_at: int
    previous_at: int
    status: str


def file_commits(tokens: Iterable[str], files: Mapping[str, Iterable[int]]) -> dict[int, list[FileCommit]]:
    """Return the commits of each file, the oldest first, by the numbers that `files` gives to names.

    `tokens` are those of `memtui.store.git.command.log`. A file that was renamed goes on under its new
    name.
    """
    numbers = {name: set(some) for name, some in files.items()}
    results: dict[int, dict[int, tuple[int, int, str]]] = {}
    for place, (committed, authored), status, old, new in _changes(tokens):
        for number in numbers.get(old, set()) | numbers.get(new, set()):
            # A commit that names a file twice, as what it was and as what it is, is one.
            results.setdefault(number, {}).setdefault(place, (committed, authored, status))
        if status == "R" and old in numbers:
            numbers.setdefault(new, set()).update(numbers[old])
    return {number: _in_order(commits.values()) for number, commits in results.items()}


def _in_order(commits: Iterable[tuple[int, int, str]]) -> list[FileCommit]:
    made: list[FileCommit] = []
    previous = 0
    for committed, authored, status in sorted(commits, key=lambda commit: commit[0]):
        made.append(FileCommit(committed, authored, previous, status))
        previous = committed
    return made[-MOST_OF_A_FILE:]


def _changes(tokens: Iterable[str]) -> Iterator[tuple[int, tuple[int, int], str, str, str]]:
    """Yield for each file of each commit the commit's place, its times, the status, the name, and the new
    name of one that has it."""
    rest = iter(tokens)
    place, times = 0, (0, 0)
    for token in rest:
        if token.startswith(BEGIN):
            place, times = place + 1, _times(token)
        elif status := token.lstrip("\n")[:1]:
            old = next(rest, "")
            yield place, times, status, old, next(rest, "") if status in "RC" else ""


def _times(token: str) -> tuple[int, int]:
    """Return the times of a commit and its author, in ms."""
    try:
        committed, authored = map(int, token[len(BEGIN) :].split())
    except ValueError as error:
        raise GitError(_("What git printed is not a log.")) from error
    return min(max(committed * 1_000, 0), LATEST), min(max(authored * 1_000, 0), LATEST)
