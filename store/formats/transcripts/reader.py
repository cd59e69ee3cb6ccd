"""The two kinds of transcript readers, of lines and of a file as a whole, and what those of lines share;
events come out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from ...agents.registry import BY_NAME
from ...platform.errors import SourceError
from ...platform.regular_file import LONGEST, read_regular
from ...platform.translation import _
from ...records.events import AgentName, Event, EventKind, ToolUse
from .json_records import Record, load, mapping, records_of

State = dict[str, Any]
"""What a reader remembers between two readings of a growing file; JSON values only."""

MOST_OPEN = 64
"""The most open calls: when one more comes, the oldest gets no result any more."""


class Identity(NamedTuple):
    """By what a record is known again: the ids that it and its session have, and what it has in common
    with copies under another id, "" for nothing."""

    record: str
    session: str
    copies: tuple[str, ...] = ()


Link = tuple[str | None, str | None]
"""The id of a record, and that of the one that it follows."""


class Branches:
    """Which prompts are taken back in a tree of records, where the user goes on from a record before them.

    The state holds the prompts that stand, as `[record, session, key]`, and the last record. What else
    follows what is looked up in the file where a reader that began in its middle has to know.
    """

    def __init__(self, path: Path, state: State, link: Callable[[Record], Link]) -> None:
        self.path = path
        self.state = state
        self.link = link
        self.standing: list[list[str]] = state.setdefault("standing", [])
        self.parents: dict[str, str | None] = {}
        self.is_whole = False
        """Whether `parents` has all records of the file."""
        if self.standing and state.get("leaf"):
            self.parents[state["leaf"]] = self.standing[-1][0]

    def follow(self, record: Record) -> None:
        """Note which record this one follows."""
        id, parent = self.link(record)
        if id:
            self.parents.setdefault(id, parent)
            self.state["leaf"] = id

    def ask(self, record: str, session: str, key: str) -> None:
        """Note a prompt."""
        self.standing.append([record, session, key])

    def taken_back(self, parent: str | None, session: str) -> tuple[str, ...]:
        """Return the keys of the prompts that descend from the record that is followed, and forget them."""
        if not parent or not self.standing or self._is_below(parent, {self.standing[-1][0]}, set()):
            return ()
        below, others = {parent}, set[str]()
        taken = [
            one
            for one in self.standing
            if one[1] == session and self._is_below(self.parents.get(one[0]), below, others)
        ]
        if not taken and not self.is_whole:
            self._look_up()
            return self.taken_back(parent, session)
        self.standing[:] = [one for one in self.standing if one not in taken]
        return tuple(key for _record, _session, key in taken)

    def _is_below(self, record: str | None, below: set[str], others: set[str]) -> bool:
        """Return whether a record is one of `below`, or follows one; those on the way are noted there, or
        among the others."""
        passed: set[str] = set()
        while record and record not in below and record not in others and record not in passed:
            passed.add(record)
            record = self.parents.get(record)
        is_below = record in below
        (below if is_below else others).update(passed)
        return is_below

    def _look_up(self) -> None:
        self.is_whole = True
        found: dict[str, str | None] = {}
        with suppress(OSError):
            for id, parent in map(self.link, records_of(self.path)):
                if id:
                    found.setdefault(id, parent)
        self.parents |= found


class ReplyReader:
    """What readers of lines share that keep the last answer in their state, as `reply` with its `key`, `at`
    and `text`, until they know whether more follows; and the session, its directory and the last time."""

    agent: AgentName
    state: State

    def _reply(self, *, is_final: bool = True) -> Iterator[Event]:
        if reply := self.state["reply"]:
            said = {"key": reply["key"], "text": reply["text"], "is_final": is_final}
            yield self._event("reply", at=reply["at"], **said)

    def _event(self, kind: EventKind, **fields: Any) -> Event:
        common = {name: self.state[name] for name in ("at", "cwd", "session")}
        return Event(kind=kind, agent=self.agent, **common | fields)

    def _identity(self, record: Record, session: str | None, id: str, parent: str) -> Identity | None:
        """Return what a record is known by, whose id and parent stand under these names: in every session
        that has a copy of it, and in its own, where it has that id at any time, and says the same once."""
        key, at = record.get(id), record.get("timestamp")
        if not isinstance(key, str) or session is None:
            return None
        says = json.dumps(record | {id: "", parent: ""}) if at else ""
        return Identity(f"{key} {at}", session, (f"{session} {key}", says and f"{session} {says}"))

    def _went_back(self, branches: Branches, record: Record, *, is_prompt: bool) -> Iterator[Event]:
        """Yield that the prompts behind the record which this one follows were taken back."""
        session, before, (key, parent) = (
            self.state["session"],
            self.state.get("leaf"),
            branches.link(record),
        )
        if parent != before and (taken := branches.taken_back(parent, session)):
            yield from self._reply()
            self.state["reply"] = None
            yield self._event("rewind", taken_back=taken)
        branches.follow(record)
        if key and is_prompt:
            branches.ask(key, session, key)


class LineReader(Protocol):
    """Reads a file that grows by lines, each a JSON object.

    It may stop after any line and go on in another process from its `state`. A record that it does not know
    gives no event; one that is malformed raises ValueError with a sentence, and the next goes on.
    """

    state: State

    def __init__(self, path: Path, state: State) -> None: ...

    def events(self, record: Record) -> Iterator[Event]:
        """Yield the events that a line completes."""

    def pending(self) -> Iterator[Event]:
        """Yield what is begun and may never be completed (a tool call without its result), for a
        file that is at rest; once more, under the same key, when the rest comes."""


MakeLineReader = Callable[[Path, State], LineReader]


class FileReader:
    """Reads a file that is rewritten as a whole each time it changes."""

    is_history = False
    """Whether it tells only what nothing else may tell any more."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError with a sentence where the file is malformed."""
        raise NotImplementedError

    def refusal(self, agent: str) -> ValueError:
        """Return the error that says that no record of the file is an agent's."""
        return ValueError(
            _("{path} is no session of {agent}: no record in it is.", path=self.path, agent=agent)
        )


