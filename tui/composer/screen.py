"""The composer: what the sessions of a project are told, item by item, and the text they get."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual import getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memtui.store import Store, random_nonce
from memtui.store.context.preview import Preview, PreviewItem
from memtui.store.context.scope import forget_profile, save_profile
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe

from ..keys.bindings import hidden, key
from ..lists.picker import Choice, ChooseScreen, project_choices
from ..parts.frame import Heading
from ..parts.split import Split
from ..screen import MemScreen
from ..text.content import DIM, plain
from .editor import Draft, EditorState, compose, first_project
from .panes import NO_LINES, ContextText, PreviewList
from .text import NOTHING, UNTOLD, TokenMeter, is_over, left_over, project_name, saved_status, shares


class ComposerScreen(MemScreen):
    """What can be told, in order; beside it the text that an agent gets, above both what it costs."""

    CSS_PATH = "screen.tcss"

    BINDINGS = [
        key("space", "tick", "Tick", "Include it in the context, or leave it out", "composer.tick"),
        key(
            "K,alt+up",
            "lift",
            "Order",
            "Move up; memories you move come before the automatic ones",
            "composer.earlier",
            display="J K",
        ),
        hidden(
            "J,alt+down",
            "lower",
            "Order",
            "Move down; the last one you moved returns to its usual place",
            "composer.later",
        ),
        key("b", "trim", "Brief", "Its line only, or its whole text", "composer.brief"),
        key("plus,equals_sign", "budget(1)", "Budget", "More tokens", "composer.more", display="+ -"),
        hidden("minus", "budget(-1)", "Budget", "Fewer tokens", "composer.fewer"),
        key("s", "save", "Save", "Tell the project's sessions this from now on", "composer.save"),
        hidden("u", "undo_step", "Undo", "Take the last change here back", "composer.undo"),
        key("r", "forget", "Forget", "Forget the project's profile; asks first", "composer.forget"),
        key("n", "project", "Project", "The sessions of another project", "composer.project"),
        key("l", "log", "Log", "What earlier sessions were given", "composer.log"),
        hidden("y", "copy_text", "Copy", "Copy the text to the clipboard", "composer.copy"),
    ]

    place = N_("Composer")
    mode = "composer"
    has_rows = False

    heading = getters.query_one(Heading)
    meter = getters.query_one(TokenMeter)
    nothing = getters.query_one("#nothing", Static)
    view = getters.query_one(ContextText)
    items = getters.query_one(PreviewList)
    question = getters.query_one("#question", Static)

    project: str | None = None
    """The project in view; None until it is known."""
    shown: Preview | None = None
    """What was composed last."""
    asked = ""
    """What is asked before something is done; `` when nothing is."""

    def __init__(self) -> None:
        super().__init__()
        self.editors: dict[str, EditorState] = {}
        # One for all that is shown here: another at each key would catch the eye for nothing.
        self._nonce = random_nonce()

    @property
    def editor(self) -> EditorState | None:
        """The work on the project in view; None while it is being read."""
        is_shown = self.shown is not None and self.shown.project == self.project
        return self.editors.get(self.project or "") if is_shown else None

    def body(self) -> ComposeResult:
        yield Heading()
        yield TokenMeter()
        yield Static(id="question", markup=False)
        yield Static(id="nothing", markup=False)
        with Split("composer"):
            yield PreviewList()
            yield ContextText(id="text")

    def on_mount(self) -> None:
        self.items.name_items(_("Memories"))
        self.view.entitle(_("What a session is told"))
        self.items.focus()
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        item = self.items.preview_item if self.is_mounted else None
        editor, shown, can_save = self.editor, self.shown, not self.browser.read_only
        match action:
            case "tick" | "lift":
                return item is not None
            case "lower":
                return bool(item and editor and item.ref in editor.draft.first)
            case "trim":
                return bool(item and item.has_brief)
            case "budget" | "copy_text":
                return bool(shown and shown.items)
            case "save":
                return bool(editor and not editor.is_saved and can_save)
            case "forget":
                return bool(shown and shown.saved_at is not None and can_save)
        return super().check_action(action, parameters)

    @property
    def is_inside(self) -> bool:
        return self.is_mounted and bool(self.asked or self.view.has_focus or self.has_class("-open"))

    def action_back(self) -> None:
        """From a question or the text to the list; from there to the mode before."""
        if self.asked:
            self.ask("")
        elif self.view.has_focus or self.has_class("-open"):
            self.remove_class("-open")
            self.items.focus()
        else:
            super().action_back()

    def action_tick(self) -> None:
        """Tell the selected memory, or leave it out."""
        self._change_item(lambda draft, item: draft.ticked(item.ref))

    def action_trim(self) -> None:
        """Tell the selected memory in brief, or in full."""
        self._change_item(lambda draft, item: draft.trimmed(item.ref))

    def action_lift(self) -> None:
        """Tell the selected memory one place earlier."""
        self._change_item(lambda draft, item: draft.lifted(item.ref, self._refs()))

    def action_lower(self) -> None:
        """Tell the selected memory one place later."""
        self._change_item(lambda draft, item: draft.lowered(item.ref, self._refs()))

    def action_budget(self, steps: int) -> None:
        """Give more tokens, or fewer."""
        self._change(lambda draft: draft.with_budget(steps))

    def action_undo_step(self) -> None:
        """Take the last change of the project's context back."""
        if (editor := self.editor) is not None and editor.undo():
            self._changed()
        else:
            self.notify(_("Nothing was changed here."))

    def action_project(self) -> None:
        """Another project, chosen by a few letters of its name."""
        current = Choice(project=self.project or None)
        self.app.push_screen(ChooseScreen(current, project_choices, _("a project")), self._turn_to)

    def action_log(self) -> None:
        """What earlier sessions were given."""
        from .log import ContextLogScreen

        self.app.push_screen(ContextLogScreen(self.project or ""))

    def action_copy_text(self) -> None:
        """The text that an agent gets, to the clipboard."""
        if self.shown is not None:
            self.app.copy_to_clipboard(self.shown.text)
            self.notify(_("Copied."))

    @work(group="write")
    async def action_save(self) -> None:
        """Keep what is chosen as the project's profile."""
        project, editor = self.project, self.editor
        if project is None or editor is None:
            return
        draft = editor.draft

        def save(store: Store) -> str:
            save_profile(store, project, draft.profile)
            editor.keep(draft)
            return _(
                "Saved: the sessions of {project} start with this.",
                project=safe(project_name(project)),
            )

        await self.browser.write(save, "s")
        self._changed()

    @work(group="write")
    async def action_forget(self) -> None:
        """Forget the project's profile, when asked twice."""
        project, editor = self.project, self.editor
        if project is None or editor is None:
            return
        name = safe(project_name(project))
        if not self.asked:
            self.ask(_("Forget the profile of {name}? r again forgets it, Esc keeps it.", name=name))
            return

        def forget(store: Store) -> str:
            forget_profile(store, project)
            editor.change(lambda draft: Draft())  # noqa: ARG005
            editor.keep(Draft())
            return _("Profile forgotten: sessions of {name} get the default context again.", name=name)

        await self.browser.write(forget, "r")
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
        changed = tuple(name for name, editor in self.editors.items() if not editor.is_saved)
        self.browser.unsaved = () if self.browser.read_only else changed

    @on(PreviewList.Highlighted)
    def _look(self) -> None:
        self.ask("")
        self._mark()
        # Not everything has a shorter form, or was chosen.
        self.refresh_bindings()

    @on(PreviewList.Selected)
    def _open(self) -> None:
        self.add_class("-open")
        self.view.focus()

    @work(exclusive=True, group="compose")
    async def _load(self, hold: bool = False) -> None:
        if (name := self.project) is None:
            here, selected = str(Path.cwd()), self.browser.selection
            project = selected.project if selected else ""
            name = await self.browser.side.run(lambda store: first_project(store, here, project))
            self.project = name
        editor = self.editors.get(name)
        draft = None if editor is None or editor.is_saved else editor.draft
        preview = await self.browser.side.run(lambda store: compose(store, name, draft, self._nonce))
        if editor is None:
            editor = self.editors[name] = EditorState(Draft.of(preview.profile))
        elif draft is None:
            editor.keep(Draft.of(preview.profile))
        await self._show(preview, editor, hold)

    async def _show(self, preview: Preview, editor: EditorState, hold: bool) -> None:
        self.shown = preview
        self.tell_unsaved()
        name = project_name(preview.project)
        self.heading.left = Content.assemble((_("context of "), DIM), plain(name, "bold"))
        self.heading.right = saved_status(
            preview, editor.is_saved, not self.browser.read_only, self.browser.now()
        )
        self.meter.taken, self.meter.budget = preview.tokens, preview.profile.budget
        self.meter.left_over = left_over(preview)
        self.meter.shares, self.meter.is_over = shares(preview), is_over(preview)
        if not preview.items:
            self.nothing.update(plain(NOTHING.format(project=name), newlines=True))
        self.set_class(not preview.items, "-none")
        if preview.items and self.focused is None:
            # What isn't displayed loses the focus.
            self.items.focus()
        before = self.items.preview_item if hold else None
        await self.items.show(preview.items, hold=hold)
        if before is not None and _is_gone(before, preview):
            content = _(
                "{ref} left the list: only moving it up had kept it there. u undoes.",
                ref=before.ref,
            )
            self.notify(content, markup=False)
        if preview.text or not preview.items:
            self.view.show_text(preview.text, preview.own_files, hold=hold)
        else:
            self.view.show_words(UNTOLD)
        self._mark()
        self.refresh_bindings()

    def _mark(self) -> None:
        item = self.items.preview_item
        self.view.select(item.lines if item else NO_LINES)

    def _refs(self) -> set[str]:
        return {item.ref for item in self.shown.items} if self.shown else set()

    def _change_item(self, change: Callable[[Draft, PreviewItem], Draft]) -> None:
        if (item := self.items.preview_item) is not None:
            self._change(lambda draft: change(draft, item))

    def _change(self, change: Callable[[Draft], Draft]) -> None:
        if (editor := self.editor) is not None and editor.change(change):
            self._changed()

    def _changed(self) -> None:
        self.ask("")
        self.tell_unsaved()
        self._load(hold=True)

    def _turn_to(self, choice: Choice | None) -> None:
        if choice is not None and choice.project not in (None, self.project):
            self.project = choice.project
            self.ask("")
            self._load()


def _is_gone(item: PreviewItem, preview: Preview) -> bool:
    """Whether a memory that was chosen is no longer, and is not told without that."""
    is_listed = any(item.ref == preview_item.ref for preview_item in preview.items)
    return item.section == "Chosen" and item.ref not in preview.profile.first and not is_listed
