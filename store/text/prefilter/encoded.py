"""What a text holds in another encoding, for the prefilter to look into: escaped, in base64, in hex digits.

Read by the hook's process, which may import next to nothing: so nothing but the anchors is.
"""

from .anchors import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTES = (b'"', b"'")
_QUOTED = (b' "', b" '")
_BETWEEN_ITEMS = tuple(
    quote + blank + b"," for quote in _QUOTES for blank in (b"", b" ", b"  ", b"   ", b"\t", b"\\t")
)

MANY = 2_000
"""Where there are more escapes than this, all of the text is looked at."""

_ASCII_SIXTETS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"
"""What each fourth letter of a text in base64 is, if that is ASCII."""
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_NO_BASE64 = bytes(range(256)).translate(None, _BASE64)
_SIXTETS = bytes.maketrans(_BASE64 + _NO_BASE64, b"a" * 64 + b"aa" + b" " * len(_NO_BASE64))
_ENCODED = b"a" * 16
_NO_SIGNS = bytes.maketrans(b"+/-_", b"    ")
_DIGITS_AS_ONE = bytes.maketrans(b"123456789abcdefABCDEF", b"0" * 21)
AROUND = 4_096
"""Bytes before and after an escape in which a secret stands that it hides."""

BESIDE = 768
"""Bytes before and after a backslash that is escaped itself, as far."""

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


def hides_another(raw: bytes) -> "Iterator[bytes]":
    """The texts that this one is without its escapes: those of JSON, of HTML, of URLs."""
    near = raw if len(raw) < 8 * AROUND else _near_escapes(raw)
    if b"\\\\" in raw:
        # A document within a document, as it would stand by itself.
        flat = raw if len(raw) < 8 * AROUND else _near(raw, places(raw, b"\\\\", MANY), BESIDE)
        while b"\\\\" in flat:
            flat = flat.replace(b"\\\\", b"\\")
        yield flat
    if b"\\u" in near:
        if b"\\\\" in near:
            # As a document's own escapes tell it, with those that its texts have.
            exact = _with_unicode(near.replace(b"\\\\", b"\0")).replace(b"\0", b"\\\\")
            if exact != near:
                yield exact
        told = _with_unicode(near)
        if told != near:
            yield told
            near = told
    resolved = _resolved(near)
    if resolved != near:
        yield resolved


def decoded(low: bytes, raw: bytes) -> "Iterator[bytes]":
    """The texts that words are in base64 or in hex digits, together."""
    found = list(_decoded(low, raw))
    if found:
        yield b" \n ".join(found)
        if len(found) > 1:
            yield b"".join(found)


def separators(text: bytes, is_document: bool = False) -> list[tuple[int, int]]:
    """Where the quotes and the comma between two items of a list begin and end, in order.

    A value and the next key are no items of a list in a text that `is_document` of JSON itself.
    """
    found: list[tuple[int, int]] = []
    has_blanks = b" ," in text or b"\t," in text or b"\\t," in text
    for before in _BETWEEN_ITEMS if has_blanks else _BETWEEN_ITEMS[::6]:
        at = text.find(before)
        while at >= 0:
            end = at + len(before)
            after = text[end : end + 2]
            end += (
                1 if after[:1] in _QUOTES else 2 if after in _QUOTED else begin_of_item(text, end)
            )
            if text[end - 1 : end] in _QUOTES:
                start = at
                while text[start - 1 : start] == b"\\":
                    start -= 1
                if not (is_document and start == at and _is_key(text, end)):
                    found.append((start, end))
            at = text.find(before, at + 1)
    found.sort()
    return found


def _is_key(text: bytes, start: int) -> bool:
    """Whether a text of a document, which begins there, is the key of an object."""
    close = text.find(b'"', start)
    return text[close - 1 : close] != b"\\" and text[close + 1 : close + 3].lstrip()[:1] == b":"


def begin_of_item(text: bytes, at: int) -> int:
    """How many bytes after a comma an item begins, its quote included."""
    window = text[at : at + 160]
    place = 0
    while place < len(window):
        first = window[place : place + 1]
        place += 1
        if first in _QUOTES or first == b"`":
            return place
        if first == b"\\" and window[place : place + 1] in (b"n", b"r", b"t"):
            place += 1
        elif first not in (b" ", b"\t", b"\n", b"\r", b"\f", b"\v", b"\\"):
            break
    return 0


def with_items(text: bytes, found: list[tuple[int, int]], between: bytes) -> bytes:
    """A text in which something else stands between two items of a list."""
    if not found:
        return text
    parts: list[bytes] = []
    at = 0
    for start, end in found:
        if start >= at:
            parts.append(text[at:start])
            at = end
    parts.append(text[at:])
    return between.join(parts)


def _near_escapes(raw: bytes) -> bytes:
    """What stands near the escapes of a large text; all of it where there are many."""
    text = raw.translate(_DIGITS_AS_ONE)
    found = [
        at
        for escape in (b"%0", b"\\x", b"\\u", b"\\0", b"\\1", b"&#", *(one for one, _ in _ENTITIES))
        for at in places(text if escape == b"%0" else raw, escape, MANY)
    ]
    return _near(raw, sorted(found), AROUND)


def _near(raw: bytes, found: list[int], reach: int) -> bytes:
    """What stands near some places of a text, which are in order; all of it where there are many."""
    if len(found) > MANY:
        return raw
    spans: list[bytes] = []
    start = end = 0
    for at in found:
        if at - reach > end:
            spans.append(raw[start:end])
            start = at - reach
        end = at + reach
    return b" \n ".join((*spans, raw[start:end]))


def _resolved(text: bytes) -> bytes:
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


def _decoded(low: bytes, raw: bytes) -> "Iterator[bytes]":
    """What words are that are text in base64 or in hex digits."""
    if len(raw) != len(low):
        return
    letters = raw.translate(_SIXTETS)
    start = letters.find(_ENCODED)
    while start >= 0:
        end = letters.find(b" ", start)
        end = end if end >= 0 else len(raw)
        begins = (start, start + 1, start + 5) if raw[start - 1 : start] == b"\\" else (start,)
        for begin in begins:
            yield from _told(raw[begin:end])
        start = letters.find(_ENCODED, end)


def _told(word: bytes) -> "Iterator[bytes]":
    """The texts that a word, or the parts of it without signs, are."""
    is_hexadecimal = not word[::2].strip(b"0234567")
    if is_hexadecimal or word[:1] in (b"5", b"6") or not word[::4].strip(_ASCII_SIXTETS):
        told = _from_hexadecimal(word) or _from_base64(word)
        if told:
            yield told
            return
    pieces = word.translate(_NO_SIGNS).split()
    if len(pieces) > 1:
        for piece in pieces:
            if len(piece) > 15:
                yield from _told(piece)


def _from_hexadecimal(word: bytes) -> bytes:
    """The text that a word is in hex digits; empty if it is none."""
    if len(word) % 2 or word.translate(None, b"0123456789abcdefABCDEF"):
        return b""
    return bytes.fromhex(word.decode())


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
            if told.translate(None, _PRINTABLE):
                continue
            return told
        try:
            told.decode()
        except ValueError:
            continue
        return told
    return b""
