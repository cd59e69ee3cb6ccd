"""Tokens of the contexts that sessions were given, and of discovering what these say."""

from __future__ import annotations

from ..database.transaction import snapshot
from ..records.dataclasses import dataclass
from ..search.statistics import Period, discovered_for
from ..store import Store
from .log import KEPT
from .log_entries import log_entries


@dataclass(frozen=True, slots=True)
class ToldTokens:
    """Tokens of the contexts that sessions were given.

    `by_day` has those of each day of a period, `contexts` is how many contexts there were, and
    `discovered_for` how many tokens the agents spent to discover the memories in them. `since` is when
    the log begins (ms since the epoch) where it no longer holds the whole period, else None.
    """

    by_day: tuple[int, ...]
    contexts: int = 0
    discovered_for: int = 0
    since: int | None = None


def told_tokens(store: Store, period: Period, project: str | None = None) -> ToldTokens:
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
        return ToldTokens(
            tuple(by_day), contexts, discovered_for(store.db, refs), begins if is_cut else None
        )
