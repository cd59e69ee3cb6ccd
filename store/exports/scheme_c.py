"""Export as a scheme C directory: what a first sync with an empty one writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..scheme_c.sync import sync
from ..store import Store
from .claude_mem import Exported
from .progress import Progress
from .scope import Scope

UNHELD = {
    "messages that wait for an observer": "pending_messages",
    "events' own ids": "captured_events",
    "answers' token counts": "token_usage",
    "saved searches": "saved_searches",
}


def export_scheme_c(store: Store, directory: Path, progress: Progress | None = None) -> Exported:
    """Write a memory into an empty directory; how many lines of each kind, and what is not in them.

    It is made of a private copy of the memory, since a sync remembers what it wrote: the memory
    itself goes on as if it had never met the directory. What is private never goes out.
    """
    with TemporaryDirectory(prefix="memtui-") as place:
        copy = store.backup(Path(place) / "memory.db")
        tell = None if progress is None else lambda done, total: progress(done, total, "lines")
        with Store.open(copy) as same:
            report = sync(same, directory, progress=tell)
            left = tuple(_unheld(same))
    return Exported(report.written, (*left, *report.notes))


def _unheld(store: Store) -> Iterator[str]:
    for what, table in UNHELD.items():
        found: Any = store.db.execute(f"SELECT count(*) FROM {table}").get
        if found:
            yield f"{found:,} {what}, left out."
    hidden = sum(Scope(deleted=True).left_out(store.db).values())
    if hidden:
        yield f"{hidden:,} private records, left out."
