"""The keys of the composer: what they choose for a project's sessions, and how that is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import getters, work
from textual.binding import BindingType
from textual.widgets import Static

from store import Store
from store.context.composing import Composition, Part
from store.context.profile import forget_profile, save_profile
from store.display import safe

from ..bindings import key
from ..composer_text import project_name
from ..composing import Desk, Draft
from ..text import plain
from ..widgets.part_list import PartList
from .base import MemScreen
from .choose import Choice, ChooseScreen


class ComposerKeys(MemScreen):
    """A screen with what a project's sessions can be told; `compose_again` is what it shows it by."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key("space", "tick", "Tick", "Tell it, or leave it out", "composer.tick"),
        key(
            "K,alt+up",
            "lift",
            "Order",
            "One place earlier: chosen, it is told before all that is usual",
            "composer.earlier",
            display="J K",
        ),
        key(
            "J,alt+down",
            "lower",
            "Order",
            "One place later: the last of the chosen goes back to its usual place",
            "composer.later",
            show=False,
        ),
        key("b", "trim", "Brief", "Its line only, or its whole text", "composer.brief"),
        key(
            "plus,equals_sign",
            "budget(1)",
            "Budget",
            "More tokens",
            "composer.more",
            display="+ -",
        ),
        key("minus", "budget(-1)", "Budget", "Fewer tokens", "composer.fewer", show=False),
        key("s", "save", "Save", "Tell the project's sessions this from now on", "composer.save"),
        key(
            "u",
            "undo_step",
            "Undo",
            "Take the last change here back",
            "composer.undo",
            show=False,
        ),
        key("r", "forget", "Forget", "Forget the project's profile; asks first", "composer.forget"),
        key("n", "project", "Project", "The sessions of another project", "composer.project"),
        key("l", "log", "Log", "What earlier sessions were given", "composer.log"),
        key(
            "y",
            "copy_text",
            "Copy",
            "The text to the clipboard",
            "composer.copy",
            show=False,
        ),
    ]

    parts = getters.query_one(PartList)
    question = getters.query_one("#question", Static)

    project: str | None = None
    """The project in view; None until it is known."""
    shown: Composition | None = None
    """What was composed last."""
    asked = ""
    """What is asked before something is done; `` when nothing is."""

    def __init__(self) -> None:
        super().__init__()
        self.desks: dict[str, Desk] = {}

    @property
    def desk(self) -> Desk | None:
        """The work on the project in view; None while it is being read."""
        is_shown = self.shown is not None and self.shown.project == self.project
        return self.desks.get(self.project or "") if is_shown else None

    def compose_again(self, *, hold: bool = False) -> None:
        """Show what is chosen now; with `hold` the selection stays."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        part = self.parts.part if self.is_mounted else None
        desk, shown, can_save = self.desk, self.shown, not self.mem.read_only
        match action:
            case "tick" | "lift":
                return part is not None
            case "lower":
                return bool(part and desk and part.ref in desk.draft.first)
            case "trim":
                return bool(part and part.has_brief)
            case "budget" | "copy_text":
                return bool(shown and shown.parts)
            case "save":
                return bool(desk and not desk.is_saved and can_save)
            case "forget":
                return bool(shown and shown.saved_at is not None and can_save)
        return super().check_action(action, parameters)

    def action_tick(self) -> None:
        """Tell the selected memory, or leave it out."""
        self._change_part(lambda draft, part: draft.ticked(part.ref))

    def action_trim(self) -> None:
        """Tell the selected memory in brief, or in full."""
        self._change_part(lambda draft, part: draft.trimmed(part.ref))

    def action_lift(self) -> None:
        """Tell the selected memory one place earlier."""
        self._change_part(lambda draft, part: draft.lifted(part.ref, self._refs()))

    def action_lower(self) -> None:
        """Tell the selected memory one place later."""
        self._change_part(lambda draft, part: draft.lowered(part.ref, self._refs()))

    def action_budget(self, steps: int) -> None:
        """Give more tokens, or fewer."""
        self._change(lambda draft: draft.with_budget(steps))

    def action_undo_step(self) -> None:
        """Take the last change of the project's context back."""
        if (desk := self.desk) is not None and desk.undo():
            self._changed()
        else:
            self.notify("Nothing was changed here.")

    def action_project(self) -> None:
        """Another project, chosen by a few letters of its name."""
        current = Choice(project=self.project or None)
        self.mem.push_screen(ChooseScreen(current, _projects, "a project"), self._turn_to)

    def action_log(self) -> None:
        """What earlier sessions were given."""
        from .given import GivenScreen

        self.mem.push_screen(GivenScreen(self.project or ""))

    def action_copy_text(self) -> None:
        """The text that an agent gets, to the clipboard."""
        if self.shown is not None:
            self.mem.copy_to_clipboard(self.shown.text)
            self.notify("Copied.")

    @work(group="write")
    async def action_save(self) -> None:
        """Keep what is chosen as the project's profile."""
        project, desk = self.project, self.desk
        if project is None or desk is None:
            return
        draft = desk.draft

        def save(store: Store) -> str:
            save_profile(store, project, draft.profile)
            desk.keep(draft)
            return f"Saved: the sessions of {safe(project_name(project))} start with this."

        await self.mem.write(save)
        self._changed()

    @work(group="write")
    async def action_forget(self) -> None:
        """Forget the project's profile, when asked twice."""
        project, desk = self.project, self.desk
        if project is None or desk is None:
            return
        name = safe(project_name(project))
        if not self.asked:
            self.ask(f"Forget the profile of {name}? r again forgets it, Esc keeps it.")
            return

        def forget(store: Store) -> str:
            forget_profile(store, project)
            desk.change(lambda _: Draft())
            desk.keep(Draft())
            return f"The sessions of {name} start as usual."

        await self.mem.write(forget)
        self._changed()

    def ask(self, question: str) -> None:
        """Ask something above the list; `` withdraws the question."""
        if question == self.asked:
            return
        self.asked = question
        self.question.update(plain(question))
        self.set_class(bool(question), "-asking")

    def tell_unsaved(self) -> None:
        """Let the browser know what would be lost if it were left now."""
        changed = tuple(name for name, desk in self.desks.items() if not desk.is_saved)
        self.mem.unsaved = () if self.mem.read_only else changed

    def _refs(self) -> set[str]:
        return {part.ref for part in self.shown.parts} if self.shown else set()

    def _change_part(self, change: Callable[[Draft, Part], Draft]) -> None:
        if (part := self.parts.part) is not None:
            self._change(lambda draft: change(draft, part))

    def _change(self, change: Callable[[Draft], Draft]) -> None:
        if (desk := self.desk) is not None and desk.change(change):
            self._changed()

    def _changed(self) -> None:
        self.ask("")
        self.tell_unsaved()
        self.compose_again(hold=True)

    def _turn_to(self, choice: Choice | None) -> None:
        if choice is not None and choice.project not in (None, self.project):
            self.project = choice.project
            self.ask("")
            self.compose_again()


def _projects(store: Store) -> list[Choice]:
    return [Choice(project=name, memories=many) for name, many in store.projects() if name]
