"""The composer: what the sessions of a project are told, piece by piece, and the text they get."""

from __future__ import annotations

from pathlib import Path

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from store.context.composing import Composition, Part
from store.context.fence import random_word

from ..composer_text import NOTHING, UNTOLD, left_over, project_name, standing
from ..composing import Desk, Draft, compose, first_project
from ..text import DIM, plain
from ..widgets.context_text import NO_LINES, ContextText
from ..widgets.heading import Heading
from ..widgets.part_list import PartList
from ..widgets.token_meter import TokenMeter
from .composer_keys import ComposerKeys


class ComposerScreen(ComposerKeys):
    """What can be told, in order; beside it the text that an agent gets, above both what it costs."""

    CSS_PATH = "composer.tcss"

    place = "Composer"
    mode = "composer"
    has_entries = False

    heading = getters.query_one(Heading)
    meter = getters.query_one(TokenMeter)
    nothing = getters.query_one("#nothing", Static)
    view = getters.query_one(ContextText)

    def __init__(self) -> None:
        super().__init__()
        # One for all that is shown here: another at each key would catch the eye for nothing.
        self._word = random_word()

    def body(self) -> ComposeResult:
        yield Heading()
        yield TokenMeter()
        yield Static(id="question", markup=False)
        yield Static(id="nothing", markup=False)
        with Horizontal():
            yield PartList()
            yield ContextText(id="text")

    def on_mount(self) -> None:
        self.parts.focus()
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def compose_again(self, *, hold: bool = False) -> None:
        self._load(hold)

    def action_back(self) -> None:
        """From a question or the text to the list; from there to the mode before."""
        if self.asked:
            self.ask("")
        elif self.view.has_focus or self.has_class("-open"):
            self.remove_class("-open")
            self.parts.focus()
        else:
            super().action_back()

    @on(PartList.Highlighted)
    def _look(self) -> None:
        self.ask("")
        self._mark()
        # Not everything has a shorter form, or was chosen.
        self.refresh_bindings()

    @on(PartList.Selected)
    def _open(self) -> None:
        self.add_class("-open")
        self.view.focus()

    @work(exclusive=True, group="compose")
    async def _load(self, hold: bool = False) -> None:
        if (name := self.project) is None:
            here, selected = str(Path.cwd()), self.mem.selection
            project = selected.project if selected else ""
            name = await self.mem.side.run(lambda store: first_project(store, here, project))
            self.project = name
        desk = self.desks.get(name)
        draft = None if desk is None or desk.is_saved else desk.draft
        found = await self.mem.side.run(lambda store: compose(store, name, draft, self._word))
        if desk is None:
            desk = self.desks[name] = Desk(Draft.of(found.profile))
        elif draft is None:
            desk.keep(Draft.of(found.profile))
        await self._show(found, desk, hold)

    async def _show(self, found: Composition, desk: Desk, hold: bool) -> None:
        self.shown = found
        self.tell_unsaved()
        name = project_name(found.project)
        self.heading.left = Content.assemble(("context of ", DIM), plain(name, "bold"))
        self.heading.right = standing(found, desk.is_saved, not self.mem.read_only, self.mem.now())
        self.meter.taken, self.meter.budget = found.tokens, found.profile.budget
        self.meter.left_over = left_over(found)
        if not found.parts:
            self.nothing.update(plain(NOTHING.format(project=name), newlines=True))
        self.set_class(not found.parts, "-none")
        if found.parts and self.focused is None:
            # What isn't displayed loses the focus.
            self.parts.focus()
        before = self.parts.part if hold else None
        await self.parts.show(found.parts, hold=hold)
        if before is not None and _is_gone(before, found):
            told = f"Only its being chosen had kept {before.ref} in the list; u takes that back."
            self.notify(told, markup=False)
        if found.text or not found.parts:
            self.view.show_text(found.text, hold=hold)
        else:
            self.view.show_words(UNTOLD)
        self._mark()
        self.refresh_bindings()

    def _mark(self) -> None:
        part = self.parts.part
        self.view.select(part.lines if part else NO_LINES)


def _is_gone(part: Part, found: Composition) -> bool:
    """Whether a memory that was chosen is no longer, and is not told without that."""
    is_listed = any(part.ref == one.ref for one in found.parts)
    return part.section == "Chosen" and part.ref not in found.profile.first and not is_listed
