"""The start of a session is the one event that is answered: with what the agent should know.

At its end what waits in the spool is stored too. Both within a fraction of a second, whatever state
the memory is in; where anything is amiss there is no answer.
"""

from __future__ import annotations

import json
import posix
import sys
from pathlib import Path

BUDGET_SECONDS = 0.15
PATIENCE_SECONDS = 0.05
WATCHDOG_SECONDS = 0.55
"""After so long the process ends, with nothing said; MEMTUI_HOOK_SECONDS gives it more on a machine
that is slow."""


def answer(agent: str, raw: bytes, database: bytes) -> None:
    """Store what waits, and print the context that the agent of a starting session takes."""
    watch()
    if "apsw" not in sys.modules:
        find_packages()
    from ..connection import wait_when_busy
    from ..store import Store
    from .agents import events_of
    from .agents.sniffing import sniff
    from .drain import drain
    from .spool import SpoolRecord

    record = SpoolRecord(0, 0, agent, telling(), str(Path.cwd()), json.loads(raw))
    event = next(iter(events_of(record)), None)
    if event is None or event.kind not in ("session_start", "session_end"):
        return
    path = database.decode("utf-8", "surrogateescape")
    with Store.open(path, patience=PATIENCE_SECONDS) as store:
        drain(store, seconds=BUDGET_SECONDS, patience=PATIENCE_SECONDS)
        wait_when_busy(store.db, PATIENCE_SECONDS)
        if event.kind == "session_end" or event.subagent:
            return
        from ..context import context

        project, _ = store.known_projects.of(event.cwd)
        text = context(store, project)
    shape = SHAPES.get(sniff(record))
    if text and shape is not None:
        posix.write(1, shape(text, str(record.event.get("hook_event_name", ""))).encode())


def telling() -> frozenset[str]:
    """The variables of the environment that tell which agent runs this."""
    from .appending import TELLING

    return frozenset(name.decode() for name in TELLING if name in posix.environ)


def find_packages() -> None:
    """Let the packages that belong to this program be imported: the hook started without them."""
    import site

    site.main()


def watch() -> None:
    """End the process when it has taken too long."""
    import signal

    signal.signal(signal.SIGALRM, lambda *_: posix._exit(0))
    given = posix.environ.get(b"MEMTUI_HOOK_SECONDS", b"")
    seconds = float(given) if given.isdigit() and int(given) else WATCHDOG_SECONDS
    signal.setitimer(signal.ITIMER_REAL, seconds)


def as_claude(text: str, name: str) -> str:
    """For Claude Code, Codex (which refuses any other key), Gemini and Trae."""
    output = {"hookEventName": name, "additionalContext": text}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False)


def as_cursor(text: str, _name: str) -> str:
    """For Cursor."""
    return json.dumps({"additional_context": text}, ensure_ascii=False)


def as_copilot(text: str, _name: str) -> str:
    """For Copilot, which reads only the top level."""
    return json.dumps({"additionalContext": text}, ensure_ascii=False)


def as_text(text: str, _name: str) -> str:
    """For OpenCode, whose plugin adds it to the system prompt."""
    return text


SHAPES = {
    "claude-code": as_claude,
    "codex": as_claude,
    "gemini": as_claude,
    "trae": as_claude,
    "cursor": as_cursor,
    "copilot": as_copilot,
    "opencode": as_text,
}
"""How each agent takes its context; Windsurf takes none from a hook."""
