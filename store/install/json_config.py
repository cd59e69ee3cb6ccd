"""Our hooks in an agent's JSON configuration: put in, taken out, looked at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ..agents.base import Json
from ..agents.registry import BY_NAME
from ..config import context_settings
from ..platform.errors import ConfigurationError
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..records.dataclasses import replace as with_other
from ..records.events import AgentName
from ..text.jsonc import Container, Step, append, find, parse, remove, replace
from .config_file import Condition, readable
from .surroundings import is_ours

COMMAND_KEYS = ("command", "bash")
HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class Registration:
    """How a configuration registers hooks: `events` in order, each with its entry.

    `header` is what a new file begins with, beside "hooks".
    """

    events: Mapping[str, Callable[[str], Json]]
    header: Json

    def entries(self, command: str) -> dict[str, Json]:
        """What the list of each event gains."""
        return {event: entry(command) for event, entry in self.events.items()}


@dataclass(frozen=True, slots=True)
class HookSplice:
    """All hooks of an agent in its configuration, each running `command`."""

    agent: AgentName
    registration: Registration
    command: str

    def put(self, text: str) -> str:
        """Return the text with a hook for each event; ValueError where it isn't shaped so."""
        return with_hooks(text, self.agent, self.registration, self.command)

    def take(self, text: str, original: str | None = None) -> str:
        """Return the text without any hook of ours; see `without_hooks`."""
        return without_hooks(text, self.agent, original)

    def found_in(self, text: str) -> HookSplice | None:
        """Return the hooks with the command that the first of them has; None where there is none."""
        ours = handlers(text, self.agent)
        return with_other(self, command=ours[0].command) if ours else None

    def check(self, text: str) -> None:
        """Raise ValueError where it is no JSON."""
        parse(text)

    def is_bare(self, text: str) -> bool:
        """Return whether nothing is left but what a new file begins with."""
        header = json.dumps(self.registration.header, separators=(",", ":"))
        return "".join(text.split()) in ("{}", header)


def hook_splice(path: Path, agent: AgentName, command: str = "") -> HookSplice:
    """The hooks that an agent's configuration at `path` is to have; no command only to take them out."""
    return HookSplice(agent, _registration(path, agent), command)


def condition(path: Path, agent: AgentName, content: bytes | None) -> tuple[Condition, tuple[str, ...]]:
    """Whether our hooks are in a file of this content, and their commands, each once."""
    registration = _registration(path, agent)
    text = readable(content, [hook_splice(path, agent)]) if content is not None else ""
    if text is None:
        return "unreadable", ()
    ours = handlers(text, agent)
    if not ours:
        return "no", ()
    works = is_complete(text, agent, registration)
    return "yes" if works else "outdated", tuple(dict.fromkeys(handler.command for handler in ours))


def _registration(path: Path, agent: AgentName) -> Registration:
    known = BY_NAME[agent]
    # A file of settings has no version; one of hooks begins with it.
    hooks = {**known.hooks, **known.file_hooks} if _wants_file_hints() else known.hooks
    return Registration(hooks, {} if "settings" in path.name else known.header)


def _wants_file_hints() -> bool:
    try:
        return context_settings().at_file
    except ConfigurationError:
        return False


@dataclass(frozen=True, slots=True)
class Handler:
    """One of our hooks: the event it is registered for, where it stands, and its command."""

    event: str
    path: tuple[Step, ...]
    command_key: str
    command: str


def handlers(text: str, agent: AgentName) -> list[Handler]:
    """Our hooks for an agent in its configuration, in order; ValueError where it is no JSON."""
    hooks = find(text, (HOOKS,)) if text.strip() else None
    if not isinstance(hooks, Container) or not hooks.is_object:
        return []
    results: list[Handler] = []
    # Of equal keys the last counts, as it does for the agents.
    for event, listed in {str(item.key): item.value for item in hooks.items}.items():
        if isinstance(listed, Container) and not listed.is_object:
            for place, item in enumerate(listed.items):
                results += _of_entry(item.value.data, event, (HOOKS, event, place), agent)
    return results


