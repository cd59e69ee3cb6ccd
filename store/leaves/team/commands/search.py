"""`mem search --team`: what the team's server has."""

from __future__ import annotations

from ....cli.output.console import Row, print_json, print_rows, tell
from ....platform.clock import local_time
from ....records.dataclasses import asdict
from ....store import Store
from ....text.plural import count_noun
from ..search import search_team


def print_team_hits(store: Store, query: str, *, limit: int, as_json: bool) -> None:
    """Ask the server of the store's team, and print what it has."""
    results = search_team(store, query, limit=limit)
    if as_json:
        print_json([asdict(hit) for hit in results.hits])
    else:
        print_rows(
            ("id", "when", "author", "project", "title"),
            (
                Row(
                    hit.id or hit.uid[-8:],
                    local_time(hit.at, "%Y-%m-%d"),
                    hit.author,
                    hit.project,
                    hit.title,
                )
                for hit in results.hits
            ),
            wide="title",
        )
        tell("{hits} on the team's server.", hits=count_noun(len(results.hits), "hits"))
    if results.left_out:
        tell(
            "The server wasn't asked by {names}: that is only searched here.",
            names=" ".join(results.left_out),
        )
