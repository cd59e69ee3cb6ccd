"""`mem search`: the query language of the browser, on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from . import options
from .command import Call, Command, group
from .output import Row, put_json, put_rows, tell
from .shapes import hit_json
from .times import local_time
from .understood import explanation, understood_json

if TYPE_CHECKING:
    from ..records import Hit
    from ..store import Store

app = group()


@app.command(cls=Command)
def search(
    ctx: typer.Context,
    query: Annotated[
        list[str], typer.Argument(help='Words, "a phrase", a OR b, -word, type:bugfix, since:7d …')
    ],
    limit: options.Limit = 20,
    exact: Annotated[
        bool, typer.Option("--exact", help="Only what holds every word, and nothing related.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Tell what was understood of the query.")
    ] = False,
) -> None:
    """Search the memory, best first.

    The language is the browser's: words that all have to stand somewhere, "a phrase", a OR b,
    -word, title:word, and filters such as type:bugfix project:x file:src/auth since:7d is:pinned.
    What holds every word comes first; related memories follow, marked by a ~.
    """
    call: Call = ctx.obj
    with call.reading() as store:
        results = store.results(" ".join(query), limit=limit, related=not exact)
        sessions = session_names(store, results.hits)
    if call.json:
        hits = [hit_json(hit, sessions.get(hit.entry.session_id)) for hit in results.hits]
        put_json({"understood": understood_json(results.query), "hits": hits} if explain else hits)
        return
    if explain:
        tell(explanation(results.query))
    if not results.hits:
        tell("Nothing was found.")
    put_rows(("id", "type", "memory", "project", "when"), map(hit_row, results.hits), wide="memory")
    if not results.complete:
        tell(f"These are the best {limit}; -n {limit * 5} shows more.")


def session_names(store: Store, hits: list[Hit]) -> dict[int | None, str]:
    """The content ids of the sessions that hits belong to, by number."""
    numbers = {number for hit in hits if (number := hit.entry.session_id) is not None}
    return {one.id: one.content_session_id for one in store.sessions.by_ids(numbers)}


def hit_row(hit: Hit) -> Row:
    """A hit as a line; what is only related is marked by a ~."""
    entry = hit.entry
    mark = "" if hit.tier == "exact" else "~"
    return Row(
        (mark + entry.ref, entry.type, entry.title, entry.project, local_time(entry.created_at)),
        hit.snippet,
    )
