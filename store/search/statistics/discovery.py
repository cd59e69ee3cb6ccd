"""Discovery tokens: how many tokens the agents spent to find out what observations say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise

import apsw

from ...kinds import NOISE, VISIBLE, parse_ref, visible
from .periods import Period

# A summary's number is the sum of its observations', so that only these count.
TOKENS = f"""
SELECT (
    SELECT total(discovery_tokens) FROM observations INDEXED BY observations_discovery
    WHERE {VISIBLE} AND type <> '{NOISE}' AND {{where}}
    AND created_at >= value ->> 0 AND created_at < value ->> 1
) FROM json_each(:days) ORDER BY key
"""


def discovery_by_day(db: apsw.Connection, period: Period, project: str | None = None) -> list[int]:
    """Return the tokens of the observations of each day of a period."""
    where = "true" if project is None else "project = :project"
    values = {"days": json.dumps([*pairwise(period.starts)]), "project": project}
    return [max(0, int(tokens)) for (tokens,) in db.execute(TOKENS.format(where=where), values)]


def discovered_for(db: apsw.Connection, refs: Iterable[str]) -> int:
    """Return the tokens of the observations among some memories, each as often as it is named."""
    named = (parse_ref(ref) for ref in refs)
    ids = [result[1] for result in named if result is not None and result[0] == "observation"]
    sql = (
        "SELECT total(o.discovery_tokens) FROM json_each(?) CROSS JOIN observations o "
        f"ON o.id = value WHERE {visible('o')}"
    )
    return max(0, int(db.execute(sql, (json.dumps(ids),)).get))
