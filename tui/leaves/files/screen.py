"""Agents' files: what an agent is told at a start here, what it isn't and why; memories in them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from textual import getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.worker import Worker, WorkerCancelled

from memtui.store import ListRow, Store, StoreError, ref_of
from memtui.store.formats.markdown_editor import edited, keep
from memtui.store.leaves.files.checks import fix
from memtui.store.leaves.files.linking import Passage as FilePassage
from memtui.store.leaves.files.linking import Promotion, adopt, passages
from memtui.store.leaves.files.overview import (
    AGENTS,
    FilesOverview,
    SharedFiles,
    file_text,
    files_overview,
    files_with,
    last_change,
)
from memtui.store.leaves.files.writing import FileWriter, existing
from memtui.store.platform.errors import FileConflictError
from memtui.store.platform.translation import N_, _
from memtui.store.search.narrowing import words_of
from memtui.store.text.plural import count_noun

from ...keys.bindings import hidden, key
from ...lists.paged_list import PagedList
from ...lists.picker import Pick, PickScreen
from ...optional import has_part, part
from ...parts.dialog import QuestionScreen
from ...parts.frame import Heading
from ...parts.split import Split
from ...parts.text_view import Hint
from ...parts.textual_gaps import leave_for
from ...screen import ListAndDetailScreen
from ...text.content import DIM, Passage, plain
from ...text.paths import short
from .panes import AgentFileList, FileView, file_rows

EMPTY = _(
    "This agent is told nothing by files in this folder, and has noted nothing. What agents read at a "
    "start (CLAUDE.md, AGENTS.md, rules, skills) and note themselves stands here: what of it reaches a "
    "session, what is cut, what is wrong with it, and what it costs. Open memtui inside a repository, "
    "press a for the next agent, or begin with one of these:"
)
COMMANDS = {
    "mem files new AGENTS.md --text 'Run the tests first.'": _("makes a file that agents are told"),
    "mem files list --all": _("shows all files of all agents, wherever they lie"),
}


class FilesScreen(ListAndDetailScreen):
    """The files on the left, the selected one on the right."""

    CSS_PATH = "screen.tcss"

    BINDINGS = [
        key("a", "next_agent", "Agent", "Show what the next agent is told here", "files.agent"),
        key("F", "fix", "Fix", "Fix what is wrong with the file, where it can be", "files.fix"),
        key("e", "edit_file", "Edit", "Edit the file in your editor; u takes it back", "files.edit"),
        hidden("A", "adopt", "Adopt", "Make a memory of what the file says", "files.adopt"),
        hidden(
            "P",
            "promote",
            "Promote",
            "Put the memory that was selected last into the file, as a bullet",
            "files.promote",
        ),
        key("d", "diff", "Diff", "What differs from the version seen before", "files.diff"),
        key("r", "read_files", "Read again", "Read the files again", "files.read"),
    ]

    place = N_("Files")
    mode = "files"
    has_rows = False

    heading = getters.query_one(Heading)
    files = getters.query_one(AgentFileList)
    view = getters.query_one(FileView)

    agent = AGENTS[0]
    shown: FilesOverview | None = None

    def body(self) -> ComposeResult:
        yield Heading()
        yield Hint(EMPTY, COMMANDS, id="empty")
        with Split("files"):
            yield AgentFileList()
            yield FileView()

    def on_mount(self) -> None:
        self.files.name_items(_("Files"))
        self.files.folder = Path.cwd()
        self.files.focus()
        self.load_files()

    def store_changed(self) -> None:
        self.load_files()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        row = self.files.item if self.is_mounted else None
        if action == "fix":
            return row is not None and any(finding.fix for finding in row.findings)
        if action == "diff" or (action == "blame" and has_part("blame")):
            return row is not None and row.path is not None
        if action in ("edit_file", "adopt", "promote"):
            has_memory = action != "promote" or self.browser.selection is not None
            is_file = row is not None and row.path is not None
            return is_file and has_memory and not self.browser.read_only
        return super().check_action(action, parameters)

    @property
    def list_to_narrow(self) -> PagedList[Any] | None:
        return self.files

    def show_found(self) -> Worker[None]:
        return self.show_rows()

    async def find_words(self, words: str) -> None:
        """List the files that hold some words, as if these were typed here."""
        with suppress(WorkerCancelled):
            await self.load_files().wait()
        self.files.focus()
        await self.find(words)

    def action_next_agent(self) -> None:
        """Show what the next agent is told."""
        self.agent = AGENTS[(AGENTS.index(self.agent) + 1) % len(AGENTS)]
        self.load_files()

    def action_read_files(self) -> None:
        """Read the files anew."""
        self.load_files()

    @work(exclusive=True, group="files")
    async def load_files(self) -> None:
        """Read what is told and what is there; the selection stays."""
        folder = Path.cwd()
        self.shown = await self.browser.side.run(lambda store: files_overview(store, folder, self.agent))
        self._tell(self.shown)
        # Whatever lists them anew meanwhile takes its place.
        with suppress(WorkerCancelled):
            await self.show_rows().wait()

    @work(exclusive=True, group="rows")
    async def show_rows(self) -> None:
        """List the files that hold the words that were typed."""
        if self.shown is None:
            return
        words = tuple(word.casefold() for word in words_of(self.words))
        holding: frozenset[Path] = frozenset()
        if words:
            typed = self.words
            holding = await self.browser.side.run(lambda store: files_with(store, typed))
        rows = file_rows(self.shown, words, holding)
        await self.files.set_rows(rows, hold=True)
        self.set_class(not rows and not words, "-none")
        if rows and self.focused is None:
            # What isn't displayed loses the focus.
            self.files.focus()
        if rows:
            self.show_file(hold=True)
        else:
            self.view.show_none(self.shown, self.words)

    def _tell(self, shown: FilesOverview) -> None:
        tokens = shown.start.tokens
        runs = {"starts": shown.starts} | ({"sub-agents": shown.sub_agents} if shown.sub_agents else {})
        about = _(
            "≈{tokens} × {starts} in 30 days",
            tokens=count_noun(tokens, "tokens"),
            starts=_(" and ").join(count_noun(number, what) for what, number in runs.items()),
        )
        if shown.extras:
            beside = count_noun(sum(item.tokens for item in shown.extras), "tokens")
            about += _(", ≈{tokens} beside files", tokens=beside)
        self.heading.left = Content.assemble(
            (f"{'≈ ' if shown.approximate else ''}{shown.title} · ", DIM), about
        )
        self.heading.right = plain(_("in {path}", path=short(shown.start.folder)), DIM)

    @work(exclusive=True, group="file")
    async def show_file(self, *, hold: bool = False) -> None:
        """Show the selected file in the pane."""
        row = self.files.item
        if row is not None and row.extra is not None:
            self.view.show_extra(row.extra)
        if row is None or row.path is None:
            return
        text = await asyncio.to_thread(file_text, row.path)
        in_step = self.shown.in_step.get(row.path, "") if self.shown else ""
        self.view.show_file(row, text, in_step, hold=hold)

    @on(AgentFileList.Highlighted)
    def _look(self) -> None:
        self.show_file()
        # Not every file can be fixed.
        self.refresh_bindings()

    @on(AgentFileList.Selected)
    def _open(self) -> None:
        if (row := self.files.item) is not None and row.path is not None:
            self.open_detail()

    @work(exclusive=True, group="file")
    async def action_diff(self) -> None:
        """Show how the selected file differs from the version that was seen before."""
        if (row := self.files.item) is None or (path := row.path) is None:
            return
        try:
            before, now = await self.browser.side.run(lambda store: last_change(store, path))
        except StoreError as error:
            self.notify(str(error), markup=False)
            return
        self.view.show_difference(path, before, now)

    @work(group="open", exclusive=True)
    async def action_blame(self) -> None:
        """Which session wrote the lines of the selected file, and why."""
        if (row := self.files.item) is not None and row.path is not None:
            await part("blame.asking").show_writers(self.app, row.path)

    @work(group="editing")
    async def action_fix(self) -> None:
        """Mend what is wrong with the selected file, as one change."""
        if (row := self.files.item) is None:
            return
        findings = [finding for finding in row.findings if finding.fix]

        def mend(store: Store) -> str:
            mended = fix(store, findings)
            if not mended:
                return _("Nothing of it can be fixed without you: e edits the file.")
            return _(
                "{mended} of {findings} fixed (u takes it back)",
                mended=len(mended),
                findings=len(findings),
            )

        await self.browser.write(mend, "F")
        self.load_files()

    @work(group="editing")
    async def action_adopt(self) -> None:
        """Make a memory of a line, a section or all of the selected file."""
        if (row := self.files.item) is None or row.path is None:
            return
        try:
            picks = await asyncio.to_thread(adoptable, row.path)
        except (OSError, StoreError) as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        picked = await self.app.push_screen_wait(PickScreen(_("adopt"), picks, _("adopts")))
        if picked is not None:
            part = picked.value
            await self.browser.write(lambda store: adopt_passage(store, part), "A")

    @work(group="editing")
    async def action_promote(self) -> None:
        """Put the memory that was selected last into the selected file."""
        memory, row = self.browser.selection, self.files.item
        if memory is None or row is None or (path := row.path) is None:
            return
        question = QuestionScreen(
            _("promote this memory"),
            asked(memory, path),
            {"enter": _("promotes"), "escape": _("cancels")},
        )
        if await self.app.push_screen_wait(question) == "enter":
            ref = memory.ref
            await self.browser.write(lambda store: promote_into(store, ref, path), "P")
            self.load_files()

    @work(group="editing")
    async def action_edit_file(self) -> None:
        """Edit the selected file in the user's editor."""
        if (row := self.files.item) is None or row.path is None:
            return
        try:
            before = existing(row.path)
            text = await self.browser.side.run(lambda store: SharedFiles(store).marked(before))
            written = leave_for(self.app, partial(edited, before.path.name, text))
        except (OSError, StoreError) as error:
            self.notify(str(error), severity="error", markup=False)
            return
        if written != text:
            path, memory = before.path, self.browser.path

            def write(store: Store) -> str:
                try:
                    what = _("{path} edited", path=path)
                    SharedFiles(store).write(FileWriter(store), before, written, what)
                except FileConflictError as error:
                    kept = keep(path, written, memory)
                    raise StoreError(
                        "{error} What you wrote is kept in {path}.", error=error, path=kept
                    ) from error
                return _("Saved: {path} (u takes it back)", path=short(path))

            await self.browser.write(write, "e")
        self.load_files()


