"""Which events are stored, and as what: not our own work, nothing excluded, clean, and once.

A hook may be registered twice, two agents' hooks may report one session, and a transcript repeats what
the hooks reported. Where both channels name events by the same keys, the key decides. Otherwise two
reports are of one event if their content is equal and their times are close; a report without a time
matches the first event of equal content.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import apsw

from ...agents.payload import HOUSEKEEPING, content_hash
from ...agents.registry import BY_NAME
from ...platform.paths import observer_directory
from ...records.dataclasses import annotations_of, dataclass, replace
from ...records.events import OTHER_CHANNEL_MS, Event, event_key
from ...store import Store
from .. import settings
from .cleaning import clean_event_texts
from .exclusion import Exclusions

Channel = Literal["hook", "transcript"]

NOT_TYPED = tuple(prompt for agent in BY_NAME.values() for prompt in agent.own_prompts)
"""Prompts that begin so were written by an agent."""

OF_A_PROGRAM = re.compile(
    r"\s*(?:<(?:channel|webhook|heartbeat|tick|hook_prompt|automation)[\s>]"
    r"|<(?:[a-z]{1,20}[-_])?(?:teammate|team|agent|peer|coordinator|session|system|task|background|subagent"
    r"|channel|webhook|event|cron|schedule[d]?|loop|automation|monitor|hook|mailbox|ci|pr|build|review)[-_]"
    r"(?:message|notification|notice|event|wakeup|task|feedback|reminder|trigger|activity|update|prompt"
    r"|job|run|result|output)s?\b"
    r"|\{\"task_id\":|\[SYSTEM(?: [A-Z]+)*\]|\[SYSTEM NOTIFICATION|Stop hook feedback:"
    r"|\[(?:Cross-session|Teammate) message)",
    re.IGNORECASE,
)
"""How a message begins that stands in a prompt's place, and was written by a teammate, another session, a
webhook, a schedule, a hook or the agent's own system."""

TAG = re.compile(r"\s*<([\w-]+)")

