"""JSON lines that other programs wrote: the objects in them, and what is wrong with each other line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BOM = b"\xef\xbb\xbf"
LONGEST = 64 << 20
"""Bytes: what is longer is no line that anybody wrote."""


@dataclass(frozen=True, slots=True)
class Line:
    """An object of a file, which line it is (from 1), its bytes, and what was odd about these."""

    file: str
    number: int
    raw: bytes
    values: dict[str, Any]
    oddity: str | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that holds no object, and why; `is_blank` when there is nothing in it."""

    file: str
    number: int
    raw: bytes
    reason: str
    is_blank: bool = False


def read_lines(path: Path, file: str) -> Iterator[Line | BadLine]:
    """Every line of a file, which goes by the name `file`. OSError where it can't be read."""
    with path.open("rb") as stream:
        for number, raw in enumerate(iter(lambda: stream.readline(LONGEST), b""), start=1):
            yield read_line(raw, file, number)


def read_line(raw: bytes, file: str, number: int) -> Line | BadLine:
    """One line, with or without its line break."""
    content = bare(raw)
    if not content:
        return BadLine(file, number, raw, "blank", is_blank=True)
    oddity = None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode(errors="replace")
        oddity = "is no valid UTF-8; what can't be read of it became U+FFFD"
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        return BadLine(file, number, raw, _why(text, raw, error))
    if not isinstance(found, dict):
        return BadLine(file, number, raw, "is JSON, but no object")
    return Line(file, number, raw, found, oddity)


def bare(raw: bytes) -> bytes:
    """A line without what stands around it: blanks, its line break, a byte order mark."""
    return raw.strip().removeprefix(BOM).strip()


def _why(text: str, raw: bytes, error: ValueError | RecursionError) -> str:
    if "\0" in text:
        return "is no JSON: it holds zero bytes"
    if isinstance(error, RecursionError):
        return "is no JSON that can be read: it is nested too deep"
    if isinstance(error, json.JSONDecodeError):
        if error.msg == "Extra data":
            return "holds more than one JSON value"
        is_cut = error.pos >= len(text) or error.msg.startswith("Unterminated string")
        if is_cut or not raw.endswith(b"\n"):
            return "is cut off: its JSON doesn't end"
        return f"is no JSON ({error.msg} at character {error.pos + 1})"
    return f"is no JSON ({error})"
