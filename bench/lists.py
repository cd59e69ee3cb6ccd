"""Lists, pages, counts and what screens read, at several sizes: CPU time, and SQLite's own work.

SQLite counts the steps of its virtual machine and the pages that it looks at; no machine changes those.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import apsw

from bench.report import Section, middle, ms
from memtui.store import Store
from memtui.store.capture import queue_view
from memtui.store.context.block import compose
from memtui.store.leaves.statistics import counts, spending
from memtui.store.records.rows import ListRow

ROUNDS = 5
VM_STEPS = "SQLITE_STMTSTATUS_VM_STEP"


@dataclass(slots=True)
class Work:
    """The work of SQLite: statements, those of triggers and indexes left out, steps of its virtual machine,
    and pages of the file that it looked at."""

    statements: int = 0
    steps: int = 0
    pages: int = 0


@contextmanager
def worked(db: apsw.Connection) -> Iterator[Work]:
    """Count what a connection does meanwhile, triggers and indexes included."""
    work = Work()
    counted: dict[int, int] = {}

    def note(event: dict[str, Any]) -> None:
        statement = event["id"]
        if event["code"] == apsw.SQLITE_TRACE_STMT:
            if not event["trigger"]:
                counted[statement] = 0
            work.statements += not (event["trigger"] or "'main'." in event["sql"])
            return
        # The counters of statements that an index runs are never reset.
        steps = event["stmt_status"][VM_STEPS]
        before = counted.get(statement, steps)
        work.steps += steps - (before if before <= steps else 0)
        counted[statement] = steps

    pages = _pages(db)
    db.trace_v2(apsw.SQLITE_TRACE_STMT | apsw.SQLITE_TRACE_PROFILE, note)
    try:
        yield work
    finally:
        db.trace_v2(0, None)
        work.pages = _pages(db) - pages


def _pages(db: apsw.Connection) -> int:
    kinds = (apsw.SQLITE_DBSTATUS_CACHE_HIT, apsw.SQLITE_DBSTATUS_CACHE_MISS)
    return sum(db.status(kind)[0] for kind in kinds)


def row_in_the_middle(store: Store) -> ListRow:
    """Return a memory with as many before it as after it."""
    return store.list_row(store.observations.get(store.stats().observations // 2))


def _year(store: Store, what: Callable[..., object]) -> object:
    newest = store.find("").rows(0, 1)[0].created_at
    return what(store.db, counts.period_of(store.db, "year", newest), None)


def _names(db: apsw.Connection, period: counts.Period, project: str | None) -> None:
    by_day = counts.memories_by_day(db, period, project)
    for days in counts.label_slices(db, by_day):
        counts.labels_of(db, period, by_day, days, project)


LISTS: dict[str, Callable[[Store, ListRow], object]] = {
    "facts, a page": lambda store, _row: store.facts.list(),
    "facts of a project": lambda store, _row: store.facts.list(project="project-03"),
    "facts of a kind": lambda store, _row: store.facts.list("W"),
    "facts that name something": lambda store, _row: store.facts.list(entity="token"),
    "facts, counted": lambda store, _row: store.facts.count(),
    "facts of a kind, counted": lambda store, _row: store.facts.count("W"),
    "what facts name": lambda store, _row: store.facts.entities(),
    "what facts of a kind name": lambda store, _row: store.facts.entities("W"),
    "position of a fact": lambda store, _row: [
        store.facts.position(fact) for fact in store.facts.list(limit=1, offset=500)
    ],
    "queue, processed": lambda store, _row: queue_view.page(store, ["processed"], 0, 50),
    "queue, waiting and failed": lambda store, _row: queue_view.page(
        store, queue_view.WAITING_OR_FAILED, 0, 50
    ),
    "queue, counted": lambda store, _row: queue_view.counts(store),
    "the last prompt of a session": lambda store, row: store.prompts.last_visible_text(row.session_id or 0),
    "prompts, the newest": lambda store, _row: store.find("kind:prompt").rows(0, 50),
    "what the memory holds": lambda store, _row: store.stats(),
    "projects": lambda store, _row: store.projects(),
    "facets of everything": lambda store, _row: store.find("").facets(),
    "facets of a project": lambda store, _row: store.find("project:project-03").facets(),
    "memories, the first page": lambda store, _row: store.find("").rows(0, 50),
    "memories, counted": lambda store, _row: store.find("").count().value,
    "memories, the last page": lambda store, _row: store.find("").rows(
        store.find("").count().value - 50, 50
    ),
    "position of a memory": lambda store, row: store.find("").position(row),
    "memories of a project, counted": lambda store, _row: store.find("project:project-03").count().value,
    "memories since a day": lambda store, row: store.find("").not_before(row.created_at),
    "sessions, a page": lambda store, _row: store.sessions.list(),
    "sessions, counted": lambda store, _row: store.sessions.count(),
    "sessions by day": lambda store, _row: store.sessions.days(None, None),
    "sessions by project": lambda store, _row: store.sessions.count_by("project"),
    "sessions by agent": lambda store, _row: store.sessions.count_by("agent"),
    "queue of a session's end": lambda store, row: store.sessions.newest_prompt_number(row.session_id or 0),
    "timeline": lambda store, row: store.timeline(row, minutes=60, scope="all"),
    "timeline's density": lambda store, row: store.density(
        row, [row.created_at + hour * 3_600_000 for hour in range(-40, 41)], "all"
    ),
    "next in time": lambda store, row: store.neighbour(row, 1),
    "one record": lambda store, row: store.record(row.ref),
    "trash, a page": lambda store, _row: store.trash(),
    "trash, counted": lambda store, _row: store.trash_count(),
    "history, a page": lambda store, _row: store.changes(),
    "history, counted": lambda store, _row: store.change_count(),
    "statistics: a year by day": lambda store, _row: _year(store, counts.memories_by_day),
    "statistics: a year divided": lambda store, _row: _year(store, counts.divisions),
    "statistics: a year's names": lambda store, _row: _year(store, _names),
    "statistics: a year's tokens": lambda store, _row: _year(store, spending.discovery_by_day),
    "context": lambda store, _row: compose(store.db, "project-03"),
    "notes": lambda store, _row: store.notes.list(),
    "values of a field": lambda store, _row: store.values_in_use("tags", "a"),
    "completions": lambda store, _row: store.completions("project:pro"),
    "completions of a file": lambda store, _row: store.completions("file:src/tok"),
    "nearest in a project": lambda store, row: store.nearest(
        row.created_at, row.created_at, row, "project"
    ),
}
"""The questions that lists and screens ask of a memory, by name; each takes it and a row in its middle."""


def measure(paths: list[Path]) -> list[Section]:
    """Return one row for each of LISTS: at each size the CPU time, and how SQLite's work grows."""
    figures = [_figures(path) for path in paths]
    rows = []
    for name in LISTS:
        times = [ms(one[name][0]) for one in figures]
        works = [one[name][1] for one in figures]
        growth = (works[-1].steps + 1) / (works[0].steps + 1)
        rows.append((name, *times, *(f"{work.steps:,}" for work in works), f"{growth:.1f}"))
    sizes = [f"{path.stem}" for path in paths]
    return [
        Section(
            "Lists",
            "Milliseconds of CPU, and steps of SQLite's virtual machine, by the memory's size.",
            ("what", *(f"{one}, ms" for one in sizes), *(f"{one}, steps" for one in sizes), "times"),
            rows,
        )
    ]


def _figures(path: Path) -> dict[str, tuple[float, Work]]:
    found = {}
    with Store.open(path) as store:
        row = row_in_the_middle(store)
        for name, ask in LISTS.items():
            ask(store, row)
            with worked(store.db) as work:
                ask(store, row)
            taken = []
            for _ in range(ROUNDS):
                start = process_time()
                ask(store, row)
                taken.append((process_time() - start) * 1000)
                if taken[0] > 1000:
                    break
            found[name] = (middle(sorted(taken)), work)
    return found
