"""What is purged from a memory leaves its archive too."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from ..text.occurrences import Occurrences
from .archive import Archive, ArchivedUnit
from .manifest import read_manifest


def forget_quoting(database: Path, sessions: Container[str], texts: Occurrences) -> int:
    """Let go of the archived sessions with these ids, and of those that quote a text; return how many.
    Raises OSError, and SourceError where what is damaged can't be looked through."""
    archive = Archive(database)
    if not archive.path.is_dir():
        return 0
    gone = [
        unit for unit in archive.units() if unit.id in sessions or (texts and _quotes(archive, unit, texts))
    ]
    return archive.forget(gone)


def _quotes(archive: Archive, unit: ArchivedUnit, texts: Occurrences) -> bool:
    return any(texts.needles_in_chunks(archive.content(entry))[0] for entry in read_manifest(unit.folder))
