"""A secret that a sentence tells, as the prefilter sees it: "the password is …", "use … as the token".

Read by the hook's process, which may import next to nothing, and only for texts with such a name.
"""

from ..secret_values import LONGEST_TOLD, looks_like_secret, may_look_told
from .anchors import places
from .entries import BEFORE_KEY, NO_QUOTES

SENTENCE = 128
"""Bytes after a secret's name in which a sentence may tell it."""

REACH = 700
"""Bytes after a name: it may say first whose it is or what it is for."""

_TOLD = {
    "pass": b"pass", "pwd": b"pwd", "pw": b"pw", "pin": b"pin", "secret": b"secret",
    "token": b"token", "key": b"key", "cred": b"credential",
}  # fmt: skip
_BARE = b"abcdefghijklmnopqrstuvwxyz \t\r\n\\.,:;()[]{}<>/_-"
_OTHERS = bytes(range(256)).translate(None, _BARE)
_MARKS = bytes.maketrans(_OTHERS, b"#" * len(_OTHERS))
"""Digits, quotes and signs: a secret that is told in a sentence has one, or stands in them."""

_COPULAS = frozenset(
    b"is was are equals been now still just set changed called to with = : -> => as".split()
)
_TOLD_LETTERS = "".join(chr(code) for code in range(0x21, 0x7F) if code not in b"\\\"'`,;()<>{}")
_CHINESE_ENDS = "\r\n,;0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GRAPHIC = bytes.maketrans(bytes(range(0x21, 0x7F)), b"!" * (0x7F - 0x21))
_PASSWORDS = (b"pass", b"pwd", b"pw", b"pin")
_TOLD_ENDINGS = {
    b"pass": (b"words", b"word", b"wd", b"phrases", b"phrase", b"codes", b"code", b":"),
    b"credential": (b"s",), b"secret": (b"_key", b"-key", b" key"),
}  # fmt: skip
_PREPOSITIONS = tuple(b" %s " % word for word in b"for of to on at in".split())
_VERBS = (b" is", b" was", b" are", b" equals", b" has been", b" to", b" with")
_CHANGES = tuple(
    b" %s %s" % (verb, word) for verb in (b"set", b"changed", b"reset") for word in (b"to", b"with")
)
_MORE = (b":", b"=", b">", b"now", b"still", b"just", b"set to", b"changed to", b"called")
_NO_PLAIN = b" \t\r\n\f\v\"'`\\,;<>(){}[]"
_PLAIN_ENDS = bytes.maketrans(_NO_PLAIN, b" " * len(_NO_PLAIN))
_BESIDE = b"!#$%&*+.?@^~_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BESIDE_ENDS = bytes.maketrans(
    bytes(range(256)).translate(None, _BESIDE), b" " * (256 - len(_BESIDE))
)


def has_sentence(low: bytes, raw: bytes, have: set[str]) -> bool:
    """Whether a sentence tells a secret, as in "the password is …" or "use … as the token".

    `have` are the words of GATES that the text has.
    """
    marks = b""
    seen: set[tuple[bytes, int, bytes]] = set()
    for gate, name in _TOLD.items():
        if gate not in have:
            continue
        marks = marks or low.translate(_MARKS)
        for at in places(low, name):
            if marks.find(b"#", max(0, at - 120), at + SENTENCE) < 0:
                continue
            before = low[at - 1 : at]
            if (
                name != b"key"
                and (before.isalnum() or before == b"_")
                and (low[at - 2 : at - 1] != b"\\")
            ):
                continue
            if name == b"key":
                named = low[max(0, at - 12) : at].rstrip(b" _-")
                if not named.endswith(BEFORE_KEY):
                    continue
            # The same words tell nothing more the next time.
            around = (name, min(at, 320), raw[max(0, at - 320) : at + REACH + 32])
            if around in seen:
                continue
            seen.add(around)
            if _is_told(low, raw, at, name):
                return True
    return False


def has_chinese(raw: bytes, at: int) -> bool:
    """Whether a word that may be a secret follows a Chinese name of one, which ends there."""
    window = raw[at : at + 160]
    return _has_chinese(window) or (
        b"\\t" in window and _has_chinese(window.replace(b"\\t", b"  "))
    )


