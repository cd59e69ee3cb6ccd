"""A copy of a memory, be it damaged: its pages, with what its log holds, read from a private copy so that
no byte of it changes; and its records by table: those its trees lead to, and those nothing leads to any
more, which are known by their shape."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from ..database.files import temporary
from ..database.schema.shapes import TableShape
from ..platform.errors import SourceError
from ..records.dataclasses import dataclass, field
from .sqlite.file import COMPANIONS, HEADER, beside, copy_files
from .sqlite.pages import (
    CELLS_AT,
    HEADER_BYTES,
    INTERIOR_TABLE,
    LEAF_TABLE,
    PAGE_SIZES,
    Hole,
    Pages,
    RawRecord,
    Tree,
)

USUAL_PAGE = 4_096
FRAME_HEADER = 24
LOG_HEADER = 32
MOST_TRIED = 2_000
"""So many pages are looked at to tell how large they are."""


def pages_of(path: Path) -> Iterator[Pages]:
    """Yield the pages of a memory: as its last commit left them, then those of its log that SQLite
    can't add to them, if there are any. Raises SourceError where nothing can be read."""
    with temporary.directory("memtui-") as directory:
        copy = _copied(path, directory)
        log = _content(beside(copy, "-wal"))
        added = _settle(copy)
        content = _content(copy)
        size = page_size(content, log)
        yield Pages(content, size)
        frames = _frames(log, size)[added:]
        if frames:
            yield Pages(content, size, dict(frames))


def page_size(content: bytes, log: bytes = b"") -> int:
    """Return the size of a file's pages, as it says itself, as its log does, or as most of it looks."""
    text = [int.from_bytes(content[16:18], "big")] if content.startswith(HEADER) else []
    text.append(int.from_bytes(log[8:12], "big"))
    for size in text:
        size = 65_536 if size == 1 else size
        if size in PAGE_SIZES:
            return size
    looks = {size: _trees(content, size) for size in PAGE_SIZES}
    # Of a larger size too, whatever begins a page looks as it should; of a smaller one it is rare.
    likely = [size for size, share in looks.items() if share and share >= max(looks.values()) / 2]
    return likely[0] if likely else USUAL_PAGE


def _trees(content: bytes, size: int) -> float:
    """The share of pages that begin as those of trees do."""
    result = 0
    starts = range(size, min(len(content) - 8, size * MOST_TRIED), size)
    for start in starts:
        kind, cells = content[start], int.from_bytes(content[start + 3 : start + 5], "big")
        begin = int.from_bytes(content[start + 5 : start + 7], "big") or 65_536
        if kind in CELLS_AT and 0 < cells < size // 4 and CELLS_AT[kind] + 2 * cells <= begin <= size:
            result += 1
    return result / max(len(starts), 1)


def _copied(path: Path, directory: Path) -> Path:
    with suppress(SourceError, OSError):
        return copy_files(path, directory)
    # What lies beside it can't be copied, or it is written all the time.
    copy = directory / "source.db"
    try:
        with suppress(FileNotFoundError):
            shutil.copyfile(path, copy)
        for suffix in COMPANIONS:
            with suppress(OSError):
                shutil.copyfile(beside(path, suffix), beside(copy, suffix))
    except OSError as error:
        raise SourceError("{path} can't be read ({error}).", path=path, error=error.strerror) from error
    return copy


def _settle(copy: Path) -> int:
    """Have SQLite add to a private copy what its log or journal holds; return how many pages of the
    log it added."""
    content = _content(copy)
    if len(content) > HEADER_BYTES and not content.startswith(HEADER):
        _mend_header(copy, content)
    try:
        with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
            db.pragma("user_version")
            known, added = db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            return max(0, min(known, added))
    except (apsw.Error, OSError):
        return 0


