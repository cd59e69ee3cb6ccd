"""Find out which memories' files have changed since they were made. Git's log is read once for each
commit that a repository's HEAD is at, and which commits changed a file (renames
are followed) is stored."""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from ..database.transaction import snapshot
from ..platform.regular_file import open_regular
from ..records.dataclasses import dataclass
from ..store import Store
from ..tables import changed_files as table
from ..tables.changed_files import Citing, Place, ReadState
from ..tables.repositories import locate
from .cited_lines import changes, cited_lines, gone_at
from .git import BEGIN, GitError, commit_times, head, log, printed
from .git import Limit as Limit

BACKGROUND_SECONDS = 60.0
"""The limit where nobody waits."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """How many repositories' logs were read, how many marks were set or removed, of how many
    repositories git could say nothing, and how many there are on this machine."""

    read: int = 0
    marks: int = 0
    failed: int = 0
    repositories: int = 0


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository of this machine: its root, the folders of its working copies, and the directories in
    these, from the root on, in which sessions were at work."""

    root: str
    folders: tuple[str, ...]
    within: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The hash by which it is stored, so that its path isn't."""
        return hashlib.sha256(self.root.encode("utf-8", "surrogateescape")).hexdigest()


def refresh(store: Store, limit: Limit | None = None, project: str | None = None) -> Refreshed:
    """Bring the marks of changed files up to the commits that the repositories are at now, all or those of
    a project.

    Where git is missing, refuses or isn't done within the limit, the marks stay as they are; where the
    repository is gone, they go. Nothing is written where nothing has changed, nor to a memory that is only
    read. Raises the store's errors.
    """
    if store.read_only:
        return Refreshed()
    limit = limit or Limit(BACKGROUND_SECONDS)
    with limit.stopping(store.db.interrupt):
        return _refresh_all(store, limit, project)


def _refresh_all(store: Store, limit: Limit, project: str | None) -> Refreshed:
    with snapshot(store.db):
        repositories = repositories_here(store.db)
        states = table.read_states(store.db)
    heads: dict[str, str] = {}
    failed = 0
    for repository, places in repositories.items():
        if project is None or any(place.project == project for place in places):
            try:
                heads[repository.place] = head(repository.root, limit)
            except GitError:
                failed += 1
    marks = 0
    known_places = {item.place for item in repositories}
    if heads.keys() - states.keys() or states.keys() - known_places:
        with store.transaction():
            for place in heads.keys() - states.keys():
                table.add_repository(store.db, place)
            marks += table.forget_others(
                store.db,
                [state.id for place, state in table.read_states(store.db).items() if place in known_places],
            )
        states = table.read_states(store.db)
    results = [
        (entry, states[entry.place], places)
        for entry, places in repositories.items()
        if entry.place in states
    ]
    table.set_places(store.db, {place: state.id for _, state, places in results for place in places})
    if any(state.sessions not in ("", _digest(places)) for _, state, places in results):
        with store.transaction():
            marks += table.unmark_others(store.db)
    read = 0
    for repository, state, places in results:
        if commit := heads.get(repository.place):
            try:
                was_read, changed = _refresh(store, repository, state, commit, _digest(places), limit)
            except GitError:
                failed += 1
            else:
                read, marks = read + was_read, marks + changed
    return Refreshed(read, marks, failed, len(repositories))


