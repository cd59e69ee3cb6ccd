"""Editing, making, moving and deleting agents' files, each with the index and links that name them, as one
undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import ConflictError, InvalidRecordError
from ...translation import _
from ..notes import (
    INDEX,
    field,
    file_name,
    index_lines,
    index_of,
    new_note,
    renamed,
    with_index_line,
    without_index_line,
)
from .writing import FileWriter, existing, show

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...store import Store

TYPES = ("user", "feedback", "project", "reference")
"""What notes of Claude Code are about."""


class FileEditing:
    """Changes agents' files, each call as one undo. Raises what `FileWriter` raises."""

    def __init__(self, store: Store, *, is_forced: bool = False) -> None:
        self.store = store
        self.writer = FileWriter(store, is_forced=is_forced)

    def edit(self, path: Path, text: str) -> str:
        """Give a file another text; return what it says then."""
        shown = existing(path)
        return self.writer.write(shown, text, _("{path} edited", path=shown.path))

    def new(self, path: Path, text: str, description: str = "", kind: str = "") -> Path:
        """Make a file; a note beside an index gets front matter, and its line there. Return its path."""
        if kind and kind not in TYPES:
            raise InvalidRecordError(
                "{kind!r} is not one of {types}.", kind=kind, types=_(", ").join(TYPES)
            )
        shown = show(path)
        if shown.content is not None:
            raise ConflictError("There is a file {path} already. `mem files edit` changes it.", path=path)
        index = index_of(shown.path)
        with self.store.change(_("{path} made", path=shown.path)):
            if index is not None:
                title = _title(shown.path)
                if not text.startswith("---"):
                    text = new_note(shown.path.stem, description, kind or "project", text)
                self._index(index, shown.path.name, title, description or field(text, "description"))
            self.writer.write(shown, text, "")
        return shown.path

    def delete(self, path: Path) -> Path:
        """Delete a file, with its line in the index."""
        shown = existing(path)
        index = index_of(shown.path)
        with self.store.change(_("{path} deleted", path=shown.path)):
            if index is not None:
                listed = existing(index)
                text = without_index_line(listed.text, shown.path.name)
                self.writer.write(listed, text, "")
            self.writer.remove(shown, "")
        return shown.path

    def move(self, path: Path, new: Path) -> Path:
        """Give a file another path; the index and the notes beside it name the new one then. In another
        directory it leaves the index of this one, and gets its line in that one's."""
        shown = existing(path)
        if new.is_dir():
            new /= shown.path.name
        target = show(new).path
        with self.store.change(_("{path} moved to {target}", path=shown.path, target=target)):
            self.writer.move(shown, target, "")
            if target.parent == shown.path.parent:
                for note in _notes_beside(target):
                    other = existing(note)
                    text = renamed(other.text, shown.path.name, target.name)
                    self.writer.write(other, text, "")
            else:
                self._move_line(shown.path, target, field(shown.text, "description"))
        return target

    def _move_line(self, path: Path, target: Path, hook: str) -> None:
        title = _title(target)
        if (index := index_of(path)) is not None:
            listed = existing(index)
            for line in index_lines(listed.text):
                if line.target == path.name:
                    title, hook = line.title, line.hook
            self.writer.write(listed, without_index_line(listed.text, path.name), "")
        if (index := index_of(target)) is not None:
            self._index(index, target.name, title, hook)

    def _index(self, index: Path, name: str, title: str, hook: str) -> None:
        listed = existing(index)
        self.writer.write(listed, with_index_line(listed.text, title, name, hook), "")


def note_path(folder: Path, title: str) -> Path:
    """Return a path for a new note of this title, at which there is nothing."""
    name = file_name(title)
    path, number = folder / name, 2
    while path.exists():
        path = folder / f"{name.removesuffix('.md')}-{number}.md"
        number += 1
    return path


def _notes_beside(path: Path) -> Iterator[Path]:
    """Yield the notes of a directory and its index."""
    if not (path.parent / INDEX).is_file():
        return
    for note in sorted(path.parent.glob("*.md")):
        if note.is_file() and not note.is_symlink():
            yield note


def _title(path: Path) -> str:
    return path.stem.replace("-", " ").replace("_", " ")
