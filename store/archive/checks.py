"""What doctor says of the archive."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..config import archives
from ..database.health import Check
from ..files.checks.expiry import expiring
from ..files.homes import AgentHomes
from ..text.plural import count_noun
from ..translation import N_, _
from .archive import Archive


def archive_checks(database: Path) -> Iterator[Check]:
    """Yield how many transcripts agents delete within seven days, and whether they are archived; nothing
    where none expire and nothing is archived."""
    count = sum(entry.count for entry in expiring(AgentHomes.own()))
    archive = Archive(database)
    is_on = archives()
    if not count and not archive.path.is_dir():
        return
    kept = len(archive.units()) if archive.path.is_dir() else 0
    parts = (
        _("{entries} archived", entries=count_noun(kept, "entries")) if kept else "",
        _("{number} transcript expires within 7 days", number=count)
        if count == 1
        else _("{transcripts} expire within 7 days", transcripts=count_noun(count, "transcripts")),
        _("archive is on") if is_on else _("archive is off"),
    )
    result = _("; ").join(part for part in parts if part)
    yield Check(N_("archive"), True, result, "mem archive capture")