WHOLE, SECTION, LINE = _("all of it"), _("section"), _("line")


def adoptable(path: Path) -> list[Pick[FilePassage]]:
    """Return what can be adopted of a file: a line as a fact, a section or all of it as a note. Raises
    StoreError where it can't be read."""
    return [
        Pick(
            part.title,
            part,
            note=LINE if part.is_line else SECTION if part.heading else WHOLE,
            told=_("as a fact") if part.is_line else _("as a note"),
        )
        for part in passages(path)
    ]


def adopt_passage(store: Store, part: FilePassage) -> str:
    """Make a memory of a passage; return what to say of it."""
    record, is_new = adopt(store, part, "fact" if part.is_line else "note", store.here())
    name = ref_of(record)
    return (
        _("{name} adopted (u takes it back)", name=name)
        if is_new
        else _("{name} says so already.", name=name)
    )


def promote_into(store: Store, ref: str, path: Path) -> str:
    """Put a memory into a file as a bullet, or renew it there; return what to say of it."""
    promoted = Promotion(store).to_file(ref, path)
    name = short(promoted.path)
    if promoted.is_new:
        return _("{ref} promoted to {path} (u takes it back)", ref=ref, path=name)
    return _("{ref} renewed in {path} (u takes it back)", ref=ref, path=name)


def asked(row: ListRow, path: Path) -> Sequence[Passage]:
    """Return the question whether a memory is to stand in a file."""
    return [
        Passage(plain(row.title or row.ref, "bold")),
        Passage(Content.assemble((_("as a bullet of "), DIM), plain(short(path))), space=1),
    ]
