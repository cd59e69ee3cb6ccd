"""The screen of capture, as tests reach and read it."""

from typing import Any, cast

from textual.pilot import Pilot

from memtui.tui.capture.agents import AgentList
from memtui.tui.capture.screen import CaptureScreen
from tests.tui.browser import app, text
from tests.tui.patience import idle

LOW, SIDE = (80, 24), (140, 40)


async def to_capture(pilot: Pilot[Any]) -> CaptureScreen:
    """The screen of capture, in front, with what is known of capture."""
    app(pilot).action_go("capture")
    app(pilot).ingest()
    await idle(pilot)
    return cast(CaptureScreen, pilot.app.screen)


async def look_again(pilot: Pilot[Any]) -> None:
    """What the screen does each second."""
    cast(CaptureScreen, pilot.app.screen).refresh_states()
    await idle(pilot)


def rows(pilot: Pilot[Any]) -> list[str]:
    """The rows of the list below its heads, their words one space apart."""
    shown = text(pilot.app.screen.query_one(AgentList)).split("\n")
    return [" ".join(line.split()) for line in shown if line and line.split()[0] != "Agent"]


def row(pilot: Pilot[Any], agent: str) -> str:
    return next(line for line in rows(pilot) if agent in line)
