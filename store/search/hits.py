"""All hits of a query: a page of them, their number, how they divide, and why one is among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import apsw

from ..database.deadline import Deadline
from ..database.transaction import in_snapshot, snapshot, translate_errors
from ..platform.translation import _
from ..records.dataclasses import replace
from ..records.rows import Hit, ListRow
from .listing import rows as listing
from .query.filters import Where, where
from .query.language import Query
from .related.meaning import PATIENCE_SECONDS, StoreMeaning

if TYPE_CHECKING:
    from .excerpts import Excerpt
    from .facets import Facets
    from .page import Count, Page
    from .why import Why

MOST_HITS = 1_000_000


class Hits:
    """What a query finds. Each question is answered when it is asked, of the memory as it is then; nothing
    is looked for or counted that nobody asks for."""

    def __init__(
        self,
        db: apsw.Connection,
        query: Query,
        *,
        meaning: Callable[[float], StoreMeaning],
        catch_up: Callable[[], None],
    ) -> None:
        """`meaning` returns what finds memories by what they mean, and waits so many seconds for the vector
        of a query. `catch_up` indexes what other programs wrote."""
        self.db = db
        self._query = query
        self._meaning = meaning
        self._catch_up = catch_up

    @property
    def query(self) -> Query:
        """What is looked for: the time that a question names is a filter in it, or words."""
        if self._query.named_time is not None:
            from .related.second_tier import with_time

            if not self.db.in_transaction:
                self._catch_up()
            with snapshot(self.db):
                self._query = with_time(self.db, self._query)
        return self._query

    def page(
        self,
        start: int = 0,
        limit: int = 50,
        *,
        related: bool = False,
        fill: int | None = None,
        seconds: float | None = None,
        patience: float = PATIENCE_SECONDS,
        turns: bool = False,
    ) -> Page:
        """Return the best `limit` hits from `start` on; of a query of filters only, the newest.

        Exactly the memories that hold every term; with `related`, others that hold some of the words
        follow where those are fewer than would `fill` a page (20), marked by their `tier`. At most
        `seconds` are spent on looking, and what was found by then is given, marked as `partial`; without
        them (and inside a transaction) it looks until the answer is complete. A model's vectors are
        waited for `patience` seconds beside. With `turns` a hit is a turn where its record
        belongs to one, and a query of filters only is of records still.
        """
        from .page import PAGE, search

        with translate_errors(self.db, writing=False):
            where(self.db, self.query)  # Git, where it is asked for a commit, takes its own time.
            meaning = self._meaning(patience)
            if seconds is not None:
                seconds += meaning.patience
            # Inside a transaction a statement that is stopped may take what was written back with it.
            deadline = Deadline(self.db, None if self.db.in_transaction else seconds)
        self._catch_up()
        with snapshot(self.db):
            return search(
                self.db,
                self._looked_up,
                start=max(0, start),
                limit=max(0, min(limit, MOST_HITS)),
                related=related,
                fill=PAGE if fill is None else fill,
                deadline=deadline,
                meaning=meaning,
                turns=turns,
            )

    @in_snapshot
    def rows(self, start: int = 0, limit: int = 50) -> list[ListRow]:
        """Return what lists show of the hits of a page; of a query of filters only, that alone is read."""
        if self.query.is_filter_only:
            return listing.page(self.db, self._filters, start, limit)
        return [hit.row for hit in self.page(start, limit).hits]

    def refs(self, *, deleted: bool = False) -> list[str]:
        """Return the refs of all, the newest first; with `deleted`, of what is deleted."""
        from .matching import matching_refs

        self._catch_up()
        with snapshot(self.db):
            query = self._looked_up
            if deleted:
                query = replace(query, flags=query.flags | {"deleted"})
            return matching_refs(self.db, query)

    @in_snapshot
    def count(self) -> Count:
        """Count the memories that match: exact up to 10,000, and of filters only."""
        from .page import count

        return count(self.db, self._looked_up)

    @in_snapshot
    def facets(self) -> Facets:
        """Count them by project, type, agent, kind and day."""
        from .facets import facets

        return facets(self.db, self._looked_up)

    @in_snapshot
    def position(self, row: ListRow) -> int:
        """Return the index that a row has among those of a query of filters only."""
        return listing.position(self.db, self._filters, row)

    @in_snapshot
    def not_before(self, at: int) -> int:
        """Return how many of a query of filters only are as new as a moment (ms): the index of the first
        that is older."""
        return listing.not_before(self.db, self._filters, at)

    def excerpts(self, hits: Sequence[Hit]) -> list[Excerpt]:
        """Return what is shown of each of some hits where there is room for some 1,200 characters."""
        from .excerpts import excerpts

        self._catch_up()
        with snapshot(self.db):
            return excerpts(self.db, self._looked_up, hits)

    @in_snapshot
    def why(self, hit: Hit) -> Why:
        """Explain where the terms of the query stand in a hit, and what each adds to its score."""
        from .why import why

        return why(self.db, self._looked_up, hit, self._meaning(PATIENCE_SECONDS))

    @in_snapshot
    def left_out(self) -> str:
        """Return why nothing is found where a minus or NOT leaves it out, in a sentence; '' elsewhere."""
        if not self.query.excluded:
            return ""
        from .page import count

        result = count(self.db, replace(self._looked_up, excluded=()))
        if not result.value:
            return ""
        words = _(" or ").join(f'"{term.text}"' for term in self.query.as_typed.excluded)
        if str(result) == "1":
            return _(
                "What holds {words} was left out: 1 memory has all else. In quotes, with its minus, "
                "it is a word.",
                words=words,
            )
        return _(
            "What holds {words} was left out: {number} memories have all else. In quotes, with its "
            "minus, it is a word.",
            words=words,
            number=result,
        )

    @property
    def _filters(self) -> Where:
        return where(self.db, self._looked_up)

    @property
    def _looked_up(self) -> Query:
        """The query, and where it names a memory what is like that."""
        if not self.query.similar:
            return self.query
        from .related.similar import looked_up

        return looked_up(self.db, self.query, self._meaning(PATIENCE_SECONDS))
