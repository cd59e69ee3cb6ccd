"""Choosing a project, an agent or an entity, by a few letters of its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from store import Store

from ..bindings import key
from ..protocol import browser
from ..text.content import DIM, edges, plain
from .paged_list import PagedList
from .provider import ListProvider


@dataclass(frozen=True, slots=True)
class Choice:
    """One project, agent or entity, or everything; `memories` is how many there are."""

    project: str | None = None
    agent: str | None = None
    memories: int = 0
    entity: str | None = None

    @property
    def name(self) -> str:
        """What it is called; `` for everything."""
        return self.project or self.agent or self.entity or ""


EVERYTHING = Choice()


class ChoiceList(PagedList[Choice]):
    """A name a row, what it names, and how much of it there is."""

    def render_row(self, item: Choice, width: int, selected: bool) -> list[Content]:
        kinds = {"project": item.project, "agent": item.agent, "entity": item.entity}
        kind = next((kind for kind, name in kinds.items() if name), "")
        count = f"{item.memories:>8,}" if item.memories else ""
        name = plain(item.name or "everything", "bold" if selected else "")
        return [edges(name, Content.styled(f"{kind}{count}", DIM), width)]


class ChooseScreen(ModalScreen[Choice | None]):
    """Gives what was chosen; None when it was left with Esc."""

    CSS_PATH = "choose.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("escape", "dismiss", "Cancel", "Leave it as it was", "choose.cancel"),
        key("up", "move(-1)", "Up", "The name above", "choose.up", show=False),
        key("down", "move(1)", "Down", "The name below", "choose.down", show=False),
    ]

    choices = getters.query_one(ChoiceList)

    def __init__(
        self,
        current: Choice,
        offers: Callable[[Store], list[Choice]] | None = None,
        placeholder: str = "a project or an agent",
    ) -> None:
        """`offers` gives what there is to choose from; projects and agents without it."""
        super().__init__()
        self._current = current
        self._offers = offers or _choices
        self._placeholder = placeholder
        self._all: list[Choice] = [EVERYTHING]

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Input(placeholder=self._placeholder, compact=True)
            yield ChoiceList()

    def on_mount(self) -> None:
        self._load()

    def action_move(self, rows: int) -> None:
        """Move the cursor, the letters still going to the input."""
        self.choices.cursor += rows

    @on(Input.Changed)
    def _narrow(self, message: Input.Changed) -> None:
        self._show(message.value)

    @on(Input.Submitted)
    def _take(self) -> None:
        self.choices.action_select()

    @on(ChoiceList.Selected)
    def _chosen(self, message: ChoiceList.Selected) -> None:
        self.dismiss(message.item)

    @work
    async def _load(self) -> None:
        self._all = await browser(self).side.run(self._offers)
        await self.choices.set_provider(ListProvider(self._all))
        same = (at for at, one in enumerate(self._all) if one.name == self._current.name)
        self.choices.cursor = next(same, 0)

    @work(exclusive=True, group="narrow")
    async def _show(self, typed: str) -> None:
        wanted = typed.casefold()
        found = [one for one in self._all if wanted in one.name.casefold()]
        await self.choices.set_provider(ListProvider(found))


def _choices(store: Store) -> list[Choice]:
    projects = [Choice(project=name, memories=many) for name, many in store.projects() if name]
    counts = store.facets("").counts["agent"]
    agents = [Choice(agent=name, memories=many) for name, many in counts if name]
    return [EVERYTHING, *projects, *agents]
