"""The merge room: what is alike, side by side, and made one memory by a key; or what was marked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from threading import Event
from typing import Any, ClassVar, NamedTuple

from textual import getters, on, work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from memtui.store import AnyRecord, Fact, ListRow, MergePlan, NotFoundError, Store, StoreError, ref
from memtui.store.maintain.duplicates.candidates import MergeCandidate, candidates_beside, is_open
from memtui.store.platform.translation import N_, _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..editing.form import named
from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..lists.provider import ListProvider
from ..parts.frame import Heading
from ..parts.split import Split
from ..protocol import browser
from ..screen import MemScreen
from ..text import ages
from ..text.content import DIM, joined, plain
from ..text.glyphs import glyph
from .panes import CandidateList, Choices, Comparison, ResultForm

NOTHING_LIKE_IT = _("""\
No memory is like this one.

a shows all that is alike.""")
NOTHING = _("""\
No two memories are alike.

What says nearly the same is offered here, and facts that a later one may have replaced.
Any memories become one when you mark them (Space) and press m.""")
LOOKING = _("Comparing what is stored…\n\nEsc stops; what was found by then stays.")

HALF_HOUR, NEAREST, MOST_AROUND = 30, 9, 4
"""Minutes before and after a memory, how many rows of them, and of how many memories they are told."""

MARKED = 2
"""So many marked memories are made one."""

Done = Callable[[str, ListRow | None], None]


def open_merge_room(app: App[Any]) -> None:
    """Push a screen that makes the marked memories one; with fewer than two marked, one that shows what is
    like the memory in hand, or all that is alike where there is none."""
    front = app.screen
    if not isinstance(front, MemScreen) or isinstance(front, MergeScreen) or browser(app).read_only:
        return
    # Sessions are no memories that could be made one.
    marked, of = tuple(ref for ref in front.chosen if ref[0] != "@"), ""
    if len(front.marks) < MARKED or len(marked) < MARKED:
        marked, of = (), next(iter(marked), "")

    def done(ref: str, row: ListRow | None) -> None:
        front.marks = {}
        front.seek(ref, row)

    browser(app).open_over(MergeScreen(marked, done, of))


class _StopError(Exception):
    """Nobody waits for what is compared any more."""


class _Shown(NamedTuple):
    """What is compared: the plan, the refs of its records, and what is said of each above it: what
    becomes of it, and when and where it was made; and the lines of what happened around them."""

    plan: MergePlan
    refs: tuple[str, ...]
    heads: tuple[tuple[str, str], ...]
    is_replacement: bool
    around: tuple[Content, ...]


class MergeScreen(MemScreen):
    """A list of what is alike, and the selected memories field by field; of marked ones only these.
    Where there is no room beside the list, Enter opens what is selected in it."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter", "make_one", "Merge", "Make them one memory, as chosen", "merge.merge"),
        key("e", "edit_result", "Edit", "Edit what they become before they are merged", "merge.edit"),
        key("S", "supersede", "Supersede",
            "Replace the earlier fact with the later one; the earlier can still be read",
            "merge.supersede"),
        key("x", "tell_apart", "Not alike",
            "They aren't the same: never offer them together again", "merge.apart"),
        key("a", "show_all", "Show all alike",
            "Show all similar memories, not only those similar to the one you came from", "merge.all"),
    ]  # fmt: skip

    place = N_("Merge")
    command = "curate merge {ids}"
    has_rows = False

    heading = getters.query_one(Heading)
    nothing = getters.query_one("#nothing", Static)
    comparison = getters.query_one(Comparison)

    def __init__(self, refs: Sequence[str] = (), done: Done | None = None, of: str = "") -> None:
        """`refs` are what was marked, and `done` is told, by ref and row, what they became; `of` is the
        ref of the memory that others are sought for, `` for any."""
        super().__init__()
        self._of = of
        self._marked = tuple(refs)
        self._done = done
        self._found: list[MergeCandidate] = []
        self._finished: set[tuple[str, ...]] = set()
        self._shown: _Shown | None = None
        self._progress = ""
        self._stop = Event()

    @property
    def _list(self) -> CandidateList | None:
        return None if self._marked or not self.is_mounted else self.query_one(CandidateList)

    @property
    def _is_comparing(self) -> bool:
        return self.is_mounted and self.comparison.has_focus and self._shown is not None

    def body(self) -> ComposeResult:
        yield Heading()
        yield Static(id="nothing", markup=False)
        with Split("merge"):
            if not self._marked:
                yield CandidateList()
            yield Comparison()

    def on_mount(self) -> None:
        self.comparison.entitle(_("Side by side"))
        if self._marked:
            self.add_class("-marked")
            self.comparison.focus()
            self._compare(self._marked)
        else:
            rows = self.query_one(CandidateList)
            rows.name_items(_("Alike"))
            rows.focus()
            self._find()

    def on_unmount(self) -> None:
        self._stop.set()

    def store_changed(self) -> None:
        self._look_again()

    def seek(self, ref: str, row: ListRow | None) -> None:  # noqa: ARG002
        self._look_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "show_all":
            return bool(self._of)
        if action in ("make_one", "edit_result"):
            return self._is_comparing and not self.browser.read_only
        if action in ("tell_apart", "supersede"):
            if self._shown is None or self.browser.read_only:
                return False
            return action == "tell_apart" or self._facts is not None
        return super().check_action(action, parameters)

    @property
    def _facts(self) -> tuple[Fact, Fact] | None:
        """The earlier and the later of the two facts that are compared; None where it is anything else."""
        if self._shown is None or len(self._shown.refs) != 2:
            return None
        some = [record for record in self._shown.plan.records if isinstance(record, Fact)]
        if len(some) < 2:
            return None
        earlier, later = sorted(some, key=lambda fact: (fact.created_at, fact.id))
        return earlier, later

    @property
    def is_inside(self) -> bool:
        return self.is_mounted and bool(
            self._progress or (self._list is not None and self.comparison.has_focus)
        )

    def action_back(self) -> None:
        """Stop comparing; from a comparison to the list; to where you were before."""
        if self._progress:
            self._stop.set()
        elif (rows := self._list) is not None and self.comparison.has_focus:
            self.remove_class("-open")
            rows.focus()
        else:
            super().action_back()

    def action_show_all(self) -> None:
        """Show all that is alike."""
        # What still looks for those like one memory goes on adding to the list that it was given.
        self._stop.set()
        self._stop = Event()
        self._of, self._found, self._shown = "", [], None
        self._find()

    @on(PagedList.Highlighted)
    def _look(self, message: PagedList.Highlighted) -> None:
        self._compare(message.item.refs, is_replacement=message.item.is_replacement)

    @on(PagedList.Selected)
    def _open(self) -> None:
        self.add_class("-open")
        self.comparison.focus()
        self.refresh_bindings()

    @work(exclusive=True, group="write")
    async def action_make_one(self) -> None:
        """Merge what is compared, as chosen."""
        shown, choices = self._shown, self.comparison.choices
        if shown is None or choices is None:
            return
        fields = choices.changes
        made: list[tuple[str, ListRow | None]] = []

        def merge(store: Store) -> str:
            done = store.merge(shown.refs, fields, into=shown.refs[0], expected=shown.plan)
            made.append((shown.refs[0], _row(store, done.record)))
            others = _(", ").join(_("“{title}”", title=named(other)) for other in shown.plan.others[:3])
            if (more := len(shown.refs) - 4) > 0:
                others = _("{titles} and {count} more", titles=others, count=more)
            return _(
                "Merged: {others} into “{title}” (u undoes)",
                others=others,
                title=named(done.record),
            )

        await self.browser.write(merge, "m ⏎")
        if made:
            self._leave(shown.refs, *made[0])

    @work(exclusive=True, group="write")
    async def action_tell_apart(self) -> None:
        """Remember that what is compared is not the same."""
        if (shown := self._shown) is None:
            return
        content: list[int] = []

        def apart(store: Store) -> str:
            content.append(store.not_duplicates(shown.refs))
            first, second = (named(record) for record in shown.plan.records[:2])
            return _(
                "Not alike: “{first}” and “{second}”. They are not offered again (u undoes)",
                first=first,
                second=second,
            )

        await self.browser.write(apart, "m x")
        if content:
            self._leave(shown.refs)

    @work(exclusive=True, group="write")
    async def action_supersede(self) -> None:
        """Have the later fact take the place of the earlier one."""
        if (pair := self._facts) is None or (shown := self._shown) is None:
            return
        done: list[str] = []

        def supersede(store: Store) -> str:
            earlier, later = (ref("fact", fact.id) for fact in pair)
            store.supersede(earlier, later)
            done.append(later)
            return _(
                "Superseded: “{earlier}” by “{later}” (u undoes)",
                earlier=named(pair[0]),
                later=named(pair[1]),
            )

        await self.browser.write(supersede, "m S")
        if done:
            self._leave(shown.refs)

    def action_edit_result(self) -> None:
        """Edit what they become."""
        shown, choices = self._shown, self.comparison.choices
        if shown is None or choices is None:
            return
        form = ResultForm(shown.plan.kind, choices.values, shown.refs[0], shown.plan.into)

        def edited(_result: object) -> None:
            if form.fields:
                choices.edit(form.fields)
                self.comparison.show((), hold=True)

        self.app.push_screen(form, edited)

    def _leave(self, refs: tuple[str, ...], made: str = "", row: ListRow | None = None) -> None:
        """Be done with what was compared: to the next in the list, or back to where it was marked."""
        if self._marked:
            self.browser.go_back()
            if self._done is not None:
                self._done(made or refs[0], row)
            return
        self._finished.add(refs)
        self.remove_class("-open")
        self.query_one(CandidateList).focus()
        self._list_again()

    @work(exclusive=True, group="compare")
    async def _compare(
        self, refs: tuple[str, ...], *, is_replacement: bool = False, again: bool = False
    ) -> None:
        """Compare memories; `again` only where they have changed since."""
        now = self.browser.now()
        try:
            result = await self.browser.side.run(
                lambda store: _shown(
                    store, refs, now, is_marked=bool(self._marked), is_replacement=is_replacement
                )
            )
        except StoreError as error:
            self._shown = None
            self.comparison.compare(None)
            if self._marked:
                self._refuse(str(error))
            return
        if again and self._shown is not None and result.plan == self._shown.plan:
            return
        self._shown = result
        choices = Choices(result.plan, result.refs)
        if is_replacement:
            choices.prefer(1)
        self.comparison.compare(choices, result.heads, result.around)
        self._show_heading()
        self.refresh_bindings()

    def _refuse(self, sentence: str) -> None:
        self.add_class("-none")
        self.nothing.update(plain(sentence, newlines=True))

    @work(exclusive=True, group="candidates")
    async def _find(self) -> None:
        loop = asyncio.get_running_loop()
        stop, of, found = self._stop, self._of, self._found

        def progress(done: int, total: int, _what: str) -> None:
            if stop.is_set():
                raise _StopError
            loop.call_soon_threadsafe(
                self._tell_progress,
                _("{done} of {total} compared", done=f"{done:,}", total=f"{total:,}"),
            )

        def find(store: Store) -> None:
            try:
                for candidate in candidates_beside(store, of, progress=progress):
                    if stop.is_set():
                        return
                    loop.call_soon_threadsafe(found.append, candidate)
            except _StopError:
                return

        self._progress = _("comparing")
        self._show_heading()
        if (rows := self._list) is None or rows.item is None:
            # What is hidden loses the focus: what was like one memory stays until there is more.
            self._refuse(LOOKING)
        try:
            await self.browser.side.run_beside(find)
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
        if stop is not self._stop:
            # Another search has begun, whose findings are shown.
            return
        self._progress = ""
        await self._load()

    def _tell_progress(self, progress: str) -> None:
        self._progress = progress
        self._list_again()

    @work(exclusive=True, group="list")
    async def _list_again(self) -> None:
        await self._load()

    async def _load(self) -> None:
        """Show what was found and isn't done with, from where the list is."""
        if (rows := self._list) is None:
            return
        items = [candidate for candidate in self._found if candidate.refs not in self._finished]
        if not items and self._progress and rows.item is not None:
            return
        self.set_class(not items, "-none")
        if not items:
            nothing = NOTHING_LIKE_IT if self._of else NOTHING
            self.nothing.update(plain(LOOKING if self._progress else nothing, newlines=True))
            self._shown = None
        elif self.focused is None:
            # It was hidden while there was nothing, and lost the focus; it shows with the next layout.
            self.call_after_refresh(rows.focus)
        before = rows.item
        await rows.set_provider(ListProvider(items, rows.key), keep=rows.key)
        if items and (rows.item is not before or self._shown is None) and rows.item is not None:
            self._compare(rows.item.refs, is_replacement=rows.item.is_replacement)
        self._show_heading()
        self.refresh_bindings()

    @work(exclusive=True, group="again")
    async def _look_again(self) -> None:
        """See what others, or an undo, did to what is compared, and to what was done with."""
        shown = self._shown.refs if self._shown is not None else ()
        closed = [*self._finished]
        again, stays = await self.browser.side.run(
            lambda store: (
                [refs for refs in closed if is_open(store, refs)],
                not shown or is_open(store, shown),
            )
        )
        self._finished.difference_update(again)
        if self._shown is not None and (self._marked or stays):
            self._compare(shown, is_replacement=self._shown.is_replacement, again=True)
        if self._marked:
            return
        if not stays:
            self._finished.add(shown)
        if again or not stays:
            await self._load()

    def _show_heading(self) -> None:
        if not self.is_mounted:
            return
        many = sum(candidate.refs not in self._finished for candidate in self._found)
        alike = _("similar to {ref}", ref=self._of) if self._of else _("what is alike")
        what = count_noun(len(self._marked), "memories") if self._marked else alike
        self.heading.left = Content.assemble((_("merge · "), DIM), plain(what, "bold"))
        content = joined(self._progress, "" if self._marked else _("{count} found", count=f"{many:,}"))
        self.heading.right = plain(content, DIM)


