"""Discovery tokens: how many tokens the agents spent to find out what observations say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import apsw

from ...kinds import parse_ref, visible
from .periods import Period

ROWS = 20_000
"""How many rows one slice reads, more only where a single day has more."""

# A summary's number is the sum of its observations', so that only these count.
TOKENS = """
SELECT (
    SELECT total(o.discovery_tokens) FROM documents d INDEXED BY {index}
    CROSS JOIN observations o ON o.id = d.record_id
    WHERE {where} AND d.kind = 'o'
    AND d.created_at >= value ->> 0 AND d.created_at < value ->> 1
) FROM json_each(:days) ORDER BY key
"""


def slices(by_day: Sequence[int], rows: int = ROWS) -> Iterator[tuple[int, int]]:
    """Yield runs of days (first and last number), the newest first, each of about `rows` memories."""
    last = len(by_day) - 1
    many = 0
    for day in range(last, -1, -1):
        many += by_day[day]
        if day == 0 or many + by_day[day - 1] > rows:
            yield day, last
            last, many = day - 1, 0


def discovery_by_day(
    db: apsw.Connection, period: Period, first: int, last: int, project: str | None = None
) -> list[int]:
    """Return the tokens of the observations of each of a run of days, by their numbers."""
    days = [(period.starts[day], period.starts[day + 1]) for day in range(first, last + 1)]
    values: dict[str, object] = {"days": json.dumps(days)}
    index, where = "documents_by_time", "true"
    if project is not None:
        index, where = "documents_by_project", "d.project = :project"
        values["project"] = project
    rows = db.execute(TOKENS.format(index=index, where=where), values)
    return [max(0, int(tokens)) for (tokens,) in rows]


def discovered_for(db: apsw.Connection, refs: Iterable[str]) -> int:
    """Return the tokens of the observations among some memories, each as often as it is named."""
    named = (parse_ref(ref) for ref in refs)
    ids = [result[1] for result in named if result is not None and result[0] == "observation"]
    sql = (
        "SELECT total(o.discovery_tokens) FROM json_each(?) CROSS JOIN observations o "
        f"ON o.id = value WHERE {visible('o')}"
    )
    return max(0, int(db.execute(sql, (json.dumps(ids),)).get))
