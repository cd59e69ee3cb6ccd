"""Import lines that a store wrote: records as they were, under their own uids.

Of two versions of a record the newer one wins, by its hybrid logical clock.
"""

from __future__ import annotations

from typing import Any

from ...platform.clock import now_ms
from ...platform.errors import InvalidRecordError, StoreError
from ...platform.translation import N_
from ...records.kinds import TABLES
from ...records.rows import FactKind
from ...store import Store
from ...tables import prompts
from ...tables.base import Values, insert
from ...tables.facts import fact_key
from ...text.redaction import scrub
from ..common.report import Report
from ..common.upsert import PURGED, PurgedRecords
from . import rendering as parts
from .changes import SyncedRecord
from .items import warn
from .lines import ObjectLine
from .sessions import AGENT, INSERTS

_UID, _SOURCE = ("uid",), ("source", "native_id")
_IDENTITIES: dict[str, tuple[tuple[str, ...], ...]] = {
    "session": (_UID, ("content_session_id", "agent"), _SOURCE),
    "prompt": (_UID, _SOURCE),
    "observation": (_UID, _SOURCE, ("event_id",)),
    "summary": (_UID, _SOURCE),
    "fact": (_UID, _SOURCE),
    "note": (_UID, ("project", "path"), _SOURCE),
}
"""The columns by which a record is known, by its kind, the surest first."""


