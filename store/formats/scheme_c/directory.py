"""A directory of scheme C: which files belong to it, and by which marks it is recognized."""

from __future__ import annotations

import json
import os
import re
import stat
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from ...platform.errors import SourceError
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...store import Store
from ...text import clean
from .lines import bare, link_in, open_in, read_in

DAILY, FACTS, SESSIONS, KEPT_NOTES = "daily", "facts.jsonl", "sessions.jsonl", "notes.jsonl"
REWRITTEN = (FACTS, SESSIONS, KEPT_NOTES)
"""The files that a sync writes anew; all others only grow."""
NOTES = ("MEMORY.md", "NOTES.md")
STATE = ".memtui.json"
"""Made by the first `mem sync`: holds the mark of a directory, whatever becomes of its files."""
MARKED_LINES = 3

_DAY = re.compile(r"(?:\A|/)(\d{4})-(\d{2})-(\d{2})\.jsonl\Z", re.IGNORECASE)

SYSTEM = "scheme-c"


@dataclass(frozen=True, slots=True)
class Directory:
    """The files of a directory that can be read, by their names in it; `remarks` is a sentence for
    each that can't be read or doesn't belong to it."""

    path: Path
    daily: tuple[str, ...]
    others: tuple[str, ...]
    notes: tuple[str, ...]
    remarks: tuple[str, ...]


def is_scheme_c(path: Path) -> bool:
    """Return whether a path is a directory that holds anything of scheme C, and can be entered."""
    names = (*NOTES, FACTS, SESSIONS, STATE)
    try:
        return path.is_dir() and (
            any((path / name).is_file() for name in names)
            or any(_DAY.search(name) for name in files_below(path, DAILY))
        )
    except OSError:
        return False


def find_files(path: Path, *, may_be_empty: bool = False) -> Directory:
    """Return the files of a directory. Raises SourceError when it is none, or none of scheme C."""
    try:
        if not path.exists():
            raise SourceError("There is no directory {path}. Check the path.", path=path)
        if not path.is_dir():
            raise SourceError(
                "{path} is a file. Name the directory that MEMORY.md or daily/ is in.", path=path
            )
        # Whoever may not enter it would find nothing in it.
        (path / STATE).lstat()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise SourceError(
            "{path} can't be entered ({error}). Check its permissions.", path=path, error=error.strerror
        ) from error
    if not may_be_empty and not is_scheme_c(path):
        inner = next((item for item in _listed(path) if is_scheme_c(item)), None)
        raise SourceError(
            (
                "{path} holds no MEMORY.md, no daily/*.jsonl and no sessions.jsonl, so it is not a "
                "store of scheme C. Name the directory that these are in."
            )
            if inner is None
            else (
                "{path} holds no MEMORY.md, no daily/*.jsonl and no sessions.jsonl, so it is not a "
                "store of scheme C, but {inner} is: name that one."
            ),
            path=path,
            inner=inner,
        )
    remarks: list[str] = []
    daily = []
    for name in files_below(path, DAILY, remarks):
        if clean(name) != name:
            remarks.append(
                _("{name} has a name that can't be written and was left alone.", name=clean(name))
            )
        elif not name.lower().endswith(".jsonl"):
            remarks.append(_("{name} is not a .jsonl file and was left alone.", name=name))
        elif _is_readable(path, name, remarks):
            daily.append(name)
            if day_of(name) is None:
                remarks.append(
                    _("{name} is not named after a day that there is; it was read too.", name=name)
                )
    others = [name for name in (FACTS, SESSIONS, KEPT_NOTES) if os.path.lexists(path / name)]
    notes = [name for name in NOTES if os.path.lexists(path / name)]
    return Directory(
        path,
        tuple(daily),
        tuple(name for name in others if _is_readable(path, name, remarks)),
        tuple(name for name in notes if _is_readable(path, name, remarks)),
        tuple(remarks),
    )


def other_files(path: Path) -> list[str]:
    """Return the files in a directory, and the folders (with a slash), that don't belong to scheme C,
    without hidden ones."""
    known = (DAILY, *REWRITTEN, *NOTES)
    others = [item for item in _listed(path) if item.name not in known and item.name[0] != "."]
    return [clean(entry.name) + "/" * entry.is_dir() for entry in others]


