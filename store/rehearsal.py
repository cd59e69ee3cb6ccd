"""Try a write out on a private copy of a memory, which is gone afterwards."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from . import files
from .database import default_path, telling
from .store import Store


@contextmanager
def rehearsed(path: str | Path | None = None) -> Iterator[Store]:
    """A copy of a memory (the user's own when no path is given; an empty one where there is none).

    Whatever is done to it, not a byte of the memory changes. Errors are those of `Store.open`.
    """
    place = Path(path) if path is not None else default_path()
    with TemporaryDirectory(prefix="memtui-rehearsal-") as directory:
        copy = Path(directory) / "memory.db"
        if place.exists():
            os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            with telling(place, read_only=True):
                name, flags = files.ready(place, read_only=True)
                with (
                    closing(apsw.Connection(name, flags=flags)) as source,
                    closing(apsw.Connection(str(copy))) as target,
                    target.backup("main", source, "main") as job,
                ):
                    job.step(-1)
        with Store.open(copy) as store:
            yield store
