"""What agents do, in one shape: an event, whether a hook or a transcript reported it.

An agent's module (`memtui.store.agents`) makes them of its hooks' payloads, its transcript reader
(`memtui.store.formats.transcripts`) of its files; `memtui.store.capture.ingest` stores each once, whichever
way and however often it came.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from .dataclasses import dataclass, field

AgentName = str
"""An agent's name; `memtui.store.agents.registry.AGENTS` are those that are known."""

EventKind = Literal[
    "session_start",
    "instructions",
    "prompt",
    "tool",
    "reply",
    "report",
    "compaction",
    "usage",
    "rewind",
    "session_end",
]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A use of a tool: the tool's name as the agent calls it, its input and its output.

    `input` and `response` are JSON values (an object, a list, a text), None where they aren't reported.
    `exit_code` is a command's, where the agent tells it apart from the response.
    """

    name: str
    input: object = None
    response: object = None
    failed: bool = False
    exit_code: int | None = None
    never_ended: bool = False
    """Whether nothing was told of its end, by an agent that tells it of others."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one answer of a model. Of those written to the cache `cache_hour` are kept for an hour,
    which costs more than the usual five minutes."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0
    cache_hour: int = 0


FOR_AN_HOUR = " 1h"
"""Ends the name of the row that has the tokens of an answer which the cache keeps for an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened in a session of an agent.

    `session` is the agent's own id of the session; of a sub-agent's events it is the session that
    started it, where that is known. `at` is in ms since the epoch, UTC, None where it isn't reported.

    `key` is what the agent calls the event within its session (a tool call's id, a turn's id),
    stored as `event_key` has it; None where it has no name. `shared` says that hook and transcript
    both call it by this key, so that two keys are two events; otherwise two reports are matched by
    content and time.

    `text` is the prompt, the reply, the report of a sub-agent, or the summary of a compaction.
    """

    kind: EventKind
    agent: str
    session: str
    at: int | None = None
    key: str | None = None
    shared: bool = False
    is_final: bool = True
    """Of a reply: it ends the turn; False for what is said between tool calls."""
    subagent: str | None = None
    """The sub-agent's id, where one did it: its prompts and replies are no user's, its tools count."""
    call: str | None = None
    """Of a report: the key of the call that started the sub-agent, where that is told. A report without
    a text only tells this."""
    cwd: str | None = None
    text: str = ""
    tool: ToolUse | None = None
    usage: Usage | None = None
    model: str = ""
    """Of usage: the model that answered, by its maker's name; `` where it isn't told."""
    tokens: int = 0
    """Output tokens that it cost to find out, where they are reported; counted once a message."""
    title: str | None = None
    """The session's title, where the event has it."""
    old_title: str | None = None
    """The title in whose place it comes, where the agent or the user gave the session another one."""
    transcript: str | None = None
    """The file in which the agent itself writes the session down."""
    branch: str | None = None
    """The git branch on which it happened, where the event has it."""
    automatic: bool = False
    """Of session_start: a program started the session, nobody types in it."""
    parent: str | None = None
    """Of session_start: the agent's own id of the session that it goes on from, as a fork does."""
    failed: bool = False
    """Of session_end: the session ended by an error."""
    taken_back: tuple[str, ...] = ()
    """Of a rewind: the keys of the prompts that the user took back; `AT CONTENT` of one without a key."""
    extra: dict[str, object] = field(default_factory=dict)
    """Whatever else is worth storing, as JSON values."""


@dataclass(frozen=True, slots=True)
class SpoolRecord:
    """What a hook wrote to the spool.

    `at` is when it ran (ms since the epoch, UTC), `took` for how many microseconds; `agent` is the one
    that its command names, `env` the variables that were set which tell of agents, `cwd` its directory,
    `cleaned` the version of the table of secrets by which the event was cleaned, empty for none.
    """

    at: int
    took: int
    agent: str
    env: frozenset[str]
    cwd: str
    event: dict[str, Any]
    cleaned: str = ""


OTHER_CHANNEL_MS = 600_000
"""Two reports of equal content, by a hook and a transcript, are of one event within this time."""
LONGEST_KEY = 200
CONTENT_HASH = re.compile("[0-9a-f]{16}")
OF_A_REPLY = ":reply:"


def event_key(kind: str, key: str) -> str:
    """Return an event's key as it may be stored: an id as it is, and in place of any text a hash of it
    that is keyed by its first word, the turn's id; 32 hexadecimal digits.

    A key outlasts its event, which is deleted, purged or left behind by an export: no word of what was
    said may stand in it. A key that was made so stays what it is.
    """
    words = key.split(" ")
    if kind != "reply" and len(words) > 1 and CONTENT_HASH.fullmatch(words[-1]):
        # Two words are those of an agent that names a turn and a time.
        is_id = len(words) <= 3
    else:
        is_id = len(words) == 1
    if is_id and len(key) <= LONGEST_KEY and key.isascii() and key.isprintable():
        return key
    salt = words[0].encode("utf-8", "replace")[:64]
    # OpenSSL, which this imports, isn't needed by a search.
    from hashlib import blake2b

    return blake2b(key.encode("utf-8", "replace"), key=salt, digest_size=16).hexdigest()


def stored_event_key(kind: str, key: str) -> str:
    """Return a key of `captured_events` as it may be stored: in that of an older memory, the agent's own
    key follows the name of the channel."""
    channel, _, own = key.partition(" ")
    if channel not in ("hook", "transcript"):
        return event_key(kind, key)
    at, _, content = own.partition(" ")
    if at.isdigit() and CONTENT_HASH.fullmatch(content):
        return key
    return f"{channel} {event_key(kind, own)}"


def stored_event_id(event_id: str) -> str:
    """Return the id of a queued reply as it may be stored; any other as it is."""
    session, mark, key = event_id.partition(OF_A_REPLY)
    return f"{session}{mark}{event_key('reply', key)}" if mark else event_id
