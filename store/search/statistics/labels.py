"""The busiest files and concepts: those that the most memories of a period name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import apsw

from ...records.dataclasses import dataclass
from ...tables.base import read_list
from .discovery import slices
from .divisions import counted_most
from .periods import Period

MOST = 12
"""How many files, and how many concepts, are named."""
ROWS = 10_000
"""How many memories one slice reads."""

NAMED = """
SELECT o.concepts, o.files_read, o.files_modified FROM documents d INDEXED BY {index}
CROSS JOIN observations o ON o.id = d.record_id
WHERE {where} AND d.kind = 'o' AND d.created_at >= :since AND d.created_at < :until
UNION ALL
SELECT '[]', s.files_read, s.files_edited FROM documents d INDEXED BY {index}
CROSS JOIN summaries s ON s.id = d.record_id
WHERE {where} AND d.kind = 's' AND d.created_at >= :since AND d.created_at < :until
"""
BY_USES = """
SELECT n.kind, n.value, u.label_id, u.number
FROM (SELECT label_id, count(*) AS number FROM label_uses GROUP BY label_id) u
CROSS JOIN label_names n ON n.id = u.label_id
WHERE n.kind IN ('file', 'concept') ORDER BY u.number DESC
"""
WITHIN = """
SELECT count(*) FROM label_uses u CROSS JOIN documents d ON d.id = u.document_id
WHERE u.label_id = :label AND {where} AND d.created_at >= :since AND d.created_at < :until
"""

Counts = tuple[tuple[str, int], ...]
Days = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Labels:
    """How many memories name each file and each concept."""

    files: Counter[str]
    concepts: Counter[str]

    def add(self, other: Labels) -> None:
        """Add what other memories name."""
        self.files.update(other.files)
        self.concepts.update(other.concepts)

    @property
    def busiest(self) -> Busiest:
        """The files and the concepts that the most memories name."""
        return Busiest(
            tuple(counted_most(self.files, MOST)), tuple(counted_most(self.concepts, MOST))
        )


@dataclass(frozen=True, slots=True)
class Busiest:
    """Files and concepts with the number of memories that name each, most first."""

    files: Counts = ()
    concepts: Counts = ()


def no_labels() -> Labels:
    """Return empty counts, to add others to."""
    return Labels(Counter(), Counter())


def label_slices(db: apsw.Connection, by_day: Sequence[int]) -> list[Days]:
    """Return the runs of days to ask `labels_of` for, one by one, of a period with so many memories by
    day. It is a single one where most of all memories lie in the period: the index of names is read."""
    stored = int(db.execute("SELECT count(*) FROM documents").get)
    if sum(by_day) > ROWS and stored < 3 * sum(by_day):
        return [(0, len(by_day) - 1)]
    return list(slices(by_day, ROWS))


def labels_of(
    db: apsw.Connection,
    period: Period,
    by_day: Sequence[int],
    days: Days,
    project: str | None = None,
) -> Labels:
    """Return what the memories of a run of days name; of very many only the busiest names."""
    first, last = days
    values: dict[str, object] = {
        "since": period.starts[first],
        "until": period.starts[last + 1],
    }
    index, where = "documents_by_time", "true"
    if project is not None:
        index, where = "documents_by_project", "d.project = :project"
        values["project"] = project
    if days == (0, len(by_day) - 1) and sum(by_day) > ROWS:
        return _of_index(db, WITHIN.format(where=where), values)
    labels = no_labels()
    rows: Any = db.execute(NAMED.format(index=index, where=where), values)
    for concepts, read, changed in rows:
        labels.concepts.update(set(read_list(concepts)))
        # A memory that has read and changed a file names it once.
        labels.files.update({*read_list(read), *read_list(changed)})
    return labels


def _of_index(db: apsw.Connection, sql: str, values: dict[str, object]) -> Labels:
    """The names in the order of all their uses: once these are fewer than what the last of the busiest
    has within the period, no later name can be busier."""
    results: dict[str, Counter[str]] = {"file": Counter(), "concept": Counter()}
    done: set[str] = set()
    rows: Any = db.execute(BY_USES)
    for kind, value, label, uses in rows:
        counts = results[kind]
        if kind in done or (len(counts) >= MOST and uses < min(counts.values())):
            done.add(kind)
            if len(done) == len(results):
                break
            continue
        if within := int(db.execute(sql, {**values, "label": label}).get):
            counts[value] = within
            results[kind] = Counter(dict(counted_most(counts, MOST)))
    return Labels(results["file"], results["concept"])
