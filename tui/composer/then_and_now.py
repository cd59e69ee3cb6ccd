"""What a session was given at its start, rebuilt, beside what it would be given now, as one text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from memtui.store import StoreError, ThenAndNow, then_and_now
from memtui.store.context.log_entries import NamedLogEntry
from memtui.store.translation import N_, _

from ..parts.headings import Heading
from ..parts.text_view import TextView
from ..screen import MemScreen
from ..text.ages import full
from ..text.content import DIM, Passage, plain
from ..text.line_difference import difference_passages

WAITING = _("Rebuilding what it was given. Esc leaves.")
SAME = _("It would be given the same now.")


class ThenAndNowScreen(MemScreen):
    """Lines that it was given and would not be now, and the other way round; of those that say something
    else of the same, the words."""

    CSS = "ThenAndNowScreen > #both { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = []

    place = N_("Then and now")
    has_rows = False

    heading = getters.query_one(Heading)
    view = getters.query_one("#both", TextView)

    def __init__(self, item: NamedLogEntry) -> None:
        super().__init__()
        self._item = item

    def body(self) -> ComposeResult:
        yield Heading()
        yield TextView(id="both")

    def on_mount(self) -> None:
        given = self._item.given
        named = self._item.title or given.session or _("unnamed")
        self.heading.left = Content.assemble(
            (_("given to "), DIM), plain(named, "bold"), plain(f" {full(given.at)}", DIM)
        )
        self.view.show([Passage(plain(WAITING, DIM))])
        self.view.focus()
        self._load()

    @work(exclusive=True, group="then")
    async def _load(self) -> None:
        given = self._item.given
        try:
            result = await self.browser.side.run_beside(lambda store: then_and_now(store, given))
        except StoreError as error:
            self.view.show([Passage(plain(str(error), "$text-warning"))])
            return
        then, now = len(result.then.refs), len(result.now.refs)
        self.heading.right = Content.assemble(
            ("- ", "$text-error"), plain(_("{then} then", then=f"{then:,}"), DIM),
            ("  + ", "$text-success"), plain(_("{now} now", now=f"{now:,}"), DIM),
        )  # fmt: skip
        self.view.show(list(_passages(result)))


def _passages(result: ThenAndNow) -> Iterator[Passage]:
    for note in result.notes:
        yield Passage(plain(note, "$text-warning"))
    if result.then.text == result.now.text:
        yield Passage(plain(SAME, DIM), space=int(bool(result.notes)))
    space = 1 if result.notes or result.then.text == result.now.text else 0
    yield from difference_passages(result.then.text, result.now.text, space)
