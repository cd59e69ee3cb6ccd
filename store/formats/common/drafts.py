"""Write an export whole or not at all, for its owner only, and never over another file by accident."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ...database.files import atomic, temporary
from ...platform.errors import StoreError


class ExportError(StoreError):
    """An export can't be written where it was asked to be; nothing there was changed."""


@contextmanager
def draft_file(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Make an empty file (0600) beside `path` that takes its place when the block ends well.

    Missing directories are made (0700). With `force` it replaces a file; without, one that is there, or
    that appears meanwhile, is refused. Whatever happens, no half of it stays. Raises ExportError.
    """
    _check_file(path, force=force)
    make_directories(path.parent)
    with translate_errors(path):
        atomic.sweep(path)
        with atomic.draft(path) as made:
            yield made
            try:
                atomic.publish(made, path, replace=force)
            except FileExistsError as error:
                raise ExportError("{path} exists already. Name another file.", path=path) from error


@contextmanager
def open_draft(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """Make a `draft_file`, open for writing."""
    with draft_file(path, force=force) as made, made.open("wb") as file:
        yield file


@contextmanager
def draft_directory(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Make an empty directory beside `path` (0700) that takes its place when the block ends well.

    A directory that holds something is refused. With `force` the files come into it one by one,
    each whole, in place of those of the same name; whatever else is there stays. Raises ExportError.
    """
    _check_directory(path, force=force)
    make_directories(path.parent)
    with translate_errors(path), temporary.directory(f".{path.name}.", path.parent) as made:
        draft = Path(made) / path.name
        make_directories(draft)
        yield draft
        for file in sorted(draft.rglob("*")):
            file.chmod(0o700 if file.is_dir() else 0o600)
            atomic.sync(file)
        if path.is_dir() and any(path.iterdir()):
            for file in sorted(item for item in draft.rglob("*") if item.is_file()):
                target = path / file.relative_to(draft)
                make_directories(target.parent)
                if not target.parent.resolve().is_relative_to(path.resolve()):
                    raise ExportError(
                        "{parent} leads out of {path}. What was written before stays; remove that link.",
                        parent=target.parent,
                        path=path,
                    )
                file.replace(target)
        else:
            draft.replace(path)
        atomic.sync(path.parent)


def make_directories(path: Path) -> None:
    """Make a directory and those above it that are missing, all 0700; ExportError."""
    with translate_errors(path):
        atomic.make_directories(path)


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise what the system refuses as an ExportError."""
    try:
        yield
    except OSError as error:
        raise ExportError(
            "{path} can't be written ({error}). Check the disk and its permissions.",
            path=path,
            error=error.strerror or error,
        ) from error


def _check_directory(path: Path, *, force: bool) -> None:
    """Refuse a path that can't become the export's directory."""
    if os.path.lexists(path) and not path.is_dir():
        raise ExportError("{path} is a file. Name a directory.", path=path)
    if not force and path.is_dir() and any(path.iterdir()):
        raise ExportError(
            "{path} holds files already. Name a new directory, or write into it with --force.", path=path
        )


def _check_file(path: Path, *, force: bool) -> None:
    """Refuse a path that can't become the export's file."""
    if path.is_dir():
        raise ExportError("{path} is a directory. Name a file.", path=path)
    if not force and os.path.lexists(path):
        raise ExportError(
            "{path} exists already. Name another file, or replace it with --force.", path=path
        )
    if path.exists() and not path.is_file():
        raise ExportError("{path} is not a plain file, and never replaced. Name another file.", path=path)
