"""The two screens of the history, each a list and beside it what is selected there: all changes of the
store, each to be taken back by itself, and the versions of one memory, each to be had again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from memtui.store import NotFoundError, Store, Version, kind_of
from memtui.store.platform.translation import N_, _
from memtui.store.records.fields import editable
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..finding.places import ByTime
from ..keys.bindings import hidden, key
from ..lists.paged_list import PagedList
from ..lists.picker import EVERYTHING, Choice, ChooseScreen, everything_and_projects
from ..lists.provider import ListProvider
from ..parts.dialog import QuestionScreen
from ..parts.frame import Heading, TabLine
from ..parts.split import Split
from ..parts.text_view import TextView
from ..screen import ListAndDetailScreen
from ..text.content import DIM, Passage, joined, plain
from .panes import (
    RECORDS,
    ChangeList,
    ChangeProvider,
    VersionList,
    change_passages,
    difference,
    version_passages,
)

if TYPE_CHECKING:
    from memtui.store import AnyRecord


class HistoryScreen(ListAndDetailScreen):
    """Subclasses give `rows`, and show what is under the cursor. Where there is no room beside the
    list, Enter opens it."""

    CSS_PATH = "screen.tcss"
    has_rows = False

    heading = getters.query_one(Heading)
    nothing = getters.query_one("#nothing", Static)
    view = getters.query_one("#told", TextView)

    def rows(self) -> PagedList[Any]:
        """Return the list."""
        raise NotImplementedError

    def tell(self, *, hold: bool = False) -> object:
        """Show what is under the cursor."""
        raise NotImplementedError

    def above(self) -> ComposeResult:
        """Yield what stands between the heading and the list."""
        yield from ()

    def body(self) -> ComposeResult:
        yield Heading()
        yield from self.above()
        yield Static(id="nothing", markup=False)
        with Split("history"):
            yield self.rows()
            yield TextView(id="told")

    @on(PagedList.Highlighted)
    def _look(self) -> None:
        self.tell()
        self.refresh_bindings()

    @on(PagedList.Selected)
    def _open(self) -> None:
        self.open_detail()


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

    BINDINGS = [
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
        records = await self.browser.side.run(lambda store: store.change_records(item.id, limit=RECORDS))
        passages = change_passages(item, records, self.changes.machine, self.browser.now())
        self.view.show(list(passages), hold=hold)


class VersionsScreen(HistoryScreen):
    """Those of the record with this ref, the newest first."""

    BINDINGS = [
        key("r", "restore", "Restore", "Make it so again, as a new version", "versions.restore"),
    ]

    place = N_("Versions")
    command = "curate history {id}"

    versions = getters.query_one(VersionList)

    def __init__(self, ref: str, title: str) -> None:
        super().__init__()
        self._ref = ref
        self._title = title
        self._versions: Sequence[Version] = ()

    def rows(self) -> VersionList:
        return VersionList()

    def on_mount(self) -> None:
        self.versions.name_items(_("Versions"))
        self.view.entitle(_("Version"))
        self.versions.focus()
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "restore" and (not self.is_mounted or self.versions.cursor == 0):
            # The first is how it is now.
            return False
        return super().check_action(action, parameters)

    def action_restore(self) -> None:
        """Have the selected version again, when asked once."""
        wanted = self.versions.item
        if wanted is None or wanted is self._versions[0]:
            return
        passages = [
            Passage(
                plain(
                    _(
                        "Restore version {number} of “{title}”? What changes:",
                        number=wanted.number,
                        title=self._title,
                    )
                )
            ),
            *_what_restoring_does(self._versions[0].record, wanted.record),
            Passage(plain(_("It becomes a new version; u undoes."), DIM), space=1),
        ]
        question = QuestionScreen(
            _("restore this version"),
            passages,
            {YES: _("restores"), "escape": _("leaves all as it is")},
        )

        def answered(answer: str | None) -> None:
            if answer == YES:
                self._restore(wanted.number)

        self.app.push_screen(question, answered)

    @work(group="write")
    async def _restore(self, number: int) -> None:
        ref, title = self._ref, self._title

        def restored(store: Store) -> str:
            store.restore_version(ref, number)
            return _(
                "Restored version {number}: {title} (u undoes)",
                number=number,
                title=safe(title)[:60],
            )

        await self.browser.write(restored, "r")
        self.versions.action_first()

    @work(exclusive=True, group="versions")
    async def _load(self, hold: bool = False) -> None:
        def read(store: Store) -> tuple[Sequence[Version], str]:
            return store.history(self._ref), store.machine_id

        try:
            self._versions, self.versions.machine = await self.browser.side.run(read)
        except NotFoundError as error:
            self._versions = ()
            self.nothing.update(plain(str(error)))
        versions = self._versions
        self.set_class(not versions, "-none")
        keep = self.versions.key if hold else None
        await self.versions.set_provider(ListProvider(versions), keep=keep)
        self.heading.left = Content.assemble((_("versions of "), DIM), plain(self._title, "bold"))
        self.heading.right = plain(count_noun(len(versions), "versions"), DIM)
        self.tell(hold=hold)
        self.refresh_bindings()

    def tell(self, *, hold: bool = False) -> None:
        at = self.versions.cursor
        if at < len(self._versions):
            before = self._versions[at + 1] if at + 1 < len(self._versions) else None
            here, now = self.versions.machine, self.browser.now()
            passages = version_passages(self._versions[at], before, here, now)
            self.view.show(list(passages), hold=hold)


def _nothing(project: str | None, *, is_of_week: bool) -> str:
    if project and is_of_week:
        return _("Nothing was changed of {project} in the last 7 days.", project=project)
    if project:
        return _("Nothing was changed of {project}.", project=project)
    return _("Nothing was changed in the last 7 days.") if is_of_week else _("Nothing was changed.")


def _what_restoring_does(now: AnyRecord, restored: AnyRecord) -> list[Passage]:
    names = [name for name in editable(kind_of(now)) if getattr(now, name) != getattr(restored, name)]
    return [Passage(passage.content, passage.label, passage.mark, not at) for at, passage in
            enumerate(difference(now, restored, names))]  # fmt: skip
