"""What every transcript reader is: lines or a whole file in, events out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from ...agents.registry import BY_NAME
from ...errors import SourceError
from ...events import AgentName, Event

State = dict[str, Any]
"""What a reader remembers between two readings of a growing file; JSON values only."""


class LineReader(Protocol):
    """Reads a file that grows by lines, each a JSON object.

    It may stop after any line and go on in another process from its `state`. A record it does not
    know is nothing; one that is not what it should be raises ValueError with a sentence, and the
    next goes on.
    """

    state: State

    def __init__(self, path: Path, state: State) -> None: ...

    def events(self, record: dict[str, Any]) -> Iterator[Event]:
        """The events that a line completes."""
        ...

    def pending(self) -> Iterator[Event]:
        """What is begun and may never be completed (a tool call without its result), for a file
        that is at rest; told again when the rest comes, under the same key."""
        ...


MakeLineReader = Callable[[Path, State], LineReader]


class FileReader(Protocol):
    """Reads a file that is rewritten as a whole each time it changes."""

    def __init__(self, path: Path) -> None: ...

    def events(self) -> Iterator[Event]:
        """All its events; ValueError with a sentence where the file isn't what it should be."""
        ...


MakeFileReader = Callable[[Path], FileReader]


def line_reader(path: Path, agent: AgentName) -> MakeLineReader | None:
    """What reads a file of lines; None for one that is read as a whole.

    Raises SourceError where nothing reads such a file of this agent's.
    """
    known = BY_NAME.get(agent)
    if known and known.file_reader(path):
        return None
    name = known.line_reader if known else None
    if name is None:
        raise SourceError(f"{path} is no transcript of {agent}'s that can be read. Check the path.")
    found: MakeLineReader = _named(name)
    return found


def file_reader(path: Path, agent: AgentName) -> MakeFileReader:
    """What reads a file as a whole, where `line_reader` gives nothing."""
    name = BY_NAME[agent].file_reader(path)
    if name is None:
        raise SourceError(f"{path} is a file of lines. Read it by its lines.")
    found: MakeFileReader = _named(name)
    return found


def reader_module(name: str) -> ModuleType:
    """The module of a reader, by "module.Class"."""
    return import_module(f".{name.partition('.')[0]}", __package__)


def _named(name: str) -> Any:
    return getattr(reader_module(name), name.partition(".")[2])
