"""What others brought to a team's server comes: rows are stored, beside what is known of the server."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from ...formats.common.scope import IN_SESSIONS, RECORDS
from ...platform.clock import DAY_MS, now_ms
from ...platform.translation import _
from ...store import Store
from ...tables.removal.purge import EVENT_KINDS
from ..sync.channel import Refusal, Verdicts, fault_of
from ..sync.conflicts import keep_version
from ..sync.machines import HERE, Machines
from ..sync.receiving import Receiver
from ..sync.rows import COPIED, OWNED, Line
from .entries import REVIEWS, Key, TeamEntry
from .membership import SLOTS, Team
from .retention import TeamRetention
from .rows import LOCAL, OWN_NAMES, KnownRows, fault_of_entry, line_of
from .server import PAGE, Server
from .sharing import RULES, Sharing

UNSHARED = _("is a memory of yours that you do not share")
ANOTHERS = """
SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?) j LEFT JOIN renamed_records r ON r.uid = j.value ->> 3
CROSS JOIN team_rows k ON k.kind = j.value ->> 0 AND k.uid = coalesce(r.into_uid, j.value ->> 3)
WHERE k.author <> j.value ->> 2 AND (r.uid IS NOT NULL OR j.value ->> 1 <> j.value ->> 3)
"""
"""The rows, of [kind, uid, author, name], that by a name are one with another author's."""


