"""Many memories changed at once, undone and redone, against the bare SQL of the same change.

Bare is one UPDATE in one transaction, with the triggers that every write has, and the feeding of the
indexes before the commit. Before each measurement the log is emptied.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from bench.memories import fill
from bench.report import Section, middle, ms
from memtui.store import Action, Store
from memtui.store.platform.clock import TOUCH, now_ms

MANY = 10_000
ROUNDS = 2
BARE = f"UPDATE observations SET deleted_at = :at, {TOUCH} WHERE id <= :many"
MOST = 3.0
"""The bar: how many times the bare SQL's time a change, an undo or a redo may take."""


def measure() -> Section:
    """Delete, undo and redo 10,000 of 20,000 observations."""
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as folder:
        ours, theirs = Path(folder) / "ours.db", Path(folder) / "theirs.db"
        fill(ours, 2 * MANY)
        with Store.open(ours) as store:
            store.db.execute("UPDATE observations SET type = 'chosen' WHERE id <= ?", (MANY,))
            store.db.execute("UPDATE observations SET type = 'other' WHERE id > ?", (MANY,))
            store.catch_up()
            store.db.wal_checkpoint(mode=3)
        shutil.copyfile(ours, theirs)
        with Store.open(ours) as mine, Store.open(theirs) as bare:
            return _measured(mine, bare)


def _measured(mine: Store, bare: Store) -> Section:
    found: dict[str, tuple[list[float], list[float]]] = {}
    steps: list[tuple[str, Callable[[], object], Callable[[], None]]] = [
        ("delete by a query", lambda: mine.change_many("type:chosen", Action("delete")), _setting(bare, 1)),
        ("undo", mine.undo, _setting(bare, None)),
        ("redo", mine.redo, _setting(bare, 1)),
        ("undo again", mine.undo, _setting(bare, None)),
    ]  # fmt: skip
    for _ in range(ROUNDS):
        for name, call, plain in steps:
            ours, theirs = found.setdefault(name, ([], []))
            theirs.append(_time(bare, plain))
            ours.append(_time(mine, call))
    rows = []
    for name, (ours, theirs) in found.items():
        ratio = middle(sorted(ours)) / middle(sorted(theirs))
        told = ms(middle(sorted(ours))), ms(middle(sorted(theirs)))
        rows.append((name, *told, f"{ratio:.1f}", "yes" if ratio <= MOST else "NO"))
    return Section(
        f"{MANY:,} memories changed at once",
        "One transaction and one undo, recorded; beside the same UPDATE without all of that.",
        ("what", "ours, ms", "bare, ms", "ratio", f"at most {MOST:g}"),
        rows,
    )


def _setting(store: Store, value: int | None) -> Callable[[], None]:
    def change() -> None:
        at = now_ms() if value else None
        values = {"at": at, "many": MANY, "now": now_ms(), "machine": store.machine_id}
        with store.transaction():
            store.db.execute(BARE, values)

    return change


def _time(store: Store, call: Callable[[], object]) -> float:
    store.db.wal_checkpoint(mode=3)
    start = perf_counter()
    call()
    return (perf_counter() - start) * 1000


if __name__ == "__main__":
    print(measure().markdown())
