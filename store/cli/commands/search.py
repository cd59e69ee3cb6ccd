"""`mem search`: the query language of the browser, on the command line."""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated

from ...platform.errors import NotFoundError
from ...platform.leaves import leaf, offers
from ...platform.translation import _
from ...search.query.filters import IN_PROJECT_HERE
from ...text.display import safe
from ...text.plural import count_noun
from .. import arguments, completing
from ..command import Call, ReadingCommand, group
from ..output.changed_files import refresh_for
from ..output.console import Row, localized, on_terminal, print_json, print_rows, print_search, tell
from ..output.explanation import explanation, understood_json
from ..output.hits import BY_MEANING, print_hits, tell_no_hits, tell_remarks
from ..typer_later import typer

if TYPE_CHECKING:
    from ... import Facets, Store


app = group()

WAITED_SECONDS = 2.0
"""What a search waits for events that hooks have left, where the start of the command was not enough."""
FLAG = re.compile(r"--|-n(=?\d+)?$")
"""How what is no word begins; of the flags with one minus only the limit, alone or with its number."""

Json = dict[str, object]


class QueryCommand(ReadingCommand):
    """A command whose arguments are a query."""

    flag = FLAG


@app.command(cls=QueryCommand)
def search(
    call: Call,
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY...",
            help='Words, "a phrase", a OR b, a NOT b, type:bugfix, since:7d …',
            autocompletion=completing.queries,
        ),
    ] = None,
    limit: arguments.Limit = 20,
    exact: Annotated[
        bool, typer.Option("--exact", help="Only what holds every word, and nothing related.")
    ] = False,
    records: Annotated[
        bool, typer.Option("--records", help="List single records, not each turn once.")
    ] = False,
    semantic: Annotated[
        bool,
        typer.Option("--semantic", help="The nearest in meaning first, as sort:meaning does."),
    ] = False,
    facets: Annotated[
        bool,
        typer.Option(
            "--facets",
            help="Only counts of the exact hits, by project, type, agent, kind and day; beside the "
            "hits with --for-agent.",
        ),
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Tell what was understood, and why each hit is one."),
    ] = False,
    everywhere: Annotated[
        bool,
        typer.Option("--everywhere", help="All projects, also on a terminal inside the repository of one."),
    ] = False,
    team: Annotated[
        bool,
        typer.Option("--team", help="Ask the team's server, for what needn't be here (`mem team`)."),
    ] = False,
    for_agent: arguments.ForAgent = False,
    cursor: arguments.Cursor = None,
    saved: arguments.Saved = None,
) -> None:
    """Search memories, best first; `mem pick` picks some of them.

    The language is the browser's: words that all have to stand somewhere, "a phrase", a OR b,
    a NOT b, (a OR b) AND c, -word, title:word, and filters such as type:bugfix project:x branch:main
    file:src/auth since:7d is:pinned is:stale. is:similar:12 lists what is similar to the memory 12.
    A hit is a turn where its record belongs to one: what was asked, what came of it, and the passage that
    matches, under the id of the record that matches best. What holds every word comes first; related
    memories follow, marked by a ~, by words and by meaning.
    kind:file, scope:user, path:… and is:told look in the files that agents are told (`mem files`);
    kind:session lists sessions, as `mem session list` does.
    sort:recent gives the newest first, sort:oldest the oldest, sort:pinned the pinned, sort:meaning the
    nearest in meaning.
    On a terminal, inside a repository, only its project is searched unless the query names a project,
    session or source; in a pipe, and with --json or --for-agent, always everything.
    """
    if not query and saved is None:
        raise typer.BadParameter(_("Give a QUERY, or a saved search with --saved NAME."))
    arguments.refuse_without(bool(cursor and not for_agent), "--cursor", "--for-agent")
    arguments.refuse_without(explain and for_agent, "--explain", _("no --for-agent"))
    arguments.refuse_without(team and for_agent, "--team", _("no --for-agent"))
    from ...capture.ingest.catch_up import catch_up, still_waiting, waiting_events
    from ...config import lists_turns
    from ...search.narrowing import asks_for_sessions

    turns = not records and lists_turns()
    with call.reading() as store:
        if waiting_events(store):
            catch_up(store, WAITED_SECONDS)
            if sentence := still_waiting(store):
                tell(sentence)
        words = [] if saved is None else [saved_query(store, saved)]
        text = " ".join([*words, *(query or ())])
        if semantic:
            text = f"{BY_MEANING} {text}"
        if team:
            leaf("team.commands.sharing").print_team_hits(store, text, limit=limit, as_json=call.json)
            return
        if (":" in text or "：" in text) and any(
            answer(store, text, limit=limit, as_json=call.json) for answer in offers("answer")
        ):
            return
        if asks_for_sessions(text):
            from ..output.session import print_sessions

            found = store.list_search.sessions(text).ids[:limit]
            print_sessions(store, store.sessions.rows(found), as_json=call.json)
            return
        is_read_by_person = on_terminal() and not (call.json or for_agent)
        here = store.here() if is_read_by_person and not everywhere else ""
        if here and not store.parse(text).names_place:
            tell_here(store, here, text)
            text = f"{IN_PROJECT_HERE} {text}"
        if for_agent:
            print_search(
                store,
                text,
                limit=limit,
                cursor=cursor,
                exact=exact,
                as_json=call.json,
                facets=facets,
                turns=turns,
            )
        elif facets:
            count(store, text, explain=explain, as_json=call.json)
        else:
            print_hits(
                store,
                text,
                limit=limit,
                exact=exact,
                explain=explain,
                as_json=call.json,
                turns=turns,
            )


