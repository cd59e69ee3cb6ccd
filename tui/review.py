"""Review: what agents, models and teammates wrote and waits for its user's word, and what they say of
it."""

from __future__ import annotations

from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from memtui.store import ListRow, NotFoundError, Query, Record, Store
from memtui.store.curation.reviewing import Review, Verdict
from memtui.store.maintain.reviews import give_verdict, reviews
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from .keys.bindings import hidden, key
from .lists.paged_list import PagedList
from .lists.provider import ListProvider
from .marks.changes import AskScreen
from .memory import Detail
from .parts.dialog import tell_change
from .parts.frame import TabLine
from .parts.split import Split
from .parts.text_view import Hint
from .screen import ListAndDetailScreen
from .text.content import EMPTY, fit, plain
from .text.glyphs import glyph
from .text.records import Surroundings

TABS: dict[str, Verdict | None] = {
    N_("waiting"): None,
    N_("accepted"): "accepted",
    N_("kept out"): "kept out",
    N_("disputed"): "disputed",
}
SAYING = ("accept", "keep_out", "dispute")

PROJECT = 14
ROOM_FOR_PROJECT = 60


class ReviewList(PagedList[Review]):
    """What each says, its project and its author; of those that somebody disputes, that too."""

    may_have_marks = True

    def __init__(self) -> None:
        super().__init__(key=lambda review: review.uid)

    def ref_of(self, item: Review) -> str | None:
        return item.id

    def render_row(self, item: Review, width: int, selected: bool) -> list[Content]:
        sign = glyph("fact" if item.id.startswith("f") else item.kind).content + " "
        tail = plain(" " + _("disputed"), "$text-warning") if item.disputes else EMPTY
        project = EMPTY
        if width >= ROOM_FOR_PROJECT:
            project = " " + fit(plain(item.project), PROJECT)
        room = width - sign.cell_length - project.cell_length
        title = fit(plain(item.title.split("\n", 1)[0], "bold" if selected else ""), room, tail)
        return [sign + title + project]


