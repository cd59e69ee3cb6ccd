"""A matrix of vectors in eight bits a number, kept in blocks that are read from end to end by each search;
and a rough, short form of long ones, for many of them: the directions in which they differ most.

Each vector has a scale of its own, by which its numbers are what they were. A place without a vector is
zeros.

To look through a million vectors of 384 numbers takes long; their 64 main directions tell nearly as well
which of them may be near, and these few are then compared by all their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    """Vectors, a row each, or one of them."""

BLOCK_BYTES = 1 << 21

Block = tuple[Any, Any]
"""Its codes, a row a vector, and their scales."""


def quantized(matrix: Floats) -> tuple[bytes, bytes]:
    """Return vectors as codes, a byte a number, and scales, four bytes a vector."""
    import numpy as np

    scales = np.abs(matrix).max(axis=1) / 127
    codes = np.rint(matrix / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    return codes.tobytes(), scales.astype(np.float32).tobytes()


class Blocks:
    """One matrix of a file: the table that holds it, and the numbers of a vector."""

    def __init__(self, db: apsw.Connection, table: str, width: int) -> None:
        self.db = db
        self.table = table
        self.width = width
        self.size = max(1, BLOCK_BYTES // max(1, width))
        """Vectors of a block."""

    def write(self, places: Sequence[int], codes: bytes, scales: bytes) -> None:
        """Write vectors at their places, from 1; inside a transaction."""
        width, size = self.width, self.size
        blocks: dict[int, list[int]] = {}
        for row, place in enumerate(places):
            blocks.setdefault((place - 1) // size, []).append(row)
        for block, rows in blocks.items():
            self.db.execute(
                f"INSERT OR IGNORE INTO {self.table} VALUES (?, zeroblob(?), zeroblob(?))",
                (block, width * size, 4 * size),
            )
            with (
                closing(self.db.blob_open("main", self.table, "codes", block, True)) as written,
                closing(self.db.blob_open("main", self.table, "scales", block, True)) as scaled,
            ):
                for first, last in _runs(places, rows):
                    offset = (places[first] - 1) % size
                    written.seek(offset * width)
                    written.write(codes[first * width : (last + 1) * width])
                    scaled.seek(offset * 4)
                    scaled.write(scales[first * 4 : (last + 1) * 4])

    def erase(self, places: Sequence[int]) -> None:
        """Overwrite vectors. Needs no numpy: a memory may have vectors where the packages that make them
        are gone."""
        self.write(places, bytes(len(places) * self.width), bytes(len(places) * 4))

    def products(self, query: Floats) -> Floats:
        """Return the product of every vector with one, by its place less 1; 0 where there is none."""
        import numpy as np

        results = [
            np.empty(0, np.float32),
            *(_products(codes, scales, query) for _, (codes, scales) in self.read()),
        ]
        return np.concatenate(results)

    def read(self, *, ahead: bool = True) -> Iterator[tuple[int, Block]]:
        """Yield the first place and the content of each block, which holds until the next is asked for.

        The next is read while one is worked on, unless the connection is used for something else
        meanwhile (`ahead` is False).
        """
        ids = [number for (number,) in self.db.execute(f"SELECT id FROM {self.table} ORDER BY id")]
        if not ids:
            return
        reader = _Reader(self.db, self.table, self.size, self.width)
        if not ahead:
            with closing(reader):
                for number in ids:
                    yield number * self.size + 1, reader.read(number)
            return
        # Little is imported by whoever only writes.
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as beside, closing(reader):
            coming = beside.submit(reader.read, ids[0])
            for number, following in zip(ids, [*ids[1:], None], strict=True):
                block = coming.result()
                if following is not None:
                    coming = beside.submit(reader.read, following)
                yield number * self.size + 1, block


class _Reader:
    """Reads blocks in turn into two buffers, so that one can be worked on while the next is read."""

    def __init__(self, db: apsw.Connection, table: str, size: int, width: int) -> None:
        import numpy as np

        self._buffers = [(np.empty((size, width), np.int8), np.empty(size, np.float32)) for _ in range(2)]
        self._db, self._table = db, table
        self._blobs: list[apsw.Blob] = []

    def read(self, number: int) -> Block:
        """Return a block's codes and scales, until the one after the next is read."""
        if not self._blobs:
            self._blobs = [
                self._db.blob_open("main", self._table, column, number, False)
                for column in ("codes", "scales")
            ]
        else:
            for blob in self._blobs:
                blob.reopen(number)
        self._buffers.reverse()
        codes, scales = self._buffers[0]
        for blob, buffer in zip(self._blobs, (codes.data, scales.data), strict=True):
            blob.read_into(buffer.cast("B"))
        return codes, scales

    def close(self) -> None:
        """Let go of the file."""
        for blob in self._blobs:
            with suppress(apsw.Error):
                blob.close()


DIMENSIONS = 64
SAMPLE = 8_000
"""Vectors by which the directions are found."""
WORTH = 50_000_000
"""Numbers of all vectors together from which on it is worth it: reading them takes over 10 ms."""


def is_worth_it(vectors: int, dimensions: int) -> bool:
    """Return whether so many vectors of so many numbers are to have a rough form."""
    return dimensions >= 2 * DIMENSIONS and vectors * dimensions > WORTH


def main_directions(sample: Floats) -> Floats:
    """Return the directions in which vectors differ most, a column each."""
    import numpy as np

    _, directions = np.linalg.eigh(sample.T @ sample)
    result: Floats = np.ascontiguousarray(directions[:, : -DIMENSIONS - 1 : -1], np.float32)
    return result


CONVERTED = 2_048
"""Vectors that are widened at once: what fits into a processor's cache."""


def _products(codes: Any, scales: Any, query: Floats) -> Floats:
    """Return the products of a block's vectors with a query's."""
    import numpy as np

    result = np.empty(len(codes), np.float32)
    wide = np.empty((min(CONVERTED, len(codes)), codes.shape[1]), np.float32)
    for first in range(0, len(codes), CONVERTED):
        part = codes[first : first + CONVERTED]
        widened = wide[: len(part)]
        np.copyto(widened, part, casting="unsafe")
        np.dot(widened, query, out=result[first : first + len(part)])
    result *= scales
    return result


def _runs(places: Sequence[int], rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each run of rows whose places follow each other."""
    first = last = rows[0]
    for row in rows[1:]:
        if places[row] == places[last] + 1 and row == last + 1:
            last = row
            continue
        yield first, last
        first = last = row
    yield first, last
