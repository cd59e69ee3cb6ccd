"""What is set to a secret's name, as the prefilter sees it: a value, or code that holds none.

Read by the hook's process, which may import next to nothing, and only for texts with such a name.
"""

from ..secret_values import looks_like_secret
from .anchors import KEYS, SERVICES

_VALUE_ENDS, _VARIABLE_ENDS, _SETTING_ENDS, _WORD_ENDS = (
    bytes.maketrans(ends, b" " * len(ends))
    for ends in (
        b" \t\r\n\f\v\"'`\\,;&|<>(){}[]", b" \t\r\n\f\v\"'`\\;", b" \t\r\n\f\v\"'\\;",
        b" \t\r\n\f\v\"\\",
    )
)  # fmt: skip
_TOKEN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.~+/=-"
_TOKEN_ENDS = bytes.maketrans(bytes(range(256)).translate(None, _TOKEN), b" " * (256 - len(_TOKEN)))
"""What ends a value, one of a variable, a word, a token; as tables that make blanks of it."""

_QUOTES = b"\"'`"
_BETWEEN = b"\\\"'`]) \t"
"""What may stand between a word and its sign."""

_DIGITS = b"0123456789"
_OWNERS = (*KEYS, b"application")
_PASSWORDS = (b"pass", b"pwd", b"psk")
_OPTIONS = (b"authoriz", b"cookie", b"jwt")
"""What a list of arguments may name, besides what `entries` knows."""

_ENDINGS = {
    b"pass": (b"word", b"wd", b"phrase", b"code"), b"authoriz": (b"ation",),
    b"key": (b"_base", b"-base", b"base"),
}  # fmt: skip
_SUFFIXED = (b"pass", b"key", b"token", b"secret")
_SUFFIXES = (
    b"_production", b"_prod", b"_dev", b"_test", b"_stage", b"_staging", b"_live", b"_value", b"_main",
    b"_string", b"string", b"value", b"text", b"prod", b"live",
)  # fmt: skip
_SCHEMES = (b"basic", b"bearer", b"token", b"bot", b"digest", b"apikey", b"negotiate")
_BETWEEN_ITEMS = (b",", b" ", b"\t", b"\r", b"\n", b"\\", b'"', b"'")
_KEY = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_COOKIE = b"abcdefghijklmnopqrstuvwxyz0123456789_.-"
_LONGEST = 4_200
"""Bytes of a value that are looked at."""


def has_value(low: bytes, raw: bytes, present: list[bytes], in_json: bool) -> bool:
    """Whether a value follows one of the words that are there, as in `password=…`, `"token": …` or
    `--api-key …`. `in_json` as for `may_hold`."""
    for word in present:
        at = low.find(word)
        while at >= 0:
            if _is_set(low, raw, at, word, in_json):
                return True
            at = low.find(word, at + len(word))
    return False


def _is_set(low: bytes, raw: bytes, at: int, word: bytes, in_json: bool) -> bool:
    """Whether something is set to the name that ends with a word, and may be a secret."""
    end = at + len(word)
    after = low[end : end + 1]
    is_whole = True
    if after.isalpha() or after in (b"_", b"-"):
        for ending in _ENDINGS.get(word, ()):
            if low.startswith(ending, end):
                end += len(ending)
                is_whole = False
                break
        if word in _SUFFIXED:
            suffix = next((one for one in _SUFFIXES if low.startswith(one, end)), b"")
            end += len(suffix) or (low[end : end + 1] == b"_" and low[end + 1 : end + 2].isdigit())
            is_whole = is_whole and not suffix
        after = low[end : end + 1]
        if after.isalpha() or after == b"_":
            return False
    rest = low[end : end + 40]
    if b"\\t" in rest:
        rest = rest.replace(b"\\t", b"  ")
    stem = rest.lstrip(_DIGITS)
    bare = stem.lstrip(_BETWEEN)
    sign = bare[:1]
    if sign in (b":", b"=", b">") or bare.startswith(b"\xef\xbc"):
        if _counts(low, at, word, is_whole) and _is_secret(
            low, raw, (at, end, end + len(rest) - len(bare)), word, in_json
        ):
            return True
        if word != b"pass":
            return False
    if bare.startswith(b"uff") and stem[:1] == b"\\":
        return True
    if word == b"key" and _begins_block(low, at, rest):
        return True
    if sign == b",":
        if word == b"authoriz":
            return _is_secret(low, raw, (at, end, end + len(rest) - len(bare)), word, in_json)
        if word in _OPTIONS and b"-" in low[max(0, at - 40) : at]:
            return True
    if not bare and end + len(rest) < len(low):
        return True
    if not (stem[:1] in (b" ", b"\t", b"\r", b"\n", b"\f", b"\v") or stem[:2] in (b"\\n", b"\\r")):
        return False
    return _follows_blank(low, raw, at, end + len(rest) - len(stem), word, in_json)