def _shown(
    store: Store, refs: tuple[str, ...], now: int, *, is_marked: bool, is_replacement: bool
) -> _Shown:
    plan = store.plan_merge(refs, into=None if is_marked else refs[0])
    names = tuple(ref(plan.kind, record.id) for record in plan.records)
    content = (_("stays, with its id"), *[_("goes into it")] * len(plan.others))
    if is_replacement:
        content = (_("the earlier one"), _("the later one"))
    made = (_head(store, item, now) for item in plan.records)
    around = tuple(chain.from_iterable(_around(store, item) for item in plan.records[:MOST_AROUND]))
    return _Shown(plan, names, tuple(zip(content, made, strict=True)), is_replacement, around)


def _around(store: Store, record: AnyRecord) -> Iterator[Content]:
    """What happened around a record in its session."""
    if (own := _row(store, record)) is None:
        return
    row = next((_row(store, item) for item in _evidence(store, record)), None) or own
    near = store.timeline(row, minutes=HALF_HOUR, scope="session", limit=NEAREST).rows
    if len(near) > 1:
        yield Content()
        yield Content.assemble((_("Around {ref}", ref=own.ref), "bold $text-accent"))
        for item in near:
            style = "bold" if item.ref == row.ref else ""
            clock = plain(f"{ages.clock(item.created_at)}  ", DIM)
            yield Content.assemble(clock, glyph(item.type).content, " ", plain(item.title, style))


def _evidence(store: Store, record: AnyRecord) -> Iterator[AnyRecord]:
    """What a fact was said in, as far as it is here."""
    for uid in record.evidence if isinstance(record, Fact) else ():
        with suppress(NotFoundError):
            yield store.record(uid)


def _head(store: Store, record: AnyRecord, now: int) -> str:
    """When and where a record was made and which teammate shared it, and whether it is pinned or hidden."""
    result = store.sessions.of_record(record)
    session = (result.title or result.project) if result is not None else ""
    where = getattr(record, "project", "") or session
    machine = store.machine_name(record.editor)
    author = store.author_of(record)
    flags = joined(
        _("by {author}", author=author) if author else "",
        _("as on {machine}", machine=machine) if machine else "",
        _("pinned") if record.pinned else "",
        _("private") if record.private else "",
    )
    same = session if session != where else ""
    return safe(joined(ages.ago(record.created_at, now), where, same, flags))


def _row(store: Store, record: Any) -> ListRow | None:
    try:
        return store.list_row(record)
    except (NotFoundError, KeyError, AttributeError):
        return None
