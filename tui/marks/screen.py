"""A screen whose rows can be marked, and what the keys do to all marked ones at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textual import work
from textual.reactive import var
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import Worker

from memtui.store import Store, StoreError
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..lists.paged_list import PagedList
from ..optional import part
from ..parts.dialog import tell_change
from ..protocol import Browser, browser

if TYPE_CHECKING:
    from memtui.store import Action, ActionName
    from memtui.store.formats.common.scope import Scope

    from .changes import AskScreen, Progress

# What only a key needs is imported then: every start of the browser imports this.

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds after which a key no longer waits until the change of the one before is shown."""
ASKING = ("write", "copy", "open", "save")
"""Groups of workers that may wait for an answer, or for their turn."""
ASKED_ABOVE = 100
"""So many are marked by one key without a question."""
STOPPED = ("write", "copy")
"""Groups of workers that change many, or read them."""
AT_ONCE = 50
"""So many are changed between two lists; more are changed beside them."""
LEAVING = {"delete", "restore", "hide"}
"""What takes memories out of the list that they are marked in, and their marks with them."""


class MarkingScreen(Screen[None]):
    """Rows are marked by their refs, in whichever list of the screen they stand."""

    marks: var[Mapping[str, None]] = var(dict, init=False)
    """The refs that are marked, in the order of marking."""
    at_work: var[str] = var("", init=False)
    """What is being done to many, in words; `` when nothing is."""

    _range_start: tuple[PagedList[Any], Any] | None = None

    @property
    def browser(self) -> Browser:
        """The app, with its connections to the store."""
        return browser(self)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The refs that the keys work on: the marked ones, else that of the selected row."""
        return tuple(self.marks)

    @property
    def session_ref(self) -> str:
        """The ref of the session that is selected or shown; `` for none."""
        return ""

    @property
    def marked_list(self) -> PagedList[Any] | None:
        """The list with the focus, where its rows can be marked."""
        rows = self.focused
        if isinstance(rows, PagedList) and rows.item is not None and rows.ref_of(rows.item):
            return rows
        return None

    async def refs_of_all(self, rows: PagedList[Any]) -> Sequence[str]:
        """Return the refs of all that a list shows, in view or not."""
        return _refs(rows, await rows.items(0, rows.count))

    def can_mark(self, action: str) -> bool:
        """Whether one of the actions of marks can be done now."""
        if action == "unmark":
            return bool(self.marks) and not isinstance(self.focused, Input)
        return self.marked_list is not None

    def watch_marks(self) -> None:
        for rows in self.query(PagedList):
            rows.show_marks(self.marks)
        self.refresh_bindings()

    def watch_at_work(self) -> None:
        self.refresh_bindings()

    def action_mark(self) -> None:
        """Mark the row under the cursor, or unmark it, and go to the next one."""
        if (rows := self.marked_list) is not None:
            ref = rows.ref_of(rows.item)
            if ref in self.marks:
                self.marks = {mark: None for mark in self.marks if mark != ref}
            else:
                self.add_marks([ref])
            self._range_start = rows, rows.item
            rows.cursor += 1

    @work(exclusive=True, group="mark")
    async def action_mark_range(self) -> None:
        """Mark all rows from the one marked last to the cursor; without one, this row is the start."""
        if (rows := self.marked_list) is None:
            return
        here = rows.cursor
        start = None
        if self.marks and self._range_start is not None and self._range_start[0] is rows:
            start = await rows.place_of(self._range_start[1])
        if start is None:
            self.add_marks([rows.ref_of(rows.item)])
            self.notify(_("Marked. V on another row marks all up to there."))
        else:
            first, last = sorted((start, here))
            self.add_marks(_refs(rows, await rows.items(first, last - first + 1)))
        self._range_start = rows, rows.item_at(here)

    @work(exclusive=True, group="mark")
    async def action_mark_all(self) -> None:
        """Mark all that the list shows; where these are many, their number is asked back."""
        if (rows := self.marked_list) is None:
            return
        refs = await self.refs_of_all(rows)
        if not refs:
            self.notify(_("No memory matches exactly; Space and V mark those that are shown."))
        elif len(refs) <= ASKED_ABOVE or await self.confirmed(
            _("Mark all {count}?", count=f"{len(refs):,}"),
            _("More than can be seen at once. Nothing is changed yet."),
            _("marks them"),
        ):
            self.add_marks(refs)

    def action_unmark(self) -> None:
        """Mark nothing any more."""
        self.marks = {}

    @property
    def can_stop_work(self) -> bool:
        """Whether what is at work is done to many; an import or a backup goes on, and leaves Esc alone."""
        return bool(self.at_work) and any(
            worker.group in STOPPED and worker.node in (self, self.app) and not worker.is_finished
            for worker in self.workers
        )

    def action_stop_work(self) -> None:
        """Stop what is being done to many, and what waits for it."""
        for node in (self, self.app):
            for group in STOPPED:
                self.workers.cancel_group(node, group)

    async def confirmed(self, question: str, consequence: str, yes: str) -> bool:
        """Ask a question, and return the answer."""
        from .changes import ConfirmScreen

        screen = ConfirmScreen(question, consequence, yes)
        answer = await self.app.push_screen_wait(screen)
        return answer is True

    @work(group="write")
    async def change_chosen(self, name: ActionName) -> None:
        """Do one thing to all that is chosen, as one change; where all are so already, its opposite."""
        from memtui.store import Action

        from .changes import QUESTIONS

        many = len(self.chosen)
        if name in QUESTIONS and many > ASKED_ABOVE:
            question, does = QUESTIONS[name]
            question = _(question, count=f"{many:,}")
            if not await self.confirmed(question, _("u brings them back."), does):
                return
        async with self.browser.changing:
            await self.change_refs(self.chosen, Action(name))
            await self.wait_until_refreshed()

    async def wait_until_refreshed(self) -> None:
        """Wait until this screen shows what was written by now."""
        look, end = self.browser.look(), asyncio.get_running_loop().time() + PATIENCE
        while asyncio.get_running_loop().time() < end and not (
            look.is_finished and all(worker.is_finished for worker in self._refreshing())
        ):
            # To wait for a worker and give up would cancel it.
            await asyncio.sleep(0.005)

    def _refreshing(self) -> Iterator[Worker[Any]]:
        return (worker for worker in self.workers if worker.node is self and worker.group not in ASKING)

    @work(group="write")
    async def action_tag(self) -> None:
        """Add tags to all that is chosen, or remove some."""
        from ..parts.line_input import ValuesInUse
        from .changes import AskScreen, tags

        refs = self.chosen
        if not any(ref.isdecimal() or ref.startswith("@") for ref in refs):
            self.notify(_("Only observations and sessions have tags."), severity="warning")
            return
        hint = _("Commas between · → completes · - removes: auth, -draft")
        known = ValuesInUse(self.browser.side, "tags", is_list=True)
        if typed := await self._asked(
            AskScreen(_("tag {memories}", memories=_these(refs)), hint, _("adds"), suggester=known)
        ):
            await self.change_refs(refs, tags(typed))

    @work(group="write")
    async def action_move_to_project(self) -> None:
        """Move all that is chosen to another project."""
        from memtui.store import Action

        from ..parts.line_input import ValuesInUse
        from .changes import AskScreen

        refs = self.chosen
        if all(ref.startswith("p") for ref in refs):
            content = _("Prompts have the project of their session; move that.")
            self.notify(content, severity="warning")
            return
        screen = AskScreen(
            _("move {memories} to the project", memories=_these(refs)),
            _("→ completes an existing name; a new name creates a project."),
            _("moves"),
            suggester=ValuesInUse(self.browser.side, "project"),
        )
        if typed := await self._asked(screen):
            await self.change_refs(refs, Action("project", project=typed))

    @work(group="write")
    async def action_share(self) -> None:
        """Choose who in the team may read all that is chosen."""
        await part("team.sharing").ask_and_share(self)

    @work(group="write")
    async def action_export(self) -> None:
        """Write all that is chosen into a file."""
        from memtui.store.formats.common.scope import ALL, Scope

        refs = self.chosen
        # Of a session goes what everyone may see.
        scope = Scope() if any(ref.startswith("@") for ref in refs) else ALL
        await self.export_memories(_these(refs), refs, lambda _store: refs, scope)

    @work(group="write")
    async def action_share_session(self) -> None:
        """Write one session as a page or pages for whoever may read it."""
        from memtui.store.formats.common.scope import Scope

        if ref := self.session_ref:
            note = _("What is private or deleted stays; secrets are redacted.")
            name = f"session-{ref[1:]}.md"
            await self.export_memories(
                _("this session"), [ref], lambda _store: [ref], Scope(), note, name=name
            )

    async def export_memories(
        self,
        these: str,
        many: Sized,
        refs: Callable[[Store], Sequence[str]],
        scope: Scope,
        note: str = "",
        *,
        name: str = "memories.md",
    ) -> None:
        """Ask where to write `these` memories and as what, do so, and tell what was written. `refs` names
        them, `many` has their number; `note` says what doesn't go, `name` is offered for the file."""
        from memtui.store.formats.export import export_to

        from .changes import ExportScreen, is_taken, what_was_written

        dialog = ExportScreen(_("export {memories} to", memories=these), note, name)
        if not (typed := await self._asked(dialog)):
            return
        path, choice = Path(typed).expanduser().absolute(), dialog.choice
        is_forced = is_taken(path)
        question = _("Write into {name}?") if path.is_dir() else _("Replace {name}?")
        if is_forced and not await self.confirmed(
            question.format(name=path.name),
            _("{path} already exists. Overwriting it can't be undone.", path=path),
            _("writes"),
        ):
            return

        def write(store: Store, progress: Progress) -> str:
            results = refs(store)
            made = export_to(
                store, choice.format, path, scope=scope, refs=results, force=is_forced,
                progress=progress,
            )  # fmt: skip
            return what_was_written(store, made, results, scope)

        if (content := await self.run_beside(_("Exporting"), many, write)) is not None:
            self.notify(content, markup=False)

    @work(group="copy")
    async def copy_marked(self) -> None:
        """The text of all that is marked to the clipboard."""
        from .changes import MOST_COPIED, texts

        refs = self.chosen[:MOST_COPIED]
        copied = await self.run_beside(_("Copying"), refs, lambda store, _progress: texts(store, refs))
        if copied:
            self.app.copy_to_clipboard("\n\n---\n\n".join(copied))
            more = len(self.chosen) - len(refs)
            sentences = [_("{memories} copied.", memories=count_noun(len(copied), "memories"))]
            if more:
                sentences.append(
                    _(
                        "{count} more are too much for the clipboard; X exports them.",
                        count=f"{more:,}",
                    )
                )
            self.notify(" ".join(sentences))

    async def change_refs(self, refs: Sequence[str], action: Action) -> None:
        """Do one thing to memories as one change, tell what became of them, and show it."""
        from . import changes

        doing = changes.DOING.get(action.name, _("Changing"))
        done = await self.run_beside(
            doing,
            refs,
            lambda store, progress: changes.change(store, refs, action, progress),
            key=changes.KEYS.get(action.name, ""),
        )
        if done is not None:
            if action.name in LEAVING and self.marks:
                self.marks = {}
            tell_change(self.app, changes.told(done))
            self.browser.look()

    async def run_beside(
        self,
        doing: str,
        refs: Sized,
        call: Callable[[Store, Progress], T],
        key: str = "",
        *,
        is_unchanged: Callable[[Store], bool] | None = None,
    ) -> T | None:
        """Call a function with a store, and show how far it is; beside the browser where refs are
        many, or where some of its work can't be taken back when it is stopped, so that `is_unchanged`
        has to tell whether any of it was done. None where it failed, which is told. `key` is what the
        journal says was pressed."""
        loop = asyncio.get_running_loop()
        words = _("{doing} {memories}…", doing=doing, memories=count_noun(len(refs), "memories"))

        def progress(done: int, total: int, step: str) -> None:
            if done < total:
                is_counted = not step or total > AT_ONCE
                content = _("{doing}: {step}…", doing=doing, step=step)
                if is_counted:
                    content = _(
                        "{doing} {done} of {total}…",
                        doing=doing, done=f"{done:,}", total=f"{total:,}",
                    )  # fmt: skip
                loop.call_soon_threadsafe(setattr, self, "at_work", content)

        def called(store: Store) -> T:
            with store.pressed(key):
                return call(store, progress)

        side = self.browser.side
        self.at_work = words
        try:
            if is_unchanged or len(refs) > AT_ONCE:
                return await (side.change_beside if key else side.run_beside)(called)
            return await side.run(called)
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return None
        except asyncio.CancelledError:
            sentence = _("{doing} was stopped; nothing was changed.", doing=doing)
            if is_unchanged and not await self._is_known(is_unchanged):
                sentence = _("{doing} was stopped; what was gone for good by then stays so.", doing=doing)
            self.notify(sentence, markup=False)
            raise
        finally:
            self.at_work = ""

    async def _is_known(self, condition: Callable[[Store], bool]) -> bool:
        """Return whether a condition holds; False where the store can't tell."""
        try:
            return await self.browser.side.run(condition)
        except StoreError:
            return False

    async def _asked(self, screen: AskScreen) -> str | None:
        return await self.app.push_screen_wait(screen)

    def add_marks(self, refs: Iterable[str | None]) -> None:
        """Mark what these refs name, beside what is marked."""
        self.marks = {**self.marks, **dict.fromkeys(ref for ref in refs if ref)}


def _refs(rows: PagedList[Any], items: Iterable[Any]) -> list[str]:
    return [ref for item in items if (ref := rows.ref_of(item))]


def _these(refs: Sequence[str]) -> str:
    if all(ref.startswith("@") for ref in refs):
        return _("this session") if len(refs) == 1 else count_noun(len(refs), "sessions")
    return _("this memory") if len(refs) == 1 else count_noun(len(refs), "memories")