def _digest(places: Iterable[Place]) -> str:
    text = "\0".join(sorted(f"{place.project}\0{place.path}" for place in places))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _refresh(
    store: Store, repository: Repository, state: ReadState, commit: str, sessions: str, limit: Limit
) -> tuple[bool, int]:
    """Return whether the log was read, and how many marks have changed."""
    with snapshot(store.db):
        labels, documents = table.newest(store.db)
        oldest = table.oldest(store.db, state.id) or 0
        is_known = (state.head, state.sessions, state.labels) == (commit, sessions, labels)
        is_known = is_known and state.since <= oldest
        is_done = is_known and state.documents == documents
        names = {} if is_done else dict(table.file_labels(store.db, state.id))
    if is_done:
        return False, 0
    # What was marked before was marked by the commits that are known.
    after, since = (state.documents, state.since) if is_known else (0, oldest)
    if not is_known:
        commits = _commits(repository, commit, oldest, names, limit)
        with store.transaction():
            table.replace_commits(store.db, state.id, names, commits)
    # Outside of a transaction, since finding them takes long; marking them doesn't.
    table.find_stale(store.db, state.id, after)
    table.leave_unmarked(store.db, _unchanged_hunks(store, repository, names, limit))
    memories = table.citing(store.db, state.id, after)
    gone = list(_gone_lines(repository, commit, names, memories, limit))
    with store.transaction():
        table.set_gone_lines(store.db, gone)
        marks = table.mark_stale(store.db, state.id, after)
        state = ReadState(state.id, commit, sessions, labels, documents, since)
        table.write_state(store.db, state)
    return not is_known, marks


LARGEST = 4 << 20
"""Bytes of a file that is looked through for lines."""
GAP = "…"
"""Stands in a diff for what was left out of it, also within a line."""


def _unchanged_hunks(
    store: Store, repository: Repository, names: Mapping[int, str], limit: Limit
) -> Iterator[int]:
    """Yield the documents of edits whose file has changed, but elsewhere: all lines that they brought stand
    in it. GitError where there is no time left."""
    lines_of: dict[int, frozenset[str]] = {}
    for document, label, diff in table.stale_hunks(store.db):
        added = ["".join(line[2:].split()) for line in diff.split("\n") if line.startswith("+ ")]
        cited = {line for line in added if line and GAP not in line}
        if label not in lines_of and limit.left:
            lines_of[label] = _lines_in(repository, names.get(label, ""))
        if cited and cited <= lines_of[label]:
            yield document


def _gone_lines(
    repository: Repository, commit: str, names: Mapping[int, str], memories: list[Citing], limit: Limit
) -> Iterator[tuple[int, str, int]]:
    """Yield of each citation of lines the document, its text, and when a commit took the lines (ms), 0
    where they stand. GitError where there is no time left."""
    if not memories:
        return

    def relative(name: str) -> str:
        return next(iter(_paths_in(repository, name)), "") if name.startswith("/") else name

    paths = {path for name in names.values() for path in _paths_in(repository, name)}
    paths.update(printed(repository.root, ["ls-tree", "-rz", "--name-only", commit], limit).split("\0"))
    cited = cited_lines(memories, paths, relative)
    since = min(memory.created_at for memory in memories)
    commits = changes(repository.root, commit, since, cited, limit) if cited else {}
    for path, some in cited.items():
        lines = _lines_in(repository, path) if path in commits else frozenset[str]()
        for citation in some:
            yield citation.memory.id, str(citation), gone_at(citation, commits.get(path, ()), lines)


def _lines_in(repository: Repository, name: str) -> frozenset[str]:
    """Return the lines of a file as it is now, without blanks; none of one that is gone."""
    for path in _paths_in(repository, name):
        for folder in (repository.root, *repository.folders):
            with suppress(OSError), open_regular(Path(folder, path)) as file:
                text = file.read(LARGEST).decode("utf-8", "replace")
                return frozenset("".join(line.split()) for line in text.splitlines())
    return frozenset()


