"""A meeting with a team's server: what others brought comes, what changed here goes, and where one side was
put back to an earlier day, digests find what differs."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import md5
from itertools import islice
from typing import Any

import apsw
import psycopg

from ..clock import now_ms, uuid7
from ..database.recording import host_name
from ..errors import StoreError
from ..formats.common.scope import RECORDS
from ..store import Store
from ..sync.exchange import Wishes
from ..sync.machines import Machines, Peer
from ..sync.meeting import Meeting
from ..sync.receiving import Receiver, Refusal, Verdicts
from ..sync.rows import ORDER, Line, RowState
from ..text.redaction import scrub
from .entries import LOCAL, Payload, as_json, cleaned, line_of, payload_of, words_of
from .membership import Team, note_meeting, own_team
from .server import Greeting, Server, TeamEntry
from .sharing import RULES, SHARED, Gone, Shared, Sharing

PLACE = "team"
"""What the team is called among the machines of `mem sync`."""
BATCH = 200
"""So many rows are written in one transaction, here and there: whoever writes meanwhile waits no longer."""
REVIEWS = "reviews"
PAGE = 2_000
"""So many rows are asked for at once."""
AHEAD_MS = 5 * 60_000
"""How far ahead of the server's a clock may be, there."""


def meet_team(store: Store, wishes: Wishes | None = None, *, seconds: int = 10) -> Meeting:
    """Meet the server of the store's team, and note how it went. Raises StoreError where it could not be
    met."""
    wishes = wishes or Wishes()
    team = own_team(store)
    try:
        with Server(team.dsn, seconds=seconds) as server:
            return TeamMeeting(store, server).meet(wishes)
    except StoreError as error:
        if not wishes.dry_run:
            note_meeting(store, str(error))
        raise


