"""What Claude Code itself reported that it loaded at a start, held against what is computed.

Its hook reports a file at a time. They are noted beside the index of files, and as that may be deleted
at any time, nothing is lost with them but until the next session.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from ...context.own_files import LOADED, NEWEST, at_start
from ...platform.clock import DAY_MS
from ...records.dataclasses import dataclass
from .index import FileIndex, index_path
from .told import told

if TYPE_CHECKING:
    from ...agents.homes import AgentHomes
    from ...records.events import Event

AGENT = "claude-code"
KEPT_MS = 30 * DAY_MS
MOST_FOLDERS = 20
"""Folders of which it is told, those of the newest sessions."""
FOLDERS = (
    "SELECT folder FROM loaded WHERE reason = 'session_start' GROUP BY folder ORDER BY max(at) DESC LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file that an agent reported: its type as the agent names it (User, Project, Local, Managed), and
    why it was loaded; `parent` names the file that imports it, or is empty."""

    path: Path
    type: str
    reason: str
    parent: str


@dataclass(frozen=True, slots=True)
class LoadedFiles:
    """What the last session in a folder reported to have loaded at its start, at `at` (ms since the
    epoch), in that order."""

    folder: Path
    at: int
    files: tuple[LoadedFile, ...]


@dataclass(frozen=True, slots=True)
class LoadedDifference:
    """The files that only a session reported, and those that only the computed list has."""

    loaded: LoadedFiles
    only_loaded: tuple[Path, ...]
    only_computed: tuple[Path, ...]


def note_loaded(database: Path, event: Event, at: int) -> bool:
    """Note a file that an agent reports to have loaded; whether that was done. What a sub-agent is told
    the session was told before."""
    about = {name: event.extra.get(name) for name in ("path", "type", "reason", "parent")}
    if event.subagent or not event.cwd or not about["path"]:
        return False
    try:
        with FileIndex(index_path(database)) as opened, opened.db as db:
            db.execute("DELETE FROM loaded WHERE at < ?", (at - KEPT_MS,))
            db.execute(
                "INSERT INTO loaded (session, folder, path, type, reason, parent, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                "folder = excluded.folder, type = excluded.type, parent = excluded.parent, "
                "at = excluded.at",
                (event.session, event.cwd, *map(str, about.values()), at),
            )
    except (apsw.Error, OSError):
        # It is no more than evidence, and comes again with the next session.
        return False
    return True


def folders_of_reports(index: Path) -> list[Path]:
    """Return the folders of the last sessions that reported something, the newest first."""
    return [Path(folder) for (folder,) in _rows(index, FOLDERS, (MOST_FOLDERS,))]


def last_loaded(index: Path, folder: Path) -> LoadedFiles | None:
    """Return what the last session in a folder reported; None where none did."""
    for session, at, _ in _rows(index, NEWEST, (json.dumps([str(folder)]),)):
        rows = _rows(index, LOADED, (session, str(folder)))
        files = tuple(LoadedFile(Path(path), *rest) for path, *rest in at_start(rows))
        return LoadedFiles(folder, at, files)
    return None


def difference(here: AgentHomes, loaded: LoadedFiles) -> LoadedDifference | None:
    """Return how a session was told other files than are computed; None where both are the same, or where
    a file has changed or gone since then, so that nothing can be said."""
    if not loaded.folder.is_dir():
        return None
    start = told(here, AGENT, loaded.folder)
    reported = {file.path.resolve() for file in loaded.files}
    # The index of the memory and a text in the settings are told, and never reported.
    computed = {
        piece.path
        for piece in start.pieces
        if piece.kind != "index" and piece.path.name != "managed-settings.json"
    }
    left_out = {entry.path for entry in start.untold if entry.path.exists()}
    if any(_changed_after(path, loaded.at) for path in reported | computed | left_out):
        return None
    only_loaded = tuple(sorted(reported - computed))
    only_computed = tuple(sorted(computed - reported))
    if not only_loaded and not only_computed:
        return None
    return LoadedDifference(loaded, only_loaded, only_computed)


def _changed_after(path: Path, at: int) -> bool:
    try:
        return path.stat().st_mtime * 1_000 > at
    except OSError:
        return True


def _rows(index: Path, sql: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
    """Return what is noted; nothing where there is no index, or an older one."""
    if not index.exists():
        return []
    try:
        with closing(apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)) as db:
            return [row for row in db.execute(sql, values) if row[0] is not None]
    except apsw.Error:
        return []
