"""Agents in `mem doctor`: whether our hooks are in order, and whether their events arrive."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ..capture.health import pause_checks
from ..database.health import Check
from ..formats.transcripts.agents.codex import ZSTD_NEEDED, decompressor
from ..formats.transcripts.discovery import count_compressed
from ..platform.clock import local_time
from ..platform.errors import ConfigurationError
from ..platform.paths import default_path_bytes
from ..platform.translation import N_, _
from ..store import Store
from ..text.plural import count_noun
from .agent_states import AgentState, other_memory, remedy, silent_agents, states
from .surroundings import repository


def agent_checks(store: Store) -> list[Check]:
    """Check the hooks of each agent that has any: all of them in place, and events coming."""
    agents = _agents(store.path, states(store, project=_project_here()))
    return [*agents, *_compressed_transcripts()]


def _compressed_transcripts() -> Iterator[Check]:
    """Yield what is missing to read transcripts that an agent has compressed."""
    if (number := count_compressed()) and decompressor() is None:
        content = _(
            "{transcripts} can't be read. {remedy}.",
            transcripts=count_noun(number, "transcripts that zstd compressed"),
            remedy=ZSTD_NEEDED,
        )
        yield Check(N_("transcripts"), True, content)


def checks_without_memory(database: Path) -> list[Check]:
    """Check agents' hooks before there is a memory; empty where no agent has any for it."""
    agent_states = states(project=_project_here())
    if not any(_makes_memory(state, database) for state in agent_states):
        return []
    return [
        Check(
            N_("store"),
            True,
            _("none at {path} yet; the first event of an agent makes it", path=database),
        ),
        *pause_checks(database),
        *_agents(database, agent_states),
    ]


def _project_here() -> Path | None:
    try:
        return repository(Path.cwd())
    except (ConfigurationError, OSError):
        return None


def _makes_memory(state: AgentState, database: Path) -> bool:
    has_hooks = state.installed != "no" or state.in_project == "yes"
    return has_hooks and not other_memory(state, database)


def _agents(database: Path, known: list[AgentState]) -> Iterator[Check]:
    silent = silent_agents(database, known)
    is_own = os.path.realpath(database) == os.path.realpath(os.fsdecode(default_path_bytes()))
    for state in known:
        if state.installed != "no":
            other = other_memory(state, database)
            yield _agent(state, silent.get(state.agent), other, is_own=is_own)
        elif state.in_project == "outdated":
            yield Check(
                f"agent {state.agent}",
                False,
                _with_why(_("its hooks in the repository here are outdated"), state),
                f"mem install {state.agent} --project",
            )


def _agent(state: AgentState, ran_at: int | None, other: str, *, is_own: bool) -> Check:
    """Check an agent that has our hooks; `ran_at` is when it ran last, if its events didn't come,
    `other` which memory has them instead of this one. That is amiss only where this is the user's
    own: another one may well be kept beside it."""
    name, at = f"agent {state.agent}", state.last_event_at
    if state.installed != "yes":
        mending = _("fix {path}", path=state.files[0])
        advice = mending if state.installed == "unreadable" else f"mem install {state.agent}"
        content = _("its hooks are {state}", state=_(state.installed))
        return Check(name, False, _with_why(content, state), advice)
    if other:
        advice = _("mem install {agent} sends them to this one.", agent=state.agent)
        content = _("its events go to another store: {path}", path=other)
        return Check(name, not is_own, content, advice)
    if fault := next((part_state.fault for part_state in state.parts if part_state.fault), ""):
        content = _("its MCP entry is outdated: {fault}", fault=fault)
        return Check(name, False, content, f"mem install {state.agent}")
    last_event = (
        _("last event {time}, {number} today", time=local_time(at), number=state.events_today)
        if at
        else _("nothing yet")
    )
    if ran_at is None:
        return Check(name, True, _("; ").join(filter(None, (last_event, state.told_parts))))
    content = _("it ran {time}, but {last_event}", time=local_time(ran_at), last_event=last_event)
    return Check(name, False, content, remedy(state.agent))


def _with_why(content: str, state: AgentState) -> str:
    return f"{content}: {state.fault}" if state.fault else content