def _counts(low: bytes, at: int, word: bytes, is_whole: bool) -> bool:
    """Whether what stands before a word makes a secret's name of it."""
    if word == b"key":
        before = low[max(0, at - 24) : at]
        return (
            before.endswith(_OWNERS)
            or before[:-1].endswith(_OWNERS)
            or before.rstrip(b"_-").endswith(SERVICES)
        )
    if word == b"pass" and is_whole:
        return not low[at - 1 : at].isalpha() or low[at - 2 : at - 1] == b"\\" or at == 0
    return True


def _begins_block(low: bytes, at: int, rest: bytes) -> bool:
    """Whether a private key in PEM, or of PGP, begins."""
    rest = rest.removeprefix(b" block")
    return (
        rest.startswith(b"-----")
        and rest[5:].lstrip(b"\\")[:1] not in (b'"', b"'", b"`")
        and b"private" in low[max(0, at - 12) : at]
        and b"-----begin" in low[max(0, at - 80) : at]
    )


def _follows_blank(low: bytes, raw: bytes, at: int, end: int, word: bytes, in_json: bool) -> bool:
    """Whether a value may follow a name and a blank: a token, an option's, or a password of SQL or of a
    login."""
    before = low[max(0, at - 90) : at]
    is_option = b"--" in before.translate(None, _QUOTES).rpartition(b" ")[2]
    if (
        is_option
        and (word != b"key" or _counts(low, at, word, True))
        and _is_quoted_or_plain(low, raw, end, word, in_json)
    ):
        return True
    start = _after_blanks(low, end)
    if word == b"bearer":
        return len(_plain(low, start, _TOKEN_ENDS)) > 15 and _is_plain_secret(
            low, raw, start, False, _TOKEN_ENDS
        )
    if word != b"pass" or end == at + 4:
        return False
    if low[start : start + 1] == b"'":
        return _is_quoted_or_plain(low, raw, start, word, in_json)
    words = low[max(0, at - 200) : at].replace(b"\\n", b"  ").replace(b"\\t", b"  ").split()
    if len(words) < 2 or not words[-2].endswith((b"login", b"machine")):
        return False
    while low[start : start + 2] in (b"\\n", b"\\r") or low[start : start + 1] in (b"\r", b"\n"):
        start = _after_blanks(low, start + (2 if low[start] == 0x5C else 1))
    stop = start + len(_plain(low, start, _WORD_ENDS))
    return low[stop : stop + 1] in (b'"', b"\\") or _is_plain_secret(
        low, raw, start, True, _WORD_ENDS
    )


