"""What Claude Code itself reports that it loaded at a start, held against what is computed; and what `mem
doctor` says of agents' files: this, what expires soon, and rules that are older than an agent.

The agent's hook reports a file at a time. They are noted beside the index of files, and as that may be
deleted at any time, nothing is lost with them but until the next session."""

from __future__ import annotations

import json
import os
import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from ...agents.homes import AgentHomes, read_text, resolved_path
from ...agents.transcript_retention import SOON_DAYS, expiring
from ...context.own_files import LOADED, NEWEST, at_start
from ...database.health import Check
from ...platform.clock import DAY_MS, local_time
from ...platform.translation import N_, _
from ...records.dataclasses import dataclass
from ...text.plural import count_noun
from .agent_files import rules_of
from .index import FileIndex, index_path
from .starts import agent_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...maintain.doctor import Examination
    from ...records.events import Event

AGENT = "claude-code"
KEPT_MS = 30 * DAY_MS
MOST_FOLDERS = 20
"""Folders of which it is told, those of the newest sessions."""
FOLDERS = (
    "SELECT folder FROM loaded WHERE reason = 'session_start' GROUP BY folder ORDER BY max(at) DESC LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class ReportedFile:
    """A file that an agent reported: its type as the agent names it (User, Project, Local, Managed), and
    why it was loaded; `parent` names the file that imports it, or is empty."""

    path: Path
    type: str
    reason: str
    parent: str


@dataclass(frozen=True, slots=True)
class ReportedStart:
    """What the last session in a folder reported to have loaded at its start, at `at` (ms since the
    epoch), in that order."""

    folder: Path
    at: int
    files: tuple[ReportedFile, ...]


@dataclass(frozen=True, slots=True)
class StartDifference:
    """The files that only a session reported, and those that only the computed list has."""

    loaded: ReportedStart
    only_loaded: tuple[Path, ...]
    only_computed: tuple[Path, ...]


def note_report(database: Path, event: Event, at: int) -> bool:
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


def last_report(index: Path, folder: Path) -> ReportedStart | None:
    """Return what the last session in a folder reported; None where none did."""
    for session, at, _folder in _rows(index, NEWEST, (json.dumps([str(folder)]),)):
        rows = _rows(index, LOADED, (session, str(folder)))
        files = tuple(ReportedFile(Path(path), *rest) for path, *rest in at_start(rows))
        return ReportedStart(folder, at, files)
    return None


def difference(here: AgentHomes, loaded: ReportedStart) -> StartDifference | None:
    """Return how a session was told other files than are computed; None where both are the same, or where
    a file has changed or gone since then, so that nothing can be said."""
    if not loaded.folder.is_dir():
        return None
    start = agent_start(here, AGENT, loaded.folder)
    reported = {resolved_path(file.path) for file in loaded.files}
    # The index of the memory and a text in the settings are told, and never reported.
    computed = {
        piece.path
        for piece in start.pieces
        if piece.kind != "index" and piece.path.name != "managed-settings.json"
    }
    left_out = {entry.path for entry in start.skipped if entry.path.exists()}
    if any(_changed_after(path, loaded.at) for path in reported | computed | left_out):
        return None
    only_loaded = tuple(sorted(reported - computed))
    only_computed = tuple(sorted(computed - reported))
    if not only_loaded and not only_computed:
        return None
    return StartDifference(loaded, only_loaded, only_computed)


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


VERSION = re.compile(r'"(?:version|cli_version)"\s*:\s*"(\d+(?:\.\d+)+)"')
HEAD_BYTES = 1 << 16
TRANSCRIPTS = {"claude-code": ("projects", 1), "codex": ("sessions", 3)}
"""Where agents keep transcripts that name their version, and how many folders deep."""


def files_checks(database: Path) -> Iterator[Check]:
    """Yield what there is to say; nothing where no agent keeps anything here."""
    here = AgentHomes.own()
    for entry in expiring(here):
        title = rules_of(entry.agent).title
        found = _(
            "{agent} deletes {transcripts} within {soon} days (it keeps them for {days})",
            agent=title,
            transcripts=count_noun(entry.count, "transcripts"),
            soon=SOON_DAYS,
            days=entry.days,
        )
        yield Check(N_("expiring"), True, found)
    for agent in TRANSCRIPTS:
        version = version_here(here, agent)
        rules = rules_of(agent)
        if version is not None and _numbers(version) > _numbers(rules.seen):
            found = _(
                "{agent} {version} is here; what it is told is computed as of {seen}",
                agent=rules.title,
                version=version,
                seen=rules.seen,
            )
            yield Check(N_("agents' files"), True, found)
    index = index_path(database)
    for folder in folders_of_reports(index):
        loaded = last_report(index, folder)
        if loaded is not None and (other := difference(here, loaded)) is not None:
            yield Check(N_("agents' files"), True, difference_sentence(other))


EXAMINATION: Examination = (N_("files"), lambda store: files_checks(store.path))


def difference_sentence(other: StartDifference) -> str:
    """Return a sentence on how a session was told other files than are computed."""
    parts = []
    if other.only_loaded:
        parts.append(_("was also told {paths}", paths=_(", ").join(map(str, other.only_loaded))))
    if other.only_computed:
        parts.append(_("was not told {paths}", paths=_(", ").join(map(str, other.only_computed))))
    return _(
        "{agent} itself reported otherwise than is computed in {folder}: its last session "
        "({time}) {difference}",
        agent=rules_of(AGENT).title,
        folder=other.loaded.folder,
        time=local_time(other.loaded.at),
        difference=_(" and ").join(parts),
    )


def version_here(here: AgentHomes, agent: str) -> str | None:
    """Return the version of an agent that its newest transcript names."""
    folder, depth = TRANSCRIPTS[agent]
    newest = _newest(here.folder_of(agent) / folder, depth)
    match = VERSION.search(read_text(newest, HEAD_BYTES) or "") if newest is not None else None
    return match[1] if match else None


def _newest(folder: Path, depth: int) -> Path | None:
    """Return the newest transcript below a folder: of folders that are named by dates in the last of each,
    else in all."""
    folders = [folder]
    for _level in range(depth):
        below = [place for parent in folders for place in _folders(parent)]
        folders = sorted(below)[-1:] if depth > 1 else below
    newest, at = None, 0.0
    for place in folders:
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                        changed = entry.stat(follow_symlinks=False).st_mtime
                        if changed > at:
                            newest, at = place / entry.name, changed
        except OSError:
            continue
    return newest


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [folder / entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
