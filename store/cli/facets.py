"""What `mem search --facets` prints: how the memories that match divide."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from ..display import safe
from .output import Row, on_terminal, put_rows

if TYPE_CHECKING:
    from .. import Count, Facets

Json = dict[str, object]


def facets_json(facets: Facets, total: Count) -> Json:
    """How many match, and each facet's values with their counts; lower bounds unless `exact`."""
    return {
        "total": total.value,
        "facets": {
            name: [{"value": value, "count": count} for value, count in counts]
            for name, counts in facets.counts.items()
        },
        "exact": facets.exact and total.exact,
    }


def put_facets(facets: Facets) -> None:
    """A line for each value: its facet, itself, its count. In a pipe with tabs between them."""
    more = "" if facets.exact else "+"
    lines = [
        (name, value, f"{count:,}{more}")
        for name, counts in facets.counts.items()
        for value, count in counts
    ]
    if on_terminal():
        _put_aligned(lines)
    else:
        put_rows(("facet", "value", "count"), map(Row, lines), wide="value")


def _put_aligned(lines: list[tuple[str, str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(justify="right", style="bold", no_wrap=True)
    for name, some in groupby(lines, key=itemgetter(0)):
        for place, (_, value, count) in enumerate(some):
            table.add_row(
                "" if place else name, Text(safe(value) or "none", "" if value else "dim"), count
            )
    Console(highlight=False).print(table)
