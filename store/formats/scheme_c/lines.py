"""Parse the JSON lines of a directory: the objects in them, what is wrong with other lines, and
values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...platform.translation import N_, _
from ...records.dataclasses import dataclass
from ...text.redaction import scrub_json
from ...text.times import LATEST, moment
from ..common.values import scrub_payload
from .places import open_in

BOM = b"\xef\xbb\xbf"
LONGEST = 64 << 20
"""Bytes: nobody wrote a longer line."""

SHORT = 80
"""Characters of a text that may be a name, which comes again and again."""


@dataclass(frozen=True, slots=True)
class ObjectLine:
    """An object of a file, its line number (from 1), its bytes, and what was odd about these."""

    file: str
    number: int
    raw: bytes
    values: dict[str, Any]
    oddity: str | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that can't be read, and why; `is_blank` when there is nothing in it, and `skipped` is what it
    counts as."""

    file: str
    number: int
    raw: bytes
    reason: str
    is_blank: bool = False
    skipped: str = N_("not a JSON object")


def read_lines(path: Path, file: str) -> Iterator[ObjectLine | BadLine]:
    """Yield every line of a file by its name in a directory. Raises OSError."""
    with open_in(path, file) as stream:
        for number, raw in enumerate(iter(lambda: stream.readline(LONGEST), b""), start=1):
            yield read_line(raw, file, number)


def read_line(raw: bytes, file: str, number: int) -> ObjectLine | BadLine:
    """Parse one line, with or without its line break."""
    content = bare(raw)
    if not content:
        return BadLine(file, number, raw, "blank", is_blank=True)
    oddity = None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode(errors="replace")
        oddity = _("is not valid UTF-8; what can't be read of it became U+FFFD")
    try:
        result = json.loads(text)
    except (ValueError, RecursionError) as error:
        return BadLine(file, number, raw, _why(text, raw, error))
    if not isinstance(result, dict):
        return BadLine(file, number, raw, _("is JSON, but no object"))
    return ObjectLine(file, number, raw, result, oddity)


def bare(raw: bytes) -> bytes:
    """Return a line without the blanks, line break and byte order mark around it."""
    return raw.strip().removeprefix(BOM).strip()


def _why(text: str, raw: bytes, error: ValueError | RecursionError) -> str:
    if "\0" in text:
        return _("is not valid JSON: it holds zero bytes")
    if isinstance(error, RecursionError):
        return _("is not valid JSON: it is nested too deep")
    if isinstance(error, json.JSONDecodeError):
        if error.msg == "Extra data":
            return _("holds more than one JSON value")
        is_cut = error.pos >= len(text) or error.msg.startswith("Unterminated string")
        if is_cut or not raw.endswith(b"\n"):
            return _("is cut off: its JSON doesn't end")
        return _("is not valid JSON ({error} at character {place})", error=error.msg, place=error.pos + 1)
    return _("is not valid JSON ({error})", error=error)


def dumped(kept: dict[str, object]) -> str | None:
    """Return what is left of a line as its record holds it; None for nothing."""
    return json.dumps(kept, ensure_ascii=False, sort_keys=True) if kept else None


def scrub(text: str) -> str:
    """Return a text without what is private or secret; short ones are cached."""
    return _scrubbed_name(text) if len(text) < SHORT else scrub_payload(text)


@lru_cache(maxsize=10_000)
def _scrubbed_name(text: str) -> str:
    return scrub_payload(text)


def line_id(values: dict[str, Any]) -> str | None:
    """Return the id that a line has; None for none."""
    result = values.get("id")
    if isinstance(result, str):
        return scrub(result).strip() or None
    return str(result) if isinstance(result, int) and not isinstance(result, bool) else None


def time_of(found: object) -> int | None:
    """Return the time in a value, ms since the epoch, UTC; None for none."""
    if isinstance(found, str):
        return moment(None, found.strip())
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 < found < LATEST:
        return moment(int(found), None)
    return None


def listed(text: str) -> list[Any]:
    """Return the items of a list that was written as a text: as JSON, or with commas."""
    with suppress(ValueError, RecursionError):
        result = json.loads(text)
        if isinstance(result, list):
            return result
    return re.split(r"\s*[,，、]\s*", text)


def shown(value: object) -> str:
    """Return the first 40 characters of a value for a warning, scrubbed."""
    return scrub(json.dumps(scrub_json(value), ensure_ascii=False))[:40]


def finite(kept: dict[str, object]) -> dict[str, object]:
    """Return an object with NaN and infinities, which JSON doesn't have, as texts."""
    text = json.dumps(kept)
    if "NaN" not in text and "Infinity" not in text:
        return kept
    results: dict[str, object] = json.loads(text, parse_constant=str)
    return results
