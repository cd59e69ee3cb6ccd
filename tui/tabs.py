"""The tabs of the top line: the screens that are one key apart, by name, as wide as there is room.

It imports next to nothing: the first frame has them too, and comes before Textual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Tab(NamedTuple):
    """A screen in the top line: the mode it is, its key, its name, and what it is for."""

    mode: str
    key: str
    name: str
    tooltip: str


TABS = (
    Tab("search", "1", "Search", "Find memories by words and filters"),
    Tab("timeline", "2", "Timeline", "What happened around the selection"),
    Tab("sessions", "3", "Sessions", "The agents' working sessions"),
    Tab("facts", "4", "Facts", "Facts, and notes such as MEMORY.md"),
    Tab("agents", "5", "Agents", "Hook agents up; how capture is doing"),
    Tab("queue", "6", "Queue", "What waits for an observer, and what failed"),
    Tab("composer", "7", "Composer", "Choose what a session is told"),
    Tab("statistics", "8", "Statistics", "The memory in figures, by time"),
    Tab("files", "9", "Files", "What agents are told, and note themselves"),
)

OF_CAPTURE = ("agents", "queue", "files")
"""The modes that only the memory of today has."""
OF_AGENTS = (*OF_CAPTURE, "composer")
"""The modes that only one's own memory has."""


def tabs_of(owner: str, as_of: str, keys: Mapping[str, str] | None = None) -> tuple[Tab, ...]:
    """Return the tabs over a memory: `owner` is whose it is, where it is not the user's, and `as_of`
    says of when it is, where it is not of now. `keys` are those that the user chose, by the ids of
    bindings."""
    # Agents work with the user's own memory, never with what is gone afterwards.
    missing = OF_AGENTS if owner else OF_CAPTURE if as_of else ()
    tabs = (tab for tab in TABS if tab.mode not in missing)
    if not keys:
        return tuple(tabs)
    chosen = {tab.mode: keys.get(f"app.{tab.mode}", tab.key) for tab in TABS}
    return tuple(tab._replace(key=chosen[tab.mode].partition(",")[0] or ",") for tab in tabs)


BRAND = " memtui "
LEAST_BESIDE, USUAL_BESIDE = 14, 30
"""Cells that the top line leaves beside the names of all tabs, and beside those of some: a number of
memories, and with it what is new or when the last event came."""


def tab_labels(
    tabs: Sequence[Tab], current: str, place: str, width: int, amiss: int = 0, worst: int = 0
) -> tuple[str, list[str]]:
    """Return the brand, or nothing where there is no room, and the label of each tab.

    As many have their names as there is room for, the first ones and the `current` one; the others are
    numbers. `place` is where one is within it, `` at its first screen. What is `amiss` takes so
    many cells, the `worst` of it so many; this comes before all but the current tab.
    """
    spelt = [f" {tab.key} {tab.name} " for tab in tabs]
    short = [f" {tab.key} " for tab in tabs]
    at = next((at for at, tab in enumerate(tabs) if tab.mode == current), None)
    if at is not None:
        inside = f"{spelt[at]}› {place} " if place else spelt[at]
        spelt[at] = short[at] = inside
    tight = [f" {tab.key}" for tab in tabs]
    if at is not None:
        tight[at] = f" {tabs[at].key} {place or tabs[at].name} "
    if at:
        # The current one is marked by its background, which a number isn't to touch.
        tight[at - 1] += " "
    alone = [label if index == at else "" for index, label in enumerate(tight)]
    least = max(LEAST_BESIDE, amiss)
    some = [[*spelt[:many], *short[many:]] for many in range(len(tabs) - 1, 0, -1)]
    ways = [(BRAND, spelt, least), ("", spelt, least)]
    ways += [("", labels, max(USUAL_BESIDE, amiss)) for labels in some]
    ways += [("", short, amiss), ("", tight, amiss)]
    if amiss:
        ways += [("", tight, worst), ("", alone, 0)]
    fitting = (
        (brand, labels)
        for brand, labels, kept in ways
        if len(brand) + sum(map(len, labels)) <= width - kept
    )
    tightest = [label.rstrip() if index == at else label for index, label in enumerate(tight)]
    return next(fitting, ("", tightest))
