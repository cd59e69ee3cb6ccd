"""Text on its way in: what may be stored of it, without secrets and what is marked as private.

Each secret becomes a mark that tells its kind, and equal ones apart from others. What is written down
of a secret is never the secret: this runs before the first durable byte.
"""

from __future__ import annotations

from . import clean
from .private_tags import strip_document, strip_tags
from .secrets.encodings import decoded
from .secrets.pattern_parts import ANNOUNCING, VARIABLE, compiled
from .secrets.patterns import PATTERNS, SecretPattern
from .secrets.search import MARK, fingerprint, mark, strip_evident, without_listed_secrets, without_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PASSWORDS = ("password", "passwd", "passphrase", "passcode", "pwd", "密码", "口令")
_SECRETS = (
    "secret", "token", "authorization", "cookie", "jwt", "apikey", "accesskey", "secretkey",
    "privatekey", "encryptionkey", "signingkey", "masterkey", "accountkey", "authkey", "servicekey",
    "sessionkey", "storagekey", "sharedkey", "sharedaccesskey", "licensekey", "clientkey",
    "consumerkey", "webhookkey", "deploykey", "appkey", "secretkeybase", "密钥", "令牌",
)  # fmt: skip
_NAMING = ("name", "Name", "key", "Key", "variable")
_SCHEME = r"(?i:basic|bearer|token|bot|digest|apikey|negotiate)\s+(?=\S)"


_MOST, _MOST_CHARACTERS = 4_096, 4_194_304


