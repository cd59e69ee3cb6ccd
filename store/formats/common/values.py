"""Values of other programs' rows: list columns in any shape, and texts that may be JSON, scrubbed."""

from __future__ import annotations

import json
import re
from typing import Any

from ...platform.translation import _
from ...text.redaction import is_plain, scrub, scrub_json

PLAIN = re.compile(r'\["[^"\\\x00-\x1f]+"(?:, ?"[^"\\\x00-\x1f]+")*\]')
"""An array of texts without escapes: most lists, recognized without being parsed."""

LONGEST_UNPARSED = 20_000

KEYWORD = re.compile(r"([\w-]{1,40})(?:: +|：\s*)\S")


_NAMES = {
    dict: _("an object"),
    str: _("a text"),
    int: _("a number"),
    float: _("a number"),
    bool: _("a truth value"),
    type(None): "null",
}


def read_items(text: str | None) -> tuple[list[str], str | None]:
    """Return the items of a list column, and what is odd about it (None for nothing).

    Nothing findable is lost: text that is no JSON is one item, and so is an object.
    """
    if text is None:
        return [], None
    try:
        value = json.loads(text)
        if not isinstance(value, list):
            alone = value if isinstance(value, str) else _plain(value)
            return [alone] if alone else [], _("{kind}, not a list", kind=_NAMES[type(value)])
        items = [item if isinstance(item, str) else _plain(item) for item in value]
    except (ValueError, RecursionError):
        return [text] if text else [], _("not valid JSON") if text else _("an empty text, not a list")
    odd = None if all(isinstance(item, str) for item in value) else _("a list with non-text items")
    return [item for item in items if item is not None], odd


def as_stored(text: str) -> str | None:
    """Return a plain list as our column holds it, unparsed; None for any other, which has to be read."""
    if text == "[]":
        return text
    if len(text) < LONGEST_UNPARSED and PLAIN.fullmatch(text):
        return text.replace('","', '", "')
    return None


def with_keywords(concepts: list[str]) -> list[str]:
    """Return concepts with the keyword of each `keyword: description` before it, as a concept of
    its own."""
    results: dict[str, None] = {}
    for concept in concepts:
        if described := KEYWORD.match(concept):
            results[described[1]] = None
        results[concept] = None
    return list(results)


def _plain(value: object) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def may_need_scrub(text: str) -> bool:
    """Return whether a text may hold anything private or secret; False is certain."""
    return "\\u" in text or not is_plain(text)


def scrub_payload(text: str) -> str:
    """Return `text` scrubbed. JSON stays JSON, and escapes in it hide nothing private or secret."""
    if not may_need_scrub(text):
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
    """Return a JSON object scrubbed, also where a private passage spans several of its texts."""
    try:
        text = json.dumps(values, ensure_ascii=False)
        result = json.loads(scrub_payload(text)) if may_need_scrub(text) else values
    except (ValueError, RecursionError):
        result = scrub_json(values)
    return result if isinstance(result, dict) else {}
