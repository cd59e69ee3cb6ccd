"""Undo and redo: what each did, in a sentence, and which memory to show then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from textual.app import App

from memtui.store import ListRow, NotFoundError, Store, StoreError, Undone
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..parts.toasts import tell_change
from ..protocol import browser
from ..screen import MemScreen

SOON = 0.15
"""Seconds after which what takes long is said to be on its way."""
KEPT = 3
"""So many sentences on what could not be taken back are told."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What to tell of an undo or a redo, and the memory that the selection goes to: by its ref, and as
    a list row where it is one that lists hold."""

    told: str
    ref: str | None = None
    row: ListRow | None = None


async def take_back(app: App[Any], change: Callable[[Store], TakenBack], doing: str) -> None:
    """Undo or redo, tell what came of it, and move the selection there. `doing` is said where it takes
    long."""
    async with browser(app).changing:
        await _take_back(app, change, doing)
        if isinstance(app.screen, MemScreen):
            await app.screen.wait_until_refreshed()


async def _take_back(app: App[Any], change: Callable[[Store], TakenBack], doing: str) -> None:
    screen = app.screen

    def tell() -> None:
        if isinstance(screen, MemScreen):
            screen.at_work = doing

    late = app.set_timer(SOON, tell)
    try:
        # Beside, since it may be about thousands.
        done = await browser(app).side.change_beside(change)
    except StoreError as error:
        app.notify(str(error), severity="error", markup=False)
        return
    except asyncio.CancelledError:
        app.notify(_("{doing} was stopped; nothing was changed.", doing=doing.rstrip("…")), markup=False)
        raise
    finally:
        late.stop()
        if isinstance(screen, MemScreen):
            screen.at_work = ""
    tell_change(app, done.told)
    if done.ref is not None and isinstance(app.screen, MemScreen):
        app.screen.seek(done.ref, done.row)
    browser(app).look()


def undo(store: Store) -> TakenBack:
    """Take the newest change of a person back."""
    with store.pressed("u"):
        undone = store.undo()
    return _taken_back(store, undone) if undone else TakenBack(_("Nothing to undo."))


def redo(store: Store) -> TakenBack:
    """Do again what was undone last."""
    with store.pressed("ctrl+r"):
        undone = store.redo()
    if undone is None:
        return TakenBack(_("Nothing to redo: nothing was undone, or something was changed since."))
    return _taken_back(store, undone)


def _taken_back(store: Store, undone: Undone) -> TakenBack:
    again = _("u undoes") if undone.is_redo else _("^r redoes")
    if not undone.is_done:
        done = _("Nothing was done again.") if undone.is_redo else _("Nothing was undone.")
    else:
        # What became of them says it best: "Undone: observation 12 deleted" reads as deleted.
        told = _("Done again: {change}") if undone.is_redo else _("Undone: {change}")
        sentence = undone.outcome or told.format(change=undone.what)
        done = _("{change} ({again})", change=sentence, again=again)
    ref = undone.select
    return TakenBack(safe(" ".join((done, *undone.kept[:KEPT]))), ref, _row(store, ref))


def _row(store: Store, ref: str | None) -> ListRow | None:
    if ref is None:
        return None
    try:
        return store.list_row(store.record(ref))
    except NotFoundError:
        return None
