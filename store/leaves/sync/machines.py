"""Which machines and folders a store meets, what it has exchanged with each, and what stays here."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ...database.transaction import snapshot
from ...platform.clock import TOUCH, now_ms
from ...platform.errors import ConflictError, InvalidRecordError, NotFoundError
from ...platform.leaves import offers
from ...records.dataclasses import asdict, dataclass
from ...records.fields import title_of
from ...records.kinds import KINDS, TABLES, VISIBLE, kind_of, ref, ref_of
from ...records.sharing import AutomaticPlace
from ...store import Store
from ...tables.machines import note_machine
from ...tables.session_table import hide_with_sessions
from ...text.truncation import shortened

if TYPE_CHECKING:
    from .channel import Outcome, Refusal, Wishes

# The browser asks who is met by itself each second: what else there is to ask is imported then.

Direction = Literal["both", "read", "write"]

FOLDER_ID = "folder-"
"""How the id of a folder begins, by which it is a peer as a machine is."""
FOLDER = "folder:"
"""How the address of a folder begins; `git:` is one that is a git repository."""
GIT = "git:"
SSH = "ssh://"
SCHEMES = (SSH, FOLDER, GIT)
HERE = " here"
"""What follows a peer's id where its rows are noted that this store refused."""
MEMORIES = ("observations", "facts", "summaries", "prompts", "notes")
TITLE = 60
"""Characters of the title of a row that is named."""
PAUSE_MS = 60_000
"""How long after a try a machine isn't met by itself."""
TEAM = "team"
"""What the team is called among the places, and how its address begins."""
AWAY = 10
"""So many pauses long the team isn't met by itself where it could not be."""

PLACES = """
SELECT p.name, p.address, p.machine, p.automatic, p.direction, p.trouble, p.tried_at, nullif(e.met_at, 0)
FROM sync_places p LEFT JOIN sync_peers e ON e.machine = p.machine
UNION ALL SELECT 'team', 'team:' || dsn, 'team-' || team_id, 1, iif(role = 'reader', 'read', 'both'),
    trouble, tried_at, met_at FROM team
"""
"""All places; the team's server is one, where the store is in a team."""


@dataclass(frozen=True, slots=True)
class MeetingPlace:
    """Where another machine, a folder or the team is met. `machine` is the id of the store there, None
    before it was met; `is_automatic`: it is met by itself. `tried_at`, `met_at`: when it last was (ms)."""

    name: str
    address: str
    machine: str | None
    is_automatic: bool
    direction: Direction
    trouble: str | None
    tried_at: int | None
    met_at: int | None

    @property
    def is_team(self) -> bool:
        """Whether it is the server of the store's team."""
        return self.address.startswith(f"{TEAM}:")


@dataclass(frozen=True, slots=True)
class Peer:
    """A store that was met, at `met_at` (ms), under the name it gave itself. `meeting` names the last
    meeting that both sides finished, `sent` the newest mark that it was given, -1 before the first."""

    machine: str
    name: str
    met_at: int
    meeting: str | None
    sent: int


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that was refused: its table, what names it there, why, and what to call it: kind, ref and
    title of a memory that is here, else its table and name."""

    kind: str
    key: str
    reason: str
    name: str


@dataclass(frozen=True, slots=True)
class PlaceStatus(MeetingPlace):
    """How it stands with a place: how many rows wait for it (None: all) but for those that were refused,
    these, and how many memories from there wait for a person's word."""

    waiting: int | None = None
    refused: tuple[RefusedRow, ...] = ()
    to_review: int = 0


class Carrier(Protocol):
    """What meets a place that another leaf knows, such as a team's server."""

    scheme: str
    """How its address begins."""

    def meet(self, store: Store, wishes: Wishes, *, is_unattended: bool) -> Outcome:
        """Meet the place. Raises StoreError where it could not be met."""

    def waiting(self, store: Store, peer: Peer) -> dict[str, list[str]] | None:
        """Return what names the rows that wait for it; None before it was met."""

    def to_review(self, store: Store) -> int:
        """Return how many memories from there wait for a person's word."""


def carrier_of(place: MeetingPlace) -> Carrier | None:
    """Return what meets a place that this leaf doesn't know, where that is there."""
    if place.address.startswith(SCHEMES):
        return None
    carriers: list[Carrier] = [*offers("carriers")]
    return next((carrier for carrier in carriers if place.address.startswith(carrier.scheme)), None)


def in_no_team() -> NotFoundError:
    """Return what to say where a store is in no team."""
    return NotFoundError("This store is in no team. `mem team join DSN` joins one.")


