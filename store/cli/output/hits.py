"""What `mem search` prints: the hits of a query, those on a team's server, and what there is to say of
them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import Store
from ...platform.clock import local_time
from ...platform.leaves import offers
from ...platform.translation import N_, _
from ...records.kinds import bare_ref, parse_ref
from ...search.query.filters import IN_PROJECT_HERE
from ...text.plural import count_noun
from .changed_files import refresh_for
from .console import Row, localized, on_terminal, print_json, print_rows, tell
from .explanation import explanation, understood_json, why_json, why_lines
from .serializers import author_json, hit_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ... import Correction, Hit, ListRow, Page, Session, Snippet
    from ...search.query.language import Query

CHANGED, CHANGED_SINCE = "≠", N_("files changed since")
"""Stand before or behind the title of a memory of which a file has changed since."""

BY_MEANING = "sort:meaning"
"""The term that --semantic puts before a query; behind it, a quote that is open would swallow the term."""
PATIENCE = 2.0
"""Seconds after which a search is left at what it has found, and says so."""
SLOWEST_MODEL = 2.0
"""Seconds that the vector of a query is waited for: a command is not typed at, as the browser is."""
STOPPED = _(
    "Stopped after {seconds} s, before everything was looked at: there may be "
    "more. A longer word or a filter makes it faster.",
    seconds=f"{PATIENCE:g}",
)


def print_hits(
    store: Store,
    query: str,
    *,
    limit: int,
    exact: bool,
    explain: bool,
    as_json: bool,
    turns: bool,
) -> None:
    """Search and print the hits, with `turns` each turn once; with `explain` also how they came about."""
    tell_remarks(store, query)
    refresh_for(store, query)
    found = store.find(query)
    page = found.page(
        limit=limit, related=not exact, fill=limit, seconds=PATIENCE, patience=SLOWEST_MODEL, turns=turns
    )
    if page.partial:
        tell(STOPPED)
    if page.trouble:
        tell(page.trouble)
    hits = page.hits
    sessions = session_names(store, hits)
    authors = store.authors_of(hit.row.ref for hit in hits)
    reasons = [found.why(hit) for hit in hits] if explain else []
    if as_json:
        shown = found.excerpts(hits)
        listed = [
            hit_json(hit, sessions.get(hit.row.session_id), content) | author_json(authors, hit.row.ref)
            for hit, content in zip(hits, shown, strict=True)
        ]
        for rank, (item, why) in enumerate(zip(listed, reasons, strict=False), 1):
            item["why"] = why_json(why, rank)
        print_json(_document(found.query, page, listed) if explain else listed)
        return
    if explain:
        tell(explanation(found.query, page.ranked, by_meaning=page.by_meaning))
    if page.corrections or not (hits or page.partial):
        tell_no_hits(page.corrections)
    if not hits and (sentence := found.left_out()):
        tell(sentence)
    typed = query.removeprefix(f"{IN_PROJECT_HERE} ")
    _tell_destinations(store, typed, only_id=bool(hits))
    for session in _titled_sessions(store, found.query):
        tell("Session @{id} is called {title}.", id=session.id, title=session.title)
    told = ("told",) if found.query.asks_how_often else ()
    print_rows(
        ("id", *told, "type", "memory", "project", "when"),
        (
            hit_row(hit, authors.get(hit.row.ref, ""), told=[str(hit.row.told)] if told else ())
            for hit in hits
        ),
        wide="memory",
        first_out=("project", "when"),
    )
    for rank, (hit, why) in enumerate(zip(hits, reasons, strict=False), 1):
        for line in why_lines(why, hit, rank):
            tell(line)
    if not (page.complete or page.partial):
        tell(_more(found.query, page, limit))
    for tell_more in offers("beside hits"):
        tell_more(store, found.query)


def tell_remarks(store: Store, query: str, command: str = "mem search") -> None:
    """Print what there is to say of a query, and the command with what may be meant instead."""
    remarks = store.remarks(query)
    for remark in remarks:
        tell(remark.sentence)
    if meant := next((item.query for item in remarks if item.query), None):
        tell("Did you mean: {command} {query}?", command=command, query=quoted_query(meant))


def quoted_query(query: str) -> str:
    """Return a query as a shell takes it."""
    from shlex import quote

    return ("-- " if query.startswith("-") else "") + quote(query)


def tell_no_hits(corrections: tuple[Correction, ...]) -> None:
    """Print that nothing matches, or what may have been meant."""
    tell(_did_you_mean(corrections) if corrections else _("Nothing was found."))


def session_names(store: Store, hits: list[Hit]) -> dict[int | None, str]:
    """Return the content ids of the sessions that hits belong to, by the sessions' numbers."""
    numbers = {number for hit in hits if (number := hit.row.session_id) is not None}
    return {session.id: session.content_session_id for session in store.sessions.by_ids(numbers)}


