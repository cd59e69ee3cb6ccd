"""Objects, texts and JSON within a record: whatever is something else reads as nothing."""

from __future__ import annotations

import json
from typing import Any

Record = dict[str, Any]


def objects(value: object) -> list[Record]:
    """The objects in a list; none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """A text as it is; empty where it is none."""
    return value if isinstance(value, str) else ""


def texts(content: object, separator: str = "\n") -> str:
    """The text of a content: one text, or parts of which some have a `text`, thoughts left out."""
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, dict) else objects(content)
    found = (text(part.get("text")) for part in parts if not part.get("thought"))
    return separator.join(part for part in found if part)


def parsed(value: str) -> object:
    """What a text says as JSON; the text itself where it is none."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def load(content: bytes) -> object:
    """What a whole file says as JSON, bad UTF-8 as U+FFFD; ValueError where it is none."""
    try:
        return json.loads(content.decode("utf-8-sig", "replace"))
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
