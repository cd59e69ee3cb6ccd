"""Text on its way in: what may be stored of it, without secrets and what is marked as private.

Each secret becomes a mark that tells its kind, and equal ones apart from others. What is written down
of a secret is never the secret: this runs before the first durable byte.
"""

from __future__ import annotations

from . import clean
from .encodings import decoded
from .prefilter import may_hold, may_hold_tag
from .private_tags import strip_document, strip_tags
from .secret_search import MARK, compiled, mark, without_listed_secrets, without_secrets
from .secret_values import looks_like_secret

_FEW, _SHORT = 256, 8_192
_plain: set[str] = set()
"""Texts of so many characters at most in which nothing was found, of the last so many at most: those of an
event are looked at on their way and again when they are written. None with something in it is kept."""

_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd", "密码", "口令")
_SECRETS = (
    "secret", "token", "authorization", "cookie", "jwt", "apikey", "accesskey", "secretkey",
    "privatekey", "encryptionkey", "signingkey", "masterkey", "accountkey", "authkey", "servicekey",
    "sessionkey", "storagekey", "sharedkey", "sharedaccesskey", "licensekey", "clientkey",
    "consumerkey", "webhookkey", "deploykey", "appkey", "secretkeybase", "密钥", "令牌",
)  # fmt: skip
_NAMING = ("name", "Name", "key", "Key", "variable")
_LONG, _LONGEST = 16_384, 4_194_304
"""Characters of a text that is remembered as done, at least and at most."""

_SCHEME = r"(?i:basic|bearer|token|bot|digest|apikey|negotiate)\s+(?=\S)"


class _Done:
    """The long texts that a step gave last: it leaves each as it is, and need not look again.

    On its way to a table a text is scrubbed by each that can't know who did so before.
    """

    def __init__(self) -> None:
        self._texts: list[str] = []

    def __contains__(self, text: str) -> bool:
        return _LONG <= len(text) <= _LONGEST and text in self._texts

    def note(self, text: str) -> str:
        """Remember a text, and return it."""
        if _LONG <= len(text) <= _LONGEST:
            self._texts.append(text)
            del self._texts[:-_MOST]
        return text


_MOST = 4
_REDACTED, _STRIPPED = _Done(), _Done()


def is_plain(text: str, *, in_json: bool = False) -> bool:
    """Whether nothing of a text, or of a document written as JSON, has to be scrubbed; False may be
    wrong."""
    if not in_json and (text in _plain or (text in _STRIPPED and text in _REDACTED)):
        return True
    try:
        raw = text.encode()
    except UnicodeEncodeError:
        return False
    if b"\0" in raw or (in_json and b"\\u0000" in raw) or may_hold(raw, in_json):
        return False
    if not in_json:
        remember_plain(text)
    return True


def remember_plain(text: str) -> None:
    """Remember a text in which one look has found nothing: it will be written, and scrubbed before."""
    if len(text) > _SHORT:
        _STRIPPED.note(_REDACTED.note(text))
        return
    if len(_plain) >= _FEW:
        _plain.clear()
    _plain.add(text)


def strip_private(text: str) -> tuple[str, bool]:
    """`text` without its private passages and their tags, and whether there were any.

    `<private>` counts, and what agents and memories put into a prompt: `<claude-mem-context>`,
    `<system-reminder>`, `<hook_context>`, and our own `<memtui-context>`. In any letter case and
    width, with blanks and attributes, nested, and to the end of the text when never closed; also
    escaped as in JSON, HTML or a URL, at any depth, and with what is invisible in it. In doubt text
    is lost, not kept; but an opening tag without its ">" is prose unless a closing tag follows.
    """
    if text in _plain or text in _STRIPPED or not may_hold_tag(text.encode(errors="surrogatepass")):
        return text, False
    found = strip_tags([text.replace("\0", "\ufffd")])
    return (_STRIPPED.note(text), False) if found is None else (_STRIPPED.note(found[0]), True)


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

    top = copied(strip_document(value), "")
    for name, copy in copies:  # grows by what is found inside
        if isinstance(copy, dict):
            told = next((copy[key] for key in _NAMING if isinstance(copy.get(key), str)), None)
            for key in copy:
                is_told = isinstance(told, str) and key.lower() == "value" and _kind(told)
                copy[key] = copied(copy[key], str(told) if is_told else key)
            continue
        without_listed_secrets(copy)
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
    if text in _plain or text in _REDACTED:
        return text
    raw = text.encode(errors="surrogatepass")
    if may_hold(raw):
        return _REDACTED.note(without_secrets(text, raw))
    if len(text) <= _SHORT and not may_hold_tag(raw):
        remember_plain(text)
    return _REDACTED.note(text)


def redact_item(key: str, value: str) -> str:
    """The value of an object's key: a mark as a whole if the key is a secret's name and the value
    looks like one; otherwise what `redact` leaves of it.

    Letter case, dashes and camel case of the key don't matter. Placeholders, types, numbers and
    words that only name something stay; of a password, digits and words count too.
    """
    known = redact(value)
    kind = _kind(key)
    if kind is None:
        is_login = key.lower() in ("auth", "_auth") and ":" in (decoded(value) or "")
        return mark("registry-auth", value) if is_login else known
    scheme = compiled(_SCHEME).match(known)
    bare = known[scheme.end() :] if scheme else known
    # A mark counts as a letter. So only what isn't marked is judged, the first time and any other.
    unmarked = compiled(MARK).sub("x", bare)
    if kind == "cookie":
        is_secret = "=" in unmarked and len(unmarked) > 15
    else:
        is_secret = looks_like_secret(unmarked, password=kind == "password")
    return known[: len(known) - len(bare)] + mark(kind, bare) if is_secret else known


def is_flag(text: str) -> bool:
    """Whether a word of a command line says that the next word is a secret, as `--api-key` does."""
    return text.startswith("--") and _kind(text) is not None


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
