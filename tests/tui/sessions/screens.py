"""The screens of sessions, as tests read them."""

from typing import Any, cast

from textual.pilot import Pilot

from memtui.tui.sessions.screen import SessionsScreen
from memtui.tui.sessions.session import SessionScreen
from tests.tui.browser import text


def sessions(pilot: Pilot[Any]) -> SessionsScreen:
    """The list of sessions, which is in front."""
    return cast(SessionsScreen, pilot.app.screen)


def session(pilot: Pilot[Any]) -> SessionScreen:
    """The one session, which is in front."""
    return cast(SessionScreen, pilot.app.screen)


def lines_of(pilot: Pilot[Any]) -> list[str]:
    """The lines of the list of sessions, without the blank ones at its end."""
    return text(sessions(pilot).sessions).rstrip().split("\n")


def tab(pilot: Pilot[Any]) -> list[str]:
    """The lines of the tab in front."""
    shown = session(pilot).switcher.visible_content
    assert shown is not None
    return text(shown).rstrip().split("\n")
