"""Look for many texts in many bytes: whether any of them is still written down somewhere.

Thousands of texts that are alike would each be looked for in each chunk of a file. So bytes are cut
into windows of sixteen (eight for short texts), and each window is looked up once among those of
all texts. In prose, windows of eight alone match nearly everywhere; a library for many strings
would be one more compiled dependency.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain, compress, product
from pathlib import Path
from struct import Struct

SHORTEST = 8
"""Texts of fewer characters stand everywhere; they are not looked for."""

PIECE = 32
"""Bytes of a piece. A longer text is looked for by its pieces, since a database keeps it in parts."""

MOST_PIECES = 16
BLOCK = 4_096
"""Bytes in which no window of a piece stands are done with at once."""

LONGEST_WINDOW = 16

FEW = 40
"""So many pieces are looked for one by one, which is faster."""

CUT_BLOCK = Struct("16s" * (BLOCK // 16))

CHUNK = 4 << 20


class Occurrences:
    """Finds which of these texts stand in bytes, as they are or as JSON writes them.

    The time it takes hardly depends on how many texts there are.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = tuple(dict.fromkeys(text for text in texts if len(text.strip()) >= SHORTEST))
        pieces: dict[bytes, str] = {}
        for text in self.texts:
            for form in _forms(text):
                for piece in _pieces(form):
                    pieces.setdefault(piece, text)
        self._use(pieces)

    @classmethod
    def of_needles(cls, needles: Iterable[bytes]) -> Occurrences:
        """Return one that looks for pieces that another has found."""
        occurrences = cls(())
        occurrences._use(dict.fromkeys(needles, ""))
        return occurrences

    def __bool__(self) -> bool:
        return bool(self.texts)

    def needles_in(self, data: bytes) -> dict[bytes, str]:
        """Return what was found in bytes: the pieces, and the text that each is of."""
        results: dict[bytes, str] = {}
        self._look(data, results)
        return results

    def are_in(self, data: bytes) -> bool:
        """Return whether any of the texts stands in bytes."""
        return bool(self.needles_in(data))

    def needles_in_file(
        self, path: Path, progress: Callable[[int], object] | None = None
    ) -> tuple[dict[bytes, str], int]:
        """Return what was found in a file, and how many bytes that has. Raises OSError."""
        with path.open("rb") as file:
            return self.needles_in_chunks(iter(partial(file.read, CHUNK), b""), progress)

    def needles_in_chunks(
        self, chunks: Iterable[bytes], progress: Callable[[int], object] | None = None
    ) -> tuple[dict[bytes, str], int]:
        """Return what was found in bytes that come in chunks, and how many bytes there were. `progress` is
        called with how many are looked through."""
        needles: dict[bytes, str] = {}
        size = 0
        rest = b""
        for chunk in chunks:
            size += len(chunk)
            data = rest + chunk
            self._look(data, needles)
            rest = data[-PIECE:]
            if progress:
                progress(size)
        return needles, size

    def _use(self, pieces: dict[bytes, str]) -> None:
        """Look for these pieces of texts."""
        self._pieces = pieces
        # Wherever a long one begins, one of its windows begins where those of the bytes do.
        kinds = ((16, 16, 31, PIECE), (8, 8, 15, 30), (8, 1, 8, 14))
        self._windows = [
            _Windows([piece for piece in pieces if least <= len(piece) <= most], width, step)
            for width, step, least, most in kinds
        ]

    def _look(self, data: bytes, found: dict[bytes, str]) -> None:
        """Add to `found` the pieces that stand in bytes, and the text that each is of."""
        for windows in self._windows:
            for piece in windows.pieces_in(data, found):
                found[piece] = self._pieces[piece]


class _Windows:
    """Windows of 8 or 16 bytes by which pieces are known: all bytes are cut into such, from each of the
    first `width` places on that `step` leads to, and looked up."""

    def __init__(self, pieces: Sequence[bytes], width: int, step: int) -> None:
        self.pieces = pieces
        self.members = frozenset(pieces)
        self.width = width
        self.step = step
        self.offsets = range(0, width, step)

    @cached_property
    def known(self) -> dict[int | bytes, set[tuple[int, int]]]:
        """Of each window that tells a piece: where it begins in pieces, and how long these are.
        Few such pairs tell all pieces that share a window."""
        known: dict[int | bytes, set[tuple[int, int]]] = {}
        if self.width == LONGEST_WINDOW:
            by_length: dict[int, list[bytes]] = {}
            for piece in self.pieces:
                by_length.setdefault(len(piece), []).append(piece)
            for length, begin in product(by_length, range(self.step)):
                alone = {(begin, length)}
                for window in {piece[begin : begin + self.width] for piece in by_length[length]}:
                    # Nearly all stand in one place; these share a set.
                    known[window] = known[window] | alone if window in known else alone
            return known
        every = {piece: self._all(piece) for piece in self.pieces}
        common = Counter(chain.from_iterable(every.values()))
        for piece, windows in every.items():
            for first in range(self.step):
                # The rarest, as far as the texts tell, since each place that has it is looked at.
                begin = min(range(first, len(windows), self.step), key=lambda at: common[windows[at]])
                known.setdefault(windows[begin], set()).add((begin, len(piece)))
        return known

    @cached_property
    def all_known(self) -> frozenset[int | bytes]:
        """The windows of `known`: few of these are in any block, and a set finds them without a loop."""
        return frozenset(self.known)

    def pieces_in(self, data: bytes, found: Container[bytes]) -> Iterator[bytes]:
        """Yield the pieces that stand in bytes, but for those found already; some more than once."""
        if len(self.pieces) <= FEW:
            yield from (piece for piece in self.pieces if piece not in found and piece in data)
            return
        for offset in self.offsets:
            end = offset + max(0, len(data) - offset) // self.width * self.width
            for start in range(offset, end, BLOCK):
                windows = self._cut(data[start : min(start + BLOCK, end)])
                hits = self.all_known.intersection(windows)
                if not hits:
                    continue
                for index in compress(range(len(windows)), map(hits.__contains__, windows)):
                    for begin, length in self.known[windows[index]]:
                        place = start + index * self.width - begin
                        piece = data[place : place + length] if place >= 0 else b""
                        if piece in self.members and piece not in found:
                            yield piece

    def _cut(self, data: bytes) -> Sequence[int | bytes]:
        """Return the windows that bytes, of a multiple of the width, consist of."""
        if self.width < LONGEST_WINDOW:
            return array("Q", data)
        return (CUT_BLOCK if len(data) == BLOCK else Struct("16s" * (len(data) // 16))).unpack(data)

    def _all(self, piece: bytes) -> list[int | bytes]:
        return [
            self._cut(piece[begin : begin + self.width])[0] for begin in range(len(piece) - self.width + 1)
        ]


def _forms(text: str) -> set[bytes]:
    """Return the bytes that a text may stand in: itself, and the inside of its JSON."""
    escaped = (json.dumps(text, ensure_ascii=ascii_only)[1:-1] for ascii_only in (False, True))
    return {name.encode(errors="replace") for name in (text, *escaped)}


def _pieces(form: bytes) -> Iterable[bytes]:
    if len(form) <= PIECE:
        return (form,)
    step = max(PIECE, len(form) // MOST_PIECES)
    last = len(form) - PIECE
    return {form[begin : begin + PIECE] for begin in (*range(0, last, step), last)}
