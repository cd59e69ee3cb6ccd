"""The seven screens that are one key apart; each is imported when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.screen import Screen


def _search() -> Screen[Any]:
    from .screens.search import SearchScreen

    return SearchScreen()


def _timeline() -> Screen[Any]:
    from .screens.timeline import TimelineScreen

    return TimelineScreen()


def _sessions() -> Screen[Any]:
    from .screens.sessions import SessionsScreen

    return SessionsScreen()


def _facts() -> Screen[Any]:
    from .screens.facts import FactsScreen

    return FactsScreen()


def _agents() -> Screen[Any]:
    from .screens.agents import AgentsScreen

    return AgentsScreen()


def _queue() -> Screen[Any]:
    from .screens.queue import QueueScreen

    return QueueScreen()


def _composer() -> Screen[Any]:
    from .screens.composer import ComposerScreen

    return ComposerScreen()


MODES: dict[str, str | Callable[[], Screen[Any]]] = {
    "search": _search,
    "timeline": _timeline,
    "sessions": _sessions,
    "facts": _facts,
    "agents": _agents,
    "queue": _queue,
    "composer": _composer,
}