class TeamMeeting:
    """Meets the server of the store's team over an open connection, as often as wanted."""

    team: Team
    greeting: Greeting

    def __init__(self, store: Store, server: Server) -> None:
        self.store = store
        self.db: apsw.Connection = store.db
        self.server = server
        self.sharing = Sharing(store)
        self.machines = Machines(store)
        self.given: Counter[str] = Counter()
        self.refused: list[Refusal] = []
        self.handles: dict[tuple[str, str], str] = {}
        """What names rows here, by kind and by what names them on the server."""

    @cached_property
    def receiver(self) -> Receiver:
        """What stores the rows of this meeting, made when there are some."""
        return Receiver(self.store, self.team.peer)

    def meet(self, wishes: Wishes) -> Meeting:
        """Pull, push, and note the end of the meeting on both sides. Raises TeamError."""
        self.team = own_team(self.store)
        self.given, self.refused, self.handles = Counter(), [], {}
        self.greeting = self.server.greet(self.team.team_id, self.store.machine_id)
        self._follow_role()
        peer = self.machines.peer(self.team.peer)
        if wishes.dry_run:
            return self._dry_run(peer)
        peer = peer or self.machines.meet(self.team.peer, self.team.name)
        self.__dict__.pop("receiver", None)
        state = RowState(self.store)
        is_put_back = self.greeting.head < self.team.cursor or (
            peer.meeting is not None and peer.meeting != self.greeting.meeting
        )
        differing = self._compare() if wishes.verify or is_put_back else None
        self._pull(self.greeting.head)
        looks_at_all = peer.meeting is None or peer.sent < 0 or differing is not None
        head = state.head()
        if self.team.may_write and wishes.gives:
            marked = state.marked(peer.machine, peer.sent, head)
            if looks_at_all or marked:
                self._push(None if looks_at_all else marked, state)
            self._give_reviews()
        taken = self.receiver.verdicts if "receiver" in self.__dict__ else Verdicts()
        if looks_at_all or self.given or taken.counts or peer.sent != head:
            meeting = uuid7(now_ms())
            self.server.met(self.team.team_id, self.store.machine_id, host_name(), meeting)
            self.machines.finish(peer.machine, meeting, head)
            self.machines.note_refused(peer.machine, self.refused)
        note_meeting(self.store)
        return Meeting(
            PLACE,
            self.given,
            taken.counts,
            tuple(
                f"{item.kind} {item.key} was refused {where}: {item.reason}"
                for where, some in (("there", self.refused), ("here", taken.refused))
                for item in some
            ),
            taken.conflicts,
            differing,
            tuple(self._notes()),
        )

    def _notes(self) -> Iterable[str]:
        if (ahead := now_ms() - self.greeting.now) > AHEAD_MS:
            yield (
                f"The clock here is {ahead // 60_000} minutes ahead of the server's, which refuses what is "
                "dated so: set the one that is wrong."
            )

    def _follow_role(self) -> None:
        team, greeting = self.team, self.greeting
        if (team.member, team.role) != (greeting.member, greeting.role):
            with self.store.transaction():
                sql = "UPDATE team SET member = ?, role = ?"
                self.db.execute(sql, (greeting.member, greeting.role))
            self.team = own_team(self.store)

    def _dry_run(self, peer: Peer | None) -> Meeting:
        state = RowState(self.store)
        looks_at_all = peer is None or peer.meeting is None or peer.sent < 0
        marked = (
            None
            if looks_at_all or peer is None
            else state.marked(peer.machine, peer.sent, state.head())
        )
        going: Counter[str] = Counter()
        if self.team.may_write:
            shared, gone = self._candidates(marked)
            going.update({kind: len(rows) for kind, rows in shared.items() if rows})
            going.update({kind: len(rows) for kind, rows in gone.items() if rows})
        waiting = max(self.greeting.head - self.team.cursor, 0)
        coming = Counter({"rows": waiting} if waiting else {})
        return Meeting(PLACE, going, coming, (), 0, None, (), is_dry_run=True)

    # Pulling

    def _pull(self, head: int) -> None:
        cursor = self.team.cursor
        while cursor < head:
            entries = self.server.pull(self.team.team_id, cursor, head, self.store.machine_id, PAGE)
            is_last = len(entries) < PAGE
            for start in range(0, len(entries), BATCH):
                batch = entries[start : start + BATCH]
                self._take(batch, batch[-1].seq)
            cursor = head if is_last else entries[-1].seq
            if is_last:
                with self.store.transaction():
                    self._set_cursor(head)

    def _take(self, entries: Sequence[TeamEntry], cursor: int | None) -> None:
        """Store rows, and up to which the server's are here, in one transaction."""
        entries = [*self._sessions_first(entries), *entries]
        member = self.team.member
        lines: list[Line] = []
        purged: list[Line] = []
        reviews: list[TeamEntry] = []
        for entry in entries:
            line = line_of(entry.kind, entry.payload, member, entry.author)
            if entry.kind == REVIEWS:
                reviews.append(entry)
            elif entry.state == "here":
                lines.append(line)
            elif entry.state == "purged":
                purged.append(line | {"table": "purged"})
            elif entry.state == "renamed":
                lines.append(line | {"table": "renamed_records"})
            elif entry.state == "deleted" or entry.author != member:
                # What somebody withdrew is still theirs, and gone for all others.
                lines.append(
                    {
                        "table": entry.kind, "gone": "deleted", "uid": entry.uid, "editor": entry.editor,
                        "hlc": (entry.hlc or 0) + (entry.state == "withdrawn"),
                        "updated_at": entry.deleted_at, "deleted_at": entry.deleted_at,
                    }
                )  # fmt: skip
        lines = self._with_own_columns(lines)
        verdicts = self.receiver.verdicts
        refused = len(verdicts.refused)
        if purged:
            # It empties the log of the file, which no transaction may hold.
            self.receiver.store_batch(purged)
        with self.store.transaction():
            verdicts.owed = defaultdict(set)
            self.receiver.store_batch(lines)
            # Two of a batch may be one record, which is found out once the first is here.
            again = {(item.kind, item.key) for item in verdicts.refused[refused:]}
            if again:
                del verdicts.refused[refused:]
                self.receiver.store_batch(
                    [line for line in lines if (line["table"], line.get("uid")) in again]
                )
            for kind, keys in verdicts.owed.items():
                self._mark(kind, keys)
            for kind in RULES:
                self._mark_merged(kind, [entry for entry in entries if entry.kind == kind])
            out = {(item.kind, item.key) for item in verdicts.refused[refused:]}
            self._note_reviews(reviews)
            self._choose_as_told([entry for entry in entries if entry.author == member])
            self._note([entry for entry in entries if (entry.kind, entry.uid) not in out])
            self._mark_renamed(
                verdicts.owed["renamed_records"],
                {entry.uid for entry in entries if entry.state == "renamed"},
            )
            if cursor is not None:
                self._set_cursor(cursor)

    def _sessions_first(self, entries: Sequence[TeamEntry]) -> list[TeamEntry]:
        """Return the sessions that rows name and that are neither here nor among them: a change has moved
        them to a later place."""
        found: list[TeamEntry] = []
        asked = {entry.uid for entry in entries if entry.kind == "sessions"}
        named = {entry.payload.get(key) for entry in entries for key in ("session", "into_uid")}
        named.discard(None)
        while named := named - asked:
            sql = (
                "SELECT coalesce(r.into_uid, value) AS known FROM json_each(?) "
                "LEFT JOIN renamed_records r ON r.uid = value WHERE known NOT IN (SELECT uid FROM sessions)"
            )
            missing = [str(uid) for (uid,) in self.db.execute(sql, (json.dumps([*named]),))]
            if not missing:
                break
            some = self.server.fetch(self.team.team_id, [("sessions", uid) for uid in missing])
            found += some
            asked |= named | {*missing}
            named = {entry.payload.get("into_uid") for entry in some} - {None}
        return found

    def _with_own_columns(self, lines: list[Line]) -> list[Line]:
        """Return lines with what their rows here have in columns that don't travel."""
        here: dict[str, dict[str, Any]] = {}
        for kind, names in LOCAL.items():
            uids = json.dumps([line.get("uid") for line in lines if line["table"] == kind])
            if uids != "[]":
                columns = ", ".join(names)
                sql = f"SELECT uid, {columns} FROM {kind} WHERE uid IN (SELECT value FROM json_each(?))"
                for uid, *cells in self.db.execute(sql, (uids,)):
                    kept = zip(names, cells, strict=True)
                    here[str(uid)] = {name: cell for name, cell in kept if cell is not None}
        return [
            here.get(str(line.get("uid")), {}) | line if "gone" not in line else line
            for line in lines
        ]

    def _mark(self, kind: str, keys: Iterable[str]) -> None:
        """Have rows of which a newer version is here go, also where their mark was given before."""
        self.db.execute(
            "INSERT OR REPLACE INTO unsynced_rows (kind, key, note) SELECT ?1, value, "
            "(SELECT note FROM unsynced_rows WHERE kind = ?1 AND key = value) FROM json_each(?2)",
            (kind, json.dumps(sorted(keys))),
        )

    def _note_reviews(self, entries: Sequence[TeamEntry]) -> None:
        self.db.executemany(
            "INSERT INTO team_reviews VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "verdict = excluded.verdict, reply = excluded.reply, at = excluded.at WHERE at < excluded.at",
            [
                (
                    str(item.payload["uid"]), item.author, str(item.payload["verdict"]),
                    str(item.payload["reply"]), item.made_at,
                )
                for item in entries
            ],
        )  # fmt: skip

    def _give_reviews(self) -> None:
        """Have the server know what this member disputes, and disputes no more."""
        rows: Any = self.db.execute(
            "SELECT r.uid, r.verdict, r.reply, r.at, k.project, k.visibility FROM team_reviews r "
            "CROSS JOIN team_rows k ON k.uid = r.uid AND k.kind IN ('facts', 'observations') "
            "AND k.state = 'here' "
            f"LEFT JOIN team_rows s ON s.kind = '{REVIEWS}' AND s.uid = r.uid || ' ' || r.member "
            "WHERE r.member = ? AND coalesce(s.version, '') <> CAST(r.at AS TEXT) "
            "AND (r.verdict = 'disputed' OR s.uid IS NOT NULL)",
            (self.team.member,),
        ).fetchall()
        for start in range(0, len(rows), BATCH):
            self._give(
                [
                    TeamEntry(
                        REVIEWS, f"{uid} {self.team.member}", project, self.store.machine_id, None,
                        str(at), visibility, "here", at, None,
                        as_json({"uid": uid, "verdict": verdict, "reply": scrub(reply)}),
                    )
                    for uid, verdict, reply, at, project, visibility in rows[start : start + BATCH]
                ]
            )  # fmt: skip

    def _choose_as_told(self, entries: Sequence[TeamEntry]) -> None:
        """Have what another machine of this member withdrew, or shared again, be a choice here too: a rule
        for its project would bring it back."""
        for entry in entries:
            if entry.state == "withdrawn":
                sql = "INSERT OR IGNORE INTO team_choices VALUES (?, 'private')"
                self.db.execute(sql, (entry.uid,))
            elif entry.state == "here":
                self.db.execute(
                    "DELETE FROM team_choices WHERE uid = ?1 AND visibility = 'private' AND EXISTS "
                    "(SELECT 1 FROM team_rows WHERE kind = ?2 AND uid = ?1 AND state = 'withdrawn')",
                    (entry.uid, entry.kind),
                )

    def _mark_renamed(self, found: set[str], told: set[str]) -> None:
        """Have the records go that others turned out to be, here or elsewhere: what is here of both need
        not be there. If one of them is on the server, so is what they are together."""
        self.db.execute(
            "INSERT OR IGNORE INTO team_rows SELECT k.kind, r.into_uid, k.author, k.project, k.visibility, "
            "'here', '', k.shared_here FROM renamed_records r "
            "JOIN team_rows k ON k.kind = r.kind AND k.uid = r.uid "
            "AND k.state = 'here' WHERE r.uid IN (SELECT value FROM json_each(?))",
            (json.dumps([*found]),),
        )
        sql = (
            "SELECT kind, json_group_array(into_uid) FROM renamed_records "
            "WHERE uid IN (SELECT value FROM json_each(?)) GROUP BY 1"
        )
        for kind, into in self.db.execute(sql, (json.dumps([*found, *told]),)).fetchall():
            self._mark(str(kind), json.loads(str(into)))

    def _mark_merged(self, kind: str, entries: Sequence[TeamEntry]) -> None:
        """Have rules go back that became something else here: they were made one with what was here."""
        if not entries:
            return
        came = {entry.uid: entry.version for entry in entries}
        if kind == "fact_sources":
            facts = [str(entry.payload.get("fact")) for entry in entries]
            rows = self.sharing.tellings(self.team.member, facts=facts)
        else:
            rows = self.sharing.rules_on(kind, [*came])
        changed = [row.uid for row in rows if came.get(row.key, row.version) != row.version]
        self._mark(kind, changed)

    def _note(self, entries: Sequence[TeamEntry], *, given: bool = False) -> None:
        """Note what the server has, and whether this store gave it."""
        self.db.executemany(
            "INSERT INTO team_rows VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "author = excluded.author, project = excluded.project, visibility = excluded.visibility, "
            "state = excluded.state, version = excluded.version, "
            "shared_here = max(shared_here, excluded.shared_here)",
            [
                (
                    item.kind, item.uid, item.author, item.project, item.visibility, item.state,
                    item.version, given,
                )
                for item in entries
            ],
        )  # fmt: skip

    def _set_cursor(self, cursor: int) -> None:
        self.db.execute("UPDATE team SET cursor = ?", (cursor,))

    # Pushing

    def _candidates(
        self, marked: dict[str, list[str]] | None
    ) -> tuple[dict[str, list[Shared]], dict[str, list[Gone]]]:
        """Return the rows that go, whole, and those that are gone, of marked ones or of all; by table."""
        member = self.team.member
        if marked is not None and self._has_session_hidden(marked):
            marked = None
        shared: dict[str, list[Shared]] = {}
        gone: dict[str, list[Gone]] = {}
        parents: dict[str, str] = {}
        for kind in SHARED:
            keys = None if marked is None else marked.get(kind, [])
            rows = self.sharing.records(kind, keys, member) if keys != [] else []
            gone[kind] = self._gone(kind, marked, {row.uid for row in rows})
            shared[kind] = self._new(kind, rows)
            for row in rows if marked is None else shared[kind]:
                if row.session is not None and parents.get(row.session) != "team":
                    parents[row.session] = row.visibility
        keys = None if marked is None else marked.get("sessions", [])
        sessions = self.sharing.sessions(keys, parents, member)
        if marked is None:
            # One that holds nothing that is shared any more goes too.
            sessions = [row for row in sessions if row.uid in parents or row.author != member]
        gone["sessions"] = self._gone("sessions", marked, {row.uid for row in sessions})
        shared["sessions"] = self._new("sessions", sessions)
        return shared, gone

    def _has_session_hidden(self, marked: dict[str, list[str]]) -> bool:
        sql = (
            "SELECT EXISTS (SELECT 1 FROM unsynced_rows WHERE kind = 'sessions' AND note IS NOT NULL "
            "AND key IN (SELECT value FROM json_each(?)))"
        )
        return bool(self.db.execute(sql, (json.dumps(marked.get("sessions", [])),)).get)

    def _new(self, kind: str, rows: Sequence[Shared]) -> list[Shared]:
        """Return those of the rows that the server has not, or not as they are."""
        known = self._known(kind, rows)
        return [
            row
            for row in rows
            if known.get(row.key) != ("here", row.version, row.visibility, row.project)
        ]

    def _known(self, kind: str, rows: Sequence[Shared]) -> dict[str, tuple[str, str, str, str]]:
        """Return what of rows is on the server: state, version, visibility and project, by key."""
        sql = (
            "SELECT uid, state, version, visibility, project FROM team_rows "
            "WHERE kind = ? AND uid IN (SELECT value FROM json_each(?))"
        )
        keys = json.dumps([row.key for row in rows])
        found: Any = self.db.execute(sql, (kind, keys))
        return {uid: (state, version, *rest) for uid, state, version, *rest in found}

    def _gone(self, kind: str, marked: dict[str, list[str]] | None, shared: set[str]) -> list[Gone]:
        keys = None
        if marked is not None:
            keys = [
                key for name in (kind, "purged", "renamed_records") for key in marked.get(name, ())
            ]
        member, is_admin = self.team.member, self.team.role == "admin"
        return [
            row
            for row in (self.sharing.gone(kind, keys) if keys != [] else ())
            if row.uid not in shared
            and (
                row.author == member
                or (row.state == "renamed")
                or (is_admin and row.state in ("deleted", "purged"))
            )
        ]

    def _push(self, marked: dict[str, list[str]] | None, state: RowState) -> None:
        shared, gone = self._candidates(marked)
        if not any((*shared.values(), *gone.values())):
            foreign: set[str] = set()
        else:
            foreign = self.server.foreign_machines(self.team.team_id)
        for kind in ORDER:
            if rows := shared.get(kind):
                known = self._known(kind, rows)
                # Teammates know as deleted what was withdrawn; and what became one record with a teammate's
                # is this machine's version of both.
                older = [
                    row.uid
                    for row in rows
                    if known.get(row.uid, ("",))[0] == "withdrawn"
                    or row.version.rpartition(" ")[2] in foreign
                ]
                self.sharing.renew(kind, older)
                self._push_rows(kind, rows, state)
        # What is known by another uid now, once that is there.
        for kind, items in gone.items():
            self._push_gone(kind, items, state, foreign)
        for kind in RULES:
            keys = None if marked is None else marked.get(kind, [])
            if kind == "fact_sources":
                member, facts = self.team.member, [row.uid for row in shared["facts"]]
                told = self.sharing.tellings(member, keys) if keys != [] else []
                told += self.sharing.tellings(member, facts=facts) if facts else []
                rows = [*{row.uid: row for row in told}.values()]
            else:
                rows = self.sharing.rules_on(kind, keys) if keys != [] else []
            self._push_rows(kind, self._new(kind, rows), state)

    def _push_rows(self, kind: str, rows: Sequence[Shared], state: RowState) -> None:
        by_uid = {row.uid: row for row in rows}
        named = "name" if kind == "project_aliases" else "uid"
        # What a transaction of another writer changes in between is marked again.
        lines = (line for line in state.lines(kind, list(by_uid)) if "gone" not in line)
        while some := list(islice(lines, BATCH)):
            pairs = [(by_uid[str(line[named])], line) for line in some]
            member = self.team.member
            payloads = [payload_of(kind, line, member, row.author or member) for row, line in pairs]
            self.handles.update({(kind, row.key): row.uid for row, _ in pairs})
            self._give(
                [
                    self._entry(kind, row, line, payload)
                    for (row, line), payload in zip(pairs, cleaned(payloads), strict=True)
                ]
            )

    def _entry(self, kind: str, row: Shared, line: Line, payload: Payload) -> TeamEntry:
        is_record = kind in RECORDS
        return TeamEntry(
            kind,
            row.key,
            row.project,
            (is_record and str(line["editor"])) or self.store.machine_id,
            int(line["hlc"]) if is_record else None,
            f"{line['hlc']} {line['editor']}" if is_record else row.version,
            row.visibility,
            "here",
            row.made_at,
            None,
            as_json(payload),
            words_of(kind, payload),
        )

    def _push_gone(
        self, kind: str, rows: Sequence[Gone], state: RowState, foreign: set[str]
    ) -> None:
        for start in range(0, len(rows), BATCH):
            some = rows[start : start + BATCH]
            uids = [row.uid for row in some]
            details: dict[str, dict[str, Line]] = {
                "deleted": {
                    str(line["uid"]): line for line in state.lines(kind, uids) if "gone" in line
                },
                "purged": {str(line["uid"]): line for line in state.lines("purged", uids)},
                "renamed": {
                    str(line["uid"]): line for line in state.lines("renamed_records", uids)
                },
            }
            batch = []
            for row in some:
                line = details.get(row.state, {}).get(row.uid, {"uid": row.uid})
                payload: dict[str, Any] = {
                    name: line[name]
                    for name in ("uid", "kind", "into_uid", "key", "deleted_at")
                    if name in line
                }
                hlc = int(line.get("hlc") or 0)
                editor = str(line.get("editor") or self.store.machine_id)
                if editor in foreign:
                    # A teammate deleted another record that turned out to be this one.
                    hlc, editor = hlc + 1, self.store.machine_id
                version = f"{hlc} {editor}" if row.state == "deleted" else row.state
                batch.append(
                    TeamEntry(
                        kind, row.uid, row.project, editor, hlc, version, row.visibility, row.state, 0,
                        int(line.get("deleted_at") or now_ms()), as_json(payload),
                    )
                )  # fmt: skip
            self._give(batch)

    def _give(self, entries: Sequence[TeamEntry]) -> None:
        """Have the server store rows; one that it can't store is found by halves, and set aside."""
        if not entries:
            return
        try:
            verdicts = self.server.push(self.team.team_id, self.store.machine_id, entries)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            if len(entries) == 1:
                reason = str(error).splitlines()[0]
                self._set_aside(entries[0].kind, entries[0].uid, reason)
                return
            half = len(entries) // 2
            self._give(entries[:half])
            self._give(entries[half:])
            return
        by_key = {(entry.kind, entry.uid): entry for entry in entries}
        stored = []
        for kind, uid, verdict, author in verdicts:
            if verdict in ("stored", "known"):
                stored.append(by_key[kind, uid]._replace(author=author))
            if verdict in ("stored", "known", "older"):
                self.given[verdict] += 1
            else:
                self._set_aside(kind, uid, verdict)
        with self.store.transaction():
            self._note(stored, given=True)

    def _set_aside(self, kind: str, uid: str, reason: str) -> None:
        self.given["refused"] += 1
        self.refused.append(Refusal(kind, self.handles.get((kind, uid), uid), reason))

    # Comparing

    def _compare(self) -> int:
        """Find where the server and what is known of it here differ: fetch what it has, and forget what of
        one's own it has not, so that it goes again. Return how many buckets differed."""
        mine: dict[tuple[str, str], dict[str, tuple[str, str]]] = defaultdict(dict)
        for kind, uid, state, version in self.db.execute(
            "SELECT kind, uid, state, version FROM team_rows"
        ):
            bucket = md5(str(uid).encode(), usedforsecurity=False).hexdigest()[:2]
            mine[str(kind), bucket][str(uid)] = str(state), str(version)
        digests = {bucket: _digest(rows) for bucket, rows in mine.items()}
        theirs = self.server.digests(self.team.team_id)
        differing = [
            bucket
            for bucket in sorted({*digests, *theirs}, key=lambda pair: (_place(pair[0]), pair))
            if digests.get(bucket) != theirs.get(bucket)
        ]
        for kind, bucket in differing:
            there = self.server.listing(self.team.team_id, kind, bucket)
            here = mine.get((kind, bucket), {})
            with self.store.transaction():
                self.db.executemany(
                    "DELETE FROM team_rows WHERE kind = ? AND uid = ? AND author = ?",
                    [(kind, uid, self.team.member) for uid in here.keys() - there.keys()],
                )
            keys = [(kind, uid) for uid, known in there.items() if here.get(uid) != known]
            for start in range(0, len(keys), BATCH):
                entries = self.server.fetch(self.team.team_id, keys[start : start + BATCH])
                self._take(entries, None)
        if self.greeting.head < self.team.cursor:
            with self.store.transaction():
                self._set_cursor(self.greeting.head)
            self.team = own_team(self.store)
        return len(differing)


def _digest(rows: dict[str, tuple[str, str]]) -> str:
    lines = (
        f"{uid} {state} {version}"
        for uid, (state, version) in sorted(rows.items(), key=lambda item: item[0].encode())
    )
    return md5("\n".join(lines).encode(), usedforsecurity=False).hexdigest()


def _place(kind: str) -> int:
    return ORDER.index(kind) if kind in ORDER else len(ORDER)
