"""All changes of the store, the newest first: each with what it did, to be taken back by itself."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from memtui.store import ChangedRecord, JournalEntry, Store
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..finding.by_time import ByTime
from ..keys.bindings import hidden, key
from ..lists.choose import EVERYTHING, Choice, ChooseScreen, everything_and_projects
from ..parts.dialog import QuestionScreen
from ..parts.headings import TabLine
from ..text.content import DIM, Passage, joined, plain
from .lists import ChangeList, ChangeProvider
from .screen import HistoryScreen
from .text import RECORDS, change_passages

KINDS: dict[str, str | None] = {
    _("all"): None,
    _("Observations").lower(): "observation",
    _("Prompts").lower(): "prompt",
    _("Summaries").lower(): "summary",
    _("Facts").lower(): "fact",
    _("Notes").lower(): "note",
    _("Sessions").lower(): "session",
}
"""What each tab narrows the list to."""
WEEK = 7 * 86_400_000
YES = "y"
NOTHING_HINT = _("""\
What you, or an agent's mem, edit, tag, pin, hide, merge, delete or bring back is listed here,
with who did it, and each can be taken back by itself.""")


class ChangesScreen(HistoryScreen):
    """Those of a project, of a kind of record, of the last week, or all."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "right",
            "kind(1)",
            "Kind",
            "Only changes of the next kind",
            "changes.kind",
            display="← →",
        ),
        hidden("left", "kind(-1)", "Kind", "Only changes of the kind before", "changes.kind-before"),
        key("w", "week", "Last week", "Only the last seven days, or any time", "changes.week"),
        key("f", "project", "Project", "Only one project, or all", "changes.project"),
        key("r", "revert", "Revert", "Take this change back by itself", "changes.revert"),
    ]

    place = N_("History")
    command = "curate history"

    kinds = getters.query_one(TabLine)
    changes = getters.query_one(ChangeList)
    note = getters.query_one("#dropped", Static)

    def __init__(self) -> None:
        super().__init__()
        self._choice = EVERYTHING
        self._is_of_week = False

    def rows(self) -> ChangeList:
        return ChangeList(self.browser.now)

    def above(self) -> ComposeResult:
        yield TabLine(*KINDS, id="kinds")
        yield Static(id="dropped", markup=False)

    def on_mount(self) -> None:
        self.changes.name_items(_("Changes"))
        self.view.entitle(_("Change"))
        self.changes.focus()
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    @property
    def by_time(self) -> ByTime | None:
        return ByTime(self.changes, self._not_before, lambda change: change.at)

    async def _not_before(self, at: int) -> int:
        """How many of the changes that are listed were made at or after a moment (ms)."""
        kind, project = KINDS[self.kinds.names[self.kinds.current]], self._choice.project
        return await self.browser.reader.run(
            lambda store: store.change_count(project=project, kind=kind, since=at)
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "revert":
            item = self.changes.item if self.is_mounted else None
            if item is None or item.undone_at is not None or not item.is_recorded:
                return False
        return super().check_action(action, parameters)

    def action_kind(self, step: int) -> None:
        """Changes of the next kind of record."""
        self.kinds.step(step)

    def action_week(self) -> None:
        """Those of the last week, and back to all."""
        self._is_of_week = not self._is_of_week
        self._load()

    def action_project(self) -> None:
        """Those of a project, which is chosen by a few letters."""
        self.app.push_screen(
            ChooseScreen(self._choice, everything_and_projects, _("a project")), self._narrow
        )

    def _narrow(self, choice: Choice | None) -> None:
        if choice is not None and choice != self._choice:
            self._choice = choice
            self._load()

    @on(TabLine.Changed)
    def _switch(self) -> None:
        self._load()

    def action_revert(self) -> None:
        """Take the selected change back by itself, when asked once."""
        if (item := self.changes.item) is None:
            return
        passages = [
            Passage(plain(_("Take back “{change}”?", change=item.what))),
            Passage(plain(count_noun(item.records, "memories"), DIM)),
            Passage(plain(_("All else stays. The revert is a new change; u undoes it."), DIM), space=1),
        ]
        question = QuestionScreen(
            _("revert this change"),
            passages,
            {YES: _("reverts"), "escape": _("leaves all as it is")},
        )

        def answered(answer: str | None) -> None:
            if answer == YES:
                self._revert(item.id)

        self.app.push_screen(question, answered)

    @work(group="write")
    async def _revert(self, number: int) -> None:
        await self.browser.write(
            lambda store: _("Reverted: {change} (u undoes)", change=safe(store.revert(number).sentence)),
            "r",
        )

    @work(exclusive=True, group="changes")
    async def _load(self, hold: bool = False) -> None:
        kind = KINDS[self.kinds.names[self.kinds.current]]
        since = self.browser.now() - WEEK if self._is_of_week else None
        project = self._choice.project
        here, dropped = await self.browser.side.run(
            lambda store: (store.machine_id, store.journal.dropped())
        )
        self.changes.machine = here
        provider = ChangeProvider(self.browser.reader, project, kind, since)
        await self.changes.set_provider(provider, keep=self.changes.key if hold else None)
        count = self.changes.count
        when = _("in the last 7 days") if since else ""
        self.heading.left = Content.assemble(
            (_("changes · "), DIM), plain(joined(project or _("all projects"), when), "bold")
        )
        self.heading.right = plain(count_noun(count, "changes"), DIM)
        self.note.update(plain(dropped, DIM))
        self.note.display = bool(dropped)
        nothing = _nothing(project, is_of_week=self._is_of_week)
        self.nothing.update(plain(f"{nothing}\n\n{NOTHING_HINT}", newlines=True))
        self.set_class(not count, "-none")
        self.refresh_bindings()
        self.tell(hold=hold)

    @work(exclusive=True, group="change")
    async def tell(self, *, hold: bool = False) -> None:
        if (item := self.changes.item) is None:
            return
        records = await self.browser.side.run(lambda store: _records(store, item))
        passages = change_passages(item, records, self.changes.machine, self.browser.now())
        self.view.show(list(passages), hold=hold)


def _nothing(project: str | None, *, is_of_week: bool) -> str:
    if project and is_of_week:
        return _("Nothing was changed of {project} in the last 7 days.", project=project)
    if project:
        return _("Nothing was changed of {project}.", project=project)
    return _("Nothing was changed in the last 7 days.") if is_of_week else _("Nothing was changed.")


def _records(store: Store, change: JournalEntry) -> list[ChangedRecord]:
    return store.change_records(change.id, limit=RECORDS)