def _has_chinese(window: bytes) -> bool:
    begin = window.translate(_GRAPHIC).find(b"!")
    if begin < 0 or begin > 80 or b"\n" in window[:begin] or b"\r" in window[:begin]:
        return False
    if window[:1] == b'"' and window[1:8].lstrip()[:1] in (b":", b","):
        told = window[1:].replace(b"\\n", b"  ").lstrip(b" :,\r\n\t")
        value = told[1:].partition(b'"')[0].decode("utf-8", "replace")
        if told[:1] == b"[" or (
            value.strip()
            and (
                b"\\" in told
                or looks_like_secret(value, password=True)
                or looks_like_secret(value.partition(" ")[2] or "x", password=True)
            )
        ):
            return True
    after = window[begin:].decode("utf-8", "replace")
    for start in range(min(24, len(after))):
        end = start
        while end < len(after) and after[end] in _TOLD_LETTERS:
            end += 1
        bare = after[start:].partition("[")[0].partition("]")[0]
        for value in {after[start:end], bare[: end - start]}:
            if _looks_like_chinese(value, after[start + len(value) :][:1]):
                return True
        if after[start] in _CHINESE_ENDS:
            return False
    return False


def _looks_like_chinese(value: str, follower: str) -> bool:
    return len(value) > 3 and (
        looks_like_secret(value, password=True, quoted=False, follower=follower)
        or may_look_told(value, password=True, follower=follower)
    )


def _is_told(low: bytes, raw: bytes, at: int, name: bytes) -> bool:
    """Whether a sentence tells a secret after a name or before it."""
    is_password = name in _PASSWORDS
    end = at + len(name)
    for ending in _TOLD_ENDINGS.get(name, ()):
        if low.startswith(ending, end):
            end += len(ending)
            break
    after = low[end : end + SENTENCE]
    if after[:1] not in (
        b" ",
        b":",
        b"=",
        b"-",
        b"\\",
        b'"',
        b"'",
        b"\xef",
        b"\xe2",
        b"\xe6",
        b"\xe4",
        b"\xe7",
        b"\xe8",
    ):
        return (
            after[:1] == b"s" and is_password and _tells_after(raw, end + 1, True)
        ) or _tells_before(low, raw, at)
    if (not after.isascii() or b"\\u" in after) and _follows_copula(after):
        return True
    return (
        _tells_after(raw, end, is_password)
        or (is_password and name in (b"pass", b"pwd") and _tells_beside(raw, end))
        or _tells_before(low, raw, at)
    )


def _tells_after(raw: bytes, end: int, is_password: bool) -> bool:
    """Whether a colon or a verb follows a name, after more words or at once, and a secret that."""
    reach = raw[end : end + REACH]
    if _tells(reach, is_password):
        return True
    spoken = _spoken(reach)
    return spoken != reach and _tells(spoken, is_password)


def _spoken(text: bytes) -> bytes:
    """A text with a blank between two items of a list."""
    for quote in (b'"', b"'"):
        first, *others = text.split(quote + b",")
        for other in others:
            item = other.lstrip(b" \t\r\n\\")
            item = item[1:].lstrip(b" \t\r\n\\") if other.lstrip(b" ")[:2] == b"\\n" else item
            first = (
                first.rstrip(b"\\") + b" " + item[1:]
                if item[:1] == quote
                else first + quote + b"," + other
            )
        text = first
    return text


def _tells(reach: bytes, is_password: bool) -> bool:
    told = reach.lower()
    first = told[:4].lstrip(b" ")
    if first.startswith((b":", b"=", b"->")):
        start = told.index(first[:1]) + 1 + (first[:1] == b"-")
        if _is_value(reach, start, is_password):
            return True
    if not told.startswith(_PREPOSITIONS):
        # Words that say how it is come in between, no others.
        return any(
            _is_value(reach, len(copula), is_password)
            for copula in (*_VERBS, *_CHANGES)
            if told.startswith(copula)
        )
    region = told
    for stop in (b"\r", b"\n", b".", b";", b'"', b"'", b"`"):
        region = region.partition(stop)[0]
    for copula in (*_VERBS, b":", b"=", b"->"):
        start = region.find(copula)
        while start >= 0:
            if _is_value(reach, start + len(copula), is_password):
                return True
            start = region.find(copula, start + 1)
    return False


def _is_value(told: bytes, at: int, is_password: bool) -> bool:
    """Whether a word there may be a secret that a sentence tells."""
    rest = told[at:].lstrip(b" ")
    for _ in range(4):
        more = next((word for word in _MORE if rest.lower().startswith(word)), b"")
        if not more:
            break
        if _is_word_told(rest, is_password):
            return True
        rest = rest[len(more) :].lstrip(b" ")
    return _is_word_told(rest, is_password)


def _is_word_told(rest: bytes, is_password: bool) -> bool:
    bare = rest.lstrip(b"\\")
    quote = bare[:1]
    if quote in (b'"', b"'", b"`"):
        value, closed, _after = bare[1:].partition(quote)
        value = value.rstrip(b"\\")
        if not closed or len(value.split()) != 1 or b"\\" in value:
            return b"\\u" in value
        return may_look_told(value.decode("utf-8", "replace"), password=is_password, quoted=True)
    run = rest.translate(_PLAIN_ENDS).partition(b" ")[0]
    value = rest[: min(len(run), LONGEST_TOLD)].rstrip(b".,:?")
    if len(value) < 4:
        return False
    follower = rest[len(value) : len(value) + 1]
    if follower == b"\\" and rest[len(value) + 1 : len(value) + 2] == b"u":
        return True
    return may_look_told(
        value.decode("utf-8", "replace"),
        password=is_password,
        follower="\n" if follower == b"\\" else follower.decode("latin-1"),
    )


