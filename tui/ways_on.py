"""From a query without hits to queries that have some."""

from __future__ import annotations

from collections.abc import Iterator

from store import Query, Store

from .query_text import without
from .widgets.no_hits import Nothing, Way


def nothing(store: Store, query: Query) -> Nothing:
    """What a query without hits could be changed to, each change with its count."""
    ways = (Way(words, text, store.count(text)) for words, text in _changes(query))
    return Nothing(query, [way for way in ways if way.count.value])


def _changes(query: Query) -> Iterator[tuple[str, str]]:
    chips, bare = query.chips, not query.terms and not query.excluded
    for chip in chips:
        if len(chips) > 1 or not bare:
            yield f"without {chip.label}", without(query.text, chip)
    if len(chips) > 1 and not bare:
        yield "without any filter", without(query.text, *chips)
    yield "everything, newest first", ""
