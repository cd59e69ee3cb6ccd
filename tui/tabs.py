"""The tabs of the top line: the screens that are one key apart, by name, as wide as there is room.

It imports next to nothing: the first frame has them too, and comes before Textual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from .optional import SHOWS, has_part, part


class Tab(NamedTuple):
    """A screen in the top line: the mode it is, its key, its name, and what it is for."""

    mode: str
    key: str
    name: str
    tooltip: str


TABS = tuple(
    tab
    for tab in (
        Tab("search", "1", _("Search"), _("Find memories by words and filters")),
        Tab("timeline", "2", _("Timeline"), _("What happened around the selection")),
        Tab("sessions", "3", _("Sessions"), _("The agents' sessions, and which of them wait for you")),
        Tab("facts", "4", _("Facts"), _("Facts, and notes such as MEMORY.md")),
        Tab("capture", "5", _("Capture"), _("Agents and their hooks; what waits and what failed")),
        Tab("composer", "6", _("Composer"), _("Choose what a session is told")),
        Tab("statistics", "7", _("Statistics"), _("The store in figures, by time, and what it cost")),
        Tab("files", "8", _("Files"), _("What agents are told and note, and what a start costs")),
    )
    if tab.mode not in SHOWS or has_part(tab.mode)
)
"""The tabs of the screens that are there."""

OF_CAPTURE = ("capture", "files")
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


def screen_module(mode: str) -> Any:
    """Return the module with the first screen of a mode."""
    name = f"{mode}.screen"
    return part(name) if mode in SHOWS else import_module(f".{name}", __package__)


BRAND = " memtui "
LEAST_BESIDE = 1_000
"""The number of memories that the top line leaves room for beside the names of tabs."""
BADGE = "⚠ "
"""Stands in a tab whose screen has something that needs a person."""


def tab_labels(
    tabs: Sequence[Tab],
    current: str,
    place: str,
    width: int,
    amiss: int = 0,
    worst: int = 0,
    badged: str = "",
) -> tuple[str, list[str]]:
    """Return the brand, or nothing where there is no room, and the label of each tab.

    Where there is no room for all names, only the `current` one keeps its own beside the numbers. `place`
    is where one is within it, `` at its first screen; the tab of the mode `badged` has the badge. What is
    `amiss` takes so many cells, the `worst` of it so many; this comes before all but the current tab.
    """
    # The first frame imports it anyway.
    from rich.cells import cell_len

    badges = [BADGE if tab.mode == badged else "" for tab in tabs]
    spelt = [f" {tab.key} {tab.name} {badge}" for tab, badge in zip(tabs, badges, strict=True)]
    bare = [f" {tab.key} {badge}" for tab, badge in zip(tabs, badges, strict=True)]
    at = next((at for at, tab in enumerate(tabs) if tab.mode == current), None)
    if at is not None:
        inside = f"{spelt[at]}› {place} " if place else spelt[at]
        for labels in (spelt, bare):
            labels[at] = inside
    tight = [f" {tab.key}{badge.strip()}" for tab, badge in zip(tabs, badges, strict=True)]
    if at is not None:
        tight[at] = f" {tabs[at].key} {place or tabs[at].name} {badges[at]}"
    if at:
        # The current one is marked by its background, which a number isn't to touch.
        tight[at - 1] += " "
    alone = [label if index == at else "" for index, label in enumerate(tight)]
    least = max(cell_len(count_noun(LEAST_BESIDE, "memories")), amiss)
    ways = [(BRAND, spelt, least), ("", spelt, least), (BRAND, bare, least)]
    ways += [("", bare, amiss), ("", tight, amiss)]
    if amiss:
        ways += [("", tight, worst), ("", alone, 0)]
    fitting = (
        (brand, labels)
        for brand, labels, kept in ways
        if cell_len(brand) + sum(map(cell_len, labels)) <= width - kept
    )
    tightest = [label.rstrip() if index == at else label for index, label in enumerate(tight)]
    return next(fitting, ("", tightest))
