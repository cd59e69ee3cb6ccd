"""What a check says of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...records.dataclasses import dataclass

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding: the check's id, the resolved file, the line (from 1; 0 for the whole file), a sentence,
    what would mend it, None where only a person can, and the path that it is about, as the file has it."""

    id: str
    path: Path
    line: int
    text: str
    fix: str | None = None
    target: str = ""
