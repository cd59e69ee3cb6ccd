"""A session's start in the plain case, answered from what is stored, with SQLite and no more.

Whatever is unusual (a sub-agent, a project that isn't known yet, a memory that has to be upgraded)
is left to the store. A test holds the two equal.
"""

from __future__ import annotations

import posix

from ...agents.registry import BY_NAME, agent_of_event
from ...paths import fallback_spools, is_private_directory, repository_root, spool_path
from .stdin import STARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import apsw

    from ...agents.base import Agent


NAMES = tuple(mark.strip(b'"').decode() for mark in STARTS)
SESSIONS = ("session_id", "sessionId", "conversation_id")
CHILDREN = ("agent_id", "agentId", "parent_id", "parentAgentId", "parent_agent_id")
PATIENCE_MS = 50
MOST_WAITING = 65_536
"""Bytes of a segment in which it is looked for what waits."""

EVENT = "SELECT key, iif(key = 'workspace_roots', value ->> 0, atom) FROM json_each(?)"
PROJECT = "SELECT project FROM project_places WHERE kind = 'root' AND place = ?"


class FastAnswer:
    """What to print, and whether that is all: nothing waits that could be told, too."""

    def __init__(self, answer: bytes, is_all: bool, note: Callable[[], object]) -> None:
        self.answer = answer
        self.is_all = is_all
        self.note = note
        """Notes what was given, once it was: the agent is not kept waiting for it."""


def fast_answer(
    agent: str, raw: bytes, database: bytes, environment: frozenset[str]
) -> FastAnswer | None:
    """The answer to an event, from what is stored; None where it is not plain."""
    import apsw

    from ...database import SCHEMA

    try:
        path = database.decode()
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        db.set_busy_timeout(PATIENCE_MS)
        # A file of any other schema is left to the store.
        if db.pragma("user_version") != SCHEMA or db.readonly("main"):
            return None
        return answered(db, agent, raw, database, environment)
    except (apsw.Error, OSError, ValueError):
        return None


def answered(
    db: apsw.Connection, agent: str, raw: bytes, database: bytes, environment: frozenset[str]
) -> FastAnswer | None:
    """The same with a memory that can be read."""
    told = dict(db.execute(EVENT, (raw.decode(),)))
    name = told.get("hook_event_name")
    if name not in NAMES or any(told.get(key) for key in CHILDREN):
        return None
    whose = BY_NAME[agent_of_event(agent, told, environment)]
    project = db.execute(PROJECT, (root_of(told, whose),)).get
    if project is None:
        return None
    from ...context.block import compose

    given = compose(db, str(project))
    answer = whose.answer(db, name, given.text)

    def note() -> None:
        if not answer:
            return
        from ...context.log import append_log_entry

        # No disk is waited for: what a machine's failure takes is a note, not a memory.
        db.pragma("synchronous", "NORMAL")
        db.wal_autocheckpoint(0)
        append_log_entry(db, whose.name, session_of(told), str(project), given)

    return FastAnswer(answer, not has_unstored(db, database), note)


def root_of(told: dict[str, Any], agent: Agent) -> str:
    """The directory of the repository in which a session starts, else the one in which it does: as
    the event says, else the hook's own."""
    fields = (told.get(key) for key in agent.directory_fields)
    named = (found for found in fields if isinstance(found, str) and found.strip())
    folder = next(named, None) or posix.getcwd()
    return repository_root(folder) or folder


def session_of(told: dict[str, Any]) -> str:
    """The name that an agent has for its session."""
    named = (told.get(key) for key in SESSIONS)
    return next((name for name in named if isinstance(name, str) and name), "")


def has_unstored(db: apsw.Connection, database: bytes) -> bool:
    """Whether more waits in the spool than starts of sessions, of which no context tells."""
    stored = dict(db.execute("SELECT segment, stored FROM spool_segments"))
    folders = [place for place in fallback_spools(database) if is_private_directory(place)]
    for folder in (spool_path(database), *folders):
        try:
            names = posix.listdir(folder)
        except OSError:
            continue
        for name in names:
            if name.endswith(b".jsonl") and is_unstored(folder + b"/" + name, stored):
                return True
    return False


def is_unstored(path: bytes, stored: dict[str, int]) -> bool:
    """Whether more waits in a segment, of those with so many bytes stored."""
    found = posix.stat(path)
    key = f"{path.rpartition(b'/')[2].decode()}:{found.st_dev}:{found.st_ino}"
    begin = stored.get(key, 0)
    size = found.st_size - begin
    if size == 0:
        return False
    if not 0 < size <= MOST_WAITING:
        return True
    file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        lines = posix.pread(file, size, begin).split(b"\n")
    finally:
        posix.close(file)
    return any(line and not any(mark in line for mark in STARTS) for line in lines)
