"""Store what observers found and confirm its messages in one transaction; what users edited stays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import apsw

from ...errors import StoreError
from ...records import Observation, PendingMessage, Session, Summary, SummaryLevel
from ...store import Store
from ...tables.rows import Values

NO_EDIT = frozenset(("updated_at", "deleted_at", "private", "pinned", "editor", "hlc", "extra"))
"""Columns whose change says nothing of the texts."""

RULES = "rules"
"""Who made what no model did."""

# The visible by their documents, which know the session; of the hidden there are few.
LAST_SUMMARY = """
id IN (
    SELECT record_id FROM documents WHERE session_id = ?1 AND kind = 's'
    UNION ALL
    SELECT id FROM summaries WHERE (private = 1 OR deleted_at IS NOT NULL) AND session_id = ?1
) AND level = ?2 AND json_extract(extra, '$.observer') IS NOT NULL ORDER BY id DESC LIMIT 1
"""

SummariesByLevel = Mapping[SummaryLevel, Values]


class UserEdits:
    """The edits of the journal that stand, read when they are first asked for."""

    def __init__(self, store: Store) -> None:
        self._db = store.db
        self._machine = store.machine_id

    def touch(self, record: Observation | Summary) -> bool:
        """Whether a record's texts were edited, here or on another machine."""
        table = "observations" if isinstance(record, Observation) else "summaries"
        return record.editor != self._machine or (table, record.id) in self._rows

    @cached_property
    def _rows(self) -> set[tuple[str, int]]:
        columns = {table: self._free(table) for table in ("observations", "summaries")}
        found: set[tuple[str, int]] = set()
        sql = "SELECT changeset FROM changes WHERE undone_at IS NULL"
        changesets: list[Any] = self._db.execute(sql).fetchall()
        for (changeset,) in changesets:
            for change in apsw.Changeset.iter(changeset):
                new: Any = change.new
                if change.op != "UPDATE" or change.name not in columns or new is None:
                    continue
                if any(new[place] is not apsw.no_change for place in columns[change.name]):
                    old: Any = change.old
                    found.add((change.name, int(old[0])))
        return found

    def _free(self, table: str) -> list[int]:
        """The places of a table's columns whose change is an edit."""
        rows: list[Any] = self._db.execute(f"PRAGMA table_info({table})").fetchall()
        return [int(row[0]) for row in rows if row[1] not in NO_EDIT and not row[5]]


class LeaseLostError(StoreError):
    """A message is another worker's by now; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An observation by its columns; `message` is what it was made of, and `replaces` the one whose
    texts it takes the place of, unless that was edited or hidden."""

    fields: Values
    message: PendingMessage | None = None
    replaces: int | None = None


@dataclass(frozen=True, slots=True)
class StoredIds:
    """The ids of what stands now."""

    observations: tuple[int, ...] = ()
    summaries: Mapping[SummaryLevel, int] = field(default_factory=dict)


def store_observations(
    store: Store,
    session: Session,
    findings: Sequence[Finding],
    summaries: SummariesByLevel | None = None,
    messages: Sequence[PendingMessage] = (),
    *,
    by: str = RULES,
    at: int | None = None,
    prompt_number: int | None = None,
    final: bool = True,
) -> StoredIds:
    """Store observations and summaries, and then confirm the messages, all or nothing.

    Without `final` the messages wait on, for an observer that knows more, and keep the record that
    stands until then. LeaseLostError, with nothing stored, where one is another worker's by now.
    """
    with store.transaction():
        edits = UserEdits(store)
        made = {
            id(finding): _observation(store, session, finding, edits, by) for finding in findings
        }
        put = _summaries(store, session, summaries or {}, edits, by, at, prompt_number)
        of_message = {
            finding.message.id: made[id(finding)] for finding in findings if finding.message
        }
        for message in messages:
            ours = store.pending.finish(
                message,
                "processed" if final else "pending",
                counts=final,
                outcome=by if final else None,
                observation_id=of_message.get(message.id),
                summary_id=put.get("detailed") if message.kind == "summary" else None,
            )
            if not ours:
                raise LeaseLostError(
                    f"Message {message.id} is another worker's by now; nothing was stored."
                )
    return StoredIds(tuple(made.values()), put)


def made_by(record: Observation | Summary) -> str | None:
    """Which observer a record is of, as its `extra` tells; None for what none has made or marked."""
    found = json.loads(record.extra) if record.extra else {}
    return found.get("observer") if isinstance(found, dict) else None


def _observation(
    store: Store, session: Session, finding: Finding, edits: UserEdits, by: str
) -> int:
    if finding.replaces is None:
        return store.observations.add(session, **finding.fields).id
    standing = store.observations.get(finding.replaces)
    if standing.is_visible and not edits.touch(standing):
        store.observations.revise(standing.id, **finding.fields, extra=_marked(standing.extra, by))
    return standing.id


def _summaries(
    store: Store,
    session: Session,
    summaries: SummariesByLevel,
    edits: UserEdits,
    by: str,
    at: int | None,
    prompt_number: int | None,
) -> dict[SummaryLevel, int]:
    """A session has one brief and one detailed summary of an observer, which go on with it."""
    found: dict[SummaryLevel, int] = {}
    for level, fields in summaries.items():
        standing = last_summary(store, session, level)
        if standing is None:
            found[level] = store.summaries.add(
                session,
                level=level,
                prompt_number=prompt_number,
                at=at,
                extra=_marked(None, by),
                **fields,
            ).id
            continue
        found[level] = standing.id
        if standing.is_visible and not edits.touch(standing):
            extra = _marked(standing.extra, by)
            moment = standing.created_at if at is None else max(at, standing.created_at)
            store.summaries.revise(
                standing.id, **fields, prompt_number=prompt_number, created_at=moment, extra=extra
            )
    return found


def last_summary(store: Store, session: Session, level: SummaryLevel) -> Summary | None:
    """The summary that an observer has made of a session, hidden or not; None where there is none."""
    found = store.summaries.where(LAST_SUMMARY, (session.id, level))
    return found[0] if found else None


def _marked(extra: str | None, by: str) -> str:
    kept: Any = json.loads(extra) if extra else {}
    return json.dumps(
        (kept if isinstance(kept, dict) else {}) | {"observer": by}, ensure_ascii=False
    )