def _commits(
    repository: Repository, commit: str, oldest: int, names: Mapping[int, str], limit: Limit
) -> dict[int, list[FileCommit]]:
    files: defaultdict[str, list[int]] = defaultdict(list)
    for number, name in names.items():
        for path in _paths_in(repository, name):
            files[path].append(number)
    if not files:
        return {}
    with log(repository.root, commit, oldest // 1_000, MOST_COMMITS, limit) as tokens:
        return file_commits(tokens, files)


def _paths_in(repository: Repository, name: str) -> list[str]:
    """Return the paths from the repository's root that a file's name may mean; none for a file elsewhere.

    A relative name counts from the root, or from where a session was at work if there is no such file.
    """
    if not name or "\0" in name:
        return []
    if name.startswith("/"):
        for folder in repository.folders:
            if name.startswith(f"{folder}/"):
                return _normal([name[len(folder) + 1 :]])
        return []
    named = _normal([name, *(f"{folder}/{name}" for folder in repository.within)])
    # A file that isn't there may have been deleted.
    return next(([path] for path in named if os.path.lexists(f"{repository.root}/{path}")), named)


def _normal(paths: Iterable[str]) -> list[str]:
    result = map(posixpath.normpath, paths)
    return [path for path in result if path not in (".", "..") and not path.startswith("../")]


def repositories_here(db: apsw.Connection) -> dict[Repository, list[Place]]:
    """Return the repositories that are on this machine, each with the places of its sessions.

    Sessions whose directory isn't known, or isn't here, belong to their project's repository where that is
    a single one.
    """
    places = table.session_places(db)
    roots: defaultdict[str, list[Place]] = defaultdict(list)
    folders: defaultdict[str, set[str]] = defaultdict(set)
    of_project: defaultdict[str, set[str]] = defaultdict(set)
    lost: list[Place] = []
    for place in dict.fromkeys((*places, *table.known_roots(db))):
        if result := _located(place.path or ""):
            root, folder = result
            roots[root].append(place)
            folders[root] |= {root, folder, place.path or root}
            of_project[place.project].add(root)
        elif place.path is None or not os.path.lexists(place.path):
            lost.append(place)
    for place in lost:
        if place.project and len(candidates := of_project[place.project]) == 1:
            (root,) = candidates
            roots[root].append(place)
            folders[root].add(place.path or root)
    asked = set(places)
    return {
        _repository(root, folders[root]): here
        for root, some in sorted(roots.items())
        if (here := [place for place in some if place in asked])
    }


def _repository(root: str, folders: Iterable[str]) -> Repository:
    # A directory in a working copy is no working copy; the longest first, as one may lie in another.
    plain = sorted({folder.rstrip("/") for folder in folders}, key=lambda text: (-len(text), text))
    copies = [name for name in plain if (result := _located(name)) is None or result[1] == name]
    within = [
        word[len(copy) + 1 :]
        for word in plain
        for copy in copies
        if word not in copies and word.startswith(f"{copy}/")
    ]
    return Repository(root, tuple(copies), tuple(dict.fromkeys(within)))


def _located(path: str) -> tuple[str, str] | None:
    """Return the root of the repository that a directory is in, and the working copy's folder; None where
    there is none."""
    try:
        if not path.startswith("/"):
            return None
        place = locate(path)
        is_one = os.path.lexists(f"{place.root}/.git") or os.path.isdir(f"{place.root}/objects")  # noqa: PTH112
    except (OSError, ValueError):
        return None
    # Sessions may have come there by different links.
    return (os.path.realpath(place.root), place.folder) if is_one else None


MOST_COMMITS = 20_000
"""So many of the newest commits are read."""
MOST_OF_A_FILE = 100
"""So many of the newest commits are kept of each file."""


class FileCommit(NamedTuple):
    """A commit that changed a file. Times in ms since the epoch, UTC: of the commit, of its author, and of
    the commit before it that changed the file (0 for none). `status` is git's letter: M, D, R …"""

    committed_at: int
    authored_at: int
    previous_at: int
    status: str


def file_commits(tokens: Iterable[str], files: Mapping[str, Iterable[int]]) -> dict[int, list[FileCommit]]:
    """Return the commits of each file, the oldest first, by the numbers that `files` gives to names.

    `tokens` are those of `git.log`. A file that was renamed goes on under its
    new name.
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
            place, times = place + 1, commit_times(token)
        elif status := token.lstrip("\n")[:1]:
            old = next(rest, "")
            yield place, times, status, old, next(rest, "") if status in "RC" else ""
