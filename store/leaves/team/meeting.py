"""A meeting with a team's server: what others brought comes, what changed here goes, and where one side was
put back to an earlier day, digests find what differs."""

from __future__ import annotations

import random
from collections import Counter
from hashlib import md5
from time import sleep
from typing import Any

from ...database.recording import host_name
from ...platform.clock import now_ms, uuid7
from ...platform.translation import _
from ...store import Store
from ..sync.channel import Outcome, Verdicts, Wishes
from ..sync.machines import Machines, Peer
from ..sync.rows import RowState
from .driver import passfile_line, replica_dsn
from .entries import Greeting, Key
from .membership import Team, own_team, share_password
from .pulling import Puller
from .pushing import Pusher
from .rows import KnownRows
from .server import BATCH, COMPARED, SECONDS, Server

MERGES = 40
"""So often what was given is merged with what others brought in between, until it waits."""
AHEAD_MS = 5 * 60_000
"""How far ahead of the server's a clock may be, there."""


def meet_team(store: Store, wishes: Wishes, *, seconds: int = SECONDS) -> Outcome:
    """Meet the server of the store's team. Raises StoreError where it could not be met."""
    with Server(own_team(store).dsn, seconds=seconds) as server:
        return TeamMeeting(store, server).meet(wishes)


class TeamMeeting:
    """Meets the server of the store's team over an open connection, as often as wanted."""

    team: Team
    greeting: Greeting

    def __init__(self, store: Store, server: Server) -> None:
        self.store = store
        self.db = store.db
        self.server = server
        self.machines = Machines(store)

    def meet(self, wishes: Wishes) -> Outcome:
        """Pull, push, and note the end of the meeting on both sides. Raises TeamError."""
        self.team = own_team(self.store)
        self.greeting = self.server.greet(self.team.team_id, self.store.machine_id)
        ahead = now_ms() - self.greeting.now
        self._follow_server()
        peer = self.machines.peer(self.team.peer)
        if wishes.dry_run:
            return self._dry_run(peer)
        peer = peer or self.machines.meet(self.team.peer, self.team.name)
        puller = Puller(self.store, self.server, self.team)
        pusher = Pusher(self.store, self.server, self.team)
        state = RowState(self.store)
        heads, cursors = self.greeting.heads, self.team.cursors
        is_put_back = any(head < here for head, here in zip(heads, cursors, strict=True)) or (
            peer.meeting is not None and peer.meeting != self.greeting.meeting
        )
        if wishes.verify or is_put_back or cursors != heads:
            self._note_machines()
        differing = self._compare(puller) if wishes.verify or is_put_back else None
        if self.team.read_dsn and cursors != heads:
            self.server.read_from(self.team.read_dsn)
        puller.pull(self.team.cursors, heads, is_first=not peer.met_at)
        looks_at_all = peer.meeting is None or peer.sent < 0 or differing is not None
        head = state.head()
        if self.team.may_write and wishes.gives:
            marked = state.marked(peer.machine, peer.sent, head)
            if looks_at_all or marked:
                pusher.push(None if looks_at_all else marked, state)
                head = self._merge(puller, pusher, peer, state, head)
            pusher.push_beside(puller.gone)
            pusher.push_reviews()
        pulled = puller.verdicts
        if looks_at_all or pusher.verdicts.counts or pulled.counts or peer.sent != head:
            meeting = uuid7(now_ms())
            self.server.met(self.team.team_id, self.store.machine_id, host_name(), meeting)
            self.machines.finish(peer.machine, meeting, head)
            self.machines.note_refused(peer.machine, pusher.verdicts.refused)
        outcome = Outcome(pusher.verdicts, pulled, differing=differing)
        if ahead > AHEAD_MS:
            outcome.notes.append(
                _(
                    "The clock here is {minutes} minutes ahead of the server's, which refuses what is "
                    "dated so: set the one that is wrong.",
                    minutes=ahead // 60_000,
                )
            )
        return outcome

    def _follow_server(self) -> None:
        team, greeting = self.team, self.greeting
        now = greeting.member, greeting.role, greeting.read_dsn
        if (team.member, team.role, team.read_dsn) != now:
            if greeting.read_dsn:
                replica = replica_dsn(team.dsn, greeting.read_dsn)
                share_password(passfile_line(team.dsn, ""), passfile_line(replica, ""))
            with self.store.transaction():
                self.db.execute("UPDATE team SET member = ?, role = ?, read_dsn = ?", now)
            self.team = own_team(self.store)

    def _note_machines(self) -> None:
        """Note whose machines the other members' are, before rows come that these wrote."""
        machines = self.server.foreign_machines(self.team.team_id)
        with self.store.transaction():
            self.db.execute("DELETE FROM team_machines")
            self.db.executemany("INSERT INTO team_machines VALUES (?, ?)", [*machines.items()])

    def _dry_run(self, peer: Peer | None) -> Outcome:
        state = RowState(self.store)
        looks_at_all = peer is None or peer.meeting is None or peer.sent < 0
        marked = (
            None if looks_at_all or peer is None else state.marked(peer.machine, peer.sent, state.head())
        )
        going: Counter[str] = Counter()
        if self.team.may_write:
            shared, gone = Pusher(self.store, self.server, self.team).candidates(marked)
            going.update({kind: len(rows) for kind, rows in shared.items() if rows})
            going.update({kind: len(rows) for kind, rows in gone.items() if rows})
        pairs = zip(self.greeting.heads, self.team.cursors, strict=True)
        waiting = sum(max(head - here, 0) for head, here in pairs)
        coming = Counter({"rows": waiting} if waiting else {})
        return Outcome(Verdicts(going), Verdicts(coming))

    def _merge(self, puller: Puller, pusher: Pusher, peer: Peer, state: RowState, head: int) -> int:
        """Take in what others brought in the meantime of what was given, and give what comes of it, until
        nobody was faster. Return the number of the last mark that was given."""
        for attempt in range(MERGES):
            if not pusher.older:
                break
            sleep(random.uniform(0, 0.01) * attempt)
            keys = pusher.older[:]
            for start in range(0, len(keys), BATCH):
                puller.take(self.server.fetch(self.team.team_id, keys[start : start + BATCH]), None)
            head = state.head()
            pusher.push(state.marked(peer.machine, peer.sent, head), state)
        return head

    def _compare(self, puller: Puller) -> int:
        """Find where the server and what is known of it here differ, range by range: fetch what it has, and
        forget what of one's own it has not, so that it goes again. Return how many ranges differed."""
        differing = 0
        last: Key = ("", "")
        rows = COMPARED
        while rows == COMPARED:
            after = last
            rows, last, digest = self.server.digest(self.team.team_id, after)
            here = self._known_between(after, last if rows == COMPARED else None)
            lines = (f"{kind} {uid} {state} {version}" for (kind, uid), (state, version) in here.items())
            mine = "\n".join(lines).encode()
            if digest == (md5(mine, usedforsecurity=False).hexdigest() if here else ""):
                continue
            differing += 1
            there = self.server.listing(self.team.team_id, after)
            with self.store.transaction():
                self.db.executemany(
                    "DELETE FROM team_rows WHERE kind = ? AND uid = ? AND author = ?",
                    [(*key, self.team.member) for key in here.keys() - there.keys()],
                )
            keys = [key for key, known in there.items() if here.get(key) != known]
            for start in range(0, len(keys), BATCH):
                puller.take(self.server.fetch(self.team.team_id, keys[start : start + BATCH]), None)
        heads = [*map(min, self.greeting.heads, self.team.cursors)]
        with self.store.transaction():
            KnownRows(self.db).set_cursors(heads)
        self.team = own_team(self.store)
        return differing

    def _known_between(self, after: Key, last: Key | None) -> dict[Key, tuple[str, str]]:
        """Return state and version of the rows that are known behind one, up to another (None: all)."""
        condition = "" if last is None else "AND (kind, uid) <= (?, ?)"
        rows: Any = self.db.execute(
            f"SELECT kind, uid, state, version FROM team_rows WHERE (kind, uid) > (?, ?) {condition} "
            "AND visibility <> 'private' ORDER BY kind, uid",
            (*after, *(last or ())),
        )
        return {(kind, uid): (state, version) for kind, uid, state, version in rows}
