"""The memory as it was at a moment: a private copy that can only be read, and is gone afterwards; and what
a session was given at its start, rebuilt as of then, beside what it would be given now.

The copy is made by SQLite's backup in one snapshot: `VACUUM INTO` takes twice as long, and copying the
file would miss the log. Its documents go in a few statements with FTS5's merging off, which takes an
eighth of the time.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import apsw

from ..context.block import compose
from ..context.log_entries import LogEntry
from ..context.own_files import AgentsFile, own_files
from ..context.scope import scope_of
from ..context.wrapper import BLANK_NONCE, Context, random_nonce
from ..database.backup import free_bytes
from ..database.files import temporary
from ..database.files.atomic import create_private
from ..database.journal.take_back import Unknown, take_back
from ..database.transaction import snapshot
from ..formats.common.report import ImportProgress
from ..platform.clock import local_time, now_ms
from ..platform.errors import DatabaseError, StoreError
from ..platform.paths import current_folder
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..search.index.bulk import leave_unmerged
from ..search.index.derived import drop_documents
from ..search.query.dates import named_range
from ..store import Store
from ..tables.changed_files import forget_later_commits
from ..text.plural import count_noun
from ..text.tokens import estimate_tokens

SHORTEST_DAY_MS = 23 * 3_600_000
"""A day on which the clocks are put forward."""


@dataclass(frozen=True, slots=True)
class Past:
    """Where the copy lies, of which moment it is (ms), and what it can't tell, sentence by sentence."""

    path: Path
    at: int
    notes: tuple[str, ...]

    @property
    def title(self) -> str:
        """`as of 2026-02-17 18:00`, local time."""
        return _("as of {time}", time=local_time(self.at))


def moment_of(text: str, now: datetime | None = None) -> int:
    """Return the moment (ms) that a date of the query language names, or a number of ms: of a day and
    of what is longer its end, or the present where that is still to come, else its beginning.

    StoreError for what is no date, and for what lies in the future.
    """
    present = now_ms() if now is None else round(now.timestamp() * 1000)
    if text.isdecimal() and len(text) > 10:
        first, last = int(text), int(text) + 1
    elif result := named_range(text, datetime.now() if now is None else now):
        first, last = result
    else:
        raise StoreError(
            "{text!r} is not a time. Give 2026-02-17, 2026-02-17T18:00, yesterday, 3d or ms.", text=text
        )
    if first > present:
        raise StoreError("{text!r} lies in the future. Give a time that is past.", text=text)
    if first < 0:
        raise StoreError("{text!r} lies before 1970. Give a later time.", text=text)
    return min(last - 1, present) if last - first >= SHORTEST_DAY_MS else first


@contextmanager
def as_of(path: Path, at: int, progress: ImportProgress | None = None) -> Iterator[Past]:
    """Have the memory at `path` as it was at a moment (ms), in a file that is gone when the block ends,
    also when a signal ends the process. `progress` is called with what is done, in thousandths.

    The memory itself is only read. Errors are those of `Store.open`; DatabaseError where there is no
    room for the copy.
    """
    tell = progress or (lambda _done, _total: None)
    with (
        temporary.removed_when_ended(),
        Store.open(path, read_only=True) as source,
        temporary.directory(*_place(source)) as directory,
    ):
        copy = directory / "memory.db"
        os.close(create_private(copy))
        _copy(source.db, copy, tell)
        source.close()
        yield Past(copy, at, tuple(_sentences(_take_back(copy, at, tell))))


LIGHTEST_NONCE = "a" * len(BLANK_NONCE)
"""No nonce takes fewer tokens, and none takes more than the blank one."""


@dataclass(frozen=True, slots=True)
class ThenAndNow:
    """What the log says that a session was given, the block as it is rebuilt of the memories and the
    profile of then, and the one of now; both by the rules of this version. It `is_exact` where the log
    names the same memories in as many tokens; else `notes` say, sentence by sentence, why not."""

    logged: LogEntry
    then: Context
    now: Context
    is_exact: bool
    notes: tuple[str, ...]


def then_and_now(store: Store, logged: LogEntry, progress: ImportProgress | None = None) -> ThenAndNow:
    """Compare what a session was given with what it would be given now. Errors are those of
    `memtui.store.maintain.past.as_of`."""
    nonce = random_nonce()
    # What its own files said then is not known; as they are now is next to it.
    own = own_files(store.db, logged.project, logged.agent)
    with (
        as_of(store.path, logged.at, progress) as result,
        Store.open(result.path, read_only=True) as past,
    ):
        then = _composed(past, logged, nonce, own)
    now = _composed(store, logged, nonce, own)
    # The nonce that it was given had letters and digits, which take more than letters.
    texts = (then.text.replace(nonce, text) for text in (LIGHTEST_NONCE, BLANK_NONCE))
    least, most = map(estimate_tokens, texts)
    is_exact = then.refs == logged.refs and least <= logged.tokens <= most
    notes = () if is_exact else (_difference(logged, then), *result.notes)
    return ThenAndNow(logged, then, now, is_exact, notes)


