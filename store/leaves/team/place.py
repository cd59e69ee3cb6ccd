"""The team as a place that is met: how it stands with it, what waits for its server, and when it is due.

Who is in no team asks this too, each second in the browser: what else there is to ask is imported then.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import apsw

from ...platform.clock import now_ms
from ...platform.errors import StoreError
from ...records.kinds import ANY_SHARED
from ...records.sharing import AutomaticPlace
from ...store import Store
from ..sync.machines import PAUSE_MS, Machines, PlaceStatus, RefusedRow
from .membership import PLACE, Team, own_team, team_of

if TYPE_CHECKING:
    from ..sync.exchange import Wishes
    from ..sync.meeting import Meeting

SECONDS = 3
"""How long the server is waited for where the team is met by itself."""

MARKED = """
SELECT kind, json_group_array(key) FROM unsynced_rows
WHERE id > ? AND came_from IS NOT ? GROUP BY kind
"""
"""What changed since a peer was given what there was, by table."""
CHOSEN = """
SELECT c.uid FROM team_choices c LEFT JOIN team_rows k
ON k.kind IN (SELECT value FROM json_each(?)) AND k.uid = c.uid AND k.state = 'here'
WHERE c.visibility IS NOT coalesce(k.visibility, 'private')
"""
"""Of what it was chosen who reads it, as the server doesn't know yet."""


class TeamPlace:
    """The team among the places that `mem sync` meets."""

    name = PLACE

    def __init__(self, store: Store) -> None:
        self.store = store
        self.team = team_of(store)
        self.is_joined = self.team is not None

    def check(self) -> None:
        """Raise NotFoundError where the store is in no team."""
        own_team(self.store)

    def meet(self, wishes: Wishes) -> Meeting:
        """Meet the team's server, and note how it went. Raises StoreError where it could not be met."""
        from .meeting import meet_team

        return meet_team(self.store, wishes)

    def status(self) -> PlaceStatus | None:
        """Return how it stands with the team as with a machine; None for who is in none."""
        if (team := self.team) is None:
            return None
        return PlaceStatus(
            PLACE,
            team.dsn,
            "both" if team.may_write else "read",
            True,
            team.met_at,
            waiting(self.store, team),
            refused_rows(self.store, team),
            team.trouble,
        )

    def to_review(self) -> int:
        """Return how many of teammates' facts and decisions wait for a word."""
        from .reviewing import reviews

        return len(reviews(self.store)) if self.is_joined else 0


def automatic_places(store: Store) -> list[AutomaticPlace]:
    """Return how it stands with the team; nothing for who is in none."""
    if (team := team_of(store)) is None:
        return []
    return [AutomaticPlace(team.name, team.met_at, waiting(store, team) or 0, team.trouble, is_team=True)]


def may_have_marks(store: Store) -> bool:
    """Whether any memory is a teammate's, or may be shared."""
    return bool(store.db.execute(f"SELECT EXISTS (SELECT 1 FROM team) OR ({ANY_SHARED})").get)


def waiting(store: Store, team: Team) -> int | None:
    """Return how many memories wait for the team's server: what changed since it was met and is or was
    shared, and those of which it was chosen who reads them; None before it was met."""
    from .sharing import SHARED, Sharing

    peer = Machines(store).peer(team.peer)
    if peer is None or not team.met_at:
        return None
    if not team.may_write:
        return 0
    uids = {str(uid) for (uid,) in store.db.execute(CHOSEN, (json.dumps(SHARED),))}
    marked = dict(store.db.execute(MARKED, (peer.sent, team.peer)))
    sharing = Sharing(store)
    for kind in SHARED:
        if keys := json.loads(str(marked.get(kind, "[]"))):
            uids.update(row.uid for row in sharing.records(kind, keys, team.member))
            uids.update(row.uid for row in sharing.gone(kind, keys))
    return len(uids)


def refused_rows(store: Store, team: Team) -> tuple[RefusedRow, ...]:
    """Return the rows that the team's server refused of this store, and those that this store refused."""
    machines = Machines(store)
    return (*machines.refused(team.peer), *machines.refused(team.refusing_peer))


def is_due(store: Store) -> bool:
    """Whether there is a team that was not tried within the last minute; ten, where it was away."""
    team = team_of(store)
    tried: Any = store.db.execute("SELECT tried_at FROM team").get
    return team is not None and (tried or 0) < now_ms() - (10 if team.trouble else 1) * PAUSE_MS


def meet_if_due(store: Store) -> None:
    """Meet the store's team, if it has one that is due; what stands in the way is noted."""
    if is_due(store):
        with suppress(StoreError):
            from .meeting import meet_team

            meet_team(store, seconds=SECONDS)


def meet_again(store: Store) -> None:
    """Have the team be met soon whatever stood in the way, since its server answers."""
    with suppress(apsw.ReadOnlyError), store.transaction():
        store.db.execute("UPDATE team SET trouble = NULL, tried_at = NULL")
