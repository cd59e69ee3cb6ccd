"""The store: one open memory, its tables, and every question that can be asked of it.

What not every command asks is imported where it is asked.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import apsw

from .config import may_name_model
from .curation import Curation
from .database import file, log_size
from .database.connection import BUSY_SECONDS
from .database.transaction import (
    Transaction,
    in_snapshot,
    translate_errors,
)
from .platform import paths
from .platform.clock import now_ms
from .platform.errors import NotFoundError
from .records.kinds import ANY_SHARED, bare_ref, ref_of
from .records.rows import ListRow, Observation, Record
from .search.hits import Hits
from .search.index import full_text as index
from .search.index.derived import follow_flags
from .search.listing import rows as listing
from .search.listing.timeline import Timelines
from .search.query.filters import IN_PROJECT_HERE
from .search.query.language import Query, parse, parsed
from .search.related.meaning import PATIENCE_SECONDS, StoreMeaning, WordMeaning
from .tables.base import Table
from .text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .curation.editing import AnyRecord
    from .database.health import Health
    from .database.schema.comparison import SchemaDifference
    from .search.arrivals import Arrivals
    from .search.completion.completions import Completions
    from .search.completion.remarks import Remark
    from .search.facets import Stats
    from .search.narrowing import ListSearch
    from .tables.changed_files import ChangedFile


class Store(Curation, Timelines):
    """An open memory. Every public method is one committed transaction; `transaction()` groups several.

    All times are ms since the epoch, UTC. Methods raise the errors of `memtui.store.platform.errors` only.
    """

    def __init__(self, db: apsw.Connection, path: Path, *, read_only: bool = False) -> None:
        self.db = db
        self.path = path
        self.read_only = read_only
        if not read_only:
            index.ensure(db)
        self._transaction = Transaction(
            db, read_only=read_only, before_commit=index.catch_up, before_flags=follow_flags
        )
        _ = self.machine_id  # Before any reading can be interrupted.

    def meaning(self, patience: float = PATIENCE_SECONDS) -> StoreMeaning:
        """Return what tells how near memories are in meaning: the user's model, which is waited for so many
        seconds, where the configuration names one, else word vectors."""
        from .platform.leaves import has_leaf, leaf

        if not may_name_model() or not has_leaf("embeddings"):
            return WordMeaning()
        meaning: StoreMeaning = leaf("embeddings.searching").model_meaning(self.path, patience)
        return meaning

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        read_only: bool = False,
        patience: float = BUSY_SECONDS,
    ) -> Self:
        """Open a memory (the user's own when no path is given), made when it is missing.

        A lock of another process is waited for, `patience` seconds each time.

        Raises DatabaseError when the file is no memory, ReadOnlyError when it can't be written;
        read-only never writes a byte, and needs a file that exists.
        """
        place = Path(path) if path is not None else paths.default_path()
        with file.translate_open_errors(place, read_only=read_only):
            db = file.connect(place, read_only=read_only, patience=patience)
            try:
                return cls(db, place, read_only=read_only)
            except BaseException:
                db.close()
                raise

    def close(self) -> None:
        """Close the file; the store can't be used any more."""
        self.db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def transaction(self) -> Transaction:
        """`with store.transaction():` makes several calls one transaction; an error takes all back."""
        return self._transaction

    def data_version(self) -> int:
        """A number that changes whenever another connection commits."""
        # Connection.data_version() would give what it was when this connection last read.
        return int(self.db.pragma("data_version"))

    def parse(self, query: str, now: datetime | None = None) -> Query:
        """Return what is understood of a query, as `store.parse` does; any text is one."""
        return parse(query, now)

    def find(self, query: str | Query) -> Hits:
        """Return what a query finds, which looks for nothing until it is asked; nothing a user types
        raises."""
        return Hits(self.db, parsed(query), meaning=self.meaning, catch_up=self.catch_up)

    @in_snapshot
    def completions(
        self,
        text: str,
        cursor: int | None = None,
        now: datetime | None = None,
        *,
        chinese: bool = False,
    ) -> Completions | None:
        """Return what a query that is being typed may go on with at the cursor (else at its end), by
        Chinese names if wanted; None where nothing is offered. Takes some 30 ms at most, and says when
        that was too short."""
        from .search.completion.completions import completions

        place = len(text) if cursor is None else cursor
        result = completions(self.db, text, place, now or datetime.now())
        if chinese and result is not None:
            from .search.completion.completions import in_chinese

            return in_chinese(result)
        return result

    @in_snapshot
    def remarks(self, text: str, now: datetime | None = None) -> tuple[Remark, ...]:
        """Return what there is to say of a query: values and filters that exist nowhere, dates that are
        none, words that may be meant as a date; each with the query that may be meant."""
        from .search.completion import may_be_remarked_on

        if not may_be_remarked_on(text):
            return ()
        from .search.completion.remarks import remarks

        return remarks(self.db, text, now or datetime.now())

    @in_snapshot
    def machine_name(self, machine: str) -> str:
        """Return what the machine is called that is a record's `origin` or `editor`; "" for this one."""
        if machine == self.machine_id:
            return ""
        from .tables.machines import name_of

        return name_of(self.db, machine)

    @in_snapshot
    def author_of(self, record: AnyRecord) -> str:
        """Return the teammate who shared a record; "" for one's own."""
        from .search.listing.teammates import Teammates

        return Teammates(self.db).author(ref_of(record))

    def authors_of(self, refs: Iterable[str]) -> dict[str, str]:
        """Return the teammates who shared records, by ref; those of one's own are left out."""
        if not self.db.execute(ANY_SHARED).get:
            return {}
        from .search.listing.teammates import Teammates

        return Teammates(self.db).authors(refs)

    @cached_property
    def arrivals(self) -> Arrivals:
        """What has arrived since someone last looked into the memory with the browser."""
        from .search.arrivals import Arrivals

        return Arrivals(self.db)

    @cached_property
    def list_search(self) -> ListSearch:
        """Which rows of the lists of sessions, facts and messages hold some words."""
        from .search.narrowing import ListSearch

        return ListSearch(self.db)

    @in_snapshot
    def record(self, ref: str) -> Record:
        """Return a record by the id people use: 12, p12, s12, f12, or any uid; NotFoundError."""
        ref = bare_ref(clean(ref))
        if ref.isdecimal():
            return self.observations.get(ref)
        tables: tuple[Table[Any], ...] = (
            self.observations,
            self.prompts,
            self.summaries,
            self.facts,
        )
        for table in tables:
            with suppress(NotFoundError):
                result: Record = table.get(ref)
                return result
        raise NotFoundError(
            "There is no memory {ref}. Observations are numbers, prompts p12, summaries s12, facts "
            "f12; `mem search` lists them.",
            ref=ref,
        )

    @in_snapshot
    def here(self) -> str:
        """Return the project of the repository that the current directory is in, where it has any memory;
        "" elsewhere."""
        from .tables.projects import repository_here

        name = repository_here(self.db)
        return name if name and self.find(IN_PROJECT_HERE).rows(0, 1) else ""

    @in_snapshot
    def list_row(self, record: Record) -> ListRow:
        """Return a record as lists show it; NotFoundError when it is gone."""
        return listing.list_row(self.db, record)

    @in_snapshot
    def record_of(self, row: ListRow) -> Record:
        """Return the record behind a list row; NotFoundError when it is gone."""
        return self.record(row.ref)

    @in_snapshot
    def changed_files(self, record: Record) -> list[ChangedFile]:
        """Return the files of an observation that have changed since it was made, the last changed
        first, as of the commit that was read last; none of other records."""
        from .tables.changed_files import changed_files

        return changed_files(self.db, record.id) if isinstance(record, Observation) else []

    @in_snapshot
    def projects(self) -> list[tuple[str, int]]:
        """Every project with how many memories it has, most first."""
        from .search import facets

        return facets.projects(self.db)

    @in_snapshot
    def values_in_use(self, field: str, prefix: str = "", limit: int = 20) -> list[str]:
        """Return what a field (type, project, tags, concepts, entities) holds anywhere that begins so,
        whether in capitals or not, in its order."""
        from .search import facets

        return facets.values_in_use(self.db, field, prefix, limit)

    @in_snapshot
    def stats(self) -> Stats:
        """Count what the store holds."""
        from .search import facets

        return facets.stats(self.db)

    def doctor(self, *, thorough: bool = False) -> Health:
        """Check that the store is sound, and its indexes equal to its rows."""
        from .search.index import health

        self.catch_up()
        return health.examine(self.db, thorough=thorough)

    def backup(self, target: str | Path) -> Path:
        """Write a verified copy of the store to a new file, and return its path."""
        from .database import backup

        return backup.backup(self.db, Path(target))

    def rebuild(self) -> list[SchemaDifference]:
        """Make documents, labels and indexes anew from the rows, and what is missing or changed of
        the schema; return that. A file that is mostly free pages gets smaller."""
        from .database import health
        from .database.schema import mending

        mended: list[SchemaDifference] = []
        if not self.read_only and not self.db.in_transaction:
            with translate_errors(self.db):
                mended = mending.mend_where_wrong(self.db, now=now_ms())
        with self._transaction:
            index.rebuild(self.db, index.wanted(self.db))
        if not self.db.in_transaction and health.is_mostly_free(self.db):
            with translate_errors(self.db):
                file.vacuum(self.db)
        return mended

    def shorten_log(self) -> None:
        """Cut a long write-ahead log, if nobody needs it right now: for whoever is open for long."""
        log_size.shorten(self.db)

    def catch_up(self) -> None:
        """Index what other programs wrote, if that can be done at once; a search reads the rest."""
        if not self.read_only:
            index.try_catch_up(self.db)
