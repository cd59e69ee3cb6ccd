"""What every screen has: the header, the notice, the footer, the shared keys, and what these do to a
record; and what screens share that show a list, and beside it in full what is selected there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from memtui.store import ListRow, Store
from memtui.store.platform.leaves import has_leaf
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from .finding.screen import FINDING, FollowingScreen
from .keys import bindings
from .keys.bindings import remapped
from .keys.mem_commands import COMMANDS, filled
from .lists.paged_list import PagedList
from .optional import has_part, part
from .parts.document_view import DocumentView
from .parts.frame import Header, KeysFooter, Notice
from .parts.split import ARRANGING, PaneScreen, Split
from .protocol import ReadingMode

if TYPE_CHECKING:
    from memtui.store import ActionName


WRITING = {
    *("pin", "hide", "delete", "tag", "move_to_project", "share", "confirm", "edit", "edit_text", "new"),
    *("undo", "redo", "save_search", "save_view"),
    *("restore", "revert", "purge", "purge_shown", "empty_trash", "merge", "supersede"),
}
"""What no key does to a memory that can only be read, and no help tells of there."""
WITH_ROW = {
    *("timeline", "similar", "pin", "hide", "delete", "tag", "move_to_project", "share", "export"),
    "confirm",
}
REWORDING = {"edit", "edit_text", "tag", "move_to_project"}
"""What a reader in a team can't do to a teammate's memory: it would reach nobody else."""
EVERYWHERE = (*bindings.APP, *bindings.SCREEN, *bindings.ENTRY)
MARKING = {"mark", "mark_range", "mark_all", "unmark"}
Change = Callable[[Store, ListRow], str]


class MemScreen(PaneScreen, FollowingScreen):
    """A screen of the browser. Subclasses give `body`, and override `store_changed` and `row`."""

    BINDINGS = [
        *bindings.SCREEN,
        *bindings.ENTRY,
        *bindings.TEXTS,
        *bindings.PANES,
    ]

    place: ClassVar[str] = ""
    """The screen's name in the header."""
    mode: ClassVar[str] = ""
    """The mode it is the first screen of."""
    has_rows: ClassVar[bool] = True
    """Whether a memory can be selected here; where none can, the help leaves its keys out."""
    command: ClassVar[str] = "show {id}"
    """The `mem` command that tells what is shown here, as `mem_commands` has them; of the first screen of a
    mode it stands there."""
    hints: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What the help tells beside the keys: what can be typed, and what it means."""

    sought: tuple[str, ListRow | None] | None = None
    """What the selection goes to as soon as it is loaded."""

    _seen_version: int | None = None

    @property
    def row(self) -> ListRow | None:
        """The row that the keys work on; None when nothing is selected here."""
        return self.browser.selection if self.has_rows else None

    @property
    def chosen(self) -> tuple[str, ...]:
        return super().chosen or ((self.row.ref,) if self.row is not None else ())

    @property
    def edited(self) -> str | None:
        """The ref of what `e` and `E` correct; None where nothing is selected."""
        return self.row.ref if self.row is not None else None

    @property
    def selected_path(self) -> str:
        """The file under the cursor, as the memory of `edited` names it; `` where files are not listed."""
        return ""

    @property
    def added(self) -> tuple[str, str]:
        """The kind of memory that `n` adds here, and the project that it is offered."""
        chosen = self.browser.selection
        return "observation", chosen.project if chosen is not None else ""

    @property
    def has_texts(self) -> bool:
        """Whether it shows stored texts, which can be read as they are stored too."""
        return bool(self.query(DocumentView))

    @property
    def named(self) -> tuple[str, str] | None:
        """The ref and the title of what is selected, notes and sessions included; None for nothing."""
        return (self.row.ref, self.row.title) if self.row is not None else None

    @property
    def command_values(self) -> dict[str, str]:
        """What a `mem` command on what is selected here is about, as `mem_commands` names it."""
        ref, row = self.edited or "", self.row
        session = f"@{row.session_id}" if row is not None and row.session_id is not None else ""
        return {
            "id": ref,
            "ids": " ".join(self.chosen),
            "session": ref if ref.startswith("@") else session,
        }

    @property
    def shown_command(self) -> str:
        """The `mem` command that tells what is shown here, without `mem`."""
        return filled(COMMANDS.get(f"app.{self.mode}", self.command), self.command_values)

    @property
    def is_inside(self) -> bool:
        """Whether Esc leaves something within the screen first: a pane, or a question."""
        return False

    def body(self) -> ComposeResult:
        """Yield the widgets between header and footer."""
        raise NotImplementedError

    def store_changed(self) -> None:
        """Show what was written meanwhile, without moving the selection."""

    def seek(self, ref: str, row: ListRow | None) -> None:
        """Show what was written, and move the selection to a memory, if it is listed here. `row` is its
        row, None where lists hold none of its kind."""
        self.sought = ref, row
        self.store_changed()

    async def show_sought(self) -> None:
        """Move the selection to what is sought, when what is listed here is loaded."""
        if self.sought is not None:
            await self.move_selection(*self.sought)
            # Not sooner: where this is cancelled, whoever reads next does it.
            self.sought = None

    async def move_selection(self, ref: str, row: ListRow | None) -> None:
        """Move the selection to a memory, if it is listed here; `row` as `seek` has it."""

    def compose(self) -> ComposeResult:
        yield Header()
        yield Notice(self.browser.notice)
        yield from self.body()
        yield KeysFooter()
        yield Static(_("memtui needs 30 by 8 cells."), id="too-small")

    def on_screen_resume(self) -> None:
        for view in self.query(DocumentView):
            view.read_again()
        self.catch_up()

    def on_screen_suspend(self) -> None:
        self.forget_unseen()

    def forget_unseen(self) -> None:
        """Keep of lists the rows in view, and nothing painted: what changes is painted anew by then."""
        for rows in self.query(PagedList):
            rows.forget_unseen()
        for widget in (self, *self.query("*")):
            # Each line takes a KB. Textual has no public way.
            widget._styles_cache.clear()

    def catch_up(self) -> None:
        """Call `store_changed` when anything was committed since it was last called."""
        before, self._seen_version = self._seen_version, self.browser.version
        if before not in (None, self.browser.version):
            self.store_changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        if action in WRITING and self.browser.read_only:
            return False
        if action == "share" and not has_part("team"):
            return False
        if action == "blame":
            return self.edited is not None and has_part("blame")
        if action in REWORDING and self.refusal(action):
            return False
        if action in WITH_ROW:
            is_of_one = action in ("timeline", "similar")
            return self.row is not None or (not is_of_one and bool(self.marks))
        if action in ARRANGING:
            return self.can_arrange(action)
        if action == "stop_work":
            return self.can_stop_work
        if action == "follow":
            return self.followed is not None
        if action in FINDING:
            return self.finds(action)
        if action in MARKING:
            return self.has_rows and self.can_mark(action)
        if action == "continue_elsewhere" and not has_leaf("handoff"):
            return False
        if action in ("edit", "edit_text", "open", "resume_session", "continue_elsewhere"):
            return self.edited is not None
        if action in ("copy", "copy_as"):
            return self.edited is not None or bool(self.marks)
        if action in ("read_raw", "unfold"):
            return any(view.is_document for view in self.query(DocumentView))
        if action == "versions":
            return self.named is not None
        if action == "density":
            return any(rows.row_height > 1 for rows in self.query(PagedList))
        if action == "back":
            return self.is_inside or self.browser.has_way_back
        if action == "session":
            return self.row is not None and self.row.session_id is not None
        return True

    def refusal(self, action: str) -> str:
        """Return why an action can't be done to what is selected, in a sentence; "" where it can."""
        known = self.browser.team_marks
        # Of several marked memories the store says it.
        if action not in REWORDING or not known.is_on or len(self.chosen) != 1:
            return ""
        (ref,) = self.chosen
        mark = known.of(self.app, ref)
        if mark is None or not mark.is_read_only:
            return ""
        return _(
            "{ref} is {author}'s, and you may only read in the team; nothing was changed.",
            ref=ref,
            author=mark.author,
        )

    def on_key(self, event: events.Key) -> None:
        """Say of a key that would change something why it does nothing here."""
        keymap = self.browser.keymap
        for action in _writing_actions(event.key, keymap, bindings.ENTRY):
            if why := self.refusal(action):
                event.stop()
                self.notify(why, severity="warning", markup=False)
        if self.browser.read_only and _writing_actions(event.key, keymap):
            event.stop()
            content = _("This store is open read-only: nothing in it can be changed.")
            if who := self.browser.owner:
                content = _(
                    "This store is open read-only from {who}: nothing in it can be changed here.",
                    who=who,
                )
            elif as_of := self.browser.as_of:
                content = _("This is the store {as_of}. The past can't be changed; q quits.", as_of=as_of)
            self.notify(content, severity="warning", markup=False)

    def action_copy_command(self) -> None:
        """The `mem` command that tells what is shown here to the clipboard."""
        from .links import copy_command

        copy_command(self.app, self.shown_command)

    def action_density(self) -> None:
        """Have rows of one line each, or with second lines again."""
        is_compact = self.browser.settings.density == "compact"
        self.browser.keep(density="comfortable" if is_compact else "compact")

    def action_edit(self) -> None:
        """Correct what is selected in a form."""
        if self.edited is not None:
            self.browser.edit(self.edited)

    def action_edit_text(self) -> None:
        """Correct what is selected in the user's editor."""
        if self.edited is not None:
            self.browser.edit_text(self.edited)

    def action_new(self) -> None:
        """Add a memory."""
        self.browser.add_memory(*self.added)

    def action_back(self) -> None:
        """Return to where you were before."""
        self.browser.go_back()

    def action_read_raw(self) -> None:
        """Read texts as they are stored, or rendered again."""
        reading = self.browser.reading
        self._read_texts(replace(reading, raw=not reading.raw))

    def action_unfold(self) -> None:
        """Show long code whole, or folded again."""
        reading = self.browser.reading
        self._read_texts(replace(reading, unfolded=not reading.unfolded))

    def _read_texts(self, reading: ReadingMode) -> None:
        self.browser.reading = reading
        for view in self.query(DocumentView):
            view.read_again()

    def action_timeline(self) -> None:
        """What happened around the row, on a screen of its own."""
        if self.row is not None:
            self.browser.show_timeline(self.row)

    async def action_similar(self) -> None:
        """What is like the row, in a search of its own."""
        if self.row is not None:
            await self.browser.show_search(f"is:similar:{self.row.ref} ", in_results=True)

    def action_session(self) -> None:
        """The session that the row belongs to."""
        if self.row is not None and self.row.session_id is not None:
            self.browser.show_session(self.row.session_id, self.row.ref)

    def action_versions(self) -> None:
        """What it was before, and who changed it when."""
        if self.named is not None:
            self.browser.show_versions(*self.named)

    @work(group="copy")
    async def action_copy(self) -> None:
        """The text of what is selected to the clipboard, or that of all marked ones."""
        from .links import copy_text

        if self.marks:
            self.copy_marked()
        elif (ref := self.edited) is not None:
            await copy_text(self.app, ref)

    @work(group="copy", exclusive=True)
    async def action_copy_as(self) -> None:
        """Something else of what is selected, or of all marked ones, to the clipboard."""
        from .links import copy_something

        if refs := tuple(self.marks) or ((self.edited,) if self.edited is not None else ()):
            await copy_something(self.app, refs)

    @work(group="open", exclusive=True)
    async def action_open(self) -> None:
        """A file that it names in the user's editor, or an address in the web browser."""
        from .links import open_links

        if self.edited is not None:
            await open_links(self.app, self.edited, self.selected_path)

    @work(group="open", exclusive=True)
    async def action_blame(self) -> None:
        """Which session wrote the lines of its file, and why."""
        if self.edited is not None:
            await part("blame.asking").ask_who_wrote(self.app, self.edited, self.selected_path)

    @work(group="open", exclusive=True)
    async def action_resume_session(self) -> None:
        """Go on with its session in the agent, when asked once."""
        from .links import resume_session

        if self.edited is not None:
            await resume_session(self.app, self.edited)

    @work(group="open", exclusive=True)
    async def action_continue_elsewhere(self) -> None:
        """Go on with its session in another agent."""
        from .links import continue_elsewhere

        if self.edited is not None:
            await continue_elsewhere(self.app, self.edited)

    def action_pin(self) -> None:
        """Pin the row or all marked ones, or unpin."""
        self._change_chosen("pin", toggle_pin, "p")

    def action_hide(self) -> None:
        """Hide the row or all marked ones as private, or show again."""
        self._change_chosen("hide", toggle_private, "x")

    def action_confirm(self) -> None:
        """Say of the row or all marked ones that they are still true."""
        self._change_chosen("confirm", say_still_true, "U")

    def action_delete(self) -> None:
        """Delete the row or all marked ones, or restore."""
        self._change_chosen("delete", toggle_deleted, "d")

    def _change_chosen(self, name: ActionName, change: Change, key: str) -> None:
        if self.marks:
            self.change_chosen(name)
        else:
            self._curate(change, key)

    @work(group="write")
    async def _curate(self, change: Change, key: str) -> None:
        async with self.browser.changing:
            if (row := self.row) is not None:
                await self.browser.write(lambda store: change(store, row), key)
                await self.wait_until_refreshed()


