"""Dialogs in which one of many is chosen by a few letters: `PickScreen` of a few names, `ChooseScreen` of
all projects, agents or entities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from memtui.store import Store
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe

from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog
from ..parts.line_input import LineInput
from ..protocol import browser
from ..text.content import DIM, MATCH, edges, joined, plain
from .paged_list import PagedList
from .provider import ListProvider

T = TypeVar("T")
NOTHING = _("Nothing matches")


class Picker(Dialog[T | None]):
    """Gives what was chosen; None when it was left with Esc. A subclass composes a `PagedList`, with an
    input above it where letters narrow it, and a `nothing_line` in its place where nothing is offered."""

    DEFAULT_CSS = """
    Picker {
        & #nothing { display: none; padding: 0 1; color: $dim; }
        &.-none #nothing { display: block; }
        &.-none PagedList { display: none; }
    }
    """
    BINDINGS = [
        key("escape", "dismiss", "Cancel", "Choose nothing", "choose.cancel"),
        hidden("up", "move(-1)", "Up", "The one above", "choose.up"),
        hidden("down", "move(1)", "Down", "The one below", "choose.down"),
        hidden("pageup", "move(-8)", "Page up", "Eight above", "choose.page-up"),
        hidden("pagedown", "move(8)", "Page down", "Eight below", "choose.page-down"),
    ]

    choices: getters.query_one[PagedList[Any]] = getters.query_one(PagedList)
    nothing = getters.query_one("#nothing", Static)

    async def offers(self, typed: str) -> Sequence[T]:
        """Return what there is to choose from, by the letters typed so far."""
        raise NotImplementedError

    def nothing_line(self) -> Static:
        """Return what stands in the place of the list where nothing is offered."""
        return Static(NOTHING, id="nothing", markup=False)

    def on_mount(self) -> None:
        self.offer("")

    def action_move(self, rows: int) -> None:
        """Move the cursor, the letters still going to the input."""
        self.choices.cursor += rows

    @on(Input.Changed)
    def _narrow(self, message: Input.Changed) -> None:
        self.offer(message.value)

    @on(Input.Submitted)
    def _take(self) -> None:
        self.choices.action_select()

    @on(PagedList.Selected)
    def _chosen(self, message: PagedList.Selected) -> None:
        self.choose(message.item)

    def choose(self, item: T) -> None:
        """Give one of them, and close."""
        self.dismiss(item)

    @work(exclusive=True, group="narrow")
    async def offer(self, typed: str) -> None:
        """Show what there is to choose from."""
        results = await self.offers(typed)
        await self.choices.set_provider(ListProvider(results))
        self.set_class(not results, "-none")
        self.offered(typed, results)

    def offered(self, typed: str, items: Sequence[T]) -> None:
        """What there is to choose from is shown."""


V = TypeVar("V")
ROOM = 6
"""Rows of the screen for what isn't a row of the list."""


@dataclass(frozen=True, slots=True)
class Pick(Generic[V]):
    """One of them: what it is called, what stands at the end of its row, what is said of it while the
    cursor is on it, and what is picked; `trouble` says why it can't be, `` where it can."""

    name: str
    value: V
    note: str = ""
    told: str = ""
    trouble: str = ""


class PickList(PagedList[Pick[V]]):
    """A name a row, the typed letters lit in it."""

    typed = ""

    def render_row(self, item: Pick[V], width: int, selected: bool) -> list[Content]:
        style = DIM if item.trouble else "bold" if selected else ""
        name = plain(item.name, style)
        if self.typed and (at := name.plain.casefold().find(self.typed)) >= 0:
            name = name.stylize(MATCH, at, at + len(self.typed))
        return [edges(name, plain(item.note, DIM), width)]


