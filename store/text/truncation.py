"""Cut texts: what is too long to be stored whole, to its beginning, its end, and a mark of what was cut;
and what is told in a line, at a word.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    from collections.abc import Callable

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
    sha256 = _sha256()
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


def shortened(text: str, size: int) -> str:
    """Return a text of at most `size` characters, cut at a word where that costs little, with an ellipsis
    where it is cut."""
    if len(text) <= size:
        return text
    cut = text[: size - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > size * 3 // 4 else cut).rstrip(" ,;:，；：") + "…"


def _sha256() -> Callable[[bytes], hashlib._Hash]:
    """The hash's own module, without OpenSSL, for which a hook would wait longer than for all hashing."""
    try:
        from _sha256 import sha256  # type: ignore[import-not-found]
    except ImportError:
        try:
            from _sha2 import sha256  # type: ignore[import-not-found]
        except ImportError:
            from hashlib import sha256
    return sha256  # type: ignore[no-any-return]


def _is_truncated(text: str, limit: int) -> bool:
    import re  # A session's start, which shortens lines only, needs no patterns.

    head, tail = _parts(limit)
    cut = re.compile(_CUT).search(text, max(0, head - 1), len(text))
    return bool(cut and head - 1 <= cut.start() <= head and tail - 1 <= len(text) - cut.end() <= tail)


def _parts(limit: int) -> tuple[int, int]:
    head = limit * 3 // 4
    return head, limit - head
