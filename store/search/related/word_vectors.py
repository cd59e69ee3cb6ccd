"""Vectors of texts from a table of word vectors that comes with memtui: English and Chinese, no model.

A text's vector is the sum of its words'. `bench/word_vectors` makes the table: its words, a scale each,
128 numbers of four bits each, and a dictionary: in order, a line each, a word and the one for it in the
other language, English or Chinese; none where a Chinese word only keeps its neighbours apart. In memory a
word is one integer with a lane for each number, so that words are added by adding integers.
"""

from __future__ import annotations

import re
import struct
import sys
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import sqrt
from operator import mul
from pathlib import Path
from typing import NamedTuple

PATH = Path(__file__).with_name("word_vectors.bin")
MAGIC = b"MWV4"
HEADER = struct.Struct("<4sIII")
"""How a table begins: a mark, how many bytes its words take, how many there are, and how many bytes the
dictionary takes."""
DIMENSIONS, ZERO = 128, 8
"""Numbers of a vector, and what stands for 0 among the sixteen values of one."""
LANES = [array("I", (byte >> 4, byte & 15)).tobytes() for byte in range(256)]
"""The lanes of the two numbers in each byte of a row."""
HAN = "\u3400-\u9fff"
RUNS = re.compile(rf"[{HAN}]+|[^\W\d_{HAN}]+|\d+")
HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Where the words of an identifier meet: `refreshToken`, `HTTPServer`."""
CONTINUED = "##"
"""Begins a piece that stands inside a word."""
LONGEST_WORD, LONGEST_HAN, LONGEST_NUMBER = 20, 4, 4
"""Characters of a piece; a longer number says nothing."""
MOST_PIECES = 4_000
"""Of a text so many are added: the sum of more might not fit into a lane."""
REMEMBERED, VECTORS = 4_000, 1_000
"""So many words, so many pieces, and the vectors of so many texts are kept: who types a question has nearly
the same passages compared at each letter."""
APART = {code: " " for code in range(128) if not chr(code).isalnum()}


class Vector(NamedTuple):
    """What a text means: its numbers, their length, and the share of its words that the table lacks."""

    numbers: list[int]
    length: float
    unknown: float

    def cosine(self, other: Vector) -> float:
        """Return the cosine of the angle between two vectors, 0 where one of them is empty."""
        product: int = sum(map(mul, self.numbers, other.numbers))
        return product / ((self.length * other.length) or 1.0)


_Word = tuple[int, int, bool]
"""The lanes of a word's pieces, the sum of their scales, and whether the table has it whole."""


class WordVectors:
    """A table of word vectors, read from a file. Raises OSError, and ValueError where it is damaged."""

    def __init__(self, path: Path = PATH) -> None:
        data = path.read_bytes()
        magic, size, number, dictionary = HEADER.unpack_from(data.ljust(HEADER.size))
        row = DIMENSIONS // 2
        if magic != MAGIC or len(data) != HEADER.size + size + number * (2 + row) + dictionary:
            raise ValueError(f"{path} is no table of word vectors")
        begin = HEADER.size
        self._words = data[begin : begin + size].decode().split("\n")
        self._places = dict(zip(self._words, range(number), strict=True))
        self._scales = struct.unpack_from(f"<{number}H", data, begin + size)
        rows = begin + size + 2 * number
        end = rows + number * row
        self._rows = memoryview(data)[rows:end]
        self._dictionary = data[end:].decode().split("\n")
        self._word = lru_cache(REMEMBERED)(self._read_word)
        self._lanes = lru_cache(REMEMBERED)(self._read_lanes)
        self._vector = lru_cache(VECTORS)(self._read_vector)

    def vector(self, text: str) -> Vector:
        """Return the vector of a text."""
        return self._vector(text)

    def _read_vector(self, text: str) -> Vector:
        words = [*map(self._word, _runs(text)[:MOST_PIECES])] or [(0, 0, True)]
        lanes, scales, known = zip(*words, strict=True)
        zero = ZERO * sum(scales)
        bytes_ = sum(lanes).to_bytes(4 * DIMENSIONS, sys.byteorder)
        numbers = [number - zero for number in memoryview(bytes_).cast("I")]
        return Vector(numbers, sqrt(sum(map(mul, numbers, numbers))), 1 - sum(known) / len(words))

    def pieces(self, text: str) -> Iterator[str]:
        """Yield the pieces of a text that the table has."""
        for run in _runs(text):
            yield from self._pieces_of(run)

    def in_other_language(self, text: str) -> list[str]:
        """Return the English words for the Chinese ones of a text, each once; for those of one character,
        which may mean anything, none. Of a text without Chinese, the Chinese ones."""
        runs = _runs(text)
        han = [run for run in runs if _is_han(run)]
        words = (
            [word for run in han for word in _longest(run, lambda it: len(it) > 1 and self._entry(it))]
            if han
            else [part for run in runs for part in _parts(run)]
        )
        return [*dict.fromkeys(other for word in words if (other := self._entry(word)[len(word) + 1 :]))]

    def _entry(self, word: str) -> str:
        """Return the dictionary's line of a word, '' where it has none."""
        place = bisect_left(self._dictionary, word)
        line = self._dictionary[place] if place < len(self._dictionary) else ""
        return line if line.partition(" ")[0] == word else ""

    def _read_word(self, run: str) -> _Word:
        places = [self._places[piece] for piece in self._pieces_of(run)]
        lanes = sum(map(self._lanes, places))
        is_known = bool(places) if _is_han(run) else all(part in self._places for part in _parts(run))
        return lanes, sum(self._scales[place] for place in places), is_known

    def _read_lanes(self, place: int) -> int:
        """Return the numbers of a row by its scale, each in a lane."""
        size = DIMENSIONS // 2
        row = self._rows[place * size : (place + 1) * size]
        scale: int = self._scales[place]
        return scale * int.from_bytes(b"".join(map(LANES.__getitem__, row)), sys.byteorder)

    def _pieces_of(self, run: str) -> Iterator[str]:
        for part in _parts(run):
            yield from _longest(part, self._places.__contains__)


def _longest(word: str, is_known: Callable[[str], object]) -> Iterator[str]:
    """Yield the longest known pieces of a word, from its beginning on."""
    is_han = _is_han(word)
    longest = LONGEST_HAN if is_han else LONGEST_WORD
    begin = 0
    while begin < len(word):
        mark = "" if is_han or not begin else CONTINUED
        for end in range(min(len(word), begin + longest), begin, -1):
            if is_known(piece := mark + word[begin:end]):
                yield piece
                break
        else:
            end = begin + 1
        begin = end


def _is_han(run: str) -> bool:
    return "\u3400" <= run[0] <= "\u9fff"


def _runs(text: str) -> list[str]:
    """Return the runs of letters, of Han and of digits in a text; of ASCII, letters and digits together."""
    if text.isascii():
        return text.translate(APART).split()
    return RUNS.findall(unicodedata.normalize("NFKC", text))


def _parts(run: str) -> list[str]:
    """Return the words of a run, in lower case; none of a long number."""
    if run.isascii() and not run.isalpha() and not run.isdigit():
        return [part for own in RUNS.findall(run) for part in _parts(own)]
    if run[0].isdigit():
        return [run] if len(run) <= LONGEST_NUMBER else []
    if run.isascii() and not run.islower() and not run.isupper():
        return [part.lower() for part in HUMPS.split(run)]
    return [run.lower()]
