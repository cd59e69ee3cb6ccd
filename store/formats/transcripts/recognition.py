"""Recognize which agent wrote a transcript, by what the file holds and never by its name alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from ...agents.registry import BY_NAME, BY_PRECEDENCE, WITH_TRANSCRIPTS
from ...platform.regular_file import open_regular, read_regular
from ...records.events import AgentName
from ..sqlite.file import HEADER
from .fields import items, mapping
from .lines import lines
from .reader import reader_module

DATABASE = ".db"
RECOGNIZED_WHOLE = (DATABASE, ".txt", ".zst")
"""Suffixes of files that aren't JSON; a database is one by its first bytes, whatever its suffix."""

LOOKED_AT = 64
"""The most records of a file, and files of a folder, that are looked at."""

WALKED = 10_000
LARGEST = 64 * 1024 * 1024
SUFFIXES = (".jsonl", ".json", *RECOGNIZED_WHOLE)
"""The suffixes of transcripts."""


def recognize(path: Path) -> AgentName | None:
    """Return the agent whose transcript a file is, or of which a folder holds some; None for any
    other."""
    if path.is_dir():
        inside = (inner for inner in islice(path.rglob("*"), WALKED) if inner.suffix in SUFFIXES)
        writers = (recognize(inner) for inner in islice(inside, LOOKED_AT) if inner.is_file())
        return next((agent for agent in writers if agent), None)
    try:
        with open_regular(path) as file:
            head = file.read(len(HEADER))
        suffix = DATABASE if head == HEADER else path.suffix
        if suffix in RECOGNIZED_WHOLE and (suffix != DATABASE or head == HEADER):
            readers = _file_readers(suffix)
            return next((agent for agent, reader in readers if reader.recognizes_file(path)), None)
        writers = (agent_of(record) for record in islice(_records(path), LOOKED_AT))
        return next((agent for agent in writers if agent), None)
    except OSError:
        return None


def agent_of(record: dict[str, Any]) -> AgentName | None:
    """Return the agent that writes such records; None where several may."""
    readers = _record_readers()
    return next((agent for agent, reader in readers if reader.recognizes(record)), None)


@cache
def _record_readers() -> list[tuple[AgentName, Any]]:
    """Return the modules that recognize JSON records, by agent, the surest first."""
    record_readers = []
    # An agent whose events have no marks of their own may have transcripts that have.
    for name in dict.fromkeys((*BY_PRECEDENCE, *WITH_TRANSCRIPTS)):
        agent = BY_NAME[name]
        readers = {agent.line_reader, *agent.file_readers.values()} - {None}
        modules = {reader_module(reader) for reader in readers if reader}
        record_readers += [(name, module) for module in modules if hasattr(module, "recognizes")]
    return record_readers


@cache
def _file_readers(suffix: str) -> list[tuple[AgentName, Any]]:
    """Return the modules that recognize files of such a suffix, by agent."""
    return [
        (name, reader_module(agent.file_readers[suffix]))
        for name, agent in BY_NAME.items()
        if suffix in agent.file_readers
    ]


def _records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects in a file's lines, or the one that it is, or those of the list that it is."""
    if path.suffix == ".json" and path.stat().st_size <= LARGEST:
        try:
            whole = json.loads(read_regular(path, LARGEST).decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            whole = None
        yield from map(mapping, [whole, *items(whole)])
    with open_regular(path) as file:
        for line in lines(file):
            if line.record is not None:
                yield line.record
