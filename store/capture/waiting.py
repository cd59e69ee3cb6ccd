"""Which sessions wait for their user, and which are at work: as their agents' own processes write it down,
else as the last hook tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from ..agents.homes import AgentHomes, read_json
from ..agents.registry import BY_NAME
from ..database.files.temporary import is_running
from ..store import Store

State = Literal["busy", "waiting"]
NEWEST = 50
"""So many sessions are looked at, and those that an agent's process says it is in."""
BUSY_MS = 600_000
"""A prompt or a tool that nothing followed for so long says no more that its agent is at work."""
OF_FILES: dict[str, State] = {"busy": "busy", "waiting": "waiting", "idle": "waiting", "shell": "waiting"}
"""What the word in a file means: an idle agent waits for the next prompt, be it with a shell beside."""

LAST_HOOK = """
SELECT kind, max(at) FROM captured_events
WHERE session_id = ? AND channel <> 'transcript' AND kind IN ('prompt', 'tool', 'reply')
"""


def states(store: Store, now: int, homes: AgentHomes | None = None) -> dict[int, State]:
    """Return the state at `now` (ms) of the sessions of which one is known, by their ids."""
    homes = homes or AgentHomes.own()
    results: dict[int, State] = {}
    with_states: set[str] = set()
    silent: set[int] = set()
    for agent in BY_NAME.values():
        if not agent.states:
            continue
        folder = agent.folders(homes.home, homes.environment)[0] / agent.states
        if not folder.is_dir():
            continue
        with_states.add(agent.name)
        for key, word in _of_processes(folder):
            if (session := store.sessions.find(key, agent.name)) is None:
                continue
            if word in OF_FILES:
                results[session.id] = OF_FILES[word]
            else:
                silent.add(session.id)
    for row in store.sessions.list(limit=NEWEST):
        session = row.session
        # Where processes write it down, one that doesn't has ended, whatever its last hook was.
        is_dead = session.agent in with_states and session.id not in silent
        if session.id in results or is_dead or row.status_at(now) != "active":
            continue
        rows: Any = store.db.execute(LAST_HOOK, (session.id,)).fetchall()
        for kind, at in rows:
            if kind == "reply":
                results[session.id] = "waiting"
            elif kind and now - at < BUSY_MS:
                results[session.id] = "busy"
    return results


def _of_processes(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the session and the state that the file of each process says which runs."""
    for path in sorted(folder.glob("[0-9]*.json")):
        content = read_json(path)
        key, started = content.get("sessionId"), content.get("procStart")
        if path.stem.isdecimal() and isinstance(key, str) and _runs(int(path.stem), started):
            yield key, str(content.get("status"))


def _runs(process: int, started: object) -> bool:
    """Whether a process runs that started then, in the ticks of /proc where there is one: its number may be
    another's by now."""
    if not is_running(process):
        return False
    with suppress(OSError, IndexError):
        stat = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
        return started is None or stat.rpartition(")")[2].split()[19] == str(started)
    return True