class ReviewScreen(ListAndDetailScreen):
    """A line each, and beside it all of it. Where there is no room, Enter opens that."""

    CSS_PATH = "review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("a", "accept", "Accept", "It holds: agents may be told it", "review.accept"),
        key(
            "x",
            "keep_out",
            "Refuse",
            "It is deleted; a teammate's stays here, and no agent is told it",
            "review.keep-out",
        ),
        key(
            "w",
            "dispute",
            "Dispute",
            "Say what is wrong with a teammate's: the team reads that, and no agent here is told it",
            "review.dispute",
        ),
        key("f", "verdict(1)", "Next tab", "What you said of teammates' memories", "review.next"),
        hidden("F", "verdict(-1)", "Tab before", "What stands in the tab before", "review.before"),
    ]

    place = N_("Review")
    command = "curate review"

    tabs = getters.query_one(TabLine)
    list = getters.query_one(ReviewList)
    detail = getters.query_one(Detail)

    @property
    def row(self) -> ListRow | None:
        if not self.is_mounted or (item := self.list.item) is None:
            return None
        # The pane is a moment behind the cursor, and no key may hit what was there before.
        row = self.detail.row
        return row if row is not None and row.ref == item.id else None

    def body(self) -> ComposeResult:
        yield TabLine(*TABS)
        yield Hint(
            _(
                "There is nothing here. What agents add and models make waits for your word, where you ask "
                "for that, and so do the facts and decisions that teammates share; the other tabs list "
                "what you said of these. Agents are told what you accept:"
            ),
            {
                "mem config set memory.review agents": _("what agents and models write waits"),
                "mem team agents accepted": _("agents are told what you accepted, with its author"),
                "mem team export-rules RULES.md": _("what you accepted, for the repository"),
                "mem sync team": _("meets the team now"),
            },
            id="empty",
        )
        with Split("review"):
            yield ReviewList()
            yield Detail()

    def on_mount(self) -> None:
        self.list.name_items(_("Review"))
        self.detail.entitle(_("Memory"))
        self.list.focus()
        self._load()

    def store_changed(self) -> None:
        self._load()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "dispute" and not self.browser.team_marks.is_on:
            return False
        if action in SAYING:
            return not self.browser.read_only and self.is_mounted and bool(self._reviewed)
        return super().check_action(action, parameters)

    @property
    def _reviewed(self) -> tuple[str, ...]:
        """The refs of what is spoken of: the marked ones, else the selected one."""
        item = self.list.item
        return tuple(self.marks) or ((item.id,) if item is not None else ())

    def action_verdict(self, step: int) -> None:
        """To what was said otherwise of."""
        self.tabs.step(step)

    @work(group="write")
    async def action_accept(self) -> None:
        """Let it hold."""
        await self._say("accepted", "a")

    @work(group="write")
    async def action_keep_out(self) -> None:
        """Let it stay, and agents be told nothing of it."""
        await self._say("kept out", "x")

    @work(group="write")
    async def action_dispute(self) -> None:
        """Say why it doesn't hold, which teammates read."""
        hint = _("Teammates read it when they next meet the team. It can't be taken back.")
        reply = await self.app.push_screen_wait(AskScreen(_("what is wrong with it?"), hint, _("disputes")))
        if reply:
            await self._say("disputed", "w", reply)

    async def _say(self, verdict: Verdict, pressed: str, reply: str = "") -> None:
        if not (refs := self._reviewed):
            return

        def say(store: Store) -> str:
            many = give_verdict(store, refs, verdict, reply)
            what = refs[0] if many == 1 else count_noun(many, "memories")
            sentences = {
                "accepted": _("{what} accepted. u undoes.", what=what),
                "kept out": _("{what} kept out. u undoes.", what=what),
                "disputed": _("{what} disputed; the next meeting tells the team.", what=what),
            }
            return sentences[verdict]

        done = await self.run_beside(_("Reviewing"), refs, lambda store, _progress: say(store), key=pressed)
        if done is not None:
            self.marks = {}
            tell_change(self.app, done)
            self.browser.look()

    @on(TabLine.Changed)
    def _narrow(self) -> None:
        self._load()

    @on(PagedList.Highlighted)
    def _look(self) -> None:
        self._show()

    @on(PagedList.Selected)
    def _open(self) -> None:
        self.open_detail()

    @work(exclusive=True, group="reviews")
    async def _load(self) -> None:
        results = await self.browser.side.run(_all)
        self.tabs.counts = {name: len(results[name]) for name in TABS}
        shown = results[self.tabs.names[self.tabs.current]]
        self.set_class(not shown, "-none")
        await self.list.set_provider(ListProvider(shown, self.list.key), keep=self.list.key)
        if not shown:
            self.detail.show_nothing()
        elif self.focused is None:
            self.list.focus()
        self._show()
        self.refresh_bindings()

    @work(exclusive=True, group="review")
    async def _show(self) -> None:
        if (item := self.list.item) is None:
            return

        has_marks = self.browser.team_marks.is_on

        def found(store: Store) -> tuple[Record, ListRow, Surroundings]:
            record = store.record(item.id)
            beside = Surroundings.of(store, record, has_marks=has_marks)
            return record, store.list_row(record), beside

        try:
            record, row, beside = await self.browser.side.run(found)
        except NotFoundError:
            # A note, which is no document, says all in its row.
            self.detail.show_nothing()
            self.browser.selection = None
            return
        self.detail.show_record(record, row, None, Query(), self.browser.now(), beside)
        self.browser.selection = row
        self.refresh_bindings()


def _all(store: Store) -> dict[str, list[Review]]:
    """Return what waits, and what was said of the others, by tab."""
    return {name: reviews(store, verdict=verdict) for name, verdict in TABS.items()}
