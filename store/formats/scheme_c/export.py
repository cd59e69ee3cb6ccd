"""Export as a scheme C directory: what a first sync with an empty one writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...database import temporary
from ...store import Store
from ...text.plural import count_noun
from ..common.progress import FormatResult, Progress
from ..common.scope import RECORDS, Scope
from .sync import sync

UNHELD = {
    "messages for an observer": "pending_messages",
    "ids of events": "captured_events",
    "counts of tokens": "token_usage",
    "searches under a name": "saved_searches",
}


def export_scheme_c(
    store: Store, directory: Path, scope: Scope | None = None, progress: Progress | None = None
) -> FormatResult:
    """Write a memory into an empty directory; return the records by table and what is left out.

    It is made of a private copy of the memory, since a sync remembers what it wrote: the memory
    itself goes on as if it had never met the directory. Private records are left out.
    """
    with temporary.directory("memtui-") as place:
        copy = store.backup(place / "memory.db")
        tell = None if progress is None else lambda done, total: progress(done, total, "lines")
        with Store.open(copy) as same:
            if scope is not None and scope.chosen is not None:
                _keep(same, scope)
            report = sync(same, directory, progress=tell)
            return FormatResult(_held(same), (*_unheld(same), *report.notes))


def _keep(store: Store, scope: Scope) -> None:
    """Take all that isn't chosen out of a copy."""
    with store.transaction():
        for table in ("pending_messages", "saved_searches"):
            store.db.execute(f"DELETE FROM {table}")
        for table in reversed(RECORDS):
            store.db.execute(f"DELETE FROM {table} AS t WHERE NOT ({scope.condition(table)})")


def _unheld(store: Store) -> Iterator[str]:
    for what, table in UNHELD.items():
        found: Any = store.db.execute(f"SELECT count(*) FROM {table}").get
        if found:
            yield f"{count_noun(found, what)} left out."
    hidden = sum(Scope().left_out(store.db).values())
    if hidden:
        yield f"{count_noun(hidden, 'records')} left out, being private or deleted."


def _held(store: Store) -> dict[str, int]:
    """Count the records of each table that went out: a session is two lines, and a note may be a
    file."""
    seen = Scope()
    sql = "SELECT count(*) FROM {} t WHERE {}"
    return {
        table: int(store.db.execute(sql.format(table, seen.condition(table))).get)
        for table in RECORDS
    }
