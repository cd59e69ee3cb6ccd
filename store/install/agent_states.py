"""The state of each agent on this machine: whether it is here, whether our hooks are in its configuration,
when its last event came; and those that have our hooks and ran, and whose events never came."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

from ..agents.registry import AGENTS, BY_NAME
from ..capture.health import Activity, activity
from ..capture.settings import pauses
from ..formats.transcripts.discovery import last_written
from ..platform.errors import ConfigurationError
from ..platform.paths import default_path_bytes
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass
from ..records.events import AgentName
from ..store import Store
from . import json_config
from .config_file import Condition, read
from .parts import PART_WORDS, PartState, part_states, plugin_condition
from .surroundings import Launcher, Surroundings, words_of

TRIAL = "--check"
TRIAL_SECONDS = 10.0
UNGUARDED = _("they are of an older form, which stops some agents once memtui is gone")


def fault_of(words: Sequence[str], *, is_users_own: bool) -> str:
    """Say in a few words why a command, given as separate words, does nothing; `` where it works.

    What can't be told by looking is tried, without an event, as long as the command stands in the
    user's own configuration or names this very installation: what a repository names isn't run.
    """
    if not words:
        return _("their command can't be read")
    program = shutil.which(words[0])
    scripts = [word for word in words if word.endswith("hook.py")]
    if program is None:
        return _missing(words[0])
    for script in scripts:
        if not Path(script).is_file():
            return _("{path} is gone", path=script)
    if not scripts:
        return ""
    here = Launcher.here()
    is_this = (words[0], scripts[0]) == (str(here.python), str(here.script))
    if not (is_users_own or is_this):
        return ""
    return _tried(program, scripts[0], _times(program, scripts[0]))


def _missing(program: str) -> str:
    if Path(program).exists():
        return _("{path} is not executable", path=program)
    # A virtual environment's interpreter is a link, whose target may be gone without it.
    if Path(program).is_symlink():
        return _("{path} is a link to nothing", path=program)
    return _("{path} is gone", path=program)


@lru_cache(maxsize=64)
def _tried(program: str, script: str, _times: tuple[int, ...]) -> str:
    """What starting the hook without an event comes to."""
    try:
        done = subprocess.run(
            (program, "-I", "-S", script, TRIAL),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TRIAL_SECONDS,
            env={**os.environ, "MEMTUI_OBSERVER": "1"},
            check=False,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        return _("{path} can't be run ({error})", path=program, error=reason)
    except subprocess.TimeoutExpired:
        return _("{path} doesn't come to an end", path=script)
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    reason = lines[-1].strip() if lines else _("status {number}", number=done.returncode)
    return _("{path} can't be run: {error}", path=script, error=reason)


def _times(*paths: str) -> tuple[int, ...]:
    """When these were changed last: another file is tried anew."""
    return tuple(Path(path).stat().st_mtime_ns for path in paths)


WORST_FIRST: tuple[Condition, ...] = (
    N_("unreadable"), N_("outdated"), N_("yes"), N_("no"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgentState:
    """An agent on this machine.

    `installed` for all projects, `in_project` for the repository asked about (None without one);
    `fault` says why hooks that are there do nothing, or might stop the agent: `` where all is well;
    `last_event_at` in ms since the epoch; `events_today` counts since midnight UTC. `memories` are
    those that its hooks name, "" for the user's own, which they leave unnamed. `parts` are those that it
    can have beside hooks, for all projects.
    """

    agent: AgentName
    found: bool
    installed: Condition
    in_project: Condition | None
    files: tuple[Path, ...]
    last_event_at: int | None
    events_today: int
    fault: str = ""
    memories: tuple[str, ...] = ()
    parts: tuple[PartState, ...] = ()

    @property
    def has_parts(self) -> bool:
        """Whether anything of ours is there beside hooks."""
        return any(state.is_there for state in self.parts)

    @property
    def takes_hooks(self) -> bool:
        """Whether anything can be installed for it."""
        return BY_NAME[self.agent].takes_hooks

    @property
    def is_tried(self) -> bool:
        """Whether what is done for it was tried with the program itself."""
        return BY_NAME[self.agent].is_tried

    @property
    def is_seen(self) -> bool:
        """Whether the agent is here, or anything of ours for it is, or ever came from it."""
        return (
            self.found
            or self.has_parts
            or self.installed != "no"
            or self.in_project not in (None, "no")
            or self.last_event_at is not None
        )

    @property
    def part_fault(self) -> str:
        """Why a part that is there does nothing; `` where all is well."""
        return next((state.fault for state in self.parts if state.fault), "")

    @property
    def told_parts(self) -> str:
        """What is installed, and what isn't: "hooks, skill; no MCP"; `` where nothing is."""
        if self.installed == "no" and not self.has_parts:
            return ""
        known = {N_("hooks"): self.installed != "no"}
        known |= {PART_WORDS[state.part]: state.is_there for state in self.parts}
        there = _(", ").join(_(word) for word, is_there in known.items() if is_there)
        missing = _(", ").join(
            _("no {part}", part=_(word)) for word, is_there in known.items() if not is_there
        )
        return _("; ").join(filter(None, (there, missing)))


