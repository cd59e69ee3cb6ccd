"""What became of rows that came in, as one side tells the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from ...records.dataclasses import dataclass, field
from ...text import clean


class Refusal(NamedTuple):
    """A row that was refused."""

    kind: str
    key: str
    reason: str


def refusal_of(line: object, reason: str) -> Refusal:
    """Return the refusal of a line, be it none."""
    row = line if isinstance(line, dict) else {}
    texts = (row.get("table"), row.get("uid") or row.get("name") or "", reason)
    return Refusal(*(clean(str(text)) for text in texts))


@dataclass(slots=True)
class Verdicts:
    """What became of rows: how many are stored, known, older; those that were refused. `owed` are rows
    of which a newer version is here, by table. `conflicts` counts texts that both sides had changed."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[Refusal] = field(default_factory=list)
    owed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    conflicts: int = 0

    def add(self, other: Verdicts) -> None:
        """Add those on other rows."""
        self.counts.update(other.counts)
        self.refused += other.refused
        for kind, keys in other.owed.items():
            self.owed[kind] |= keys
        self.conflicts += other.conflicts
