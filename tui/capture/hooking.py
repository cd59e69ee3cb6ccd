"""The agents of the screen of capture: how each stands, and the keys that hook it up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from textual import getters, on, work
from textual.binding import BindingType
from textual.content import Content
from textual.timer import Timer

from memtui.store.capture.health import histories
from memtui.store.install import AgentState
from memtui.store.platform.translation import _
from memtui.store.search.narrowing import hold, words_of

from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..lists.provider import ListProvider
from ..screen import MemScreen
from ..text.content import plain
from ..text.paths import short
from .agents import (
    ABSENT,
    AgentList,
    Hooks,
    Outcome,
    Question,
    agent_status,
    hooks,
    install_hooks,
    planned,
    remove_hooks,
    toggle_pause,
)
from .events import AgentPane

NOT_HERE = {
    True: _("This is the demo: agents are hooked up in your own store. Leave with q, then run memtui."),
    False: _("This store can only be read here, so no agent is hooked up to it."),
}
"""Why nothing is changed, in the demo and elsewhere."""

REFRESH_EVERY = 1.0
HEADS = 2
"""Lines of the list above its rows."""


HOOKING: list[BindingType] = [
    key(
        "i",
        "install",
        "Install",
        "Install our hooks into the agent, or repair them; shows the difference first",
        "capture.install",
    ),
    key("r", "remove", "Remove", "Remove our hooks from the agent; asks first", "capture.remove"),
    key(
        "P",
        "pause",
        "Pause",
        "Pause capture: hooks store nothing until it is resumed",
        "capture.pause",
    ),
    key(
        "P",
        "resume",
        _("resume").capitalize(),
        "Resume capture: hooks store again",
        "capture.resume",
    ),
]
"""The keys of the agents; on a screen that has them in its `BINDINGS`."""


class HookingScreen(MemScreen):
    """A screen with a row an agent, and a pane with all about the selected one."""

    agents = getters.query_one(AgentList)
    pane = getters.query_one(AgentPane)

    hooks: Hooks | None = None
    """How the agents stood when they were last looked at."""
    is_at_events = False
    """Whether keys are for the events, not for the agents."""

    _timer: Timer | None = None
    _shown: Sequence[AgentState] = ()

    def on_mount(self) -> None:
        self.agents.name_items(_("Agents"))
        self.agents.is_changeable = not (self.browser.is_demo or self.browser.read_only)
        self.agents.focus()
        self.refresh_states()
        self._timer = self.set_interval(REFRESH_EVERY, self.refresh_states)

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        if self._timer is not None:
            self._timer.resume()
            self.refresh_states()

    def on_screen_suspend(self) -> None:
        super().on_screen_suspend()
        if self._timer is not None:
            self._timer.pause()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "install":
            return not self.is_at_events
        if action == "remove":
            state = None if self.is_at_events else self.agents.item
            return state is not None and agent_status(state) is not ABSENT
        if action in ("pause", "resume"):
            capture = self.browser.capture
            is_paused = bool(capture and capture.health and capture.health.paused_until)
            return is_paused == (action == "resume")
        return super().check_action(action, parameters)

    @work(group="hooking")
    async def action_install(self) -> None:
        """Show what would be written for the selected agent; asked twice, install our hooks."""
        if (state := self._changeable()) is None:
            return
        changes = await asyncio.to_thread(planned, state, self.browser.path)
        if isinstance(changes, Outcome):
            await self._show_outcome(state, changes)
            return
        question = Question(
            _("Press i again to write this; Esc cancels.")
            if state.found
            else _(
                "Press i again to write this, though {agent} was not found here; Esc cancels.",
                agent=state.agent,
            ),
            changes,
        )
        if changes and not self.pane.asks(state.agent, question):
            # Keys may have moved on meanwhile.
            if (now_at := self.agents.item) is not None and now_at.agent == state.agent:
                self.ask(question)
            return
        outcome = await asyncio.to_thread(install_hooks, state, self.browser.path)
        await self._show_outcome(state, outcome)

    @work(group="hooking")
    async def action_remove(self) -> None:
        """Remove our hooks from the selected agent, when asked twice."""
        if (state := self._changeable()) is None or self.hooks is None:
            return
        place = _("the repository here") if state.installed == "no" else short(state.files[0])
        question = Question(
            _(
                "Remove our hooks from {place}? Press r again to remove them, Esc to keep them.",
                place=place,
            )
        )
        if not self.pane.asks(state.agent, question):
            self.ask(question)
            return
        outcome = await asyncio.to_thread(remove_hooks, state, self.hooks.project)
        await self._show_outcome(state, outcome)

    def action_pause(self) -> None:
        """Have hooks remember nothing from now on, or again."""
        self._toggle_pause()

    def action_resume(self) -> None:
        """Resume capture: hooks store again, or nothing where they did so meanwhile."""
        self._toggle_pause()

    @work(exclusive=True, group="states")
    async def refresh_states(self) -> None:
        """Look at the agents anew; the selection stays."""
        await self.refresh_hooks()

    async def refresh_hooks(self) -> None:
        """As `refresh_states`, in the worker of the caller."""
        current = await self.browser.side.run(hooks)
        if self.browser.capture is not None:
            current = replace(current, silent=self.browser.capture.silent)
        if self.browser.is_demo:
            # Of agents, the demo could only say that they aren't its own.
            current = replace(current, others={})
        if self.hooks is not None:
            current = replace(current, histories=self.hooks.histories)
        before, self.hooks = self.hooks, current
        self.agents.silent, self.agents.others = current.silent, current.others
        shown = self._held(current.states)
        if before is None or self._shown != shown:
            # Of what is around it: as tall as the list itself it couldn't be zoomed.
            self.query_one("#agents").styles.height = len(current.states) + HEADS
            provider = ListProvider(shown)
            await self.agents.set_provider(provider, keep=self.agents.key if before else None)
            self._shown = shown
            self.refresh_bindings()
        else:
            self.agents.repaint_rows()
        self._read_histories()
        if (state := self.agents.item) is not None:
            self.show_agent(state)
        self.tell_capture()

    def tell_capture(self) -> None:
        """Show how capture is doing, and what is known of the agents in all."""
        raise NotImplementedError

    @work(exclusive=True, group="histories")
    async def _read_histories(self) -> None:
        """Show what came in day by day, behind what is known of the agents at once."""
        results = await self.browser.side.run(histories)
        if self.hooks is not None and results != self.hooks.histories:
            self.hooks = replace(self.hooks, histories=results)
            self.agents.histories = results
            self.agents.repaint_rows()
            if (state := self.agents.item) is not None:
                self.show_agent(state)

    def show_agent(self, state: AgentState) -> None:
        """Show all about an agent in the pane."""
        if self.hooks is not None:
            self.pane.show_agent(self.hooks, state.agent, self.browser.now())

    def ask(self, question: Question) -> None:
        """Ask something about the selected agent in its pane; an empty question withdraws it."""
        if (state := self.agents.item) is not None:
            self.pane.tell(state.agent, question=question)
            self._reveal()

    @on(PagedList.Highlighted, "AgentList")
    def _look(self) -> None:
        # Keys may have moved on since, and asked something about the agent they came to.
        if (state := self.agents.item) is not None:
            if state.agent != self.pane.agent and self.agents.has_focus:
                self.remove_class("-open")
            self.show_agent(state)
        # Not every agent has hooks to remove.
        self.refresh_bindings()

    @on(PagedList.Selected, "AgentList")
    def _open(self) -> None:
        self.add_class("-open")
        # It can't have the focus before it is in view.
        self.call_after_refresh(self.pane.focus)

    @work(group="hooking")
    async def _toggle_pause(self) -> None:
        if self._is_changeable():
            done = await asyncio.to_thread(toggle_pause, self.browser.path)
            # What was told of the last time would contradict it.
            self.app.clear_notifications()
            self.notify(done, markup=False)
            self.browser.ingest()

    def _held(self, states: Sequence[AgentState]) -> list[AgentState]:
        """Those of some agents whose names hold the words that were typed."""
        words = words_of(self.agents.found_words)
        return [state for state in states if hold(words, state.agent)]

    def _changeable(self) -> AgentState | None:
        """The selected agent, if anything may be changed here; otherwise it is told why not."""
        return self.agents.item if self._is_changeable() else None

    def _is_changeable(self) -> bool:
        is_changeable = not (self.browser.is_demo or self.browser.read_only)
        if not is_changeable:
            self.notify(NOT_HERE[self.browser.is_demo], severity="warning", markup=False)
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


def summary(hooks: Hooks) -> Content:
    """Return how many agents are here, and how many are hooked up."""
    here = sum(state.found for state in hooks.states)
    installed = [state for state in hooks.states if agent_status(state) is not ABSENT]
    elsewhere = sum(bool(hooks.others.get(state.agent)) for state in installed)
    counts = {
        "here": here, "known": len(hooks.states), "installed": len(installed) - elsewhere,
    }  # fmt: skip
    if not elsewhere:
        return plain(_("{here} of {known} found, {installed} installed", **counts))
    return plain(
        _(
            "{here} of {known} found, {installed} installed, {elsewhere} for another store",
            elsewhere=elsewhere,
            **counts,
        )
    )
