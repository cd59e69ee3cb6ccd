"""Vectors: sqlite-vec beside numpy.

Each candidate runs in a process of its own: what it loads, what memory it takes, and how long a query
does, also through a filter that leaves one in a hundred. `pip install sqlite-vec` for its rows.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import apsw
import numpy as np
from memtui.store.leaves.embeddings.vector_file import VectorFile, hash_of

from bench.report import Section, middle, ms, percentile, times

DIMENSIONS = 384
SIZES = (10_000, 100_000, 1_000_000)
NEAREST = 100
ROUNDS = 20
AT_ONCE = 4_096


def measure() -> Section:
    """One row a candidate and size."""
    names = ["numpy, 8 bits", "numpy, float"]
    if find_spec("sqlite_vec"):
        names += ["sqlite-vec, 8 bits", "sqlite-vec, float"]
    rows = []
    with TemporaryDirectory() as folder:
        for size in SIZES:
            for name in names:
                done = subprocess.run(
                    [sys.executable, "-m", "bench.embeddings.candidates", name, str(size), folder],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                rows.append((name, f"{size:,}", *done.stdout.split()))
    return Section(
        "Vectors: candidates",
        f"The {NEAREST} nearest of so many random vectors of {DIMENSIONS} dimensions, on one thread: "
        "ms to load the package and open the file, MB of memory that a process has more after twenty "
        "queries, ms of a query, and of one whose filter leaves one vector in a hundred.",
        ("candidate", "vectors", "load", "MB", "p50", "p95", "1% p50", "1% p95", "MB on disk"),
        rows,
    )


def _vectors(size: int) -> Iterator[tuple[int, Any]]:
    draw = np.random.default_rng(7)
    for first in range(0, size, AT_ONCE):
        found = draw.standard_normal((min(AT_ONCE, size - first), DIMENSIONS)).astype(np.float32)
        yield first, found / np.linalg.norm(found, axis=1, keepdims=True)


def _memory() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _one(name: str, size: int, folder: Path) -> None:
    """Measure a candidate, and print its figures."""
    path = folder / f"{name.replace(', ', '-').replace(' ', '-')}-{size}"
    make, ready = CANDIDATES[name]
    make(path, size)
    query = next(_vectors(1))[1][0]
    before = _memory()
    start = perf_counter()
    ask = ready(path)
    load = (perf_counter() - start) * 1000
    plain = times(lambda: ask(query, False), ROUNDS)
    filtered = times(lambda: ask(query, True), ROUNDS)
    used = _memory() - before
    disk = path.stat().st_size / 1e6
    figures = (middle(plain), percentile(plain, 0.95), middle(filtered), percentile(filtered, 0.95))
    print(ms(load), f"{used:.0f}", *map(ms, figures), f"{disk:.0f}")
    path.unlink()


Ask = Callable[[Any, bool], object]


def _make_file(path: Path, size: int) -> None:
    VectorFile.create(path)
    with closing(VectorFile(path)) as file:
        for first, rows in _vectors(size):
            hashes = [hash_of(str(first + row)) for row in range(len(rows))]
            with file.transaction():
                file.put(
                    {("o", first + row + 1): [one] for row, one in enumerate(hashes)},
                    dict(zip(hashes, rows, strict=True)),
                )
        with file.transaction():
            file.roughen()


def _open_file(path: Path) -> Ask:
    file = VectorFile(path)

    def ask(query: Any, filtered: bool) -> object:
        scores = file.scores(query)
        if filtered:
            places = np.arange(0, len(scores), 100)
            return places[np.argsort(-scores[places])[:NEAREST]]
        return np.argpartition(scores, -NEAREST)[-NEAREST:]

    return ask


def _make_matrix(path: Path, size: int) -> None:
    with path.open("wb") as out:
        for _, rows in _vectors(size):
            out.write(rows.tobytes())


def _open_matrix(path: Path) -> Ask:
    matrix = np.memmap(path, np.float32, "r").reshape(-1, DIMENSIONS)

    def ask(query: Any, filtered: bool) -> object:
        scores = (matrix[::100] if filtered else matrix) @ query
        return np.argpartition(scores, -NEAREST)[-NEAREST:]

    return ask


def _vec(path: Path) -> apsw.Connection:
    import sqlite_vec

    db = apsw.Connection(str(path))
    db.enable_load_extension(True)
    db.load_extension(sqlite_vec.loadable_path())
    return db


VALUES = {"int8": "vec_int8(?)", "float": "?"}


def _bytes(rows: Any) -> Any:
    return np.rint(rows * 127 / np.abs(rows).max(axis=1, keepdims=True)).astype(np.int8)


def _make_vec(kind: str) -> Callable[[Path, int], None]:
    def make(path: Path, size: int) -> None:
        with closing(_vec(path)) as db:
            vector = f"e {kind}[{DIMENSIONS}] distance_metric=cosine"
            db.execute(f"CREATE VIRTUAL TABLE v USING vec0(part INTEGER, {vector})")
            for first, rows in _vectors(size):
                given = _bytes(rows) if kind == "int8" else rows
                with db:
                    db.executemany(
                        f"INSERT INTO v (rowid, part, e) VALUES (?, ?, {VALUES[kind]})",
                        (
                            (first + row + 1, (first + row) % 100, one.tobytes())
                            for row, one in enumerate(given)
                        ),
                    )

    return make


def _open_vec(kind: str) -> Callable[[Path], Ask]:
    def ready(path: Path) -> Ask:
        db = _vec(path)

        def ask(query: Any, filtered: bool) -> object:
            given = _bytes(query[None])[0] if kind == "int8" else query
            condition = " AND part = 0" if filtered else ""
            sql = f"SELECT rowid FROM v WHERE e MATCH {VALUES[kind]} AND k = {NEAREST}{condition}"
            return db.execute(sql, (given.tobytes(),)).fetchall()

        return ask

    return ready


CANDIDATES: dict[str, tuple[Callable[[Path, int], None], Callable[[Path], Ask]]] = {
    "numpy, 8 bits": (_make_file, _open_file),
    "numpy, float": (_make_matrix, _open_matrix),
    "sqlite-vec, 8 bits": (_make_vec("int8"), _open_vec("int8")),
    "sqlite-vec, float": (_make_vec("float"), _open_vec("float")),
}


if __name__ == "__main__":
    _one(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