def _mend_header(copy: Path, content: bytes) -> None:
    """Give a copy whose first bytes are lost those of a sound file of its size."""
    size = page_size(content, _content(beside(copy, "-wal")))
    fields = (size % 65_536 if size < 65_536 else 1).to_bytes(2, "big") + bytes((2, 2, 0, 64, 32, 32))
    count = len(content) // size
    rest = (1).to_bytes(4, "big") + count.to_bytes(4, "big") + bytes(12) + (4).to_bytes(4, "big")
    rest += bytes(8) + (1).to_bytes(4, "big")
    header = HEADER + fields + rest
    header += bytes(92 - len(header)) + (1).to_bytes(4, "big") + (3_051_003).to_bytes(4, "big")
    with copy.open("r+b") as file:
        file.write(header[:HEADER_BYTES])


def _frames(log: bytes, size: int) -> list[tuple[int, bytes]]:
    """The pages in a log, by number, in the order in which they were written; those of an earlier
    use of the log are left out."""
    step = FRAME_HEADER + size
    starts = range(LOG_HEADER, len(log) - step + 1, step)
    salts = [log[start + 8 : start + 16] for start in starts]
    if not salts:
        return []
    own = log[16:24] if log[16:24] in salts else salts[0]
    return [
        (int.from_bytes(log[start : start + 4], "big"), log[start + FRAME_HEADER : start + step])
        for start, salt in zip(starts, salts, strict=True)
        if salt == own
    ]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


SCHEMA_TYPES = ("table", "index", "trigger", "view")
SCHEMA_ROOT = 1
KNOWN_BY_SHAPE = ("purged", "captured_events", "changes", "quarantine", "given_contexts")
"""Tables without uids whose records are told from all others by their shape alone."""


class Found(NamedTuple):
    """A record of a copy: its table and values by column; `is_whole` unless a part of it is lost,
    and then only what is left of it is there."""

    table: str
    values: dict[str, Any]
    is_whole: bool


@dataclass(slots=True)
class Copy:
    """The records of a copy, and where rows are missing from it, by table."""

    label: str
    is_own: bool = False
    """Whether it is of the file itself: then its rows count though the rest of that lacks them."""
    rows: list[Found] = field(default_factory=list)
    holes: dict[str, list[Hole]] = field(default_factory=dict)
    documents: set[tuple[str, int]] | None = None
    """The kind and id of each row that was visible; None where that can't be told."""

    def is_lost(self, table: str, key: object) -> bool:
        """Whether a row that isn't there may have been on a page that can't be read."""
        return any(key in hole for hole in self.holes.get(table, ()))


def read_copy(
    label: str, pages: Pages, shapes: dict[str, TableShape], known: set[str], *, is_own: bool
) -> Copy:
    """Return all records that the pages hold; `known` are the tables that there have to be."""
    copy = Copy(label, is_own)
    roots, seen = _schema(pages)
    telling = [shape for shape in shapes.values() if _is_telling(shape)]
    for name, (root, is_table) in roots.items():
        tree = pages.tree(root, is_table=is_table)
        seen |= tree.walked
        if name == "documents" and not tree.holes:
            copy.documents = _documents(pages, tree)
        shape = shapes.get(name)
        if shape is not None:
            copy.holes.setdefault(name, []).extend(tree.holes)
            for number, keys in tree.pages.items():
                if _read(copy, pages, number, telling, shape) < pages.cells(number):
                    copy.holes[name].append(keys)
    lost = known - roots.keys()
    copy.holes |= {name: [Hole(None, None)] for name in lost}
    # What no tree leads to is lost and found; but free pages hold what was deleted or moved.
    free = pages.free()
    dropped = [shape for shape in telling if shape.name in lost]
    for number in range(2, pages.count + 1):
        if number not in seen:
            _read(copy, pages, number, telling if number not in free else dropped)
    copy.holes = {name: holes for name, holes in copy.holes.items() if holes}
    return copy


