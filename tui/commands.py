"""The palette: everything that can be gone to or narrowed to, by its name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from textual.command import DiscoveryHit, Hit, Matcher, Provider
from textual.content import Content

from store import SavedSearch, Store
from store.text.display import safe

from .protocol import Browser, browser
from .text.content import DIM, plain
from .text.queries import filter_for

PROJECTS = 50


class Command(NamedTuple):
    """A name to be found by, what it says of itself, and what it does."""

    name: str
    help: str
    do: Callable[[], Awaitable[None] | None]
    listed: bool = True
    """Whether it shows before anything is typed."""


class MemCommands(Provider):
    """Screens, saved searches, filters, themes, help and the way out."""

    async def startup(self) -> None:
        app = browser(self)
        projects, saved = await app.side.run(
            lambda store: (store.projects(), store.searches.saved())
        )
        self._commands = [
            Command(
                "Search", "Find memories by words and filters", lambda: app.action_go("search")
            ),
            Command(
                "Timeline", "What happened around the selection", lambda: app.action_go("timeline")
            ),
            Command("Sessions", "The agents' working sessions", lambda: app.action_go("sessions")),
            Command("Facts", "What is held true, and core memory", lambda: app.action_go("facts")),
            *([] if app.owner else _of_own(app)),
            *_saved_searches(app, saved, self._forget),
            Command("Help", "All keys of this screen", app.action_help),
            Command("Theme", "Change the colours", self.app.search_themes),
            *(_narrowing(app, name, query) for name, query in FILTERS.items()),
            *(
                _narrowing(app, f"Project {safe(project)}", filter, f"{count:,} memories")
                for project, count in projects[:PROJECTS]
                if (filter := filter_for("project", project))
            ),
            Command("Quit", "Leave memtui", self.app.action_quit),
        ]

    async def discover(self) -> AsyncIterator[DiscoveryHit]:
        for command in self._commands:
            if command.listed:
                shown = _shown(plain(command.name), command)
                yield DiscoveryHit(shown, command.do, text=command.name)

    async def search(self, query: str) -> AsyncIterator[Hit]:
        matcher = self.matcher(query)
        for command in self._commands:
            if (score := matcher.match(command.name)) > 0:
                shown = _shown(_highlighted(command.name, matcher), command)
                yield Hit(score, shown, command.do, text=command.name)

    def _forget(self, name: str) -> None:
        """Forget a saved search, in a worker of the app: this palette is closed by then."""

        def forget(store: Store) -> str:
            store.searches.forget(name)
            return f"Forgotten: {safe(name)}"

        self.app.run_worker(browser(self).write(forget), group="write")


FILTERS = {
    "Pinned": "is:pinned",
    "Hidden as private": "is:private",
    "Deleted": "is:deleted",
    "Left out as noise": "is:noise",
    "Today": "since:1d",
    "This week": "since:7d",
    "Summaries": "kind:summary",
    "Prompts": "kind:prompt",
    "Decisions": "type:decision",
    "Bug fixes": "type:bugfix",
}


def _of_own(app: Browser) -> list[Command]:
    """The screens that only one's own memory has."""
    return [
        Command("Agents", "Hook agents up; how capture is doing", lambda: app.action_go("agents")),
        Command(
            "Queue",
            "What waits for an observer, and what failed",
            lambda: app.action_go("queue"),
        ),
        Command(
            "Composer",
            "What the sessions of a project are told, chosen",
            lambda: app.action_go("composer"),
        ),
    ]


def _narrowing(app: Browser, name: str, query: str, help: str = "") -> Command:
    return Command(name, help or query, lambda: app.search_for(f"{query} "))


def _saved_searches(
    app: Browser, saved: Sequence[SavedSearch], forget: Callable[[str], None]
) -> Iterator[Command]:
    for one in saved:
        yield Command(f"Saved: {safe(one.name)}", one.query, partial(app.search_for, one.query))
    if not app.read_only:
        for one in saved:
            name = f"Forget search {safe(one.name)}"
            yield Command(name, one.query, partial(forget, one.name), listed=False)


def _shown(name: Content, command: Command) -> Content:
    # Not the palette's own `help` and `highlight`: they take brackets in it for markup.
    return Content("\n").join([name, plain(command.help, f"not bold {DIM}")])


def _highlighted(name: str, matcher: Matcher) -> Content:
    content = plain(name)
    for offset in matcher.fuzzy_search.match(matcher.query, name)[1]:
        content = content.stylize(matcher.match_style, offset, offset + 1)
    return content
