"""Export as a scheme C directory: what a first sync with an empty one writes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...database.transaction import snapshot
from ...kinds import TABLES
from ...records import Common, Note
from ...store import Store
from ...text.plural import count_noun
from ...translation import N_, _
from ..common.drafts import make_directories
from ..common.progress import FormatResult, Progress, ProgressCounter
from ..common.scope import RECORDS, Scope
from .directory import STATE, SYSTEM
from .payload import KINDS
from .places import FILE_MODE
from .public import Public, PublicRecord, file_in
from .rendering import file_of, lines_of
from .writer import dumped

UNHELD = {
    N_("messages for an observer"): "pending_messages",
    N_("ids of events"): "captured_events",
    N_("counts of tokens"): "token_usage",
    N_("searches under a name"): "saved_searches",
}
OF_SESSIONS = ("captured_events", "token_usage")
"""Those that chosen sessions would take along."""


def export_scheme_c(
    store: Store, directory: Path, scope: Scope | None = None, progress: Progress | None = None
) -> FormatResult:
    """Write a memory into an empty directory, as of one moment; return the records by table and what is
    left out.

    The memory goes on as if it had never met the directory. Private records are left out. Raises
    OSError.
    """
    with snapshot(store.db):
        return _Export(store, directory, scope, progress).run()


class _Export:
    """One run."""

    def __init__(
        self, store: Store, directory: Path, scope: Scope | None, progress: Progress | None
    ) -> None:
        self.db = store.db
        self.directory = directory
        # The shape has no mark for hidden records, whatever the scope says of them.
        self.scope = Scope(chosen=None if scope is None else scope.chosen)
        self.mark = os.urandom(4).hex()
        self.public = Public(store, f"{SYSTEM}:{self.mark}", self.scope)
        total = sum(self._count(f"{table} t", self.scope.shown("t", table)) for table in RECORDS)
        self.counter = ProgressCounter(total, progress)
        self.counter.counts |= dict.fromkeys(RECORDS, 0)

    def run(self) -> FormatResult:
        self._append(STATE, json.dumps({"directory": self.mark}).encode() + b"\n")
        for kind in KINDS:
            for page in self.public.pages(kind):
                self._write(page)
                for _record in page:
                    self.counter.count(TABLES[kind])
        return FormatResult(self.counter.counts, tuple(self._unheld()))

    def _write(self, page: list[PublicRecord]) -> None:
        """Write some records: each is rendered once, and each file of theirs opened once."""
        files: dict[str, list[bytes]] = {}
        for record, values in page:
            self._write_note_file(record)
            lines = files.setdefault(file_of(record), [])
            lines += (dumped(line) + b"\n" for line in lines_of(record, values))
        for file, lines in files.items():
            self._append(file, b"".join(lines))

    def _write_note_file(self, record: Common) -> None:
        if isinstance(record, Note) and (file := file_in(record, self.public.directory)):
            self._append(file, record.text.encode(errors="replace"))

    def _append(self, file: str, content: bytes) -> None:
        path = self.directory / file
        make_directories(path.parent)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        with os.fdopen(os.open(path, flags, FILE_MODE), "wb") as stream:
            stream.write(content)

    def _unheld(self) -> Iterator[str]:
        is_chosen = self.scope.chosen is not None
        owned = f"session_id IN (SELECT id FROM sessions t WHERE {self.scope.condition('sessions')})"
        for what, table in UNHELD.items():
            if is_chosen and table not in OF_SESSIONS:
                continue
            if count := self._count(table, owned if is_chosen else "true"):
                yield _("{rows} left out.", rows=count_noun(count, what))
        hidden = 0 if is_chosen else sum(self.scope.left_out(self.db).values())
        if hidden:
            records = count_noun(hidden, "records")
            yield _("{records} left out, being private or deleted.", records=records)

    def _count(self, table: str, condition: str) -> int:
        result: Any = self.db.execute(f"SELECT count(*) FROM {table} WHERE {condition}").get
        return int(result)
