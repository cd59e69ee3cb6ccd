"""Purge: what is chosen goes for good, and no byte of it stays in a file of the memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import apsw

from ..capture.ingest.drain import scrub_stored
from ..database.backup import known_backups
from ..database.file import vacuum
from ..database.files.old_vectors import drop_old_vectors, old_vectors
from ..database.transaction import translate_errors
from ..platform.clock import now_ms
from ..platform.errors import StoreError
from ..platform.leaves import offers
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass, field
from ..search.index import full_text as index
from ..store import Store
from ..tables.removal.purge import UNFINISHED, PurgedTexts, is_unfinished, purge_rows
from ..tables.removal.purge_selection import (
    ORDER,
    Selection,
    forget_quotes,
    of_uids,
    purge_waiting,
    uids_of,
    with_merged,
)
from ..text.language.folding import prepare
from ..text.occurrences import SHORTEST, Occurrences
from ..text.plural import count_noun, count_nouns
from ..text.private_tags import SIGN
from .purge_search import Leftover, Progress, Search, chunks_of

PATIENCE_MS = 1_000
AT_ONCE_MS = 20
BATCH = 2_000


@dataclass(slots=True)
class Purged:
    """What a purge did: records by table, and where their texts were looked for, in how many bytes,
    and found. `is_final` is False where another process has the memory open, so that its log can't
    be emptied yet. `backups` still hold some of the texts, and so do `sources`: agents' transcripts
    and directories that are kept in step, which nothing here changes. `also` are refs of memories
    that say one of the texts too, and stay. `archived` is how many archived sessions went along."""

    counts: dict[str, int] = field(default_factory=dict)
    uids: tuple[str, ...] = ()
    texts: int = 0
    files: int = 0
    bytes: int = 0
    found: tuple[Leftover, ...] = ()
    backups: tuple[Leftover, ...] = ()
    sources: tuple[Leftover, ...] = ()
    also: tuple[str, ...] = ()
    is_final: bool = True
    notes: tuple[str, ...] = ()
    archived: int = 0

    @property
    def total(self) -> int:
        """How many records were purged."""
        return sum(self.counts.values())


class UnfinishedPurge(KeyboardInterrupt):
    """A purge was stopped at the keyboard when its records were gone, and their bytes not yet."""


P = ParamSpec("P")
T = TypeVar("T")


def with_store_errors(
    work: Callable[Concatenate[Store, P], T],
) -> Callable[Concatenate[Store, P], T]:
    """Have work on a memory raise DatabaseError for whatever SQLite says, also of a connection that an
    error of the disk has closed."""

    @wraps(work)
    def translated(store: Store, /, *args: P.args, **named: P.kwargs) -> T:
        with translate_errors(store.db, writing=False):
            return work(store, *args, **named)

    return translated


@with_store_errors
def purge(store: Store, table: str, numbers: Sequence[int], said: PurgedTexts | None = None) -> int:
    """Purge the records of a table with these ids, in one transaction; return how many there were.
    `finish` afterwards makes it final on the disk."""
    overwrite_deleted(store)
    with store.transaction():
        _mark(store)
        said = said or PurgedTexts()
        numbers = with_merged(store.db, Selection({table: tuple(numbers)})).numbers[table]
        many = purge_rows(store.db, table, numbers, said)
        forget_quotes(store.db, said)
    return many


@with_store_errors
def purge_for_good(
    store: Store,
    chosen: Selection,
    *,
    backups: bool = False,
    progress: Progress | None = None,
) -> Purged:
    """Purge a selection in one transaction, then overwrite it on the disk and look whether any byte
    of it is left. With `backups`, also in those of the memory's own backups that hold it.

    `progress` is called with what is done, how many there are, and words; what it raises before
    the transaction ends leaves the memory as it was. Killed before the end, `finish_interrupted`
    does the rest; stopped at the keyboard after the transaction, raises UnfinishedPurge.
    """
    said = PurgedTexts()
    overwrite_deleted(store)
    with store.transaction():
        chosen = with_merged(store.db, chosen)
        uids = uids_of(store.db, chosen)
        sessions = {
            session.content_session_id
            for session in store.sessions.by_ids(chosen.numbers.get("sessions", ()))
        }
        _mark(store)
        counts = _purge_selection(store, chosen, said, progress)
        counts |= purge_waiting(store.db, chosen, said)
        forget_quotes(store.db, said)
        counts = {table: many for table, many in counts.items() if many}
        purged = count_nouns(_named(counts)) or _("nothing")
        store.journal.note(_("{memories} purged", memories=purged))
        archived = sum(forget(store, sessions, said.quotations) for forget in offers("purge"))
    try:
        done = finish(store, said, progress)
        done.counts, done.uids, done.archived = counts, uids, archived
        texts = said.gone(store.db)
        marks = (f"{SIGN} {quote}{uid}" for uid in uids for quote in ("", '"'))
        done.sources = Search(store, Occurrences((*texts.texts, *marks)), progress).sources().found
        done.backups = Search(store, texts, progress).backups().found
        if backups and (held := {_backup_of(leftover.path) for leftover in done.backups}):
            copies = Purged()
            for place in held:
                if place.is_file():
                    _purge_backup(place, uids, texts, copies)
            done.notes += copies.notes
            done.backups = Search(store, texts, progress).backups().found
        return done
    except KeyboardInterrupt as error:
        raise UnfinishedPurge from error


def _purge_selection(
    store: Store, chosen: Selection, said: PurgedTexts, progress: Progress | None
) -> dict[str, int]:
    counts: dict[str, int] = {}
    total, done = sum(chosen.counts.values()), 0
    for table in ORDER:
        numbers = chosen.numbers.get(table, ())
        for begin in range(0, len(numbers), BATCH):
            some = numbers[begin : begin + BATCH]
            counts[table] = counts.get(table, 0) + purge_rows(store.db, table, some, said)
            done += len(some)
            if progress:
                progress(done, total, _("taking them out"))
    return counts


def purge_backups(store: Store) -> Purged:
    """Purge in the memory's own backups what was purged in the memory before; `counts` are of all of
    them, `notes` name those that could not be changed."""
    gone = [str(uid) for (uid,) in store.db.execute("SELECT uid FROM purged")]
    done = Purged()
    for place in known_backups(store.path):
        _purge_backup(place, gone, Occurrences(()), done)
    return done


@with_store_errors
def finish(store: Store, said: PurgedTexts | None = None, progress: Progress | None = None) -> Purged:
    """Overwrite what was purged: merge the indexes' segments, empty the spool's stored lines and the
    log, and look for the texts, byte by byte; where the file still holds one, or a word of it, vacuum
    it."""
    said = said or PurgedTexts()
    search = Search(store, said.gone(store.db), progress, said.quotations.texts)
    notes: list[str] = []
    if progress:
        progress(0, 1, _("overwriting"))
    overwrite_deleted(store)
    _optimize(store)
    try:
        scrub_stored(store)
    except (StoreError, OSError) as error:
        notes.append(_("The spool could not be overwritten ({error}); run `mem purge` again.", error=error))
    if not drop_old_vectors(store.path):
        notes.append(
            _(
                "The vectors of an earlier memtui in {path} could not be deleted; see that it can be "
                "written, then run `mem purge` again.",
                path=old_vectors(store.path),
            )
        )
    is_final = _empty_log(store)
    looked = search.own_files()
    words = _dead_words(store.db, said)
    has_any = any(leftover.path == store.path for leftover in looked.found)
    if is_final and (
        has_any or words.needles_in_chunks(chunks_of(store.path))[0] or search.has_traces(said.traces)
    ):
        if progress:
            progress(0, 1, _("overwriting what was free before"))
        with translate_errors(store.db):
            vacuum(store.db)
        is_final = _empty_log(store)
        looked = search.own_files()
    done = Purged(
        texts=len(search.texts.texts),
        files=looked.files,
        bytes=looked.bytes,
        found=looked.found,
        also=tuple(search.also),
    )
    done.is_final = is_final and not notes
    done.notes = tuple(notes)
    if done.is_final:
        with store.transaction():
            store.db.execute("DELETE FROM meta WHERE key = ?", (UNFINISHED,))
        _empty_log(store)
    return done


def _dead_words(db: apsw.Connection, said: PurgedTexts) -> Occurrences:
    """Return the words that no memory has any more, but the table of spellings may have had, forwards and
    backwards."""
    words = [word for word in index.spelled([prepare(said.whole)]) if len(word) >= SHORTEST]
    sql = "SELECT word FROM spellings WHERE word IN (SELECT value FROM json_each(?))"
    alive = {word for (word,) in db.execute(sql, (json.dumps(words),))}
    schema = "SELECT group_concat(sql, char(10)) FROM sqlite_schema"
    known = str(db.execute(schema).get)
    dead = [word for word in words if word not in alive and word not in known]
    return Occurrences((*dead, *(word[::-1] for word in dead)))


@with_store_errors
def finish_interrupted(store: Store) -> bool | None:
    """Finish a purge that was killed, or waited for a reader to go; None where there is none, else
    whether it is final now.

    Nobody knows any more what it said, so that the file is vacuumed instead of being searched.
    """
    if store.read_only or not is_unfinished(store.db):
        return None
    overwrite_deleted(store)
    if not _empty_log(store, AT_ONCE_MS):
        return False
    with translate_errors(store.db):
        _optimize(store)
        vacuum(store.db)
    return finish(store).is_final


def overwrite_deleted(store: Store) -> None:
    """Have this connection overwrite what it deletes, from now on."""
    store.db.pragma("secure_delete", True)


def _mark(store: Store) -> None:
    store.db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING", (UNFINISHED, str(now_ms())))


def _optimize(store: Store) -> None:
    with translate_errors(store.db):
        for table in index.tables(store.db):
            with store.transaction():
                store.db.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def _empty_log(store: Store, patience_ms: int = PATIENCE_MS) -> bool:
    """Write the log into the file and empty it; False where somebody is reading from it."""
    from ..database.connection import wait_when_busy

    store.db.set_busy_timeout(patience_ms)
    try:
        with translate_errors(store.db, writing=False):
            store.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except StoreError as error:
        if not isinstance(error.__cause__, apsw.BusyError):
            raise
        return False
    finally:
        wait_when_busy(store.db)
    return True


def _backup_of(place: Path) -> Path:
    """Return the backup that a file is, or lies beside as its log."""
    return place.with_name(re.sub("-(wal|shm|journal)$", "", place.name))


def _purge_backup(place: Path, uids: Iterable[str], texts: Occurrences, done: Purged) -> None:
    """Purge records, by their uids, in a backup; a note where that isn't possible, or it holds their
    texts all the same. Killed before the end, the next time finishes it."""
    try:
        with Store.open(place) as copy:
            finish_interrupted(copy)
            chosen = of_uids(copy.db, uids)
            for table, many in purge_for_good(copy, chosen).counts.items():
                done.counts[table] = done.counts.get(table, 0) + many
            # It was looked for by what the copy says; look for what was purged here too.
            left = Search(copy, texts).own_files().found
            copy.db.pragma("journal_mode", "delete")
    except (StoreError, OSError, apsw.Error) as error:
        note = _("{path} could not be changed ({error}).", path=place, error=error)
        done.notes = (*done.notes, note)
        return
    if left:
        note = _("{path} was purged, and still holds some of it.", path=place)
        done.notes = (*done.notes, note)


def _named(counts: dict[str, int]) -> dict[str, int]:
    """Counts by what tables are called in sentences."""
    names = {"pending_messages": N_("waiting messages"), "quarantine": N_("events")}
    return {names.get(table, table): many for table, many in counts.items()}


def summary(counts: dict[str, int]) -> str:
    """Return counts by table in words."""
    return count_nouns(_named(counts)) or count_noun(0, "memories")
