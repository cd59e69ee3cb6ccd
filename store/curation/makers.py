"""Who made a change, in words: which command or key, which agent, on which machine."""

from __future__ import annotations

from ..database import recording
from ..tables.history import JournalEntry, Version

CHANNELS = ("hook", "transcript")
"""What an agent writes by without a command; shown after its name: "codex hook"."""


def maker(one: JournalEntry | Version, here: str) -> str:
    """Return by what, by whom and where a change was made: "mem edit (codex) on atlas", "claude-code
    hook"; "" where nobody noted it. `here` is the id of this memory's machine."""
    place = where(one, here)
    return " ".join((by(one), place)).strip()


def short_maker(one: JournalEntry | Version, here: str) -> str:
    """Return what `maker` does, without the machine where it is this one."""
    return by(one) if one.host == recording.host_name() else maker(one, here)


def by(one: JournalEntry | Version) -> str:
    """Return the command or key, and the agent that ran it."""
    if one.via and one.agent:
        return f"{one.agent} {one.via}" if one.via in CHANNELS else f"{one.via} ({one.agent})"
    return one.via or one.agent or ""


def where(one: JournalEntry | Version, here: str) -> str:
    """Return the machine by its name, or by its id for a change that came from another memory."""
    if one.host:
        return f"on {one.host}"
    return f"on machine {one.machine[:8]}" if one.machine not in ("", here) else ""
