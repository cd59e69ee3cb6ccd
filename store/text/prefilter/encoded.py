"""What a text holds in another encoding, for the prefilter to look into: escaped, in base64, in hex digits.

Read by the hook's process, which may import next to nothing: so nothing but the anchors is.
"""

from .anchors import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MANY = 2_000
"""Where there are more escapes than this, all of the text is looked at."""

_ASCII_SIXTETS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"
"""What each fourth letter of a text in base64 is, if that is ASCII."""
_DIGITS_AS_ONE = bytes.maketrans(b"123456789abcdefABCDEF", b"0" * 21)
AROUND = 4_096
"""Bytes before and after an escape in which a secret stands that it hides."""

_PRINTABLE = bytes(range(32, 127)) + b"\t\r\n"
_ENTITIES = (
    (b"&quot;", b'"'),
    (b"&apos;", b"'"),
    (b"&amp;", b"&"),
    (b"&equals;", b"="),
    (b"&colon;", b":"),
    (b"&lt;", b"<"),
    (b"&gt;", b">"),
)


def hides_another(low: bytes, raw: bytes, words: list[tuple[int, int]]) -> "Iterator[bytes]":
    """The texts that this one holds in another encoding: escaped, in base64, in hex digits."""
    near = raw if len(raw) < 8 * AROUND else _near_escapes(raw)
    resolved = _resolved(near)
    if resolved != near:
        yield resolved
    told = list(_decoded(low, raw, words))
    if told:
        yield b" \n ".join(told)
        if len(told) > 1:
            yield b"".join(told)


def _near_escapes(raw: bytes) -> bytes:
    """What stands near the escapes of a large text; all of it where there are many."""
    text = raw.translate(_DIGITS_AS_ONE)
    found = [
        at
        for escape in (b"%0", b"\\x", b"\\u", b"\\0", b"\\1", b"&#", *(one for one, _ in _ENTITIES))
        for at in places(text if escape == b"%0" else raw, escape, MANY)
    ]
    if len(found) > MANY:
        return raw
    spans: list[bytes] = []
    start = end = 0
    for at in sorted(found):
        if at - AROUND > end:
            spans.append(raw[start:end])
            start = at - AROUND
        end = at + AROUND
    return b" \n ".join((*spans, raw[start:end]))


def _resolved(text: bytes) -> bytes:
    if b"\\u" in text:
        text = _with_unicode(text)
    if b"&" in text and b";" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
        for marker, base in ((b"&#x", 16), (b"&#", 10)):
            if marker in text:
                text = _with_characters(text, marker, base)
    if b"%" in text:
        text = _with_characters(text, b"%", 16)
    if b"\\x" in text:
        text = _with_characters(text, b"\\x", 16)
    for marker in (b"\\1", b"\\0"):
        if marker in text:
            text = _with_characters(text, marker, 8)
    return text


def _with_unicode(text: bytes) -> bytes:
    """A text with the characters that JSON has escaped by their numbers, however often."""
    while b"\\\\u" in text:
        text = text.replace(b"\\\\u", b"\\u")
    # Other backslashes would make the number of those before a "u" an even one.
    told = text.replace(b"\\", b"\\\\").replace(b"\\\\u", b"\\u")
    letters = told.decode("utf-8", "replace").encode("raw_unicode_escape")
    known = letters.decode("raw_unicode_escape", "replace").replace("\\\\", "\\")
    return known.encode("utf-8", "replace")


def _with_characters(text: bytes, marker: bytes, base: int) -> bytes:
    """A text with what follows each marker as the character whose code it is, if that is ASCII."""
    first, *rest = text.split(marker)
    parts = [first]
    for piece in rest:
        digits, after = piece[:2], piece[2:]
        if base == 10 or marker == b"&#x":
            digits, semicolon, after = piece[:6].partition(b";")
            after = piece[len(digits) + len(semicolon) :]
        elif base == 8:
            digits = marker[1:] + digits
        # What is no number, as in `%s`, is far more common, and an exception takes longer.
        is_number = digits and not digits.translate(None, b"0123456789abcdefABCDEF")
        try:
            code = int(digits, base) if is_number else 0
        except ValueError:
            code = 0
        if (
            32 <= code < 127
            or code in (9, 10, 13)
            or (127 < code < 256 and base == 16 and marker != b"&#x")
        ):
            if marker[:1] == b"\\":
                parts[-1] = parts[-1].rstrip(b"\\")
            parts.append(bytes((code,)) + after)
        else:
            parts.append(marker + piece)
    return b"".join(parts)


def _decoded(low: bytes, raw: bytes, words: list[tuple[int, int]]) -> "Iterator[bytes]":
    """What the long words are that are text in base64 or in hex digits."""
    if len(raw) != len(low):
        return
    for first, end in words:
        for start in (first, first + 1, first + 5) if low[first - 1 : first] == b"\\" else (first,):
            if not low[start:end:2].strip(b"0234567") and (end - start) % 2 == 0:
                try:
                    yield bytes.fromhex(low[start:end].decode())
                except ValueError:
                    pass
                else:
                    continue
            word = raw[start:end]
            is_chinese = word[:1] in (b"5", b"6") and not word.islower()
            if is_chinese or not word[::4].strip(_ASCII_SIXTETS):
                told = _from_base64(word)
                if told:
                    yield told


def _from_base64(word: bytes) -> bytes:
    """The text that a word is in base64; empty if it is none."""
    # Imported by no event but those with such a word.
    from binascii import Error, a2b_base64

    bare = word.replace(b"-", b"+").replace(b"_", b"/")
    for given in (bare + b"=" * (-len(bare) % 4), bare[: len(bare) // 4 * 4]):
        try:
            told = a2b_base64(given)
        except Error:
            continue
        if told.isascii():
            return b"" if told.translate(None, _PRINTABLE) else told
        try:
            told.decode()
        except ValueError:
            continue
        return told
    return b""
