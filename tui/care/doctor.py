"""Whether the store is well, as `mem doctor` tells it: first what is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from textual import getters, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from memtui.store import Check, StoreError
from memtui.store.maintain.doctor import store_checks
from memtui.store.maintain.place import place_checks
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from ..parts.text_view import TextView
from ..screen import MemScreen
from ..text.content import DIM, Passage, plain

WAITING = _("Looking at the file, its indexes and what hooks bring. Esc leaves.")


class DoctorScreen(MemScreen):
    """All checks of the store, those that found something wrong first, with what to do."""

    CSS = "DoctorScreen > #checks { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = []

    place = N_("Doctor")
    command = "doctor"
    has_rows = False

    view = getters.query_one("#checks", TextView)

    def body(self) -> ComposeResult:
        yield TextView(id="checks")

    def on_mount(self) -> None:
        self.view.entitle(_("Doctor"))
        self.view.show([Passage(plain(WAITING, DIM))])
        self.view.focus()
        self._look()

    @work(exclusive=True, group="doctor")
    async def _look(self) -> None:
        place = place_checks(self.browser.path)
        try:
            checks = [*place, *await self.browser.side.run_beside(lambda s: [*store_checks(s)])]
        except StoreError as error:
            checks = [*place, Check("memory", False, str(error), "")]
        wrong = sum(not check.ok for check in checks)
        content = count_noun(wrong, "problems") if wrong else _("all is well")
        self.view.entitle(_("Doctor"), content)
        self.view.show(list(_passages(checks)))


def _passages(checks: Sequence[Check]) -> Iterator[Passage]:
    width = max(cell_len(_(item.name)) for item in checks)
    for check in sorted(checks, key=lambda item: item.ok):
        mark = Content.styled("✓ " if check.ok else "✗ ", "$text-success" if check.ok else "$text-error")
        yield Passage(
            plain(check.found, "" if check.ok else "bold"),
            set_cell_size(_(check.name), width),
            mark,
        )
        if not check.ok and check.remedy:
            yield Passage(plain(check.remedy, "$text-accent"), " " * width)
