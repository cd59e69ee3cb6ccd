"""What becomes of rows that come in: each is stored, known already, older than what is here, or refused.

A batch is one transaction. Whatever is stored went through the rule by which exports are imported
(`formats/jsonl`): the same record known by the agents' own ids, the later version staying. Texts were
judged by the store that they come from; a secret that is evident is taken out, as a new version.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import count, groupby

import apsw

from ...database.files.disk import UNWRITABLE
from ...database.transaction import DAMAGE, savepoint
from ...formats.common.report import Report
from ...formats.common.scope import RECORDS
from ...formats.jsonl.layout import TABLES, Columns
from ...formats.jsonl.reading import ImportRow, read_row, read_rows, table_columns
from ...formats.jsonl.upsert import RowUpsert, same
from ...platform.clock import DAY_MS, now_ms
from ...platform.errors import DatabaseError, failure_of
from ...platform.translation import _
from ...search.index.bulk import Bulk, bulk_hash_size
from ...store import Store
from ...tables.base import Values
from ...text.redaction import table_version
from .channel import Verdicts, fault_of, refusal_of
from .conflicts import conflict_of, keep_unknown
from .reconciling import (
    ASKED_IN,
    CLOSE_AGAIN,
    CLOSED,
    CONSTRUCTED,
    add_tellings,
    bury,
    follow_tellings,
    is_purged_untold,
    pending_owners,
    purge_here,
)
from .renaming import NAMED_ANEW, alike_here, names_here, rename, translated
from .rows import (
    ORDER,
    PROJECT,
    Here,
    Line,
    RowState,
    is_changed,
    is_later,
    known_here,
    said_by,
    version_of,
    versions_here,
    worth,
)

BATCH = 2_000
"""So many lines are stored in one transaction: the indexes merge what each adds, the fewer the better, and
whoever writes meanwhile waits for one."""
LARGE = 200
"""From so many lines on the indexes gather more in memory."""

JUDGED_BY = "judged_by"
"""The key by which a teammate's line says by which rules it was judged."""

NOT_OF_A_ROW = (*UNWRITABLE, *DAMAGE, apsw.InterruptError, apsw.ConnectionClosedError, DatabaseError)
"""Errors that say that the store can't be written, whatever the rows are."""


