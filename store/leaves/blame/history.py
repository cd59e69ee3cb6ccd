"""What git tells of lines: which commit brought each, and which sessions a commit names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher

from ...links.git import GitError, Limit, printed
from ...platform.clock import now_ms
from ...records.dataclasses import dataclass
from .checkpoints import REFS, session_of

LOG = "--format=tformat:%H%x00%ct%x00%an%x00%s%x00%(trailers:only,unfold)%x00"
SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NAMES_SESSION = re.compile(r"(?i)^[\w-]*(session|checkpoint)(?:-id)?: *(\S+)$", re.MULTILINE)
"""A trailer that names a session, or the checkpoint under which one was kept."""
CHECKPOINT = re.compile("[0-9a-f]{8,40}")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit; `at` is when it was made, ms since the epoch, `named` what its trailers name."""

    id: str
    at: int
    author: str
    subject: str
    named: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class BlamedLine:
    """A line of a file, with the commit that brought it, None while none has it; `was` is what the file was
    called there."""

    path: str
    number: int
    text: str
    was: str = ""
    commit: Commit | None = None

    @property
    def until(self) -> int:
        """When it was there at the latest, ms since the epoch."""
        return self.commit.at if self.commit else now_ms()


def lines_of(root: str, path: str, now: Sequence[str], limit: Limit) -> list[BlamedLine]:
    """Return the lines that a file has now, where no commit may have it yet."""
    try:
        known = lines_at(root, path, "HEAD", limit)
    except GitError:
        known = []
    results = [BlamedLine(path, number, text) for number, text in enumerate(now, 1)]
    same = SequenceMatcher(None, [line.text for line in known], now, autojunk=False)
    for there, here, length in same.get_matching_blocks():
        for at in range(length):
            line = known[there + at]
            results[here + at] = BlamedLine(path, here + at + 1, line.text, line.was, line.commit)
    return results


def lines_at(root: str, path: str, revision: str, limit: Limit) -> list[BlamedLine]:
    """Return the lines that a file has at a revision. GitError."""
    arguments = ["blame", "--no-textconv", "--line-porcelain", "-w", revision, "--", path]
    blamed = [*_blamed(printed(root, arguments, limit))]
    commits = commits_of(root, {commit for commit, _, _ in blamed}, limit)
    return [
        BlamedLine(path, number, text, was, commits.get(commit))
        for number, (commit, was, text) in enumerate(blamed, 1)
    ]


def _blamed(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the commit of each line, the file's name there, and the line."""
    commit = was = ""
    for line in text.split("\n"):
        if line[:1] == "\t":
            yield commit, was, line[1:].removesuffix("\r")
            commit = ""
        elif not commit:
            commit = line.partition(" ")[0]
        elif line.startswith("filename "):
            was = line.removeprefix("filename ")


def commits_of(root: str, ids: Iterable[str], limit: Limit) -> dict[str, Commit]:
    """Return commits by their ids. GitError."""
    if not (wanted := sorted(ids)):
        return {}
    fields = iter(printed(root, ["log", "--no-walk=unsorted", LOG, *wanted, "--"], limit).split("\0"))
    return {
        id.strip(): Commit(
            id.strip(), int(at) * 1_000, author, subject, tuple(NAMES_SESSION.findall(named))
        )
        for id, at, author, subject, named in zip(*[fields] * 5, strict=False)
    }


def sessions_named(root: str, commit: Commit, limit: Limit) -> list[str]:
    """Return the agents' own ids of the sessions that a commit's trailers name, by a checkpoint too."""
    names: list[str] = []
    for kind, value in commit.named:
        if kind.lower() == "session":
            names.append(value.rpartition("/")[2])
        elif CHECKPOINT.fullmatch(value):
            names += _kept(root, f"{value[:2]}/{value[2:]}/", limit)
    ids = ((SESSION_ID.search(name), name) for name in names)
    return [*dict.fromkeys(id[0] if id else name for id, name in ids)]


def _kept(root: str, folder: str, limit: Limit) -> Iterator[str]:
    """Yield the sessions of a checkpoint."""
    for ref in REFS:
        with suppress(GitError):
            listed = printed(root, ["ls-tree", "-r", "-z", "--name-only", ref, folder], limit)
            paths = [path for path in listed.split("\0") if path.endswith("/metadata.json")]
            yield from filter(
                None, (session_of(root, ref, path.rpartition("/")[0], limit) for path in paths)
            )
            return
