"""One agent with what the last key did to it, and how capture is doing."""

from __future__ import annotations

from textual.content import Content

from ..parts.text_view import TextView
from ..protocol import Capture
from ..text.capture import capture_passages
from ..text.content import DIM, Passage
from ..text.status import Status
from .actions import Hooks, Outcome
from .text import agent_passages, agent_status

LABELS = 12
"""Cells of the labels, beside which the line of bars stands."""


class AgentPane(TextView):
    """What was done to an agent stays here until it no longer holds, or another is looked at."""

    DEFAULT_CSS = """
    AgentPane { &:focus { border-left: solid $primary; } }
    """

    outcome: Outcome | None = None
    """What the last key did."""
    question = ""
    """What is asked before something is done; `` when nothing is."""

    _agent = ""
    _stood: Status | None = None
    _is_new = False

    def tell(self, agent: str, outcome: Outcome | None = None, question: str = "") -> None:
        """Show this with an agent from now on: what was done to it, or what is asked."""
        self._agent, self.outcome, self.question, self._is_new = agent, outcome, question, True

    def asks(self, agent: str, question: str) -> bool:
        """Whether this is asked about this agent just now."""
        return (self._agent, self.question) == (agent, question)

    def show_agent(self, hooks: Hooks, agent: str, now: int) -> None:
        """Show how an agent stands at `now`, ms since the epoch, UTC."""
        is_other = agent != self._agent
        if is_other:
            self._agent, self.outcome, self.question = agent, None, ""
        state = next(state for state in hooks.states if state.agent == agent)
        if agent_status(state) != self._stood and not self._is_new:
            self.outcome, self.question = None, ""
        self._stood, self._is_new = agent_status(state), False
        told = list(agent_passages(hooks, state, self.outcome, self.question, now))
        self.show(told, hold=not is_other)


class CapturePane(TextView):
    """Shows a `Capture` as it stands, and keeps its place while that changes."""

    DEFAULT_CSS = """
    CapturePane {
        border-top: solid $panel;
        border-title-color: $foreground 75%;
        &:focus { border-title-color: $accent; border-title-style: bold; border-top: solid $primary; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.border_title = "capture"
        self._capture: Capture | None = None
        self._now = 0

    def show_capture(self, capture: Capture | None, now: int) -> None:
        """Show how it stands at `now`, ms since the epoch, UTC; None while that isn't known."""
        self._capture, self._now = capture, now
        self._tell()

    def on_resize(self) -> None:
        self._tell()

    def _tell(self) -> None:
        if self._capture is None:
            self.show([Passage(Content.styled("…", DIM))], hold=True)
            return
        room = self.scrollable_content_region.width - LABELS
        self.show(list(capture_passages(self._capture, self._now, room)), hold=True)
