"""Secrets apart from their names, as the prefilter sees them: entries of objects and lists, settings,
seed phrases.

Read by the hook's process, which may import next to nothing, and only for texts with such a name.
"""

from ..secret_values import looks_like_secret, may_look_told
from .anchors import CHINESE_PAIRS, NAMES, SEEDS, SESSIONS, places
from .encoded import begin_of_item

MANY = 2_000
"""Where more places than this would have to be looked at, the answer is that it may be so."""

SEED_BEFORE = 64
"""Characters between what announces a seed phrase and that, and some more."""

SEED_REACH = 400
"""Bytes after what announces a seed phrase in which a dozen words of it stand."""

_NAMED = (
    b"password", b"passwd", b"passphrase", b"passcode", b"pwd", b"secret", b"token", b"credential",
    b"credentials", b"creds",
)  # fmt: skip
_LISTED = {
    "passw": (b"password", b"passwd"), "passphrase": (b"passphrase",), "passcode": (b"passcode",),
    "pwd": (b"pwd",), "secret": (b"secret",), "token": (b"token",), "key": (b"key",),
    "cred": (b"credential", b"credentials", b"creds"),
}  # fmt: skip
BEFORE_KEY = (
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
_TOKEN = b"abcdefghijklmnopqrstuvwxyz0123456789+/="
_NO_TOKEN = bytes.maketrans(bytes(range(256)).translate(None, _TOKEN), b" " * (256 - len(_TOKEN)))
_ENTRIES = (
    *_NAMED, b"key", b"keybase", b"jwt", b"cookie", b"authorization", b"pass", *CHINESE_PAIRS,
)  # fmt: skip
_IN_NAMES = bytes(range(128)).translate(None, b"abcdefghijklmnopqrstuvwxyz0123456789")
_NAMING = (b"ame", b"key", b"variable")
_NAME = b"abcdefghijklmnopqrstuvwxyz0123456789_.-"
_NO_NAME = bytes.maketrans(bytes(range(256)).translate(None, _NAME), b" " * (256 - len(_NAME)))
QUOTES = b"\"'`\\,;()[]{}<>"
NO_QUOTES = bytes.maketrans(QUOTES, b" " * len(QUOTES))
_BREAKS = b" ,\"'\t\r\n\f\v\\.):0123456789"
_NO_WORD = bytes(range(256)).translate(None, b"abcdefghijklmnopqrstuvwxyz" + _BREAKS)
_LOWER = bytes.maketrans(_BREAKS + _NO_WORD, b" " * len(_BREAKS) + b"|" * len(_NO_WORD))
"""Letters, what may stand between the words of a seed phrase, and what may not."""


def has_form(low: bytes, raw: bytes, words: str, have: set[str]) -> bool:
    """Whether a block of secrets, or what an option or a setting is given, is there.

    `words` are those of the text.
    """
    return (
        _has_named(low, raw, words, have)
        or _has_setting(low, raw, words, have)
        or _has_seed(low, have)
    )


def _has_named(low: bytes, raw: bytes, words: str, have: set[str]) -> bool:
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
        _is_listed(low, raw, at + len(name))
        for gate, names in _LISTED.items()
        if gate in words
        for name in names
        for quote in quotes
        for at in places(low, name + quote)
    )


def has_flag(low: bytes, raw: bytes, between: list[tuple[int, int]]) -> bool:
    """Whether an item of a list is an option that is given a secret, and the next one may be that.

    `between` is where items end and begin.
    """
    for start, end in between:
        before, _, name = low[max(0, start - 110) : start].rpartition(b"--")
        if name.translate(None, _IN_NAMES).rstrip(b"0123456789").endswith(_ENTRIES) and before[
            -1:
        ] in (b'"', b"'"):
            value, closed, _ = raw[end : end + 4_200].partition(raw[end - 1 : end])
            if not closed or b"\\" in value or value[:1] == b"[":
                return True
            text = value.decode("utf-8", "replace")
            if b"=" in value or (text.strip() and looks_like_secret(text, password=True)):
                return True
            _scheme, _, text = text.partition(" ")
            if text.strip() and looks_like_secret(text, password=True):
                return True
    return False


def has_entry(low: bytes) -> bool:
    """Whether an object of JSON tells the name of a secret and its value, in any order."""
    for naming in (b'"name"', b'"key"', b'"variable"'):
        for at in places(low, naming):
            name = low[at + len(naming) : at + 160].lstrip(b" :").partition(b'",')[0]
            if name.translate(None, _IN_NAMES).rstrip(b"0123456789").endswith(_ENTRIES):
                return True
    return False


