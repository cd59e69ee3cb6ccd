"""The palette: everything that can be gone to or narrowed to, by its name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from textual.command import DiscoveryHit, Hit, Provider

from store.display import safe

from .query_text import filter_for

if TYPE_CHECKING:
    from .app import MemApp

PROJECTS = 50


class Command(NamedTuple):
    """A name to be found by, what it says of itself, and what it does."""

    name: str
    help: str
    do: Callable[[], Awaitable[None] | None]


class MemCommands(Provider):
    """Screens, filters, themes, help and the way out."""

    async def startup(self) -> None:
        mem = cast("MemApp", self.app)
        projects = await mem.side.run(lambda store: store.projects())
        self._commands = [
            Command(
                "Search", "Find memories by words and filters", lambda: mem.action_go("search")
            ),
            Command(
                "Timeline", "What happened around the selection", lambda: mem.action_go("timeline")
            ),
            Command("Sessions", "The agents' working sessions", lambda: mem.action_go("sessions")),
            Command("Facts", "What is held true, and core memory", lambda: mem.action_go("facts")),
            Command("Help", "All keys of this screen", mem.action_help),
            Command("Theme", "Change the colours", mem.search_themes),
            *(_narrowing(mem, name, query) for name, query in FILTERS.items()),
            *(
                _narrowing(mem, f"Project {safe(project)}", filter, f"{count:,} memories")
                for project, count in projects[:PROJECTS]
                if (filter := filter_for("project", project))
            ),
            Command("Quit", "Leave memtui", mem.action_quit),
        ]

    async def discover(self) -> AsyncIterator[DiscoveryHit]:
        for name, help, do in self._commands:
            yield DiscoveryHit(name, do, help=help)

    async def search(self, query: str) -> AsyncIterator[Hit]:
        matcher = self.matcher(query)
        for name, help, do in self._commands:
            if (score := matcher.match(name)) > 0:
                yield Hit(score, matcher.highlight(name), do, help=help)


FILTERS = {
    "Pinned": "is:pinned",
    "Hidden as private": "is:private",
    "Deleted": "is:deleted",
    "Today": "since:1d",
    "This week": "since:7d",
    "Summaries": "kind:summary",
    "Prompts": "kind:prompt",
    "Decisions": "type:decision",
    "Bug fixes": "type:bugfix",
}


def _narrowing(mem: MemApp, name: str, query: str, help: str = "") -> Command:
    return Command(name, help or query, lambda: mem.search_for(f"{query} "))