MakeFileReader = Callable[[Path], FileReader]


def new_branch(state: State, branch: object) -> str | None:
    """Return the git branch that a record names, where the one before it was another; None for a commit
    without a branch, as for none."""
    if not isinstance(branch, str) or branch in ("", "HEAD", state.get("branch")):
        return None
    state["branch"] = branch
    return branch


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
    result: MakeLineReader = reader_class(name)
    return result


def file_reader(path: Path, agent: AgentName, session: str | None = None) -> MakeFileReader:
    """Return what reads a file as a whole, where `line_reader` returns None; of a file that holds many
    sessions that one alone, where it is named."""
    name = BY_NAME[agent].file_reader(path)
    if name is None:
        raise SourceError("{path} is a file of lines. Read it by its lines.", path=path)
    result: MakeFileReader = reader_class(name)
    of_session: Callable[[str], MakeFileReader] | None = getattr(result, "of_session", None)
    return of_session(session) if of_session and session else result


def read_object(path: Path, listed: str) -> Record:
    """Return the JSON object that a file holds, which has a list of this name. Raises ValueError with a
    sentence where it holds none."""
    result = mapping(read_json(path))
    if not isinstance(result.get(listed), list):
        raise ValueError(
            _("{path} is not such a transcript: it has no list of {listed}.", path=path, listed=listed)
        )
    return result


def read_json(path: Path, content: bytes | None = None) -> object:
    """Return what a file is as JSON, or this content of it. Raises ValueError with a sentence for none."""
    try:
        return load(read_regular(path, LONGEST) if content is None else content)
    except ValueError as error:
        raise ValueError(
            _("{path} is not valid JSON ({error}). Was it cut off?", path=path, error=error)
        ) from error


def read_beside(path: Path) -> Record:
    """Return the JSON object in a file that says more of a session; {} where it can't be read."""
    with suppress(OSError, ValueError):
        return mapping(load(read_regular(path)))
    return {}


def reader_module(name: str) -> ModuleType:
    """Return the module of a reader, by "module.Class", in `agents`."""
    return import_module(f".agents.{name.rpartition('.')[0]}", __package__)


def reader_class(name: str) -> Any:
    """Return a reader, by "module.Class", in `agents`."""
    return getattr(reader_module(name), name.rpartition(".")[2])


class OpenCalls:
    """The open calls of a reader, by the agent's id of each, kept in its state."""

    def __init__(self, agent: AgentName, state: State, *, shared: bool) -> None:
        self.agent = agent
        self.shared = shared
        self.calls: dict[str, Record] = state.setdefault("calls", {})

    def __bool__(self) -> bool:
        return bool(self.calls)

    def opened_since(self, at: int | None) -> bool:
        """Return whether a call is open that was made at a moment or later: what the agent said then may
        be about it."""
        return any(at is None or call["at"] is None or call["at"] >= at for call in self.calls.values())

    def open(self, key: str, call: Event, message: str | None = None) -> Iterator[Event]:
        """Add a call, made by this answer of the model; yield the oldest one when there are too many."""
        tool = call.tool or ToolUse("")
        self.calls[key] = {
            "session": call.session,
            "at": call.at,
            "subagent": call.subagent,
            "cwd": call.cwd,
            "name": tool.name,
            "input": tool.input,
            "tokens": call.tokens,
            "message": message,
        }
        if len(self.calls) > MOST_OPEN:
            oldest = next(iter(self.calls))
            yield self._event(oldest, self.calls.pop(oldest))

    def spend(self, message: str, tokens: int) -> None:
        """Put the tokens of an answer on its call, if that is still open."""
        for call in self.calls.values():
            if call["message"] == message:
                call["tokens"] = tokens

    def close(
        self, key: str, response: object, *, failed: bool = False, at: int | None = None
    ) -> Iterator[Event]:
        """Yield the event of a call and its result; nothing where the call is unknown."""
        if call := self.calls.pop(key, None):
            answer = "" if response is None else response
            yield self._event(key, call | {"at": at or call["at"]}, answer, failed=failed)

    def pending(self) -> Iterator[Event]:
        """Yield an event for each open call, without a response."""
        for key, call in self.calls.items():
            yield self._event(key, call)

    def _event(self, key: str, call: Record, response: object = None, *, failed: bool = False) -> Event:
        return Event(
            kind="tool",
            agent=self.agent,
            session=call["session"],
            at=call["at"],
            key=key,
            shared=self.shared,
            subagent=call["subagent"],
            cwd=call["cwd"],
            tool=ToolUse(call["name"], call["input"], response, failed),
            tokens=call["tokens"],
        )
