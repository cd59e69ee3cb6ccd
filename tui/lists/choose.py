"""Choosing a project, an agent or an entity, by a few letters of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.store import Store
from memtui.store.platform.translation import N_, _

from ..parts.line_input import LineInput
from ..protocol import browser
from ..text.content import DIM, edges, joined, plain
from .paged_list import PagedList
from .picker import Picker


@dataclass(frozen=True, slots=True)
class Choice:
    """One project, agent or entity, or everything; `count` is how many there are."""

    project: str | None = None
    agent: str | None = None
    count: int = 0
    entity: str | None = None

    @property
    def name(self) -> str:
        """What it is called; `` for everything."""
        return self.project or self.agent or self.entity or ""


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
        kinds = {N_("project"): item.project, N_("agent"): item.agent, N_("entity"): item.entity}
        kind = next((kind for kind, name in kinds.items() if name), "")
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
