"""What an import did, line by line."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Counts:
    """What became of the rows of one kind; `skipped` counts them by reason."""

    read: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    def skip(self, reason: str) -> None:
        """Count a row that was left out."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


@dataclass(frozen=True, slots=True)
class SourceWarning:
    """Something odd about one row of the source, which came in all the same."""

    table: str
    native_id: str
    message: str


@dataclass(slots=True)
class Report:
    """The outcome of an import. `counts` go by kind, in the order in which kinds were read;
    `stubs` are the sessions made now for rows whose own session the source has lost."""

    source: str
    counts: dict[str, Counts] = field(default_factory=dict)
    stubs: int = 0
    warnings: list[SourceWarning] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def of(self, kind: str) -> Counts:
        """The counts of a kind: sessions, prompts, observations, summaries or pending."""
        return self.counts.setdefault(kind, Counts())

    @property
    def changes(self) -> int:
        """How many records the store has gained or changed."""
        return self.stubs + sum(counts.new + counts.changed for counts in self.counts.values())