class Puller:
    """Stores the server's rows, for one meeting."""

    def __init__(self, store: Store, server: Server, team: Team) -> None:
        self.store = store
        self.db = store.db
        self.server = server
        self.team = team
        self.sharing = Sharing(store)
        self.known = KnownRows(store.db)
        self.verdicts = Verdicts()
        self.gone: set[str] = set()
        """The memories that came as gone: what was told of them goes too."""
        self.lines: dict[Key, Line] = {}
        """The lines of the rows that are being stored."""
        self.authors: dict[str, str] = {}
        """Whose the rows are that are being stored, by uid."""
        self.kept_since = TeamRetention(store).since()

    @cached_property
    def receiver(self) -> Receiver:
        """What stores the rows of this meeting, made when there are some."""
        receiver = Receiver(self.store, self.team.peer, is_team=True)
        receiver.verdicts = self.verdicts
        return receiver

    def pull(self, cursors: Sequence[int], heads: Sequence[int], *, is_first: bool) -> None:
        """Store the rows of each slot of the server from behind one number to another, but those that this
        store gave only in its first meeting: it may have left the team and come again."""
        if [*cursors] == [*heads]:
            return
        machine = None if is_first else self.store.machine_id
        here = [*cursors]
        step = PAGE // SLOTS
        while here != [*heads]:
            # Of all slots at once: what was made together lies together here, and comes with its session.
            until = [min(head, number + step) for number, head in zip(here, heads, strict=True)]
            rows = 0
            while here != until and (entries := self.server.pull(self.team.team_id, here, until, machine)):
                for entry in entries:
                    here[entry.slot] = entry.seq
                self.take(entries, here)
                rows += len(entries)
            here = until
            # Where few of the rows are the member's to read, more are passed at once.
            step = step * 2 if rows < PAGE // 4 else PAGE // SLOTS
        with self.store.transaction():
            self.known.set_cursors(heads)

    def take(self, entries: Sequence[TeamEntry], cursors: Sequence[int] | None) -> None:
        """Store rows, and up to which numbers the server's are here, in one transaction."""
        verdicts = self.verdicts
        before = len(verdicts.refused)
        self.lines.clear()
        fetched = entries = self._allowed(entries)
        removed = self._removed(entries)
        entries = [entry for entry in entries if (entry.kind, entry.uid) not in removed]
        entries = [*self._sessions_first(entries), *entries]
        member = self.team.member
        self.authors = {entry.uid: entry.author for entry in entries}
        holding = self._holding_own(entries)
        lines: list[Line] = []
        purged: list[Line] = []
        reviews: list[TeamEntry] = []
        for entry in entries:
            if entry.kind == REVIEWS:
                reviews.append(entry)
            elif entry.kind not in RECORDS and entry.state != "here":
                # A telling is gone with its fact.
                continue
            elif entry.kind == "project_aliases" and entry.author != member:
                # By it, captures of what one keeps to oneself would become a shared project's.
                continue
            elif entry.kind == "sessions" and entry.uid in holding:
                continue
            elif entry.state in ("here", "renamed"):
                lines.append(self.lines[entry.kind, entry.uid])
                if entry.kind == "fact_sources" and entry.author != self._author_of_fact(entry):
                    # It would be a part of what the fact's author says.
                    lines[-1]["entities"] = []
            elif entry.state == "purged":
                purged.append({"table": "purged", "uid": entry.uid, "kind": entry.kind})
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
        refused = len(verdicts.refused)
        if purged:
            # It empties the log of the file, which no transaction may hold.
            self.receiver.store_batch(purged)
        self.receiver.read(lines)
        with self.store.transaction():
            verdicts.owed = defaultdict(set)
            self._keep_unseen(entries)
            self.receiver.unseen.clear()
            self.receiver.store_batch(lines)
            # Two of a batch may be one record, which is found out once the first is here.
            again = {(item.kind, item.key) for item in verdicts.refused[refused:]}
            if again:
                del verdicts.refused[refused:]
                self.receiver.store_batch(
                    [line for line in lines if (line["table"], line.get("uid")) in again]
                )
            for kind, keys in verdicts.owed.items():
                self.receiver.state.mark(kind, keys)
            for kind in RULES:
                came_here = [it for it in entries if it.kind == kind and it.state == "here"]
                self._mark_merged(kind, came_here)
            out = {(item.kind, item.key) for item in verdicts.refused[refused:]}
            self._note_reviews(reviews)
            self._choose_as_told([entry for entry in entries if entry.author == member])
            self.known.note(
                [entry for entry in entries if (entry.kind, entry.uid) not in out] + [*removed.values()],
                unseen=self._unseen(),
            )
            self._mark_renamed(
                verdicts.owed["renamed_records"],
                {entry.uid for entry in entries if entry.state == "renamed"},
            )
            self.gone.update(
                entry.uid for entry in entries if entry.state in ("deleted", "withdrawn", "purged")
            )
            Machines(self.store).note_refused(
                self.team.peer + HERE,
                verdicts.refused[before:],
                [(entry.kind, entry.uid) for entry in fetched],
            )
            if cursors is not None:
                self.known.set_cursors(cursors)

    def _keep_unseen(self, entries: Iterable[TeamEntry]) -> None:
        """Keep what this member wrote and another replaced without having seen it."""
        for entry in entries:
            if entry.unseen and entry.kind in COPIED:
                keep_version(self.db, entry.kind, entry.uid, entry.unseen.split(","))

    def _unseen(self) -> dict[tuple[str, str], str]:
        """Return the versions that what is here replaces without their having been seen, by row."""
        before = self.known.versions(self.receiver.unseen)
        return {
            key: ",".join(filter(None, (before.get(key, ("", ""))[1], version)))
            for key, version in self.receiver.unseen.items()
        }

    def _allowed(self, entries: Sequence[TeamEntry]) -> list[TeamEntry]:
        """Return the rows that are what their keys say, and about nothing that this member keeps to
        themselves; refuse the others."""
        allowed: list[TeamEntry] = []
        refused, anothers = self._kept_to_oneself(entries), self._anothers(entries)
        for entry in entries:
            fault = fault_of_entry(entry)
            if fault is None and entry.kind != REVIEWS and entry.state in ("here", "renamed"):
                self.lines[entry.kind, entry.uid] = line = line_of(entry, self.team.member)
                fault = fault_of(line)
            if fault is None and (entry.kind, entry.uid) in refused:
                fault = UNSHARED
            if fault is None and (entry.kind, entry.uid) in anothers:
                fault = _("is to be one with a memory of another author")
            if fault is None and _made_at(entry) > now_ms() + DAY_MS:
                # It would be the newest for ever.
                fault = _("is dated in the future; a clock is wrong")
            if fault is None:
                allowed.append(entry)
            else:
                self.verdicts.refused.append(Refusal(entry.kind, entry.uid, fault))
        return allowed

    def _anothers(self, entries: Sequence[TeamEntry]) -> set[Key]:
        """Return what names the rows that are known here by the name of another author's, or want to be:
        what takes them away would take that one away."""
        named = [
            (entry.kind, entry.uid, entry.author, name)
            for entry in entries
            if entry.kind in RECORDS
            for table, name in _named_by(entry)
            if table == entry.kind
        ]
        rows: Any = self.db.execute(ANOTHERS, (json.dumps(named),))
        return {(kind, uid) for kind, uid in rows}

    def _kept_to_oneself(self, entries: Sequence[TeamEntry]) -> set[Key]:
        """Return what names the rows that would change what the member never shared, wherever it was
        made; and by which others take away what the member withdrew, or made private since. What a machine
        of theirs brought first is theirs on the server too, and their machines take away what they like."""
        named = {(entry.kind, entry.uid): [*_named_by(entry)] for entry in entries}
        uids: dict[str, set[str]] = defaultdict(set)
        for table, uid in chain.from_iterable(named.values()):
            uids[table].add(uid)
        own = {table: self._own(table, of_table) for table, of_table in uids.items()}
        unshared = {(table, uid) for table in own for uid, _kept, is_shared in own[table] if not is_shared}
        withheld = {(table, uid) for table in own for uid, is_kept, _known in own[table] if is_kept}
        if not unshared and not withheld:
            return set()
        foreign = {machine for (machine,) in self.db.execute("SELECT machine FROM team_machines")}
        return {
            key
            for entry in entries
            for key in [(entry.kind, entry.uid)]
            if (entry.author != self.team.member and not unshared.isdisjoint(named[key]))
            or (entry.state != "here" and entry.editor in foreign and key in withheld)
        }

    def _own(self, kind: str, uids: Iterable[str]) -> list[tuple[str, bool, bool]]:
        """Return those of the records that are here and no teammate's, each with whether it is private or
        withdrawn, and whether it was shared and not withdrawn."""
        is_owned = kind in IN_SESSIONS
        condition = f"t.private OR {'owner.private OR ' if is_owned else ''}k.state = 'withdrawn'"
        # One that stands in for the session of a teammate's row, which one may not read.
        is_made = "t.content_session_id <> t.uid" if kind == "sessions" else "true"
        rows: Any = self.db.execute(
            f"SELECT j.value, {condition}, coalesce(k.state, 'withdrawn') <> 'withdrawn' "
            "FROM json_each(?) j "
            f"LEFT JOIN renamed_records r ON r.uid = j.value "
            f"CROSS JOIN {kind} t ON t.uid = coalesce(r.into_uid, j.value) {OWNED if is_owned else ''} "
            f"LEFT JOIN team_rows k ON k.kind = '{kind}' AND k.uid = t.uid "
            f"WHERE (k.author IS NULL OR k.author = ?) AND {is_made}",
            (json.dumps([*uids]), self.team.member),
        )
        return [(str(uid), bool(is_kept), bool(is_shared)) for uid, is_kept, is_shared in rows]

    def _holding_own(self, entries: Iterable[TeamEntry]) -> set[str]:
        """Return the sessions that teammates took away and that hold memories which none of them shared:
        these stay, with their session."""
        uids = [
            entry.uid
            for entry in entries
            if entry.kind == "sessions"
            and entry.state in ("deleted", "withdrawn", "purged")
            and entry.author != self.team.member
        ]
        if not uids:
            return set()
        held = " UNION ALL ".join(
            f"SELECT 1 FROM {table} t LEFT JOIN team_rows k ON k.kind = '{table}' AND k.uid = t.uid "
            "WHERE t.session_id = s.id AND t.deleted_at IS NULL AND (k.author IS NULL OR k.author = ?2)"
            for table in IN_SESSIONS
        )
        sql = (
            "SELECT j.value FROM json_each(?1) j LEFT JOIN renamed_records r ON r.uid = j.value "
            f"CROSS JOIN sessions s ON s.uid = coalesce(r.into_uid, j.value) WHERE EXISTS ({held})"
        )
        rows = self.db.execute(sql, (json.dumps(uids), self.team.member))
        return {str(uid) for (uid,) in rows}

    def _author_of_fact(self, entry: TeamEntry) -> str:
        """Return who shared the fact of a telling."""
        uid = str(entry.payload["fact"])
        sql = "SELECT author FROM team_rows WHERE kind = 'facts' AND uid = ?"
        return self.authors.get(uid) or str(self.db.execute(sql, (uid,)).get or "")

    def _removed(self, entries: Sequence[TeamEntry]) -> dict[Key, TeamEntry]:
        """Return the teammates' rows that are too old to be kept, and not here any more or yet, by what
        names them."""
        member = self.team.member
        old = [
            entry
            for entry in entries
            if entry.made_at < self.kept_since
            and entry.kind in ("sessions", *EVENT_KINDS)
            and entry.state == "here"
            and entry.author != member
        ]
        here: set[tuple[str, str]] = set()
        for kind in {entry.kind for entry in old}:
            uids = json.dumps([entry.uid for entry in old if entry.kind == kind])
            sql = f"SELECT uid FROM {kind} WHERE uid IN (SELECT value FROM json_each(?))"
            here |= {(kind, str(uid)) for (uid,) in self.db.execute(sql, (uids,))}
        return {key: entry for entry in old if (key := (entry.kind, entry.uid)) not in here}

    def _sessions_first(self, entries: Sequence[TeamEntry]) -> list[TeamEntry]:
        """Return the sessions that rows name and that are neither here nor among them: a change has moved
        them to a later place."""
        sessions: list[TeamEntry] = []
        asked = {entry.uid for entry in entries if entry.kind == "sessions"}
        named = _texts_of(entries, "session", "into_uid")
        while named := named - asked:
            sql = (
                "SELECT coalesce(r.into_uid, value) AS known FROM json_each(?) "
                "LEFT JOIN renamed_records r ON r.uid = value WHERE known NOT IN (SELECT uid FROM sessions)"
            )
            missing = [str(uid) for (uid,) in self.db.execute(sql, (json.dumps([*named]),))]
            if not missing:
                break
            keys = [("sessions", uid) for uid in missing]
            fetched = self._allowed(self.server.fetch(self.team.team_id, keys))
            sessions += fetched
            asked |= named | {*missing}
            named = _texts_of(fetched, "into_uid")
        return sessions

    def _with_own_columns(self, lines: list[Line]) -> list[Line]:
        """Return lines with what their rows here have in columns that don't travel."""
        here: dict[str, dict[str, Any]] = {}
        for kind, local in LOCAL.items():
            names = dict.fromkeys((*local, *OWN_NAMES[kind]))
            uids = json.dumps([line.get("uid") for line in lines if line["table"] == kind])
            if uids != "[]":
                columns = ", ".join(names)
                sql = f"SELECT uid, {columns} FROM {kind} WHERE uid IN (SELECT value FROM json_each(?))"
                for uid, *cells in self.db.execute(sql, (uids,)):
                    values = zip(names, cells, strict=True)
                    here[str(uid)] = {name: cell for name, cell in values if cell is not None}
        for line in lines:
            if not line.get("tool_name"):
                # Only a tool's output stays.
                here.get(str(line.get("uid")), {}).pop("text", None)
        return [here.get(str(line.get("uid")), {}) | line if "gone" not in line else line for line in lines]

    def _note_reviews(self, entries: Sequence[TeamEntry]) -> None:
        self.db.executemany(
            "DELETE FROM team_reviews WHERE uid = ? AND member = ? AND member <> ?",
            [
                (item.uid.rpartition(" ")[0], item.author, self.team.member)
                for item in entries
                if item.state != "here"
            ],
        )
        self.db.executemany(
            "INSERT INTO team_reviews (uid, member, verdict, reply, at) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET "
            "verdict = excluded.verdict, reply = excluded.reply, at = excluded.at WHERE at < excluded.at",
            [
                (
                    str(item.payload["uid"]), item.author, str(item.payload["verdict"]),
                    str(item.payload["reply"]), item.made_at,
                )
                for item in entries
                if item.state == "here"
            ],
        )  # fmt: skip

    def _choose_as_told(self, entries: Sequence[TeamEntry]) -> None:
        """Have what another machine of this member withdrew, or shared again, be a choice here too: a rule
        for its project would bring it back."""
        for entry in entries:
            if entry.state == "withdrawn" and entry.editor != self.store.machine_id:
                sql = "INSERT OR IGNORE INTO team_choices VALUES (?, 'private')"
                self.db.execute(sql, (entry.uid,))
            elif entry.state == "here":
                self.db.execute(
                    "DELETE FROM team_choices WHERE uid = ?1 AND visibility = 'private' AND EXISTS "
                    "(SELECT 1 FROM team_rows WHERE kind = ?2 AND uid = ?1 AND state = 'withdrawn')",
                    (entry.uid, entry.kind),
                )

    def _mark_renamed(self, owed: set[str], renamed: set[str]) -> None:
        """Have the records go that others turned out to be, here or elsewhere: what is here of both need
        not be there. If one of them is on the server, so is what they are together."""
        self.db.execute(
            "INSERT OR IGNORE INTO team_rows (kind, uid, author, project, visibility, state, "
            "version, shared_here) SELECT k.kind, r.into_uid, k.author, k.project, k.visibility, "
            "'here', '', k.shared_here FROM renamed_records r "
            "JOIN team_rows k ON k.kind = r.kind AND k.uid = r.uid "
            "AND k.state = 'here' WHERE r.uid IN (SELECT value FROM json_each(?))",
            (json.dumps([*owed]),),
        )
        sql = (
            "SELECT kind, json_group_array(into_uid) FROM renamed_records "
            "WHERE uid IN (SELECT value FROM json_each(?)) GROUP BY 1"
        )
        for kind, into in self.db.execute(sql, (json.dumps([*owed, *renamed]),)).fetchall():
            self.receiver.state.mark(str(kind), json.loads(str(into)))

    def _mark_merged(self, kind: str, entries: Sequence[TeamEntry]) -> None:
        """Have rules go back that became something else here: they were made one with what was here."""
        if not entries:
            return
        versions = {entry.uid: entry.version for entry in entries}
        if kind == "fact_sources":
            facts = [str(entry.payload.get("fact")) for entry in entries]
            rows = self.sharing.tellings(self.team.member, facts=facts)
        else:
            rows = self.sharing.rules_on(kind, [*versions])
        changed = [row.uid for row in rows if versions.get(row.key, row.version) != row.version]
        self.receiver.state.mark(kind, changed)


def _named_by(entry: TeamEntry) -> Iterator[tuple[str, str]]:
    """Yield the records that a row would change, or be added to, by table and uid."""
    payload: dict[str, Any] = entry.payload if isinstance(entry.payload, dict) else {}
    if entry.kind in RECORDS:
        yield entry.kind, entry.uid
    names: dict[str, Sequence[str]] = {
        "session": ("sessions",) if entry.kind in IN_SESSIONS else (),
        "fact": ("facts",) if entry.kind == "fact_sources" else (),
        "into_uid": (entry.kind,) if entry.kind in RECORDS else RECORDS,
        "uid": RECORDS if entry.kind == "merged_records" else (),
    }
    for name, tables in names.items():
        if isinstance(uid := payload.get(name), str):
            yield from ((table, uid) for table in tables)


def _made_at(entry: TeamEntry) -> int:
    """Return when a row says that it was made (ms)."""
    created_at = entry.payload.get("created_at")
    return max(entry.made_at, created_at if isinstance(created_at, int) else 0)


def _texts_of(entries: Iterable[TeamEntry], *names: str) -> set[str]:
    """Return what payloads name by these keys."""
    named = (entry.payload.get(name) for entry in entries for name in names)
    return {uid for uid in named if isinstance(uid, str)}