class OwnLines:
    """Imports lines with a memtui part, or reports what is wrong with them."""

    def __init__(self, store: Store, report: Report, purged: PurgedRecords) -> None:
        self.store = store
        self.report = report
        self.purged = purged
        self._renamed: dict[str, str] = {}
        """The uids here of facts that have others in their lines."""

    def apply(self, line: ObjectLine) -> SyncedRecord | None:
        """Import a line; return what it says of which record, or None where it is damaged, or of a
        purged record."""
        try:
            values = self._checked(line.values[parts.KEY])
            if self.purged.has(values.get("uid")):
                self._counts(values).skip(PURGED)
                return None
            self._counts(values).read += 1
            with self.store.transaction():
                is_gone = values.get("is_gone") is True
                uid = self._gone(values) if is_gone else self._put(values)
            return SyncedRecord(uid, values["kind"], line.file, parts.payload_hash(values))
        except StoreError as error:
            warn(self.report, line.file, line.number, _lowered(str(error)))
            self.report.of("lines").skip(N_("damaged"))
            return None

    def _checked(self, values: object) -> parts.Payload:
        if not isinstance(values, dict) or values.get("kind") not in parts.KINDS:
            raise InvalidRecordError("its memtui part is of no kind that there is")
        uid = values.get("uid")
        if not isinstance(uid, str) or not uid or len(uid) > 100:
            raise InvalidRecordError("its memtui part has no uid")
        return values

    def _counts(self, values: parts.Payload) -> Any:
        return self.report.of(TABLES[values["kind"]])

    def _gone(self, values: parts.Payload) -> str:
        table, counts = TABLES[values["kind"]], self._counts(values)
        result = self.store.db.execute(
            f"SELECT id, hlc, editor, deleted_at FROM {table} WHERE uid = ?", (values["uid"],)
        ).fetchone()
        if result is not None and result[3] is None and _clock(values) > (result[1], result[2]):
            self.store.db.execute(
                f"UPDATE {table} SET deleted_at = ?, hlc = ?, editor = ?, updated_at = ? WHERE id = ?",
                (
                    _number(values, "deleted_at"),
                    *_clock(values),
                    now_ms(),
                    result[0],
                ),
            )
            counts.changed += 1
        else:
            counts.unchanged += 1
        return str(values["uid"])

    def _put(self, values: parts.Payload) -> str:
        """Insert or update the record; return its uid here."""
        kind = values["kind"]
        columns = parts.columns_of(values)
        sources = [parts.source_of_payload(item) for item in values.get("tellings") or ()]
        session = self._session(values) if kind in ("prompt", "observation", "summary") else None
        if session is not None:
            columns["session_id"] = session
        if kind == "session" and (memory := columns["memory_session_id"]):
            taken = self.store.sessions.where(
                "memory_session_id = ? AND content_session_id <> ?",
                (memory, columns["content_session_id"]),
            )
            columns["memory_session_id"] = None if taken else memory
        if kind == "fact":
            by = columns["superseded_by"]
            columns["superseded_by"] = self._renamed.get(by, by)
        result = self._known(kind, columns)
        counts = self._counts(values)
        if result is None:
            number = self._insert(kind, columns)
            counts.new += 1
        else:
            number, hlc, editor = result
            if (columns["hlc"], columns["editor"]) > (hlc, editor):
                self._update(kind, number, columns)
                counts.changed += 1
            else:
                counts.unchanged += 1
        for source in sources:
            self.store.facts.add_foreign_source(self.store.facts.get(number), source)
        table = TABLES[kind]
        uid = str(self.store.db.execute(f"SELECT uid FROM {table} WHERE id = ?", (number,)).get)
        if kind == "fact" and uid != columns["uid"]:
            self._renamed[columns["uid"]] = uid
            self._supersede_by(uid, columns["uid"])
        return uid

    def _known(self, kind: str, columns: Values) -> tuple[int, int, str] | None:
        """Return number and clock of the record here that this one is; None for a new one."""
        for names in _IDENTITIES[kind]:
            values = tuple(columns[name] for name in names)
            if None in values:
                continue
            condition = " AND ".join(f"{name} = ?" for name in names)
            row: tuple[int, int, str] | None = self.store.db.execute(
                f"SELECT id, hlc, editor FROM {TABLES[kind]} WHERE {condition} LIMIT 1",
                values,
            ).fetchone()
            if row is not None:
                return row
        if kind == "fact":
            key: FactKind = columns["kind"]
            same = self.store.facts.find(columns["content"], key, columns["project"])
            return (same.id, same.hlc, same.editor) if same else None
        return None

    def _insert(self, kind: str, columns: Values) -> int:
        if kind == "note" and not columns["text"]:
            raise InvalidRecordError("the file of its note, {path}, is not there", path=columns["path"])
        values = columns | {"private": False, "fingerprint": None}
        number = insert(self.store.db, INSERTS[TABLES[kind]], values)
        if kind == "fact":
            self._key(number, columns)
        if kind == "prompt":
            self.store.db.execute(prompts.FOLLOW, values)
        return number

    def _update(self, kind: str, number: int, columns: Values) -> None:
        # Where a record came from is known better where it came in.
        names = [name for name in columns if name not in ("source", "native_id")]
        if kind == "note" and not columns["text"]:
            # Its text stands in a file of its own.
            names.remove("text")
        taken = f"SELECT 1 FROM {TABLES[kind]} WHERE uid = ? AND id <> ?"
        if self.store.db.execute(taken, (columns["uid"], number)).get:
            names.remove("uid")
        else:
            # What the directory knew of it, it knows under its new uid.
            self.store.db.execute(
                "DELETE FROM synced_records WHERE directory = ? AND uid = "
                f"(SELECT uid FROM {TABLES[kind]} WHERE id = ? AND uid <> ?)",
                (self.report.source, number, columns["uid"]),
            )
            if kind == "fact":
                self._supersede_by(columns["uid"], self.store.facts.get(number).uid)
        changes = ", ".join(f"{name} = :{name}" for name in names)
        self.store.db.execute(
            f"UPDATE {TABLES[kind]} SET {changes} WHERE id = :id", columns | {"id": number}
        )
        if kind == "fact":
            self._key(number, columns)

    def _supersede_by(self, uid: str, other_uid: str) -> None:
        """Have what a fact supersedes under another uid be superseded by the one that it has here."""
        self.store.db.execute(
            "UPDATE facts SET superseded_by = ? WHERE superseded_by = ?", (uid, other_uid)
        )

    def _key(self, number: int, columns: Values) -> None:
        self.store.db.execute(
            "UPDATE facts SET statement = ? WHERE id = ?", (fact_key(columns["content"]), number)
        )

    def _session(self, values: parts.Payload) -> int:
        """Return the number of the session that a record belongs to; it is made when it is unknown."""
        named = values.get("session")
        match named:
            case [str(agent), str(name)] if agent and name:
                pass
            case _:
                agent, name = AGENT, f"{self.report.source}:none"
        agent, name = scrub(agent), scrub(name)
        if session := self.store.sessions.find(name, agent):
            return session.id
        self.report.stubs += 1
        made = self.store.sessions.start(name, agent=agent, at=_number(values, "created_at"))
        # Whatever says more of it later is newer.
        self.store.db.execute("UPDATE sessions SET hlc = 0 WHERE id = ?", (made.id,))
        return made.id


def _clock(values: parts.Payload) -> tuple[int, str]:
    editor = values.get("editor")
    return _number(values, "hlc"), editor if isinstance(editor, str) else ""


def _number(values: parts.Payload, name: str) -> int:
    result = values.get(name)
    return result if isinstance(result, int) and abs(result) < 1 << 63 else 0


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]
