"""How much a query finds, as far as is known, and in which order it stands, in few words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from store import Count, Query

SORTS = {"recent": "newest first", "pinned": "pinned first"}
RELATED = "~"
"""What the count says of related hits, and each of them says of itself."""


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """`count` is of the exact hits. `ranked` is None where all of these are ranked, else how many
    of the newest are. `end` says why there may be more, `` where there aren't. `exact_only`: related
    hits were left out."""

    query: Query
    count: Count
    related: int = 0
    ranked: int | None = None
    end: str = ""
    exact_only: bool = False

    @property
    def hits(self) -> str:
        """`38 hits`."""
        return f"{self.count} hit" if self.count.value == 1 else f"{self.count} hits"

    @property
    def words(self) -> str:
        """`10,000+ hits · newest 5,000 ranked`; of the empty query only its order."""
        if self.query.text.strip():
            return " · ".join([self.hits, *self._more()])
        only = " · exact only" if self.exact_only else ""
        return f"newest first{only}" if self.count.value else ""

    def _more(self) -> Iterator[str]:
        if self.exact_only:
            yield "exact only"
        if self.related:
            yield f"{self.related} related {RELATED}"
        if self.query.sort in SORTS:
            yield SORTS[self.query.sort]
        if self.ranked is not None:
            yield f"newest {self.ranked:,} ranked"
        if self.end:
            yield self.end
