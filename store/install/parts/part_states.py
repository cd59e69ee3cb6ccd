"""Which parts beside hooks an agent has, and whether they are as they should be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from ...agents.registry import BY_NAME
from ...errors import ConfigurationError
from ...events import AgentName
from ...records.dataclasses import dataclass
from ...translation import N_
from ..config_file import read
from ..splice import readable
from ..surroundings import Surroundings
from .owned_file import FileCondition, own_files
from .owned_file import condition as condition_of_file
from .server_json import JsonServer
from .server_toml import TomlServer
from .server_words import fault_of_server, is_ours, words_of_entry

Part = Literal["mcp", "skill", "commands"]
PARTS: tuple[Part, ...] = ("mcp", "skill", "commands")
"""What agents are given beside hooks, in the order of lists."""
PART_WORDS: dict[Part, str] = {
    "mcp": "MCP",
    "skill": N_("skill"),
    "commands": N_("commands"),
}

PartCondition = FileCondition | Literal["unreadable"]
"""`foreign`: somebody else's has its name, and ours was left out."""

WORST_FIRST: tuple[PartCondition, ...] = (
    "unreadable", "outdated", "no", N_("foreign"), N_("edited"), "yes",
)  # fmt: skip
THERE: tuple[PartCondition, ...] = ("yes", "edited", "outdated")


@dataclass(frozen=True, slots=True)
class PartState:
    """A part of an agent: each of its files with its condition; `fault` says why what is there does
    nothing."""

    part: Part
    by_file: tuple[tuple[Path, PartCondition], ...]
    fault: str = ""

    @property
    def condition(self) -> PartCondition:
        """The worst condition of its files."""
        conditions = {condition for _, condition in self.by_file}
        return next(item for item in WORST_FIRST if item in conditions)

    @property
    def files(self) -> tuple[Path, ...]:
        """Where it lies."""
        return tuple(path for path, _ in self.by_file)

    @property
    def is_there(self) -> bool:
        """Whether it is installed, be it changed by the user or out of date."""
        return self.condition in THERE


def part_states(agent: AgentName, surroundings: Surroundings) -> tuple[PartState, ...]:
    """The state of each part that an agent knows; never raises for what its files hold."""
    results: list[PartState] = []
    if servers := server_files(agent, surroundings):
        states = [(path, *_server(path, agent)) for path in servers]
        fault = next((fault for _, _, fault in states if fault), "")
        by_file = tuple((path, condition) for path, condition, _ in states)
        results.append(PartState("mcp", by_file, fault))
    own = own_files(agent, surroundings)
    for part in PARTS:
        files = [file for file in own if file.part == part]
        if files:
            by_file = tuple(
                (own_file.path, _condition_at(own_file.path, own_file.template)) for own_file in files
            )
            results.append(PartState(part, by_file))
    return tuple(results)


def server_files(agent: AgentName, surroundings: Surroundings) -> tuple[Path, ...]:
    """The user's configurations that take an agent's MCP servers."""
    return BY_NAME[agent].server_configurations(surroundings.home, surroundings.environment)


def server_splice(path: Path, agent: AgentName, words: Sequence[str] = ("",)) -> JsonServer | TomlServer:
    """Our server in an agent's configuration at `path`; no command only to take it out."""
    known = BY_NAME[agent]
    kind = TomlServer if path.suffix == ".toml" else JsonServer
    return kind(known.server_key, known.server(words))


def _server(path: Path, agent: AgentName) -> tuple[PartCondition, str]:
    try:
        status = path.stat()
    except FileNotFoundError:
        return "no", ""
    except OSError:
        return "unreadable", ""
    times = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
    condition, words = _entry_at(path, agent, times)
    fault = fault_of_server(words) if words else ""
    return ("outdated" if fault else condition), fault


@lru_cache(maxsize=64)
def _entry_at(
    path: Path, agent: AgentName, _times: tuple[int, ...]
) -> tuple[PartCondition, tuple[str, ...]]:
    """Whether our server is in a file, and its command. A file that hasn't changed since isn't read
    again, for agents keep large ones."""
    try:
        content = read(path).file
    except ConfigurationError:
        return "unreadable", ()
    splice = server_splice(path, agent)
    text = "" if content is None else readable(content, [splice])
    if text is None:
        return "unreadable", ()
    entry = splice.entry_in(text)
    if entry is None:
        return "no", ()
    words = words_of_entry(entry)
    return ("yes", words) if is_ours(words) else ("foreign", ())


def _condition_at(path: Path, template: str) -> PartCondition:
    try:
        return condition_of_file(read(path).file, template)
    except ConfigurationError:
        return "unreadable"
