"""Who made a change, in words: which command or key, which agent, on which machine."""

from __future__ import annotations

from ..database import recording
from ..platform.translation import _
from ..tables.history import JournalEntry, Version

CHANNELS = ("hook", "transcript")
"""What an agent writes by without a command; shown after its name: "codex hook"."""

IN_BROWSER = " in memtui"
"""What stands behind a key of the browser."""


def maker(item: JournalEntry | Version, here: str) -> str:
    """Return by what, by whom and where a change was made: "mem edit (codex) on atlas", "claude-code
    hook"; "" where nobody noted it. `here` is the id of this memory's machine."""
    place = where(item, here)
    return " ".join((by(item), place)).strip()


def short_maker(item: JournalEntry | Version, here: str) -> str:
    """Return what `maker` does, without the machine where it is this one."""
    return by(item) if item.host == recording.host_name() else maker(item, here)


def by(item: JournalEntry | Version) -> str:
    """Return the command or key, and the agent that ran it."""
    via = item.via
    if via.endswith(IN_BROWSER):
        via = _("{key} in memtui", key=via.removesuffix(IN_BROWSER))
    if via and item.agent:
        return f"{item.agent} {via}" if via in CHANNELS else f"{via} ({item.agent})"
    return via or item.agent or ""


def where(item: JournalEntry | Version, here: str) -> str:
    """Return the machine by its name, or by its id for a change that came from another memory."""
    if item.host:
        return _("on {machine}", machine=item.host)
    if item.machine in ("", here):
        return ""
    return _("on machine {id}", id=item.machine[:8])