def tell_here(store: Store, here: str, query: str) -> None:
    """Say that only the project here is searched; where it has no hit, how many there are elsewhere."""
    elsewhere = 0
    if not store.find(f"{IN_PROJECT_HERE} {query}").count().value:
        elsewhere = store.find(query).count().value
    if elsewhere:
        hits = count_noun(elsewhere, "hits")
        tell(
            "Nothing in {here}, the project here; {hits} elsewhere, with --everywhere.",
            here=here,
            hits=hits,
        )
    else:
        tell("Only in {here}, the project here; --everywhere searches all.", here=here)


def saved_query(store: Store, name: str) -> str:
    """Return the query of a saved search; raise NotFoundError, which names those there are.

    The letter case of its name counts only where several differ in nothing else.
    """
    saved = {saved_search.name: saved_search.query for saved_search in store.searches.saved()}
    alike = [text for text in saved if text.casefold() == name.casefold()]
    if name in saved:
        return saved[name]
    if len(alike) != 1:
        known = _(", ").join(saved) or _("none")
        raise NotFoundError("There is no saved search {name}. Saved: {known}.", name=name, known=known)
    return saved[alike[0]]


def count(store: Store, query: str, *, explain: bool, as_json: bool) -> None:
    """Print how many memories a query matches, by facet."""
    tell_remarks(store, query)
    refresh_for(store, query)
    found = store.find(query)
    facets, understood = found.facets(), found.query
    total = facets.total
    if as_json:
        document = facets_json(facets)
        print_json({"understood": understood_json(understood), **document} if explain else document)
        return
    if explain:
        tell(explanation(understood))
    if total.value:
        print_facets(facets)
        tell("Of {total} hit." if total.value == 1 else "Of {total} hits.", total=total)
    else:
        tell_no_hits(found.page(limit=1).corrections)


def facets_json(facets: Facets) -> Json:
    """Return how many match, and each facet's values with their counts; lower bounds unless `exact`."""
    return {
        "total": facets.total.value,
        "facets": {
            name: [{"value": value, "count": count} for value, count in counts]
            for name, counts in facets.counts.items()
        },
        "exact": facets.exact,
    }


def print_facets(facets: Facets) -> None:
    """Print a line for each value: its facet, itself, its count. In a pipe with tabs between them."""
    more = "" if facets.exact else "+"
    lines = [
        (
            localized(name),
            localized(value) if name in ("type", "kind") else value,
            f"{count:,}{more}",
        )
        for name, counts in facets.counts.items()
        for value, count in counts
    ]
    if on_terminal():
        _print_aligned(lines)
    else:
        print_rows(("facet", "value", "count"), (Row(*line) for line in lines), wide="value")


def _print_aligned(lines: list[tuple[str, str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(justify="right", style="bold", no_wrap=True)
    for name, some in groupby(lines, key=itemgetter(0)):
        for place, (_name, value, count) in enumerate(some):
            table.add_row(
                "" if place else _(name),
                Text(safe(value) or _("none"), "" if value else "dim"),
                count,
            )
    Console(highlight=False).print(table)