def type_of(entry: ListRow) -> str:
    """Return the type of a list row, which says that it no longer holds."""
    kind = localized(entry.type)
    return _("{type}, {state}", type=kind, state=localized(entry.state)) if entry.state else kind


def titled(title: str, author: str) -> str:
    """Return a title, with the teammate who shared it, "" for none."""
    return f"{title} (by {author})" if author else title


def hit_row(hit: Hit, author: str, *, told: Sequence[str] = ()) -> Row:
    """Return a hit as a row of the table; `~` marks what is only related, `≠` what has files that have
    changed since, `author` is the teammate who shared it, "" for none;
    `told` the cell that says how often agents were told it, where it is asked for."""
    entry = hit.row
    mark = "" if hit.tier == "exact" else "~"
    title = titled(entry.title, author)
    if entry.stale:
        title = f"{CHANGED} {title}" if on_terminal() else f"{title} ({_(CHANGED_SINCE)})"
    return Row(
        mark + entry.ref,
        *told,
        type_of(entry),
        title,
        entry.project,
        local_time(entry.created_at),
        below=_second_line(hit),
    )


def _tell_destinations(store: Store, query: str, *, only_id: bool) -> None:
    """Say what `mem show` shows of a query that is an id, or, unless `only_id`, a file or a commit."""
    if only_id and not parse_ref(bare_ref(query)):
        return
    # Most searches find something, and are no id.
    from ...links.destinations import destinations

    for destination in destinations(store, query):
        if destination.ref:
            tell(
                "`mem show {ref}` shows the {kind} of that id: {title}",
                ref=destination.ref,
                kind=_(destination.kind),
                title=destination.title,
            )
        elif not only_id and destination.kind != "date":
            many = count_noun(destination.count, "memories")
            tell(
                "{count} of the {kind} {title}: mem search {query}",
                count=many,
                kind=_(destination.kind),
                title=destination.title,
                query=quoted_query(destination.query),
            )


def _titled_sessions(store: Store, query: Query) -> tuple[Session, ...]:
    """Return the sessions that have the words of a query in their title, which is no memory; none where
    the query asks for more than words."""
    is_words = not any(item.name or item.negated or item.operator for item in query.items)
    return store.sessions.titled(term.text for term in query.terms) if is_words else ()


def _document(query: Query, page: Page, hits: list[dict[str, object]]) -> dict[str, object]:
    """Return the hits with what was understood; `ranked` tells of how many of the newest the order is
    by relevance, null for all; `partial`, that the search was stopped; `by_meaning`, that the nearest in
    meaning come first; `trouble`, why none are by meaning though vectors are kept, null where all is well.
    """
    return {
        "understood": understood_json(query),
        "ranked": page.ranked,
        "partial": page.partial,
        "by_meaning": page.by_meaning,
        "trouble": page.trouble or None,
        "corrections": [
            {"typed": correction.typed, "meant": correction.meant, "query": correction.query}
            for correction in page.corrections
        ],
        "hits": hits,
    }


def _did_you_mean(corrections: tuple[Correction, ...]) -> str:
    """Return a sentence: which words no memory holds, and the command that searches for the nearest."""
    typed = _(" or ").join(f'"{correction.typed}"' for correction in corrections)
    meant = quoted_query(corrections[0].query)
    return _(
        "No memory has the word {typed}. Did you mean: mem search {meant}?",
        typed=typed,
        meant=meant,
    )


def _more(query: Query, page: Page, limit: int) -> str:
    """Return the sentence that says that there are more hits, and of what the shown ones are the first."""
    if query.sort == "oldest":
        shown = _("the oldest {limit}", limit=f"{limit:,}")
    elif query.sort == "told":
        shown = _("the most often told {limit}", limit=f"{limit:,}")
    elif query.is_filter_only or query.is_by_time:
        shown = _("the newest {limit}", limit=f"{limit:,}")
    elif page.by_meaning:
        shown = _("the nearest {limit}", limit=f"{limit:,}")
    elif page.ranked is not None:
        shown = _(
            "the best {limit} of the newest {ranked} that match",
            limit=f"{limit:,}",
            ranked=f"{page.ranked:,}",
        )
    else:
        shown = _("the best {limit}", limit=f"{limit:,}")
    return _("These are {shown}; -n {limit} shows more.", shown=shown, limit=limit * 5)


def _second_line(hit: Hit) -> Snippet:
    if hit.turn is None:
        return hit.snippet
    from ...search.listing.snippets import in_turn

    return in_turn(hit, hit.snippet)
