"""Files in the making: whole or not at all, for their owner only, and never over another by accident."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from ...errors import StoreError


class ExportError(StoreError):
    """An export can't be written where it was asked to be; nothing there was changed."""


@contextmanager
def drafted(path: Path, *, force: bool = False) -> Iterator[Path]:
    """An empty file beside `path` (0600) that takes its place when the block ends well.

    Missing directories are made (0700). With `force` it replaces a file; without, one that is
    there, or that appears meanwhile, is refused. Whatever happens, no half of it stays.
    """
    check_free(path, force=force)
    make_directory(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with telling(path):
        draft.unlink(missing_ok=True)
        os.close(opened_private(draft))
    try:
        yield draft
        with telling(path):
            sync(draft)
            put(draft, path, force=force)
            sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def written(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """`drafted`, open for writing."""
    with drafted(path, force=force) as draft, draft.open("wb") as file, telling(path):
        yield file


@contextmanager
def drafted_directory(path: Path, *, force: bool = False) -> Iterator[Path]:
    """An empty directory beside `path` (0700) that takes its place when the block ends well.

    A directory that holds something is refused. With `force` the files come into it one by one,
    each whole, in place of those of the same name; whatever else is there stays.
    """
    check_empty(path, force=force)
    make_directory(path.parent)
    with telling(path), TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as made:
        draft = Path(made) / path.name
        make_directory(draft)
        yield draft
        for file in sorted(draft.rglob("*")):
            file.chmod(0o700 if file.is_dir() else 0o600)
            sync(file)
        if path.is_dir() and any(path.iterdir()):
            for file in sorted(one for one in draft.rglob("*") if one.is_file()):
                place = path / file.relative_to(draft)
                make_directory(place.parent)
                file.replace(place)
        else:
            draft.replace(path)
        sync(path.parent)


def check_empty(path: Path, *, force: bool) -> None:
    """Refuse a path that can't become the export's directory."""
    if os.path.lexists(path) and not path.is_dir():
        raise ExportError(f"{path} is a file. Name a directory.")
    if not force and path.is_dir() and any(path.iterdir()):
        raise ExportError(
            f"{path} holds files already. Name a new directory, or write into it with --force."
        )


def check_free(path: Path, *, force: bool) -> None:
    """Refuse a path that can't become the export's file."""
    if path.is_dir():
        raise ExportError(f"{path} is a directory. Name a file.")
    if not force and os.path.lexists(path):
        raise ExportError(f"{path} exists already. Name another file, or replace it with --force.")


def make_directory(path: Path) -> None:
    """Make a directory and those above it that are missing, all 0700 whatever the umask."""
    with telling(path):
        for directory in (*reversed(path.absolute().parents), path.absolute()):
            with suppress(FileExistsError):
                if not directory.is_dir():
                    directory.mkdir(mode=0o700)
                    directory.chmod(0o700)


def opened_private(path: Path) -> int:
    """A descriptor of a new file that only its owner may read or write, whatever the umask."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


def put(draft: Path, path: Path, *, force: bool) -> None:
    """Give a finished draft its name."""
    if force:
        draft.replace(path)
        return
    try:
        # Unlike a rename, it fails where something else took the name meanwhile.
        os.link(draft, path)
    except FileExistsError as error:
        raise ExportError(f"{path} exists already. Name another file.") from error
    except OSError:
        # Not every file system knows links.
        check_free(path, force=False)
        draft.rename(path)


def sync(path: Path) -> None:
    """Have a file, or the names in a directory, on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Tell what the system refuses as an ExportError."""
    try:
        yield
    except OSError as error:
        raise ExportError(
            f"{path} can't be written ({error.strerror or error}). Check the disk and its permissions."
        ) from error