def in_a_team(name: str) -> ConflictError:
    """Return what to say where a store is in a team, and may not be."""
    return ConflictError("This store is in the team {name}; `mem team leave` comes first.", name=name)


class Machines:
    """The tables of places, peers and exclusions."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.db = store.db

    def add(
        self,
        name: str,
        address: str,
        *,
        automatic: bool = False,
        direction: Direction = "both",
    ) -> MeetingPlace:
        """Remember where another machine is met; a place of this name is changed. Raises
        InvalidRecordError for an address of no kind that is known."""
        if not address.startswith(SCHEMES) or address in SCHEMES:
            raise InvalidRecordError(
                "{address} is not a machine's address: give ssh://HOST, or folder:DIR.", address=address
            )
        if not name or name.startswith("-"):
            raise InvalidRecordError("A machine needs a name, such as laptop.")
        if name == TEAM:
            raise InvalidRecordError(
                "A team is called {name} here: give the machine another name.", name=name
            )
        with self.store.transaction():
            self.db.execute(
                "INSERT INTO sync_places (name, address, automatic, direction) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET automatic = excluded.automatic, "
                "direction = excluded.direction, address = excluded.address, "
                "machine = iif(address = excluded.address, machine, NULL)",
                (name, address, automatic, direction),
            )
        return self.place(name)

    def places(self) -> list[MeetingPlace]:
        """Return all places, by name, and the team."""
        rows: Any = self.db.execute(f"SELECT * FROM ({PLACES}) ORDER BY name = '{TEAM}', name")
        return [
            MeetingPlace(name, address, machine, bool(automatic), *rest)
            for name, address, machine, automatic, *rest in rows
        ]

    def due(self) -> list[MeetingPlace]:
        """Return the places that are met by themselves, and were not tried within the last minute; ten for
        the team, where it was away."""
        now = now_ms()
        return [
            place
            for place in self.places()
            if place.is_automatic
            and (place.tried_at or 0) < now - PAUSE_MS * (AWAY if place.trouble and place.is_team else 1)
        ]

    def place(self, name: str) -> MeetingPlace:
        """Return a place by its name. Raises NotFoundError."""
        places = {place.name: place for place in self.places()}
        if name in places:
            return places[name]
        if name == TEAM:
            raise in_no_team()
        raise NotFoundError("There is no machine {name}. `mem sync status` lists them.", name=name)

    def note_meeting(self, name: str, machine: str | None, trouble: str | None = None) -> None:
        """Note that a place was met, or why it could not be. One that is met every second is not written
        to every second."""
        place, now = self.place(name), now_ms()
        if (trouble, machine or place.machine) == (place.trouble, place.machine) and (
            (place.tried_at or 0) > now - PAUSE_MS // 4
        ):
            return
        values = {"machine": machine, "trouble": trouble, "now": now, "name": name}
        with self.store.transaction():
            if place.is_team:
                self.db.execute(
                    "UPDATE team SET met_at = iif(:trouble IS NULL, :now, met_at), tried_at = :now, "
                    "trouble = :trouble",
                    values,
                )
            else:
                self.db.execute(
                    "UPDATE sync_places SET machine = coalesce(:machine, machine), trouble = :trouble, "
                    "tried_at = :now WHERE name = :name",
                    values,
                )

    def peer(self, machine: str) -> Peer | None:
        """Return what is known of a store that was met; None of one that wasn't."""
        sql = "SELECT machine, name, met_at, meeting, sent FROM sync_peers WHERE machine = ?"
        row: Any = self.db.execute(sql, (machine,)).fetchone()
        return None if row is None else Peer(*row)

    def meet(self, machine: str, name: str) -> Peer:
        """Return what is known of a store, which is a peer from now on: what changes is marked for it."""
        with self.store.transaction():
            self.db.execute(
                "INSERT INTO sync_peers (machine, name, met_at) VALUES (?, ?, 0) "
                "ON CONFLICT DO UPDATE SET name = excluded.name",
                (machine, name),
            )
            if not machine.startswith(FOLDER_ID):
                note_machine(self.db, machine, name)
        result = self.peer(machine)
        assert result is not None
        return result

    def finish(self, machine: str, meeting: str, sent: int | None) -> None:
        """Note that a meeting is over, and up to which mark the peer has everything now; None where it was
        given nothing."""
        with self.store.transaction():
            # Of what a hidden session holds nothing travels, not even that it is hidden.
            hide_with_sessions(self.db)
            self._revive_sessions()
            self.db.execute(
                "UPDATE sync_peers SET meeting = ?, met_at = ?, sent = coalesce(?, sent) WHERE machine = ?",
                (meeting, now_ms(), sent, machine),
            )
            if sent is not None:
                self.db.execute(
                    "UPDATE unsynced_rows SET was_sent = 1 WHERE id <= ? AND was_sent = 0",
                    (sent,),
                )
            self.db.execute("DELETE FROM unsynced_rows WHERE id <= (SELECT min(sent) FROM sync_peers)")

    def _revive_sessions(self) -> None:
        """Have sessions be there that were deleted by someone who didn't know all that they hold: what
        belongs to a session that is gone goes nowhere. What stands in for one waits for it."""
        from ...formats.common.scope import IN_SESSIONS

        held = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} t WHERE t.session_id = sessions.id AND t.deleted_at IS NULL)"
            for table in IN_SESSIONS
        )
        sql = (
            f"UPDATE sessions SET deleted_at = NULL, {TOUCH} WHERE deleted_at IS NOT NULL AND ({held}) "
            "AND uid NOT IN (SELECT uid FROM purged) AND content_session_id <> uid RETURNING id"
        )
        values = {"now": now_ms(), "machine": self.store.machine_id}
        revived = json.dumps([number for (number,) in self.db.execute(sql, values).fetchall()])
        for table in IN_SESSIONS if revived != "[]" else ():
            self.db.execute(
                "INSERT OR REPLACE INTO unsynced_rows (kind, key) "
                f"SELECT '{table}', uid FROM {table} WHERE private = 0 "
                "AND session_id IN (SELECT value FROM json_each(?))",
                (revived,),
            )

    def note_refused(
        self, machine: str, refused: Sequence[Refusal], offered: Sequence[tuple[str, str]] | None = None
    ) -> None:
        """Remember what a peer refused this time, in place of what it refused before: of the rows that were
        offered, by table and name, or of all."""
        among = "" if offered is None else " AND kind = ? AND key = ?"
        with self.store.transaction():
            self.db.executemany(
                f"DELETE FROM sync_refused WHERE machine = ?{among}",
                [(machine, *key) for key in ([()] if offered is None else offered)],
            )
            self.db.executemany(
                "INSERT OR REPLACE INTO sync_refused VALUES (?, ?, ?, ?, ?)",
                [(machine, item.kind, item.key, item.reason[:500], now_ms()) for item in refused],
            )

    def forget(self, name: str, *, keep: bool) -> int:
        """Meet a place no more, and return how many memories were deleted: without `keep` those that were
        made there and never changed here, which an undo brings back."""
        from ...curation.many import Action

        place = self.place(name)
        if place.is_team:
            raise in_a_team(name)
        deleted = 0
        with self.store.transaction():
            if not keep and place.machine is not None:
                refs = self._made_on(place.machine)
                if refs:
                    self.store.change_many(refs, Action("delete"))
                deleted = len(refs)
            self.db.execute("DELETE FROM sync_places WHERE name = ?", (name,))
            self.forget_peer(place.machine)
            self.db.execute("DELETE FROM sync_chunks WHERE folder = ?", (place.machine,))
        return deleted

    def forget_peer(self, machine: str | None) -> None:
        """Forget what was exchanged with a machine, and what it refused."""
        for table in ("sync_peers", "sync_refused"):
            sql = f"DELETE FROM {table} WHERE machine IN (?1, ?1 || ?2)"
            self.db.execute(sql, (machine, HERE))

    def _made_on(self, machine: str) -> list[str]:
        refs: list[str] = []
        for kind in KINDS.values():
            sql = (
                f"SELECT id FROM {TABLES[kind]} WHERE origin = ?1 AND editor = ?1 "
                f"AND {VISIBLE} AND pinned = 0"
            )
            refs += [ref(kind, number) for (number,) in self.db.execute(sql, (machine,))]
        return refs

    def exclusions(self) -> list[str]:
        """Return the queries of what stays here."""
        sql = "SELECT query FROM sync_exclusions ORDER BY 1"
        return [str(query) for (query,) in self.db.execute(sql)]

    def exclude(self, query: str) -> None:
        """Have what a query finds neither leave nor come in, from now on."""
        if not query.strip():
            raise InvalidRecordError("Name what stays here: a query, such as project:atlas.")
        with self.store.transaction():
            sql = "INSERT INTO sync_exclusions VALUES (?) ON CONFLICT DO NOTHING"
            self.db.execute(sql, (query.strip(),))

    def include(self, query: str) -> None:
        """Take an exclusion away. Raises NotFoundError."""
        with self.store.transaction():
            self.db.execute("DELETE FROM sync_exclusions WHERE query = ?", (query.strip(),))
            if not self.db.changes():
                raise NotFoundError(
                    "{query} is not excluded. `mem sync exclude` lists what is.", query=query
                )
            # What was passed over has to be found again.
            self.db.execute("UPDATE sync_peers SET meeting = NULL")

    def waiting(self, place: MeetingPlace) -> dict[str, list[str]] | None:
        """Return what names the rows that wait for a place, by table; None before it was met."""
        peer = None if place.machine is None else self.peer(place.machine)
        if peer is None:
            return None
        if (carrier := carrier_of(place)) is not None:
            return carrier.waiting(self.store, peer)
        from .rows import RowState

        state = RowState(self.store)
        return state.marked(peer.machine, peer.sent, state.head())

    def named_waiting(self, place: MeetingPlace, most: int) -> list[str]:
        """Return what to call the first memories that wait for a place, and will go there; none before it
        was met: all wait then."""
        from .rows import RowState

        state, names = RowState(self.store), list[str]()
        waiting = self.waiting(place) or {}
        for kind in MEMORIES:
            for line in state.lines(kind, waiting.get(kind, ())):
                gone = f" is {line['gone']}" if "gone" in line else ""
                names.append(self._called(kind, str(line["uid"])) + gone)
                if len(names) == most:
                    return names
        return names

    def refused(self, machine: str | None) -> tuple[RefusedRow, ...]:
        """Return the rows that a peer refused, which are offered again each time, and those of it that this
        store did."""
        rows: Any = self.db.execute(
            "SELECT kind, key, reason FROM sync_refused WHERE machine IN (?1, ?1 || ?2) "
            "ORDER BY machine, kind, key",
            (machine, HERE),
        ).fetchall()
        return tuple(RefusedRow(kind, key, reason, self._called(kind, key)) for kind, key, reason in rows)

    def _called(self, kind: str, key: str) -> str:
        try:
            record = self.store.any_record(key)
        except NotFoundError:
            return f"{kind} {key}"
        title, what = title_of(record), f"{kind_of(record)} {ref_of(record)}"
        return f"{what} “{shortened(title, TITLE)}”" if title else what

    def status(self) -> list[PlaceStatus]:
        """Return how it stands with every place."""
        results = []
        with snapshot(self.db):
            for place in self.places():
                carrier = carrier_of(place)
                waiting = self.waiting(place)
                refused = self.refused(place.machine)
                if waiting is not None:
                    # What was refused is offered again, and counted by itself.
                    for item in refused:
                        if item.key in waiting.get(item.kind, ()):
                            waiting[item.kind].remove(item.key)
                results.append(
                    PlaceStatus(
                        **asdict(place),
                        waiting=None if waiting is None else sum(map(len, waiting.values())),
                        refused=refused,
                        to_review=0 if carrier is None else carrier.to_review(self.store),
                    )
                )
        return results