PAGES = 4_096
"""So many pages are copied between two looks at how far it is."""

PERMILLE_COPIED = 500
"""What of the progress is the copying."""

IN_SYSTEM, BESIDE = "memtui-past-", ".past."
"""How the directories of copies are called, in the system's temporary directory and beside a memory."""


def _place(source: Store) -> tuple[str, Path | None]:
    """Return how the directory of a copy is to be called, and where there is room for it: None for the
    system's temporary directory, else the directory of the memory."""
    size = int(source.db.pragma("page_count")) * int(source.db.pragma("page_size"))
    beside = source.path.resolve().parent
    if free_bytes(Path(tempfile.gettempdir())) > size * 5 // 4:
        return IN_SYSTEM, None
    if free_bytes(beside) > size * 5 // 4 and os.access(beside, os.W_OK):
        return BESIDE, beside
    raise DatabaseError(
        "There is no room for a copy of the store ({size} MB), neither in "
        "{directory} nor in {beside}. Make room, or set TMPDIR to another directory.",
        size=f"{size / 1e6:,.0f}",
        directory=tempfile.gettempdir(),
        beside=beside,
    )


def _copy(db: apsw.Connection, copy: Path, tell: ImportProgress) -> None:
    with closing(apsw.Connection(str(copy))) as target:
        target.pragma("journal_mode", "off")
        target.pragma("synchronous", "off")
        # One snapshot, so that no write of another process makes it begin anew.
        with snapshot(db), target.backup("main", db, "main") as job:
            while not job.done:
                job.step(PAGES)
                tell(PERMILLE_COPIED * (job.page_count - job.remaining) // job.page_count, 1_000)


def _take_back(copy: Path, at: int, tell: ImportProgress) -> Unknown:
    def told(done: int, total: int) -> None:
        tell(PERMILLE_COPIED + (1_000 - PERMILLE_COPIED) * done // total, 1_000)

    with Store.open(copy) as store:
        # A power cut leaves nothing to be saved here.
        store.db.pragma("journal_mode", "delete")
        store.db.pragma("synchronous", "off")
        store.db.pragma("secure_delete", False)
        with store.transaction():
            leave_unmerged(store.db)
            unknown = take_back(
                store.db,
                at,
                store.machine_id,
                drop_documents,
                store.facts.forget_later_sources,
                told,
            )
            forget_later_commits(store.db, at)
            return unknown


def _sentences(unknown: Unknown) -> Iterator[str]:
    if unknown.begins_at is not None:
        yield _(
            "Changes before {time} aren't known: what they changed is shown as it was after them.",
            time=local_time(unknown.begins_at),
        )
    if unknown.changed:
        yield _(
            "Shown as of now: {memories} that imports or agents added or changed since.",
            memories=count_noun(unknown.changed, "memories"),
        )
    if unknown.purged:
        purged = count_noun(unknown.purged, "memories")
        yield _("Missing: {memories} purged since.", memories=purged)


def _composed(store: Store, logged: LogEntry, nonce: str, own: Sequence[AgentsFile]) -> Context:
    with snapshot(store.db):
        scope = scope_of(
            store.db, logged.agent, logged.project, logged.session, logged.occasion, before=logged.at
        )
        return compose(
            store.db, logged.project, scope=scope, nonce=nonce, own=own, folder=current_folder() or ""
        )


def _difference(logged: LogEntry, then: Context) -> str:
    missing = [ref for ref in logged.refs if ref not in then.refs]
    more = [ref for ref in then.refs if ref not in logged.refs]
    here, there = (
        _(
            "{memories}, {tokens}",
            memories=count_noun(len(item.refs), "memories"),
            tokens=count_noun(item.tokens, "tokens"),
        )
        for item in (then, logged)
    )
    sentences = [_("Not exact: {here} here; {there} in the log.", here=here, there=there)]
    if missing:
        sentences.append(_("Missing: {refs}.", refs=_(", ").join(missing)))
    if more:
        sentences.append(_("Extra: {refs}.", refs=_(", ").join(more)))
    return " ".join(sentences)
