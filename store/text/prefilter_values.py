"""What is set to a secret's name, as the prefilter sees it: a value, or code that holds none.

Read by the hook's process, which may import next to nothing, and only for texts with such a name.
"""

from .anchors import WORDS, places

MANY = 2_000
"""Where more places than this would have to be looked at, the answer is that it may be so."""

SEVERAL = 40
"""Where a word stands more often, what stands before signs is looked at first."""

_FEW = 1_000
"""So many signs are looked at one by one; where there are more, words are looked for instead."""

_BEFORE_SIGN = 40
_BETWEEN = b"\\\"'`]) \t0123456789"
"""What may stand between a word and its sign."""

_END_OF_VALUE = b" \t\r\n\"'`\\,;&|<>(){}[]"
_NAMING = (b"password", b"passwd", b"pas", b"pwd", b"secret", b"token", b"key", b"credential")
_PASSWORD_WORDS = (b"pass", b"pwd", b"psk")
_LONG_WORDS = (b"bearer", b"authoriz", b"jwt", b"cookie")
_LITERALS = frozenset(
    b"none null nil true false undefined str string bytes int float bool any object self this void "
    b"getpass".split()
)
SIGN_BYTES = (b":", b"=", b">", b"\xef")
"""The last begins the wide colon and equals sign of Chinese."""
_SIGNS = bytes.maketrans(b":>\xef", b"===")

_BLANKS = (b" ", b"\t", b"\r", b"\n", b"\f", b"\v", b"")
_ESCAPED_BLANKS = (b"n", b"r", b" ", b"f", b"u")
"""What follows the backslash of a blank, or of an escape that may be one; a tab is a blank by then."""

_SUFFIXES = (
    b"_prod", b"_production", b"_dev", b"_test", b"_stage", b"_staging", b"_live", b"_value", b"_main",
    b"_string", b"string", b"value", b"text", b"prod", b"live",
)  # fmt: skip
_ENDINGS = (b"word", b"wd", b"phrase", b"code", b"ation", b"_base", *_SUFFIXES)
_SIGNED = {
    **{word: (word + b"=",) for word in WORDS.values()},
    b"pass": (
        b"pass=", b"password=", b"passwd=", b"passphrase=", b"passcode=",
        *(b"password" + suffix + b"=" for suffix in _SUFFIXES),
    ),
    b"key": (b"key=", b"key_base=", *(b"key" + suffix + b"=" for suffix in _SUFFIXES)),
    b"token": (b"token=", *(b"token" + suffix + b"=" for suffix in _SUFFIXES)),
    b"secret": (b"secret=", *(b"secret" + suffix + b"=" for suffix in _SUFFIXES)),
}  # fmt: skip
"""How a word stands before a sign, in what `_before_signs` gives."""

_SIGNLESS = {b"bearer": b"bearer", b"pass": b"password", b"authoriz": b"authorization"}
"""What a value may follow without a sign."""

_SPACED = (b"key", b"bearer", b"pass")
"""What a blank may part from its value, or an API KEY from its block."""

_SHORTEST = {b"key": 8, b"token": 8, b"secret": 8, b"pass": 4, b"pwd": 4}
"""Bytes of the shortest value that `store.text.secret_values` takes for a secret."""


def has_value(low: bytes, raw: bytes, present: list[bytes]) -> bool:
    """Whether a value follows one of the words that are there, as in `password=…`, `"token": …` or
    `--api-key …`."""
    counting: set[bytes] | None = None
    for word in present:
        found = places(low, word, MANY)
        if len(found) > SEVERAL:
            counting = _counting(low, present) if counting is None else counting
            if word not in counting:
                continue
            if len(found) > MANY:
                return True
        for at in found:
            if _is_name(low, raw, at, word):
                counting = _counting(low, present) if counting is None else counting
                if word in counting:
                    return True
                break
    return False


def _counting(low: bytes, present: list[bytes]) -> set[bytes]:
    """The words before a sign, or that need none."""
    is_few = sum(map(low.count, SIGN_BYTES)) <= _FEW
    signed = _before_signs(low, is_few)
    words = {word for word in present if any(form in signed for form in _SIGNED[word])}
    words.update(word for word in present if word in _SIGNLESS and _SIGNLESS[word] in low)
    if low.count(b"-") > 1:
        if b"private key" in low:
            words.add(b"key")
        if b"--" in low:
            flags = b" ".join({flag[:80] for flag in low.split(b"--")[1:]})
            words.update(word for word in present if word in flags)
    if b"\\" in low and b"\\uff" in low:
        words.update(present)
    return words


