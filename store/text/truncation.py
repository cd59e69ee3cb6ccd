"""Truncate texts that are too long to be stored whole: the beginning, the end, and a mark of what
was cut.
"""

from __future__ import annotations

import re

LIMIT = 65_536
"""Characters: what is worth indexing of one field."""

_CUT = r"\n\[… [\d,]+ characters cut, sha256 [0-9a-f]{16} …\]\n"


def truncate(text: str, limit: int = LIMIT) -> str:
    """`text` as it is up to `limit` characters; of a longer one the first three quarters of them and
    the last quarter, and between these a line with the number of characters that were cut and the
    first 16 hex digits of the whole text's SHA-256. What was capped stays as it is.

    Apply it after cleaning, so that neither mark nor hash is made of a secret.
    """
    if len(text) <= limit or _is_truncated(text, limit):
        return text
    # A hook whose texts are short does not wait for it.
    from hashlib import sha256

    head, tail = _parts(limit)
    # A surrogate pair of a text that wasn't cleaned stays together.
    if "\ud800" <= text[head - 1 : head] < "\udc00":
        head -= 1
    if tail and "\udc00" <= text[-tail] < "\ue000":
        tail -= 1
    cut = len(text) - head - tail
    digest = sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
    end = text[-tail:] if tail else ""
    return f"{text[:head]}\n[… {cut:,} characters cut, sha256 {digest} …]\n{end}"


def _is_truncated(text: str, limit: int) -> bool:
    head, tail = _parts(limit)
    cut = re.compile(_CUT).search(text, max(0, head - 1), len(text))
    return bool(
        cut and head - 1 <= cut.start() <= head and tail - 1 <= len(text) - cut.end() <= tail
    )


def _parts(limit: int) -> tuple[int, int]:
    head = limit * 3 // 4
    return head, limit - head