def day_of(file: str) -> int | None:
    """Return when the day began that a daily file is named after, ms since the epoch, UTC; None for
    none."""
    if match := _DAY.search(file):
        try:
            day = datetime(*map(int, match.groups()), tzinfo=UTC)  # type: ignore[arg-type, misc]
        except ValueError:
            return None
        return round(day.timestamp() * 1_000)
    return None


def kept_mark(path: Path) -> str | None:
    """Return the mark that a sync has left in a directory: 8 hexadecimal digits; None for none."""
    try:
        result = json.loads(read_in(path, STATE))
        mark = result["directory"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return mark if isinstance(mark, str) and re.fullmatch(r"[0-9a-f]{8}", mark) else None


def marks(directory: Directory) -> list[str]:
    """Return hashes of the first three lines of each file, by which a directory is recognized."""
    results: list[str] = []
    for name in (*directory.daily, *directory.others, *directory.notes):
        with suppress(OSError), open_in(directory.path, name) as stream:
            lines = (bare(line) for line in iter(lambda: stream.readline(1 << 20), b""))
            first = islice(filter(None, lines), MARKED_LINES)
            results.extend(blake2b(line, digest_size=4).hexdigest() for line in first)
    return results


def files_below(path: Path, folder: str, remarks: list[str] | None = None) -> list[str]:
    """Return the files in a folder of a directory and below it, by their names in the directory,
    sorted; `remarks` gets a sentence for each folder that can't be listed."""
    results: list[str] = []

    def failed(error: OSError) -> None:
        if remarks is not None and not isinstance(error, FileNotFoundError | NotADirectoryError):
            name = clean(os.path.relpath(str(error.filename), path))
            remarks.append(
                _(
                    "{name} can't be entered ({error}). Check its permissions.",
                    name=name,
                    error=error.strerror,
                )
            )

    if (path / folder).is_symlink():
        return [folder] if remarks is not None else []
    for place, folders, files in os.walk(path / folder, onerror=failed):
        # A link to a folder is no folder to go into: it may lead back here.
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        results += ((Path(place) / name).relative_to(path).as_posix() for name in (*files, *links))
    return sorted(results)


def _listed(path: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(path.iterdir())
    return []


def _is_readable(path: Path, name: str, remarks: list[str]) -> bool:
    if link := link_in(path, name):
        remarks.append(_("{link} is a link and was left alone.", link=clean(link)))
        return False
    try:
        if not stat.S_ISREG((path / name).stat().st_mode):
            remarks.append(_("{name} is not a file and was left alone.", name=name))
            return False
        with open_in(path, name):
            return True
    except OSError as error:
        remarks.append(
            _(
                "{name} can't be read ({error}). Check its permissions.",
                name=name,
                error=error.strerror,
            )
        )
        return False


def source_of(store: Store, directory: Directory) -> str:
    """Return the source that the records of a directory have: `scheme-c:mark`.

    The mark that a sync has left decides, else the beginnings of its files, by which it was known
    before, else its path. A new one is named after its own first line.
    """
    results = marks(directory)
    mark = kept_mark(directory.path)
    source = f"{SYSTEM}:{mark}" if mark else _known(store, directory, results)
    if source is None:
        source = f"{SYSTEM}:{results[0] if results else os.urandom(4).hex()}"
    with store.transaction():
        store.db.executemany(
            "INSERT INTO source_marks VALUES (?, ?) ON CONFLICT DO NOTHING",
            [(f"{SYSTEM}:{text}", source) for text in dict.fromkeys(results)],
        )
    return source


def _known(store: Store, directory: Directory, found: list[str]) -> str | None:
    rows = store.db.execute(
        "SELECT source FROM source_marks WHERE mark IN (SELECT value FROM json_each(?))",
        (json.dumps([f"{SYSTEM}:{mark}" for mark in found]),),
    )
    votes = Counter(str(source) for (source,) in rows)
    if votes:
        return min(votes, key=lambda source: (-votes[source], source))
    there: str | None = store.db.execute(
        "SELECT directory FROM directories WHERE path = ? LIMIT 1", (str(directory.path.resolve()),)
    ).get
    return there
