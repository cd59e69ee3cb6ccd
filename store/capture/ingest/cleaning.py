"""Clean an event before it is written: nothing private, no secret, nothing excluded, nothing endless.

The process that a hook leaves behind does so before anything is written, and who stores an event that
was cleaned by an older table, or by none.
"""

from __future__ import annotations

import json
import re

from ...text import clean
from ...text.images import without_image_texts, without_images
from ...text.private_tags import strip_document, without_promoted
from ...text.redaction import redact, scrub_json, strip_private, texts_in
from ...text.truncation import truncate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...records.events import Event


MAXIMUM_TEXT = 65_536
"""Characters that are kept of one text."""

MAXIMUM_EVENT = 1_048_576
"""Bytes that are kept of one event; where its fields are many, less is kept of each."""

LOOKED_AT = 1_048_576
"""Characters of one event in which secrets are looked for."""

MARGINS = {MAXIMUM_TEXT: 16_384, 8_192: 8_704, 512: 1_024}
"""By the characters kept of one text: those looked at beyond, so that no half of a secret stays."""

LONGEST_SECRET = 8_704
"""Characters of the longest secret with blanks in it, a cookie, and of what marks it."""

LONGEST_WORD = 8_192
"""Characters of the longest secret without."""

TEXTS = (
    "session", "key", "call", "subagent", "cwd", "text", "title", "old_title", "transcript", "parent",
    "model", "branch",
)  # fmt: skip
"""Fields of an event that are texts."""

OF_A_TOOL = ("name", "input", "response")
"""What is said of the use of a tool."""

BEGUN, WHOLE = ("{", "["), ("}", "]")
"""The first and the last character of a JSON document."""

ASCII_ESCAPE = r"\\u00([2-7][0-9a-fA-F])"
START_OF_KEY, END = "-----BEGIN ", "-----END "
END_OF_KEY = rf"{END}[A-Z0-9 ]{{3,60}}-----"


def clean_event(raw: bytes, folder: bytes, excluded: bytes) -> tuple[bytes, bytes] | None:
    """Clean an event and the hook's directory; each on one line, None for an excluded event.

    An event that is no JSON, too deep for it or of too many long texts becomes {"unreadable": its
    text, cleaned}; of one that breaks off, the last word is left out.
    """
    directory = clean_text(folder.decode("utf-8", "replace")).encode()
    # PowerShell pipes a byte order mark before the event, and UTF-16 where it is told to.
    text = raw.decode(json.detect_encoding(raw), "replace")
    try:
        event = without_images(json.loads(text))
        if excluded:
            # Only who excludes something waits for its import.
            from .exclusion import Exclusions

            if Exclusions.of(excluded).cover(event, folder.decode("utf-8", "replace")):
                return None
        limit = limit_for(event)
        if limit is not None:
            line = json.dumps(cleaned(event, limit), ensure_ascii=False)
            if len(line) <= MAXIMUM_EVENT:
                return line.encode("utf-8", "replace"), directory
        text = json.dumps(event, ensure_ascii=False)
    except (ValueError, RecursionError):
        text = re.sub(ASCII_ESCAPE, lambda escape: chr(int(escape[1], 16)), without_last_word(text))
    kept = json.dumps({"unreadable": clean_text(text)}, ensure_ascii=False)
    return kept.encode("utf-8", "replace"), directory


def clean_event_texts(event: Event) -> Event:
    """A copy of an event without what is private or secret, its texts truncated.

    All of it is one document: what a tool was given tells whether its answer is a secret.
    """
    # A hook's process has no use for it.
    from ...records.dataclasses import replace

    tool = event.tool
    used = {f"tool_{name}": getattr(tool, name) for name in OF_A_TOOL} if tool else {}
    kept = cleaned({**{name: getattr(event, name) for name in TEXTS}, **used, "extra": event.extra})
    if tool:
        kept["tool"] = replace(tool, **{name: kept.pop(f"tool_{name}") for name in OF_A_TOOL})
    return replace(event, **kept)


def limit_for(document: object) -> int | None:
    """How many characters of each text of a document can be kept; None where the texts are too many.

    It is decided before anything is cleaned: however large an event is, cleaning it takes no longer.
    """
    lengths = list(map(len, texts_in(document)))
    for limit, margin in MARGINS.items():
        seen = limit + 2 * margin
        if (
            sum(min(length, limit) for length in lengths) <= MAXIMUM_EVENT
            and sum(min(length, seen) for length in lengths) <= LOOKED_AT
        ):
            return limit
    return None


def cleaned(document: object, limit: int = MAXIMUM_TEXT) -> Any:
    """A copy of a JSON document with every text clean and of at most `limit` characters, keys included."""
    document = without_images(document)
    if any(len(text) > limit for text in texts_in(document)):
        # Before anything is cut: what one text opens another may close.
        document = strip_document(document)
    return scrub_json(with_limit(document, limit))


def with_limit(document: object, limit: int) -> object:
    """A copy of a document with each text of more than `limit` characters clean and truncated, and none
    that the memory itself has put into an agent's file."""
    if isinstance(document, str):
        document = without_promoted(document)
        return clean_text(document, limit) if len(document) > limit else document
    if isinstance(document, dict):
        return {with_limit(key, limit): with_limit(value, limit) for key, value in document.items()}
    if isinstance(document, list):
        return [with_limit(item, limit) for item in document]
    return document


def without_last_word(document: str) -> str:
    """A document that breaks off without its last word, which may be half a secret and look like none;
    a whole one, or what is no document, as it is."""
    if document.endswith(WHOLE) or not document.startswith(BEGUN):
        return document
    *_, last = document[-LONGEST_WORD:].rsplit(None, 1) or [""]
    return document[: len(document) - len(last)]


def clean_text(text: str, limit: int = MAXIMUM_TEXT) -> str:
    """A text without what is private or secret; of a long one its head and tail are kept.

    Tags are looked for in all of it. Secrets are looked for in what is kept and a margin beyond,
    in time that does not grow with the rest.
    """
    text = strip_private(clean(without_image_texts(text)))[0]
    margin = MARGINS[limit]
    if len(text) <= limit + 2 * margin:
        return truncate(redact(text), limit)
    head = limit * 3 // 4
    tail = limit - head
    cut = truncate(text, limit)[head:-tail]
    return redact(text[: head + margin])[:-margin] + cut + clean_tail(text, tail, margin)


def clean_tail(text: str, length: int, margin: int) -> str:
    """What may be kept of the end of a text that begins long before; nothing where in doubt."""
    if margin < LONGEST_SECRET:
        return ""
    start = len(text) - length - margin
    window = text[start:]
    end = re.search(END_OF_KEY, window)
    # What begins in what is cut has lost what marks it: a key, or a secret of one word.
    if end and START_OF_KEY not in window[: end.start()]:
        lost = end.end()
    elif text.rfind(START_OF_KEY, 0, start + len(START_OF_KEY)) > text.rfind(END, 0, start):
        return ""
    else:
        lost = 0 if window[0].isspace() else len(window[:LONGEST_WORD].split(None, 1)[0])
    return (" " * lost + redact(window[lost:]))[margin:]
