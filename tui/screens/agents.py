"""The agents: whose hooks fill this memory, and how capture is doing."""

from __future__ import annotations

from dataclasses import replace

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer

from store.install import AgentState

from ..agent_text import ABSENT, standing
from ..hooking import hooks
from ..short_path import short
from ..text import DIM, plain
from ..widgets.agent_list import AgentList
from ..widgets.agent_pane import AgentPane
from ..widgets.capture_pane import CapturePane
from ..widgets.heading import Heading
from ..widgets.source import ListSource
from .agent_changes import AgentChanges

REFRESH_EVERY = 1.0


class AgentsScreen(AgentChanges):
    """A row an agent, under it how capture is doing, and beside both all about the selected one."""

    CSS_PATH = "agents.tcss"

    place = "Agents"
    mode = "agents"
    has_entries = False

    heading = getters.query_one(Heading)
    health = getters.query_one(CapturePane)

    _timer: Timer | None = None

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

    def action_back(self) -> None:
        """From the agent to the list; from there to the mode before."""
        if self.pane.question:
            self.ask("")
        elif self.pane.has_focus or self.has_class("-open"):
            self.remove_class("-open")
            self.agents.focus()
        else:
            super().action_back()

    @on(AgentList.Highlighted)
    def _look(self) -> None:
        # Keys may have moved on since, and asked something about the agent they came to.
        if (state := self.agents.item) is not None:
            self.show_agent(state)
        # Not every agent has hooks to remove.
        self.refresh_bindings()

    @on(AgentList.Selected)
    def _open(self) -> None:
        self.add_class("-open")
        self.pane.focus()

    @work(exclusive=True, group="states")
    async def refresh_states(self) -> None:
        """Look at the agents anew; the selection stays."""
        await self.refresh_hooks()

    async def refresh_hooks(self) -> None:
        found = await self.mem.side.run(hooks)
        if self.mem.capture is not None:
            found = replace(found, unheard=self.mem.capture.unheard)
        before, self.hooks = self.hooks, found
        self.agents.unheard = found.unheard
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
            self.show_agent(state)
        self._tell()

    def _tell(self) -> None:
        # P pauses or resumes.
        self.refresh_bindings()
        self.health.show_capture(self.mem.capture, self.mem.now())


def _summary(states: tuple[AgentState, ...]) -> Content:
    found = sum(state.found for state in states)
    installed = sum(standing(state) is not ABSENT for state in states)
    return plain(f"{found} of {len(states)} found, {installed} installed")
