"""Capture: the agents and their hooks, what became of the events that these report, and how that goes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content

from memtui.store import Store
from memtui.store.capture import queue_view
from memtui.store.capture.queue_view import STATES, WAITING_OR_FAILED
from memtui.store.platform.translation import N_, _

from ..keys.bindings import hidden, key
from ..lists.paged_list import PagedList
from ..optional import has_part, part
from ..parts.frame import Heading, TabLine
from ..parts.split import Split
from ..text.content import DIM, plain
from ..text.paths import short
from .agents import AgentList, Question
from .events import (
    STANDS,
    AgentPane,
    CapturePane,
    EventList,
    EventPane,
    States,
    current_observer,
    event_provider,
    observer,
    process_now,
)
from .hooking import HOOKING, HookingScreen, summary

ALL = _("all")
TABS: dict[str, States] = {ALL: (WAITING_OR_FAILED, ("processed",))}
TABS |= {STANDS[state].word: ((state,),) for state in STATES}
"""What waits and what failed comes first, the last of the others below it."""
FAILED = ("failed", "abandoned", "quarantined")


class CaptureScreen(HookingScreen):
    """The agents; below them the events, and beside these what is selected and how capture is doing. What
    is opened takes the place of all that is below the agents."""

    CSS_PATH = "screen.tcss"
    BINDINGS = [
        *HOOKING,
        key("f", "state(1)", "Change state", "Events of the next state, or all", "capture.state"),
        hidden("F", "state(-1)", "Change state back", "Events of the state before", "capture.back"),
        key("r", "retry", "Retry", "Try again what failed or was not stored", "capture.retry"),
        key("d", "drop", "Drop", "Drop the event for good; asks first", "capture.drop"),
        key(
            "s",
            "machines",
            "Machines",
            "The other machines that this store is kept in step with",
            "capture.machines",
        ),
        key("p", "process", "Process now", "Process what waits, now", "capture.process"),
    ]

    place = N_("Capture")
    mode = "capture"
    has_rows = False

    heading = getters.query_one(Heading)
    tabs = getters.query_one(TabLine)
    event_list = getters.query_one(EventList)
    event_pane = getters.query_one(EventPane)
    health = getters.query_one(CapturePane)

    _counts: Mapping[str, int] = MappingProxyType({})
    """How many events there are in each state."""

    def body(self) -> ComposeResult:
        yield Heading()
        with Vertical(id="agents"):
            yield AgentList(self.browser.now)
        with Split("capture"):
            with Vertical(id="events"):
                yield TabLine(*TABS)
                yield EventList(self.browser.now)
            with Container(id="beside"):
                yield AgentPane()
                yield EventPane()
                yield CapturePane()

    def on_mount(self) -> None:
        self.watch(self.app, "capture", self.tell_capture)
        self.event_list.name_items(_("Events"))
        self._load()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self._load(hold=True)

    def store_changed(self) -> None:
        self.refresh_states()
        self._load(hold=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("retry", "drop", "process") and self.browser.read_only:
            return False
        if action == "state":
            return not self.has_class("-none")
        if action in ("retry", "drop"):
            item = self.event_list.item if self.is_mounted and self.is_at_events else None
            return item is not None and (action == "drop" or item.status in FAILED)
        if action == "process":
            return self.is_mounted and self._waiting > 0
        if action == "machines":
            return has_part("sync")
        return super().check_action(action, parameters)

    @property
    def list_to_narrow(self) -> PagedList[Any] | None:
        return self.event_list if self.is_at_events else self.agents

    @work(exclusive=True, group="events")
    async def show_found(self) -> None:
        await self.refresh_hooks()
        await self._show_events(hold=False)

    @property
    def is_inside(self) -> bool:
        return self.is_mounted and bool(
            self.pane.question
            or self.event_pane.question
            or self._detail.has_focus
            or self.has_class("-open")
        )

    def action_back(self) -> None:
        """From a question or what was opened to its list; from there to the screen before."""
        if self.pane.question:
            self.ask(Question())
        elif self.event_pane.question:
            self._ask_event("")
        if self._detail.has_focus or self.has_class("-open"):
            self.remove_class("-open")
            (self.event_list if self.is_at_events else self.agents).focus()
        else:
            super().action_back()

    @property
    def _detail(self) -> AgentPane | EventPane:
        return self.event_pane if self.is_at_events else self.pane

    @property
    def _waiting(self) -> int:
        """How many events are not settled."""
        return sum(self._counts.get(state, 0) for state in WAITING_OR_FAILED)

    def action_state(self, step: int) -> None:
        """To the events of another state."""
        self.tabs.step(step)

    @work(group="write")
    async def action_retry(self) -> None:
        """Let what failed be tried again."""
        if (item := self.event_list.item) is None:
            return

        def again(store: Store) -> str:
            done = queue_view.retry(store, item)
            return (
                _("Event {ref} is tried again.", ref=item.ref)
                if done
                else _("Event {ref} failed again.", ref=item.ref)
            )

        await self._change(again)

    @work(group="write")
    async def action_drop(self) -> None:
        """Drop the selected event, when asked twice."""
        if (item := self.event_list.item) is None:
            return
        if not self.event_pane.question:
            self._ask_event(
                _(
                    "Drop event {ref} for good? Press d again to drop it, Esc to keep it.",
                    ref=item.ref,
                )
            )
            return
        self._ask_event("")

        def drop(store: Store) -> str:
            queue_view.drop(store, item)
            return _("Event {ref} was dropped.", ref=item.ref)

        await self._change(drop)
        self.remove_class("-open")

    def action_machines(self) -> None:
        """Push a screen with the machines that are met."""
        self.app.push_screen(part("sync.machines").MachinesScreen())

    @work(group="processing", exclusive=True)
    async def action_process(self) -> None:
        """Work on what waits; the list shows how it goes."""
        self.notify(await asyncio.to_thread(process_now, self.browser.path), markup=False)
        await self._show_events(hold=True)

    def tell_capture(self) -> None:
        # P pauses or resumes.
        self.refresh_bindings()
        self.health.show_capture(self.browser.capture, self.browser.now())
        if self.hooks is not None:
            project = self.hooks.project
            here = _(" · in {path}", path=short(project)) if project is not None else ""
            self.heading.left = Content.assemble(
                (_("agents · "), DIM), summary(self.hooks), plain(here, DIM)
            )

    @on(events.DescendantFocus)
    def _attend(self, event: events.DescendantFocus) -> None:
        """Show, and give the keys to, what the focus came to: agents or events."""
        if isinstance(event.widget, AgentList | EventList):
            self.is_at_events = isinstance(event.widget, EventList)
            self.set_class(self.is_at_events, "-events")
            self.remove_class("-open")
            self.refresh_bindings()

    @on(TabLine.Changed)
    def _narrow(self) -> None:
        self._load()

    @on(PagedList.Highlighted, "EventList")
    def _look_at_event(self) -> None:
        if self.event_pane.question:
            self.event_pane.question = ""
            self.remove_class("-open")
        self._show_event()
        # Not everything can be tried again.
        self.refresh_bindings()

    @on(PagedList.Selected, "EventList")
    def _open_event(self) -> None:
        self.add_class("-open")
        # It can't have the focus before it is in view.
        self.call_after_refresh(self.event_pane.focus)

    async def _change(self, change: Callable[[Store], str | None]) -> None:
        await self.browser.write(change)
        await self._show_events(hold=True)

    def _ask_event(self, question: str) -> None:
        if question:
            self.add_class("-open")
        self.event_pane.ask(question, self.browser.now())

    @work(exclusive=True, group="events")
    async def _load(self, hold: bool = False) -> None:
        await self._show_events(hold=hold)

    async def _show_events(self, *, hold: bool) -> None:
        states = TABS[self.tabs.names[self.tabs.current]]
        self._counts = await self.browser.side.run(queue_view.counts)
        who = await self.browser.side.run(current_observer)
        self.tabs.counts = {ALL: sum(self._counts.values())} | {
            STANDS[state].word: number
            for state, number in self._counts.items()
            if number and state in STANDS
        }
        words = self.event_list.found_words
        await self.event_list.set_provider(
            event_provider(self.browser.reader, states, words),
            keep=self.event_list.key if hold else None,
        )
        has_events = self.health.has_events = any(self._counts.values())
        self.set_class(not has_events, "-none")
        if self.has_class("-none") and self.is_at_events:
            self.agents.focus()
        self.heading.right = observer(who)
        self.tell_capture()
        self.refresh_bindings()
        self._show_event(hold=hold)

    @work(exclusive=True, group="event")
    async def _show_event(self, hold: bool = False) -> None:
        item = self.event_list.item
        detail = (
            None
            if item is None
            else await self.browser.side.run(lambda store: queue_view.detail(store, item))
        )
        self.event_pane.show_event(detail, self.browser.now(), hold=hold)
