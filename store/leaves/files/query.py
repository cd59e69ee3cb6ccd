"""Search in agents' files: a query in the same language, with kinds, scopes and states of files, and its
hits.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from ...agents.homes import AgentHomes, resolved_path
from ...agents.registry import agent_called
from ...records.dataclasses import dataclass
from ...records.rows import Snippet
from ...search.listing.snippets import highlight
from ...search.query.grammar import items
from ...search.query.language import Query, parse
from .agent_files import AgentFile, FileKind, Scope
from .checks import check
from .discovery import Discovery, discover, project_folders, project_of
from .index import FileIndex, index_path
from .starts import AGENTS, agent_start

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    from ...store import Store


@dataclass(frozen=True, slots=True)
class FileFilter:
    """A condition on files: any of the values will do, or none when negated."""

    name: str
    values: tuple[str, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class FileQuery:
    """What was understood: the words as a query of their own, and the conditions on files."""

    words: Query
    filters: tuple[FileFilter, ...]

    @property
    def states(self) -> frozenset[str]:
        """The states that are asked about."""
        return frozenset(
            value for condition in self.filters if condition.name == "is" for value in condition.values
        )

    def takes(self, file: AgentFile, states: Mapping[str, Set[Path]]) -> bool:
        """Return whether a file passes all conditions; `states` has the files of each state."""
        return all(_passes(condition, file, states) != condition.negated for condition in self.filters)


def file_query(text: str) -> FileQuery | None:
    """Return a query that asks for files, None for one that asks for memories."""
    filters: list[FileFilter] = []
    spans: list[tuple[int, int]] = []
    asks = False
    for item in items(text):
        if item.name is None:
            continue
        values = tuple(
            part.strip().lower() if item.name not in ("path", "project") else part.strip()
            for value in item.values
            for part in value.split(",")
            if part.strip()
        )
        own = _is_of_files(item.name, values)
        is_shared = item.name in ("agent", "project") or _are_kinds(item.name, values)
        if own or (is_shared and values):
            filters.append(FileFilter(item.name, values, item.negated))
            spans.append((item.start, item.end))
        asks = asks or own
    if not asks:
        return None
    rest, end = "", 0
    for start, stop in spans:
        rest += text[end:start]
        end = stop
    return FileQuery(parse(rest + text[end:]), tuple(filters))


MOST_FILES = 10_000
"""The most files that are found."""


@dataclass(frozen=True, slots=True)
class FileHit:
    """A file that a query found: the line (from 1) of the best passage, and that passage."""

    file: AgentFile
    line: int
    passage: Snippet


def refreshed(index: FileIndex, here: AgentHomes, projects: Sequence[Path]) -> Discovery:
    """Return the files that are there, with the index brought up to date."""
    known = index.known()
    files = discover(here, projects, known)
    index.refresh(files.files, known, [resolved_path(project) for project in projects])
    return files


def files_found(
    store: Store, query: FileQuery, limit: int = MOST_FILES
) -> tuple[list[FileHit], tuple[str, ...]]:
    """Return the files of this machine that a query finds, here and in the projects that are known, best
    first, and what there is to say of the search."""
    here = AgentHomes.own()
    projects = list(dict.fromkeys([project_of(Path.cwd()), *project_folders(store.db)]))
    with FileIndex(index_path(Path(store.path))) as index:
        files = refreshed(index, here, projects)
        hits = search_files(index, here, projects, files.files, query, limit)
    return hits, tuple(files.notes)


def search_files(
    index: FileIndex,
    here: AgentHomes,
    projects: Sequence[Path],
    files: Sequence[AgentFile],
    query: FileQuery,
    limit: int,
) -> list[FileHit]:
    """Return the files that a query finds, best first, each once."""
    states = _states(here, projects, files, query.states)
    by_path = {file.path: file for file in files}
    hits: dict[Path, FileHit] = {}
    for path, line, text, _ in index.matches(query.words):
        file = by_path.get(path)
        if file is None or path in hits or not query.takes(file, states):
            continue
        at, passage = _passage(text, query.words)
        hits[path] = FileHit(file, line + at, passage)
        if len(hits) >= limit:
            break
    return list(hits.values())


KINDS = frozenset(get_args(FileKind))
OF_BOTH = frozenset(("note", "prompt"))
"""Kinds that memories have, too: by themselves they ask for these."""
SCOPES = frozenset(get_args(Scope))
STATES = frozenset(("told", "cut", "untold", "amiss"))
ANY_KIND = "file"


def _is_of_files(name: str, values: tuple[str, ...]) -> bool:
    if not values:
        return False
    if name == "kind":
        return _are_kinds(name, values) and not {_kind(value) for value in values} <= OF_BOTH
    if name == "scope":
        return all(value in SCOPES for value in values)
    if name == "is":
        return all(value in STATES for value in values)
    if name == "source":
        return values == ("files",)
    return name == "path"


def _are_kinds(name: str, values: Sequence[str]) -> bool:
    return name == "kind" and {_kind(value) for value in values} <= KINDS | {ANY_KIND}


def _kind(value: str) -> str:
    return value.removesuffix("s") if value.removesuffix("s") in KINDS | {ANY_KIND} else value


def _passes(condition: FileFilter, file: AgentFile, states: Mapping[str, Set[Path]]) -> bool:
    if condition.name == "kind":
        return any(_kind(value) in (ANY_KIND, file.kind) for value in condition.values)
    if condition.name == "scope":
        return file.scope in condition.values
    if condition.name == "is":
        return any(file.path in states.get(value, ()) for value in condition.values)
    if condition.name == "agent":
        names = {known.name if (known := agent_called(value)) else value for value in condition.values}
        return bool(names & set(file.agents))
    if condition.name == "project":
        own = file.project.name if file.project is not None else ""
        return any(value in (own, str(file.project)) for value in condition.values)
    if condition.name == "path":
        path = str(file.path)
        return any(value in path or fnmatch(path, value) for value in condition.values)
    return True


LONGEST_LINE = 200


def _passage(text: str, query: Query) -> tuple[int, Snippet]:
    """Return the first line of a text that holds most of a query's words, counted from 0."""
    lines = text.splitlines() or [""]
    shown = [highlight(line[:LONGEST_LINE], query) for line in lines[:500]]
    best = max(range(len(shown)), key=lambda at: (len(shown[at].spans), bool(lines[at].strip("- ")), -at))
    return best, shown[best]


def _states(
    here: AgentHomes, projects: Sequence[Path], files: Sequence[AgentFile], names: frozenset[str]
) -> dict[str, set[Path]]:
    """Return the files of each of the states that are asked about."""
    states: dict[str, set[Path]] = {}
    if names & {"told", "cut", "untold"}:
        loaded: set[Path] = set()
        cut: set[Path] = set()
        for project in projects:
            for agent in AGENTS:
                for piece in agent_start(here, agent, project).pieces:
                    loaded.add(piece.path)
                    if piece.cut_at:
                        cut.add(piece.path)
        states |= {"told": loaded, "cut": cut}
        states["untold"] = {file.path for file in files} - loaded
    if "amiss" in names:
        states["amiss"] = {finding.path for finding in check(here, projects, files)}
    return states
