"""Whether bytes may hold the tag `private`: for the few that hold something like its beginning."""

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

_BEGIN_ESCAPES = b"%&\\\"'<"
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
                code, length = _escaped(low, at)
                if code is None:
                    return length == 0 and _may_be_anything(low, at - 1)
                if code in _BEGIN_ESCAPES:
                    return True
                if not _goes_on(code, known):
                    return False
                known += code | 0x20 == NAME[known]
                at += length
        elif byte in b"\"'":
            # The next text of a document may go on with it.
            return NAME[known:] in low[at:end]
        elif byte == 0x25 and low[at + 1 : at + 2] in (b"2", b"3", b"4", b"5", b"6", b"7"):
            code, length = _number(low[at + 1 : at + 3], 16)
            if code is None or code in _BEGIN_ESCAPES:
                return code is not None
            if not _goes_on(code, known):
                return False
            known += code | 0x20 == NAME[known]
            at += 1 + length
        else:
            return _may_be_anything(low, at)
    return end < len(low) or known == len(NAME)


def _escaped(low: bytes, at: int) -> tuple[int | None, int]:
    """Return the ASCII character that an escape stands for, after its backslash, and how many bytes that
    takes; None and nothing where it is another, or one byte where it is none."""
    if low[at : at + 1] == b"x":
        if low[at + 1 : at + 3].translate(None, b"0123456789abcdef"):
            return None, 1
        code, length = _number(low[at + 1 : at + 3], 16)
        return (code, length + 1) if length else (None, 0)
    if low[at : at + 3] == b"u00":
        code, length = _number(low[at + 3 : at + 5], 16)
        return (code, length + 3) if length else (None, 0)
    if low[at : at + 1] in (b"u", b"0"):
        return None, 0
    return _number(low[at : at + 3], 8) if low[at : at + 3].isdigit() else (None, 1)


def _number(digits: bytes, base: int) -> tuple[int | None, int]:
    try:
        code = int(digits, base)
    except ValueError:
        return None, 0
    return (code, len(digits)) if 0x20 <= code < 0x7F and digits.isalnum() else (None, 0)


def _goes_on(code: int, known: int) -> bool:
    """Return whether a name that is known so far may go on with an ASCII character: with its next letter,
    or before it a blank."""
    return code | 0x20 == NAME[known] or (not known and code in BLANK)


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
