"""What becomes of rows that come in: each is stored, known already, older than what is here, or refused.

A batch is one transaction. Whatever is stored went through the rule by which exports are imported
(`formats/jsonl`): redacted again, the same record known by the agents' own ids, the later version staying.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import apsw

from ..clock import DAY_MS, TOUCH, now_ms
from ..errors import InvalidRecordError
from ..formats.common.report import Report
from ..formats.common.scope import RECORDS
from ..formats.jsonl.columns import Columns
from ..formats.jsonl.layout import TABLES
from ..formats.jsonl.lines import ImportRow, reporting_errors
from ..formats.jsonl.reading import table_columns
from ..formats.jsonl.upsert import RowUpsert, keys_here, same
from ..maintain.purge import purge_for_good
from ..records import FactSource
from ..records.dataclasses import dataclass, field, replace
from ..search.index.bulk import Bulk
from ..store import Store
from ..tables.base import read_list, stable_uid
from ..tables.fact_sources import LISTS, NAMES, fact_columns, merge_repeated
from ..tables.facts import fact_key
from ..tables.removal.purge import fact_tombstone, note_tombstone, purged_session_id
from ..tables.removal.purge_selection import CONFLICT, Selection, lost_versions
from .renaming import names_here, rename, translated
from .rows import ORDER, Line, RowState

BATCH = 1_000
"""So many lines are stored in one transaction."""

COPIED = {
    "observations": ("title", "subtitle", "narrative", "text", "facts"),
    "summaries": ("request", "investigated", "learned", "completed", "next_steps", "notes", "text"),
    "facts": ("content",),
}
"""The texts of which both versions are kept, where two machines changed them at the same time."""
ADDED_UP = ("tags", "concepts")
"""The lists of observations that add up."""

CONSTRUCTED = """
UPDATE sessions SET
    prompt_counter = max(prompt_counter, coalesce(
        (SELECT max(prompt_number) FROM prompts p WHERE p.session_id = sessions.id), 0)),
    first_prompt = coalesce(first_prompt, (SELECT text FROM prompts p WHERE p.session_id = sessions.id
        AND p.private = 0 AND p.deleted_at IS NULL ORDER BY prompt_number, id LIMIT 1))
WHERE uid IN (SELECT value FROM json_each(?))
"""


class Refusal(NamedTuple):
    """A row that was refused."""

    kind: str
    key: str
    reason: str


@dataclass(slots=True)
class Verdicts:
    """What became of rows: how many are stored, known, older; those that were refused. `owed` are rows
    of which a newer version is here, by table. `conflicts` counts texts that both sides had changed."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[Refusal] = field(default_factory=list)
    owed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    conflicts: int = 0


class Here(NamedTuple):
    """The record here that a line is about."""

    id: int
    uid: str
    version: tuple[int, str]
    private: bool
    is_edited: bool
    """Whether it was changed here, and no other machine has that version."""


