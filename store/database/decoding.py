"""Text that is no UTF-8, as other programs or a failing disk leave it: read with U+FFFD in its place.

apsw decodes strictly, and its error would hide the rows behind the text as well. A statement that
meets such a text is asked once more for the rows that are still due, with its texts as bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import apsw

READS = ("SELECT", "WITH", "VALUES")
"""How statements begin that can be asked once more, since they change nothing."""


class LenientCursor:
    """A cursor whose texts are always text: a byte that is no UTF-8 becomes U+FFFD.

    It has an `apsw.Cursor` and isn't one. From 3.54.0 on apsw keeps a cursor that ends on one thread while
    another uses its connection, and ends it again when that is closed; one of a subclass gives up its
    reference to the class both times, until the class is freed while it is in use and the process crashes.
    """

    __slots__ = ("__weakref__", "_cursor")

    def __init__(self, db: apsw.Connection) -> None:
        self._cursor = apsw.Cursor(db)

    def execute(self, *given: Any, **options: Any) -> Self:
        """Run a statement as `apsw.Cursor.execute` does."""
        self._cursor.execute(*given, **options)
        return self

    def executemany(self, *given: Any, **options: Any) -> Self:
        """Run a statement with many values as `apsw.Cursor.executemany` does."""
        self._cursor.executemany(*given, **options)
        return self

    def close(self, force: bool = False) -> None:
        """Give up the rows that are left."""
        self._cursor.close(force)

    def __iter__(self) -> Iterator[Any]:
        done = 0
        try:
            for row in self._cursor:
                done += 1
                yield row
        except UnicodeDecodeError as error:
            yield from self._leniently(done, error)

    def __next__(self) -> Any:
        if (row := self.fetchone()) is None:
            raise StopIteration
        return row

    def fetchone(self) -> Any:
        """Return the next row; None when there is none."""
        try:
            return self._cursor.fetchone()
        except UnicodeDecodeError as error:
            return next(self._leniently(0, error), None)

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        return list(self)

    @property
    def get(self) -> Any:
        """The one value of the one row; as a row, or a list of them, where there are more."""
        try:
            return self._cursor.get
        except UnicodeDecodeError as error:
            rows = [row[0] if len(row) == 1 else row for row in self._leniently(0, error)]
            return rows[0] if len(rows) == 1 else rows

    def get_description(self) -> Any:
        """Return the names and declared types of the columns."""
        return self._cursor.get_description()

    def _leniently(self, done: int, error: UnicodeDecodeError) -> Iterator[Any]:
        """Yield the rows behind the first `done` ones."""
        sql = (self._cursor.expanded_sql or "").strip().rstrip(";")
        if not sql.upper().startswith(READS):
            raise error
        names = [f"c{number}" for number in range(len(self.get_description()))]
        casts = ", ".join(
            f"typeof({name}), iif(typeof({name}) = 'text', CAST({name} AS BLOB), {name})" for name in names
        )
        # An OFFSET would have SQLite skip rows of another order where it plans anew.
        again = f"WITH asked({', '.join(names)}) AS MATERIALIZED ({sql}\n) SELECT {casts} FROM asked"
        db = self._cursor.get_connection()
        # A statement that stands half-read keeps others from a lock.
        self.close(True)
        for number, row in enumerate(apsw.Cursor(db).execute(again)):
            if number >= done:
                yield tuple(
                    value.decode("utf-8", "replace") if kind == "text" else value
                    for kind, value in zip(row[::2], row[1::2], strict=True)
                )
