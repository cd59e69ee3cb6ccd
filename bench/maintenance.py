"""The doctor and the search for near-duplicates, as whole commands, against bare apsw."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import apsw

from bench.report import Section
from bench.whole import run

CHECKS = ("PRAGMA quick_check", "PRAGMA foreign_key_check")
TEXTS = "SELECT title, narrative FROM observations"


def measure(path: Path) -> Section:
    """`mem doctor` and `mem dedupe` of a store."""
    rows = [
        _row("doctor", path, lambda db: [db.execute(sql).fetchall() for sql in CHECKS]),
        _row("dedupe", path, lambda db: sum(1 for _ in db.execute(TEXTS))),
    ]
    return Section(
        "Maintenance",
        "Seconds of a whole command, and the most memory it held; bare is apsw: for the doctor "
        "SQLite's own quick check and that of references, for dedupe reading titles and narratives.",
        ("command", "seconds", "MB", "bare", "ratio"),
        rows,
    )


def _row(command: str, path: Path, bare: Callable[[apsw.Connection], object]) -> tuple[str, ...]:
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    start = perf_counter()
    bare(db)
    taken = perf_counter() - start
    db.close()
    came = run(path, command)
    return (
        command,
        f"{came.seconds:.1f}",
        f"{came.megabytes:.0f}",
        f"{taken:.2f}",
        f"{came.seconds / taken:.2f}",
    )