class Receiver:
    """Stores the lines of one peer."""

    def __init__(self, store: Store, peer: str) -> None:
        self.store = store
        self.db: apsw.Connection = store.db
        self.peer = peer
        self.state = RowState(store)
        self.verdicts = Verdicts()
        self.report = Report("sync")
        all_columns = table_columns(self.db)
        self.bulk = Bulk(self.db)
        self.upsert = RowUpsert(store, self.report, all_columns, self.bulk)
        self.columns = {kind: Columns(kind, TABLES[kind], all_columns[kind]) for kind in ORDER}

    def store_batch(self, lines: Sequence[Line]) -> None:
        """Store lines, what names others after these."""
        by_kind: dict[str, list[Line]] = {}
        for line in lines:
            by_kind.setdefault(str(line.get("table")), []).append(line)
        self._purge(by_kind.get("purged", ()))
        with self.store.transaction():
            before = self.state.head()
            facts = [*by_kind.get("facts", ()), *by_kind.get("fact_sources", ())]
            later: list[Callable[[], object]] = []
            for kind in ORDER:
                if some := by_kind.pop(kind, None):
                    self._store(kind, some, later)
            self.upsert.settle()
            if facts:
                names = names_here(self.db, facts)
                told = [str(line.get("fact") or line.get("uid")) for line in facts]
                self._follow_tellings([names.get(uid, uid) for uid in told])
            # That two uids are one record was found out here.
            self.db.execute(
                "UPDATE unsynced_rows SET came_from = ?, was_sent = 1 "
                "WHERE id > ? AND kind <> 'renamed_records'",
                (self.peer, before),
            )
            for change in later:
                change()
        for kind, some in by_kind.items():
            for line in some:
                self._refuse(kind, line, "is of a table that is not known here")

    def _refuse(self, kind: str, line: Line, reason: str) -> None:
        key = str(line.get("uid") or line.get("name") or "")
        self.verdicts.refused.append(Refusal(kind, key, reason))

    def _store(self, kind: str, lines: list[Line], later: list[Callable[[], object]]) -> None:
        if kind == "renamed_records":
            self._rename(lines)
        names = names_here(self.db, lines)
        lines = [translated(line, names) for line in lines]
        lines = [line for line in lines if self._is_wanted(kind, line)]
        if kind == "fact_sources":
            self._add_tellings(lines)
        elif kind in RECORDS:
            self._store_records(kind, lines, later)
        else:
            self._store_keyed(kind, lines)

    def _is_wanted(self, kind: str, line: Line) -> bool:
        project = line.get("project")
        if kind in RECORDS and project and project in self.state.excluded_projects:
            self.verdicts.counts["excluded"] += 1
            return False
        hlc = line.get("hlc") or 0
        if not isinstance(hlc, int):
            self._refuse(kind, line, "has no number for its version")
            return False
        if hlc >> 16 > now_ms() + DAY_MS:
            self._refuse(kind, line, "is dated in the future; a clock is wrong")
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

    def _store_records(
        self, kind: str, lines: list[Line], later: list[Callable[[], object]]
    ) -> None:
        gone = [line for line in lines if "gone" in line]
        whole = [line for line in lines if "gone" not in line]
        rows = self._rows(kind, whole)
        here = self._known(kind, [*lines])
        self._join(kind, rows, here)
        for line in gone:
            self._apply_gone(kind, line, here.get(str(line.get("uid"))))
        stones = self._tombstones(kind, whole)
        wanted: list[ImportRow] = []
        for row in rows:
            uid = str(row.record.get("uid"))
            version = _version(row.record)
            is_shown = row.record.pop("shown", False)
            ours = here.get(uid)
            if uid in stones and stones[uid] >= version:
                self._older(kind, uid)
            elif ours is None:
                wanted.append(row)
            elif ours.version == version:
                self.verdicts.counts["known"] += 1
            elif ours.private and not is_shown:
                # What is hidden here is hidden everywhere, until someone shows it again.
                self._older(kind, uid)
                later.append(partial(self._hide_again, kind, ours, version[0]))
            else:
                if ours.is_edited:
                    self._keep_both(kind, row, ours, later)
                if version < ours.version:
                    self._older(kind, uid)
                else:
                    wanted.append(row)
        self._put(kind, wanted)

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
            self.db.execute(CONSTRUCTED, (json.dumps(owners),))
        now = self._versions(kind, uids)
        stored = {
            uid
            for row in rows
            if (uid := str(row.record.get("uid"))) in now and now[uid] >= _version(row.record)
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
            if (reason := warnings.get(str(row.number))) is not None:
                self._refuse(kind, row.record, reason)
            elif kind in RECORDS:
                # Purged here, or merged into another: both are told by rows of their own.
                self.verdicts.counts["known"] += 1

    def _rows(self, kind: str, lines: list[Line]) -> list[ImportRow]:
        rows = []
        for number, line in enumerate(lines):
            record = {key: value for key, value in line.items() if key not in ("table", "id")}
            row = ImportRow(number, kind, record)
            content = {key: value for key, value in record.items() if key != "shown"}
            try:
                rows.append(row._replace(values=self.columns[kind].read(content)))
            except InvalidRecordError as error:
                rows.append(row._replace(wrong=str(error)))
        return rows

    def _known(self, kind: str, lines: list[Line]) -> dict[str, Here]:
        uids = [line.get("uid") for line in lines]
        sql = (
            "SELECT t.id, t.uid, t.hlc, t.editor, t.private, m.id IS NOT NULL "
            f"FROM {kind} t LEFT JOIN unsynced_rows m ON m.kind = '{kind}' AND m.key = t.uid "
            "AND m.came_from IS NULL AND m.was_sent = 0 "
            "WHERE t.uid IN (SELECT value FROM json_each(?))"
        )
        return {
            row[1]: Here(row[0], row[1], (row[2], row[3]), bool(row[4]), bool(row[5]))
            for row in self.db.execute(sql, (json.dumps(uids),))
        }

    def _join(self, kind: str, rows: list[ImportRow], here: dict[str, Here]) -> None:
        """Find rows that are here under another uid by the agents' own ids, and have them be known by the
        smaller uid of the two."""
        unknown = [
            place
            for place, row in enumerate(rows)
            if row.values is not None and str(row.record.get("uid")) not in here
        ]
        if not unknown:
            return
        alike = keys_here(self.db, kind, [rows[place] for place in unknown])
        ours_by_place: dict[int, int] = {}
        for place in unknown:
            values = dict(rows[place].values or {})
            if alike is not None and not any(
                tuple(values.get(name) for name in key) in some for key, some in alike.items()
            ):
                continue
            if kind == "facts":
                values["statement"] = fact_key(values["content"])
            if (result := same(self.db, kind, values)) is not None:
                ours_by_place[place] = result[0]
        if not ours_by_place:
            return
        sql = f"SELECT id, uid FROM {kind} WHERE id IN (SELECT value FROM json_each(?))"
        uids = dict(self.db.execute(sql, (json.dumps([*ours_by_place.values()]),)))
        renamed: dict[str, str] = {}
        for place, number in ours_by_place.items():
            theirs, ours = str(rows[place].record["uid"]), uids[number]
            renamed[max(theirs, ours)] = min(theirs, ours)
        rename(self.db, kind, renamed)
        self.verdicts.owed["renamed_records"].update(renamed)
        for place in ours_by_place:
            row = rows[place]
            uid = renamed.get(row.record["uid"], row.record["uid"])
            row.record["uid"] = uid
            assert row.values is not None
            row.values["uid"] = uid
        here |= self._known(kind, [rows[place].record for place in ours_by_place])

    def _rename(self, lines: list[Line]) -> None:
        for kind in RECORDS:
            renamed = {
                str(line["uid"]): str(line["into_uid"])
                for line in lines
                if line.get("kind") == kind and str(line["into_uid"]) < str(line["uid"])
            }
            # Where both are here, but for sessions, they were two records; nothing is lost by that.
            both = set() if kind == "sessions" else self._versions(kind, [*renamed.values()]).keys()
            rename(self.db, kind, {old: new for old, new in renamed.items() if new not in both})

    def _apply_gone(self, kind: str, line: Line, ours: Here | None) -> None:
        version, uid = _version(line), str(line.get("uid"))
        if ours is None and line["gone"] == "deleted":
            natural = {"deleted_at": None, "statement": None} | line
            if (result := same(self.db, kind, natural)) is not None:
                sql = f"SELECT uid FROM {kind} WHERE id = ?"
                known = str(self.db.execute(sql, (result[0],)).get)
                rename(self.db, kind, {max(known, uid): min(known, uid)})
                self.verdicts.owed["renamed_records"].add(max(known, uid))
                uid = min(known, uid)
                ours = self._known(kind, [{"uid": uid}]).get(uid)
        if ours is None:
            if line["gone"] == "deleted" and not self._is_purged(uid):
                self._bury(kind, uid, line)
            else:
                self.verdicts.counts["known"] += 1
        elif version == ours.version:
            self.verdicts.counts["known"] += 1
        elif version < ours.version:
            self._older(kind, uid)
        else:
            flag = "private = 1" if line["gone"] == "hidden" else "deleted_at = :deleted_at"
            self.db.execute(
                f"UPDATE {kind} SET {flag}, updated_at = :updated_at, hlc = :hlc, editor = :editor "
                "WHERE id = :number",
                {
                    "number": ours.id,
                    **({"deleted_at": line["deleted_at"]} if line["gone"] == "deleted" else {}),
                    **{name: line[name] for name in ("updated_at", "hlc", "editor")},
                },
            )
            self.verdicts.counts["stored"] += 1

    def _is_purged(self, uid: str) -> bool:
        return self.db.execute("SELECT 1 FROM purged WHERE uid = ?", (uid,)).get is not None

    def _bury(self, kind: str, uid: str, line: Line) -> None:
        before = self.db.total_changes()
        self.db.execute(
            "INSERT INTO sync_tombstones VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
            "hlc = excluded.hlc, editor = excluded.editor, deleted_at = excluded.deleted_at "
            "WHERE (hlc, editor) < (excluded.hlc, excluded.editor)",
            (kind, uid, line["hlc"], line["editor"], line["deleted_at"]),
        )
        if self.db.total_changes() > before:
            self.state.mark(kind, [uid])
            self.verdicts.counts["stored"] += 1
        else:
            self.verdicts.counts["known"] += 1

    def _tombstones(self, kind: str, lines: list[Line]) -> dict[str, tuple[int, str]]:
        uids = json.dumps([line.get("uid") for line in lines])
        sql = (
            "SELECT uid, hlc, editor FROM sync_tombstones WHERE kind = ? "
            "AND uid IN (SELECT value FROM json_each(?))"
        )
        return {uid: (hlc, editor) for uid, hlc, editor in self.db.execute(sql, (kind, uids))}

    def _versions(self, kind: str, uids: list[str]) -> dict[str, tuple[int, str]]:
        sql = f"SELECT uid, hlc, editor FROM {kind} WHERE uid IN (SELECT value FROM json_each(?))"
        cursor = self.db.execute(sql, (json.dumps(uids),))
        return {uid: (hlc, editor) for uid, hlc, editor in cursor}

    def _older(self, kind: str, uid: str) -> None:
        self.verdicts.counts["older"] += 1
        self.verdicts.owed[kind].add(uid)

    def _keep_both(
        self, kind: str, row: ImportRow, ours: Here, later: list[Callable[[], object]]
    ) -> None:
        """Where both sides changed a record, keep the texts of the version that loses as a record of its
        own, which is offered to be merged; and add up tags."""
        if kind not in COPIED or row.values is None:
            return
        names = [column.name for column in self.columns[kind].all]
        sql = f"SELECT {', '.join(names)} FROM {kind} WHERE id = ?"
        cells: Any = self.db.execute(sql, (ours.id,)).fetchone()
        present = dict(zip(names, cells, strict=True))
        coming = present | row.values | {"id": ours.id, "session_id": present.get("session_id")}
        loser, winner = (
            (present, coming) if ours.version < _version(row.record) else (coming, present)
        )
        if any(loser[name] != winner[name] for name in COPIED[kind]):
            later.append(lambda: self._copy(kind, loser))
            self.verdicts.conflicts += 1
        if kind == "observations":
            lists = {
                name: [*dict.fromkeys(read_list(winner[name]) + read_list(loser[name]))]
                for name in ADDED_UP
            }
            changed = {
                name: json.dumps(items, ensure_ascii=False)
                for name, items in lists.items()
                if len(items) > len(read_list(winner[name]))
            }
            if changed:
                later.append(lambda: self._add_up(ours.id, changed))

    def _add_up(self, number: int, changed: dict[str, str]) -> None:
        assignments = ", ".join(f"{name} = :{name}" for name in changed)
        values = {**changed, "number": number, "now": now_ms(), "machine": self.store.machine_id}
        sql = f"UPDATE observations SET {assignments}, {TOUCH} WHERE id = :number"
        self.db.execute(sql, values)

    def _copy(self, kind: str, loser: dict[str, Any]) -> None:
        """Keep a version that lost; both machines make the same record of it."""
        version = f"{loser['hlc']}/{loser['editor']}"
        copy = loser | {
            "uid": stable_uid("conflict", str(loser["uid"]), version),
            "source": CONFLICT,
            "native_id": f"{loser['uid']}/{version}",
            "fingerprint": None,
        }
        del copy["id"]
        if "event_id" in copy:
            copy["event_id"] = None
        if kind == "facts":
            copy["statement"] = fact_key(copy["content"])
        names, marks = ", ".join(copy), ", ".join(f":{name}" for name in copy)
        self.db.execute(
            f"INSERT INTO {kind} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING", copy
        )

    def _add_tellings(self, lines: list[Line]) -> None:
        """Add what other machines were told of facts to what this one was."""
        rows = self._rows("fact_sources", lines)
        self.upsert.links.look_up("fact_sources", rows)
        for row in rows:
            with reporting_errors(self.report, row):
                if row.values is None:
                    raise InvalidRecordError(row.wrong)
                values = row.values
                self.upsert.links.resolve(row, values)
                lists = {name: read_list(values[name]) for name in LISTS}
                telling = FactSource(**{name: values[name] for name in NAMES} | lists)
                number = int(str(values["fact_id"]))
                known = [
                    item
                    for item in self.store.facts.sources.of(number)
                    if (item.source, item.native_id) == (telling.source, telling.native_id)
                ]
                merged = self._without_merged(
                    merge_repeated(known[0], telling) if known else telling
                )
                if known and merged == known[0]:
                    self.verdicts.counts["known"] += 1
                    continue
                self.store.facts.sources.upsert(number, merged)
                self.verdicts.counts["stored"] += 1
        self._tell_refused("fact_sources", rows, set())

    def _without_merged(self, telling: FactSource) -> FactSource:
        """Return a telling that cites what was merged as what it was merged into, as merging does; in the
        order that all machines give it."""
        sql = (
            "SELECT uid, into_uid FROM merged_records WHERE uid <> into_uid "
            "AND uid IN (SELECT value FROM json_each(?))"
        )
        into = dict(self.db.execute(sql, (json.dumps(telling.evidence),)))
        cited = {into.get(uid, uid) for uid in telling.evidence}
        return replace(telling, evidence=tuple(sorted(cited)))

    def _follow_tellings(self, uids: list[str]) -> None:
        """Bring facts to what all their tellings say, here and on other machines, as the same version."""
        sql = "SELECT id FROM facts WHERE uid IN (SELECT value FROM json_each(?))"
        for (number,) in self.db.execute(sql, (json.dumps(uids),)).fetchall():
            told = self.store.facts.sources.of(int(str(number)))
            if not told:
                continue
            columns = fact_columns(told)
            del columns["deleted_at"]
            if len(told) == 1:
                # What a person changed of a fact that was told once stays as the row has it.
                columns = {"created_at": columns["created_at"]}
            assignments = ", ".join(f"{name} = :{name}" for name in columns)
            differing = " OR ".join(f"{name} IS NOT :{name}" for name in columns)
            sql = f"UPDATE facts SET {assignments} WHERE id = :number AND ({differing})"
            self.db.execute(sql, columns | {"number": number})

    def _purge(self, lines: Sequence[Line]) -> None:
        """Forget for good what was forgotten elsewhere."""
        if not lines:
            return
        names = names_here(self.db, lines)
        chosen: dict[str, set[int]] = defaultdict(set)
        for line in lines:
            kind = str(line.get("kind"))
            if kind not in RECORDS:
                continue
            uids = json.dumps([line.get("uid"), names.get(str(line.get("uid")))])
            sql = (
                f"SELECT id FROM {kind} WHERE (uid IN (SELECT value FROM json_each(?1)) "
                "OR (source = ?2 AND native_id = ?3)) "
                "AND NOT EXISTS (SELECT 1 FROM purged p WHERE p.uid = {0}.uid)".format(kind)
            )
            rows = self.db.execute(sql, (uids, line.get("source"), line.get("native_id")))
            chosen[kind].update(number for (number,) in rows)
            chosen[kind] |= lost_versions(self.db, kind, filter(None, json.loads(uids)))
        self._choose_by_key(lines, chosen)
        if any(chosen.values()):
            selection = Selection(
                {kind: tuple(sorted(some)) for kind, some in chosen.items() if some}
            )
            purge_for_good(self.store, selection)

    def _choose_by_key(self, lines: Sequence[Line], chosen: dict[str, set[int]]) -> None:
        keys = {(line.get("kind"), line.get("key")) for line in lines if line.get("key")}
        asked = {
            "sessions": ("content_session_id", purged_session_id),
            "facts": ("kind, content", fact_tombstone),
            "notes": ("project, path", note_tombstone),
        }
        for kind, (columns, key_of) in asked.items():
            if not any(of == kind for of, _ in keys):
                continue
            rows: list[Any] = self.db.execute(f"SELECT id, {columns} FROM {kind}").fetchall()
            for number, *cells in rows:
                if (kind, key_of(*cells)) in keys:  # type: ignore[operator]
                    chosen[kind].add(number)


def _version(line: Line) -> tuple[int, str]:
    return int(line.get("hlc") or 0), str(line.get("editor") or "")
