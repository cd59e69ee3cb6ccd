"""The queue: what waits for an observer, what failed and why, and the keys that go on with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from memtui.store import ListRow, Store
from memtui.store.capture.status import queue_view
from memtui.store.capture.status.queue_view import STATES, WAITING_OR_FAILED, QueueDetail

from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..parts.headings import Heading, TabLine
from ..parts.split import Split
from ..parts.text_view import TextView
from ..screen import MemScreen
from ..text.content import DIM
from .actions import current_observer as ask_who_observes
from .actions import process_now
from .lists import QueueList, queue_provider
from .text import STANDS, observer, queue_passages

OPEN = "open"
TABS = {OPEN: WAITING_OR_FAILED} | {STANDS[state].word: (state,) for state in STATES}
NOTHING = """\
Nothing is waiting, and nothing failed. What agents do arrives
through their hooks (5); rules, or the model that config.toml
names, turn it into memories: see docs/observer.md.

f shows what was processed."""
FAILED = ("failed", "abandoned", "quarantined")


class QueueScreen(MemScreen):
    """A tab for each state over a list; beside it, where there is room, all about the selected one."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "f",
            "state(1)",
            "State",
            "Messages of the next state, or all that are open",
            "queue.state",
        ),
        key(
            "F",
            "state(-1)",
            "State before",
            "Messages of the state before",
            "queue.back",
            show=False,
        ),
        key("r", "retry", "Retry", "Try again what failed or was not stored", "queue.retry"),
        key("d", "drop", "Drop", "Drop it for good; asks first", "queue.drop"),
        key("p", "process", "Process now", "Process what waits, now", "queue.process"),
    ]

    place = "Queue"
    mode = "queue"

    heading = getters.query_one(Heading)
    tabs = getters.query_one(TabLine)
    messages = getters.query_one(QueueList)
    pane = getters.query_one("#detail", TextView)

    _question = ""
    _detail: QueueDetail | None = None

    @property
    def row(self) -> ListRow | None:
        return None

    def body(self) -> ComposeResult:
        yield Heading()
        yield TabLine(*TABS)
        yield Static(NOTHING, id="nothing", markup=False)
        with Split("queue"):
            yield QueueList(self.browser.now)
            yield TextView(id="detail")

    def on_mount(self) -> None:
        self.messages.name_items("Messages")
        self.pane.entitle("Message")
        self.messages.focus()
        self._load()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self._load(hold=True)

    def store_changed(self) -> None:
        self._load(hold=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("retry", "drop", "process") and self.browser.read_only:
            return False
        item = self.messages.item if self.is_mounted else None
        if action == "retry":
            return item is not None and item.status in FAILED
        if action == "drop":
            return item is not None
        if action == "process":
            return not self.is_mounted or self.tabs.counts.get(OPEN) != 0
        return super().check_action(action, parameters)

    @property
    def list_to_narrow(self) -> PagedList[Any] | None:
        return self.messages

    def show_found(self) -> Worker[None]:
        return self._load()

    @property
    def is_inside(self) -> bool:
        return self.is_mounted and bool(
            self._question or self.pane.has_focus or self.has_class("-open")
        )

    def action_back(self) -> None:
        """From a question or the detail to the list; from there to the mode before."""
        if self._question:
            self._ask("")
        elif self.pane.has_focus or self.has_class("-open"):
            self.remove_class("-open")
            self.messages.focus()
        else:
            super().action_back()

    def action_state(self, step: int) -> None:
        """To the messages of another state."""
        self.tabs.step(step)

    @work(group="write")
    async def action_retry(self) -> None:
        """Let what failed be tried again."""
        if (item := self.messages.item) is None:
            return

        def again(store: Store) -> str:
            done = queue_view.retry(store, item)
            return f"Message {item.ref} {'is tried again' if done else 'failed again'}."

        await self._change(again)

    @work(group="write")
    async def action_drop(self) -> None:
        """Drop the selected message, when asked twice."""
        if (item := self.messages.item) is None:
            return
        if not self._question:
            self._ask(f"Drop message {item.ref} for good? d again drops it, Esc keeps it.")
            return
        self._ask("")

        def drop(store: Store) -> str:
            queue_view.drop(store, item)
            return f"Message {item.ref} was dropped."

        await self._change(drop)

    @work(group="processing", exclusive=True)
    async def action_process(self) -> None:
        """Work on what waits; the list shows how it goes."""
        self.notify(await asyncio.to_thread(process_now, self.browser.path), markup=False)
        await self._show_all(hold=True)

    @on(TabLine.Changed)
    def _narrow(self) -> None:
        self._load()

    @on(QueueList.Highlighted)
    def _look(self) -> None:
        self._question = ""
        self._show_detail()
        # Not everything can be tried again.
        self.refresh_bindings()

    @on(QueueList.Selected)
    def _open(self) -> None:
        self.add_class("-open")
        self.pane.focus()

    async def _change(self, change: Callable[[Store], str | None]) -> None:
        await self.browser.write(change)
        await self._show_all(hold=True)

    def _ask(self, question: str) -> None:
        self._question = question
        if question:
            self.add_class("-open")
        self._tell(hold=False)

    @work(exclusive=True, group="queue")
    async def _load(self, hold: bool = False) -> None:
        await self._show_all(hold)

    async def _show_all(self, hold: bool) -> None:
        states = TABS[self.tabs.names[self.tabs.current]]
        counts = await self.browser.side.run(queue_view.counts)
        who = await self.browser.side.run(ask_who_observes)
        unsettled = sum(counts[state] for state in WAITING_OR_FAILED)
        self.tabs.counts = {OPEN: unsettled} | {
            STANDS[state].word: number for state, number in counts.items() if state in STANDS
        }
        await self.messages.set_provider(
            queue_provider(self.browser.reader, states, self.words),
            keep=self.messages.key if hold else None,
        )
        self.set_class(not self.messages.count and not self.words, "-none")
        self.heading.left = Content.assemble(("queue · ", DIM), f"{unsettled:,} {OPEN}")
        self.heading.right = observer(who)
        self.refresh_bindings()
        self._show_detail(hold=hold)

    @work(exclusive=True, group="message")
    async def _show_detail(self, hold: bool = False) -> None:
        self._detail = None
        if (item := self.messages.item) is not None:
            self._detail = await self.browser.side.run(lambda store: queue_view.detail(store, item))
        self._tell(hold)

    def _tell(self, hold: bool) -> None:
        shown = (
            queue_passages(self._detail, self._question, self.browser.now()) if self._detail else ()
        )
        self.pane.show(list(shown), hold=hold)
