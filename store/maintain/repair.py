"""Salvage a damaged memory: its rows from every copy at hand, in a new file beside it.

What it can't do: read a page that was overwritten and is in no other copy; read what lies behind bytes
that were put in or went missing; tell a purged row from a lost one where every trace of the purge is
damaged; bring back damaged rows of most `WITHOUT ROWID` tables, which are read by their tree only.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from ..capture.ingest import spool, spool_state
from ..capture.ingest.drain import TRANSIENT, ingest_line
from ..capture.ingest.transcripts import read_transcript
from ..database import SCHEMA
from ..database.backup import known_backups
from ..database.files import leftovers, temporary
from ..database.replace import keep_numbers
from ..database.schema.shapes import TableShape, fresh_shapes
from ..formats.damaged_records import Copy, pages_of, read_copy
from ..formats.damaged_writing import Chosen, Written, write_rows
from ..formats.sqlite.file import open_foreign
from ..formats.sqlite.pages import Hole, Pages
from ..platform.errors import DatabaseError, StoreError
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass, field
from ..search.index.derived import without_triggers
from ..store import Store


@dataclass(frozen=True, slots=True)
class Lost:
    """Rows that can't be read in the file: of which table, and those between which keys."""

    table: str
    keys: str


@dataclass(slots=True)
class Repaired:
    """The new memory; its rows by table and by where they came from; what the file itself had lost,
    whether or not another copy had it; and what could not be stored, with the reason."""

    path: Path
    rows: dict[str, dict[str, int]] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    refused: list[tuple[str, str, str]] = field(default_factory=list)
    stubs: int = 0
    hidden: int = 0
    cut: int = 0

    @property
    def total(self) -> int:
        """How many rows there are, of all tables."""
        return sum(sum(row.values()) for row in self.rows.values())