def _before_signs(text: bytes, is_few: bool) -> bytes:
    """What stands before each sign, without what may stand between a word and it."""
    if is_few:
        ends = [at for sign in SIGN_BYTES for at in places(text, sign, _FEW)]
        text = b"=".join([text[max(0, at - _BEFORE_SIGN) : at] for at in (*ends, len(text))]) + b"="
    told = text.translate(_SIGNS, _BETWEEN) + b"="
    if b"\\" in text and b"\\t" in text:
        # A tab that JSON has escaped; or a backslash before a word, so as it is, too.
        told += text.replace(b"\\t", b"").translate(_SIGNS, _BETWEEN) + b"="
    return told


def _is_name(low: bytes, raw: bytes, at: int, word: bytes) -> bool:
    rest = low[at + len(word) : at + len(word) + 40]
    if at + len(word) + len(rest) == len(low) and not _without_ending(rest).strip(_BETWEEN):
        return False
    if rest[:1].isalpha() and not rest.startswith(_ENDINGS):
        return False
    before = low[max(0, at - 90) : at]
    is_plain = rest[:1] == b" " and b"\\" not in rest and b"--" not in before
    if is_plain and word not in _SPACED and rest.lstrip(_BETWEEN)[:1].isalpha():
        # Another word follows, as it mostly does.
        return False
    if word == b"key":
        is_second = before.endswith((b"api ", b"access ", b"secret ", b"private "))
        if is_second and (b"-----" in rest or rest.startswith(b" block")):
            return True
        if not is_second and not before[-1:].isalnum() and before[-1:] not in (b"_", b"-"):
            return False
    stem = rest.replace(b"\\t", b" ")
    rest = _without_ending(stem)
    is_option = b"--" in before[before.rfind(b" ") + 1 :]
    is_spaced = is_option or word == b"bearer" or (word == b"pass" and rest != stem)
    rest = rest.lstrip(b"0123456789")
    is_blank = rest[:1] in _BLANKS or rest.lstrip(b"\\")[:1] in _ESCAPED_BLANKS
    if is_spaced and is_blank and (is_option or _follows_blank(low, at, word, rest)):
        return True
    rest = rest.lstrip(b"\\\"'`]) \t")
    if rest[:1] in (b":", b"=", b">") or rest.startswith(b"\xef\xbc"):
        return not _is_followed_by_little(
            low, at + len(word), _SHORTEST.get(word, 0)
        ) and not _is_followed_by_code(low, raw, at, word)
    if not rest or rest.startswith(b"uff"):
        return True
    return rest[:1] == b"," and (is_option or word == b"authoriz")


def _follows_blank(low: bytes, at: int, word: bytes, rest: bytes) -> bool:
    """Whether a value may follow a name and a blank: a token, or a password of SQL or of a login."""
    if word == b"bearer":
        told = low[at + 6 : at + 40].replace(b"\\t", b" ").split()
        return not told or len(told[0]) > 12
    if rest.lstrip(b" \t\\")[:1] == b"'" or len(rest) < 6:
        return True
    before = low[max(0, at - 320) : at]
    return b"login" in before or b"machine" in before


def _without_ending(rest: bytes) -> bytes:
    if rest.startswith(_ENDINGS):
        for ending in _ENDINGS:
            if rest.startswith(ending):
                rest = rest[len(ending) :]
    return rest


