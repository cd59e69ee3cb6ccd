"""The vectors of one model, in a file of their own: derived, so that it may be dropped without loss.

A passage is known by a hash of its text, and embedded once however many memories say it. Its vector
is kept twice: in eight bits a number in blocks that are read from end to end by each search, and in
sixteen for the few that come near; where they are many, a rough form is read first. The file has no
log: what is taken out of it is overwritten and gone when the transaction ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from ...database.connection import wait_when_busy
from ...database.files.atomic import make_directories
from ...platform.translation import _
from .blocks import DIMENSIONS as ROUGH
from .blocks import Blocks, quantized

if TYPE_CHECKING:
    from .blocks import Floats

Record = tuple[str, int]
"""A record's kind, as `documents` have it, and its id."""
Hash = bytes

APPLICATION_ID = 0x6D656D76
FORMAT = 1
PAGE_BYTES = 65_536
"""Blocks are read three times as fast as with pages of 4,096 bytes."""
HASH_BYTES = 16
PATIENCE_SECONDS = 10.0
"""How long a lock of another process is waited for."""
STATE, BEFORE = "state", "state_before"
"""Keys of `meta`: the state of the memory that the file was brought to, and the one before."""

DIRECTIONS = "directions"
"""The key of the main directions of the vectors, where these have a rough form too."""

SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
-- A vector's id is its place in the blocks, from 1.
CREATE TABLE vectors (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, vector BLOB NOT NULL) STRICT;
CREATE TABLE free_places (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE blocks (id INTEGER PRIMARY KEY, codes BLOB NOT NULL, scales BLOB NOT NULL) STRICT;
CREATE TABLE rough_blocks (id INTEGER PRIMARY KEY, codes BLOB NOT NULL, scales BLOB NOT NULL) STRICT;
CREATE TABLE records (
    kind TEXT NOT NULL, record_id INTEGER NOT NULL, PRIMARY KEY (kind, record_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE passages (
    kind TEXT NOT NULL, record_id INTEGER NOT NULL, vector_id INTEGER NOT NULL,
    PRIMARY KEY (kind, record_id, vector_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX passages_by_vector ON passages (vector_id);
-- Records to be embedded, the last first. Whoever is noted again gets a new id.
CREATE TABLE due (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, record_id INTEGER NOT NULL,
    UNIQUE (kind, record_id)
) STRICT;
"""
OF_RECORDS = "(kind, record_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))"


def hash_of(text: str) -> Hash:
    """Return what a passage is known by."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=HASH_BYTES).digest()


class VectorFile:
    """An open file. Reading and writing raise apsw's errors; a damaged file is for its owner to drop.

    Writes belong into `with file.transaction():`.
    """

    def __init__(self, path: Path) -> None:
        """Open a file that exists."""
        self.path = path
        self.db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            wait_when_busy(self.db, PATIENCE_SECONDS)
            self.db.transaction_mode = "IMMEDIATE"
            self.db.pragma("synchronous", "NORMAL")
            self.db.pragma("secure_delete", True)
            self.db.pragma("cache_size", -2_000)
            if not self._is_sound():
                raise apsw.NotADBError(_("{path} holds no vectors of this memtui.", path=path))
        except BaseException:
            self.db.close()
            raise

    @staticmethod
    def create(path: Path) -> None:
        """Make an empty file for its owner alone. An existing one is kept."""
        make_directories(path.parent)
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        with closing(apsw.Connection(str(path), flags=flags)) as db:
            path.chmod(0o600)
            wait_when_busy(db)
            db.pragma("page_size", PAGE_BYTES)
            db.transaction_mode = "EXCLUSIVE"
            with db:
                if not db.pragma("user_version"):
                    db.execute(SCHEMA)

    def _is_sound(self) -> bool:
        """Return whether it is of this format, and its vectors of as many numbers as it says: what is taken
        out is overwritten where that says it lies."""
        ours = (self.db.pragma("application_id"), self.db.pragma("user_version"))
        if ours != (APPLICATION_ID, FORMAT):
            return False
        dimensions = self.noted("dimensions") or 0
        vector = self.db.execute("SELECT length(vector) FROM vectors LIMIT 1").get
        codes = self.db.execute("SELECT length(codes) FROM blocks LIMIT 1").get
        return (
            isinstance(dimensions, int)
            and vector in (None, 2 * dimensions)
            and codes in (None, dimensions * Blocks(self.db, "blocks", dimensions).size)
        )

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def transaction(self) -> apsw.Connection:
        """`with file.transaction():` makes several writes one."""
        return self.db

    def note(self, key: str, value: str | int | float | bytes | None) -> None:
        """Keep a value, or with None forget it."""
        if value is None:
            self.db.execute("DELETE FROM meta WHERE key = ?", (key,))
        else:
            self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def noted(self, key: str) -> Any:
        """Return a value that was kept; None where there is none."""
        return self.db.execute("SELECT value FROM meta WHERE key = ?", (key,)).get

    def is_of(self, state: str) -> bool:
        """Return whether it was brought to a state of the memory, or to the next one, which the memory
        then didn't commit, or hasn't yet."""
        return state in (self.noted(STATE), self.noted(BEFORE))

    def bring_to(self, state: str, before: str | None = None) -> None:
        """Note the state of the memory that it is brought to, and the one before."""
        self.note(STATE, state)
        self.note(BEFORE, before)

    @property
    def dimensions(self) -> int:
        """Numbers of a vector; 0 before the first is stored."""
        return int(self.noted("dimensions") or 0)

    def is_due(self) -> bool:
        """Return whether records are to be embedded."""
        return bool(self.db.execute("SELECT EXISTS (SELECT 1 FROM due)").get)

    def count(self, table: str) -> int:
        """Count vectors, records, passages or those due."""
        assert table in ("vectors", "records", "passages", "due")
        return int(self.db.execute(f"SELECT count(*) FROM {table}").get)

    def set_due(self, records: Iterable[Record]) -> None:
        """Note records to be embedded, those noted last first; each gets a new place in the queue."""
        self.db.executemany("INSERT OR REPLACE INTO due (kind, record_id) VALUES (?, ?)", records)

    def due(self, number: int) -> list[tuple[int, str, int]]:
        """Return records to be embedded as (place in the queue, kind, id), the last noted first."""
        rows: Any = self.db.execute(
            "SELECT id, kind, record_id FROM due ORDER BY id DESC LIMIT ?", (number,)
        ).fetchall()
        return [*rows]

    def still_due(self, places: Iterable[int]) -> set[int]:
        """Return those of some places in the queue that are still there."""
        sql = "SELECT id FROM due WHERE id IN (SELECT value FROM json_each(?))"
        return {number for (number,) in self.db.execute(sql, (json.dumps([*places]),))}

    def not_due(self, places: Iterable[int]) -> None:
        """Take places out of the queue."""
        sql = "DELETE FROM due WHERE id IN (SELECT value FROM json_each(?))"
        self.db.execute(sql, (json.dumps([*places]),))

    def forget(self, records: Sequence[Record]) -> None:
        """Take records out, with every vector that no other record has."""
        chosen = json.dumps(records)
        sql = f"SELECT DISTINCT vector_id FROM passages WHERE {OF_RECORDS}"
        lost = [number for (number,) in self.db.execute(sql, (chosen,))]
        for table in ("passages", "records", "due"):
            self.db.execute(f"DELETE FROM {table} WHERE {OF_RECORDS}", (chosen,))
        self._drop_unused(lost)

    def forget_except(self, known: Iterable[Record]) -> None:
        """Take out every record but these."""
        self.db.execute(
            "CREATE TEMP TABLE IF NOT EXISTS known (kind, record_id, PRIMARY KEY (kind, record_id))"
        )
        self.db.execute("DELETE FROM temp.known")
        self.db.executemany("INSERT OR IGNORE INTO temp.known VALUES (?, ?)", known)
        sql = "SELECT kind, record_id FROM records EXCEPT SELECT kind, record_id FROM temp.known"
        gone: Any = self.db.execute(sql).fetchall()
        self.forget(gone)
        self.db.execute(
            "DELETE FROM due WHERE (kind, record_id) NOT IN (SELECT kind, record_id FROM temp.known)"
        )
        self.db.execute("DELETE FROM temp.known")

    def put(self, records: Mapping[Record, Sequence[Hash]], vectors: Mapping[Hash, Floats]) -> None:
        """Store which passages records have, and the vectors (of unit length) of those that are new."""
        former = json.dumps([*records])
        sql = f"SELECT DISTINCT vector_id FROM passages WHERE {OF_RECORDS}"
        before = [number for (number,) in self.db.execute(sql, (former,))]
        self.db.execute(f"DELETE FROM passages WHERE {OF_RECORDS}", (former,))
        known = self.known(hash for hashes in records.values() for hash in hashes)
        known |= self._insert({hash: vectors[hash] for hash in vectors if hash not in known})
        self.db.executemany("INSERT OR IGNORE INTO records VALUES (?, ?)", [*records])
        self.db.executemany(
            "INSERT OR IGNORE INTO passages VALUES (?, ?, ?)",
            (
                (kind, number, known[hash])
                for (kind, number), hashes in records.items()
                for hash in hashes
                if hash in known
            ),
        )
        self._drop_unused(before)

    def hashes_of(self, records: Sequence[Record]) -> dict[Record, set[Hash]]:
        """Return of those records that were embedded the hashes of their passages."""
        sql = (
            "SELECT r.kind, r.record_id, v.hash FROM json_each(?) j CROSS JOIN records r "
            "ON r.kind = j.value ->> 0 AND r.record_id = j.value ->> 1 "
            "LEFT JOIN passages p ON p.kind = r.kind AND p.record_id = r.record_id "
            "LEFT JOIN vectors v ON v.id = p.vector_id"
        )
        hashes: dict[Record, set[Hash]] = {}
        for kind, number, hash in self.db.execute(sql, (json.dumps(records),)):
            hashes.setdefault((kind, number), set()).update(() if hash is None else (hash,))
        return hashes

    def known(self, hashes: Iterable[Hash]) -> dict[Hash, int]:
        """Return the ids of those passages that have a vector."""
        chosen = json.dumps([data.hex() for data in dict.fromkeys(hashes)])
        sql = "SELECT v.hash, v.id FROM json_each(?) j CROSS JOIN vectors v ON v.hash = unhex(j.value)"
        rows: Any = self.db.execute(sql, (chosen,)).fetchall()
        return dict(rows)

    def passages_of(self, records: Sequence[Record]) -> list[tuple[str, int, int]]:
        """Return the passages of records as (kind, id, vector's id)."""
        sql = (
            "SELECT p.kind, p.record_id, p.vector_id FROM json_each(?) j CROSS JOIN passages p "
            "ON p.kind = j.value ->> 0 AND p.record_id = j.value ->> 1"
        )
        rows: Any = self.db.execute(sql, (json.dumps(records),)).fetchall()
        return [*rows]

    def holders_of(self, ids: Sequence[int], at_most: int) -> list[tuple[str, int, int]]:
        """Return what has some vectors as (kind, record's id, vector's id), without vectors that more than
        `at_most` records have."""
        sql = (
            "SELECT p.kind, p.record_id, p.vector_id FROM json_each(?1) j CROSS JOIN passages p "
            "ON p.vector_id = j.value WHERE (SELECT count(*) FROM "
            "(SELECT 1 FROM passages o WHERE o.vector_id = j.value LIMIT ?2 + 1)) <= ?2"
        )
        rows: Any = self.db.execute(sql, (json.dumps([*map(int, ids)]), at_most)).fetchall()
        return [*rows]

    def vectors(self, ids: Sequence[int]) -> tuple[list[int], Floats]:
        """Return the ids of those vectors that there are, and these, a row each."""
        import numpy as np

        sql = "SELECT v.id, v.vector FROM json_each(?) j CROSS JOIN vectors v ON v.id = j.value"
        rows: Any = self.db.execute(sql, (json.dumps([*map(int, ids)]),)).fetchall()
        results = [number for number, _ in rows]
        raw = np.frombuffer(b"".join(vector for _, vector in rows), np.float16)
        return results, raw.reshape(len(results), -1 if results else 0).astype(np.float32)

    def scores(self, query: Floats) -> Floats:
        """Return about the cosine of every vector with one of unit length, by its id less 1; 0 where a
        place is free."""
        # Nobody writes between two blocks.
        self.db.execute("BEGIN")
        try:
            directions = self._directions()
            if directions is not None:
                return self._rough.products(query @ directions)
            return self._blocks.products(query)
        finally:
            self.db.execute("ROLLBACK")

    @property
    def is_rough(self) -> bool:
        """Whether `scores` are by the main directions only."""
        return self.noted(DIRECTIONS) is not None

    def roughen(self) -> None:
        """Keep a rough form of the vectors too, where they are many and long; inside a transaction."""
        from .blocks import SAMPLE, is_worth_it, main_directions

        many = self.count("vectors")
        if self.is_rough or not is_worth_it(many, self.dimensions):
            return
        sql = "SELECT id FROM vectors WHERE id % ? = 0 LIMIT ?"
        rows = self.db.execute(sql, (max(1, many // SAMPLE), SAMPLE))
        directions = main_directions(self.vectors([number for (number,) in rows])[1])
        self.note(DIRECTIONS, directions.tobytes())
        for first, (codes, scales) in self._blocks.read(ahead=False):
            places = range(first, first + len(codes))
            self._rough.write(places, *quantized((codes * scales[:, None]) @ directions))

    @property
    def _blocks(self) -> Blocks:
        return Blocks(self.db, "blocks", self.dimensions)

    @property
    def _rough(self) -> Blocks:
        return Blocks(self.db, "rough_blocks", ROUGH)

    def _directions(self) -> Floats | None:
        """Return the main directions, a column each; None where there is no rough form."""
        import numpy as np

        result = self.noted(DIRECTIONS)
        return None if result is None else np.frombuffer(result, np.float32).reshape(-1, ROUGH)

    def _insert(self, vectors: Mapping[Hash, Floats]) -> dict[Hash, int]:
        import numpy as np

        if not vectors:
            return {}
        matrix = np.asarray([*vectors.values()], np.float32)
        if not self.dimensions:
            self.note("dimensions", matrix.shape[1])
        if matrix.shape[1] != self.dimensions:
            raise ValueError(
                _(
                    "A vector has {number} numbers, not {dimensions}.",
                    number=matrix.shape[1],
                    dimensions=self.dimensions,
                )
            )
        places = self._places(len(matrix))
        self.db.executemany(
            "INSERT INTO vectors VALUES (?, ?, ?)",
            (
                (place, hash, row.tobytes())
                for place, hash, row in zip(places, vectors, matrix.astype(np.float16), strict=True)
            ),
        )
        self._blocks.write(places, *quantized(matrix))
        if (directions := self._directions()) is not None:
            self._rough.write(places, *quantized(matrix @ directions))
        return dict(zip(vectors, places, strict=True))

    def _places(self, number: int) -> list[int]:
        """Return free places for so many vectors: such as others left, then new ones."""
        sql = "SELECT id FROM free_places ORDER BY id LIMIT ?"
        places = [place for (place,) in self.db.execute(sql, (number,))]
        self.db.execute(
            "DELETE FROM free_places WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(places),),
        )
        last = int(self.db.execute("SELECT coalesce(max(id), 0) FROM vectors").get)
        last = max(
            last,
            int(self.db.execute("SELECT coalesce(max(id), 0) FROM free_places").get),
            *places,
            0,
        )
        return [*places, *range(last + 1, last + 1 + number - len(places))]

    def _drop_unused(self, ids: Sequence[int]) -> None:
        """Overwrite those of some vectors that no record has any more. Needs no numpy: a memory may have
        vectors where the packages that make them are gone."""
        if not ids:
            return
        sql = (
            "SELECT value FROM json_each(?) WHERE NOT EXISTS "
            "(SELECT 1 FROM passages WHERE vector_id = value) ORDER BY value"
        )
        unused = [number for (number,) in self.db.execute(sql, (json.dumps(ids),))]
        if not unused:
            return
        self.db.execute(
            "DELETE FROM vectors WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(unused),),
        )
        self.db.executemany("INSERT INTO free_places VALUES (?)", ((item,) for item in unused))
        self._blocks.erase(unused)
        if self.is_rough:
            self._rough.erase(unused)
