"""What the prefilter looks for besides names and keys: hashes, blocks, sentences, code.

Read by the hook's process, which may import next to nothing: so nothing but the anchors is.
"""

from .anchors import CHINESE_PAIRS, NAMES, SEEDS, SESSIONS, places

MANY = 2_000
"""Where more places than this would have to be looked at, the answer is that it may be so."""

SENTENCE = 128
"""Bytes after a secret's name in which a sentence may tell it."""

SEED_BEFORE = 64
"""Characters between what announces a seed phrase and that, and some more."""

SEED_REACH = 400
"""Bytes after what announces a seed phrase in which a dozen words of it stand."""

_NAMED = (
    b"password", b"passwd", b"passphrase", b"passcode", b"pwd", b"secret", b"token", b"credential",
    b"credentials", b"creds",
)  # fmt: skip
_TOLD = {
    "pass": b"pass", "pwd": b"pwd", "pw": b"pw", "pin": b"pin", "secret": b"secret",
    "token": b"token", "key": b"key", "cred": b"credential",
}  # fmt: skip
_BARE = b"abcdefghijklmnopqrstuvwxyz \t\r\n\\.,:;()[]{}<>/_-"
_OTHERS = bytes(range(256)).translate(None, _BARE)
_MARKS = bytes.maketrans(_OTHERS, b"#" * len(_OTHERS))
"""Digits, quotes and signs: a secret that is told in a sentence has one, or stands in them."""

_LISTED = {
    "passw": (b"password", b"passwd"), "passphrase": (b"passphrase",), "passcode": (b"passcode",),
    "pwd": (b"pwd",), "secret": (b"secret",), "token": (b"token",), "key": (b"key",),
    "cred": (b"credential", b"credentials", b"creds"),
}  # fmt: skip
_BEFORE_KEY = (
    b"api",
    b"access",
    b"auth",
    b"secret",
    b"private",
    b"signing",
    b"encryption",
    b"license",
    b"licence",
)
_COPULAS = frozenset(
    b"is was are equals been now still just set changed called to with = : -> => as".split()
)
_MARKED = (b"'", b'"', b"`", *(b"%d" % digit for digit in range(10)))
_TELLING = (
    b"\\u",
    b" is ",
    b" was ",
    b":",
    b"=",
    b" are ",
    b" to ",
    b" with ",
    b"->",
    b" been ",
    b" equals ",
    b",",
)
_SEED_STOPS = frozenset(
    b"the and for are was not has had but its from into have been were which must they".split()
)
_SESSIONS_END = (b"sessid=", b"sessionid", b".sid=", b"_session=")
_ENVIRONMENT = (b"PASSWORD ", b"PASSWD ", b"TOKEN ", b"SECRET ", b"_KEY ")
_QUOTES = b"\"'`\\,;()[]{}<>"
_NO_QUOTES = bytes.maketrans(_QUOTES, b" " * len(_QUOTES))
_BREAKS = b" ,\"'\t\r\n\f\v\\.):0123456789"
_NO_WORD = bytes(range(256)).translate(None, b"abcdefghijklmnopqrstuvwxyz" + _BREAKS)
_LOWER = bytes.maketrans(_BREAKS + _NO_WORD, b" " * len(_BREAKS) + b"|" * len(_NO_WORD))
"""Letters, what may stand between the words of a seed phrase, and what may not."""


def has_form(low: bytes, raw: bytes, words: str, have: set[str]) -> bool:
    """Whether a block of secrets, or what an option or a setting is given, is there.

    `words` are those of the text.
    """
    return (
        _has_named(low, words, have) or _has_setting(low, raw, words, have) or _has_seed(low, have)
    )


def _has_named(low: bytes, words: str, have: set[str]) -> bool:
    """Whether an entry's name is a secret's, where its value follows apart from it."""
    if have.isdisjoint(NAMES):
        return False
    if "secret" in have and "kind" in words:
        for at in places(low, b"secret"):
            if b"kind" in low[max(0, at - 24) : at]:
                return True
    if "variable" in words and "default" in words:
        for at in places(low, b"variable"):
            name = low[at + 8 : at + 90]
            if name.lstrip()[:1] in (b'"', b"\\") and (
                b"key" in name or any(one in name for one in _NAMED)
            ):
                return True
    if "value" in words:
        for at in places(low, b"value"):
            sign = low[at + 5 : at + 20].lstrip(b"\\\"'` \t")[:1]
            if sign and sign in b":=>" and _ends_with_name(low[max(0, at - 120) : at]):
                return True
    quotes = [quote for quote in (b'"', b"'", b"\\") if quote in low]
    return any(
        _is_listed(low, at + len(name))
        for gate, names in _LISTED.items()
        if gate in words
        for name in names
        for quote in quotes
        for at in places(low, name + quote)
    )


def _ends_with_name(before: bytes) -> bool:
    if b":" not in before and b"=" not in before:
        return False
    name = before.replace(b"\\n", b" ").replace(b"\\t", b" ").replace(b"\\r", b" ")
    name = name.rstrip(b" \t\r\n\\\"'`,-/<>")
    return name.endswith((*_NAMED, b"key"))


def _is_listed(low: bytes, at: int) -> bool:
    """Whether a list's next item after a name is no plain word."""
    rest = low[at : at + 120].lstrip(b"\\\"'`")
    if rest[:1] != b",":
        return False
    words = rest.replace(b"\\n", b" ").translate(_NO_QUOTES).split(None, 1)
    before = low[max(0, at - 60) : at]
    is_option = b"-" in before.replace(b'"', b" ").replace(b"'", b" ").rpartition(b" ")[2]
    return bool(words) and (is_option or len(words[0]) > 15 or is_shaped(words[0]))


