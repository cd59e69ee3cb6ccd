"""The team's server as a place that is met: how, and what waits for it.

Who has machines and is in no team imports nothing of it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ...records.kinds import ANY_SHARED
from ...store import Store
from ..sync.machines import TEAM, Carrier, Peer

if TYPE_CHECKING:
    from ..sync.channel import Outcome, Wishes

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


class TeamCarrier:
    """Meets the server of a store's team."""

    scheme = f"{TEAM}:"

    def meet(self, store: Store, wishes: Wishes, *, is_unattended: bool = False) -> Outcome:
        """Meet the server. Raises StoreError where it could not be met."""
        from .meeting import meet_team

        return meet_team(store, wishes, seconds=SECONDS) if is_unattended else meet_team(store, wishes)

    def waiting(self, store: Store, peer: Peer) -> dict[str, list[str]] | None:
        """Return the memories that wait for the server: what changed since it was met and is or was
        shared, and those of which it was chosen who reads them; None before it was met."""
        from .membership import own_team
        from .sharing import SHARED, Sharing

        team = own_team(store)
        if not team.met_at:
            return None
        if not team.may_write:
            return {}
        uids = {str(uid) for (uid,) in store.db.execute(CHOSEN, (json.dumps(SHARED),))}
        marked = dict(store.db.execute(MARKED, (peer.sent, team.peer)))
        sharing = Sharing(store)
        for kind in SHARED:
            if keys := json.loads(str(marked.get(kind, "[]"))):
                uids.update(row.uid for row in sharing.records(kind, keys, team.member))
                uids.update(row.uid for row in sharing.gone(kind, keys))
        return {"memories": sorted(uids)}

    def to_review(self, store: Store) -> int:
        """Return how many of teammates' facts and decisions wait for a word."""
        from .reviewing import reviews

        return len(reviews(store))


CARRIER: Carrier = TeamCarrier()


def may_have_marks(store: Store) -> bool:
    """Whether any memory is a teammate's, or may be shared."""
    return bool(store.db.execute(f"SELECT EXISTS (SELECT 1 FROM team) OR ({ANY_SHARED})").get)
