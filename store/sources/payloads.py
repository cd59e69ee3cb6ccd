"""Foreign texts that may be JSON: what may be stored of them, still JSON where they were."""

from __future__ import annotations

import json
from typing import Any

from .. import anchors
from ..privacy import scrub, scrub_json


def may_hold(text: str) -> bool:
    """Whether anything of a text may have to be scrubbed."""
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        return True
    return b"\0" in raw or b"\\u" in raw or anchors.may_hold(raw)


def scrub_payload(text: str) -> str:
    """`text` scrubbed. Where it is JSON it stays JSON, and escapes hide nothing private or secret."""
    if not may_hold(text):
        return text
    stripped = scrub(text)
    for candidate in (stripped, text):
        try:
            value = json.loads(candidate)
            scrubbed = scrub_json(value)
            return candidate if scrubbed == value else json.dumps(scrubbed, ensure_ascii=False)
        except (ValueError, RecursionError):
            continue
    return stripped


def scrub_object(values: dict[str, Any]) -> dict[str, Any]:
    """A JSON object without what is hidden in it, also where a passage goes on in its next text."""
    try:
        text = json.dumps(values, ensure_ascii=False)
        found = json.loads(scrub_payload(text)) if may_hold(text) else values
    except (ValueError, RecursionError):
        found = scrub_json(values)
    return found if isinstance(found, dict) else {}