def _is_secret(
    low: bytes, raw: bytes, places: tuple[int, int, int], word: bytes, in_json: bool
) -> bool:
    """Whether what follows a sign may be a secret. `places` are where the word begins, where the name
    ends and where the sign is."""
    at, end, sign = places
    is_password = word in _PASSWORDS
    first = low[sign : sign + 1]
    start = sign + (3 if first == b"\xef" else 1)
    if first == b">":
        # An element's text.
        return is_password and b"</" in low[start : start + 300]
    while start - sign < 3 and low[start : start + 1] in (b"=", b">"):
        start += 1
    bare = low[start : start + 16].lstrip(b" ")
    if bare[:1] == b"\\" and bare.lstrip(b"\\")[:1] == b"t":
        # In a text that is no document it is no tab.
        letter = low.index(b"t", start)
        if _is_plain_secret(low, raw, letter, is_password, _VALUE_ENDS):
            return True
    start = _after_blanks(low, start)
    # The key of an object, or an item of a list, may end with a sign.
    if low.startswith((b'":', b'",'), start) and (
        _is_quoted_or_plain(low, raw, start + 2, word, in_json) or _begins_list(low, start + 2)
    ):
        return True
    if low[start : start + 1] == b"[" and _begins_list(low, start):
        return True
    if word == b"cookie":
        if low.startswith(b'":', start):
            start += 2
        opened = low.find(b'"', start, start + 40)
        if opened >= 0 and low[end : end + 1] == b'"' and not low[start:opened].strip():
            # The value of an object's key is judged as a whole.
            whole = _to_end(low[opened : opened + _LONGEST], b'"', 1)
            if len(whole) > 15 and (b"=" in whole or len(whole) > _LONGEST - 9):
                return True
        return first in (b":", b"\xef") and _is_cookie(low, start)
    if word == b"authoriz":
        return _is_authorization(low, raw, start) or (
            start > sign + 1 and _is_authorization(low, raw, sign + 1)
        )
    if _is_quoted_or_plain(low, raw, start, word, in_json):
        return True
    if (
        sign == end
        and first == b"="
        and raw[at:end].isupper()
        and _is_plain_secret(low, raw, sign + 1, is_password, _VARIABLE_ENDS)
    ):
        return True
    is_setting = is_password and low[max(0, at - 6) : at].rstrip(b" \t")[-1:] == b";"
    return is_setting and _is_plain_secret(low, raw, start, True, _SETTING_ENDS)


def _is_quoted_or_plain(low: bytes, raw: bytes, start: int, word: bytes, in_json: bool) -> bool:
    start = _after_blanks(low, start)
    is_password = word in _PASSWORDS
    at = start
    while low[at : at + 1] == b"\\":
        at += 1
    quote = low[at : at + 1]
    if quote and quote in _QUOTES:
        return _is_quoted_secret(raw, at, at > start, is_password, in_json)
    if at > start:
        if in_json and at == start + 1 and quote in (b"n", b"r"):
            return False
        return quote in (b"u", b"x") or _is_plain_secret(low, raw, at, is_password, _VALUE_ENDS)
    return _is_plain_secret(low, raw, start, is_password, _VALUE_ENDS)


def _is_quoted_secret(
    raw: bytes, at: int, is_escaped: bool, is_password: bool, in_json: bool
) -> bool:
    """Whether what follows a quote may be a secret: up to the next one, or to the line's end."""
    quote = raw[at : at + 1]
    close = raw.find(quote, at + 1, at + _LONGEST)
    value = raw[at + 1 : close if close >= 0 else at + _LONGEST]
    line = value.split(b"\n", 1)[0].split(b"\r", 1)[0]
    if in_json and b"\\" in line:
        line = to_line_end(line)
    if _judge(line.rstrip(b"\\") if close >= 0 else line, is_password, True, ""):
        return True
    if quote != b'"' and b'"' in value:
        # The text may end before its quote is closed.
        short = line.partition(b'"')[0].rstrip(b"\\")
        return _judge(short, is_password, True, "") or (
            b'\\"' in line and _judge(_to_end(line, b'"', 0), is_password, True, "")
        )
    if is_escaped or quote != b'"':
        return False
    # A document's own text goes on after a quote that is escaped, and over the ends of lines.
    return _judge_whole(_to_end(raw[: at + _LONGEST], quote, at + 1), is_password)


def _judge_whole(value: bytes, is_password: bool) -> bool:
    """Whether all of a text may be a secret, or what follows a scheme in it."""
    scheme, _, bare = value.partition(b" ")
    return _judge(value, is_password, True, "") or (
        scheme.lower() in _SCHEMES and _judge(bare, is_password, True, "")
    )


def to_line_end(text: bytes) -> bytes:
    """What stands before a line's end that JSON has escaped."""
    at = text.find(b"\\")
    while at >= 0:
        if text[at + 1 : at + 2] in (b"n", b"r"):
            return text[:at]
        at = text.find(b"\\", at + 2)
    return text


def _to_end(text: bytes, quote: bytes, start: int) -> bytes:
    """What stands there, up to a quote that is not escaped."""
    close = text.find(quote, start)
    while close > 0 and text[close - 1 : close] == b"\\":
        close = text.find(quote, close + 1)
    return text[start : close if close >= 0 else len(text)]


