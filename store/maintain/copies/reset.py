"""Start a memory anew: what there is moves aside, or goes, with all that belongs to it."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from ...capture.ingest.spool import SEGMENT, folders, settle
from ...database.files import atomic, leftovers
from ...database.files.versions import VersionFolder
from ...embeddings.folder import VectorFolder
from ...errors import DatabaseError
from ...files.index import NAME as INDEX
from ...records.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ResetFiles:
    """What was moved or deleted, and where it is now (empty where it was deleted)."""

    files: tuple[Path, ...]
    aside: tuple[Path, ...] = ()


def belongings(path: Path) -> list[Path]:
    """Return the file of a memory, its log and locks, and the events that wait for it, wherever that
    is. Backups and the settings of hooks aren't among them."""
    place = path.resolve()
    beside = [place.with_name(place.name + suffix) for suffix in ("", *leftovers.COMPANIONS)]
    paths = [item for item in beside if item.is_symlink() or item.exists()]
    return paths + _segments(path)


def reset(path: Path, *, delete: bool = False) -> ResetFiles:
    """Move a memory, its log and the events that wait for it aside under one stamped name beside it,
    or delete them; its vectors and the index of agents' files, which can be made anew, and the versions
    that it keeps of these are deleted. Its archive stays. Raises DatabaseError, and changes nothing, while
    another process has it open.
    """
    place = path.resolve()
    if place.is_dir():
        raise DatabaseError("{path} is a directory. Name a database file with --db.", path=path)
    # What hooks have taken belongs to it, too.
    settle(path)
    if not belongings(path):
        _drop_beside(place)
        return ResetFiles(())
    if place.exists() and not (os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)):
        raise DatabaseError(
            "{path}, or its directory, can't be written, so nothing was changed. Check the permissions.",
            path=path,
        )
    with leftovers.AloneWith(place) as is_alone:
        if not is_alone:
            raise DatabaseError(
                "Another process has {path} open, so nothing was changed. End it (the "
                "browser, a worker), then try again.",
                path=path,
            )
        files = belongings(path)
        aside = Path(leftovers.free_aside(str(place)))
        spool = aside.with_name(f"{aside.name}-spool")
        moved = []
        for file in files:
            if delete:
                file.unlink(missing_ok=True)
            elif file.parent == place.parent and file.name.startswith(place.name):
                moved.append(file.rename(aside.with_name(aside.name + file.name[len(place.name) :])))
            else:
                moved.append(_move_into(spool, file))
        _drop_beside(place)
        atomic.sync(place.parent)
    return ResetFiles(tuple(files), tuple(moved))


def _drop_beside(place: Path) -> None:
    VectorFolder(place).drop()
    VersionFolder(place).drop()
    for suffix in ("", *leftovers.COMPANIONS):
        place.with_name(INDEX + suffix).unlink(missing_ok=True)


def _segments(path: Path) -> list[Path]:
    paths: list[Path] = []
    for folder in folders(path):
        with suppress(OSError):
            paths += [item for item in sorted(folder.iterdir()) if SEGMENT.fullmatch(item.name)]
    return paths


def _move_into(spool: Path, segment: Path) -> Path:
    """Move a segment, which may lie on another disk, beside others of the same day."""
    atomic.make_directories(spool)
    place = spool / segment.name
    number = 2
    while place.exists():
        place = spool / f"{segment.stem}-{number}{segment.suffix}"
        number += 1
    shutil.move(segment, place)
    return place
