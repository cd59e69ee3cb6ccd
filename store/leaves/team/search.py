"""Asking a team's server for memories that need not be here."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import apsw

from ...records.dataclasses import dataclass
from ...records.kinds import KIND_OF, TABLES, ref
from ...search.index.documents import SHAPES
from ...store import Store
from ...text.truncation import shortened
from .entries import FoundEntry
from .membership import own_team
from .rows import LETTER_OF, query_of
from .server import server_for_search

SECONDS = 2.0
"""How long the server is waited for."""
TITLE, SNIPPET = 120, 160
ASKED = frozenset(("project", "author", "kind"))
"""The filters that the server is asked by, beside dates."""


@dataclass(frozen=True, slots=True)
class TeamHit:
    """A memory that the server found. `id` is how it is named here, "" where it isn't here; `at` is ms
    since the epoch."""

    id: str
    uid: str
    kind: str
    author: str
    project: str
    at: int
    title: str
    snippet: str
    texts: tuple[str, ...] = ()
    """All that it says beside its title."""


@dataclass(frozen=True, slots=True)
class TeamHits:
    """The best of about the newest 2,000 that hold all words. `left_out` are the parts of the query that
    the server is not asked for."""

    hits: tuple[TeamHit, ...]
    left_out: tuple[str, ...]


def search_team(store: Store, query: str, *, limit: int = 20) -> TeamHits:
    """Ask the server of the store's team. Raises TeamError where it is away, or takes longer."""
    team = own_team(store)
    understood = store.parse(query).as_typed
    filters: dict[str, list[str]] = {}
    left_out = [chip.text for chip in understood.expressions]
    for item in understood.filters:
        if item.name in ASKED and not item.negated:
            filters[item.name] = [*item.values]
        else:
            left_out.append(f"{item.name}:{','.join(item.values)}")
    left_out += [f"-{term.text}" for term in understood.excluded]
    left_out += [f"is:{flag}" for flag in sorted(understood.flags)]
    words = query_of(clause[0].text for clause in understood.clauses if len(clause) == 1)
    with server_for_search(
        team.dsn, team.read_dsn, team.team_id, team.cursors, seconds=int(SECONDS)
    ) as server:
        entries = server.search(
            team.team_id,
            words,
            kinds=[TABLES[kind] for kind in filters["kind"]] if "kind" in filters else None,
            projects=filters.get("project"),
            authors=[team.member if name == "me" else name for name in filters.get("author", ())] or None,
            since=understood.since,
            until=understood.until,
            limit=limit,
            seconds=SECONDS,
        )
    if team.trouble and not team.read_dsn:
        # Have it be met soon whatever stood in the way.
        with suppress(apsw.ReadOnlyError), store.transaction():
            store.db.execute("UPDATE team SET trouble = NULL, tried_at = NULL")
    hits = [_hit(store, entry) for entry in entries if isinstance(entry.payload, dict)]
    return TeamHits(tuple(hits), tuple(left_out))


def _hit(store: Store, entry: FoundEntry) -> TeamHit:
    number = store.db.execute(f"SELECT id FROM {entry.kind} WHERE uid = ?", (entry.uid,)).get
    kind = KIND_OF[entry.kind]
    title, *texts = _texts(entry)
    return TeamHit(
        "" if number is None else ref(kind, int(str(number))),
        entry.uid,
        kind,
        entry.author,
        entry.project,
        entry.made_at,
        shortened(title, TITLE),
        shortened(" ".join(texts), SNIPPET),
        tuple(texts),
    )


def _texts(entry: FoundEntry) -> list[str]:
    """Return the texts of what was found, the first as its title."""
    if entry.kind not in LETTER_OF:
        names: tuple[str, ...] = ("path", "text")
    else:
        shape = SHAPES[LETTER_OF[entry.kind]]
        names = (shape.title, *shape.body)
    texts: list[Any] = [entry.payload.get(name) for name in names]
    return [" ".join(text.split()) for text in texts if isinstance(text, str) and text] or [""]