def _is_plain_secret(low: bytes, raw: bytes, start: int, is_password: bool, ends: bytes) -> bool:
    """Whether what stands there without quotes, up to one of the `ends`, may be a secret."""
    value = _plain(raw, start, ends)
    stop = start + len(value)
    follower = low[stop : stop + 1]
    if len(value) > 31 and not value.translate(None, _KEY) and not value.isalpha():
        return True
    if follower == b"\\":
        escaped = raw[stop + 1 : stop + 2]
        if not escaped or escaped not in b"nrtbf\"'`/" or ends is _WORD_ENDS:
            return True
        follower = escaped if escaped in b"\"'`" else b" " if escaped == b"t" else b"\n"
    return bool(value) and _judge(value, is_password, False, follower.decode("latin-1"))


def _plain(text: bytes, start: int, ends: bytes) -> bytes:
    """What stands there, up to one of the `ends`."""
    window = text[start : start + 512]
    length = window.translate(ends).find(b" ")
    return window if length < 0 else window[:length]


def _judge(value: bytes, is_password: bool, is_quoted: bool, follower: str) -> bool:
    """Whether a value may be a secret, as it is written and as JSON means it."""
    text = value.decode("utf-8", "replace")
    if not text.strip():
        return False
    if looks_like_secret(text, password=is_password, quoted=is_quoted, follower=follower):
        return True
    if "\\" not in text:
        return False
    if "\\u" in text or "\\x" in text:
        return True
    for written, meant in (("\\n", "\n"), ("\\t", "\t"), ('\\"', '"'), ("\\\\", "\\")):
        text = text.replace(written, meant)
    return bool(text.strip()) and looks_like_secret(
        text, password=is_password, quoted=is_quoted, follower=follower
    )


def _begins_list(low: bytes, start: int) -> bool:
    """Whether a list, or one in it, begins with a text."""
    told = low[start : start + 160].replace(b"\\n", b"").lstrip(b" \t\r\n")
    return told[:1] == b"[" and told.lstrip(b"[ \t\r\n\\")[:1] in (b'"', b"'")


def _is_cookie(low: bytes, start: int) -> bool:
    """Whether a cookie with a value follows."""
    told = low[start : start + 400].lstrip(b" \t\\\"'`")
    is_quoted = told != low[start : start + 400].lstrip(b" \t")
    name, sign, value = told.partition(b"=")
    for end in (b'"', b"'", b"`", b"\\", b"\r", b"\n"):
        value = value.partition(end)[0]
    if not sign or b"\n" in name or b"\\n" in name:
        return False
    if is_quoted:
        whole = told.partition(b'"')[0]
        if b"=" in whole and len(whole) > 14:
            return True
    return len(value) > 7 and len(name) < 65 and not name.translate(None, _COOKIE)


def _is_authorization(low: bytes, raw: bytes, start: int) -> bool:
    """Whether a header's value follows, after a scheme or without."""
    at = start
    while low[at : at + 1] in (b"\\", b'"', b"'", b"`") and low[at : at + 2] not in (
        b"\\n",
        b"\\r",
    ):
        at += 1
    if low[at - 1 : at] == b'"' and _judge_whole(_to_end(raw[: at + _LONGEST], b'"', at), False):
        return True
    if low[start - 1 : start] == b",":
        # The comma of an item may be followed by that of the list.
        while low[at : at + 1] in _BETWEEN_ITEMS or low[at - 1 : at + 1] == b"\\n":
            at += 1
    first = _plain(low, at, _VALUE_ENDS)
    second = _after_blanks(low, at + len(first))
    for place in (at, second) if second > at + len(first) else (at,):
        value = _plain(raw, place, _VALUE_ENDS)
        follower = low[place + len(value) : place + len(value) + 1].decode("latin-1")
        escaped = raw[place + len(value) + 1 :][:1]
        if follower == "\\" and (not escaped or escaped not in b"nrtbf\"'`/"):
            return True
        if (
            len(value) > 5
            and (place == at or first in _SCHEMES or first[:1].isalpha())
            and _judge(value, False, at > start and place == at, follower)
        ):
            return True
    return False


def _after_blanks(low: bytes, at: int) -> int:
    while True:
        after = at
        while low[after : after + 1] in (b" ", b"\t"):
            after += 1
        if low[after : after + 1] == b"\\":
            escaped = after
            while low[escaped : escaped + 1] == b"\\":
                escaped += 1
            after = escaped + 1 if low[escaped : escaped + 1] == b"t" else after
        if after == at:
            return at
        at = after
