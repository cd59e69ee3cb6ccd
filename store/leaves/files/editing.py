"""Editing, making, moving and deleting agents' files, each with the index and links that name them, as one
undo; having two files say the same once; and whether a repository will show it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...agents.homes import resolved_path
from ...links.git import GitError, Limit, changed_lines
from ...platform.errors import ConflictError, InvalidRecordError
from ...platform.paths import repository_root
from ...platform.translation import _
from ...tables.repositories import locate
from ...text.plural import count_noun
from ...text.three_way import opcodes
from .markup import (
    INDEX,
    field,
    file_name,
    imports,
    index_lines,
    index_of,
    new_note,
    renamed,
    with_index_line,
    without_index_line,
)
from .writing import FileWriter, ShownFile, existing, show

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


def importing(shown: ShownFile, whole: ShownFile) -> str:
    """Return a file's text with an import of another, and below it what that one doesn't say."""
    _check(shown, whole)
    name = os.path.relpath(whole.path, shown.path.parent).replace(" ", "\\ ")
    if any(resolved_path(shown.path.parent / item.path) == whole.path for item in imports(shown.text)):
        return shown.text
    rest = _only_in(shown.text, whole.text)
    return f"@{name}\n" + (f"\n{rest}" if rest else "")


def copied(shown: ShownFile, whole: ShownFile) -> str:
    """Return a copy of a file's text, and below it what only the other one says."""
    _check(shown, whole)
    rest = _only_in(shown.text, whole.text)
    return whole.text.rstrip("\n") + "\n" + (f"\n{rest}" if rest else "")


SECONDS = 3.0


def tracked(path: Path) -> str:
    """Return a sentence on a file that a repository tracks: how many of its lines are changed now, and
    where it goes from there. "" for one that none does, or where git can't be asked."""
    root = repository_root(str(path.parent))
    if root is None:
        return ""
    try:
        lines = changed_lines(root, str(path), Limit(SECONDS))
    except GitError:
        return ""
    if lines is None:
        return ""
    remote = locate(str(path.parent)).remote
    changed = count_noun(lines, "lines")
    if not remote:
        return _(
            "It is tracked by {repository}: {lines} changed. Nothing was committed.",
            repository=root,
            lines=changed,
        )
    return _(
        "It is tracked by {repository}, which goes to {remote}: {lines} changed. Nothing was committed.",
        repository=root,
        remote=remote,
        lines=changed,
    )


def _notes_beside(path: Path) -> Iterator[Path]:
    """Yield the notes of a directory and its index."""
    if not (path.parent / INDEX).is_file():
        return
    for note in sorted(path.parent.glob("*.md")):
        if note.is_file() and not note.is_symlink():
            yield note


def _title(path: Path) -> str:
    return path.stem.replace("-", " ").replace("_", " ")


def _check(shown: ShownFile, whole: ShownFile) -> None:
    if shown.path == whole.path:
        raise InvalidRecordError("{path} is one file under both names; it says the same.", path=shown.path)


def _only_in(text: str, other: str) -> str:
    """Return the lines that only one of two texts has, without blanks around them."""
    lines, others = text.splitlines(), other.splitlines()
    other_lines = {line.strip() for line in others}
    codes = opcodes(lines, others)
    left = [
        line
        for tag, start, end, *_ in codes
        if tag != "equal"
        for line in lines[start:end]
        if line.strip() not in other_lines
    ]
    rest = "\n".join(left).strip("\n")
    return f"{rest}\n" if rest else ""
