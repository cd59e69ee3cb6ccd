"""Values of a record of the expected type, or an empty one where they have another."""

from __future__ import annotations

import json
from typing import Any

from ...platform.translation import _
from ...text.times import moment

MOST = 2**53

Record = dict[str, Any]


def mapping(value: object) -> dict[str, Any]:
    """Return an object; {} for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return a list; [] for anything else."""
    return value if isinstance(value, list) else []


def string(value: object) -> str | None:
    """Return a text that isn't blank; None for anything else."""
    return value if isinstance(value, str) and value.strip() else None


def number(value: object) -> int:
    """Return a count; 0 for anything that is none."""
    counts = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST
    return int(value) if counts and isinstance(value, int | float) else 0


def moment_of(value: object) -> int | None:
    """Return a time in ms since the epoch, UTC, of ISO 8601 or a number of seconds or ms; None if
    it is none."""
    if isinstance(value, str):
        return moment(None, value)
    return moment(result, None) if (result := number(value)) else None


def text_of(content: object) -> str:
    """Return the text of a message's content: a text itself, or a list of blocks of which some are
    texts."""
    if isinstance(content, str):
        return content.strip()
    blocks = (mapping(block) for block in items(content))
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "\n".join(text.strip() for text in texts if isinstance(text, str)).strip()


def objects(value: object) -> list[Record]:
    """Return the objects in a list; [] where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """Return a text as it is; "" where it is none."""
    return value if isinstance(value, str) else ""


def texts(content: object, separator: str = "\n") -> str:
    """Return the text of a content: one text, or parts of which some have a `text`, thoughts left
    out."""
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, dict) else objects(content)
    results = (text(part.get("text")) for part in parts if not part.get("thought"))
    return separator.join(part for part in results if part)


def parsed(value: str) -> object:
    """Return what a text is as JSON; the text itself where it is none."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def load(content: bytes) -> object:
    """Return what a whole file is as JSON, bad UTF-8 as U+FFFD. Raises ValueError where it is none."""
    try:
        return json.loads(content.decode("utf-8-sig", "replace"))
    except RecursionError as error:
        raise ValueError(_("it is nested too deep")) from error
