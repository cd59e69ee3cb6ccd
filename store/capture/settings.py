"""The settings of capture: pauses, and what is never stored. They are files, for hooks read them."""

from __future__ import annotations

import stat
import time
from datetime import datetime
from math import isinf
from pathlib import Path

from ..database.files import atomic
from ..platform.errors import InvalidRecordError
from ..platform.paths import make_spool_directory, spool_directory
from ..platform.regular_file import read_regular
from ..platform.translation import _


def pause(database: Path, seconds: float | None = None) -> None:
    """Have hooks store nothing, for `seconds` or until `resume`."""
    resume(database)
    until = "" if seconds is None else str(round(time.time() + seconds))
    _write_text(make_spool_directory(database) / "paused", until)


def resume(database: Path) -> bool:
    """Have hooks store events again; whether they were paused."""
    was = paused_until(database) is not None
    folder = make_spool_directory(database)
    if last := _present_pause(folder):
        begun, until = last
        ended = min(until, time.time())
        _write_text(folder / "pauses", _text(folder / "pauses") + f"{begun:.3f} {ended:.3f}\n")
    (folder / "paused").unlink(missing_ok=True)
    return was


def pauses(database: Path) -> list[tuple[float, float]]:
    """Every pause there was, as (begun, ended) in seconds since the epoch: what a transcript has of
    these times isn't stored either."""
    folder = spool_directory(database)
    results = [_pause(line) for line in _text(folder / "pauses").split("\n")]
    return [pair for pair in (*results, _present_pause(folder)) if pair is not None]


def paused_until(database: Path) -> float | None:
    """When the present pause ends, in seconds since the epoch; infinity where only `resume` ends it,
    None where there is none."""
    present = _present_pause(spool_directory(database))
    return present[1] if present and present[1] > time.time() else None


def pause_end(database: Path) -> str:
    """When or by what the present pause ends, to be read after "until"; `` where there is none."""
    until = paused_until(database)
    if until is None:
        return ""
    if isinf(until):
        return "`mem resume`"
    time = f"{datetime.fromtimestamp(until):%Y-%m-%d %H:%M}"
    return _("{time} or `mem resume`", time=time)


def excluded(database: Path) -> list[str]:
    """The globs of projects, directories and files that are never stored."""
    return [line for line in _text(spool_directory(database) / "excluded").split("\n") if line.strip()]


def exclude(database: Path, globs: list[str]) -> list[str]:
    """Add globs; all globs then. InvalidRecordError for what is no glob."""
    for glob in globs:
        if not glob.strip() or "\n" in glob:
            raise InvalidRecordError(
                "{glob!r} is not a glob. Give one such as ~/private/* or *.pem.", glob=glob
            )
    results = list(dict.fromkeys([*excluded(database), *(glob.strip() for glob in globs)]))
    _write_text(make_spool_directory(database) / "excluded", "\n".join(results) + "\n")
    return results


def include(database: Path, globs: list[str]) -> list[str]:
    """Remove globs; all globs then. InvalidRecordError for one that isn't there."""
    present = excluded(database)
    for glob in globs:
        if glob not in present:
            raise InvalidRecordError("{glob} is not excluded. `mem exclude` lists what is.", glob=glob)
    left = [glob for glob in present if glob not in globs]
    _write_text(make_spool_directory(database) / "excluded", "".join(f"{glob}\n" for glob in left))
    return left


def _present_pause(folder: Path) -> tuple[float, float] | None:
    path = folder / "paused"
    try:
        status = path.stat()
    except OSError:
        return None
    # A directory of that name is no pause; to a hook neither.
    if not stat.S_ISREG(status.st_mode):
        return None
    begun = status.st_mtime
    until = _text(path).strip()
    return begun, float(until) if until.isdigit() else float("inf")


def _pause(line: str) -> tuple[float, float] | None:
    try:
        begun, ended = map(float, line.split())
    except ValueError:
        return None
    return begun, ended


def _text(path: Path) -> str:
    try:
        # Of a pipe nobody knows when it ends.
        return read_regular(path).decode("utf-8", "replace") if path.is_file() else ""
    except OSError:
        return ""


def _write_text(path: Path, text: str) -> None:
    if path.is_symlink():
        # Hooks read what it leads to, which need not be a file of settings.
        raise InvalidRecordError(
            "{path} is a link, through which nothing is written. Change what it leads to "
            "by hand, or remove it.",
            path=path,
        )
    atomic.write(path, text.encode(), durable=False)
