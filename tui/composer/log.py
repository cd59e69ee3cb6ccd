"""The log of contexts: which session was given which memories, beside what it would be given now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from textual import getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static
from textual.worker import Worker

from memtui.store import StoreError, ThenAndNow, then_and_now
from memtui.store.context.log_entries import NamedLogEntry, named_log_entries
from memtui.store.platform.translation import N_, _
from memtui.store.search.narrowing import hold, words_of
from memtui.store.text.plural import count_noun

from ..finding.places import ByTime
from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..lists.provider import ListProvider
from ..parts.frame import Heading
from ..parts.split import Split
from ..parts.text_view import TextView
from ..screen import ListAndDetailScreen, MemScreen
from ..text.ages import full
from ..text.content import DIM, Passage, difference_passages, plain
from .panes import ContextLogList
from .text import NOTHING_AT_ALL, NOTHING_LOGGED, log_passages, project_name


class ContextLogScreen(ListAndDetailScreen):
    """A row a session; beside it, where there is room, the memories that the selected one was given."""

    CSS_PATH = "log.tcss"
    BINDINGS = [
        key("f", "filter", "Filter", "Sessions of this project, or of all", "given.filter"),
        key(
            "c",
            "compare",
            "Then and now",
            "What it was given at its start, beside what it would be given now",
            "given.compare",
        ),
    ]

    place = N_("Given")
    command = "session context --log"
    has_rows = False

    heading = getters.query_one(Heading)
    nothing = getters.query_one("#nothing", Static)
    sessions = getters.query_one(ContextLogList)
    view = getters.query_one("#log", TextView)

    def __init__(self, project: str) -> None:
        super().__init__()
        self._project = project
        self._is_of_all = False

    def body(self) -> ComposeResult:
        yield Heading()
        yield Static(id="nothing", markup=False)
        with Split("given"):
            yield ContextLogList(self.browser.now)
            yield TextView(id="log")

    def on_mount(self) -> None:
        self.sessions.name_items(_("Sessions"))
        self.view.entitle(_("What it was given"))
        self.sessions.focus()
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    @property
    def list_to_narrow(self) -> PagedList[Any] | None:
        return self.sessions

    @property
    def by_time(self) -> ByTime | None:
        return ByTime(self.sessions, self._not_before, lambda item: item.given.at)

    async def _not_before(self, at: int) -> int:
        """How many of those that are listed were given at or after a moment (ms)."""
        listed = await self.sessions.items(0, self.sessions.count)
        return sum(entry.given.at >= at for entry in listed)

    def show_found(self) -> Worker[None]:
        return self._load()

    def action_filter(self) -> None:
        """From the sessions of one project to those of all, and back."""
        self._is_of_all = not self._is_of_all
        self._load()

    def action_compare(self) -> None:
        """Show what the selected session was given beside what it would be given now."""
        if (item := self.sessions.item) is not None:
            self.browser.open_over(ThenAndNowScreen(item))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "compare":
            # At a prompt or a file it is told of what was asked, which isn't kept.
            return self.sessions.item is not None and self.sessions.item.given.is_start
        return super().check_action(action, parameters)

    @on(ContextLogList.Highlighted)
    def _look(self) -> None:
        self._tell()
        self.refresh_bindings()

    @on(ContextLogList.Selected)
    def _open(self) -> None:
        self.open_detail()

    @work(exclusive=True, group="log")
    async def _load(self, hold: bool = False) -> None:
        project = None if self._is_of_all else self._project
        words = words_of(self.words)
        entries = await self.browser.side.run(
            lambda store: [entry for entry in named_log_entries(store, project) if _holds(entry, words)]
        )
        self.sessions.one_project = project is not None
        keep = self.sessions.key if hold else None
        await self.sessions.set_provider(ListProvider(entries), keep=keep)
        whose = _("all projects") if project is None else project_name(project)
        self.heading.left = Content.assemble((_("given to sessions of "), DIM), plain(whose, "bold"))
        self.heading.right = plain(count_noun(len(entries), "sessions"), DIM)
        nothing = NOTHING_AT_ALL if project is None else NOTHING_LOGGED.format(whose=whose)
        self.nothing.update(plain(nothing, newlines=True))
        self.set_class(not entries and not words, "-none")
        self._tell(hold)

    def _tell(self, hold: bool = False) -> None:
        item = self.sessions.item
        self.view.show(list(log_passages(item, self.browser.now())) if item else [], hold=hold)


def _holds(entry: NamedLogEntry, words: Sequence[str]) -> bool:
    given = entry.given
    names = [name.title for name in entry.names.values()]
    return hold(words, entry.title, given.project, given.agent, given.session, *names)


WAITING = _("Rebuilding what it was given. Esc leaves.")
SAME = _("It would be given the same now.")


class ThenAndNowScreen(MemScreen):
    """Lines that it was given and would not be now, and the other way round; of those that say something
    else of the same, the words."""

    CSS = "ThenAndNowScreen > #both { height: 1fr; }"
    BINDINGS = []

    place = N_("Then and now")
    has_rows = False

    heading = getters.query_one(Heading)
    view = getters.query_one("#both", TextView)

    def __init__(self, item: NamedLogEntry) -> None:
        super().__init__()
        self._item = item

    def body(self) -> ComposeResult:
        yield Heading()
        yield TextView(id="both")

    def on_mount(self) -> None:
        given = self._item.given
        named = self._item.title or given.session or _("unnamed")
        self.heading.left = Content.assemble(
            (_("given to "), DIM), plain(named, "bold"), plain(f" {full(given.at)}", DIM)
        )
        self.view.show([Passage(plain(WAITING, DIM))])
        self.view.focus()
        self._load()

    @work(exclusive=True, group="then")
    async def _load(self) -> None:
        given = self._item.given
        try:
            result = await self.browser.side.run_beside(lambda store: then_and_now(store, given))
        except StoreError as error:
            self.view.show([Passage(plain(str(error), "$text-warning"))])
            return
        then, now = len(result.then.refs), len(result.now.refs)
        self.heading.right = Content.assemble(
            ("- ", "$text-error"), plain(_("{then} then", then=f"{then:,}"), DIM),
            ("  + ", "$text-success"), plain(_("{now} now", now=f"{now:,}"), DIM),
        )  # fmt: skip
        self.view.show(list(_passages(result)))


def _passages(result: ThenAndNow) -> Iterator[Passage]:
    for note in result.notes:
        yield Passage(plain(note, "$text-warning"))
    if result.then.text == result.now.text:
        yield Passage(plain(SAME, DIM), space=int(bool(result.notes)))
    space = 1 if result.notes or result.then.text == result.now.text else 0
    yield from difference_passages(result.then.text, result.now.text, space)
