"""The report of a sync."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...records.dataclasses import dataclass, field

if TYPE_CHECKING:
    from ..common.report import Report


@dataclass(slots=True)
class SyncReport:
    """The outcome of a sync: `read` is what came in, `written` how many lines went out by kind,
    `gone` how many of these are tombstones, `files` those that were written to, `notes` what the
    user should know, `conflicts` what both sides changed and neither got."""

    directory: str
    read: Report
    written: dict[str, int] = field(default_factory=dict)
    gone: int = 0
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    is_dry_run: bool = False

    def wrote(self, kind: str, file: str) -> None:
        """Count a line of a kind that goes to a file."""
        self.written[kind] = self.written.get(kind, 0) + 1
        if file not in self.files:
            self.files.append(file)

    @property
    def is_in_step(self) -> bool:
        """Whether there was nothing to do."""
        return not (self.written or self.files or self.read.changes)
