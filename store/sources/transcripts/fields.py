"""What a record of a transcript says under a name, or nothing where it is not what it should be."""

from __future__ import annotations

from typing import Any

from ..moments import moment

MOST = 2**53


def mapping(value: object) -> dict[str, Any]:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """A list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def string(value: object) -> str | None:
    """A text that says something; None for anything else."""
    return value if isinstance(value, str) and value.strip() else None


def number(value: object) -> int:
    """A count; 0 for anything that is none."""
    counts = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < MOST
    return int(value) if counts and isinstance(value, int | float) else 0


def moment_of(value: object) -> int | None:
    """A time in ms since the epoch, UTC, of ISO 8601 or a number of seconds or ms; None if it is none."""
    if isinstance(value, str):
        return moment(None, value)
    return moment(found, None) if (found := number(value)) else None


def text_of(content: object) -> str:
    """The text of a message's content: a text itself, or a list of blocks of which some are texts."""
    if isinstance(content, str):
        return content.strip()
    blocks = (mapping(block) for block in items(content))
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    return "\n".join(text.strip() for text in texts if isinstance(text, str)).strip()
