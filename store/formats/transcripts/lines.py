"""Read the lines of a growing file of JSON lines, from where they were read last."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

LONGEST = 32 * 1024 * 1024
"""Bytes of the longest line that is read; longer ones are skipped."""

DEEPEST = 200
"""How deep a record may be nested; whoever writes JSON again has to go as deep."""

BOM = b"\xef\xbb\xbf"
PIECE = 1024 * 1024


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
                last = _parsed(raw, is_first=end == len(raw))
                if last[0] is not None:
                    yield Line(*last, end)
                return
            rest = _skipped(file)
            if rest is None:
                return
            end += rest
            yield Line(None, f"is longer than {longest:,} bytes and was skipped", end)
            continue
        yield Line(*_parsed(raw, is_first=end == len(raw)), end)


def _skipped(file: BinaryIO) -> int | None:
    """Return for how many bytes the line at hand goes on, its line break included; None if it has
    no end."""
    count = 0
    while piece := file.readline(PIECE):
        count += len(piece)
        if piece.endswith(b"\n"):
            return count
    return None


def _parsed(raw: bytes, *, is_first: bool) -> tuple[dict[str, Any] | None, str | None]:
    """Return a line's record, or why it has none."""
    if is_first:
        raw = raw.removeprefix(BOM)
    text = raw.decode("utf-8", "replace").strip()
    if not text:
        return None, None
    try:
        # What is no finite number is no JSON either, and could not be kept as such.
        found = json.loads(text, parse_constant=lambda _: None, parse_float=_finite)
    except (ValueError, RecursionError):
        return None, "is not JSON"
    if not isinstance(found, dict):
        return None, "is not a JSON object"
    if raw.count(b"[") + raw.count(b"{") > DEEPEST and _is_too_deep(found):
        return None, "is nested too deep"
    return found, None


def _finite(digits: str) -> float | None:
    value = float(digits)
    return value if math.isfinite(value) else None


def _is_too_deep(document: object) -> bool:
    level = [document]
    for _ in range(DEEPEST):
        inner = [list(item.values()) if isinstance(item, dict) else item for item in level]
        level = [one for group in inner if isinstance(group, list) for one in group]
        if not level:
            return False
    return True