class _Clean:
    """The texts of late in which nothing was found: on its way to a table a text is scrubbed by each that
    can't know who did so before. None with something in it is kept."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._characters = 0

    def __contains__(self, text: str) -> bool:
        return text in self._texts

    def add(self, text: str) -> None:
        """Remember a text as clean."""
        if len(self._texts) >= _MOST or self._characters + len(text) > _MOST_CHARACTERS:
            self._texts.clear()
            self._characters = 0
        if len(text) <= _MOST_CHARACTERS and text not in self._texts:
            self._texts.add(text)
            self._characters += len(text)


_clean = _Clean()


def is_plain(*texts: str) -> bool:
    """Whether nothing of these texts has to be scrubbed, as one look at all of them shows; False may be
    wrong."""
    new = [text for text in texts if text not in _clean]
    # An empty line between two keeps what ends one from going on in the next.
    if new and scrub(whole := "\n\n".join(new)) != whole:
        return False
    remember_clean(new)
    return True


def remember_clean(texts: Iterable[str]) -> None:
    """Take texts for scrubbed: whoever scrubs one of them next need not look at it again."""
    for text in texts:
        _clean.add(text)


def strip_private(text: str) -> tuple[str, bool]:
    """`text` without its private passages and their tags, and whether there were any.

    `<private>` counts, and what agents and memories put into a prompt: `<claude-mem-context>`,
    `<system-reminder>`, `<hook_context>`, and our own `<memtui-context>`. In any letter case and
    width, with blanks and attributes, nested, and to the end of the text when never closed; also
    escaped as in JSON, HTML or a URL, at any depth, and with what is invisible in it. In doubt text
    is lost, not kept; but an opening tag without its ">" is prose unless a closing tag follows.
    """
    if text in _clean:
        return text, False
    results = strip_tags([text.replace("\0", "\ufffd")])
    return (text, False) if results is None else (results[0], True)


def scrub(text: str) -> str:
    """What may be stored of `text`: clean, without its private passages, its secrets redacted."""
    if text in _clean:
        return text
    kept = redact(strip_private(clean(text))[0])
    remember_clean([kept])
    return kept


def scrub_evident(text: str) -> str:
    """What may be kept of `text` that a store has accepted before: a mark for each secret that is evident
    wherever it stands, as a key of a service is. No name, sentence, escape or line beside it counts."""
    return text if text in _clean else strip_evident(text)


def scrub_json(value: object) -> object:
    """A copy of `value`, as JSON gives it, with every string in it scrubbed, keys too.

    Under a key that is a secret's name, and after a flag that is one in a command line's words, a
    string that looks like a secret is redacted as a whole. However deep it is: no recursion. Of
    keys that become equal the last one stays.
    """
    from .secrets.origins import without_secrets_of_call

    value = without_secrets_of_call(strip_document(value))
    # One look at all of its texts costs less than one at each.
    is_plain(*texts_in(value))
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
            content = next((copy[key] for key in _NAMING if isinstance(copy.get(key), str)), None)
            for key in copy:
                is_told = isinstance(content, str) and key.lower() == "value" and _kind(content)
                copy[key] = copied(copy[key], str(content) if is_told else key)
            continue
        without_listed_secrets(copy)
        for index, item in enumerate(copy):
            before = copy[index - 1] if index else None
            flag = before if isinstance(before, str) and is_flag(before) else name
            copy[index] = copied(item, flag)
    return top


def table_version() -> str:
    """Eight hex digits that stand for the table of secrets: what one has cleaned, the same need not clean
    again."""
    if PATTERNS not in _versions:
        _versions[PATTERNS] = _version_of(PATTERNS)
    return _versions[PATTERNS]


_versions: dict[tuple[SecretPattern, ...], str] = {}


def _version_of(table: Iterable[SecretPattern]) -> str:
    from .secrets.origins import RULES

    rows = ([getattr(row, field) for field in SecretPattern.__slots__] for row in table)
    return fingerprint(repr([*rows, *RULES]), 8)


def texts_in(document: object) -> Iterator[str]:
    """Every string in a JSON document, keys included."""
    waiting = [document]
    for item in waiting:  # grows by what is found inside
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting += item
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item


def redact(text: str) -> str:
    """`text` with `[redacted NAME FINGERPRINT]` for every secret that the table knows.

    What surrounds a secret stays: the key's name, the user's, the scheme. The fingerprint is six
    hex digits of the secret's blake2s, the same at any time and on any machine. It is so short on
    purpose: equal secrets can be told to be equal, and yet one that could be guessed isn't
    confirmed, for millions of guesses share it. Text that was redacted is not changed again.
    """
    if text in _clean:
        return text
    if any(sign in text for sign in ANNOUNCING):
        # Few texts have such a line, and `mem add` waits for each import.
        from .secrets.origins import without_secrets_by_line

        text = without_secrets_by_line(text)
    return without_secrets(text)


def redact_item(key: str, value: str) -> str:
    """The value of an object's key: a mark as a whole if the key is a secret's name and the value
    looks like one; otherwise what `redact` leaves of it.

    Letter case, dashes and camel case of the key don't matter. Placeholders, types, numbers and
    words that only name something stay; of a password, digits and words count too.
    """
    from .secrets.values import looks_like_secret, looks_like_told_secret

    known = redact(value)
    kind = _kind(key)
    if kind is None:
        is_login = key.lower() in ("auth", "_auth") and ":" in (decoded(value) or "")
        return mark("registry-auth", value) if is_login else known
    scheme = compiled(_SCHEME).match(known)
    bare = known[scheme.end() :] if scheme else known
    # A mark counts as a letter. So only what isn't marked is judged, the first time and any other.
    unmarked = compiled(MARK).sub("x", bare)
    if kind == "variable":
        is_secret = looks_like_told_secret(unmarked, quoted=True)
    elif kind == "cookie":
        is_secret = "=" in unmarked and len(unmarked) > 15
    else:
        is_secret = looks_like_secret(unmarked, password=kind == "password")
    return (
        known[: len(known) - len(bare)] + mark("named-variable" if kind == "variable" else kind, bare)
        if is_secret
        else known
    )


def is_flag(text: str) -> bool:
    """Whether a word of a command line says that the next word is a secret, as `--api-key` does."""
    return text.startswith("--") and _kind(text) is not None


def _kind(key: str) -> str | None:
    """`password`, `cookie`, `secret` or `variable` where a key is the name of one."""
    if len(key) > 100:
        return None
    low = key.lower()
    name = "".join(filter(str.isalnum, low)).rstrip("0123456789")
    if name.endswith(_PASSWORDS) or name == "pass" or low.endswith(("_pass", "-pass")):
        return "password"
    if name.endswith(_SECRETS):
        return "cookie" if name.endswith("cookie") else "secret"
    if key.isupper() and compiled(rf"[A-Z0-9_]*?{VARIABLE}\Z").match(key):
        return "variable"
    return None
