"""`mem search`: the query language of the browser, on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from . import options
from .command import Call, group
from .facets import facets_json, put_facets
from .hits import put_hits, tell_nothing
from .output import put_json, tell
from .query_words import QueryCommand
from .understood import explanation, understood_json

if TYPE_CHECKING:
    from .. import Store

app = group()


@app.command(cls=QueryCommand)
def search(
    ctx: typer.Context,
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY...", help='Words, "a phrase", a OR b, -word, type:bugfix, since:7d …'
        ),
    ] = None,
    limit: options.Limit = 20,
    exact: Annotated[
        bool, typer.Option("--exact", help="Only what holds every word, and nothing related.")
    ] = False,
    facets: Annotated[
        bool,
        typer.Option(
            "--facets", help="Only counts of the exact hits, by project, type, agent, kind and day."
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Tell what was understood, and why each hit is one."),
    ] = False,
    saved: Annotated[
        str | None,
        typer.Option("--saved", metavar="NAME", help="Run a saved search; QUERY is added to it."),
    ] = None,
) -> None:
    """Search the memory, best first.

    The language is the browser's: words that all have to stand somewhere, "a phrase", a OR b,
    -word, title:word, and filters such as type:bugfix project:x file:src/auth since:7d is:pinned.
    What holds every word comes first; related memories follow, marked by a ~. sort:recent gives
    the newest first, sort:pinned the pinned.
    """
    if not query and saved is None:
        raise typer.BadParameter("Give a QUERY, or a saved search with --saved NAME.")
    call: Call = ctx.obj
    with call.reading() as store:
        words = [] if saved is None else [saved_query(store, saved)]
        text = " ".join([*words, *(query or ())])
        if facets:
            count(store, text, explain=explain, as_json=call.json)
        else:
            put_hits(store, text, limit=limit, exact=exact, explain=explain, as_json=call.json)


def saved_query(store: Store, name: str) -> str:
    """The query of a saved search; NotFoundError tells which there are.

    The letter case of its name counts only where several differ in nothing else.
    """
    from ..errors import NotFoundError

    saved = {one.name: one.query for one in store.searches.saved()}
    alike = [one for one in saved if one.casefold() == name.casefold()]
    if name in saved:
        return saved[name]
    if len(alike) != 1:
        known = ", ".join(saved) or "none"
        raise NotFoundError(f"There is no saved search {name}. Saved: {known}.")
    return saved[alike[0]]


def count(store: Store, query: str, *, explain: bool, as_json: bool) -> None:
    """Print how what a query matches divides."""
    found, total, understood = store.facets(query), store.count(query), store.parse(query)
    if as_json:
        document = facets_json(found, total)
        put_json({"understood": understood_json(understood), **document} if explain else document)
        return
    if explain:
        tell(explanation(understood))
    if total.value:
        put_facets(found)
        tell(f"Of {total} {'hit' if total.value == 1 else 'hits'}.")
    else:
        tell_nothing(store.results(query, limit=1).corrections)
