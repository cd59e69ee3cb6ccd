"""What the keys for editing do: the form, the user's own editor, and a new memory."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from textual.app import App

from memtui.store import InvalidRecordError, Note, Store, StoreError
from memtui.store.database.files import temporary
from memtui.store.formats.markdown.editor import (
    Draft,
    keep,
    read_written,
    run_editor,
    write_document,
)
from memtui.store.formats.scheme_c.note_watch import NoteWatch, file_of_note
from memtui.store.platform.translation import _

from ..parts.leaving import leave_for
from ..protocol import browser
from .conflict import AnyRecord, Outcome, Saving
from .form import FIRST, UNCHANGED, FormScreen, named, told


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
    record = store.find(ref)
    return record, file_of_note(store, record) if isinstance(record, Note) else None


def _tell(app: App[Any], sentence: str | None) -> None:
    if sentence:
        app.notify(sentence, markup=False)
    browser(app).look()
