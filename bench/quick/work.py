"""What SQLite does for lists, searches and writes: steps of its virtual machine, and pages looked at."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from bench.hooks import leave
from bench.imports import write_source
from bench.lists import LISTS, row_in_the_middle, worked
from bench.memories import fill_all
from bench.queries import KINDS
from bench.report import environment
from memtui.store import Store
from memtui.store.capture.ingest.drain import drain
from memtui.store.curation.many import Action
from memtui.store.formats.jsonl.export import export_jsonl
from memtui.store.formats.jsonl.file_import import import_jsonl
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.leaves.statistics import counts
from memtui.store.maintain.duplicates.candidates import candidates
from memtui.store.maintain.purge import purge_for_good
from memtui.store.search import matching
from memtui.store.tables.removal.purge_selection import Selection
from memtui.store.text.occurrences import Occurrences

ROWS = 3_000
IMPORTED = 400
EVENTS = 30
BY_THE_CLOCK = ("completions", "completions of a file")
"""What ends after some milliseconds, however far it came."""

Figure = tuple[str, float]


def measure(folder: Path) -> Iterator[Figure]:
    """Yield the name of each figure and the figure, of a memory that is made in a folder."""
    # So that the names of a year are counted, and words looked for and weighed, as in a memory of many.
    counts.ROWS = 1_000
    matching.READ_FOR_UNKNOWN = 100
    matching.WALKED = 3_000
    path = folder / "memory.db"
    fill_all(path, ROWS)
    with Store.open(path) as store:
        row = row_in_the_middle(store)
        for name, ask in LISTS.items():
            if name not in BY_THE_CLOCK:
                yield from _figures(store, f"list, {name}", partial(ask, store, row))
        for name, (query, *_) in KINDS.items():
            asked = query.replace("RARE", "zzqqzz")
            yield from _figures(store, f"search, {name}", partial(_search, store, asked))
        yield from _figures(store, "count, letters that no word holds", partial(store.find("sesion").count))
    # Of one connection SQLite's own statements for the indexes would count what searches did before.
    with Store.open(path) as store:
        yield from _writes(store)
    yield from _imports(folder)
    yield "write, a purge's look through the file: lines of Python", _looked_through(path)


def _looked_through(path: Path) -> int:
    """Return how many lines of Python a purge runs to look for the texts of forty observations."""
    with Store.open(path, read_only=True) as store:
        rows = [store.observations.get(number) for number in range(700, 740)]
    texts = Occurrences(text for row in rows for text in (row.title, row.narrative) if text)
    events: Counter[str] = Counter()

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        events[event] += 1
        return trace

    sys.settrace(trace)
    try:
        texts.needles_in_file(path)
    finally:
        sys.settrace(None)
    return events["line"]


def _imports(folder: Path) -> Iterator[Figure]:
    source, lines = folder / "claude-mem.db", folder / "lines.jsonl"
    write_source(source, IMPORTED)
    with Store.open(folder / "imported.db") as store:
        read = partial(import_database, store, source)
        yield from _figures(store, f"write, {IMPORTED} imported", read, again=False)
        with lines.open("wb") as file:
            export_jsonl(store, file)
    with Store.open(folder / "imported-again.db") as store:
        read = partial(import_jsonl, store, lines)
        yield from _figures(store, f"write, {IMPORTED} of JSON lines", read, again=False)


def _writes(store: Store) -> Iterator[Figure]:
    first, second = (store.observations.get(number) for number in (11, 12))
    writes: dict[str, Callable[[], object]] = {
        "an observation": lambda: store.observations.add(
            "session-000001", title="token refresh", concepts=["cache"], files_read=["src/a.py"]
        ),
        "a fact": lambda: store.facts.add("tokens live for a day", entities=["token"]),
        "an edit": lambda: store.edit("11", {"title": "cache refresh"}),
        "a deletion": lambda: store.observations.delete(first),
        "an undo": store.undo,
        "hidden": lambda: store.observations.set_private(second),
        "what may be merged": lambda: [*candidates(store)],
        "what may be merged, again": lambda: [*candidates(store)],
        "400 deletions": lambda: store.change_many(map(str, range(100, 500)), Action("delete")),
        "400 deletions undone": store.undo,
        "40 purged": lambda: purge_for_good(store, Selection({"observations": (*range(600, 640),)})),
        "copied": lambda: store.backup(store.path.with_name("copy.db")),
        "made anew": store.rebuild,
        "examined": store.doctor,
    }
    for name, write in writes.items():
        yield from _figures(store, f"write, {name}", write, again=False)
    leave(environment(store.path), 0, EVENTS)
    with worked(store.db) as work:
        drain(store)
    yield f"write, {EVENTS} tool uses: statements", work.statements
    yield f"write, {EVENTS} tool uses: steps", work.steps
    yield f"write, {EVENTS} tool uses: pages", work.pages


def _search(store: Store, query: str) -> None:
    for hit in store.find(query).page(related=True).hits:
        hit.snippet  # noqa: B018 - made when it is asked for
        hit.record  # noqa: B018


def _figures(store: Store, name: str, ask: Callable[[], object], *, again: bool = True) -> Iterator[Figure]:
    if again:
        # What a first question reads of the schema belongs to no list.
        ask()
    with worked(store.db) as work:
        ask()
    yield f"{name}: steps", work.steps
    yield f"{name}: pages", work.pages
