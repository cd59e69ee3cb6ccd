"""Keys of services and hashes of passwords, as the prefilter sees them: they are long words.

Read by the hook's process, which may import next to nothing: so nothing but the anchors is.
"""

from .anchors import (
    APART,
    BEFORE_DOLLAR,
    BESIDE,
    BRACED,
    DOLLARS,
    DOTTED,
    INSIDE,
    LEAST,
    STARTS,
    places,
)
from .encoded import with_items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MANY = 2_000
"""Where there are more long words than this, the answer is that one may be a key."""

LONG = 17
"""Bytes of the shortest word that counts as long."""

BEFORE = 128
"""Bytes before a long word that are looked at."""

BEFORE_JOINT, AFTER_JOINT = 96, 20
"""Bytes before and after a long word in which a key may be broken that it is a part of."""

LONGEST = 32_768
"""Bytes of long words: where there are more, the answer is that it may be so."""

_OTHERS = bytes(range(256)).translate(None, b"abcdefghijklmnopqrstuvwxyz0123456789_-")
_LETTERS = bytes.maketrans(
    b"bcdefghijklmnopqrstuvwxyz0123456789_-" + _OTHERS, b"a" * 37 + b" " * len(_OTHERS)
)
_JOINED_LETTERS = bytes(0x61 if mark in b"\1\2" else letter for mark, letter in enumerate(_LETTERS))
_LINE, _ITEM = b"\1", b"\2"
"""Marks of where a line ends, and where an item of a list does."""

_SIGNED = [one for one in INSIDE if one[-1] in "-_"]
_UNSIGNED = [one for one in INSIDE if one[-1] not in "-_"]
_ENDS = frozenset([one.replace("-", "_").split("_")[-2][-3:] for one in _SIGNED])
"""The last three letters, or fewer, that stand before the sign that a prefix ends with."""

