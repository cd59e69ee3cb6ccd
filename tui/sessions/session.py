"""One session: its conversation, the same in time order, and the files it touched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import ContentSwitcher

from memtui.store import ListRow, Session, Store
from memtui.store.capture.conversation import conversation
from memtui.store.capture.conversation_entries import Conversation, Entry, conversation_markdown
from memtui.store.capture.next_prompt import Dropped, tell_at_next_prompt
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..finding.screen import Target
from ..keys.bindings import CONTINUE, OPEN_FILES, RESUME, SHARE_SESSION, hidden, key
from ..lists.picker import Pick, PickScreen
from ..lists.provider import ListProvider
from ..parts.frame import Heading, TabLine
from ..parts.line_input import PromptInput
from ..parts.split import Split
from ..screen import ListAndDetailScreen
from ..text.content import DIM, plain
from ..text.queries import filter_for
from ..text.team_mark import mark_of, mark_words
from ..timeline.lists import TimelineList
from ..timeline.moments import NamedSession, timeline_rows
from .conversation import ConversationView
from .lists import FileList, FileUse, SessionView, files_of_session, session_view
from .panes import SessionHead, without_summary
from .whole import EntryDetail, InConversation, entry_records

CONVERSATION, TIMELINE, FILES = N_("Conversation"), N_("Timeline"), N_("Files")
SOON = 0.5
"""Seconds in which a transcript is waited for."""
MOST_OF_FILE = 20
"""Memories that are shown of a file."""
READING = _("Reading its transcript …")


class SessionScreen(ListAndDetailScreen):
    """The session with this number; with a ref, at the memory that it names."""

    CSS_PATH = "session.tcss"
    BINDINGS = [
        key("n", "prompt(1)", "Prompts", "The next prompt", "session.next-prompt", display="n N"),
        hidden("N", "prompt(-1)", "Prompts", "The prompt before", "session.previous-prompt"),
        key(
            "c",
            "copy_conversation",
            "Copy all",
            "Copy the conversation as Markdown to the clipboard",
            "session.copy",
        ),
        key("right", "tab(1)", "Tabs", "The next tab", "session.next-tab", display="← →"),
        hidden("left", "tab(-1)", "Tabs", "The tab before", "session.previous-tab"),
        key("f", "file_memories", "Memories", "All memories that name this file", "session.file"),
        replace(RESUME, show=True),
        CONTINUE,
        SHARE_SESSION,
        replace(OPEN_FILES, show=True),
    ]

    AUTO_FOCUS = "ConversationView"

    place = N_("Session")
    command = "session show {session} --conversation"

    head = getters.query_one(SessionHead)
    tabs = getters.query_one(TabLine)
    switcher = getters.query_one(ContentSwitcher)
    talk = getters.query_one(ConversationView)
    timeline = getters.query_one(TimelineList)
    files = getters.query_one(FileList)
    detail = getters.query_one(EntryDetail)
    source = getters.query_one("#source", Heading)

    def __init__(self, session_id: int, ref: str | None = None) -> None:
        super().__init__()
        self._session_id = session_id
        self._ref = ref
        self._view: SessionView | None = None
        self._rows: dict[str, ListRow] = {}

    def body(self) -> ComposeResult:
        yield SessionHead()
        with Split("session", id="session"):
            with Vertical(id="left"):
                yield TabLine(CONVERSATION, TIMELINE, FILES)
                with ContentSwitcher(initial=CONVERSATION):
                    yield ConversationView(id=CONVERSATION)
                    yield TimelineList(id=TIMELINE)
                    yield FileList(id=FILES)
            yield EntryDetail()
        yield Heading(id="source")

    @property
    def entry(self) -> Entry | None:
        """The entry under the cursor of the conversation; None in other tabs."""
        return self.talk.entry if self._is_in_front(CONVERSATION) else None

    @property
    def row(self) -> ListRow | None:
        if self._is_in_front(TIMELINE):
            return self.timeline.row
        refs = self.entry.refs if self.entry is not None else ()
        wanted = (self._ref, *refs) if self._ref in refs else refs
        return next((self._rows[ref] for ref in wanted if ref in self._rows), None)

    @property
    def selected_file(self) -> FileUse | None:
        """The file under the cursor; None in other tabs."""
        return self.files.item if self._is_in_front(FILES) else None

    @property
    def selected_path(self) -> str:
        return self.selected_file.path if self.selected_file is not None else ""

    @property
    def edited(self) -> str | None:
        """The session where no memory is selected."""
        return super().edited or f"@{self._session_id}"

    @property
    def session_ref(self) -> str:
        return f"@{self._session_id}"

    @property
    def added(self) -> tuple[str, str]:
        return "observation", self._view.row.session.project if self._view is not None else ""

    finds_a_target = True

    def find_target(self, show: Callable[[str, bool], None]) -> Target | None:
        self.tabs.current = 0
        return InConversation(self.talk, show)

    def on_mount(self) -> None:
        self.detail.entitle(_("Selected"))
        self.source.left = plain(READING, DIM)
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def action_tab(self, step: int) -> None:
        """The conversation, all memories in time order, or the files."""
        self.tabs.step(step)

    def action_prompt(self, step: int) -> None:
        """The next prompt of the conversation, or the one before."""
        self.talk.go_to_prompt(step)

    def action_copy_conversation(self) -> None:
        """The conversation as Markdown to the clipboard."""
        if self._view is not None:
            title = self._view.row.title or "untitled session"
            text = conversation_markdown(self.talk.conversation, title)
            self.app.copy_to_clipboard(safe(text, newlines=True))
            self.notify(_("Copied: the conversation as Markdown."))

    async def action_file_memories(self) -> None:
        """All memories that name the selected file, in a search."""
        if query := filter_for("file", self.selected_path):
            await self.browser.show_search(query)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "session":
            return False
        if action == "file_memories":
            return bool(filter_for("file", self.selected_path))
        if action in ("prompt", "new"):
            return self._is_in_front(CONVERSATION) is (action == "prompt")
        if action == "copy_conversation":
            return self._view is not None
        return super().check_action(action, parameters)

    @on(ConversationView.Recalled)
    def _recall(self, message: ConversationView.Recalled) -> None:
        if self._view is None or self.browser.read_only:
            return
        session, lost = self._view.row.session, message.lost
        picks: list[Pick[tuple[Dropped, ...]]] = [
            Pick(item.text, (item,), _(item.kind), item.text) for item in lost
        ]
        if len(lost) > 1:
            picks = [Pick(_("All of these"), lost), *picks]

        def picked(pick: Pick[tuple[Dropped, ...]] | None) -> None:
            if pick is not None:
                self._tell_again(session, pick.value)

        title = _("what is told at the session's next prompt?")
        self.app.push_screen(PickScreen(title, picks, _("tells it there")), picked)

    @work(group="write")
    async def _tell_again(self, session: Session, lost: Sequence[Dropped]) -> None:
        def tell(store: Store) -> str:
            tell_at_next_prompt(store, session, lost)
            return _("{things} told at this session's next prompt.", things=count_noun(len(lost), "things"))

        await self.browser.write(tell, "c")

    @on(TabLine.Changed)
    def _switch(self, message: TabLine.Changed) -> None:
        self.switcher.current = message.name
        if not isinstance(self.focused, PromptInput):
            self.focus_list()
        self._select()
        self.refresh_bindings()

    @on(ConversationView.Highlighted)
    @on(TimelineList.Highlighted)
    @on(FileList.Highlighted)
    def _select(self) -> None:
        if self.is_current and (row := self.row):
            self.browser.selection = row
        self._tell()
        self.refresh_bindings()

    @on(ConversationView.Selected)
    @on(TimelineList.Selected)
    @on(FileList.Selected)
    def _open(self) -> None:
        self.open_detail()

    @work(exclusive=True, group="tell")
    async def _tell(self) -> None:
        """Show what is selected whole."""
        if (entry := self.entry or self._entry_of(self.row) or self._entry_of_file()) is None:
            self.detail.show_nothing()
            return
        number = self._session_id
        has_marks = self.browser.team_marks.is_on
        made = await self.browser.side.run(
            lambda store: entry_records(store, number, entry, has_marks=has_marks)
        )
        self.detail.show_entry(entry, made)

    @work(exclusive=True, group="session")
    async def _load(self, hold: bool = False) -> None:
        number, browser = self._session_id, self.browser
        view = await browser.reader.run(lambda store: session_view(store, number))
        if browser.team_marks.is_on:
            mark = await browser.side.run(lambda store: mark_of(store, view.row.session))
            self.source.right = mark_words(mark)
        if hold and view == self._view:
            return
        self._view, self._rows = view, {row.ref: row for row in view.rows}
        self.head.show(view, browser.now())
        read = asyncio.ensure_future(browser.counter.run(lambda store: conversation(store, number)))
        try:
            if not hold:
                # Nothing moves where the transcript is read soon; else memories are there meanwhile.
                await asyncio.wait([read], timeout=SOON)
                first = await read if read.done() else view.conversation
                await self._show_conversation(first, hold=False)
            files = await browser.reader.run(lambda store: files_of_session(store, number))
            await self._show_tabs(view, files, hold=hold)
            whole = await read
        finally:
            # The screen may have been left meanwhile.
            read.cancel()
        await self._show_conversation(whole, hold=True)
        self.source.left = plain(whole.source, DIM)

    async def _show_conversation(self, talk: Conversation, *, hold: bool) -> None:
        if self._view is None:
            return
        if not any(entry.kind == "summary" for entry in talk.entries):
            talk = talk.with_first(without_summary(self._view.row.session))
        self.talk.show(talk, hold=hold)
        if not hold and self._ref is not None:
            await self.move_selection(self._ref, None)
        await self.show_sought()
        self.tabs.counts |= {CONVERSATION: len(talk.entries)}
        self.refresh_bindings()

    async def move_selection(self, ref: str, row: ListRow | None) -> None:  # noqa: ARG002
        if self._is_in_front(TIMELINE):
            await self.timeline.move_to_ref(ref)
        elif (place := self.talk.conversation.place_of(ref)) is not None:
            self._ref = ref
            self.talk.go_to(place)

    async def _show_tabs(self, view: SessionView, files: list[FileUse], hold: bool) -> None:
        session = {view.row.session.id: NamedSession(view.row.session, view.row.title)}
        moments = list(timeline_rows(view.rows, session))
        await self.timeline.show(moments, scope="session", hold=hold)
        keep = self.files.key if hold else None
        await self.files.set_provider(ListProvider(files), keep=keep)
        self.tabs.counts = self.tabs.counts | {TIMELINE: len(view.rows), FILES: len(files)}

    def _entry_of(self, row: ListRow | None) -> Entry | None:
        if row is None:
            return None
        place = self.talk.conversation.place_of(row.ref)
        if place is not None:
            return self.talk.conversation.entries[place]
        return Entry(row.ref, "step", row.created_at, row.title, row.type, refs=(row.ref,))

    def _entry_of_file(self) -> Entry | None:
        """All edits of the selected file as one entry; where it has none, the memories that name it."""
        if (file := self.selected_file) is None:
            return None
        edits = [
            entry
            for entry in self.talk.conversation.entries
            if entry.uses and (entry.path == file.path or entry.path.endswith(f"/{file.path}"))
        ]
        uses = tuple(use for entry in edits for use in entry.uses)
        at, refs = edits[-1].at if edits else 0, () if edits else file.refs[-MOST_OF_FILE:]
        return Entry(file.path, "step", at, file.path, "change", "", refs, uses, file.path, len(uses))

    def _is_in_front(self, tab: str) -> bool:
        return self.is_mounted and self.switcher.current == tab

    def focus_list(self) -> None:
        self.query_one(f"#{self.switcher.current}").focus()
