"""What commands print with --for-agent: the compact text, or with --json the same without nulls.

The lean search imports this: what only other commands need is imported where it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .changed_files import refresh_for
from .console import print_json, print_text

if TYPE_CHECKING:
    from ... import Store
    from ...compact.fence import Answer


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer of `memtui.store.compact`."""
    if as_json:
        print_json(answer.as_dict())
    else:
        print_text(answer.text)


def print_search(
    store: Store,
    query: str,
    *,
    limit: int,
    cursor: str | None,
    exact: bool,
    as_json: bool,
    facets: bool = False,
    turns: bool | None = None,
) -> None:
    """Search and print the hits, as an agent reads them."""
    from ...compact.hits import search_lines
    from ...compact.wording import shell

    refresh_for(store, query)
    hits = search_lines(
        store,
        query,
        limit=limit,
        cursor=cursor,
        facets=facets,
        related=not exact,
        wording=shell(),
        turns=turns,
    )
    print_answer(hits, as_json=as_json)
