"""What imports and exports tell: how far they are, and what became of the rows, by counts, warnings,
differences and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from ...records.dataclasses import dataclass, field

TOKENS = "tokens"
"""What a report counts beside records: how many an answer took."""

MOST_LISTED = 10_000
"""The most warnings, and the most differences, that a report lists; it counts the rest."""

STEP = 500
"""Rows after which whoever waits is told."""

T = TypeVar("T")

ImportProgress = Callable[[int, int], None]
"""Called with what is done and all there is, in rows, lines or bytes."""

Progress = Callable[[int, int, str], None]
"""Called with what is done and all there is, in rows or bytes, and a few words about it."""


@dataclass(slots=True)
class Counts:
    """What became of the rows of one kind. `skipped` counts by reason; `vanished` are records whose
    rows the source no longer has, `returned` those whose rows it has again."""

    read: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    vanished: int = 0
    returned: int = 0
    skipped: dict[str, int] = field(default_factory=dict)

    def skip(self, reason: str) -> None:
        """Count a row that was left out."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


@dataclass(frozen=True, slots=True)
class SourceWarning:
    """Something odd about one row of the source, or about one that can't be read."""

    table: str
    native_id: str
    message: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A record that stayed as it was edited here while its row changed in the source. `record_id`
    is its number in our table `kind`; `fields` are those in which the two differ."""

    kind: str
    record_id: int
    native_id: str
    fields: tuple[str, ...]


@dataclass(slots=True)
class Report:
    """The outcome of an import. `counts` go by kind, in the order in which kinds were read; `stubs` counts
    the sessions made for rows whose own session the source has lost; `untold` counts the warnings and
    differences beyond the first ten thousand. `is_damaged`: not all of the source could be read."""

    source: str
    counts: dict[str, Counts] = field(default_factory=dict)
    stubs: int = 0
    warnings: list[SourceWarning] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    untold: int = 0
    notes: list[str] = field(default_factory=list)
    is_damaged: bool = False

    def of(self, kind: str) -> Counts:
        """Return the counts of a kind, made at first use: sessions, prompts, observations,
        summaries, pending, …"""
        return self.counts.setdefault(kind, Counts())

    def warn(self, table: str, native_id: str, message: str) -> None:
        """Add a warning about one row."""
        if len(self.warnings) < MOST_LISTED:
            self.warnings.append(SourceWarning(table, native_id, message))
        else:
            self.untold += 1

    def lose(self, table: str, native_id: str, message: str) -> None:
        """Add a warning about rows that can't be read, and call the source damaged."""
        self.is_damaged = True
        self.warn(table, native_id, message)

    def differ(self, difference: Difference) -> None:
        """Add a record that stayed as it was edited here."""
        if len(self.differences) < MOST_LISTED:
            self.differences.append(difference)
        else:
            self.untold += 1

    def cut(self) -> Report:
        """Return a report of the warnings so far, which this one is rid of."""
        report = Report(self.source, warnings=self.warnings, is_damaged=self.is_damaged)
        report.untold, self.warnings, self.untold = self.untold, [], 0
        return report

    def take_over(self, other: Report) -> None:
        """Add what another report says of rows of the same source."""
        for warning in other.warnings:
            self.warn(warning.table, warning.native_id, warning.message)
        self.untold += other.untold
        self.is_damaged = self.is_damaged or other.is_damaged

    @property
    def is_unreadable(self) -> bool:
        """Whether there was something, and none of it could be read."""
        return bool(self.warnings) and not any(counts.read for counts in self.counts.values())

    @property
    def records(self) -> dict[str, Counts]:
        """What became of each kind of record, by its name: all that is counted but tokens."""
        return {kind: counts for kind, counts in self.counts.items() if kind != TOKENS}

    @property
    def changes(self) -> int:
        """The number of records that the store has gained or changed."""
        return self.stubs + sum(counts.new + counts.changed for counts in self.records.values())


class ProgressCounter:
    """Counts the rows that were written, by table; `total` is how many there will be."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.counts: dict[str, int] = {}
        self.total = total
        self.done = 0
        self.progress = progress

    def counted(self, name: str, rows: Iterable[T]) -> Iterator[T]:
        """Yield the same rows; each counts once the next one is asked for."""
        self.counts.setdefault(name, 0)
        for row in rows:
            yield row
            self.count(name)

    def count(self, name: str) -> None:
        """Count a row that was written."""
        self.counts[name] = self.counts.get(name, 0) + 1
        self.done += 1
        if self.progress and self.done % STEP == 0:
            self.progress(self.done, max(self.done, self.total), name)


@dataclass(frozen=True, slots=True)
class FormatResult:
    """What a format's export wrote: rows by table, and what the format can't hold, a sentence each."""

    counts: dict[str, int]
    unheld: tuple[str, ...]
