"""Exports in each format and the import of JSON lines, as whole commands, against bare apsw."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import apsw

from bench.imports import bare_write
from bench.report import Section
from bench.whole import Run, run
from memtui.store.formats.export import FORMATS


def measure(path: Path) -> Section:
    """Every format of a store, and its JSON lines imported into an empty one."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        read = bare_read(path, folder / "bare.jsonl")
        count = observations(path)
        rows = [
            row(f"export {format}", run(path, "export", format, str(folder / format)), read, count)
            for format in FORMATS
        ]
        target = folder / "imported.db"
        came = run(target, "import", "jsonl", str(folder / "jsonl"))
        written = bare_write(target, folder / "bare.db", count)
        rows.append(row("import jsonl", came, written, count))
    return Section(
        "Exports",
        f"Seconds of a whole command on {count:,} observations, and the most memory it held; bare is "
        "apsw reading the observations and writing each as JSON, or for the import writing the same "
        "rows and both indexes in bulk, their text prepared beforehand.",
        ("command", "seconds", "a second", "MB", "bare", "ratio"),
        rows,
    )


def row(what: str, came: Run, bare: float, count: int) -> tuple[str, ...]:
    """One command's figures beside the bare ones."""
    return (
        what,
        f"{came.seconds:.1f}",
        f"{count / came.seconds:,.0f}",
        f"{came.megabytes:.0f}",
        f"{bare:.1f}",
        f"{came.seconds / bare:.2f}",
    )


def bare_read(path: Path, target: Path) -> float:
    """Seconds that apsw alone takes to read the observations, written down as JSON."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    start = perf_counter()
    with target.open("w", encoding="utf-8") as file:
        for found in db.execute("SELECT * FROM observations ORDER BY id"):
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
    taken = perf_counter() - start
    db.close()
    return taken


def observations(path: Path) -> int:
    """How many observations a store holds."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return int(db.execute("SELECT count(*) FROM observations").get)
    finally:
        db.close()