def with_hooks(text: str, agent: AgentName, registration: Registration, command: str) -> str:
    """`text` with one hook of ours for each event that is to be registered.

    One that is there keeps its place and its settings and only gets the command, for Codex trusts
    a hook by its place. Raises ValueError with a sentence where `text` isn't shaped as agents want.
    """
    entries = registration.entries(command)
    _check_shape(text, entries)
    root = parse(text) if text.strip() else None
    if not isinstance(root, Container) or not root.items:
        return _begun(text, registration.header | {HOOKS: {e: [item] for e, item in entries.items()}})
    for event, entry in entries.items():
        text = _registered(text, agent, event, entry, command)
    seen: set[str] = set()
    surplus: list[Handler] = []
    for handler in handlers(text, agent):
        if handler.event not in entries or handler.event in seen:
            surplus.append(handler)
        seen.add(handler.event)
    for handler in reversed(surplus):
        text = _removed(text, handler, None)
    return text


def without_hooks(text: str, agent: AgentName, original: str | None = None) -> str:
    """`text` without our hooks, and without what only they had needed.

    `original` is what it was before the first of them: lists that were empty then stay.
    """
    before = None if original is None else without_hooks(original, agent)
    for handler in reversed(handlers(text, agent)):
        text = _removed(text, handler, before)
    return text


def is_complete(text: str, agent: AgentName, registration: Registration) -> bool:
    """Whether each event has one hook of ours, and no other event has any."""
    events = [handler.event for handler in handlers(text, agent)]
    return sorted(events) == sorted(registration.events)


def _of_entry(entry: object, event: str, path: tuple[Step, ...], agent: AgentName) -> Iterator[Handler]:
    if not isinstance(entry, dict):
        return
    inner = entry.get(HOOKS)
    if isinstance(inner, list):
        for place, handler in enumerate(inner):
            yield from _of_entry(handler, event, (*path, HOOKS, place), agent)
        return
    for key in COMMAND_KEYS:
        command = entry.get(key)
        if isinstance(command, str) and is_ours(command, agent):
            yield Handler(event, path, key, command)
            return


def _check_shape(text: str, entries: Mapping[str, Json]) -> None:
    if not text.strip():
        return
    root = parse(text)
    if not isinstance(root, Container) or not root.is_object:
        raise ValueError(_("it holds no object"))
    hooks = root.at(HOOKS)
    if hooks is None:
        return
    if not isinstance(hooks.value, Container) or not hooks.value.is_object:
        raise ValueError(_('"hooks" is not an object'))
    for event in entries:
        item = hooks.value.at(event)
        if item is not None and (not isinstance(item.value, Container) or item.value.is_object):
            raise ValueError(_('"{event}" in "hooks" is not a list', event=event))


def _begun(text: str, content: Json) -> str:
    """An empty text or object, filled."""
    if not text.strip():
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    for key, value in content.items():
        text = append(text, (), value, key)
    return text


def _registered(text: str, agent: AgentName, event: str, entry: Json, command: str) -> str:
    for handler in handlers(text, agent):
        if handler.event == event:
            if handler.command == command:
                return text
            return replace(text, (*handler.path, handler.command_key), command)
    if find(text, (HOOKS,)) is None:
        return append(text, (), {event: [entry]}, HOOKS)
    if find(text, (HOOKS, event)) is None:
        return append(text, (HOOKS,), [entry], event)
    return append(text, (HOOKS, event), entry)


def _removed(text: str, handler: Handler, before: str | None) -> str:
    """`text` without a handler, and without the group, list and object that this leaves empty."""
    path = handler.path
    while True:
        text = remove(text, path)
        path = path[:-1]
        if len(path) > 2 and path[-1] == HOOKS:
            # A group that holds no handler has no use, whatever else it says.
            holder = find(text, path)
            if isinstance(holder, Container) and not holder.items:
                path = path[:-1]
                continue
            return text
        holder = find(text, path)
        if not path or not isinstance(holder, Container) or holder.items:
            return text
        if before is not None and before.strip() and find(before, path) is not None:
            return text
