"""The two kinds of transcript readers: of lines, and of a file as a whole; events come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from ...agents.registry import BY_NAME
from ...platform.errors import SourceError
from ...platform.regular_file import LONGEST, read_regular
from ...platform.translation import _
from ...records.events import AgentName, Event, EventKind
from .fields import load, mapping

State = dict[str, Any]
"""What a reader remembers between two readings of a growing file; JSON values only."""


class Identity(NamedTuple):
    """By what a record is known again: the ids that it and its session have, and what it has in common
    with a copy under another id, "" for nothing."""

    record: str
    session: str
    content: str = ""


class ReplyReader:
    """What readers of lines share that keep the last answer in their state, as `reply` with its `key`, `at`
    and `text`, until they know whether more follows."""

    state: State

    def _reply(self, *, is_final: bool = True) -> Iterator[Event]:
        if reply := self.state["reply"]:
            said = {"key": reply["key"], "text": reply["text"], "is_final": is_final}
            yield self._event("reply", at=reply["at"], **said)

    def _event(self, kind: EventKind, **fields: Any) -> Event:
        raise NotImplementedError


class LineReader(Protocol):
    """Reads a file that grows by lines, each a JSON object.

    It may stop after any line and go on in another process from its `state`. A record that it does
    not know gives no event; one that is malformed raises ValueError with a sentence, and the next
    goes on.
    """

    state: State

    def __init__(self, path: Path, state: State) -> None: ...

    def events(self, record: dict[str, Any]) -> Iterator[Event]:
        """Yield the events that a line completes."""
        ...

    def pending(self) -> Iterator[Event]:
        """Yield what is begun and may never be completed (a tool call without its result), for a
        file that is at rest; once more, under the same key, when the rest comes."""
        ...


MakeLineReader = Callable[[Path, State], LineReader]


class FileReader(Protocol):
    """Reads a file that is rewritten as a whole each time it changes."""

    def __init__(self, path: Path) -> None: ...

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError with a sentence where the file is malformed."""
        ...


MakeFileReader = Callable[[Path], FileReader]


def line_reader(path: Path, agent: AgentName) -> MakeLineReader | None:
    """Return what reads a file of lines; None for one that is read as a whole.

    Raises SourceError where nothing reads such a file of this agent's.
    """
    known = BY_NAME.get(agent)
    if known and known.file_reader(path):
        return None
    name = known.line_reader if known else None
    if name is None:
        raise SourceError(
            "{path} is not a readable transcript of {agent}'s. Check the path.", path=path, agent=agent
        )
    result: MakeLineReader = _named(name)
    return result


def file_reader(path: Path, agent: AgentName, session: str | None = None) -> MakeFileReader:
    """Return what reads a file as a whole, where `line_reader` returns None; of a file that holds many
    sessions that one alone, where it is named."""
    name = BY_NAME[agent].file_reader(path)
    if name is None:
        raise SourceError("{path} is a file of lines. Read it by its lines.", path=path)
    result: MakeFileReader = _named(name)
    of_session: Callable[[str], MakeFileReader] | None = getattr(result, "of_session", None)
    return of_session(session) if of_session and session else result


def read_object(path: Path, listed: str) -> dict[str, Any]:
    """Return the JSON object that a file holds, which has a list of this name. Raises ValueError with a
    sentence where it holds none."""
    try:
        result = mapping(load(read_regular(path, LONGEST)))
    except ValueError as error:
        raise ValueError(
            _("{path} is not valid JSON ({error}). Was it cut off?", path=path, error=error)
        ) from error
    if not isinstance(result.get(listed), list):
        raise ValueError(
            _("{path} is not such a transcript: it has no list of {listed}.", path=path, listed=listed)
        )
    return result


def reader_module(name: str) -> ModuleType:
    """Return the module of a reader, by "module.Class", in `agents`."""
    return import_module(f".agents.{name.rpartition('.')[0]}", __package__)


def _named(name: str) -> Any:
    return getattr(reader_module(name), name.rpartition(".")[2])