def _schema(pages: Pages) -> tuple[dict[str, tuple[int, bool]], set[int]]:
    """The roots of tables and indexes by name, each with whether it is of a table with rowids; and the
    pages of the schema."""
    tree = pages.tree(SCHEMA_ROOT, is_table=True)
    used = set(tree.walked)
    numbers = list(tree.pages)
    if tree.holes or not numbers:
        numbers += [number for number in range(2, pages.count + 1) if pages.kind(number) == LEAF_TABLE]
    roots: dict[str, tuple[int, bool]] = {}
    for number in numbers:
        for record in pages.records(number):
            values = record.values
            if len(values) != 5 or values[0] not in SCHEMA_TYPES:
                continue
            used.add(number)
            if values[0] in ("table", "index") and isinstance(values[3], int) and values[3] > 1:
                is_table = values[0] == "table" and "WITHOUT ROWID" not in str(values[4])
                roots.setdefault(str(values[1]), (values[3], is_table))
    return roots, used


def _documents(pages: Pages, tree: Tree) -> set[tuple[str, int]]:
    return {
        (str(record.values[1]), record.values[2])
        for number in tree.pages
        for record in pages.records(number)
        if len(record.values) > 2 and isinstance(record.values[2], int)
    }


def _read(
    copy: Copy, pages: Pages, number: int, shapes: list[TableShape], hint: TableShape | None = None
) -> int:
    """Add the records of a page that are of one of these shapes, and return how many those are; `hint`
    is the table in whose tree it is."""
    kind, result = pages.kind(number), 0
    if kind not in (0, INTERIOR_TABLE):
        for record in pages.records(number):
            shape = _shape_of(record, hint, shapes, has_rowid=kind == LEAF_TABLE)
            if shape is not None:
                row = _found(record, shape)
                copy.rows.append(row)
                result += 1
                if not row.is_whole and record.rowid is not None:
                    hole = Hole(record.rowid - 1, record.rowid)
                    copy.holes.setdefault(shape.name, []).append(hole)
    return result


def _shape_of(
    record: RawRecord, hint: TableShape | None, shapes: list[TableShape], *, has_rowid: bool
) -> TableShape | None:
    """The table that a record belongs to: the one in whose tree it is, unless it can't be of that."""
    if hint is not None and _fits(record, hint, has_rowid=has_rowid):
        return hint
    # A value of a class that its column doesn't take makes no record of another table of it.
    is_wide = hint is not None and record.whole == len(record.values) == len(hint.columns)
    if hint is not None and is_wide and _has_key(record, hint, has_rowid=has_rowid):
        return hint
    for shape in shapes:
        if _fits(record, shape, has_rowid=has_rowid):
            return shape
    if hint is not None and len(record.values) <= len(hint.columns):
        return hint if _has_key(record, hint, has_rowid=has_rowid) else None
    return None


def _is_telling(shape: TableShape) -> bool:
    """Whether records of a table are told from all others by their shape."""
    return shape.has_uid or shape.name in KNOWN_BY_SHAPE


def _fits(record: RawRecord, shape: TableShape, *, has_rowid: bool) -> bool:
    if (shape.rowid is not None) != has_rowid or len(record.values) > len(shape.columns):
        return False
    values = record.values[: record.whole]
    if len(values) < min(3, len(shape.columns)):
        return False
    if record.whole == len(record.values) and any(
        table_column.required and table_column.default is None
        for table_column in shape.columns[len(values) :]
    ):
        return False
    return all(
        (value is None) if column.name == shape.rowid else column.fits(value)
        for column, value in zip(shape.columns, values, strict=False)
    )


def _has_key(record: RawRecord, shape: TableShape, *, has_rowid: bool) -> bool:
    """Whether a record that holds what no row should is at least told from all others."""
    if (shape.rowid is not None) != has_rowid:
        return False
    if shape.has_uid:
        uid = record.values[1] if record.whole > 1 else None
        return isinstance(uid, str) and bool(uid)
    return record.whole >= len(shape.key) and (
        shape.rowid is not None
        or all(isinstance(value, int | str) for value in record.values[: len(shape.key)])
    )


def _found(record: RawRecord, shape: TableShape) -> Found:
    is_whole = record.whole == len(record.values)
    values = {
        column.name: value
        for column, value in zip(shape.columns, record.values, strict=False)
        if is_whole or value is not None
    }
    if shape.rowid is not None:
        values[shape.rowid] = record.rowid
    return Found(shape.name, values, is_whole)