def _has_setting(low: bytes, raw: bytes, words: str, have: set[str]) -> bool:
    if ("sess" in have or "sid" in have) and any(one in low for one in _SESSIONS_END):
        for session in SESSIONS:
            for at in places(low, session):
                value = low[at + len(session) : at + len(session) + 16]
                if len(value) == 16 and not any(stop in value for stop in (b" ", b'"', b"(")):
                    return True
    for at in places(low, b"auth") if "auth" in have else ():
        told = low[at + 4 : at + 240].lstrip(b"\\\"'`] \t")
        value = told[1:].lstrip(b"\\\"'` \t")
        if told[:1] in (b":", b"=") and value[:11].isalnum():
            start = low.find(value[:11], at)
            if not raw[start : start + 11].islower():
                return True
    for at in places(low, b"signature=") if "signature" in have else ():
        if low[at - 1 : at] in (b"-", b"?", b"&", b";"):
            return True
    for setting, word in (
        ((b"env ", "env"), (b"set -", "set")) if not have.isdisjoint(NAMES) else ()
    ):
        for at in places(low, setting) if word in words else ():
            if any(name in raw[at : at + 90] for name in _ENVIRONMENT):
                return True
    for at in places(low, b"identified") if "identified" in have else ():
        told = low[at + 10 : at + 100]
        is_statement = raw[at : at + 10].isupper() or any(one in told for one in _MARKED)
        if is_statement and (b" by" in told or b" as" in told):
            return True
    return False


def _has_seed(low: bytes, have: set[str]) -> bool:
    """Whether a dozen short words follow what announces a seed phrase."""
    is_ascii = low.isascii()
    for anchor in SEEDS:
        if is_ascii and (not anchor.isascii() or anchor.decode() not in have):
            continue
        reach = SEED_BEFORE if is_ascii else 4 * SEED_BEFORE
        for at in places(low, anchor):
            text = low[at + len(anchor) : at + len(anchor) + SEED_REACH]
            begin = 0
            for part in text.replace(b"\\n", b"  ").translate(_LOWER).split(b"|"):
                if begin > reach:
                    break
                if _has_dozen(part, reach - begin):
                    return True
                begin += len(part) + 1
    return False


def _has_dozen(text: bytes, reach: int) -> bool:
    """Whether a dozen words of a seed phrase follow each other, beginning within so many bytes."""
    run = at = 0
    for word in text.split():
        is_one = 2 < len(word) < 9 and word not in _SEED_STOPS
        run = run + 1 if is_one else run if len(word) == 1 else 0
        if run == 12:
            return True
        at += len(word) + 1
        if not run and at > reach:
            return False
    return False


def has_sentence(low: bytes, have: set[str]) -> bool:
    """Whether a sentence tells a secret, as in "the password is …" or "use … as the token".

    `have` are the words of GATES that the text has.
    """
    marks = b""
    for gate, name in _TOLD.items():
        if gate not in have:
            continue
        marks = marks or low.translate(_MARKS)
        for at in places(low, name):
            if marks.find(b"#", max(0, at - 120), at + SENTENCE) < 0:
                continue
            if name == b"key":
                before = low[max(0, at - 12) : at].rstrip(b" _-")
                if not before.endswith(_BEFORE_KEY):
                    continue
            elif name in (b"pw", b"pin"):
                if low[at - 1 : at].isalnum() or low[at + len(name) : at + len(name) + 1] not in (
                    b" ",
                    b":",
                    b"=",
                ):
                    continue
            elif name == b"pass" and not low.startswith(
                (b"word", b"wd", b"phrase", b"code"), at + 4
            ):
                continue
            if _is_told(low, at, name):
                return True
    return not low.isascii() and any(
        _has_shape(low[at + len(pair) : at + len(pair) + 120])
        for pair in CHINESE_PAIRS
        for at in places(low, pair)
    )


def _is_told(low: bytes, at: int, name: bytes) -> bool:
    after = low[at + len(name) : at + SENTENCE]
    is_told = not after.isascii() or any(sign in after for sign in _TELLING)
    if is_told and _follows_copula(after):
        return True
    if name in (b"pass", b"pwd"):
        words = after.translate(_NO_QUOTES).split(None, 3)[:3]
        if any(is_shaped(word) for word in words[: 2 if name == b"pass" else 1]):
            return True
    before = low[max(0, at - 120) : at]
    if b" as " in before or b" is " in before or b" was " in before:
        return _has_shape(before)
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
    words = told.translate(_NO_QUOTES).replace(b":", b" : ").replace(b"=", b" = ").split()
    for number, word in enumerate(words[1:], 1):
        if words[number - 1] in _COPULAS and (
            is_shaped(word) or (len(word) > 3 and word.rstrip(b".!?").isdigit())
        ):
            return True
    if b":" in line or b"=" in line:
        # A secret may itself have such signs in it.
        for sign in (b":", b"=", b" is "):
            rest = told.partition(sign)[2].translate(_NO_QUOTES).split(None, 1)
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


def _has_shape(text: bytes) -> bool:
    """Whether a word of a text may be a secret."""
    line = (
        bytes(text)
        if text.isascii()
        else b"".join(bytes((code,)) if code < 128 else b" " for code in text)
    )
    return any(is_shaped(word) for word in line.translate(_NO_QUOTES).split())


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