def repair(path: Path, into: Path | None = None) -> Repaired:
    """Salvage the memory at `path` into a new file, by default `NAME-repaired.db` beside it.

    The file itself, and what lies beside it, stays as it is, byte for byte. Raises StoreError where
    no copy of it holds a row, or where the new file can't be made.
    """
    target = _free(path) if into is None else into
    if os.path.lexists(target):
        raise DatabaseError("{target} exists already. Name a new file with --into.", target=target)
    if not target.parent.is_dir():
        raise DatabaseError(
            "There is no directory {parent}. Make it, or name another file.", parent=target.parent
        )
    shapes = fresh_shapes()
    copies = _copies(path, shapes)
    if not any(copy.rows for copy in copies):
        raise DatabaseError(
            "Nothing of a store is left in {path}, and no backup of it holds any. Nothing was changed.",
            path=path,
        )
    try:
        with temporary.directory(".repair.", target.parent) as directory:
            made = directory / target.name
            repaired = _make(made, path, copies, shapes)
            leftovers.place(made, target)
    except (OSError, apsw.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DatabaseError(
            "{target} can't be written ({reason}). Name another file.", target=target, reason=reason
        ) from error
    repaired.path = target
    return repaired


MOST_BACKUPS = 3
"""So many backups, the newest, are looked at for what the file has lost."""

SPOOL, TRANSCRIPTS = N_("the spool"), N_("transcripts")

TRANSCRIPT_SECONDS = 60.0
"""What may be spent on reading transcripts again."""

EVENT_TABLES = {
    "prompt": "prompts", "tool": "observations", "reply": "observations", "compaction": "summaries",
}  # fmt: skip
"""The table of the row that is made of an event, by the event's kind."""


def _free(path: Path) -> Path:
    names = (f"{path.stem}-repaired{mark}{path.suffix}" for mark in ("", *map(str, range(2, 1000))))
    places = (path.with_name(name) for name in names)
    return next(place for place in places if not os.path.lexists(place))


def _copies(path: Path, shapes: dict[str, TableShape]) -> list[Copy]:
    """The file, what is left in its log, and where rows are missing its newest backups."""
    copies: list[Copy] = []
    labels = (path.name, f"{path.name}-wal")
    for label, pages in zip(labels, pages_of(path), strict=False):
        if not copies:
            _refuse_newer(pages, path)
        known = set() if copies else set(shapes)
        copies.append(read_copy(label, pages, shapes, known, is_own=True))
    if not copies[0].holes:
        return copies
    for backup in known_backups(path)[:MOST_BACKUPS]:
        with suppress(StoreError, OSError):
            pages = next(iter(pages_of(backup)))
            copies.append(read_copy(backup.name, pages, shapes, set(), is_own=False))
    return copies


def _refuse_newer(pages: Pages, path: Path) -> None:
    """Refuse a file of a later version, as far as its header can be believed."""
    version = int.from_bytes(pages.page(1)[60:64], "big")
    if SCHEMA < version < SCHEMA + 20:
        raise DatabaseError(
            "{path} was written by a newer memtui (schema {version}, this one knows "
            "{schema}). Upgrade memtui to repair it.",
            path=path,
            version=version,
            schema=SCHEMA,
        )


def _make(made: Path, path: Path, copies: list[Copy], shapes: dict[str, TableShape]) -> Repaired:
    with Store.open(made) as store:
        chosen = Chosen(copies, shapes)
        with store.transaction(), without_triggers(store.db):
            written = write_rows(store.db, chosen, shapes)
        store.rebuild()
        with suppress(StoreError, OSError, apsw.Error), open_foreign(path) as old:
            keep_numbers(old, store.db)
        repaired = _report(copies, written)
        if repaired.lost:
            _tell_again(store, path, repaired)
        health = store.doctor(thorough=True)
        wrong = next((check for check in health.checks if not check.ok), None)
        if wrong is not None:
            raise DatabaseError(
                "What was salvaged is not sound ({name}: {found}). Nothing was changed.",
                name=wrong.name,
                found=wrong.found,
            )
        store.db.pragma("journal_mode", "delete")
    return repaired


def _report(copies: list[Copy], written: Written) -> Repaired:
    return Repaired(
        Path(),
        {table: dict(results) for table, results in written.rows.items()},
        [Lost(table, keys) for table, holes in sorted(copies[0].holes.items()) for keys in _keys(holes)],
        written.refused,
        written.stubs,
        written.hidden,
        written.cut,
    )


def _keys(holes: list[Hole]) -> list[str]:
    """Holes as people read them, those side by side as one."""
    if any(hole.after is None and hole.last is None for hole in holes):
        return [_("unknown")]
    keys: list[tuple[int | None, int | None]] = []
    for hole in sorted(set(holes), key=lambda pair: (pair.after is not None, pair.after or 0)):
        if keys and keys[-1][1] is not None and (hole.after or 0) <= keys[-1][1]:
            last = None if hole.last is None else max(hole.last, keys[-1][1])
            keys[-1] = (keys[-1][0], last)
        else:
            keys.append((hole.after, hole.last))
    return [_spoken(after, last) for after, last in keys]


def _spoken(after: int | None, last: int | None) -> str:
    first = 1 if after is None else after + 1
    if last is None:
        return _("from {first} on", first=first)
    return str(first) if last <= first else _("{first} to {last}", first=first, last=last)


def _tell_again(store: Store, path: Path, repaired: Repaired) -> None:
    """Store what hooks and transcripts told of rows that are lost: what is known isn't stored twice,
    what was purged stays known."""
    with store.transaction():
        for kind, table in EVENT_TABLES.items():
            store.db.execute(
                "DELETE FROM captured_events WHERE kind = ? AND record_id IS NOT NULL "
                f"AND record_id NOT IN (SELECT id FROM {table})",
                (kind,),
            )
    before = _counts(store)
    _from_spool(store, path)
    before = _count_new(store, before, repaired, SPOOL)
    _from_transcripts(store)
    _count_new(store, before, repaired, TRANSCRIPTS)


def _from_spool(store: Store, path: Path) -> None:
    spool.settle(path)
    for line in spool.unstored_lines(spool.segments(path)):
        with suppress(StoreError, *TRANSIENT), store.transaction():
            spool_state.remember_line(store.db, line.line)
            ingest_line(store, line.line)


def _from_transcripts(store: Store) -> None:
    until = time.monotonic() + TRANSCRIPT_SECONDS
    rows: Any = store.db.execute("SELECT path, agent FROM transcripts").fetchall()
    with store.transaction():
        store.db.execute("UPDATE transcripts SET file = '', read_bytes = 0, state = '{}'")
    for name, agent in rows:
        with suppress(StoreError, ValueError):
            read_transcript(store, Path(name), agent, seconds=max(0.0, until - time.monotonic()))


def _counts(store: Store) -> Counter[str]:
    return Counter(
        {
            table: int(store.db.execute(f"SELECT count(*) FROM {table}").get)
            for table in dict.fromkeys(("sessions", *EVENT_TABLES.values()))
        }
    )


def _count_new(store: Store, before: Counter[str], repaired: Repaired, label: str) -> Counter[str]:
    after = _counts(store)
    for table, number in (after - before).items():
        repaired.rows.setdefault(table, {})[label] = number
    return after
