"""Search in agents' files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...records import Snippet
from ...records.dataclasses import dataclass
from ...search.listing.snippets import highlight
from ..checks import check
from ..discovery import Discovery, discover, project_folders, project_of
from ..homes import AgentHomes
from ..told import AGENTS, told
from .index import FileIndex, index_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...search.query.language import Query
    from ...store import Store
    from ..agent_file import AgentFile
    from .query import FileQuery

LONGEST_LINE = 200
EVERY = 10_000
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
    index.refresh(files.files, known, [project.resolve() for project in projects])
    return files


def files_found(
    store: Store, query: FileQuery, limit: int = EVERY
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
        told_paths: set[Path] = set()
        cut: set[Path] = set()
        for project in projects:
            for agent in AGENTS:
                for piece in told(here, agent, project).pieces:
                    told_paths.add(piece.path)
                    if piece.cut_at:
                        cut.add(piece.path)
        states |= {"told": told_paths, "cut": cut}
        states["untold"] = {file.path for file in files} - told_paths
    if "amiss" in names:
        states["amiss"] = {finding.path for finding in check(here, projects, files)}
    return states
