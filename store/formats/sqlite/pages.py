"""The pages of an SQLite file, read without SQLite: every record on a leaf that can be reached, or that
nothing leads to any more.

SQLite reads a table from its root, so that one bad page hides all behind it. Here each page speaks
for itself. The format is that of https://www.sqlite.org/fileformat.html; nothing in it is trusted.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import NamedTuple

from ...platform.translation import _

HEADER_BYTES = 100
PAGE_SIZES = tuple(1 << power for power in range(9, 17))
INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE = 2, 5, 10, 13
CELLS_AT = {INTERIOR_INDEX: 12, INTERIOR_TABLE: 12, LEAF_INDEX: 8, LEAF_TABLE: 8}
MOST_COLUMNS = 100
DEEPEST = 20
"""So deep is no tree."""

INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Value = int | float | str | bytes | None


class RawRecord(NamedTuple):
    """A row as its page holds it: its rowid (None in a table that has none), its values, and how many
    of these are whole: the end of the others is lost."""

    rowid: int | None
    values: list[Value]
    whole: int


class Hole(NamedTuple):
    """Rows of a table that can't be read: those with keys above `after`, up to `last`; None where
    it can't be told."""

    after: int | None
    last: int | None

    def __contains__(self, key: object) -> bool:
        return (
            isinstance(key, int)
            and (self.after is None or key > self.after)
            and (self.last is None or key <= self.last)
        )


class Tree(NamedTuple):
    """What a walk from a root finds: leaves (and interior pages of an index), each with the keys that
    belong there, the holes, and all the pages it passed."""

    pages: dict[int, Hole]
    holes: list[Hole]
    walked: set[int]