BLOCK = re.compile(
    r"\s*<(?![\w-]*(?:user|query|question|request|task|report|description|feedback|prompt|message))"
    r"([a-z]+(?:[-_][a-z]+)+)(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
"""Where a block begins whose name is words joined: programs write them as the user, and of the languages
that people paste next to none has such elements with `_`. Some put what was typed into one."""
PROSE = 4
"""Words without a tag that make a block with a `-` in its name a program's: people paste such, too."""
OTHER_MEMORIES = frozenset(
    ("claude-mem", "codexmem", "trae-mem", "engram", "basic-memory", "memsearch", "hindsight", "mem0")
)
"""Programs whose observers run an agent in a folder of their own."""
OF_PROGRAMS = frozenset(("plugins", "share", "Application Support"))
"""Folders that hold what programs keep, rather than what a person works on."""

INJECTED = re.compile(
    r"(?:# Handoff\s+)?<(ide_opened_file|ide_selection|hook_context|system_reminder|current_datetime"
    r"|memtui-context|memtui-handoff)\b[^<>]{0,512}>",
    re.IGNORECASE,
)

HANDED_OVER = re.compile(r"<memtui-handoff\b[^<>]{0,100} session=\"([0-9a-f-]{36})\"")
"""What names the session, by its uid, that a prompt hands over."""
OUR_COMMANDS = {
    "Search the memory of earlier coding sessions for: ": "/mem",
    "Store this in the memory for later sessions: ": "/remember",
}
"""How the texts begin that our own slash commands expand to, which some agents report as the prompt."""
OUR_SERVER = "of the server `memtui`"
WRAPPED = ("<user_query>", "</user_query>")

SAME_CHANNEL_MS = 2_000
"""Two reports without a key, of equal content and by one channel, are of one event within this time."""

UNFINISHED = "unfinished"

INSERT = """
INSERT INTO captured_events (session_id, kind, key, content, at, channel, shared, record_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanEvent(Event):
    """An event as it may be stored: clean, with a session, its key as ids are kept, its text without what
    agents put around it; and how it came."""

    channel: Channel
    moment: int
    """When it happened, ms since the epoch; where nothing says so, about when it was told."""
    told_at: int
    """The same, 0 where nothing says so."""
    content: str
    """The hash of its content."""
    handed_over: str = ""
    """Of a prompt: the uid of the session that it hands over."""

    @property
    def stored_key(self) -> str:
        """The key that it is stored under: its own, else one of its content and time."""
        if self.key is None:
            return f"{self.channel} {self.told_at} {self.content}"
        return self.key if self.shared else f"{self.channel} {self.key}"

    @property
    def is_unfinished(self) -> bool:
        """Whether a tool was called and has given no output."""
        return self.tool is not None and self.tool.response is None and not self.tool.failed


FIELDS = tuple(annotations_of(Event))
"""The names of an event's fields."""


def accepted(
    store: Store, event: Event, channel: Channel, at: int, *, is_clean: bool = False
) -> CleanEvent | None:
    """Return an event as it may be stored; None for our own work, and for what a hook would not have
    reported.

    `at` is when it happened, or was told, ms since the epoch. Private text and secrets are taken out,
    unless a hook has done so by the same table (`is_clean`).
    """
    if is_own(store, event.cwd) or (channel == "transcript" and is_unwanted(store, event, at)):
        return None
    clean = event if is_clean else clean_event_texts(event)
    is_prompt = clean.kind == "prompt"
    handed = HANDED_OVER.search(clean.text) if is_prompt else None
    text = without_injections(clean.text)
    clean = replace(
        clean,
        session=clean.session or "unknown",
        key=clean.key and event_key(clean.kind, clean.key),
        text=(as_typed(behind_programs(text)) if is_prompt else text).strip(),
    )
    return CleanEvent(
        **{name: getattr(clean, name) for name in FIELDS},
        channel=channel,
        moment=at,
        told_at=at if event.at or channel == "hook" else 0,
        content=content_hash(clean),
        handed_over=handed[1] if handed else "",
    )


def is_own(store: Store, folder: str | None) -> bool:
    """Whether a directory holds a memory, ours or another program's: what an agent does there is an
    observer's work."""
    return bool(folder) and (
        _is_of_other_memory(str(folder)) or _is_within_own(store.path.absolute(), str(folder))
    )


@lru_cache(maxsize=64)
def _is_of_other_memory(folder: str) -> bool:
    parts = Path(folder).parts
    return any(
        part.lstrip(".") in OTHER_MEMORIES and (part[0] == "." or not OF_PROGRAMS.isdisjoint(parts[:place]))
        for place, part in enumerate(parts)
    )


@lru_cache(maxsize=64)
def _is_within_own(database: Path, folder: str) -> bool:
    home = database.parent
    places = (Path(folder), *Path(folder).parents)
    return observer_directory(database) in places or (home.name == "memtui" and home in places)


def is_unwanted(store: Store, event: Event, at: int) -> bool:
    """Whether a hook would not have reported an event: it is excluded, or capture was paused then."""
    if any(begun <= at / 1_000 <= ended for begun, ended in settings.pauses(store.path)):
        return True
    globs = settings.excluded(store.path)
    payload = {"cwd": event.cwd or "", "input": event.tool.input if event.tool else None}
    return bool(globs) and Exclusions(globs).cover(payload, event.cwd or "/")


def is_noise(event: Event) -> bool:
    """Whether an event is none of the user's: an agent's own prompt, a sub-agent's talk."""
    if event.kind == "prompt":
        return (
            bool(event.subagent)
            or event.text.lstrip().startswith(NOT_TYPED)
            or OF_A_PROGRAM.match(event.text) is not None
            or is_blocks(event.text)
            or HOUSEKEEPING.fullmatch(event.text) is not None
        )
    return event.kind in ("reply", "compaction") and bool(event.subagent)


def as_typed(text: str) -> str:
    """A prompt as the user typed it, where a slash command of ours was put in its place."""
    for beginning, command in OUR_COMMANDS.items():
        if text.startswith(beginning) and OUR_SERVER in text:
            typed = text[len(beginning) :].partition("\n\n")[0].strip()
            return f"{command} {typed}"
    return text


def behind_programs(text: str) -> str:
    """A prompt without what programs put before what the user typed; all of it where nothing follows."""
    rest = text
    while OF_A_PROGRAM.match(rest) and not rest.lstrip().startswith(NOT_TYPED):
        tag = TAG.match(rest)
        if tag is None and not rest.lstrip().startswith("[SYSTEM"):
            return text
        # What is no block is a paragraph.
        _before, end, rest = rest.partition(f"</{tag[1]}>" if tag else "\n\n")
        if not end or not rest.strip():
            return text
    return rest


def is_blocks(text: str) -> bool:
    """Whether a text is nothing but blocks that programs write."""
    at = 0
    while at < len(text):
        block = BLOCK.match(text, at)
        end = text.find(f"</{block[1]}>", block.end()) if block else -1
        if block is None or end < 0:
            return at > 0 and not text[at:].strip()
        content = text[block.end() : end]
        if "-" in block[1] and (len(content.split()) < PROSE or TAG.search(content)):
            return False
        at = end + len(block[1]) + 3
    return at > 0


def without_injections(text: str) -> str:
    """A text without the blocks that agents and hooks, ours among them, put around it."""
    if "<" not in text:
        return text
    _before, opening, rest = text.partition(WRAPPED[0])
    typed, closing, _after = rest.partition(WRAPPED[1])
    if opening and closing:
        text = typed.strip()
    folded = text.lower()
    if len(folded) != len(text):
        return text
    kept: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while block := INJECTED.search(text, at):
        name = block[1].lower()
        end = -1 if name in unclosed else folded.find(f"</{name}>", block.end())
        if end < 0:
            unclosed.add(name)
            kept.append(text[at : block.end()])
            at = block.end()
        else:
            kept.append(text[at : block.start()])
            at = end + len(name) + 3
    return "".join([*kept, text[at:]]).strip() if at else text


@dataclass(frozen=True, slots=True)
class KnownEvent:
    """An event that was stored before: its key, the id of the row that it became (None for none), and
    whether it had an end (False for a tool call without its output)."""

    key: str
    record_id: int | None
    finished: bool
    is_first_report: bool = False
    """Whether this channel reports it for the first time, after the other did."""


class StoredEvent(NamedTuple):
    """A row of `captured_events`; `record_id` as `KnownEvent` has it."""

    key: str
    record_id: int | None
    content: str
    channel: str


def find_known(db: apsw.Connection, session_id: int, event: CleanEvent) -> KnownEvent | None:
    """Find the same event if it is stored, and mark it as reported by this channel too."""
    stored = stored_event(db, session_id, event)
    if stored is None:
        return None
    key, record_id, content, before = stored
    is_first_report = before not in (event.channel, "both")
    if is_first_report:
        sql = "UPDATE captured_events SET channel = 'both' WHERE (session_id, kind, key) = (?, ?, ?)"
        db.execute(sql, (session_id, event.kind, key))
        if event.key is not None and event.stored_key != key:
            # From now on this channel finds it by the key that it has there.
            values = (event.stored_key, content, 0, "both", event.shared, record_id)
            db.execute(f"{INSERT} ON CONFLICT DO NOTHING", (session_id, event.kind, *values))
    return KnownEvent(key, record_id, not content.startswith(UNFINISHED), is_first_report)


def stored_event(db: apsw.Connection, session_id: int, event: CleanEvent) -> StoredEvent | None:
    """Return how the same event is stored, None where it isn't."""
    if event.key is not None:
        rows: list[Any] = db.execute(
            "SELECT key, record_id, content, channel FROM captured_events "
            "WHERE session_id = ? AND kind = ? AND key IN (?, ?) ORDER BY length(key) DESC",
            (session_id, event.kind, event.stored_key, f"{event.stored_key} {event.content}"),
        ).fetchall()
        for row in itertools.starmap(StoredEvent, rows):
            # Prompts that are typed while an agent works have the key of one turn.
            is_own = event.kind != "prompt" or row.channel != event.channel
            if is_own or row.content == event.content:
                return row
    condition = "AND (channel <> 'both' OR abs(at - :at) <= :together)"
    if event.key is not None:
        condition = "AND channel <> :channel AND channel <> 'both'" + " AND shared = 0" * event.shared
        if (
            event.channel == "transcript"
            and event.told_at
            and event.kind != "tool"
            and not event.key.isdigit()
        ):
            # History that is told again may have other ids, but those of calls, which are the model's.
            condition = f"AND (at = :at AND channel = :channel OR {condition.removeprefix('AND ')})"
    result = db.execute(
        f"""
        SELECT key, record_id, content, channel
        FROM captured_events INDEXED BY captured_events_by_content
        WHERE session_id = :session AND kind = :kind AND content IN (:content, :unfinished) {condition}
            AND (:at = 0 OR at = 0 OR abs(at - :at) <= iif(channel = :channel, :together, :apart))
        ORDER BY at = 0, iif(:at = 0, at, abs(at - :at)) LIMIT 1
        """,
        {
            "session": session_id,
            "kind": event.kind,
            "content": event.content,
            "unfinished": event.content if event.kind != "tool" else UNFINISHED + event.content,
            "channel": event.channel,
            "at": event.told_at,
            "together": SAME_CHANNEL_MS,
            "apart": OTHER_CHANNEL_MS,
        },
    ).fetchone()
    return StoredEvent(*result) if result else None


def is_of_an_event(db: apsw.Connection, session_id: int, kinds: Sequence[str], record_id: int) -> bool:
    """Return whether a record was made of an event of one of these kinds that is known."""
    names = json.dumps(kinds)
    sql = (
        "SELECT 1 FROM captured_events WHERE record_id = ? AND session_id = ? "
        "AND kind IN (SELECT value FROM json_each(?)) LIMIT 1"
    )
    return db.execute(sql, (record_id, session_id, names)).get is not None


def remember_event(db: apsw.Connection, session_id: int, event: CleanEvent, record_id: int | None) -> None:
    """Store that an event was reported, and the row that it became (None for none)."""
    content = UNFINISHED + event.content if event.is_unfinished else event.content
    rest = (content, event.told_at, event.channel, event.shared, record_id)
    db.execute(f"{INSERT} ON CONFLICT DO NOTHING", (session_id, event.kind, event.stored_key, *rest))
    if not db.changes():
        # It shares its own key with an event stored before.
        db.execute(INSERT, (session_id, event.kind, f"{event.stored_key} {content}", *rest))


def amend_known(
    db: apsw.Connection, session_id: int, known: KnownEvent, event: CleanEvent, record_id: int | None
) -> None:
    """Store what an event has now that was stored before: an end, or the row that it became."""
    sql = "UPDATE captured_events SET content = ?, record_id = ? WHERE (session_id, kind, key) = (?, ?, ?)"
    db.execute(sql, (event.content, record_id, session_id, event.kind, known.key))
