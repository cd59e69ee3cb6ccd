"""One agent, all about it, and what the last key did to it."""

from __future__ import annotations

from ..agent_text import passages, standing
from ..hooking import Hooks, Outcome
from ..status import Status
from .text_view import TextView


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
        """What to show with an agent from now on: what was done to it, or what is asked."""
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
        if standing(state) != self._stood and not self._is_new:
            self.outcome, self.question = None, ""
        self._stood, self._is_new = standing(state), False
        told = list(passages(hooks, state, self.outcome, self.question, now))
        self.show(told, hold=not is_other)
