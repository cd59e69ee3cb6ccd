"""What changed here goes to a team's server: what is shared, what is gone, rules and reviews."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from ...formats.common.scope import RECORDS
from ...platform.clock import now_ms
from ...platform.translation import _
from ...store import Store
from ...text.redaction import scrub, table_version
from ..sync.channel import Refusal, Verdicts
from ..sync.receiving import JUDGED_BY
from ..sync.rows import ORDER, Line, RowState
from .driver import psycopg
from .entries import REVIEWS, Key, TeamEntry, Verdict, slot_of
from .membership import SLOTS, Team
from .rows import KnownRows, as_json, cleaned, payload_of, words_of
from .server import BATCH, Server
from .sharing import RULES, SHARED, Gone, Shared, Sharing

BATCH_BYTES = 8 * 1024 * 1024
"""So many characters of rows are sent at once, but for the last row."""
OF_GONE = ("uid", "kind", "into_uid", "key", "deleted_at")
"""The keys that rows have which are gone."""
TOLD = ("facts", "observations")
"""The kinds of which there are tellings, or reviews."""


class Pusher:
    """Gives the server what is shared here, for one meeting; `verdicts` are the server's."""

    def __init__(self, store: Store, server: Server, team: Team) -> None:
        self.store = store
        self.db = store.db
        self.server = server
        self.team = team
        self.sharing = Sharing(store)
        self.known = KnownRows(store.db)
        self.verdicts = Verdicts()
        self.older: list[Key] = []
        """The rows of which the server has what this store hasn't seen."""
        self.handles: dict[tuple[str, str], str] = {}
        """What names rows here, by kind and by what names them on the server."""

    def push(self, marked: dict[str, list[str]] | None, state: RowState) -> None:
        """Give the marked rows, or all that the server lacks."""
        self.older.clear()
        shared, gone = self.candidates(marked)
        if not any((*shared.values(), *gone.values())):
            foreign: set[str] = set()
        else:
            foreign = {*self.server.foreign_machines(self.team.team_id)}
        for kind in ORDER:
            if rows := shared.get(kind):
                # Teammates know as deleted what was withdrawn.
                withdrawn = [row.uid for row in rows if row.state == "withdrawn"]
                self.sharing.renew(kind, withdrawn)
                # A teammate's version comes by the server; of that which is there more may be said.
                mine = [
                    row
                    for row in rows
                    if row.version.rpartition(" ")[2] not in foreign
                    or row.uid in withdrawn
                    or row.version_there == row.version
                ]
                self._push_rows(kind, mine, state)
        self.push_beside([row.uid for kind in TOLD for row in gone[kind] if row.state != "renamed"])
        # What is known by another uid now, once that is there.
        for kind, items in gone.items():
            self._push_gone(kind, items, state)
        for kind in RULES:
            keys = None if marked is None else marked.get(kind, [])
            if kind == "fact_sources":
                member, facts = self.team.member, [row.uid for row in shared["facts"]]
                tellings = self.sharing.tellings(member, keys) if keys != [] else []
                tellings += self.sharing.tellings(member, facts=facts) if facts else []
                rows = [*{row.uid: row for row in tellings}.values()]
            else:
                rows = self.sharing.rules_on(kind, keys) if keys != [] else []
            self._push_rows(kind, [row for row in rows if row.goes], state)
        if marked is None:
            sql = (
                f"SELECT uid FROM team_rows WHERE kind IN {TOLD} "
                "AND state IN ('deleted', 'withdrawn', 'purged')"
            )
            self.push_beside([str(uid) for (uid,) in self.db.execute(sql)])

    def push_beside(self, uids: Collection[str]) -> None:
        """Take from the server what this member, or an administrator, may of the tellings and reviews of
        memories that are gone, or go now."""
        rows: Any = self.db.execute(
            "SELECT s.kind, s.uid, s.project, s.visibility FROM json_each(?) g CROSS JOIN team_rows s "
            f"ON s.kind IN ('fact_sources', '{REVIEWS}') AND s.uid > g.value || ' ' "
            "AND s.uid < g.value || '!' "
            "WHERE s.state = 'here' AND s.visibility <> 'private' AND (s.author = ? OR ?)",
            (json.dumps([*uids]), self.team.member, self.team.role == "admin"),
        ).fetchall()
        self._give(
            [
                TeamEntry(
                    kind, uid, project, self.store.machine_id, None, "withdrawn", visibility, "withdrawn",
                    0, now_ms(), "{}",
                )
                for kind, uid, project, visibility in rows
            ]
        )  # fmt: skip

    def push_reviews(self) -> None:
        """Have the server know what this member disputes, and disputes no more."""
        rows: Any = self.db.execute(
            "SELECT r.uid, r.verdict, r.reply, r.at, k.project, k.visibility FROM team_reviews r "
            "CROSS JOIN team_rows k ON k.uid = r.uid AND k.kind IN ('facts', 'observations') "
            "AND k.state = 'here' AND k.visibility <> 'private' "
            f"LEFT JOIN team_rows s ON s.kind = '{REVIEWS}' AND s.uid = r.uid || ' ' || r.member "
            "WHERE r.member = ? AND coalesce(s.version, '') <> CAST(r.at AS TEXT) "
            "AND (r.verdict = 'disputed' OR s.uid IS NOT NULL)",
            (self.team.member,),
        ).fetchall()
        self._give(
            [
                TeamEntry(
                    REVIEWS, f"{uid} {self.team.member}", project, self.store.machine_id, None, str(at),
                    visibility, "here", at, None,
                    as_json({"uid": uid, "verdict": verdict, "reply": scrub(reply)}),
                )
                for uid, verdict, reply, at, project, visibility in rows
            ]
        )  # fmt: skip

    def candidates(
        self, marked: dict[str, list[str]] | None
    ) -> tuple[dict[str, list[Shared]], dict[str, list[Gone]]]:
        """Return the rows that go, whole, and those that are gone, of marked ones or of all; by table."""
        member = self.team.member
        sql = (
            "SELECT EXISTS (SELECT 1 FROM unsynced_rows WHERE kind = 'sessions' AND note IS NOT NULL "
            "AND key IN (SELECT value FROM json_each(?)))"
        )
        if marked is not None and self.db.execute(sql, (json.dumps(marked.get("sessions", [])),)).get:
            # What a session holds that was hidden, or shown again, is not marked by itself.
            marked = None
        shared: dict[str, list[Shared]] = {}
        gone: dict[str, list[Gone]] = {}
        parents: dict[str, str] = {}
        for kind in SHARED:
            keys = None if marked is None else marked.get(kind, [])
            shared[kind], uids = [], set[str]()
            for row in self.sharing.records(kind, keys, member) if keys != [] else ():
                uids.add(row.uid)
                if row.goes:
                    shared[kind].append(row)
                if (marked is None or row.goes) and row.session and parents.get(row.session) != "team":
                    parents[row.session] = row.visibility
            gone[kind] = self._gone(kind, marked, uids)
        keys = None if marked is None else marked.get("sessions", [])
        sessions = self.sharing.sessions(keys, parents, member)
        if marked is None:
            # One that holds nothing that is shared any more goes too.
            sessions = [row for row in sessions if row.uid in parents or row.author != member]
        gone["sessions"] = self._gone("sessions", marked, {row.uid for row in sessions})
        shared["sessions"] = [row for row in sessions if row.goes]
        return shared, gone

    def _gone(self, kind: str, marked: dict[str, list[str]] | None, shared: set[str]) -> list[Gone]:
        keys = None
        if marked is not None:
            keys = [key for name in (kind, "purged", "renamed_records") for key in marked.get(name, ())]
        member, is_admin = self.team.member, self.team.role == "admin"
        return [
            row
            for row in (self.sharing.gone(kind, keys) if keys != [] else ())
            if row.uid not in shared
            and row.visibility != "private"
            and (row.author == member or (is_admin and row.state in ("deleted", "purged")))
        ]

    def _push_rows(self, kind: str, rows: Sequence[Shared], state: RowState) -> None:
        by_uid = {row.uid: row for row in rows}
        named = "name" if kind == "project_aliases" else "uid"
        # What a transaction of another writer changes in between is marked again.
        lines = (line for line in state.lines(kind, list(by_uid)) if "gone" not in line)
        # While the server stores a batch, the next is made.
        with ThreadPoolExecutor(1) as server:
            waiting: list[tuple[list[TeamEntry], Future[list[Verdict]]]] = []
            while batch := _batch(lines):
                entries = [self._entry(kind, by_uid[str(line[named])], line) for line in batch]
                names = [(kind, entry.uid) for entry in entries]
                self.handles.update(zip(names, (str(line[named]) for line in batch), strict=True))
                given, waiting = waiting, []
                for some in self._by_slot(entries):
                    waiting.append((some, server.submit(self._verdicts, some)))
                for some, verdicts in given:
                    self._take_in(some, verdicts.result)
            for some, verdicts in waiting:
                self._take_in(some, verdicts.result)

    def _entry(self, kind: str, row: Shared, line: Line) -> TeamEntry:
        member = self.team.member
        payload = cleaned(payload_of(kind, line, member, row.author or member))
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
            as_json(payload | {JUDGED_BY: table_version()}),
            words_of(kind, payload),
        )

    def _push_gone(self, kind: str, rows: Sequence[Gone], state: RowState) -> None:
        uids = [row.uid for row in rows]
        details: dict[str, dict[str, Line]] = {
            "deleted": {str(line["uid"]): line for line in state.lines(kind, uids) if "gone" in line},
            "purged": {str(line["uid"]): line for line in state.lines("purged", uids)},
            "renamed": {str(line["uid"]): line for line in state.lines("renamed_records", uids)},
        }
        entries = []
        for row in rows:
            line = details.get(row.state, {}).get(row.uid, {"uid": row.uid})
            payload: dict[str, Any] = {name: line[name] for name in OF_GONE if name in line}
            hlc = int(line.get("hlc") or 0)
            editor = str(line.get("editor") or self.store.machine_id)
            version = f"{hlc} {editor}" if row.state == "deleted" else row.state
            entries.append(
                TeamEntry(
                    kind, row.uid, row.project, editor, hlc, version, row.visibility, row.state, 0,
                    int(line.get("deleted_at") or now_ms()), as_json(payload),
                )
            )  # fmt: skip
        self._give(entries)

    def _give(self, entries: Sequence[TeamEntry]) -> None:
        """Have the server store rows, some at a time."""
        for start in range(0, len(entries), BATCH):
            for some in self._by_slot(entries[start : start + BATCH]):
                self._take_in(some, partial(self._verdicts, some))

    def _by_slot(self, entries: Sequence[TeamEntry]) -> Iterable[list[TeamEntry]]:
        """Return rows by their slot, each with what is known of it on the server."""
        known = self.known.versions((entry.kind, entry.uid) for entry in entries)
        slots: dict[int, list[TeamEntry]] = {}
        for entry in entries:
            base, unseen = known.get((entry.kind, entry.uid), ("", ""))
            slots.setdefault(slot_of(entry.uid), []).append(entry._replace(base=base, unseen=unseen))
        return slots.values()

    def _verdicts(self, entries: Sequence[TeamEntry]) -> list[Verdict]:
        return self.server.push(self.team.team_id, self.store.machine_id, entries)

    def _take_in(self, entries: Sequence[TeamEntry], verdicts_of: Callable[[], list[Verdict]]) -> None:
        """Note what became of rows; one that the server can't store is found by halves, and set aside."""
        try:
            verdicts = verdicts_of()
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
        known = self.known.versions(by_key)
        stored = []
        for kind, uid, verdict, author in verdicts:
            if author != self.team.member and kind in RECORDS and (kind, uid) not in known:
                # Somebody who knew its name was there before it; it is theirs to take away.
                verdict = _("{author} shared another memory by its name", author=author)
            if verdict == "older" and kind in RECORDS:
                self.older.append((kind, uid))
            if verdict in ("stored", "known"):
                stored.append(by_key[kind, uid]._replace(author=author))
            if verdict in ("stored", "known", "older"):
                self.verdicts.counts[verdict] += 1
            else:
                self._set_aside(kind, uid, verdict)
        with self.store.transaction():
            self.known.note(stored, is_given=True)

    def _set_aside(self, kind: str, uid: str, reason: str) -> None:
        self.verdicts.counts["refused"] += 1
        self.verdicts.refused.append(Refusal(kind, self.handles.get((kind, uid), uid), reason))


def _batch(lines: Iterator[Line]) -> list[Line]:
    """Return the next lines, which go to all slots."""
    batch: list[Line] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += sum(len(value) for value in line.values() if isinstance(value, (str, list)))
        if len(batch) == BATCH * SLOTS // 2 or size > BATCH_BYTES:
            break
    return batch
