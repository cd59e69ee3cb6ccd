"""The screens that are one key apart; each is imported when it is first shown. `tabs` names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.screen import Screen


def _search() -> Screen[Any]:
    from .search.screen import SearchScreen

    return SearchScreen()


def _timeline() -> Screen[Any]:
    from .timeline.screen import TimelineScreen

    return TimelineScreen()


def _sessions() -> Screen[Any]:
    from .sessions.screen import SessionsScreen

    return SessionsScreen()


def _facts() -> Screen[Any]:
    from .facts.screen import FactsScreen

    return FactsScreen()


def _capture() -> Screen[Any]:
    from .capture.screen import CaptureScreen

    return CaptureScreen()


def _composer() -> Screen[Any]:
    from .composer.screen import ComposerScreen

    return ComposerScreen()


def _statistics() -> Screen[Any]:
    from .statistics.screen import StatisticsScreen

    return StatisticsScreen()


def _files() -> Screen[Any]:
    from .files.screen import FilesScreen

    return FilesScreen()


MODES: dict[str, str | Callable[[], Screen[Any]]] = {
    "search": _search,
    "timeline": _timeline,
    "sessions": _sessions,
    "facts": _facts,
    "capture": _capture,
    "composer": _composer,
    "statistics": _statistics,
    "files": _files,
}
