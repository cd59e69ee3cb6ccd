"""What a hook may write of an event: nothing private, no secret, nothing excluded, nothing endless.

Only events that may hold any of these come here: importing this takes longer than a plain hook.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..anchors import may_hold
from ..capping import capped
from ..privacy import clean, scrub_json, strip_private
from ..redaction import redact
from .exclusion import Exclusions

FIELD = 65_536
"""Characters that are kept of one text."""

MARGIN = 16_384
"""Characters looked at beyond what is kept, so that no half of a secret stays at a cut."""

EVENT = 1_048_576
"""Bytes that are kept of one event; where its fields are many, less is kept of each."""

FIELDS_OF_MANY = (FIELD, 8_192, 512)
UNSTORABLE = re.compile(r"\\u0000|[\ud800-\udfff]")
ASCII_ESCAPE = re.compile(r"\\u00([2-7][0-9a-fA-F])")
ESCAPED_TAG = re.compile(
    r"\\u003c(\s{0,8}/?\s{0,8}[\w-]{0,16}(?:private|context|reminder)[^<>\\]{0,256})(?:\\u003e|>)",
    re.IGNORECASE,
)
END_OF_KEY = re.compile(r"-----END [A-Z0-9 ]{3,60}-----")


def clean_event(raw: bytes, folder: bytes, excluded: bytes) -> tuple[bytes, bytes] | None:
    """An event and its directory as they may be written, on one line; None where it is excluded.

    An event that is no JSON, or too deep for it, becomes {"unreadable": its text, cleaned}.
    """
    place = clean_text(folder.decode("utf-8", "replace")).encode()
    text = raw.decode("utf-8", "replace")
    try:
        found = json.loads(text)
        if excluded and Exclusions.of(excluded).cover(found, folder.decode("utf-8", "replace")):
            return None
        for limit in FIELDS_OF_MANY:
            line = json.dumps(cleaned(found, limit), ensure_ascii=False)
            if len(line) <= EVENT:
                return line.encode("utf-8", "replace"), place
        text = line
    except (ValueError, RecursionError):
        text = ASCII_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    kept = json.dumps({"unreadable": clean_text(text)}, ensure_ascii=False)
    return kept.encode("utf-8", "replace"), place


def cleaned(document: object, limit: int = FIELD) -> Any:
    """A copy of a JSON document with every text in it clean and short enough, its keys too."""
    short = shortened(document, limit)
    # One look at all of it costs less than one at each of its texts.
    text = json.dumps(short, ensure_ascii=False)
    if not UNSTORABLE.search(text) and not may_hold(text.encode()):
        return short
    return scrub_json(short)


def shortened(document: object, limit: int) -> object:
    """A copy of a document with each text cut; what is private is taken out of it before."""
    if isinstance(document, str):
        text = with_plain_tags(document)
        return clean_text(text, limit) if len(text) > limit else text
    if isinstance(document, dict):
        return {shortened(key, limit): shortened(value, limit) for key, value in document.items()}
    if isinstance(document, list):
        return [shortened(item, limit) for item in document]
    return document


def clean_text(text: str, limit: int = FIELD) -> str:
    """A text without what is private or secret, its head and tail kept where it is long.

    Tags are looked for in all of it. Secrets are looked for in what is kept and a margin beyond,
    in time that does not grow with the rest.
    """
    text = strip_private(clean(with_plain_tags(text)))[0]
    if len(text) <= limit + 2 * MARGIN:
        return capped(redact(text), limit)
    head = limit * 3 // 4
    tail = limit - head
    whole = capped(text, limit)
    kept_head = redact(text[: head + MARGIN])[:-MARGIN]
    kept_tail = redact(text[-tail - MARGIN :])
    lost = END_OF_KEY.search(kept_tail)
    if lost and "-----BEGIN" not in kept_tail[: lost.start()]:
        # A key that begins in what is cut has lost what tells it.
        kept_tail = " " * MARGIN + kept_tail[lost.end() :]
    return kept_head + whole[head:-tail] + kept_tail[MARGIN:]


def with_plain_tags(text: str) -> str:
    """A text whose private tags are plain where JSON inside it, as Go writes it, has escaped them."""
    return ESCAPED_TAG.sub(r"<\1>", text) if "\\u003" in text else text
