"""Keeping the store well, from the palette: whether it is, as `mem doctor` tells it; backing it up; letting
old memories go."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.cells import cell_len, set_cell_size
from textual import getters, work
from textual.app import ComposeResult
from textual.content import Content

from memtui.store import Check, Store, StoreError
from memtui.store.maintain.backups import back_up
from memtui.store.maintain.doctor import store_checks
from memtui.store.maintain.place import place_checks
from memtui.store.maintain.retention import Due, Retention
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun, count_nouns

from .parts.dialog import QuestionScreen
from .parts.text_view import TextView
from .screen import MemScreen
from .text.content import DIM, Passage, plain
from .text.paths import short

WAITING = _("Looking at the file, its indexes and what hooks bring. Esc leaves.")


class DoctorScreen(MemScreen):
    """All checks of the store, those that found something wrong first, with what to do."""

    CSS = "DoctorScreen > #checks { height: 1fr; }"
    BINDINGS = []

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


def start_backup(screen: MemScreen) -> None:
    """Copy the store, verified, beside it."""
    screen.run_worker(_back_up(screen), group="care", exclusive=True)


def offer_retention(screen: MemScreen) -> None:
    """Show what is older than its project's policy, and let it go if that is wanted."""
    screen.run_worker(_offer(screen), group="care", exclusive=True)


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


@contextmanager
def _at_work(screen: MemScreen, doing: str) -> Iterator[None]:
    """Say what is going on; that it could not be done is told."""
    screen.at_work = doing
    try:
        yield
    except StoreError as error:
        screen.notify(str(error), severity="error", markup=False)
    finally:
        screen.at_work = ""


async def _back_up(screen: MemScreen) -> None:
    with _at_work(screen, _("Backing up…")):
        made = await asyncio.to_thread(back_up, screen.browser.path)
        if made.damage:
            content = _(
                "The store is damaged ({damage}), and so is the copy: {path}",
                damage=made.damage,
                path=short(made.copy),
            )
            screen.notify(content, severity="error", markup=False)
        else:
            screen.notify(_("Backed up to {path}", path=short(made.copy)), markup=False)


async def _offer(screen: MemScreen) -> None:
    def read(store: Store) -> tuple[tuple[Due, ...], str]:
        retention = Retention(store)
        return retention.due(), retention.why_nothing()

    due, why_nothing = await screen.browser.side.run(read)
    if not due:
        screen.notify(why_nothing, markup=False)
        return

    def answered(key: str | None) -> None:
        if key == "enter":
            screen.run_worker(_let_go(screen, due), group="care", exclusive=True)

    answers = {"enter": _("lets them go"), "escape": _("keeps them")}
    question = QuestionScreen(_("let old memories go?"), list(_told_due(due)), answers)
    screen.app.push_screen(question, answered)


def _told_due(due: Sequence[Due]) -> Iterator[Passage]:
    for item in due:
        parts = []
        if item.deleted:
            parts.append(_("{records} deleted", records=count_nouns(item.deleted)))
        if item.purged:
            parts.append(_("{records} purged", records=count_nouns(item.purged)))
        content = _(", ").join(parts)
        yield Passage(plain(content), item.project or _("no project"))
    content = _("What is deleted comes back by u until it is purged; what is purged is gone.")
    yield Passage(plain(content, DIM), space=1)


async def _let_go(screen: MemScreen, due: tuple[Due, ...]) -> None:
    def run(store: Store) -> int:
        retention = Retention(store)
        with store.pressed("ctrl+p"):
            retention.back_up_before(due)
            return retention.run()

    with _at_work(screen, _("Letting old memories go…")):
        done = await screen.browser.side.run_beside(run)
        screen.notify(_("{records} let go.", records=count_noun(done, "records")), markup=False)
    screen.browser.look()
