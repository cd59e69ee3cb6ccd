"""Spending: the tokens that findings cost, those that sessions were given, those that the agents' models
took, and their price."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, Literal

import apsw

from ...config.prices import Prices
from ...context.log import KEPT
from ...context.log_entries import log_entries
from ...database.transaction import snapshot
from ...records.dataclasses import dataclass
from ...records.events import FOR_AN_HOUR, Usage
from ...records.kinds import NOISE, VISIBLE, parse_ref, visible
from ...search.index.documents import TIME_BITS
from ...store import Store
from .counts import Period

TOKENS = ("input", "output", "cache_read", "cache_written", "cache_hour")
SpentBy = Literal["model", "project", "session"]
QUARTER_MS = 900_000
"""Every midnight on earth is one of these after another."""

SPENT = """
SELECT s.id, s.project, u.model, coalesce(u.at, s.started_at) / {quarter} AS quarter,
    sum(u.input), sum(u.output), sum(u.cache_read), sum(u.cache_written),
    sum(iif(u.message LIKE '%{hour}', u.cache_written, 0))
FROM token_usage u CROSS JOIN sessions s ON s.id = u.session_id
WHERE {where} AND coalesce(u.at, s.started_at) >= :since AND coalesce(u.at, s.started_at) < :until
GROUP BY s.id, u.model, quarter
"""


@dataclass(frozen=True, slots=True)
class Spent:
    """The tokens that a model took in a session on a day, by its number in the period; `model` is ``
    where the transcript, or what was stored of it, doesn't name it."""

    session: int
    project: str
    model: str
    day: int
    usage: Usage


@dataclass(frozen=True, slots=True)
class Cost:
    """What is spent on a value: the tokens, and the dollars by list price; `unpriced` are those of the
    tokens whose price isn't known."""

    value: str
    usage: Usage
    dollars: float
    unpriced: int

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return total(self.usage)


def spending(db: apsw.Connection, period: Period, project: str | None = None) -> tuple[Spent, ...]:
    """Return what was spent in a period, of a project or of all (None)."""
    where = visible("s") + ("" if project is None else " AND s.project = :project")
    values = {"since": period.since, "until": period.until, "project": project}
    sql = SPENT.format(quarter=QUARTER_MS, where=where, hour=FOR_AN_HOUR)
    rows: Any = db.execute(sql, values)
    return tuple(
        Spent(session, name, model, period.number_of(quarter * QUARTER_MS) or 0, Usage(*tokens))
        for session, name, model, quarter, *tokens in rows
    )


def costs(spent: Iterable[Spent], prices: Prices, by: SpentBy) -> list[Cost]:
    """Return the costs by model, project or session (`@12`), the dearest first."""
    groups: dict[str, list[Spent]] = {}
    for item in spent:
        value = f"@{item.session}" if by == "session" else getattr(item, by)
        groups.setdefault(value, []).append(item)
    results = [cost(items, prices, value) for value, items in groups.items()]
    return sorted(results, key=lambda each: (-each.dollars, -each.tokens, each.value))


def cost(spent: Sequence[Spent], prices: Prices, value: str = "") -> Cost:
    """Return what all of it cost."""
    dollars, unpriced = 0.0, 0
    for item in spent:
        used = item.usage
        if price := prices.of(item.model):
            dollars += price.dollars(used)
        else:
            unpriced += total(used)
    usage = Usage(*(sum(getattr(item.usage, name) for item in spent) for name in TOKENS))
    return Cost(value, usage, dollars, unpriced)


def total(usage: Usage) -> int:
    """Return all tokens of an answer, those of the cache among them."""
    return usage.input + usage.output + usage.cache_read + usage.cache_written


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


@dataclass(frozen=True, slots=True)
class GivenTokens:
    """Tokens of the contexts that sessions were given.

    `by_day` has those of each day of a period, `contexts` is how many contexts there were, and
    `discovered_for` how many tokens the agents spent to discover the memories in them. `since` is when
    the log begins (ms since the epoch) where it no longer holds the whole period, else None.
    """

    by_day: tuple[int, ...]
    contexts: int = 0
    discovered_for: int = 0
    since: int | None = None


def given_tokens(store: Store, period: Period, project: str | None = None) -> GivenTokens:
    """Return the sums of a period by the context log, which keeps the newest 500 contexts."""
    by_day, refs, contexts = [0] * period.days, list[str](), 0
    with snapshot(store.db):
        entries = log_entries(store, limit=KEPT)
        for entry in entries:
            day = period.number_of(entry.at)
            if day is not None and project in (None, entry.project):
                by_day[day] += max(0, entry.tokens)
                refs += entry.refs
                contexts += 1
        begins = min((log_entry.at for log_entry in entries), default=0)
        is_cut = len(entries) >= KEPT and begins > period.since
        return GivenTokens(
            tuple(by_day), contexts, _discovered_for(store.db, refs), begins if is_cut else None
        )


def _discovered_for(db: apsw.Connection, refs: Iterable[str]) -> int:
    """Return the tokens of the observations among some memories, each as often as it is named."""
    named = (parse_ref(ref) for ref in refs)
    ids = [result[1] for result in named if result is not None and result[0] == "observation"]
    sql = (
        "SELECT total(o.discovery_tokens) FROM json_each(?) CROSS JOIN observations o "
        f"ON o.id = value WHERE {visible('o')}"
    )
    return max(0, int(db.execute(sql, (json.dumps(ids),)).get))
