"""Secrets on their way in: each becomes a mark that tells its kind, and equal ones apart from others.

What is written down of a secret is never the secret: this runs before the first durable byte.
"""

from __future__ import annotations

import re
from functools import cache

from .prefilter import may_hold
from .secret_patterns import HELD, PATTERNS, SecretPattern
from .secret_values import looks_like_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


try:
    # What `hashlib` gives, without all that it imports: a hook waits for it.
    from _blake2 import blake2s
except ImportError:
    from hashlib import blake2s

_MARK = rf"\[redacted [a-z0-9-]+ [0-9a-f]{{6}}\]|[{HELD}]"
_HELD = f"[{HELD}]"
_BY_ANCHOR: dict[bytes, list[int]] = {}
for _number, _pattern in enumerate(PATTERNS):
    for _anchor in _pattern.anchors:
        _BY_ANCHOR.setdefault(_anchor, []).append(_number)
_FIRST, _LAST = ord(HELD[0]), ord(HELD[-1])

_PASSES = 4
"""What a pass takes out may lay bare what the next one finds; more than two are hardly ever made."""

_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd", "密码", "口令")
_SECRETS = (
    "secret", "token", "authorization", "cookie", "jwt", "apikey", "accesskey", "secretkey",
    "privatekey", "encryptionkey", "signingkey", "masterkey", "accountkey", "authkey", "servicekey",
    "sessionkey", "storagekey", "sharedkey", "sharedaccesskey", "licensekey", "clientkey",
    "consumerkey", "webhookkey", "deploykey", "appkey", "secretkeybase", "密钥", "令牌",
)  # fmt: skip
_SCHEME = r"(?i:basic|bearer|token|bot|digest|apikey|negotiate)\s+(?=\S)"


def redact(text: str) -> str:
    """`text` with `[redacted NAME FINGERPRINT]` for every secret that the table knows.

    What surrounds a secret stays: the key's name, the user's, the scheme. The fingerprint is six
    hex digits of the secret's blake2s, the same at any time and on any machine. It is so short on
    purpose: equal secrets can be told to be equal, and yet one that could be guessed isn't
    confirmed, for millions of guesses share it. Text that was redacted is not changed again.
    """
    raw = text.encode(errors="surrogatepass")
    if not may_hold(raw):
        return text
    low = raw.lower()
    numbers = {number for anchor in _BY_ANCHOR if anchor in low for number in _BY_ANCHOR[anchor]}
    found = [
        one
        for one in map(PATTERNS.__getitem__, sorted(numbers))
        if not one.also or any(also in low or also in raw for also in one.also)
    ]
    return _redacted(text, found) if found else text


def redact_item(key: str, value: str) -> str:
    """The value of an object's key: a mark as a whole if the key is a secret's name and the value
    looks like one; otherwise what `redact` leaves of it.

    Letter case, dashes and camel case of the key don't matter. Placeholders, types, numbers and
    words that only name something stay; of a password, digits and words count too.
    """
    known = redact(value)
    kind = _kind(key)
    if kind is None:
        return known
    scheme = _compiled(_SCHEME).match(known)
    bare = known[scheme.end() :] if scheme else known
    # A mark counts as a letter. So only what isn't marked is judged, the first time and any other.
    unmarked = _compiled(_MARK).sub("x", bare)
    if kind == "cookie":
        is_secret = "=" in unmarked and len(unmarked) > 15
    else:
        is_secret = looks_like_secret(unmarked, password=kind == "password")
    return known[: len(known) - len(bare)] + _mark(kind, bare) if is_secret else known


def is_flag(text: str) -> bool:
    """Whether a word of a command line says that the next word is a secret, as `--api-key` does."""
    return text.startswith("--") and _kind(text) is not None


def _redacted(text: str, patterns: Iterable[SecretPattern]) -> str:
    held = _Placeholders()
    if "[redacted " in text or not text.isascii():
        text = _compiled(_MARK).sub(lambda match: held.add(match[0]), text)
    for _ in range(_PASSES):
        known = len(held.marks)
        for pattern in patterns:
            text = _compiled(pattern.pattern).sub(held.replacing(pattern), text)
        if len(held.marks) == known:
            break
    if not held.marks:
        return text
    return _compiled(_HELD).sub(lambda match: held.marks[ord(match[0]) - _FIRST], text)


class _Placeholders:
    """The marks of a text, each standing in it as one character that no pattern matches."""

    def __init__(self) -> None:
        self.marks: list[str] = []

    def add(self, mark: str) -> str:
        """The character that stands for one more mark."""
        if _FIRST + len(self.marks) > _LAST:
            return mark
        self.marks.append(mark)
        return chr(_FIRST + len(self.marks) - 1)

    def replacing(self, pattern: SecretPattern) -> Callable[[re.Match[str]], str]:
        """What becomes of each match of a pattern."""
        # The same few values tend to come again and again.
        known: dict[tuple[str, str | None, str], str | None] = {}

        def mark(secret: str, group: str | None, follower: str) -> str | None:
            if pattern.judged and not looks_like_secret(
                secret, password=pattern.password, quoted=group == "secret", follower=follower
            ):
                return None
            return self.add(_mark(pattern.name, secret))

        def replaced(match: re.Match[str]) -> str:
            group = match.lastgroup
            whole, secret = match[0], match[group or 0]
            start, end = match.span(group or 0)
            follower = match.string[end : end + 1]
            what = (secret, group, follower)
            if what not in known:
                known[what] = mark(*what)
            found = known[what]
            if found is None:
                return whole
            return whole[: start - match.start()] + found + whole[end - match.start() :]

        return replaced


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def _mark(name: str, secret: str) -> str:
    fingerprint = blake2s(secret.encode(errors="surrogatepass")).hexdigest()[:6]
    return f"[redacted {name} {fingerprint}]"


def _kind(key: str) -> str | None:
    """`password`, `cookie` or `secret` where a key is the name of one."""
    if len(key) > 100:
        return None
    low = key.lower()
    name = "".join(filter(str.isalnum, low)).rstrip("0123456789")
    if name.endswith(_PASSWORDS) or name == "pass" or low.endswith(("_pass", "-pass")):
        return "password"
    if name.endswith(_SECRETS):
        return "cookie" if name.endswith("cookie") else "secret"
    return None