def _ends_with_name(before: bytes) -> bool:
    """Whether an entry whose name is a secret's is told, as in `name: api_token, value: …`."""
    told = before.replace(b"\\n", b"  ").replace(b"\\t", b"  ").replace(b"\\r", b"  ")
    told = told.rstrip(b" \t\r\n\\\"'`,-/<>")
    name = told.translate(_NO_NAME).rpartition(b" ")[2]
    bare = told[: len(told) - len(name)].rstrip(b"\\\"'` \t")
    if bare[-1:] not in (b":", b"=") or not bare[:-1].rstrip(b"\\\"'` \t").endswith(_NAMING):
        return False
    if name.endswith(b"key"):
        return name[:-3].rstrip(b"_-").endswith(BEFORE_KEY)
    return name.endswith(_NAMED)


def _is_listed(low: bytes, raw: bytes, at: int) -> bool:
    """Whether a list's next item after a name is a value in quotes, and may be a secret."""
    before, comma, rest = raw[at : at + 400].partition(b",")
    if not comma or before.translate(None, b"\\\"'`nrt \t\r\n\f\v"):
        return False
    begin = begin_of_item(rest, 0)
    if not begin:
        return False
    begin -= 1
    item = rest[begin:]
    quote = item[:1]
    value, closed, _ = item[1:].partition(quote)
    name = low[max(0, at - 60) : at].translate(NO_QUOTES).rpartition(b" ")[2]
    if b"\\u" in value or (name[:1] == b"-" and (b"\\" in value or not closed)):
        return True
    if b"\n" in value and b'",' in value:
        return True
    value = value.partition(b"\n")[0].rstrip(b"\\")
    for one in {value, value.partition(b"\\n")[0], value.partition(b"\\r")[0]}:
        text = one.decode("utf-8", "replace")
        if not text.strip():
            continue
        if name[:1] == b"-" and looks_like_secret(text, password=True):
            return True
        if may_look_told(text, quoted=True):
            return True
    return False


def _has_setting(low: bytes, raw: bytes, words: str, have: set[str]) -> bool:
    if ("sess" in have or "sid" in have) and any(one in low for one in _SESSIONS_END):
        for session in SESSIONS:
            for at in places(low, session):
                value = low[at + len(session) : at + len(session) + 16]
                if len(value) == 16 and not any(stop in value for stop in (b" ", b'"', b"(")):
                    return True
    for at in places(low, b"auth") if "auth" in have else ():
        if low[at - 1 : at] not in (b"_", b'"', b"'"):
            continue
        told = low[at + 4 : at + 240].lstrip(b"0123456789\\\"'`)] \t")
        value = told[1:].lstrip(b"=>\xbc\x9a\x9d \t").lstrip(b"\\\"'` \t")
        if told[:1] in (b":", b"=", b"\xef") and value[:11].isalnum():
            length = len(value.translate(_NO_TOKEN).partition(b" ")[0])
            start = low.find(value[:11], at)
            found = raw[start : start + length].decode()
            follower = low[start + length : start + length + 1].decode("latin-1")
            if looks_like_secret(found, quoted=False, follower=follower) or b":" in value:
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
    return "identified" in have and any(
        _is_identified(low, raw, at) for at in places(low, b"identified")
    )


def _is_identified(low: bytes, raw: bytes, at: int) -> bool:
    """Whether SQL says by which password a user is known."""
    told = low[at + 10 : at + 180]
    if not raw[at : at + 10].isupper() and not any(one in told for one in _MARKED):
        return False
    if b"\\" in told:
        told = told.replace(b"\\n", b"  ").replace(b"\\r", b"  ").replace(b"\\t", b"  ")
    for begin in (b"by", b"as"):
        start = told.find(begin)
        while start > 0:
            value = told[start + 2 :].lstrip()
            if told[start - 1 : start].isspace() and value != told[start + 2 :]:
                word = value.translate(NO_QUOTES).partition(b" ")[0]
                is_upper = raw[at + 10 + start : at + 12 + start].isupper()
                begin_of_value = at + 10 + len(told) - len(value)
                if value[:1] != b"`" and (
                    is_upper
                    or not raw[begin_of_value : begin_of_value + 1].islower()
                    or not word.isalpha()
                ):
                    return True
            start = told.find(begin, start + 1)
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
            for told in {text, text.replace(b"\\n", b"  ")}:
                begin = 0
                for part in told.translate(_LOWER).split(b"|"):
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
