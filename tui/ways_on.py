"""From a query without hits to queries that have some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from store import Correction, Count, Query, Store, parse

from .finding import FIRST_HITS, PATIENCE
from .query_text import without
from .widgets.no_hits import Nothing, Way


def nothing(
    store: Store, query: Query, corrections: Sequence[Correction], exact_only: bool
) -> Nothing:
    """What a query without hits could be changed to, each change with its count.

    Where it found exact hits only, also how many related ones there would be.
    """
    changes = [*_corrected(corrections), *_changes(query)]
    ways = (Way(words, text, store.count(text)) for words, text in changes)
    found = [way for way in ways if way.count.value]
    return Nothing(query, found, _related(store, query) if exact_only else None)


def _related(store: Store, query: Query) -> Count:
    results = store.results(query, limit=FIRST_HITS, related=True, seconds=PATIENCE)
    return Count(len(results.hits), results.complete)


def _corrected(corrections: Sequence[Correction]) -> Iterator[tuple[str, str]]:
    """One change for all corrections, as each has the query with all of them made."""
    if corrections:
        meant = ", ".join(f"{one.meant} for {one.typed}" for one in corrections)
        text = corrections[0].query
        yield f"did you mean {meant}?", text
        if chips := parse(text).chips:
            yield f"{meant}, without any filter", without(text, *chips)


def _changes(query: Query) -> Iterator[tuple[str, str]]:
    chips, bare = query.chips, not query.terms and not query.excluded
    for chip in chips:
        if len(chips) > 1 or not bare:
            yield f"without {chip.label}", without(query.text, chip)
    if len(chips) > 1 and not bare:
        yield "without any filter", without(query.text, *chips)
    yield "everything, newest first", ""