_SHORT_ENDS = tuple(one for one in _ENDS if len(one) < 3)
_FIRST = frozenset([one[:2] for one in STARTS])
_STARTS = tuple(STARTS)
_DIGITS = (b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9")


def long_words(low: bytes) -> list[tuple[int, int]] | None:
    """Where words begin and end that are long enough for a key; None where there are too many."""
    letters = low.translate(_LETTERS)
    found: list[tuple[int, int]] = []
    start = letters.find(b"a" * LONG)
    while start >= 0:
        end = letters.find(b" ", start)
        if end < 0:
            end = len(low)
        found.append((start, end))
        if len(found) > MANY:
            return None
        start = letters.find(b"a" * LONG, end)
    return found


def has_key(low: bytes, found: list[tuple[int, int]], words: str | None) -> bool:
    """Whether a long word begins with, holds or follows what the keys of services begin with.

    `words` are those of the text; None where they are not known.
    """
    long: set[bytes] = set()
    last_end = -8
    for start, end in found:
        long.add(low[start:end])
        before = low[start - 1 : start]
        if before == b"\\":
            # After an escape, as in \n and \u4e2d, the word may really begin only here.
            long.add(low[start + 1 : end])
            long.add(low[start + 5 : end])
        elif before and before in b"./|:" and _is_joined(low, start, end, last_end):
            return True
        for begin in (start, start + 1, start + 5) if before == b"\\" else (start,):
            if end - begin in (32, 50) and _is_hexadecimal_key(low, begin, end):
                return True
        last_end = end
    joined = b" " + b" ".join(long)
    if len(joined) > LONGEST or _has_start(long) or _has_inside(joined):
        return True
    beside = [anchor for gate, anchor in BESIDE if words is None or gate in words]
    if beside:
        windows = b" ".join([low[max(0, start - BEFORE) : end] for start, end in found]).decode(
            "latin-1"
        )
        for anchor in beside:
            if anchor in windows:
                return True
    return False


def _has_start(words: "Iterable[bytes]") -> bool:
    """Whether a word begins as a key does, and is long enough for one."""
    for word in words:
        if word[:2] in _FIRST and word.startswith(_STARTS):
            for start, least in STARTS.items():
                if len(word) >= least and word.startswith(start) and _is_key(word, start):
                    return True
    return False


def _is_key(word: bytes, start: bytes) -> bool:
    """Whether a word goes on as a key does that begins so."""
    if start == b"sk":
        return _is_hexadecimal(word[2:34])
    if start == b"sk_":
        return _is_hexadecimal(word[3:43])
    if start == b"api-":
        return word[4:30].isalnum()
    return True


def _has_inside(told: bytes) -> bool:
    """Whether a prefix of a key is in these words."""
    joined = told.decode("latin-1")
    present = [one for one in _UNSIGNED if one in joined]
    ends = {piece[-3:] for piece in joined.replace("-", "_").split("_")}
    if not ends.isdisjoint(_ENDS) or any(one.endswith(_SHORT_ENDS) for one in ends):
        present += [one for one in _SIGNED if one in joined]
    return any(one not in LEAST or _goes_on(joined, one) for one in present)


def _goes_on(joined: str, prefix: str) -> bool:
    """Whether a word goes on after a prefix for as long as a key does."""
    if prefix == "-us":
        return any(part[:1].isdigit() for part in joined.split(prefix)[1:])
    return any(_is_long_enough(word, prefix) for word in joined.split(" ") if prefix in word)


def _is_long_enough(word: str, prefix: str) -> bool:
    at = word.find(prefix)
    while at >= 0:
        rest = word[at : at + LEAST[prefix]]
        if len(rest) == LEAST[prefix]:
            if prefix[:2] == "k_":
                if word[at - 1 : at] in ("s", "r") and rest[len(prefix) :].isalnum():
                    return True
            elif prefix not in APART or (
                not word[at - 1 : at].isalnum() and rest[len(prefix) :].isalnum()
            ):
                return True
        at = word.find(prefix, at + 1)
    return False


def _is_joined(low: bytes, start: int, end: int, last_end: int) -> bool:
    """Whether what stands before a long word's sign makes a key of both."""
    before, length = low[start - 1 : start], end - start
    if before in b"./":
        if start - last_end == 8 and low[last_end] == 0x2E and before == b".":
            # The three parts of a bot's token.
            return any(digit in low[start:end] for digit in _DIGITS)
        if length >= 64 and low[start - 18 : start - 15] == b"pat":
            return True
        head = low[max(0, start - 8) : start]
        for prefix, least in DOTTED.items():
            if length >= least and head.endswith(prefix):
                if prefix == b"s." and not (low[start : start + 24].isalnum() and length == 24):
                    continue
                ahead = low[: start - len(prefix)][-2:]
                if not ahead[-1:].isalnum() or ahead[:1] == b"\\":
                    return True
        return length > 39 and b"dp." in low[max(0, start - 48) : start]
    if before == b"|":
        return length == 27 and low[start - 2 : start - 1].isdigit()
    if before == b":":
        if low[start : start + 2] == b"aa" and length > 33 and low[start - 9 : start - 1].isdigit():
            # A bot's token.
            return True
        return b"/" in low[max(0, start - 40) : start] and _is_hexadecimal(low[start : start + 32])
    return False


def _is_hexadecimal(word: bytes) -> bool:
    return not word.translate(None, b"0123456789abcdef")


def _is_hexadecimal_key(low: bytes, start: int, end: int) -> bool:
    """Whether 32 hex digits are followed by what makes a key of them, in the word or after a dot."""
    word = low[start:end]
    if not _is_hexadecimal(word[:32]):
        return False
    if word[32:33] == b"-":
        return word[-9:-8] == b"-"
    follower = low[end : end + 18]
    return follower[:1] == b"." and follower[1:17].isalnum() and not follower[17:].isalnum()


def has_hash(low: bytes) -> bool:
    """Whether a hash of a password is there."""
    for at in places(low, b"$"):
        if low.startswith(DOLLARS, at):
            if _is_long(low, low.find(b"$", at + 1, at + 20) + 1 or at):
                return True
        elif any(one in low[max(0, at - 48) : at] for one in BEFORE_DOLLAR):
            return True
    for at in places(low, b"}"):
        before = low[max(0, at - 16) : at + 1]
        if (before.endswith(BRACED) or b"{pbkdf2" in before) and _is_long(low, at + 1):
            return True
    return (
        low.count(b":") > 2
        and b":::" in low
        and any(
            low[at - 1 : at].isalnum() and low[at - 33 : at - 32] == b":"
            for at in places(low, b":::")
        )
    )


def _is_long(low: bytes, at: int) -> bool:
    """Whether a word of sixteen bytes begins there; in doubt it does."""
    after = low[at : at + 14]
    return len(after) == 14 and not any(
        stop in after for stop in (b" ", b'"', b"'", b"(", b"\\", b"\n")
    )


def has_wrapped_key(low: bytes, between: list[tuple[int, int]]) -> bool:
    """Whether a key goes on in the next line, or in the next item of a list.

    `between` is where items of lists end and begin.
    """
    text = _with_line_marks(with_items(low, between, _ITEM))
    has_lines = _LINE in text
    if not (between or has_lines):
        return False
    letters = text.translate(_JOINED_LETTERS)
    listed: set[bytes] = set()
    broken: set[bytes] = set()
    start = letters.find(b"a" * LONG)
    while start >= 0:
        end = letters.find(b" ", start)
        end = end if end >= 0 else len(text)
        window = text[max(0, start - BEFORE_JOINT) : end + AFTER_JOINT]
        if between and _ITEM in window:
            listed.add(window)
        elif has_lines and _LINE in window:
            broken.add(window)
        start = letters.find(b"a" * LONG, end)
    if broken and _has_any(b" \n ".join(broken).replace(_LINE, b"")):
        return True
    joined = b" \n ".join(listed)
    return bool(joined) and any(
        _has_any(joined.replace(_ITEM, item).replace(_LINE, line))
        for item, line in ((b"", b""), (b" ", b""), (b"", b" "))
    )


def _with_line_marks(text: bytes) -> bytes:
    """A text with a mark where a word may go on in the next line, in place of the line's end."""
    for end in (b"\\n", b"\\r", b"\r"):
        if end in text:
            text = text.replace(end, b"\n" if end == b"\\n" else b"")
    if b"\n" not in text:
        return text
    for blanks in (b"\n        ", b"\n    ", b"\n ", b"\n\t", b"\n\\t"):
        while blanks in text:
            text = text.replace(blanks, b"\n")
    while b"\\\n" in text:
        text = text.replace(b"\\\n", b"\n")
    # No word goes on after an empty line.
    return text.replace(b"\n\n", b"\n \n").replace(b"\n", _LINE)


def _has_any(text: bytes) -> bool:
    found = long_words(text)
    return (
        found is None
        or has_hash(text)
        or (b"~" in text and has_wavy_key(text))
        or bool(found and has_key(text, found, None))
    )


def has_wavy_key(low: bytes) -> bool:
    """Whether what keys with a "~" in them have is there."""
    return b"q~" in low or b"sha256~" in low
