"""How much a query finds, as far as is known, and in which order it stands, in few words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from store import Count, Query

SORTS = {"recent": "newest first", "pinned": "pinned first"}


@dataclass(frozen=True, slots=True)
class Tally:
    """`count` is of the exact hits. `ranked` is None where all of these are ranked, else how many
    of the newest are. `end` says why there may be more, `` where there aren't."""

    query: Query
    count: Count
    related: int = 0
    ranked: int | None = None
    end: str = ""

    @property
    def hits(self) -> str:
        """`38 hits`."""
        return f"{self.count} hit" if self.count.value == 1 else f"{self.count} hits"

    @property
    def words(self) -> str:
        """`10,000+ hits · newest 5,000 ranked`; of the empty query only its order."""
        if not self.query.text.strip():
            return "newest first" if self.count.value else ""
        return " · ".join([self.hits, *self._more()])

    def _more(self) -> Iterator[str]:
        if self.related:
            yield f"{self.related} related"
        if self.query.sort in SORTS:
            yield SORTS[self.query.sort]
        if self.ranked is not None:
            yield f"newest {self.ranked:,} ranked"
        if self.end:
            yield self.end
