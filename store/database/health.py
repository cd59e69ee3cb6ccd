"""What a health check reports: one `Check` for each thing that was examined."""

from __future__ import annotations

from ..records.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it is well, what was found, and what to do if not."""

    name: str
    ok: bool
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """All checks; `ok` when each of them is."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.ok for check in self.checks)


RESTORE = "Make a copy of the file, then restore a backup."