def _is_followed_by_code(low: bytes, raw: bytes, at: int, word: bytes) -> bool:
    """Whether what is set to a name is nothing, a name, a call or a word; in doubt it is not."""
    end = at + len(word)
    while low[end : end + 1] not in (b":", b"=", b">", b"\xef", b""):
        end += 1
    if low[end : end + 1] in (b"\xef", b""):
        return False
    if raw[at:end].rstrip(b"0123456789").isupper() and low[end : end + 1] == b"=":
        return False
    start = end
    while low[start : start + 1] in (b":", b"=", b">"):
        start += 1
    if word == b"cookie" and (b"=" not in low[start : start + 200] or low[end] != 0x3A):
        return True
    while low[start : start + 1] in (b" ", b"\t"):
        start += 1
    first = low[start : start + 1]
    if not first or first in b"\r\n":
        return bool(first)
    if first == b"\\" and low[start + 1 : start + 2] in (b'"', b"'"):
        # A quote in a text of JSON: as a quote itself, if the value is short and has no other escape.
        close = low.find(b"\\", start + 2, start + 80)
        if close < 0 or low[close : close + 2] != low[start : start + 2]:
            return False
        return _is_short_or_words(low[start + 2 : close], word)
    if first == b"\\":
        # A line's end that JSON has escaped, and not what a quote or a password begins with.
        return low[start + 1 : start + 2] in (b"n", b"r") and low[end : end + 1] != b">"
    if first == b"[":
        return low[start + 1 : start + 4].lstrip(b" \\")[:1] not in (b'"', b"'")
    if first in b"\"'`":
        close = low.find(first, start + 1, start + 80)
        value = low[start + 1 : max(close, start + 1)]
        return close > 0 and b"\\" not in value and _is_short_or_words(value, word)
    stop = start
    while stop < len(low) and low[stop] not in _END_OF_VALUE and stop - start < 90:
        stop += 1
    value, follower = low[start:stop], low[stop : stop + 1]
    if not value:
        return first in b"({<,;)]}|&" and first != b"<"
    if not value.isascii() or not follower:
        return False
    if follower in b"([" or value in _LITERALS:
        return True
    if len(value) < (4 if word in _PASSWORD_WORDS else 8) and word not in _LONG_WORDS:
        return follower in _END_OF_VALUE
    if value.rstrip(b"s").endswith(_NAMING) and _is_words(value):
        return True
    is_one_case = raw[start:stop].islower() or raw[start:stop].isupper()
    if word in (b"pass", b"pwd", b"psk", b"bearer", b"authoriz", b"jwt", b"cookie"):
        if (
            word in (b"pass", b"pwd")
            and value.isalpha()
            and is_one_case
            and raw[start:stop].islower()
            and b";" not in low[max(start - 12, 0) : start]
        ):
            return follower not in b"\r\n&;\\\"'"
        return (
            is_one_case
            and b"_" in value
            and value.replace(b"_", b"").isalpha()
            and not value.startswith(b"__")
        )
    if (
        value[:1].isalpha()
        and b"." in value
        and value.replace(b".", b"").replace(b"_", b"").isalnum()
    ):
        return b".." not in value and not any(
            part[:1].isdigit() or not part for part in value.split(b".")
        )
    return is_one_case and _is_words(value)


def _is_short_or_words(value: bytes, word: bytes) -> bool:
    """Whether a value in quotes is too short for a secret, or is words where those are none."""
    if word in _LONG_WORDS:
        return False
    if word in _PASSWORD_WORDS:
        return len(value) < 4
    return len(value) < 8 or (len(value) < 15 and _is_words(value))


def _is_words(value: bytes) -> bool:
    """Whether a value in lower case is made of words, one sign between two of them."""
    for sign in b"-_.:/":
        value = value.replace(bytes((sign,)), b" ")
    return b"  " not in value and value.replace(b" ", b"").isalpha()


def _is_followed_by_little(low: bytes, at: int, shortest: int) -> bool:
    """Whether what follows the next sign is a value of fewer bytes; in doubt it is not."""
    end = len(low)
    while low[at : at + 1] not in SIGN_BYTES:
        at += 1
    at += 3 if low[at] == 0xEF else 1
    if low[at : at + 1] in SIGN_BYTES:
        return False
    while at < end and (low[at] in b" \t\r\n" or low.startswith(b"\\t", at)):
        at += 1 if low[at] != 0x5C else 2
    start = at
    while at < end and low[at] == 0x5C:
        at += 1
    quote = low[at : at + 1]
    if quote in (b'"', b"'", b"`"):
        close = low.find(quote, at + 1, at + 1 + 2 * shortest)
        quoted = low[at + 1 : max(at, close)]
        value = quoted.removesuffix(low[start:at])
        is_closed = close >= 0 and len(quoted) - len(value) == at - start
        return is_closed and b"\\" not in value and len(value) < shortest
    if at > start or quote == b"[" or not quote:
        return False
    for place in range(at, min(at + shortest, end)):
        if low[place] == 0x5C:
            return low[place + 1 : place + 2] in (b"n", b"r", b"t", b'"')
        if low[place] in b" \t\r\n\f\v\"'`;":
            return True
    return False