def _tells_beside(raw: bytes, end: int) -> bool:
    """Whether a word with a digit stands right after the name of a password."""
    rest = raw[end : end + SENTENCE]
    bare = rest.lstrip(b" ").lstrip(b"\\\"'`")
    if rest[:1] != b" ":
        if rest.lstrip(b"\\\"'`")[:1] != b",":
            return False
        bare = b" ".join(rest.translate(NO_QUOTES).split())
    word = bare.translate(_BESIDE_ENDS).partition(b" ")[0]
    value = bare[: len(word)]
    return len(value) > 5 and is_shaped(value) and may_look_told(value.decode())


def _tells_before(low: bytes, raw: bytes, at: int) -> bool:
    """Whether what stands before a name is called it, as in "… is the password"."""
    start = max(0, at - 120)
    before = low[start:at]
    if b" as " not in before and b" is " not in before and b" was " not in before:
        spoken = before.translate(NO_QUOTES).split()
        if b'"' not in before or not {b"as", b"is", b"was"}.intersection(spoken[-4:]):
            return False
    if before.endswith((b"api ", b"api_", b"api-")):
        before = before[:-4]
    elif low[at : at + 3] == b"key":
        return False
    return _is_called(low, raw, (start, at), before.translate(NO_QUOTES).split()) or (
        b"\\" in before
        and _is_called(
            low,
            raw,
            (start, at),
            before.replace(b"\\", b"|").translate(NO_QUOTES).replace(b"|", b"\\").split(),
        )
    )


def _is_called(low: bytes, raw: bytes, place: tuple[int, int], words: list[bytes]) -> bool:
    """Whether words, which stand at this place, say of what may be a secret that it is one."""
    start, at = place
    for number in range(len(words) - 1, max(0, len(words) - 5), -1):
        if words[number] in (b"as", b"is", b"was"):
            begin = low.rfind(words[number - 1], start, at)
            value = raw[begin : begin + len(words[number - 1])]
            if may_look_told(value.decode("utf-8", "replace"), password=True, follower=" "):
                return True
        if not words[number].isalpha() or len(words[number]) > 12:
            return False
    return False


def _follows_copula(after: bytes) -> bool:
    line = after.split(b"\n", 1)[0].split(b"\\n", 1)[0]
    told = line
    if b"\\u" in line:
        for sign in _CHINESE_COPULAS:
            told = told.replace(sign.decode().encode("unicode-escape"), b" is ")
    if not line.isascii():
        for sign in _CHINESE_COPULAS:
            told = told.replace(sign, b" is ")
    words = told.translate(NO_QUOTES).replace(b":", b" : ").replace(b"=", b" = ").split()
    for number, word in enumerate(words[1:], 1):
        if words[number - 1] in _COPULAS and (
            is_shaped(word) or (len(word) > 3 and word.rstrip(b".!?").isdigit())
        ):
            return True
    if b":" in line or b"=" in line:
        # A secret may itself have such signs in it.
        for sign in (b":", b"=", b" is "):
            rest = told.partition(sign)[2].translate(NO_QUOTES).split(None, 1)
            if rest and is_shaped(rest[0]):
                return True
    quoted = told.replace(b"\\", b"").replace(b"\xe2\x80\x9c", b"'").replace(b"\xe3\x80\x8c", b"'")
    for copula in (b" is ", b" was ", b": ", b":", b"= ", b" to "):
        for quote in (b"'", b'"', b"`"):
            opened = quoted.find(copula + quote)
            if opened >= 0:
                start = opened + len(copula) + 1
                close = quoted.find(quote, start)
                if close - start > 3 and b" " not in quoted[start:close]:
                    return True
    return False


_CHINESE_COPULAS = tuple(
    one.encode() for one in ("是", "为", "為", "设为", "改成", "改为", "：", "→")
)


def is_shaped(word: bytes) -> bool:
    """Whether a word has a letter and a digit, or a sign, and so may be a secret told in a sentence."""
    if len(word) < 6 or word.isalpha():
        return False
    if not word.isascii():
        return True
    bare = word.rstrip(b".,!?:")
    if bare.isalpha() or bare.isdigit():
        return False
    has_digit = any(48 <= code < 58 for code in bare)
    return has_digit or any(code in b"!#$%^&*+?~@|=" for code in bare)
