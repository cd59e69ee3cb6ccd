"""The fast path: answer the start of a session from what is stored, importing SQLite and little more.

Whatever is unusual (a sub-agent, an unknown project, a memory that has to be upgraded) is left to the
store. A test compares the two answers.
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
MOST_READ = 65_536
"""Unstored bytes of a segment that are looked at."""

EVENT = "SELECT key, iif(key = 'workspace_roots', value ->> 0, atom) FROM json_each(?)"
PROJECT = "SELECT project FROM project_places WHERE kind = 'root' AND place = ?"


class FastAnswer:
    """What to print, and whether it is complete: no unstored event could add to it."""

    def __init__(self, answer: bytes, is_complete: bool, log: Callable[[], object]) -> None:
        self.answer = answer
        self.is_complete = is_complete
        self.log = log
        """Appends to the context log; called after the answer was printed, for the agent waits for that."""


def fast_answer(
    agent: str, raw: bytes, database: bytes, environment: frozenset[str]
) -> FastAnswer | None:
    """The answer to an event; None where the store has to find it."""
    import apsw

    from ...database import SCHEMA

    try:
        path = database.decode()
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        db.set_busy_timeout(PATIENCE_MS)
        # A file of any other schema is left to the store.
        if db.pragma("user_version") != SCHEMA or db.readonly("main"):
            return None
        return _answer(db, agent, raw, database, environment)
    except (apsw.Error, OSError, ValueError):
        return None


def _answer(
    db: apsw.Connection, agent: str, raw: bytes, database: bytes, environment: frozenset[str]
) -> FastAnswer | None:
    """The answer from a memory that can be read."""
    payload = dict(db.execute(EVENT, (raw.decode(),)))
    name = payload.get("hook_event_name")
    if name not in NAMES or any(payload.get(key) for key in CHILDREN):
        return None
    known = BY_NAME[agent_of_event(agent, payload, environment)]
    project = db.execute(PROJECT, (root_of(payload, known),)).get
    if project is None:
        return None
    from ...context.block import compose

    context = compose(db, str(project))
    answer = known.answer(db, name, context.text)

    def log() -> None:
        if not answer:
            return
        from ...context.log import append_log_entry

        # The disk isn't waited for: what a power failure takes is a log entry, not a memory.
        db.pragma("synchronous", "NORMAL")
        db.wal_autocheckpoint(0)
        append_log_entry(db, known.name, session_of(payload), str(project), context)

    return FastAnswer(answer, not has_unstored(db, database), log)


def root_of(payload: dict[str, Any], agent: Agent) -> str:
    """The directory of the repository in which a session starts, else the one in which it does: as
    the event says, else the hook's own."""
    fields = (payload.get(key) for key in agent.directory_fields)
    named = (found for found in fields if isinstance(found, str) and found.strip())
    folder = next(named, None) or posix.getcwd()
    return repository_root(folder) or folder


def session_of(payload: dict[str, Any]) -> str:
    """The agent's own id of the session; empty where there is none."""
    named = (payload.get(key) for key in SESSIONS)
    return next((name for name in named if isinstance(name, str) and name), "")


def has_unstored(db: apsw.Connection, database: bytes) -> bool:
    """Whether the spool has unstored events other than starts of sessions, which no context shows."""
    stored = dict(db.execute("SELECT segment, stored FROM spool_segments"))
    folders = [folder for folder in fallback_spools(database) if is_private_directory(folder)]
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
    """Whether a segment has such events; `stored` are the bytes stored of each segment, by its key."""
    status = posix.stat(path)
    key = f"{path.rpartition(b'/')[2].decode()}:{status.st_dev}:{status.st_ino}"
    begin = stored.get(key, 0)
    size = status.st_size - begin
    if size == 0:
        return False
    if not 0 < size <= MOST_READ:
        return True
    file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        lines = posix.pread(file, size, begin).split(b"\n")
    finally:
        posix.close(file)
    return any(line and not any(mark in line for mark in STARTS) for line in lines)
