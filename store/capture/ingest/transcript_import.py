"""Import transcripts: one, those in a folder, or all that an agent keeps on this machine."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ...database.transaction import async_commit
from ...formats.common.report import Report, SourceWarning
from ...formats.transcripts.discovery import find_folders, recognize, transcripts_in
from ...platform.errors import SourceError
from ...platform.translation import _
from ...records.events import AgentName
from ...store import Store
from ...text.plural import count_noun
from .transcripts import read_transcript

Progress = Callable[[int, int, str], None]
"""Called with the bytes read, the bytes there are, and which file of how many it is."""


def import_transcripts(
    store: Store, agent: AgentName, path: Path | None = None, progress: Progress | None = None
) -> Report:
    """Import what is new in an agent's transcripts, and report what became of it.

    `path` is a transcript or a folder of them; without one it is whatever the agent keeps on this
    machine. No file is touched. A file or a line that can't be read is a warning in the report.
    After a kill, doing it again goes on where it stopped, and again after that changes nothing.
    Raises SourceError where there is nothing to import.
    """
    wanted = transcripts(agent, path)
    report = Report(agent)
    with async_commit(store.db):
        _read(store, agent, wanted, report, progress)
    if not report.changes:
        report.notes.append(_("Nothing new in {files}.", files=count_noun(len(wanted), "files")))
    return report


def transcripts(agent: AgentName, path: Path | None = None) -> list[Path]:
    """Return the transcripts of an agent at a path, or without one on this machine. Raises
    SourceError where there are none."""
    if path is None:
        places = [place.path for place in find_folders() if place.agent == agent]
        wanted = [file for place in places for file in transcripts_in(agent, place)]
        if not wanted:
            raise SourceError(
                "No transcripts of {agent} were found on this machine. Name a file or a folder.",
                agent=agent,
            )
        return wanted
    check(path)
    if path.is_dir():
        wanted = list(transcripts_in(agent, path))
        if not wanted:
            raise SourceError(
                "{path} holds no transcripts of {agent}. Check the path.", path=path, agent=agent
            )
        return wanted
    writer = recognize(path)
    if writer not in (agent, None):
        raise SourceError(
            "{path} was written by {writer}, not by {agent}. Import it as that.",
            path=path,
            writer=writer,
            agent=agent,
        )
    return [path]


def check(path: Path) -> None:
    """Raise SourceError where there is nothing at a path."""
    if not path.exists():
        raise SourceError("There is no file or folder {path}. Check the path.", path=path)


def _read(
    store: Store, agent: AgentName, wanted: list[Path], report: Report, progress: Progress | None
) -> None:
    sizes = [_size(path) for path in wanted]
    done, total = 0, sum(sizes)
    for number, (path, size) in enumerate(zip(wanted, sizes, strict=True), start=1):
        which = _("file {number} of {total}", number=f"{number:,}", total=f"{len(wanted):,}")

        def show(read: int, before: int = done, which: str = which) -> None:
            if progress:
                progress(min(before + read, total), total, which)

        show(0)
        try:
            read_transcript(store, path, agent, report=report, progress=show)
        except SourceError as error:
            report.warnings.append(SourceWarning(str(path), "", str(error)))
        done += size
        show(0, done)


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0
