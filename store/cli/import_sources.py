"""What `mem import` can bring in, what of it lies on this machine, and what reads it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .import_progress import ProgressCall, counting

if TYPE_CHECKING:
    from ..capture.events import Agent
    from ..sources.report import Report
    from ..store import Store

CLAUDE_MEM, SCHEME_C, JSONL = "claude-mem", "scheme-c", "jsonl"
DATABASES = (CLAUDE_MEM, "codexmem", "trae-mem")
TRANSCRIPTS = ("claude-code", "codex", "gemini", "cursor", "copilot", "opencode")
SOURCES = (*DATABASES, SCHEME_C, *TRANSCRIPTS, JSONL)


@dataclass(frozen=True, slots=True)
class Offer:
    """Something to import: how many files of how many bytes, the day of the newest, and the
    command that imports it."""

    source: str
    path: Path
    files: int
    bytes: int
    newest: str
    command: str


def offers() -> Iterator[Offer]:
    """What lies on this machine; only names, sizes and times are read."""
    from ..sources.transcripts.finding import claude_mem_database, found

    if database := claude_mem_database(Path.home(), os.environ):
        status = database.stat()
        yield _offer(CLAUDE_MEM, database, 1, status.st_size, int(status.st_mtime * 1_000))
    for place in found():
        yield _offer(place.agent, place.path, place.files, place.bytes, place.newest)


def source_of(path: Path) -> str:
    """What a file or folder is, told by what it has; SourceError where it is nothing known."""
    from ..errors import SourceError
    from ..sources.foreign import HEADER
    from ..sources.jsonl.importing import is_ours
    from ..sources.scheme_c.files import is_scheme_c
    from ..sources.transcripts.sniffing import sniff

    if not path.exists():
        raise SourceError(
            f"There is no file or folder {path}, nor a source of this name. "
            f"Sources are {', '.join(SOURCES)}."
        )
    if is_scheme_c(path):
        return SCHEME_C
    if path.is_file() and is_ours(path):
        return JSONL
    if agent := sniff(path):
        return agent
    if path.is_file():
        with path.open("rb") as file:
            if file.read(len(HEADER)) == HEADER:
                return _program(path)
    raise SourceError(
        f"{path} is neither a memory nor a transcript that is known. "
        f"Name what it is: mem import SOURCE {path}."
    )


def run(store: Store, source: str, path: Path | None, progress: ProgressCall | None) -> Report:
    """Import a source's file or folder, or without one what it keeps on this machine."""
    if source in TRANSCRIPTS:
        from ..sources.transcripts.importing import import_transcripts

        return import_transcripts(store, cast("Agent", source), path, progress)
    place = path or _usual(source)
    if source == SCHEME_C:
        from ..sources.scheme_c.importing import import_directory

        return import_directory(store, place, counting(progress, "lines"))
    if source == JSONL:
        from ..sources.jsonl.importing import import_jsonl

        return import_jsonl(store, place, counting(progress, "bytes"))
    from ..sources.importing import import_database

    return import_database(store, place, counting(progress, "rows"), program=source)


def _program(path: Path) -> str:
    """Which program's database a file is; claude-mem's where that is hard to tell."""
    import apsw

    from ..sources.foreign import opened
    from ..sources.recognise import system

    with opened(path) as db:
        try:
            return system(db) or CLAUDE_MEM
        except apsw.Error:
            return CLAUDE_MEM


def _usual(source: str) -> Path:
    """What a program keeps on this machine."""
    from ..errors import SourceError
    from ..sources.transcripts.finding import claude_mem_database

    found = claude_mem_database(Path.home(), os.environ) if source == CLAUDE_MEM else None
    if found is None:
        raise SourceError(
            f"No memory of {source} was found on this machine. Name it: mem import {source} PATH."
        )
    return found


def _offer(source: str, path: Path, files: int, size: int, newest: int) -> Offer:
    day = datetime.fromtimestamp(newest / 1_000).astimezone().date().isoformat()
    command = f"mem import {source} {shlex.quote(str(path))}"
    return Offer(source, path, files, size, day, command)
