"""Text on its way in: what may be stored of it, without secrets and what is marked as private.

Each secret becomes a mark that tells its kind, and equal ones apart from others. What is written down
of a secret is never the secret: this runs before the first durable byte.
"""

from __future__ import annotations

import re
from functools import cache

from .prefilter import may_hold
from .secret_patterns import PATTERNS, PLACEHOLDERS, SecretPattern
from .secret_values import looks_like_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


try:
    # What `hashlib` gives, without all that it imports: a hook waits for it.
    from _blake2 import blake2s
except ImportError:
    from hashlib import blake2s

_UNSTORABLE = "[\0\ud800-\udfff]"

# Possessive, so that blanks without end are read once and not once more for each of them.
_TAG = (
    r"(?i)<\s*+(?P<slash>/?)\s*+"
    r"(?P<name>private|claude-mem-context|system[-_]reminder|memtui-context|hook_context)(?=[\s/>])"
    r"[^<>]*+(?P<end>>?)"
)

# JSON's escapes of ASCII, but for what would break a text that is JSON, and of what folds into it;
# behind more than one backslash where JSON is within JSON.
_ESCAPE = r"\\{1,8}u(00(?!22|5c|5C)[2-7][0-9a-fA-F]|013[01]|017[fF]|212[aA])"
_MARK = rf"\[redacted [a-z0-9-]+ [0-9a-f]{{6}}\]|[{PLACEHOLDERS}]"
_PLACEHOLDER = f"[{PLACEHOLDERS}]"
_BY_ANCHOR: dict[bytes, list[int]] = {}
for _number, _pattern in enumerate(PATTERNS):
    for _anchor in _pattern.anchors:
        _BY_ANCHOR.setdefault(_anchor, []).append(_number)
_FIRST, _LAST = ord(PLACEHOLDERS[0]), ord(PLACEHOLDERS[-1])

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


def clean(text: str) -> str:
    """`text` with U+FFFD for every NUL and lone surrogate: neither survives a store or a pipe."""
    if text.isascii():
        return text.replace("\0", "\ufffd")
    return re.sub(_UNSTORABLE, "\ufffd", text)


def strip_private(text: str) -> tuple[str, bool]:
    """`text` without its private passages and their tags, and whether there were any.

    `<private>` counts, and what agents and memories put into a prompt: `<claude-mem-context>`,
    `<system-reminder>`, `<hook_context>`, and our own `<memtui-context>`. In any letter case, with
    blanks and attributes, nested, and to the end of the text when never closed; also escaped, as in
    a text that is JSON. In doubt text is lost, not kept; but an opening tag without its ">" is prose
    unless a closing tag follows.
    """
    shown = _unescaped(text)
    rest = _without_tags(shown)
    if rest == shown:
        return text, False
    again = _unescaped(rest)
    if again != rest and _without_tags(again) != again:
        # Escapes within escapes: nobody writes that in good faith.
        return "", True
    return rest, True


def scrub(text: str) -> str:
    """What may be stored of `text`: clean, without its private passages, its secrets redacted."""
    return redact(strip_private(clean(text))[0])


def scrub_json(value: object) -> object:
    """A copy of `value`, as JSON gives it, with every string in it scrubbed, keys too.

    Under a key that is a secret's name, and after a flag that is one in a command line's words, a
    string that looks like a secret is redacted as a whole. However deep it is: no recursion. Of
    keys that become equal the last one stays.
    """
    copies: list[tuple[str, dict[str, object] | list[object]]] = []

    def copied(item: object, name: str) -> object:
        if isinstance(item, str):
            return redact_item(name, strip_private(clean(item))[0]) if name else scrub(item)
        if isinstance(item, dict):
            copies.append((name, {scrub(key): inner for key, inner in item.items()}))
        elif isinstance(item, list):
            copies.append((name, item.copy()))
        else:
            return item
        return copies[-1][1]

    top = copied(value, "")
    for name, copy in copies:  # grows by what is found inside
        if isinstance(copy, dict):
            for key in copy:
                copy[key] = copied(copy[key], key)
            continue
        for index, item in enumerate(copy):
            before = copy[index - 1] if index else None
            flag = before if isinstance(before, str) and is_flag(before) else name
            copy[index] = copied(item, flag)
    return top


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


def _unescaped(text: str) -> str:
    if "\\u" not in text:
        return text
    return re.sub(_ESCAPE, lambda escape: chr(int(escape[1], 16)), text)


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    rest = _outside(text)
    for tag in re.finditer(_TAG, rest):
        if tag["end"]:
            # Its halves met when what lay between was taken out: nobody writes that in good faith.
            return rest[: tag.start()]
    return rest


def _outside(text: str) -> str:
    """What stands where no tag of any kind is open."""
    tags = list(re.finditer(_TAG, text))
    last_closing = {_kind_of(tag): tag.start() for tag in tags if tag["slash"] and tag["end"]}
    depths: dict[str, int] = {}
    kept: list[str] = []
    at = 0
    for tag in tags:
        kind = _kind_of(tag)
        if not tag["end"] and (tag["slash"] or tag.start() > last_closing.get(kind, -1)):
            continue
        if not any(depths.values()):
            kept.append(text[at : tag.start()])
        at = tag.end()
        depths[kind] = max(0, depths.get(kind, 0) + (-1 if tag["slash"] else 1))
    if not any(depths.values()):
        kept.append(text[at:])
    return "".join(kept)


def _kind_of(tag: re.Match[str]) -> str:
    # Case folding lets "ſ" and "İ" into a name, so only the first letter tells it reliably.
    return tag["name"][0].casefold()


def _redacted(text: str, patterns: Iterable[SecretPattern]) -> str:
    placeholders = _Placeholders()
    if "[redacted " in text or not text.isascii():
        text = _compiled(_MARK).sub(lambda match: placeholders.add(match[0]), text)
    for _ in range(_PASSES):
        known = len(placeholders.marks)
        for pattern in patterns:
            text = _compiled(pattern.pattern).sub(placeholders.replacing(pattern), text)
        if len(placeholders.marks) == known:
            break
    if not placeholders.marks:
        return text
    return _compiled(_PLACEHOLDER).sub(
        lambda match: placeholders.marks[ord(match[0]) - _FIRST], text
    )


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
