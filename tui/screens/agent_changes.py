"""The keys of the agents' screen: what they change, and where it is told what became of it."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import getters, work
from textual.binding import BindingType

from store.install import AgentState

from ..agent_text import ABSENT, standing
from ..bindings import key
from ..hooking import Hooks, Outcome, put_in, take_out, toggle_pause
from ..short_path import short
from ..widgets.agent_list import AgentList
from ..widgets.agent_pane import AgentPane
from .base import MemScreen

NOT_HERE = {
    True: "This is the demo: agents are hooked up in your own memory. Leave with q, then run memtui.",
    False: "This memory can only be read here, so no agent is hooked up to it.",
}
"""Why nothing is changed, in the demo and elsewhere."""


class AgentChanges(MemScreen):
    """A screen with agents and one of them in a pane; `refresh_hooks` is what it shows them by."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "i",
            "install",
            "Install",
            "Install our hooks into the agent, or mend them; asks first where it was not found",
            "agents.install",
        ),
        key(
            "r", "remove", "Remove", "Remove our hooks from the agent; asks first", "agents.remove"
        ),
        key("P", "pause", "Pause", "Have hooks remember nothing; again resumes", "agents.pause"),
        key("P", "resume", "Resume", "Have hooks remember again", "agents.resume"),
    ]

    agents = getters.query_one(AgentList)
    pane = getters.query_one(AgentPane)

    hooks: Hooks | None = None
    """How the agents stood when they were last looked at."""

    async def refresh_hooks(self) -> None:
        """Look at the agents anew, and show how they stand."""
        raise NotImplementedError

    def show_agent(self, state: AgentState) -> None:
        """Show all about an agent in the pane."""
        if self.hooks is not None:
            self.pane.show_agent(self.hooks, state.agent, self.mem.now())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "remove":
            state = self.agents.item
            return state is not None and standing(state) is not ABSENT
        if action in ("pause", "resume"):
            capture = self.mem.capture
            is_paused = bool(capture and capture.health and capture.health.paused_until)
            return is_paused == (action == "resume")
        return super().check_action(action, parameters)

    @work(group="hooking")
    async def action_install(self) -> None:
        """Install our hooks into the selected agent, when asked twice where it was not found."""
        if (state := self._changeable()) is None:
            return
        question = f"{state.agent} was not found here. i again prepares hooks for it, Esc doesn't."
        is_sure = state.found or standing(state) is not ABSENT
        if not is_sure and not self.pane.asks(state.agent, question):
            self.ask(question)
            return
        outcome = await asyncio.to_thread(put_in, state, self.mem.path)
        await self._show_outcome(state, outcome)

    @work(group="hooking")
    async def action_remove(self) -> None:
        """Remove our hooks from the selected agent, when asked twice."""
        if (state := self._changeable()) is None or self.hooks is None:
            return
        place = "the repository here" if state.installed == "no" else short(state.files[0])
        question = f"Remove our hooks from {place}? r again removes, Esc keeps them."
        if not self.pane.asks(state.agent, question):
            self.ask(question)
            return
        outcome = await asyncio.to_thread(take_out, state, self.hooks.project)
        await self._show_outcome(state, outcome)

    def action_pause(self) -> None:
        """Have hooks remember nothing from now on, or again."""
        self._toggle_pause()

    def action_resume(self) -> None:
        """Have hooks remember again, or nothing where they did so meanwhile."""
        self._toggle_pause()

    def ask(self, question: str) -> None:
        """Ask something about the selected agent in its pane; `` withdraws the question."""
        if (state := self.agents.item) is not None:
            self.pane.tell(state.agent, question=question)
            self._reveal()

    @work(group="hooking")
    async def _toggle_pause(self) -> None:
        if self._is_changeable():
            done = await asyncio.to_thread(toggle_pause, self.mem.path)
            # What was told of the last time would contradict it.
            self.mem.clear_notifications()
            self.notify(done, markup=False)
            self.mem.take_in()

    def _changeable(self) -> AgentState | None:
        """The selected agent, if anything may be changed here; otherwise it is told why not."""
        return self.agents.item if self._is_changeable() else None

    def _is_changeable(self) -> bool:
        is_changeable = not (self.mem.is_demo or self.mem.read_only)
        if not is_changeable:
            self.notify(NOT_HERE[self.mem.is_demo], severity="warning", markup=False)
        return is_changeable

    async def _show_outcome(self, state: AgentState, outcome: Outcome) -> None:
        await self.refresh_hooks()
        now_at = self.agents.item
        if now_at is not None and now_at.agent == state.agent:
            self.pane.tell(state.agent, outcome)
            self._reveal()

    def _reveal(self) -> None:
        self.add_class("-open")
        if (state := self.agents.item) is not None:
            self.show_agent(state)
            self.pane.scroll_home(animate=False)
