"""Values of scheme C's JSON as ours: texts scrubbed, times and ids in whatever form they are."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import lru_cache
from typing import Any

from ...privacy import scrub_json
from ..moments import LATEST, moment
from ..payloads import scrub_payload

SHORT = 80
"""Characters of a text that may be a name, which comes again and again."""


def dumped(kept: dict[str, object]) -> str | None:
    """What is left of a line as its record holds it; None for nothing."""
    return json.dumps(kept, ensure_ascii=False, sort_keys=True) if kept else None


def scrub(text: str) -> str:
    """What may be stored of a text."""
    return _scrubbed_name(text) if len(text) < SHORT else scrub_payload(text)


@lru_cache(maxsize=10_000)
def _scrubbed_name(text: str) -> str:
    return scrub_payload(text)


def line_id(values: dict[str, Any]) -> str | None:
    """The id that a line has."""
    found = values.get("id")
    if isinstance(found, str):
        return scrub(found).strip() or None
    return str(found) if isinstance(found, int) and not isinstance(found, bool) else None


def time_of(found: object) -> int | None:
    """The time that a value tells, ms since the epoch, UTC; None for none."""
    if isinstance(found, str):
        return moment(None, found.strip())
    if isinstance(found, int | float) and not isinstance(found, bool) and 0 < found < LATEST:
        return moment(int(found), None)
    return None


def listed(text: str) -> list[Any]:
    """The items of a list that was written as a text: as JSON, or with commas."""
    with suppress(ValueError, RecursionError):
        found = json.loads(text)
        if isinstance(found, list):
            return found
    return re.split(r"\s*[,，、]\s*", text)


def shown(value: object) -> str:
    """The beginning of a value as a warning tells it: what is hidden is hidden there, too."""
    return scrub(json.dumps(scrub_json(value), ensure_ascii=False))[:40]


def finite(kept: dict[str, object]) -> dict[str, object]:
    """What JSON has no word for as text."""
    text = json.dumps(kept)
    if "NaN" not in text and "Infinity" not in text:
        return kept
    found: dict[str, object] = json.loads(text, parse_constant=str)
    return found
