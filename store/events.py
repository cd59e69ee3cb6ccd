"""What agents do, in one shape: an event, whether a hook or a transcript reported it.

An agent's module (`store.agents`) makes them of its hooks' payloads, its transcript reader
(`store.formats.transcripts`) of its files; `store.capture.ingest` stores each once, whichever
way and however often it came.
"""

from __future__ import annotations

from typing import Any, Literal

from .records.dataclasses import dataclass, field

AgentName = str
"""An agent's name; `store.agents.registry.AGENTS` are those that are known."""

EventKind = Literal[
    "session_start", "prompt", "tool", "reply", "compaction", "usage", "session_end"
]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A use of a tool: the tool's name as the agent calls it, its input and its output.

    `input` and `response` are JSON values (an object, a list, a text), None where they aren't reported.
    """

    name: str
    input: object = None
    response: object = None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one answer of a model."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in a session of an agent.

    `session` is the agent's own id of the session; of a sub-agent's events it is the session that
    started it, where that is known. `at` is in ms since the epoch, UTC, None where it isn't reported.

    `key` is what the agent calls the event within its session (a tool call's id, a turn's id);
    None where it has no name. `shared` says that hook and transcript both call it by this key, so
    that two keys are two events; otherwise two reports are matched by content and time.

    `text` is the prompt, the reply, or the summary of a compaction.
    """

    kind: EventKind
    agent: str
    session: str
    at: int | None = None
    key: str | None = None
    shared: bool = False
    subagent: str | None = None
    """The sub-agent's id, where one did it: its prompts and replies are no user's, its tools count."""
    cwd: str | None = None
    text: str = ""
    tool: ToolUse | None = None
    usage: Usage | None = None
    tokens: int = 0
    """Output tokens that it cost to find out, where they are reported; counted once a message."""
    title: str | None = None
    """The session's title, where the event has it."""
    transcript: str | None = None
    """The file in which the agent itself writes the session down."""
    failed: bool = False
    """Of session_end: the session ended by an error."""
    extra: dict[str, object] = field(default_factory=dict)
    """Whatever else is worth storing, as JSON values."""


@dataclass(frozen=True, slots=True)
class SpoolRecord:
    """What a hook wrote to the spool.

    `at` is when it ran (ms since the epoch, UTC), `took` for how many microseconds; `agent` is the one
    that its command names, `env` the variables that were set which tell of agents, `cwd` its directory.
    """

    at: int
    took: int
    agent: str
    env: frozenset[str]
    cwd: str
    event: dict[str, Any]
