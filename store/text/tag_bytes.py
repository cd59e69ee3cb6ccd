"""Whether bytes may hold the tag `private`: for the few that hold something like its beginning."""

from __future__ import annotations

NAME = b"private"
ROUNDS = 8
MANY = 2_000
LONGEST = 160
"""Bytes in which a name stands, blanks and all; where it ends later, it may be one."""

UNKNOWN = (
    b"\\u005c", b"\\u0025", b"\\u{5c", b"\\u{25", b"%5c",
    b"&#92", b"&#37", b"&#x5c", b"&#x25", b"&bsol", b"&percnt", b"&num",
)  # fmt: skip
"""Escapes of what itself begins an escape: anything may come of them."""

PLAIN = (
    (b"u{0", b"u{"), (b"%25", b"%"), (b"\\u0026", b"&"), (b"\\u{26}", b"&"), (b"%26", b"&"),
    (b"\xef\xbc\x86", b"&"), (b"\\uff06", b"&"), (b"&#0", b"&#"), (b"&#x0", b"&#x"), (b"amp;", b""),
    (b"&amp", b"&"), (b"&#38;", b"&"), (b"&#x26;", b"&"), (b"&#38", b"&"), (b"&#x26", b"&"),
    (b"\\u003c", b"<"), (b"\\u{3c}", b"<"), (b"\\x3c", b"<"), (b"\\074", b"<"), (b"%3c", b"<"),
    (b"&lt", b"<"), (b"&lang", b"<"), (b"&#60", b"<"), (b"&#x3c", b"<"),
)  # fmt: skip
"""Ways to write "&", "%" and "<", in an order in which most of them are plain at once."""

LIKE = "＜﹤‹⟨❮〈〈˂ᐸ"
"""What looks like a "<"."""

BLANK = b" \t\r\n\f\v/;"
WORD = b"abcdefghijklmnopqrstuvwxyz0123456789_"
JOINED = b"-.:,"
"""A name goes on after a letter, and after a sign between letters."""

ODD = (b"\xe3\x80\x80", b"\xe3\x85\xa4", *(b"\xed%c" % second for second in range(0xA0, 0xC0)))
"""A blank, a filler and halves of surrogate pairs, of the bytes that Chinese, Japanese and Korean
letters begin with."""

SMALL = (b"\x80", b"\x81", b"\x84", b"\x85", b"\x92", b"\x93", b"\xa0", b"")
"""After E2: what is invisible, and forms of Latin letters; the rest are signs."""

ENTITIES = (
    b"&#", b"&am", b"&nb", b"&zw", b"&ze", b"&shy", b"&en", b"&em", b"&th", b"&ha", b"&ta", b"&ne", b"&no",
    b"&so", b"&lo", b"&hy", b"&da",
)  # fmt: skip

ESCAPED_BLANK = b"nrtfv"
_OTHERS = frozenset(
    bytes([byte]) for byte in b"abcdefghijklmnoqrstuvwxyz0123456789!=<>?-_.:,()[]{}#*+$@|~^`"
)


def with_brackets(low: bytes) -> bytes | None:
    """Return bytes, which are in lower case, with each "<" plain; None where that can't be told."""
    for _ in range(ROUNDS):
        if any(unknown in low for unknown in UNKNOWN):
            return None
        before = low
        for written, meant in PLAIN:
            if written in low:
                low = low.replace(written, meant)
        for letter in LIKE:
            code, raw = ord(letter), letter.encode()
            for written in (
                raw,
                b"\\u%04x" % code,
                b"\\u{%x}" % code,
                b"&#%d" % code,
                b"&#x%x" % code,
                b"".join(b"%%%02x" % byte for byte in raw),
            ):
                if written in low:
                    low = low.replace(written, b"<")
        if low == before:
            return low
    return None


def opens_private(low: bytes) -> bool:
    """Return whether a "<" may begin the tag, opening or closing it."""
    at = low.find(b"<")
    for _ in range(MANY):
        if at < 0:
            return False
        # Hardly any tag of a page or a program is worth a closer look.
        if low[at + 1 : at + 2] not in _OTHERS and _may_be_name(low, at + 1):
            return True
        at = low.find(b"<", at + 1)
    return at >= 0


def _may_be_name(low: bytes, start: int) -> bool:
    known = 0
    at = start
    end = min(len(low), start + LONGEST)
    while at < end:
        byte = low[at]
        if known == len(NAME):
            return not (byte in WORD or (byte in JOINED and low[at + 1 : at + 2].isalnum()))
        if byte == NAME[known]:
            known += 1
            at += 1
        elif not known and byte in BLANK:
            at += 1
        elif byte == 0x5C:
            while low[at : at + 1] == b"\\":
                at += 1
            after = low[at : at + 1]
            if after and after in ESCAPED_BLANK:
                if known:
                    return True
                at += 1
            elif after and after in b"ux01234567":
                return _may_be_anything(low, at - 1)
        elif byte in b"\"'":
            # The next text of a document may go on with it.
            return NAME[known:] in low[at:end]
        else:
            return _may_be_anything(low, at)
    return end < len(low) or known == len(NAME)


def _may_be_anything(low: bytes, at: int) -> bool:
    """Return whether an escape, or a letter that is no ASCII, may stand for a letter of the name or
    for nothing; Chinese, Japanese and Korean ones don't."""
    byte = low[at]
    if byte == 0x5C:
        code = low[at + 2 : at + 6]
        is_distant = b"3001" <= code < b"a000" or b"ac00" <= code < b"d7a4"
        return not (low[at + 1 : at + 2] == b"u" and is_distant and code.isalnum())
    if byte == 0x26:
        return low.startswith(ENTITIES, at)
    if byte == 0x25:
        return not low[at + 1 : at + 3].translate(None, b"0123456789abcdef")
    if byte < 0x80:
        return byte < 0x20 or byte == 0x7F
    if byte == 0xE2:
        return low[at + 1 : at + 2] in SMALL
    return not 0xE3 <= byte < 0xEE or low.startswith(ODD, at)
