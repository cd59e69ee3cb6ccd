"""What git tells of lines: which commit each is from, and which sessions a commit names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from ...links.git import GitError, Limit, printed
from ...platform.clock import now_ms
from ...platform.errors import InvalidRecordError, NotFoundError
from ...platform.regular_file import read_regular
from ...records.dataclasses import dataclass

LARGEST = 16 << 20
"""Bytes of a file whose lines are looked at."""
LOG = "--format=tformat:%H%x00%ct%x00%an%x00%s%x00%(trailers:only,unfold)%x00"
SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NAMES_SESSION = re.compile(r"(?i)^([\w-]*(?:session|checkpoint)(?:-id)?): *(\S+)$", re.MULTILINE)
"""A trailer that names a session, or what one was kept under."""
CHECKPOINTS = ("refs/heads/entire/checkpoints/v1", "refs/remotes/origin/entire/checkpoints/v1")
"""Branches on which a program keeps the transcripts of sessions, by the checkpoint that a commit names."""
ADDED_TO = re.compile(r"^@@ -\S+ \+(\d+)")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: when it was made (ms since the epoch), by whom, its subject, and its trailers that name a
    session, each with its value."""

    id: str
    at: int
    author: str
    subject: str
    trailers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file, by its number, with the commit that brought it, None while none has it; `path` is
    what the file was called there."""

    number: int
    text: str
    path: str
    commit: Commit | None

    @property
    def until(self) -> int:
        """When it was there at the latest, ms since the epoch."""
        return self.commit.at if self.commit else now_ms()


def lines_of(root: str, path: Path, limit: Limit) -> list[Line]:
    """Return the lines of a file of a repository. Raises OSError, InvalidRecordError and GitError."""
    content = read_regular(path, LARGEST)
    if b"\0" in content:
        raise InvalidRecordError(
            "{path} is binary: it has no lines that a session could have written.", path=path
        )
    now = content.decode("utf-8", "replace").splitlines()
    name = path.relative_to(root).as_posix()
    try:
        known = list(_blamed(root, name, limit))
    except GitError:
        # No commit has the file, or there is no commit.
        known = []
    commits = commits_of(root, {commit for commit, _, _ in known}, limit)
    results = [Line(number, text, name, None) for number, text in enumerate(now, 1)]
    same = SequenceMatcher(None, [text for _, _, text in known], now, autojunk=False)
    for there, here, length in same.get_matching_blocks():
        for place in range(length):
            commit, was, _ = known[there + place]
            line = results[here + place]
            results[here + place] = Line(line.number, line.text, was, commits.get(commit))
    return results


def _blamed(root: str, name: str, limit: Limit) -> Iterator[tuple[str, str, str]]:
    """Yield the commit of each line, the file's name there, and the line."""
    arguments = ["blame", "--no-textconv", "--line-porcelain", "-w", "HEAD", "--", name]
    commit = was = ""
    for line in printed(root, arguments, limit).split("\n"):
        if line[:1] == "\t":
            yield commit, was, line[1:].removesuffix("\r")
            commit = ""
        elif not commit:
            commit = line.partition(" ")[0]
        elif line.startswith("filename "):
            was = line.removeprefix("filename ")


def commits_of(root: str, ids: Iterable[str], limit: Limit) -> dict[str, Commit]:
    """Return commits by their ids. GitError."""
    wanted = sorted(ids)
    if not wanted:
        return {}
    fields = iter(printed(root, ["log", "--no-walk=unsorted", LOG, *wanted, "--"], limit).split("\0"))
    results = {}
    for id, at, author, subject, trailers in zip(*[fields] * 5, strict=False):
        named = tuple(NAMES_SESSION.findall(trailers))
        results[id.strip()] = Commit(id.strip(), int(at) * 1_000, author, subject, named)
    return results


def lines_added(root: str, name: str, limit: Limit) -> list[Line]:
    """Return the lines that a commit added. NotFoundError where there is no such commit; GitError."""
    try:
        id = printed(root, ["rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], limit).strip()
    except GitError as error:
        raise NotFoundError(
            "The repository here has no commit {name}. `git log --oneline` lists them.", name=name
        ) from error
    commit = commits_of(root, [id], limit)[id]
    arguments = [
        "show",
        "--format=",
        "--unified=0",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "-M",
        "-w",
    ]
    results, path, number = [], "", 0
    for line in printed(root, [*arguments, "-m", "--first-parent", id, "--"], limit).split("\n"):
        if line.startswith("+++ "):
            path = line[4:].removeprefix("b/").rstrip("\t")
        elif found := ADDED_TO.match(line):
            number = int(found[1])
        elif line[:1] == "+" and number:
            results.append(Line(number, line[1:].removesuffix("\r"), path, commit))
            number += 1
        elif line.startswith("diff "):
            number = 0
    return results


def sessions_named(root: str, commit: Commit, limit: Limit) -> list[str]:
    """Return the agents' own ids of the sessions that a commit's trailers name, by a checkpoint too."""
    results: dict[str, None] = {}
    for name, value in commit.trailers:
        is_checkpoint = "checkpoint" in name.lower()
        kept = (
            [str(about.get("session_id")) for _, about in _checkpoint(root, value, limit)]
            if is_checkpoint
            else []
        )
        for named in kept if is_checkpoint else [value.rpartition("/")[2]]:
            id = SESSION_ID.search(named)
            results[id[0] if id else named] = None
    return list(results)


def _checkpoint(root: str, id: str, limit: Limit) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the transcripts of a checkpoint, as git names them, each with what is said of it."""
    if not re.fullmatch("[0-9a-f]{8,40}", id):
        return
    folder = f"{id[:2]}/{id[2:]}"
    for branch in CHECKPOINTS:
        with suppress(GitError, ValueError):
            listed = printed(root, ["ls-tree", "-r", "-z", "--name-only", branch, f"{folder}/"], limit)
            for path in listed.split("\0"):
                if path.endswith("/full.jsonl"):
                    place = f"{branch}:{path.removesuffix('full.jsonl')}"
                    yield (
                        f"{branch}:{path}",
                        json.loads(printed(root, ["show", f"{place}metadata.json"], limit)),
                    )
            return


def transcript_named(root: str, commit: Commit, session: str, limit: Limit) -> str:
    """Return the transcript of a session that a checkpoint of a commit keeps; "" for none."""
    for _name, value in commit.trailers:
        for blob, about in _checkpoint(root, value, limit):
            if about.get("session_id") == session:
                return printed(root, ["show", blob], limit)
    return ""


def spans(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return numbers in order as spans, from the first to the last of each."""
    runs = [list(run) for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    return [(run[0][1], run[-1][1]) for run in runs]
