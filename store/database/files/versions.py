"""The bytes of versions of files, each once, by their SHA-256: in a directory beside the memory, for its
owner only. No export, sync or backup takes them along."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from ..files import atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from ...text.occurrences import Occurrences

SUFFIX = "-versions"


def sha256(content: bytes) -> str:
    """Return what content is known by: 64 hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


class VersionFolder:
    """Where the bytes lie: `memory.db-versions`."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + SUFFIX)

    def keep(self, content: bytes, *, durable: bool = True) -> str:
        """Keep content, and return what it is known by; `durable` waits until it is on the disk. Raises
        OSError."""
        name = sha256(content)
        place = self.path / name
        if not place.exists():
            atomic.make_directories(self.path)
            with atomic.draft(place) as made:
                made.write_bytes(content)
                atomic.publish(made, place, replace=True, durable=durable)
        return name

    def read(self, name: str) -> bytes | None:
        """Return content by what it is known by; None where it isn't kept any more, or is damaged."""
        with suppress(OSError):
            content = (self.path / name).read_bytes()
            if sha256(content) == name:
                return content
        return None

    def drop_all_but(self, kept: Container[str]) -> None:
        """Remove what is known by no name that is kept."""
        with suppress(OSError):
            for place in self.path.iterdir():
                if re.fullmatch("[0-9a-f]{64}", place.name) and place.name not in kept:
                    place.unlink(missing_ok=True)

    def drop(self) -> None:
        """Remove all of them, and what a killed process left of one."""
        with suppress(OSError):
            for place in self.path.iterdir():
                place.unlink(missing_ok=True)
            self.path.rmdir()

    def drop_those_with(self, texts: Occurrences) -> None:
        """Remove what quotes any of these texts."""
        with suppress(OSError):
            for place in self.path.iterdir():
                if texts.are_in(place.read_bytes()):
                    place.unlink(missing_ok=True)