def states(
    store: Store | None = None,
    *,
    project: Path | None = None,
    surroundings: Surroundings | None = None,
) -> list[AgentState]:
    """The state of each agent, in the order of lists; without a store, as if no event had come.

    Never raises for what an agent's configuration holds.
    """
    surroundings = surroundings or Surroundings()
    activities = {item.agent: item for item in activity(store)} if store is not None else {}
    return [_state(agent, surroundings, project, activities.get(agent)) for agent in AGENTS]


def _state(
    agent: AgentName, surroundings: Surroundings, project: Path | None, last: Activity | None
) -> AgentState:
    files = surroundings.files(agent)
    results = [_condition(path, agent, is_users_own=True) for path in files]
    installed, fault = _worst(results)
    in_project: Condition | None = None
    if project is not None:
        places = surroundings.files(agent, project)
        here = [_condition(place, agent, is_users_own=False) for place in places]
        in_project, theirs = _worst(here)
        fault = fault or theirs
        results += here
    return AgentState(
        agent=agent,
        found=surroundings.is_found(agent),
        installed=installed,
        in_project=in_project,
        files=files,
        last_event_at=last.last_at if last else None,
        events_today=last.today if last else 0,
        fault=fault,
        memories=tuple(dict.fromkeys(memory for _, _, content in results for memory in content)),
        parts=part_states(agent, surroundings),
    )


_Found = tuple[Condition, str, tuple[str, ...]]
"""Whether our hooks are in a file, what is wrong with them, and the memories that they name."""


def _condition(path: Path, agent: AgentName, *, is_users_own: bool) -> _Found:
    try:
        content = read(path).file
    except ConfigurationError:
        return "unreadable", "", ()
    if template := BY_NAME[agent].plugin:
        condition, words = plugin_condition(content, template)
        known = [words]
        fault = "" if condition == "no" else fault_of(words, is_users_own=is_users_own)
    else:
        condition, commands = json_config.condition(path, agent, content)
        guarded = [words_of(command) for command in commands]
        known = [words for words, _ in guarded]
        fault = _first_fault(guarded, is_users_own=is_users_own)
    memories = tuple(map(_memory, filter(None, known)))
    return ("outdated" if fault else condition), fault, memories


def _memory(words: tuple[str, ...]) -> str:
    """Return the memory that a command names; "" for the user's own."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        if word.startswith("--db="):
            return word.removeprefix("--db=")
        if word == "--db":
            return following
    return ""


def _first_fault(known: list[tuple[tuple[str, ...], bool]], *, is_users_own: bool) -> str:
    faults = (fault_of(words, is_users_own=is_users_own) for words, _ in known)
    if fault := next(filter(None, faults), ""):
        return fault
    return "" if all(is_guarded for _, is_guarded in known) else UNGUARDED


def _worst(places: list[_Found]) -> tuple[Condition, str]:
    conditions = [condition for condition, _, _ in places] or ["no"]
    fault = next((fault for _, fault, _ in places if fault), "")
    if "yes" in conditions and "no" in conditions:
        return "outdated", fault
    return next(condition for condition in WORST_FIRST if condition in conditions), fault


SILENT_MS = 900_000
"""An agent that wrote its own transcript so long after its last event here is silent."""


def silent_agents(database: Path, states: Iterable[AgentState]) -> dict[str, int]:
    """When each silent agent ran last, ms since the epoch, UTC, of those that report to this memory.

    An agent ran when it wrote a transcript of its own. Only names and times of those are read.
    """
    hooked = {state.agent: state for state in states if state.installed == "yes"}
    ran = last_written({agent for agent in hooked if not other_memory(hooked[agent], database)})
    spans = pauses(database)
    return {
        agent: at
        for agent, at in ran.items()
        if _is_silent(hooked[agent], at) and not any(begun <= at / 1_000 <= ended for begun, ended in spans)
    }


def remedy(agent: AgentName) -> str:
    """A sentence on what a user can do about a silent agent."""
    if own := BY_NAME[agent].silent_remedy:
        return _(own)
    return _("Restart the agent; else mem uninstall {agent} and install it again.", agent=agent)


def other_memory(state: AgentState, database: Path) -> str:
    """Return the memory that an agent's events go to, where they don't go to this one; else ""."""
    own = os.fsdecode(default_path_bytes())
    named = [memory or own for memory in state.memories]
    this = os.path.realpath(database)
    if any(os.path.realpath(memory) == this for memory in named):
        return ""
    return next(iter(named), "")


def _is_silent(state: AgentState, ran_at: int) -> bool:
    # Before our hooks were there it could report nothing, and a session that was open then goes on so.
    return ran_at - max(state.last_event_at or 0, _installed_at(state)) > SILENT_MS


def _installed_at(state: AgentState) -> int:
    times = [0]
    for path in state.files:
        with suppress(OSError):
            times.append(round(path.stat().st_mtime * 1_000))
    return max(times)
