"""What the keys for editing do: the form, the user's own editor, a new memory; undo and redo, what each
did, and which memory to show then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from memtui.store import (
    AnyRecord,
    InvalidRecordError,
    ListRow,
    Note,
    NotFoundError,
    Store,
    StoreError,
    Undone,
)
from memtui.store.database.files import temporary
from memtui.store.formats.markdown_editor import Draft, keep, read_written, run_editor, write_document
from memtui.store.formats.scheme_c.notes import NoteWatch, file_of_note
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..parts.dialog import tell_change
from ..parts.textual_gaps import leave_for
from ..protocol import browser
from ..screen import MemScreen
from .form import FIRST, UNCHANGED, FormScreen, named, told
from .storing import Outcome, Saving


async def edit_in_form(app: App[Any], ref: str) -> None:
    """Have the user correct a record in a form; a note that is a file, in the editor."""
    record, file = await browser(app).side.run(lambda store: _found(store, ref))
    if file is not None:
        await _edit_file(app, record, file)
    else:
        app.push_screen(FormScreen.of(record, ref), partial(_tell, app))


def add_memory(app: App[Any], kind: str, project: str) -> None:
    """Have the user fill in the form of a new memory."""
    app.push_screen(FormScreen(kind, FIRST[kind] | {"project": project}), partial(_tell, app))


async def edit_in_editor(app: App[Any], ref: str) -> None:
    """Have the user edit a record as Markdown while the browser is suspended, and store what was
    changed. A note that is a file is edited where it lies."""
    record, file = await browser(app).side.run(lambda store: _found(store, ref))
    if file is not None:
        await _edit_file(app, record, file)
    else:
        EditorRounds(app, ref, record).open()


class EditorRounds:
    """A record in the user's editor, opened again until what it leaves can be stored."""

    def __init__(self, app: App[Any], ref: str, record: AnyRecord) -> None:
        self._app = app
        self._ref = ref
        self._draft = Draft(record)

    def open(self) -> None:
        """Leave the browser for the editor, and start storing what was written."""
        draft = self._draft
        while True:
            with temporary.directory("memtui-edit-") as folder:
                path = folder / draft.file_name
                try:
                    write_document(path, draft.document)
                    leave_for(self._app, partial(run_editor, path))
                    written = read_written(path)
                except (OSError, StoreError) as error:
                    self._fail(str(error), path)
                    return
                if draft.is_given_up(written):
                    kept = f" {self._kept(path, written)}" if draft.problem else ""
                    _tell(self._app, UNCHANGED + kept)
                    return
            try:
                fields = draft.read(written)
            except InvalidRecordError:
                continue
            break
        if not fields:
            _tell(self._app, UNCHANGED)
            return
        done = partial(self._done, written, fields)
        Saving(self._app, self._ref, fields, draft.record, _("back to the editor"), done, "E").start()

    def _done(self, written: str, fields: dict[str, Any], outcome: Outcome | StoreError) -> None:
        if isinstance(outcome, InvalidRecordError):
            self._draft.refuse(written, str(outcome))
            self.open()
        elif isinstance(outcome, StoreError):
            kept = self._kept(Path(self._draft.file_name), written)
            self._app.notify(f"{outcome} {kept}", severity="error", markup=False)
        elif outcome == "back":
            self._draft.refuse(written, _("Others changed this meanwhile; nothing is stored yet."))
            self.open()
        else:
            _tell(self._app, told(outcome, fields))

    def _fail(self, reason: str, path: Path) -> None:
        written = read_written(path)
        if written and not self._draft.is_untouched(written):
            reason += f" {self._kept(path, written)}"
        self._app.notify(reason, severity="error", markup=False)

    def _kept(self, path: Path, written: str) -> str:
        kept = keep(path, written, browser(self._app).path)
        return _("What you wrote is kept in {path}.", path=kept)


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


async def _edit_file(app: App[Any], note: AnyRecord, file: Path) -> None:
    """Have the user edit the file that a note is, and take in what was changed."""
    try:
        leave_for(app, partial(run_editor, file))
    except (OSError, StoreError) as error:
        app.notify(str(error), severity="error", markup=False)
        return
    await browser(app).write(lambda store: _taken_in(store, note), "E")


def _taken_in(store: Store, note: AnyRecord) -> str | None:
    with store.change(_("note n{id} changed", id=note.id)):
        return _("Saved: {title} (u undoes)", title=named(note)) if NoteWatch().look(store) else None


def _found(store: Store, ref: str) -> tuple[AnyRecord, Path | None]:
    record = store.any_record(ref)
    return record, file_of_note(store, record) if isinstance(record, Note) else None


def _tell(app: App[Any], sentence: str | None) -> None:
    if sentence:
        app.notify(sentence, markup=False)
    browser(app).look()


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
