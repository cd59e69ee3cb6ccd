"""Try a write on a private copy of a memory, which is gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from ..database.file import translate_open_errors
from ..database.files import temporary
from ..database.files.atomic import create_private
from ..formats.sqlite.file import ATTEMPTS, open_foreign, stamp
from ..paths import default_path
from ..store import Store


@contextmanager
def private_copy(path: str | Path | None = None) -> Iterator[Store]:
    """Make a copy of a memory (the user's own when no path is given; an empty one where there is none).

    Whatever is done to it, not a byte of the memory changes, and no file appears beside it. Errors
    are those of `Store.open`, and SourceError for what is no database.
    """
    place = Path(path) if path is not None else default_path()
    with temporary.directory("memtui-rehearsal-") as directory:
        copy = directory / "memory.db"
        if place.exists():
            with translate_open_errors(place, read_only=True):
                _copy(place, copy)
        with Store.open(copy) as store:
            yield store


def _copy(place: Path, copy: Path) -> None:
    os.close(create_private(copy))
    for _ in range(ATTEMPTS):
        before = stamp(place)
        with (
            open_foreign(place) as source,
            closing(apsw.Connection(str(copy))) as target,
            target.backup("main", source, "main") as job,
        ):
            job.step(-1)
        # Where another process wrote meanwhile, pages of two states may have met.
        if stamp(place) == before:
            return
