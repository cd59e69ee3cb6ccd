"""Whose memories in lists are, and who may read them; and how it stands with the team, in a few looks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ...records.dataclasses import dataclass
from ...records.kinds import TABLES, parse_ref, ref
from ...store import Store
from ..sync.machines import AutomaticPlace, Machines, PlaceStatus, RefusedRow
from .membership import PLACE, Team, team_of
from .sharing import SHARED, Sharing

MARKED = """
SELECT kind, json_group_array(key) FROM unsynced_rows
WHERE id > ? AND came_from IS NOT ? GROUP BY kind
"""
"""What changed since a peer was given what there was, by table."""
DISPUTES = """
SELECT uid, member || ': ' || reply FROM team_reviews
WHERE uid IN (SELECT value FROM json_each(?)) AND verdict = 'disputed' ORDER BY at
"""
CHOSEN = f"""
SELECT c.uid FROM team_choices c LEFT JOIN team_rows k
ON k.kind IN ({", ".join(f"'{kind}'" for kind in SHARED)}) AND k.uid = c.uid AND k.state = 'here'
WHERE c.visibility IS NOT coalesce(k.visibility, 'private')
"""
"""Of what it was chosen who reads it, as the server doesn't know yet."""


@dataclass(frozen=True, slots=True)
class TeamMark:
    """The teammate who shared a memory, "" for one's own; who may read it: private, project or team; who
    disputes it, "NAME: reply" each; and whether it may only be read here."""

    author: str
    visibility: str
    disputes: tuple[str, ...] = ()
    is_read_only: bool = False


def marks_of(store: Store, refs: Iterable[str]) -> dict[str, TeamMark]:
    """Return the marks of those of the memories, sessions and notes that are a teammate's or shared."""
    team, sharing = team_of(store), Sharing(store)
    member = team.member if team else ""
    numbers: dict[str, list[int]] = {}
    for kind, number in filter(None, map(parse_ref, refs)):
        numbers.setdefault(kind, []).append(number)
    marks: dict[str, TeamMark] = {}
    for kind, ids in numbers.items():
        table = TABLES[kind]
        rows: Any = store.db.execute(
            f"SELECT m.uid, m.id, k.author, k.visibility FROM {table} m LEFT JOIN team_rows k "
            f"ON k.kind = '{table}' AND k.uid = m.uid AND k.state = 'here' "
            "WHERE m.id IN (SELECT value FROM json_each(?))",
            (json.dumps(ids),),
        )
        by_uid = {uid: (number, author, seen_by) for uid, number, author, seen_by in rows}
        visibilities = {}
        if team is not None and table in SHARED:
            visibilities = {row.uid: row.visibility for row in sharing.records(table, [*by_uid], member)}
        disputes: dict[str, list[str]] = {}
        for uid, reply in store.db.execute(DISPUTES, (json.dumps([*by_uid]),)):
            disputes.setdefault(str(uid), []).append(str(reply))
        for uid, (number, author, seen_by) in by_uid.items():
            theirs = author if author and author != member else ""
            visibility = seen_by if theirs or table not in SHARED else visibilities.get(uid)
            if visibility:
                is_read_only = bool(theirs) and team is not None and not team.may_write
                disputed = tuple(disputes.get(uid, ()))
                marks[ref(kind, number)] = TeamMark(theirs, visibility, disputed, is_read_only)
    return marks


def standing(store: Store) -> AutomaticPlace | None:
    """Return how it stands with the team, in a few looks; None for who is in none."""
    team = team_of(store)
    if team is None:
        return None
    return AutomaticPlace(team.name, team.met_at, waiting(store, team) or 0, team.trouble)


def waiting(store: Store, team: Team) -> int | None:
    """Return how many memories wait for the team's server: what changed since it was met and is or was
    shared, and those of which it was chosen who reads them; None before it was met."""
    peer = Machines(store).peer(team.peer)
    if peer is None or not team.met_at:
        return None
    if not team.may_write:
        return 0
    uids = {str(uid) for (uid,) in store.db.execute(CHOSEN)}
    marked = dict(store.db.execute(MARKED, (peer.sent, team.peer)))
    sharing = Sharing(store)
    for kind in SHARED:
        if keys := json.loads(str(marked.get(kind, "[]"))):
            uids.update(row.uid for row in sharing.records(kind, keys, team.member))
            uids.update(row.uid for row in sharing.gone(kind, keys))
    return len(uids)


def team_place(store: Store) -> PlaceStatus | None:
    """Return how it stands with the team as with a machine; None for who is in none."""
    team = team_of(store)
    if team is None:
        return None
    return PlaceStatus(
        PLACE,
        team.dsn,
        "both" if team.may_write else "read",
        True,
        team.met_at,
        waiting(store, team),
        refused_rows(store, team),
        team.trouble,
    )


def refused_rows(store: Store, team: Team) -> tuple[RefusedRow, ...]:
    """Return the rows that the team's server refused of this store, and those that this store refused."""
    machines = Machines(store)
    return (*machines.refused(team.peer), *machines.refused(team.refusing_peer))
