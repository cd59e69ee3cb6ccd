"""What an agent is told: the pieces in their order, and what it isn't told and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....records.dataclasses import dataclass
from ....text.tokens import estimate_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from ..agent_files import FileKind, Scope


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file that an agent is told.

    `path` is resolved; `text` is what is told of the file itself, without what it imports. `cut_at` is
    the first line (from 1) that isn't told, 0 where all of it is; `lost` says what is lost there.
    """

    path: Path
    why: str
    kind: FileKind
    scope: Scope
    text: str
    cut_at: int = 0
    lost: str = ""

    @property
    def tokens(self) -> int:
        """About how many tokens the text takes."""
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file, or a path that a file names, that an agent isn't told.

    `id` is that of the check that finds it, or "" where nothing is amiss; `by` is the file that names it,
    `line` its line there (0 for none), and `given` the path as it stands there.
    """

    path: Path
    why: str
    id: str = ""
    by: Path | None = None
    line: int = 0
    given: str = ""


@dataclass(frozen=True, slots=True)
class AgentStart:
    """What an agent is told at a start in a folder, in order; what reading certain files adds; and what
    it isn't told. `text` is all that is told at the start, as it is told."""

    agent: str
    folder: Path
    pieces: tuple[LoadedFile, ...]
    on_demand: tuple[LoadedFile, ...]
    skipped: tuple[SkippedFile, ...]
    text: str

    @property
    def tokens(self) -> int:
        """About how many tokens are told at the start."""
        return sum(piece.tokens for piece in self.pieces)
