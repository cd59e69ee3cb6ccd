"""What the search is asked, and how much it finds, in few words: of these two values the query line, its
chips, the facets and the list are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memtui.store import Count, Query, parse
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..text.content import joined

SORTS = {
    "recent": _("newest first"), "oldest": _("oldest first"), "pinned": _("pinned first"),
}  # fmt: skip
RELATED = "~"
"""What the count says of related hits, and each of them says of itself."""


NO_QUERY = Query()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A query, and how it is searched for.

    With `exact_only` what holds only some of its words is left out; with `turns` each turn is one row where
    there are words. `is_on_server`: the team's server is asked.
    """

    query: Query = NO_QUERY
    exact_only: bool = False
    turns: bool = True
    is_on_server: bool = False

    def with_text(self, text: str) -> SearchRequest:
        """Return the same for another query, as it is typed."""
        return replace(self, query=parse(text, typing=True))

    @property
    def filters(self) -> str:
        """The query's filters, without its words."""
        return " ".join(chip.text for chip in self.query.chips)

    @property
    def is_for_all(self) -> bool:
        """Whether every memory here is asked for."""
        return not self.query.text.strip() and not self.is_on_server

    @property
    def is_of_trash(self) -> bool:
        """Whether what is deleted is asked for."""
        return "deleted" in self.query.flags

    @property
    def is_by_time(self) -> bool:
        """Whether the newest come first."""
        sort = self.query.sort
        return sort == "recent" or (
            self.query.is_filter_only and not self.is_on_server and sort != "oldest"
        )


@dataclass(frozen=True, slots=True)
class ResultCounts:
    """How much was found.

    `count` is of the exact hits. `ranked` is None where all of these are ranked, else how many of the
    newest are. `end` says why there may be more, `` where there aren't. `by_meaning`: the nearest in
    meaning come first. `rows` is how many rows the exact hits take, None where they are as many as these,
    or not known.
    """

    asked: SearchRequest
    count: Count
    related: int = 0
    ranked: int | None = None
    end: str = ""
    by_meaning: bool = False
    rows: int | None = None

    @property
    def query(self) -> Query:
        """What was searched for."""
        return self.asked.query

    @property
    def related_from(self) -> int:
        """The index of the first related row."""
        return self.count.value if self.rows is None else self.rows

    @property
    def hits(self) -> str:
        """`38 hits`; `100 like 276`."""
        if self.query.similar:
            return _("{count} like {memory}", count=self.count, memory=safe(self.query.similar))
        if self.count.value == 1:
            return _("{count} hit", count=self.count)
        return _("{count} hits", count=self.count)

    @property
    def words(self) -> str:
        """`10,000+ hits · ranked among the newest 5,000`; of the empty query only its order."""
        if self.query.text.strip():
            return " · ".join([self.hits, *self._more()])
        only = _("exact only") if self.asked.exact_only else ""
        return joined(_("newest first"), only) if self.count.value else ""

    def _more(self) -> Iterator[str]:
        if self.asked.exact_only:
            yield _("exact only")
        if self.related:
            yield _("{count} related {sign}", count=self.related, sign=RELATED)
        if self.query.sort in SORTS:
            yield SORTS[self.query.sort]
        elif self.query.similar and not self.by_meaning and self.count.value:
            yield _("by words")
        elif self.by_meaning and not self.query.similar:
            yield _("nearest first")
        if self.ranked is not None:
            yield _("ranked among the newest {count}", count=f"{self.ranked:,}")
        if self.end:
            yield self.end
