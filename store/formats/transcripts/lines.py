"""Read the lines of a growing file of JSON lines, from where they were read last."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ...regular_file import open_regular
from ...translation import _

LONGEST = 32 * 1024 * 1024
"""Bytes of the longest line that is read; longer ones are skipped."""

DEEPEST = 200
"""How deep a record may be nested; whoever writes JSON again has to go as deep."""

BOM = b"\xef\xbb\xbf"
PIECE = 1024 * 1024


Parsed = tuple[dict[str, Any] | None, str | None]


class Line(NamedTuple):
    """A complete line: its record, or a sentence why there is none; neither if it is blank. `end`
    is the offset in bytes at which the next one begins."""

    record: dict[str, Any] | None
    warning: str | None
    end: int


def lines(file: BinaryIO, start: int = 0, longest: int = LONGEST) -> Iterator[Line]:
    """Yield every complete line from the byte `start` on.

    The last line counts as complete without a line break only when it is a whole JSON object; else
    it is still being written, and left for the next time. Bytes that are not UTF-8 become U+FFFD.
    No more than one line is held in memory.
    """
    file.seek(start)
    end = start
    while raw := file.readline(longest + 1):
        end += len(raw)
        if not raw.endswith(b"\n"):
            if len(raw) <= longest:
                read = [*_parsed(raw, is_first=end == len(raw))]
                if read[-1][0] is not None:
                    yield from _ending(read, end - len(raw), end)
                return
            rest = _skipped(file)
            if rest is None:
                return
            end += rest
            yield Line(
                None,
                _("is longer than {longest} bytes and was skipped", longest=f"{longest:,}"),
                end,
            )
            continue
        yield from _ending(_parsed(raw, is_first=end == len(raw)), end - len(raw), end)


def records_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of lines. Raises OSError."""
    with open_regular(path) as file:
        for line in lines(file):
            if line.record is not None:
                yield line.record


def _ending(read: Iterable[Parsed], begin: int, end: int) -> Iterator[Line]:
    """Yield what a line holds; where that is several records, all are read when the last one is."""
    every = [*read]
    for place, pair in enumerate(every, 1):
        yield Line(*pair, end if place == len(every) else begin)


def _skipped(file: BinaryIO) -> int | None:
    """Return for how many bytes the line at hand goes on, its line break included; None if it has
    no end."""
    count = 0
    while piece := file.readline(PIECE):
        count += len(piece)
        if piece.endswith(b"\n"):
            return count
    return None


def _parsed(raw: bytes, *, is_first: bool) -> Iterator[Parsed]:
    """Yield a line's record, or why it has none; several where two processes wrote at once."""
    if is_first:
        raw = raw.removeprefix(BOM)
    text = raw.decode("utf-8", "replace").strip()
    if not text:
        yield None, None
        return
    # What is no finite number is no JSON either, and could not be kept as such.
    decoder = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)
    place = 0
    may_be_deep = raw.count(b"[") + raw.count(b"{") > DEEPEST
    while place < len(text):
        try:
            result, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            yield None, _("is not JSON")
            return
        place += len(text[place:]) - len(text[place:].lstrip())
        if not isinstance(result, dict):
            yield None, _("is not a JSON object")
            return
        yield ((None, _("is nested too deep")) if may_be_deep and _is_too_deep(result) else (result, None))


def _finite(digits: str) -> float | None:
    value = float(digits)
    return value if math.isfinite(value) else None


def _is_too_deep(document: object) -> bool:
    level = [document]
    for _depth in range(DEEPEST):
        inner = [list(item.values()) if isinstance(item, dict) else item for item in level]
        level = [entry for group in inner if isinstance(group, list) for entry in group]
        if not level:
            return False
    return True
