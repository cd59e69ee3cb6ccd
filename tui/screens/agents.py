"""The agents: whose hooks fill this memory, and how capture is doing."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer

from store import Entry
from store.install import AgentState

from ..agent_text import ABSENT, standing
from ..bindings import key
from ..hooking import Hooks, Outcome, hooks, put_in, take_out, toggle_pause
from ..short_path import short
from ..text import DIM, plain
from ..widgets.agent_list import AgentList
from ..widgets.agent_pane import AgentPane
from ..widgets.capture_pane import CapturePane
from ..widgets.heading import Heading
from ..widgets.source import ListSource
from .base import MemScreen

REFRESH_EVERY = 1.0
NOT_HERE = {
    True: "This is the demo: agents are hooked up in your own memory. Leave with q, then run memtui.",
    False: "This memory can only be read here, so no agent is hooked up to it.",
}
"""Why nothing is changed, in the demo and elsewhere."""


class AgentsScreen(MemScreen):
    """A row an agent, under it how capture is doing, and beside both all about the selected one."""

    CSS_PATH = "agents.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "i",
            "install",
            "Install",
            "Install our hooks into the agent, or mend them",
            "agents.install",
        ),
        key(
            "r", "remove", "Remove", "Remove our hooks from the agent; asks first", "agents.remove"
        ),
        key("P", "pause", "Pause", "Have hooks remember nothing; again resumes", "agents.pause"),
    ]

    place = "Agents"
    mode = "agents"

    heading = getters.query_one(Heading)
    agents = getters.query_one(AgentList)
    health = getters.query_one(CapturePane)
    pane = getters.query_one(AgentPane)

    _hooks: Hooks | None = None
    _timer: Timer | None = None

    @property
    def entry(self) -> Entry | None:
        return None

    def body(self) -> ComposeResult:
        yield Heading()
        with Horizontal():
            with Vertical(id="left"):
                yield AgentList(self.mem.now)
                yield CapturePane()
            yield AgentPane()

    def on_mount(self) -> None:
        self.watch(self.mem, "capture", self._tell)
        self.agents.focus()
        self.refresh_states()
        self._timer = self.set_interval(REFRESH_EVERY, self.refresh_states)

    def on_screen_resume(self) -> None:
        if self._timer is not None:
            self._timer.resume()
            self.refresh_states()

    def on_screen_suspend(self) -> None:
        if self._timer is not None:
            self._timer.pause()

    def store_changed(self) -> None:
        self.refresh_states()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "remove":
            state = self.agents.item
            return state is not None and standing(state) is not ABSENT
        return super().check_action(action, parameters)

    def action_back(self) -> None:
        """From the agent to the list; from there to the mode before."""
        if self.pane.question:
            self._ask("")
        elif self.pane.has_focus or self.has_class("-open"):
            self.remove_class("-open")
            self.agents.focus()
        else:
            super().action_back()

    @work(group="hooking")
    async def action_install(self) -> None:
        """Install our hooks into the selected agent; where it leads is told beside it."""
        if (state := self._changeable()) is not None:
            outcome = await asyncio.to_thread(put_in, state, self.mem.path)
            await self._show_outcome(state, outcome)

    @work(group="hooking")
    async def action_remove(self) -> None:
        """Remove our hooks from the selected agent, when asked twice."""
        if (state := self._changeable()) is None or self._hooks is None:
            return
        if not self.pane.question:
            place = "the repository here" if state.installed == "no" else short(state.files[0])
            self._ask(f"Remove our hooks from {place}? r again removes, Esc keeps them.")
            return
        outcome = await asyncio.to_thread(take_out, state, self._hooks.project)
        await self._show_outcome(state, outcome)

    @work(group="hooking")
    async def action_pause(self) -> None:
        """Have hooks remember nothing from now on, or again."""
        if self._is_changeable():
            self.notify(await asyncio.to_thread(toggle_pause, self.mem.path), markup=False)
            self.mem.take_in()

    @on(AgentList.Highlighted)
    def _look(self, message: AgentList.Highlighted) -> None:
        self._show_agent(message.item)
        # Not every agent has hooks to remove.
        self.refresh_bindings()

    @on(AgentList.Selected)
    def _open(self) -> None:
        self.add_class("-open")
        self.pane.focus()

    @work(exclusive=True, group="states")
    async def refresh_states(self) -> None:
        """Look at the agents anew; the selection stays."""
        await self._refresh()

    async def _refresh(self) -> None:
        found = await self.mem.side.run(hooks)
        before, self._hooks = self._hooks, found
        if before is None or before.states != found.states:
            source = ListSource(found.states)
            await self.agents.set_source(source, keep=self.agents.key if before else None)
            self.heading.left = Content.assemble(("agents · ", DIM), _summary(found.states))
            self.refresh_bindings()
        else:
            self.agents.repaint_rows()
        if found.project is not None:
            self.heading.right = plain(f"in {short(found.project)}", DIM)
        if (state := self.agents.item) is not None:
            self._show_agent(state)
        self._tell()

    def _tell(self) -> None:
        self.health.show_capture(self.mem.capture, self.mem.now())

    def _show_agent(self, state: AgentState) -> None:
        if self._hooks is not None:
            self.pane.show_agent(self._hooks, state.agent, self.mem.now())

    def _changeable(self) -> AgentState | None:
        """The selected agent, if anything may be changed here; otherwise it is told why not."""
        return self.agents.item if self._is_changeable() else None

    def _is_changeable(self) -> bool:
        is_changeable = not (self.mem.is_demo or self.mem.read_only)
        if not is_changeable:
            self.notify(NOT_HERE[self.mem.is_demo], severity="warning", markup=False)
        return is_changeable

    def _ask(self, question: str) -> None:
        self.pane.tell(question=question)
        self._reveal()

    async def _show_outcome(self, state: AgentState, outcome: Outcome) -> None:
        await self._refresh()
        now_at = self.agents.item
        if now_at is not None and now_at.agent == state.agent:
            self.pane.tell(outcome)
            self._reveal()

    def _reveal(self) -> None:
        self.add_class("-open")
        if (state := self.agents.item) is not None:
            self._show_agent(state)
            self.pane.scroll_home(animate=False)


def _summary(states: tuple[AgentState, ...]) -> Content:
    found = sum(state.found for state in states)
    installed = sum(standing(state) is not ABSENT for state in states)
    return plain(f"{found} of {len(states)} found, {installed} installed")
