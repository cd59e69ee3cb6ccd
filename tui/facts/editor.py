"""A note in the user's own editor, while the browser waits."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from store import Note, Store

FALLBACKS = ("nano", "vim", "vi")


def editor() -> list[str] | None:
    """Return the command that edits a file: $VISUAL, $EDITOR, else one that is found; None if none is."""
    for name in ("VISUAL", "EDITOR"):
        if command := os.environ.get(name, "").strip():
            return shlex.split(command)
    found = next((path for name in FALLBACKS if (path := shutil.which(name))), None)
    return [found] if found else None


def edited(
    note: Note, file: Path | None, suspended: Callable[[], AbstractContextManager[object]]
) -> Callable[[Store], str | None]:
    """Let the user edit a note while the browser is `suspended`; what to do to the store then.

    A note that is a file is edited where it lies. OSError where the editor can't be started.
    """
    command = editor()
    if command is None:
        raise OSError("No editor was found; name one in $EDITOR")
    if file is not None:
        with suspended():
            subprocess.run([*command, str(file)], check=False)
        return lambda store: _from_file(store, note)
    with TemporaryDirectory(prefix="memtui-") as folder:
        draft = Path(folder) / (Path(note.path).name or "note.md")
        draft.write_text(note.text, "utf-8")
        draft.chmod(0o600)
        with suspended():
            subprocess.run([*command, str(draft)], check=False)
        text = draft.read_text("utf-8", errors="replace")
    return lambda store: _from_draft(store, note, text)


def _from_file(store: Store, note: Note) -> str | None:
    from store.formats.scheme_c.note_watch import NoteWatch

    return _changed(note) if NoteWatch().look(store) else None


def _from_draft(store: Store, note: Note, text: str) -> str | None:
    if text == note.text:
        return None
    with store.transaction():
        now = store.notes.get(note.id)
        if now.text != note.text:
            return f"{note.path} was changed meanwhile; your edit was not stored. Edit it again."
        store.notes.upsert(note.path, text, project=note.project)
    return _changed(note)


def _changed(note: Note) -> str:
    return f"Changed: {note.path}"