class PickScreen(Picker[Pick[V]]):
    """Gives what was picked; None when it was left with Esc."""

    CSS_PATH = "pick.tcss"

    picks = getters.query_one(PickList)
    told = getters.query_one("#told", Static)

    def __init__(self, title: str, picks: Sequence[Pick[V]], does: str) -> None:
        """`does` says in a word or two what Enter does."""
        super().__init__()
        self._title = title
        self._all = picks
        self._does = does

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = safe(self._title)
            box.border_subtitle = _("⏎ {does} · esc cancels", does=self._does)
            yield LineInput(placeholder=_("type to narrow"), compact=True)
            yield PickList()
            yield self.nothing_line()
            yield Static(id="told", markup=False)

    def on_mount(self) -> None:
        # As high as what there is to pick, as far as there is room.
        height = min(len(self._all), max(1, self.app.size.height - ROOM), 16)
        self.picks.styles.height = self.nothing.styles.height = height

    async def offers(self, typed: str) -> Sequence[Pick[V]]:
        wanted = self.picks.typed = safe(typed).casefold().strip()
        return [pick for pick in self._all if wanted in safe(pick.name).casefold()]

    def offered(self, typed: str, picks: Sequence[Pick[V]]) -> None:  # noqa: ARG002
        if not picks:
            self.told.update("")

    def choose(self, item: Pick[V]) -> None:
        if item.trouble:
            self.notify(safe(item.trouble), severity="warning", markup=False)
        else:
            super().choose(item)

    @on(PickList.Highlighted)
    def _tell(self, message: PickList.Highlighted) -> None:
        item: Pick[V] = message.item
        style = "$text-warning" if item.trouble else ""
        self.told.update(plain(item.trouble or item.told, style))


@dataclass(frozen=True, slots=True)
class Choice:
    """One project, agent, entity, tag or branch, or everything; `count` is how many there are."""

    project: str | None = None
    agent: str | None = None
    count: int = 0
    entity: str | None = None
    tag: str | None = None
    branch: str | None = None

    @property
    def name(self) -> str:
        """What it is called; `` for everything."""
        return self.project or self.agent or self.entity or self.tag or self.branch or ""


EVERYTHING = Choice()


def project_choices(store: Store) -> list[Choice]:
    """Return every project with how many memories it has, those with the most first."""
    return [Choice(project=name, count=many) for name, many in store.projects() if name]


def everything_and_projects(store: Store) -> list[Choice]:
    """Return everything, then every project."""
    return [EVERYTHING, *project_choices(store)]


class ChoiceList(PagedList[Choice]):
    """A name a row, what it names, and how much of it there is."""

    def render_row(self, item: Choice, width: int, selected: bool) -> list[Content]:
        kinds = N_("project"), N_("agent"), N_("entity"), N_("tag"), N_("branch")
        kind = next((kind for kind in kinds if getattr(item, kind)), "")
        count = f"{item.count:>8,}" if item.count else ""
        name = plain(item.name or _("everything"), "bold" if selected else "")
        return [edges(name, Content.styled(f"{_(kind)}{count}", DIM), width)]


class ChooseScreen(Picker[Choice]):
    """Gives what was chosen; None when it was left with Esc."""

    CSS_PATH = "choose.tcss"

    def __init__(
        self,
        current: Choice,
        offers: Callable[[Store], list[Choice]],
        what: str,
        counted: Callable[[Store], str] = lambda _: "",
    ) -> None:
        """`offers` gives what there is to choose from; `what` says what that is, `counted` of what the
        numbers beside it are, `` where they are of all."""
        super().__init__()
        self._current = current
        self._offers = offers
        self._what = what
        self._counted = counted
        self._all: list[Choice] | None = None

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = _("choose {what}", what=self._what)
            box.border_subtitle = _("⏎ {does} · esc cancels", does=_("chooses"))
            yield LineInput(placeholder=_("type to narrow"), compact=True)
            yield ChoiceList()
            yield self.nothing_line()

    async def offers(self, typed: str) -> Sequence[Choice]:
        if self._all is None:
            everything, counted = await browser(self).side.run(
                lambda store: (self._offers(store), self._counted(store))
            )
            self._all = everything
            if counted:
                box = self.query_one(Vertical)
                box.border_title = joined(_("choose {what}", what=self._what), counted)
        wanted = typed.casefold()
        return [choice for choice in self._all if wanted in choice.name.casefold()]

    def offered(self, typed: str, choices: Sequence[Choice]) -> None:
        if not typed:
            same = (at for at, choice in enumerate(choices) if choice.name == self._current.name)
            self.choices.cursor = next(same, 0)
