"""The sessions: every working session of every agent, newest first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from shlex import quote

from textual import getters, on, work
from textual.app import ComposeResult
from textual.worker import Worker, WorkerCancelled

from memtui.store import ActionName, ListRow, SessionRow, Store, filter_text
from memtui.store.capture.waiting import states
from memtui.store.platform.translation import N_, _
from memtui.store.search.narrowing import asks_for_sessions

from ..finding.places import ByTime
from ..keys.bindings import CONTINUE, FOLLOW, RESUME, SHARE_SESSION, hidden, key
from ..lists.paged_list import PagedList
from ..lists.picker import EVERYTHING, Choice, ChooseScreen
from ..lists.rows import FollowingView
from ..parts.split import Split
from ..parts.text_view import Hint
from ..screen import MARKING, Change, MemScreen
from ..text.content import joined
from .days import FamilyLine, Row, session_provider
from .lists import SessionList, session_glance, session_of
from .panes import PROMPTS, SessionPreview
from .session import SessionScreen

EMPTY = _("No session is recorded yet. An agent's hooks record one each time it works:")
COMMANDS = {
    "mem install claude-code": _("hooks an agent up; so do 5 and then i"),
    "mem import": _("brings in the sessions already on this machine"),
    "mem session start": _("begins one by hand"),
}
CURATING = {"pin", "hide", "delete", "tag", "move_to_project"}
"""What the keys of memories do to sessions too, with all that they hold."""


class SessionsScreen(MemScreen):
    """All of them, or those of one project, agent, tag or branch."""

    CSS_PATH = "screen.tcss"
    BINDINGS = [
        key(
            "f",
            "choose",
            "Filter",
            "Only those of one project, agent or git branch, or with one tag",
            "sessions.filter"
        ),
        FOLLOW,
        key(
            "right",
            "fold(True)",
            "Family",
            "Show what it goes on from, what goes on from it, and its sub-agents",
            "sessions.unfold",
            display="← →",
        ),
        hidden("left", "fold(False)", "Family", "Fold its family again", "sessions.fold"),
        key("e", "edit", "Rename", "Give the session another title", "sessions.edit"),
        replace(RESUME, show=True),
        CONTINUE,
        SHARE_SESSION,
        key("ctrl+s", "save_view", "Save view", "Save what the list is narrowed to under a name",
            "sessions.save"),
    ]  # fmt: skip

    place = N_("Sessions")
    mode = "sessions"
    has_rows = False
    hints = (("branch: tag: since:7d", _("behind /, as any filter of the search")),)

    sessions = getters.query_one(SessionList)
    preview = getters.query_one(SessionPreview)

    def __init__(self) -> None:
        super().__init__()
        self._choice = EVERYTHING

    @property
    def chosen(self) -> tuple[str, ...]:
        return super().chosen or ((self.edited,) if self.edited else ())

    @property
    def session_ref(self) -> str:
        return self.edited or ""

    @property
    def narrowing(self) -> str:
        """What the list is narrowed to, as a query for sessions."""
        return self._query("project", "agent", "tag", "branch")

    def _query(self, *names: str) -> str:
        """The words, behind the filters of these names that were chosen."""
        values = {name: getattr(self._choice, name) for name in names}
        filters = (filter_text(name, value) for name, value in values.items() if value)
        return " ".join(filter(None, (*filters, self.words)))

    @property
    def shown_command(self) -> str:
        """The `mem` command that lists the same."""
        return f"session list {quote(self.narrowing)}" if self.narrowing else "session list"

    @property
    def edited(self) -> str | None:
        item = self.sessions.session if self.is_mounted else None
        return f"@{item.session.id}" if item is not None else None

    @property
    def added(self) -> tuple[str, str]:
        item = self.sessions.session if self.is_mounted else None
        return "observation", item.session.project if item is not None else ""

    @property
    def named(self) -> tuple[str, str] | None:
        if not self.is_mounted or (item := self.sessions.session) is None:
            return None
        session = item.session
        return f"@{session.id}", item.title or session.content_session_id

    def body(self) -> ComposeResult:
        with Split("sessions"):
            yield SessionList(self.browser.now)
            yield SessionPreview()
        yield Hint(EMPTY, COMMANDS, id="empty")

    def on_mount(self) -> None:
        self.preview.entitle(_("Session"))
        self._load()

    def store_changed(self) -> None:
        self._load(hold=True)

    @property
    def list_to_narrow(self) -> PagedList[Row] | None:
        return self.sessions

    def show_found(self) -> Worker[None]:
        return self._load()

    @property
    def followed(self) -> FollowingView | None:
        return self.sessions if self.is_mounted else None

    @property
    def by_time(self) -> ByTime | None:
        return ByTime(self.sessions, self.sessions.not_before, _started)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_mounted:
            return super().check_action(action, parameters)
        if action in CURATING:
            return bool(self.chosen) and not self.browser.read_only
        if action in ("export", "share_session"):
            return bool(self.chosen)
        if action in MARKING:
            return self.can_mark(action)
        if action == "fold":
            head = self.sessions.foldable
            return head is not None and parameters[0] is (head not in self.sessions.unfolded)
        if action == "save_view":
            return bool(self.narrowing) and not self.browser.read_only
        if action == "choose":
            return not self.has_class("-empty")
        return super().check_action(action, parameters)

    async def action_fold(self, unfolds: bool) -> None:  # noqa: ARG002
        """Show the family of the session under the cursor below it, or fold it again."""
        if (head := self.sessions.foldable) is None:
            return
        is_below = isinstance(self.sessions.item, FamilyLine)
        self.sessions.unfolded ^= {head}
        with suppress(WorkerCancelled):
            await self._load(hold=True).wait()
        if is_below:
            await self.move_selection(f"@{head}", None)

    def action_choose(self) -> None:
        """Narrow the list to a project, an agent, a tag or a branch."""
        what = _("a project, an agent, a tag or a branch")
        self.app.push_screen(ChooseScreen(self._choice, _choices, what), self._narrow)

    @work(exclusive=True, group="save")
    async def action_save_view(self) -> None:
        """Give what the list is narrowed to a name, under which the palette lists it."""
        from ..parts.save_search import SaveSearchScreen

        saved = await self.browser.side.run(lambda store: store.searches.saved())
        self.app.push_screen(SaveSearchScreen(f"kind:session {self.narrowing}", saved))

    async def show_query(self, text: str) -> None:
        """Narrow the list by a query for sessions, as if it was typed."""
        if self._choice != EVERYTHING:
            self._choice = EVERYTHING
            with suppress(WorkerCancelled):
                await self._load().wait()
        await self.find(" ".join(word for word in text.split() if not asks_for_sessions(word)))

    def _change_chosen(self, name: ActionName, change: Change, key: str) -> None:  # noqa: ARG002
        self.change_chosen(name)

    def _narrow(self, choice: Choice | None) -> None:
        if choice is not None and choice != self._choice:
            self._choice = choice
            self._load()

    @on(SessionList.Selected)
    def _open(self, message: SessionList.Selected) -> None:
        if (row := session_of(message.item)) is not None:
            self.app.push_screen(SessionScreen(row.session.id))

    @on(SessionList.Highlighted)
    def _preview(self, message: SessionList.Highlighted) -> None:
        if (row := session_of(message.item)) is not None:
            self._read(row.session.id)
        self.refresh_bindings()

    @work(exclusive=True, group="preview")
    async def _read(self, session_id: int) -> None:
        view = await self.browser.side.run(lambda store: session_glance(store, session_id, PROMPTS))
        self.preview.show_session(view, self.browser.now(), self.sessions.states.get(session_id))

    @work(exclusive=True, group="sessions")
    async def _load(self, hold: bool = False) -> None:
        choice = self._choice
        words, unfolded = self._query("tag", "branch"), self.sessions.unfolded
        provider = session_provider(self.browser.reader, choice.project, choice.agent, words, unfolded)
        self.sessions.one_project = choice.project is not None
        await self.sessions.set_provider(provider, keep=self.sessions.key if hold else None)
        await self.show_sought()
        total = await self.browser.side.run(lambda store: store.sessions.count())
        self.set_class(not total, "-empty")
        shown = self.sessions.how_many
        of = (
            _("{count} of {all}", count=f"{shown:,}{self.sessions.more}", all=f"{total:,}")
            if choice.name or self.words
            else f"{total:,}"
        )
        of = joined(of, choice.name, self.words and f"“{self.words}”")
        self.sessions.entitle(_("Sessions"), of)
        if self.sessions.session is None:
            self.preview.show_nothing()
        self.refresh_bindings()

    def catch_up(self) -> None:
        super().catch_up()
        if self.is_mounted:
            # Agents write how they stand into files of their own.
            self._look_at_agents()

    @work(exclusive=True, group="states")
    async def _look_at_agents(self) -> None:
        """Show which sessions are at work, and which wait for their user."""
        if not self.is_current:
            return
        now = self.browser.now()
        result = await self.browser.side.run(lambda store: states(store, now))
        if result != self.sessions.states:
            self.sessions.states = result
            self.sessions.repaint_rows()
            if self.sessions.session is not None:
                self._read(self.sessions.session.session.id)

    async def move_selection(self, ref: str, row: ListRow | None) -> None:  # noqa: ARG002
        await self.sessions.move_to(lambda row: isinstance(row, SessionRow) and f"@{row.session.id}" == ref)


def _started(row: Row) -> int | None:
    session = session_of(row)
    return session.session.started_at if session is not None else None


def _choices(store: Store) -> list[Choice]:
    """Everything, then projects, agents, tags and branches with how many sessions each has."""
    count_by = store.sessions.count_by
    projects = [Choice(project=name, count=many) for name, many in count_by("project") if name]
    agents = [Choice(agent=name, count=many) for name, many in count_by("agent") if name]
    tags = [Choice(tag=name, count=many) for name, many in count_by("tag")]
    # A name with a quote in it is none that a query can say.
    sayable = ((name, many) for name, many in count_by("branch") if name and '"' not in name)
    branches = [Choice(branch=name, count=many) for name, many in sayable]
    return [EVERYTHING, *projects, *agents, *tags, *branches]
