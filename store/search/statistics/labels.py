"""The busiest files and concepts: those that the most memories of a period name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from ...records.dataclasses import dataclass
from ...tables.base import read_list
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
SELECT value, id, uses FROM label_names INDEXED BY label_names_by_uses
WHERE kind = ? ORDER BY uses DESC, value
"""
OUTSIDE = """
SELECT min(id), max(id), count(*) FROM (
    SELECT id FROM documents INDEXED BY documents_by_time WHERE created_at < :since
    UNION ALL SELECT id FROM documents INDEXED BY documents_by_time WHERE created_at >= :until
)
"""
"""The first and the last document outside a period, and how many there are."""
BETWEEN = "SELECT count(*) FROM documents WHERE id BETWEEN ? AND ?"
USES_BUT_FOR = """
SELECT :uses - count(*) FROM label_uses u
WHERE u.label_id = :label AND u.document_id BETWEEN :first AND :last
"""
USES_WITHIN = """
SELECT count(*) FROM label_uses u WHERE u.label_id = :label AND EXISTS (
    SELECT 1 FROM documents d WHERE d.id = u.document_id AND {where}
    AND d.created_at >= :since AND d.created_at < :until
)
"""
STORED = "SELECT coalesce(sum(number), 0) FROM document_counts"

ALWAYS = (-(1 << 63), (1 << 63) - 1)
"""Milliseconds before and after all that can be stored."""

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
        return Busiest(tuple(counted_most(self.files, MOST)), tuple(counted_most(self.concepts, MOST)))


@dataclass(frozen=True, slots=True)
class Busiest:
    """Files and concepts with the number of memories that name each, most first."""

    files: Counts = ()
    concepts: Counts = ()


def no_labels() -> Labels:
    """Return empty counts, to add others to."""
    return Labels(Counter(), Counter())


def slices(by_day: Sequence[int], rows: int) -> Iterator[Days]:
    """Yield runs of days (first and last number), the newest first, each of about `rows` memories."""
    last = len(by_day) - 1
    many = 0
    for day in range(last, -1, -1):
        many += by_day[day]
        if day == 0 or many + by_day[day - 1] > rows:
            yield day, last
            last, many = day - 1, 0


def label_slices(db: apsw.Connection, by_day: Sequence[int]) -> list[Days]:
    """Return the runs of days to ask `labels_of` for, one by one, of a period with so many memories by
    day. It is a single one where most of all memories lie in the period: the index of names is read."""
    if sum(by_day) > ROWS and int(db.execute(STORED).get) < 3 * sum(by_day):
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
    named = NAMED.format(index=index, where=where)
    if days == (0, len(by_day) - 1) and sum(by_day) > ROWS:
        outside, uses = no_labels(), USES_WITHIN.format(where=where)
        others = int(db.execute(STORED).get) - sum(by_day)
        if not others or (project is None and others <= ROWS):
            uses = ""
            for since, until in ((ALWAYS[0], period.since), (period.until, ALWAYS[1])):
                outside.add(_named(db, named, {"since": since, "until": until}))
        elif project is None:
            ends: Any = db.execute(OUTSIDE, values).get
            values["first"], values["last"], number = ends
            if db.execute(BETWEEN, ends[:2]).get == number:
                uses = USES_BUT_FOR
        return Labels(
            _by_uses(db, "file", uses, values, outside.files),
            _by_uses(db, "concept", uses, values, outside.concepts),
        )
    return _named(db, named, values)


def _named(db: apsw.Connection, sql: str, values: dict[str, object]) -> Labels:
    labels = no_labels()
    rows: Any = db.execute(sql, values)
    for concepts, read, changed in rows:
        labels.concepts.update(set(read_list(concepts)))
        # A memory that has read and changed a file names it once.
        labels.files.update({*read_list(read), *read_list(changed)})
    return labels


def _by_uses(
    db: apsw.Connection,
    kind: str,
    sql: str,
    values: dict[str, object],
    outside: Counter[str],
) -> Counter[str]:
    """The busiest names by their uses in a period, which `sql` counts; by all but those `outside` where
    that is empty. Once a name has fewer uses than the last of the busiest has there, no later one can be
    busier."""
    counts = Counter[str]()
    rows: Any = db.execute(BY_USES, (kind,))
    for value, label, uses in rows:
        if len(counts) >= MOST and uses < min(counts.values()):
            break
        bound = {**values, "label": label, "uses": uses}
        number = int(db.execute(sql, bound).get) if sql else uses - outside[value]
        if number:
            counts[value] = number
            counts = Counter(dict(counted_most(counts, MOST)))
    return counts