class Pages:
    """The bytes of a database file. `overlay` are pages that stand for those of the file."""

    def __init__(self, content: bytes, page_size: int, overlay: dict[int, bytes] | None = None) -> None:
        self.content = content
        self.size = page_size
        self.overlay = overlay or {}
        self.count = max((len(content) + page_size - 1) // page_size, *self.overlay, 0)
        reserved = content[20] if len(content) > 20 else 0
        self.usable = page_size - (reserved if reserved <= 32 else 0)

    def page(self, number: int) -> bytes:
        """Return a page, the first of which is 1; shorter than it should be where the file ends."""
        if number in self.overlay:
            return self.overlay[number]
        if number < 1:
            return b""
        return self.content[(number - 1) * self.size : number * self.size]

    def kind(self, number: int) -> int:
        """Return what kind of page of a tree it says it is; 0 for none."""
        page, start = self.page(number), _start(number)
        return page[start] if len(page) > start + 8 and page[start] in CELLS_AT else 0

    def free(self) -> set[int]:
        """Return the pages that the file doesn't use, whose content is of no account."""
        results: set[int] = set()
        trunk = _number(self.page(1), 32)
        while 0 < trunk <= self.count and trunk not in results:
            results.add(trunk)
            page = self.page(trunk)
            for place in range(min(_number(page, 4), self.size // 4 - 2)):
                results.add(_number(page, 8 + 4 * place))
            trunk = _number(page, 0)
        return results

    def tree(self, root: int, *, is_table: bool) -> Tree:
        """Walk the tree of a table (with rowids) or an index from its root, around what can't be read
        and pages of the other kind."""
        tree = Tree({}, [], set())
        kinds = (INTERIOR_TABLE, LEAF_TABLE) if is_table else (INTERIOR_INDEX, LEAF_INDEX)
        self._walk(root, Hole(None, None), tree, kinds, 0)
        return tree

    def _walk(self, number: int, keys: Hole, tree: Tree, kinds: tuple[int, int], depth: int) -> None:
        kind = self.kind(number)
        if kind not in kinds or number in tree.walked or depth > DEEPEST or not self._fits(number):
            tree.holes.append(keys)
            return
        tree.walked.add(number)
        if kind != INTERIOR_TABLE:
            tree.pages[number] = keys
        if kind in (LEAF_INDEX, LEAF_TABLE):
            return
        page, start = self.page(number), _start(number)
        after, last = keys
        for place in self._cells(number):
            key = _signed(_varint(page, place + 4)[0]) if kind == INTERIOR_TABLE else last
            self._walk(_number(page, place), Hole(after, key), tree, kinds, depth + 1)
            after = key
        self._walk(_number(page, start + 8), Hole(after, last), tree, kinds, depth + 1)

    def cells(self, number: int) -> int:
        """Return how many records a page says it has."""
        page, start = self.page(number), _start(number)
        return int(struct.unpack_from(">H", page, start + 3)[0]) if self.kind(number) else 0

    def records(self, number: int) -> Iterator[RawRecord]:
        """Yield the records on a page, those whose cells can be read."""
        kind = self.kind(number)
        if kind in (0, INTERIOR_TABLE):
            return
        for place in self._cells(number):
            try:
                record = self._record(number, kind, place)
            except (IndexError, struct.error, ValueError):
                continue
            if record is not None:
                yield record

    def _fits(self, number: int) -> bool:
        """Whether a page of a tree has as many cells as it says."""
        start = _start(number)
        begin = start + CELLS_AT[self.page(number)[start]]
        return self.cells(number) * 2 + begin <= self.size

    def _cells(self, number: int) -> Iterator[int]:
        page, start = self.page(number), _start(number)
        begin = start + CELLS_AT[page[start]]
        for place in range(self.cells(number)):
            at = begin + 2 * place
            if at + 2 > len(page):
                return
            cell = struct.unpack_from(">H", page, at)[0]
            if begin <= cell < len(page) - 3:
                yield cell

    def _record(self, number: int, kind: int, place: int) -> RawRecord | None:
        page = self.page(number)
        if kind == INTERIOR_INDEX:
            place += 4
        size, place = _varint(page, place)
        rowid = None
        if kind == LEAF_TABLE:
            unsigned, place = _varint(page, place)
            rowid = _signed(unsigned)
        if not 2 <= size <= self.size * self.count:
            return None
        return _decoded(rowid, self._payload(page, place, size, is_table=kind == LEAF_TABLE), size)

    def _payload(self, page: bytes, place: int, size: int, *, is_table: bool) -> bytes:
        """A record's bytes, as far as they can be followed."""
        most = self.usable - 35 if is_table else (self.usable - 12) * 64 // 255 - 23
        if size <= most:
            return page[place : place + size]
        least = (self.usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (self.usable - 4)
        local = local if local <= most else least
        parts = [page[place : place + local]]
        following, left, seen = _number(page, place + local), size - local, set[int]()
        while left > 0 and 0 < following <= self.count and following not in seen:
            seen.add(following)
            part = self.page(following)
            parts.append(part[4 : 4 + min(left, self.usable - 4)])
            left -= len(parts[-1])
            following = _number(part, 0)
        return b"".join(parts)


def _decoded(rowid: int | None, payload: bytes, size: int) -> RawRecord | None:
    """A record of its bytes; None where they are none. `size` are the bytes that it should have."""
    head, place = _varint(payload, 0)
    if head > len(payload) or head > size:
        return None
    kinds: list[int] = []
    while place < head:
        kind, place = _varint(payload, place)
        kinds.append(kind)
    if place != head or len(kinds) > MOST_COLUMNS or head + sum(map(_length, kinds)) != size:
        return None
    values: list[Value] = []
    whole = 0
    for kind in kinds:
        length = _length(kind)
        values.append(_value(kind, payload[place : place + length], length))
        place += length
        whole += place <= len(payload)
    return RawRecord(rowid, values, whole)


def _length(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    if kind in (10, 11):
        raise ValueError(_("no record has such a value"))
    return INTEGER_BYTES.get(kind, 8 if kind == 7 else 0)


def _value(kind: int, raw: bytes, length: int) -> Value:
    if kind >= 12:
        if length and not raw:
            return None
        return raw if kind % 2 == 0 else raw.decode("utf-8", "replace")
    if kind in (0, 8, 9) or len(raw) < length:
        return {8: 0, 9: 1}.get(kind)
    if kind == 7:
        result = float(struct.unpack(">d", raw)[0])
        return None if math.isnan(result) else result
    return int.from_bytes(raw, "big", signed=True)


def _varint(content: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the place behind it."""
    result = 0
    for step in range(8):
        byte = content[place + step]
        result = result << 7 | byte & 0x7F
        if byte < 0x80:
            return result, place + step + 1
    return result << 8 | content[place + 8], place + 9


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number


def _number(page: bytes, place: int) -> int:
    """Four bytes of a page; 0 beyond its end."""
    return int.from_bytes(page[place : place + 4], "big") if place + 4 <= len(page) else 0


def _start(number: int) -> int:
    return HEADER_BYTES if number == 1 else 0