class Receiver:
    """Stores the lines of one peer."""

    def __init__(self, store: Store, peer: str, *, is_team: bool = False) -> None:
        """`is_team`: the lines are what the members of a team share."""
        self.store = store
        self.db = store.db
        self.peer = peer
        self.state = RowState(store)
        self.verdicts = Verdicts()
        self.all_columns = table_columns(self.db)
        # What teammates share is other people's: it is judged as new.
        self.columns = {
            kind: Columns(kind, TABLES[kind], self.all_columns[kind], is_accepted=not is_team)
            for kind in ORDER
        }
        self.line_keys = {kind: {*columns.keys, "shown"} - {"id"} for kind, columns in self.columns.items()}
        self.is_team = is_team
        self.unseen: dict[tuple[str, str], str] = {}
        """Of records, by table and uid, the teammate's version that came in and is older than what is here,
        whose editor hadn't seen it."""
        self.read_rows: dict[int, ImportRow] = {}
        """The rows that lines were read as, by the lines' identity."""
        self.numbers = count()
        self._begin()

    def _begin(self) -> None:
        self.read_rows.clear()
        self.report = Report("sync")
        self.bulk = Bulk(self.db)
        self.upsert = RowUpsert(self.store, self.report, self.all_columns, self.bulk)
        self.upsert.takes_restored = True
        if not self.is_team:
            self.upsert.is_purged_key = partial(is_purged_untold, self.db, self.peer)

    def read(self, lines: Sequence[Line]) -> None:
        """Read the lines that are stored next. That takes longest, and before their transaction nobody who
        writes waits for it."""
        now = table_version()
        groups: dict[tuple[str, bool], list[Line]] = defaultdict(list)
        for line in lines:
            # A team's rows were looked at before they became lines.
            if (self.is_team or fault_of(line) is None) and "gone" not in line:
                is_judged = not self.is_team or line.get(JUDGED_BY) == now
                groups[line["table"], is_judged].append(line)
        for (kind, is_judged), some in groups.items():
            rows = [self._unread(kind, line) for line in some]
            read = read_rows(self.columns[kind], rows, is_judged=is_judged)
            self.read_rows.update(zip(map(id, some), map(self._bumped, read), strict=True))

    def store_batch(self, lines: Sequence[Line]) -> None:
        """Store lines, what names others after these; a line whose storing fails is refused."""
        if not self.read_rows:
            self.read(lines)
        good: list[Line] = []
        for line in lines:
            if id(line) not in self.read_rows and (fault := fault_of(line)) is not None:
                self.verdicts.refused.append(refusal_of(line, fault))
            else:
                good.append(line)
        good.sort(key=lambda line: ORDER.index(line["table"]))
        purged = [line for line in good if line["table"] == "purged"]
        forgotten = self._without_failing(purged, partial(purge_here, self.store))
        with self.store.transaction():
            self._without_failing([*forgotten, *good[len(purged) :]], self._store_whole)
        self.read_rows.clear()

    def _without_failing(self, lines: list[Line], store: Callable[[list[Line]], object]) -> list[Line]:
        """Store all lines but those with which that fails: they are refused. Return the others."""
        try:
            store(lines)
        except NOT_OF_A_ROW:
            raise
        except Exception as error:
            if len(lines) == 1:
                why = _("can't be stored ({error})", error=failure_of(error))
                self._refuse(str(lines[0]["table"]), lines[0], why)
                return []
            middle = len(lines) // 2
            return [
                part
                for some in (lines[:middle], lines[middle:])
                for part in self._without_failing(some, store)
            ]
        return lines

    def _store_whole(self, lines: list[Line]) -> None:
        """Store lines in the transaction at hand, or none of them."""
        verdicts, self.verdicts = self.verdicts, Verdicts()
        try:
            gathering = bulk_hash_size(self.db) if len(lines) >= LARGE else nullcontext()
            with savepoint(self.db), gathering, self.bulk:
                self._store_by_table(lines)
            verdicts.add(self.verdicts)
        except BaseException:
            self._begin()
            raise
        finally:
            self.verdicts = verdicts

    def _store_by_table(self, lines: list[Line]) -> None:
        before = self.state.head()
        pending = pending_owners(self.db, lines, self.peer)
        later: list[Callable[[], object]] = []
        for kind, some in groupby(lines, lambda line: str(line["table"])):
            self._store(kind, [*some], later)
        self.upsert.settle()
        if facts := [line for line in lines if line["table"] in ("facts", "fact_sources")]:
            names = names_here(self.db, facts)
            told = [str(line.get("fact") or line.get("uid")) for line in facts]
            follow_tellings(self.store, [names.get(uid, uid) for uid in told])
        # That two uids are one record was found out here.
        self.db.execute(
            "UPDATE unsynced_rows SET came_from = ?, was_sent = 1 "
            "WHERE id > ? AND kind <> 'renamed_records'",
            (self.peer, before),
        )
        self.db.executemany(
            "UPDATE unsynced_rows SET came_from = ?, was_sent = ? WHERE kind = ? AND key = ?", pending
        )
        for change in later:
            change()

    def _refuse(self, kind: str, line: Line, reason: str) -> None:
        self.verdicts.refused.append(refusal_of({"table": kind} | line, reason))

    def _store(self, kind: str, lines: list[Line], later: list[Callable[[], object]]) -> None:
        if kind == "renamed_records":
            self._rename(lines)
        names = names_here(self.db, lines)
        lines = [it for line in lines if self._is_wanted(kind, it := translated(line, names))]
        if kind == "fact_sources":
            # Nobody is to be told of a fact that came as deleted and never was here.
            facts = [str(line.get("fact")) for line in lines]
            gone = versions_here(self.db, "facts", facts, "sync_tombstones")
            rows = self._rows(kind, [line for line in lines if line.get("fact") not in gone])
            self.verdicts.counts["known"] += len(lines) - len(rows)
            self.verdicts.counts += add_tellings(self.upsert, rows)
            self._tell_refused(kind, rows, set())
        elif kind in RECORDS:
            uids = [(line["uid"], line.get("session")) for line in lines if kind == "prompts"]
            clocks = self.db.execute(ASKED_IN, (json.dumps(uids),)).fetchall()
            named = json.dumps([line.get("session") for line in lines])
            closed = self.db.execute(CLOSED, (named,)).fetchall()
            self._store_records(kind, lines, later)
            # What stands in for a session that is deleted here is deleted too: who has it gives it again.
            self.db.executemany(CLOSE_AGAIN, closed)
            self.verdicts.owed["sessions"].update(str(uid) for uid, *_ in closed)
            # What a session was asked first follows its prompts: that is no version of its own.
            self.db.executemany("UPDATE sessions SET hlc = ?2 WHERE id = ?1 AND hlc <> ?2", clocks)
        else:
            self._store_keyed(kind, lines)

    def _is_wanted(self, kind: str, line: Line) -> bool:
        project = line.get("project")
        if kind in PROJECT and project and project in self.state.excluded_projects:
            self.verdicts.counts["excluded"] += 1
            return False
        if line.get("hlc", 0) >> 16 > now_ms() + DAY_MS:
            self._refuse(kind, line, _("is dated in the future; a clock is wrong"))
            return False
        return True

    def _store_keyed(self, kind: str, lines: list[Line]) -> None:
        before = self.report.of(kind).new
        rows = self._rows(kind, lines)
        self.upsert.apply(kind, rows)
        self._tell_refused(kind, rows, set())
        stored = self.report.of(kind).new - before
        self.verdicts.counts["stored"] += stored
        self.verdicts.counts["known"] += len(rows) - stored

    def _store_records(self, kind: str, lines: list[Line], later: list[Callable[[], object]]) -> None:
        # What is here first: by then it may no longer say what a new one says.
        here = self._known(kind, lines)
        for known, some in (
            (here, [line for line in lines if line["uid"] in here]),
            ({}, [line for line in lines if line["uid"] not in here]),
        ):
            if some:
                self._store_versions(kind, some, known, later)

    def _store_versions(
        self, kind: str, lines: list[Line], here: dict[str, Here], later: list[Callable[[], object]]
    ) -> None:
        gone = [line for line in lines if "gone" in line]
        whole = [line for line in lines if "gone" not in line]
        self.upsert.authors = {
            str(line["uid"]): str(line["author"]) for line in whole if line.get("author")
        }
        rows = self._join(kind, self._rows(kind, whole), here)
        for line in gone:
            self._apply_gone(kind, line, here.get(str(line.get("uid"))), later)
        stones = versions_here(self.db, kind, [line["uid"] for line in whole], "sync_tombstones")
        wanted: list[ImportRow] = []
        for row in rows:
            uid = str(row.record.get("uid"))
            version = version_of(row.record)
            is_shown = row.record.pop("shown", False)
            ours = here.get(uid)
            if uid in stones and stones[uid] >= version:
                self._older(kind, uid)
            elif ours is None:
                wanted.append(row)
            elif ours.version == version:
                wanted += self._better(kind, ours, row)
            elif ours.private and not is_shown:
                # What is hidden here is hidden everywhere, until someone shows it again.
                self._older(kind, uid)
                later.append(partial(self._hide_again, kind, ours, version[0]))
            else:
                # All that became of a record later, where it was made, is made of its first version.
                is_first = not (self.is_team or ours.is_joined or is_changed(ours.version, uid))
                is_first &= row.record.get("origin") == ours.version[1] and ours.version < version
                if ours.is_edited and row.values is not None and not is_first:
                    names = [column.name for column in self.columns[kind].all]
                    conflict = conflict_of(
                        self.store, kind, names, ours.id, row.values, is_later=ours.version < version
                    )
                    later += conflict.changes
                    self.verdicts.conflicts += conflict.has_two_texts
                    if conflict.is_teammates:
                        self.unseen[kind, uid] = "{} {}".format(*version)
                if version < ours.version:
                    self._older(kind, uid)
                else:
                    wanted.append(row)
        self._put(kind, wanted)
        if (renewed := [str(row.record["uid"]) for row in wanted if row.is_changed]) and not self.is_team:
            later.append(partial(self.state.mark, kind, renewed))
        if not self.is_team:
            self._note_authors(kind, whole)

    def _better(self, kind: str, ours: Here, row: ImportRow) -> list[ImportRow]:
        """Return a row of the same version as what is here, where it is to take its place: one store may
        have taken something out of the texts that the other had accepted."""
        said = self.state.said(kind)
        sql = f"SELECT {', '.join(said.values())} FROM {kind} t WHERE id = ?"
        here = coming = worth(self.db.execute(sql, (ours.id,)).fetchall()[0])
        if row.values is not None and not (ours.private or self.is_team):
            coming = worth(said_by(row.record, said))
        if coming > here:
            self.db.execute(f"UPDATE {kind} SET hlc = hlc - 1 WHERE id = ?", (ours.id,))
            return [row]
        if coming < here:
            self._older(kind, ours.uid)
        else:
            self.verdicts.counts["known"] += 1
        return []

    def _note_authors(self, kind: str, lines: list[Line]) -> None:
        """Note which teammates shared what a machine in the team brought to this one; what the server told
        of it is as it says."""
        self.db.executemany(
            "INSERT INTO team_rows (kind, uid, author, project, visibility, state, version) "
            "VALUES (?, ?, ?, '', 'private', 'here', '') "
            "ON CONFLICT DO UPDATE SET author = excluded.author WHERE visibility = 'private'",
            [(kind, str(line["uid"]), line["author"]) for line in lines if line.get("author")],
        )

    def _hide_again(self, kind: str, ours: Here, hlc: int) -> None:
        """Have what is hidden here be newer than a version that shows it."""
        sql = f"UPDATE {kind} SET hlc = ? WHERE id = ? AND hlc < ?"
        self.db.execute(sql, (hlc + 1, ours.id, hlc + 1))
        self.state.mark(kind, [ours.uid])
        sql = "UPDATE unsynced_rows SET note = 'hidden' WHERE kind = ? AND key = ?"
        self.db.execute(sql, (kind, ours.uid))

    def _put(self, kind: str, rows: list[ImportRow]) -> None:
        if not rows:
            return
        uids = [str(row.record["uid"]) for row in rows if isinstance(row.record.get("uid"), str)]
        self.db.execute(
            "DELETE FROM sync_tombstones WHERE kind = ? AND uid IN (SELECT value FROM json_each(?))",
            (kind, json.dumps(uids)),
        )
        self.upsert.apply(kind, rows)
        self.upsert.settle()
        if kind == "prompts":
            owners = [row.record.get("session") for row in rows]
            self.db.execute(CONSTRUCTED, (json.dumps(owners), not self.is_team))
        now = versions_here(self.db, kind, uids)
        stored = {
            uid
            for row in rows
            if (uid := str(row.record.get("uid"))) in now and now[uid] >= version_of(row.record)
        }
        self._tell_refused(kind, rows, stored)
        self.verdicts.counts["stored"] += len(stored)

    def _tell_refused(self, kind: str, rows: list[ImportRow], stored: set[str]) -> None:
        """Refuse the rows that the store would not take, and drop the warnings."""
        warnings = {warning.native_id: warning.message for warning in self.report.cut().warnings}
        for row in rows:
            uid = str(row.record.get("uid"))
            if uid in stored:
                continue
            if reason := warnings.get(str(row.number)):
                self._refuse(kind, row.record, reason)
            elif kind in RECORDS:
                # Purged here, or merged into another: both are told by rows of their own.
                self.verdicts.counts["known"] += 1

    def _rows(self, kind: str, lines: list[Line]) -> list[ImportRow]:
        # A line that names records by other uids now is another one.
        return [self.read_rows.get(id(line)) or self._row(kind, line) for line in lines]

    def _row(self, kind: str, line: Line) -> ImportRow:
        return self._bumped(read_row(self.columns[kind], self._unread(kind, line)))

    def _unread(self, kind: str, line: Line) -> ImportRow:
        # What a newer memtui says beside is left out.
        keys = self.line_keys[kind]
        return ImportRow(next(self.numbers), kind, {key: line[key] for key in line if key in keys})

    def _bumped(self, row: ImportRow) -> ImportRow:
        if row.is_changed and row.values and "hlc" in row.values and not self.is_team:
            # Whoever has it with the secret is to be given it without.
            row.values.update(hlc=row.values["hlc"] + 1, editor=self.store.machine_id)
        return row

    def _known(self, kind: str, lines: list[Line], *, is_joined: bool = False) -> dict[str, Here]:
        uids = [line.get("uid") for line in lines]
        return known_here(self.db, kind, uids, self.peer, is_team=self.is_team, is_joined=is_joined)

    def _join(self, kind: str, rows: list[ImportRow], here: dict[str, Here]) -> list[ImportRow]:
        """Find rows that are here under another uid by the agents' own ids, and have them be known by the
        smaller uid of the two."""
        # A session that was made for what came before it says nothing of its own; what has another name now
        # may have that of another record here.
        renamable = [row.record for row in rows if kind in NAMED_ANEW]
        later = {str(record["uid"]) for record in renamable if is_later(record, here)}
        known = {uid for uid, it in here.items() if it.version[0]} - later
        ours_by_place = alike_here(self.db, kind, rows, known, self.upsert.authors)
        if not ours_by_place:
            return rows
        sql = f"SELECT id, uid FROM {kind} WHERE id IN (SELECT value FROM json_each(?))"
        uids = dict(self.db.execute(sql, (json.dumps([*ours_by_place.values()]),)))
        renamed, coming = dict[str, str](), dict[str, Values]()
        for place, number in ours_by_place.items():
            theirs, ours = str(rows[place].record["uid"]), uids[number]
            renamed[max(theirs, ours)] = min(theirs, ours)
            if theirs in later:
                coming[min(theirs, ours)] = rows[place].values or {}
        rename(self.db, kind, renamed, self.peer, coming)
        self.verdicts.owed["renamed_records"].update(renamed)
        self.verdicts.owed[kind].update(renamed.values())
        before = {
            place: (str(rows[place].record["uid"]), uids[number]) for place, number in ours_by_place.items()
        }
        for row in (joined := [rows[place] for place in ours_by_place]):
            assert row.values is not None
            row.record["uid"] = row.values["uid"] = renamed.get(row.record["uid"], row.record["uid"])
        versions = {uid: here[uid] for uid in later}
        here |= self._known(kind, [row.record for row in joined], is_joined=True)
        for place, (theirs, ours) in before.items():
            # Neither knew the other's; of one that is as it was imported nothing is lost.
            record = here.get(uid := str(rows[place].record["uid"]))
            if record and theirs in versions and versions[theirs].version == record.version:
                # What is left of the two is what the giver knew.
                here[uid] = record._replace(is_edited=versions[theirs].is_edited)
            elif record and kind != "notes" and not self.is_team:
                lost = min((record.version, ours), (version_of(rows[place].record), theirs))
                here[uid] = record._replace(is_edited=is_changed(*lost))
        return rows

    def _rename(self, lines: list[Line]) -> None:
        for kind in RECORDS:
            renamed = {
                str(line["uid"]): str(line["into_uid"])
                for line in lines
                if line.get("kind") == kind and str(line["into_uid"]) < str(line["uid"])
            }
            here = versions_here(self.db, kind, [*renamed, *renamed.values()])
            united = [new for old, new in renamed.items() if old in here and new in here]
            rename(self.db, kind, renamed, self.peer)
            self.state.mark(kind, united)
            self.verdicts.owed[kind].update(united)

    def _apply_gone(
        self, kind: str, line: Line, ours: Here | None, later: list[Callable[[], object]]
    ) -> None:
        version, uid = version_of(line), str(line.get("uid"))
        if ours is None and line["gone"] == "deleted":
            natural = {"deleted_at": None, "statement": None} | line
            if (result := same(self.db, kind, natural)) is not None:
                sql = f"SELECT uid FROM {kind} WHERE id = ?"
                known = str(self.db.execute(sql, (result[0],)).get)
                rename(self.db, kind, {max(known, uid): min(known, uid)}, self.peer)
                self.verdicts.owed["renamed_records"].add(max(known, uid))
                uid = min(known, uid)
                ours = self._known(kind, [{"uid": uid}], is_joined=True).get(uid)
        if ours is None:
            is_purged = self.db.execute("SELECT 1 FROM purged WHERE uid = ?", (uid,)).get
            if line["gone"] == "deleted" and not is_purged:
                is_new = bury(self.db, kind, uid, line)
                self.verdicts.counts["stored" if is_new else "known"] += 1
                self.state.mark(kind, [uid] if is_new else ())
            else:
                self.verdicts.counts["known"] += 1
        elif version == ours.version:
            self.verdicts.counts["known"] += 1
        elif version < ours.version:
            self._older(kind, uid)
        else:
            if ours.is_edited:
                is_new = line["gone"] == "deleted" and is_changed(ours.version, uid)
                texts = line.get("texts")
                if change := keep_unknown(self.store, kind, ours.id, texts, is_changed=is_new):
                    later.append(change)
                    self.verdicts.conflicts += 1
            names = ("updated_at", "hlc", "editor", *(["deleted_at"] if "deleted_at" in line else []))
            changes = ", ".join(f"{name} = :{name}" for name in names)
            flag = ", private = 1" if line["gone"] == "hidden" else ""
            self.db.execute(
                f"UPDATE {kind} SET {changes}{flag} WHERE id = :number",
                {"number": ours.id} | {name: line[name] for name in names},
            )
            self.verdicts.counts["stored"] += 1
            if ours.private and line["gone"] == "deleted":
                later.append(partial(self._hide_again, kind, ours, version[0]))

    def _older(self, kind: str, uid: str) -> None:
        self.verdicts.counts["older"] += 1
        self.verdicts.owed[kind].add(uid)
