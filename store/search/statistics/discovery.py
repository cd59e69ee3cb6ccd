"""Discovery tokens: how many tokens the agents spent to find out what observations say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise

import apsw

from ...kinds import NOISE, VISIBLE, parse_ref, visible
from ..index.counts import TIME_BITS
from .periods import Period

# A summary's number is the sum of its observations', so that only these count.
OF_ROWS = f"""
SELECT total(discovery_tokens) FROM observations INDEXED BY observations_discovery
WHERE {VISIBLE} AND type <> '{NOISE}' AND {{where}} AND created_at >= {{since}} AND created_at < {{until}}
"""
BY_DAY = "SELECT {tokens} FROM json_each(:days) ORDER BY key"
SINCE, UNTIL = "value ->> 0", "value ->> 1"
FIRST = f"((({SINCE}) + {(1 << TIME_BITS) - 1}) >> {TIME_BITS})"
LAST = f"(({UNTIL}) >> {TIME_BITS})"
"""The first span that lies in a day, and the first that doesn't any more."""
OF_SPANS = (
    f"(SELECT total(tokens) FROM token_counts WHERE span >= {FIRST} AND span < {LAST}) + "
    f"({OF_ROWS.format(where='true', since=SINCE, until=f'({FIRST} << {TIME_BITS})')}) + "
    f"({OF_ROWS.format(where='true', since=f'({LAST} << {TIME_BITS})', until=UNTIL)})"
)
OF_PROJECT = f"({OF_ROWS.format(where='project = :project', since=SINCE, until=UNTIL)})"


def discovery_by_day(db: apsw.Connection, period: Period, project: str | None = None) -> list[int]:
    """Return the tokens of the observations of each day of a period."""
    sql = BY_DAY.format(tokens=OF_SPANS if project is None else OF_PROJECT)
    values = {"days": json.dumps([*pairwise(period.starts)]), "project": project}
    return [max(0, int(tokens)) for (tokens,) in db.execute(sql, values)]


def discovered_for(db: apsw.Connection, refs: Iterable[str]) -> int:
    """Return the tokens of the observations among some memories, each as often as it is named."""
    named = (parse_ref(ref) for ref in refs)
    ids = [result[1] for result in named if result is not None and result[0] == "observation"]
    sql = (
        "SELECT total(o.discovery_tokens) FROM json_each(?) CROSS JOIN observations o "
        f"ON o.id = value WHERE {visible('o')}"
    )
    return max(0, int(db.execute(sql, (json.dumps(ids),)).get))
