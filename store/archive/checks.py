"""What doctor says of the archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..config import archives
from ..database.health import Check
from ..files.checks.expiry import expiring
from ..files.homes import AgentHomes
from ..text.plural import count_noun
from .archive import Archive


def archive_checks(database: Path) -> Iterator[Check]:
    """Yield how many transcripts agents delete within seven days, and whether they are archived; nothing
    where none expire and nothing is archived."""
    count = sum(entry.count for entry in expiring(AgentHomes.own()))
    archive = Archive(database)
    is_on = archives()
    if not count and not archive.path.is_dir():
        return
    kept = (
        f"{count_noun(len(archive.units()), 'entries')} archived; " if archive.path.is_dir() else ""
    )
    state = "on" if is_on else "off"
    expire = "expires" if count == 1 else "expire"
    result = f"{kept}{count_noun(count, 'transcripts')} {expire} within 7 days; archive is {state}"
    yield Check("archive", True, result, "mem archive capture")
