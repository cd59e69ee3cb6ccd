"""What `mem doctor` says of agents' files: what expires soon, and rules that are older than an agent."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ...agents.homes import AgentHomes, read_text
from ...agents.transcript_retention import SOON_DAYS, expiring
from ...database.health import Check
from ...platform.clock import local_time
from ...platform.translation import N_, _
from ...text.plural import count_noun
from .agent_files import rules_of
from .index import index_path
from .loaded import AGENT, difference, folders_of_reports, last_loaded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ...store import Store
    from .loaded import LoadedDifference

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
        loaded = last_loaded(index, folder)
        if loaded is not None and (other := difference(here, loaded)) is not None:
            yield Check(N_("agents' files"), True, told_otherwise(other))


def _examine(store: Store) -> Iterator[Check]:
    return files_checks(store.path)


EXAMINATION = (N_("files"), _examine)


def told_otherwise(other: LoadedDifference) -> str:
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