def toggle_pin(store: Store, row: ListRow) -> str:
    """Pin a record, or unpin it."""
    pinned = not store.record_of(row).pinned
    store.tables[row.kind].pin(row.record_id, pinned)
    return _told(_("Pinned") if pinned else _("Unpinned"), row)


def say_still_true(store: Store, row: ListRow) -> str:
    """Have a record be stale only once its files change again."""
    left = _change(store, row, "confirm")
    return safe(left[0]) if left else _told(_("Still true"), row)


def toggle_private(store: Store, row: ListRow) -> str:
    """Hide a record from every list, index and export, or show it again."""
    private = not store.record_of(row).private
    left = _change(store, row, "hide" if private else "show")
    return _told(_("Hidden as private") if private else _("Shown again"), row, left)


def toggle_deleted(store: Store, row: ListRow) -> str:
    """Delete a record, or restore it."""
    is_deleted = store.record_of(row).deleted_at is not None
    left = _change(store, row, "restore" if is_deleted else "delete")
    return _told(_("Restored") if is_deleted else _("Deleted"), row, left)


class ListAndDetailScreen(MemScreen):
    """Its `Split` has the list first and the detail last. Where there is room for one of them only, the
    detail is `-open` in place of the list."""

    @property
    def is_inside(self) -> bool:
        return self.is_mounted and (self._detail_pane.has_focus or self.has_class("-open"))

    @property
    def _detail_pane(self) -> Widget:
        return self.query_one(Split).children[-1]

    def action_back(self) -> None:
        """From the detail to the list; from there to where you were before."""
        if self.is_inside:
            self.remove_class("-open")
            self.focus_list()
        else:
            super().action_back()

    def focus_list(self) -> None:
        """Give the list the focus."""
        self.query_one(PagedList).focus()

    def open_detail(self) -> None:
        """Give the detail the focus, which it can't have before it is in view."""
        self.add_class("-open")
        self.call_after_refresh(self._detail_pane.focus)


def _writing_actions(
    key: str, keymap: Mapping[str, str], among: Sequence[BindingType] = EVERYWHERE
) -> list[str]:
    """Return what a key changes of a memory on every screen."""
    return [
        binding.action
        for binding in among
        if isinstance(binding, Binding)
        and binding.action in WRITING
        and key in remapped(binding, keymap).key.split(",")
    ]


def _change(store: Store, row: ListRow, name: ActionName) -> Sequence[str]:
    """Do one thing to a record; return sentences on what stays as it is."""
    from memtui.store import Action
    from memtui.store.observe.curating import change_many

    return change_many(store, [row.ref], Action(name)).left


def _told(done: str, row: ListRow, left: Sequence[str] = ()) -> str:
    title = safe(row.title)
    short = title if len(title) <= 60 else f"{title[:60]}…"
    content = _("{done}: {title} (u undoes)", done=done, title=short)
    return _(". ").join((content, *map(safe, left)))
