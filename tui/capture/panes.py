"""One agent with what the last key did to it, one event, and how capture is doing."""

from __future__ import annotations

from textual.content import Content

from memtui.store.capture.status.queue_view import QueueDetail
from memtui.store.platform.translation import _

from ..parts.text_view import TextView
from ..protocol import Capture
from ..text.capture import capture_passages
from ..text.content import DIM, Passage
from ..text.records import Status
from .actions import Hooks, Outcome, Question
from .agent_text import agent_passages, agent_status
from .events import event_passages

NOTHING = Question()
NO_EVENTS = _("""\
No event has come yet. What agents do arrives through their hooks; rules, or the model that config.toml \
names, turn it into memories: see docs/observer.md.""")
LABELS = 12
"""Cells of the labels, beside which the line of bars stands."""


class AgentPane(TextView):
    """What was done to an agent stays here until it no longer holds, or another is looked at."""

    outcome: Outcome | None = None
    """What the last key did."""
    question = NOTHING
    """What is asked before something is done."""

    agent = ""
    """Which one is shown."""
    _stood: Status | None = None
    _is_new = False

    def tell(self, agent: str, outcome: Outcome | None = None, question: Question = NOTHING) -> None:
        """Show this with an agent from now on: what was done to it, or what is asked."""
        self.agent, self.outcome, self.question, self._is_new = agent, outcome, question, True

    def asks(self, agent: str, question: Question) -> bool:
        """Whether this is asked about this agent just now."""
        return (self.agent, self.question) == (agent, question)

    def show_agent(self, hooks: Hooks, agent: str, now: int) -> None:
        """Show how an agent stands at `now`, ms since the epoch, UTC."""
        is_other = agent != self.agent
        if is_other:
            self.agent, self.outcome, self.question = agent, None, NOTHING
        state = next(state for state in hooks.states if state.agent == agent)
        stands = agent_status(state, other=hooks.others.get(agent, ""))
        if stands != self._stood and not self._is_new:
            self.outcome, self.question = None, NOTHING
        self.entitle(agent)
        self._stood, self._is_new = stands, False
        passages = list(agent_passages(hooks, state, self.outcome, self.question, now))
        self.show(passages, hold=not is_other)


class EventPane(TextView):
    """One event, and what is asked before it is dropped."""

    question = ""
    """What is asked."""

    _detail: QueueDetail | None = None

    def __init__(self) -> None:
        super().__init__()
        self.entitle(_("Event"))

    def ask(self, question: str, now: int) -> None:
        """Ask something about the event at `now`, ms since the epoch; `` asks nothing any more."""
        self.question = question
        self.show_event(self._detail, now)

    def show_event(self, detail: QueueDetail | None, now: int, *, hold: bool = False) -> None:
        """Show all about an event, or nothing; with `hold` it is the same one again."""
        self._detail = detail
        self.show(list(event_passages(detail, self.question, now)) if detail else [], hold=hold)


class CapturePane(TextView):
    """Shows a `Capture` as it stands, and keeps its place while that changes."""

    def __init__(self) -> None:
        super().__init__()
        self.entitle(_("Capture"))
        self.has_events = True
        """Whether any event is listed."""
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
        passages = list(capture_passages(self._capture, self._now, room))
        if not self.has_events:
            passages.append(Passage(Content.styled(NO_EVENTS, DIM), space=1))
        self.show(passages, hold=True)
