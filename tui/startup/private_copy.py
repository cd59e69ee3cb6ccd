"""A private copy to look around in: what is told of it in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PrivateCopy:
    """Where it lies, the sentences of the notice, and for the header whose memory it is or of when."""

    path: Path
    notice: str
    owner: str = ""
    as_of: str = ""
