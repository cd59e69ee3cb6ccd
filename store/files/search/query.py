"""A query that asks for agents' files: the same language, with kinds, scopes and states of files."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING, get_args

from ...agents.registry import agent_called
from ...records.dataclasses import dataclass
from ...search.query.items import items
from ...search.query.language import Query, parse
from ..agent_file import AgentFile, FileKind, Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set
    from pathlib import Path

KINDS = frozenset(get_args(FileKind))
OF_BOTH = frozenset(("note", "prompt"))
"""Kinds that memories have, too: by themselves they ask for these."""
SCOPES = frozenset(get_args(Scope))
STATES = frozenset(("told", "cut", "untold", "amiss"))
EVERY = "file"


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
    return name == "kind" and {_kind(value) for value in values} <= KINDS | {EVERY}


def _kind(value: str) -> str:
    return value.removesuffix("s") if value.removesuffix("s") in KINDS | {EVERY} else value


def _passes(condition: FileFilter, file: AgentFile, states: Mapping[str, Set[Path]]) -> bool:
    if condition.name == "kind":
        return any(_kind(value) in (EVERY, file.kind) for value in condition.values)
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