def automatic_places(store: Store) -> list[AutomaticPlace]:
    """Return how it stands with the places that are met by themselves, in a few looks."""
    machines = Machines(store)
    sql = (
        "SELECT count(*) FROM sync_peers e JOIN unsynced_rows u ON u.id > e.sent "
        "AND u.came_from IS NOT e.machine WHERE e.machine = ?"
    )
    team_name = "SELECT coalesce((SELECT name FROM team), '')"
    results: list[AutomaticPlace] = []
    for place in machines.places():
        if not place.is_automatic:
            continue
        name, waiting = place.name, 0
        if place.is_team:
            name = str(store.db.execute(team_name).get)
            waiting = sum(map(len, (machines.waiting(place) or {}).values()))
        elif place.met_at:
            waiting = int(str(store.db.execute(sql, (place.machine,)).get))
        results.append(AutomaticPlace(name, place.met_at, waiting, place.trouble, is_team=place.is_team))
    return results


def is_any_due(store: Store) -> bool:
    """Whether a place is to be met by itself now."""
    return bool(Machines(store).due())


def sync_command(database: Path, name: str) -> list[str]:
    """Return the arguments of a process that meets a place, asks nobody anything, and prints what came of
    it as JSON."""
    from ...observe.jobs.spawn import ROOT, START

    return [
        sys.executable, "-I", "-c", START, ROOT, "--db", str(database.absolute()), "--json",
        "sync", "--unattended", "--", name,
    ]  # fmt: skip
