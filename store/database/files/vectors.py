"""The files of vectors beside a memory: where they lie, and how they are deleted. They can be made anew."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..connection import real_path

SUFFIX = ".db"


def vectors_directory(database: Path) -> Path:
    """Return the directory of a memory's vectors, whether it is there or not."""
    return Path(f"{real_path(str(database))}-vectors")


def drop_vectors(database: Path, *, keep: str = "") -> bool:
    """Delete the files of a memory's vectors, but for the one named `keep` without its suffix; whether they
    are gone."""
    folder = vectors_directory(database)
    files = (path for path in folder.glob(f"*{SUFFIX}") if path.is_file() and not path.is_symlink())
    is_gone = drop_files(path for path in files if path.stem != keep)
    if not keep:
        with suppress(OSError):
            folder.rmdir()
    return is_gone


def drop_files(paths: Iterable[Path]) -> bool:
    """Delete files of vectors and what lies beside them; False where one of them can't be."""
    is_gone = True
    for path in paths:
        for end in ("", "-journal"):
            try:
                Path(f"{path}{end}").unlink(missing_ok=True)
            except OSError:
                is_gone = False
    return is_gone
