"""Text on its way in: what may be stored of it, without secrets and what is marked as private.

Each secret becomes a mark that tells its kind, and equal ones apart from others. What is written down
of a secret is never the secret: this runs before the first durable byte.
"""

from __future__ import annotations

from itertools import pairwise

from ..text import clean
from .private_tags import holds_tag, strip_document, strip_tags
from .secrets.pattern_parts import ANNOUNCING, VARIABLE, compiled, fingerprint, mark
from .secrets.patterns import PATTERNS, Look, SecretPattern
from .secrets.search import (
    MARK,
    REACH,
    may_be_broken,
    may_reach_far,
    strip_evident,
    without_listed_secrets,
    without_secrets,
)
from .secrets.views import decoded

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


class _Known:
    """Hashes of the texts in which nothing was found of late, and of passages of such texts, each with the
    next one: much of what a session reports was reported before, whole or with a few lines changed."""

    MOST = 32_768

    def __init__(self) -> None:
        self._hashes: set[int] = set()

    def __contains__(self, text: str) -> bool:
        return hash(text) in self._hashes

    def add(self, hashes: Iterable[int]) -> None:
        """Remember what is clean."""
        if len(self._hashes) >= self.MOST:
            self._hashes.clear()
        self._hashes.update(hashes)

    def unknown(self, text: str) -> tuple[str, list[int]]:
        """What has to be looked at of a text, and what may be remembered once nothing is found there: the
        passages that are new or follow another than before, each with its neighbour."""
        passages = list(_passages(text))
        keys = [*map(hash, pairwise(map(hash, passages)))]
        new = [at for at, key in enumerate(keys) if key not in self._hashes]
        if len(new) == len(keys):
            shown = text
        else:
            wanted = {at for place in new for at in (place, place + 1)}
            # An empty line between two keeps what ends one from going on in the next.
            shown = "\n".join(("" if at - 1 in wanted else "\n") + passages[at] for at in sorted(wanted))
        return shown, [keys[at] for at in new if not any(map(may_be_broken, passages[at : at + 2]))]


def _passages(text: str) -> Iterator[str]:
    """Cut a text where it has at least `REACH` characters but blanks and one line of four begins, told by
    its hash, so that lines are cut alike amid others."""
    lines: list[str] = []
    length = 0
    for line in text.split("\n") if len(text) > 2 * REACH else (text,):
        if length >= REACH and not hash(line) % 4:
            yield "\n".join(lines)
            lines.clear()
            length = 0
        lines.append(line)
        length += len(line.strip())
    yield "\n".join(lines)


_known = _Known()


def is_plain(*texts: str) -> bool:
    """Whether nothing of these texts has to be scrubbed, as one look at what is new of them shows; False
    may be wrong."""
    new = [text for text in texts if text not in _known]
    return not new or _changed(new) is None


def _changed(texts: list[str]) -> str | None:
    """None where nothing of these texts has to be scrubbed; else what is left of them, if that is known
    already, or an empty text."""
    parts = [_known.unknown(text) for text in texts]
    # An empty line between two keeps what ends one from going on in the next.
    whole = "\n\n".join(texts)
    shown = "\n\n".join([part for part, _ in parts if part])
    if clean(shown) != shown or _without_secrets_by_line(whole) != whole:
        return ""
    if holds_tag(shown):
        return ""
    look = Look(shown)
    is_far = may_reach_far(shown, look)
    if is_far and shown != whole:
        shown, look = whole, Look(whole)
    kept = without_secrets(shown, look)
    if kept != shown:
        return kept if [shown] == texts else ""
    for text, (_, keys) in zip(texts, parts, strict=True):
        _known.add([hash(text)] if is_far else [hash(text), *keys])
    return None


def remember_clean(texts: Iterable[str]) -> None:
    """Take texts for scrubbed: whoever scrubs one of them next need not look at it again."""
    _known.add(map(hash, texts))


def strip_private(text: str) -> tuple[str, bool]:
    """`text` without its private passages and their tags, and whether there were any.

    `<private>` counts, and what agents and memories put into a prompt: `<claude-mem-context>`,
    `<system-reminder>`, `<hook_context>`, and our own `<memtui-context>`. In any letter case and
    width, with blanks and attributes, nested, and to the end of the text when never closed; also
    escaped as in JSON, HTML or a URL, at any depth, and with what is invisible in it. In doubt text
    is lost, not kept; but an opening tag without its ">" is prose unless a closing tag follows.
    """
    if text in _known:
        return text, False
    results = strip_tags([text.replace("\0", "\ufffd")])
    return (text, False) if results is None else (results[0], True)


def scrub(text: str) -> str:
    """What may be stored of `text`: clean, without its private passages, its secrets redacted."""
    if text in _known:
        return text
    kept = _changed([text])
    if kept:
        remember_clean([kept])
    return text if kept is None else kept or _scrubbed(text)


def _scrubbed(text: str) -> str:
    if text in _known:
        return text
    kept = redact(strip_private(clean(text))[0])
    remember_clean([kept])
    return kept


def scrub_evident(text: str) -> str:
    """What may be kept of `text` that a store has accepted before: a mark for each secret that is evident
    wherever it stands, as a key of a service is. No name, sentence, escape or line beside it counts."""
    return text if text in _known else strip_evident(text)


def scrub_json(value: object) -> object:
    """A copy of `value`, as JSON gives it, with every string in it scrubbed, keys too.

    Under a key that is a secret's name, and after a flag that is one in a command line's words, a
    string that looks like a secret is redacted as a whole. However deep it is: no recursion. Of
    keys that become equal the last one stays.
    """
    from .secrets.origins import without_secrets_of_call

    # One look at all of its texts costs less than one at each.
    bare = value if is_plain(*texts_in(value)) else strip_document(value)
    called = without_secrets_of_call(bare)
    if called is not value:
        is_plain(*texts_in(called))
    value = called
    copies: list[tuple[str, dict[str, object] | list[object]]] = []

    def copied(item: object, name: str) -> object:
        if isinstance(item, str):
            is_named = name and _kind(name) is not None
            return redact_item(name, strip_private(clean(item))[0]) if is_named else _scrubbed(item)
        if isinstance(item, dict):
            copies.append((name, {_scrubbed(key): inner for key, inner in item.items()}))
        elif isinstance(item, list):
            copies.append((name, item.copy()))
        else:
            return item
        return copies[-1][1]

    top = copied(value, "")
    for name, copy in copies:  # grows by what is found inside
        if isinstance(copy, dict):
            content = next((str(copy[key]) for key in _NAMING if isinstance(copy.get(key), str)), name)
            for key in copy:
                is_told = key.lower() in ("value", "val") and _kind(content) not in (None, "login")
                copy[key] = copied(copy[key], content if is_told else key)
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
    if text in _known:
        return text
    return without_secrets(_without_secrets_by_line(text))


def _without_secrets_by_line(text: str) -> str:
    if not any(sign in text for sign in ANNOUNCING):
        return text
    # Few texts have such a line, and `mem add` waits for each import.
    from .secrets.origins import without_secrets_by_line

    return without_secrets_by_line(text)


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
        return known
    if kind == "login":
        return mark("registry-auth", value) if ":" in (decoded(value) or "") else known
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
    """`password`, `cookie`, `secret`, `login` or `variable` where a key is the name of one."""
    # Most keys come again and again.
    if key not in _kinds:
        if len(_kinds) > 1_024:
            _kinds.clear()
        _kinds[key] = _kind_of(key)
    return _kinds[key]


_kinds: dict[str, str | None] = {}


def _kind_of(key: str) -> str | None:
    if len(key) > 100:
        return None
    low = key.lower()
    if low in ("auth", "_auth"):
        return "login"
    name = "".join(filter(str.isalnum, low)).rstrip("0123456789")
    if name.endswith(_PASSWORDS) or name == "pass" or low.endswith(("_pass", "-pass")):
        return "password"
    if name.endswith(_SECRETS):
        return "cookie" if name.endswith("cookie") else "secret"
    if key.isupper() and compiled(rf"[A-Z0-9_]*?{VARIABLE}\Z").match(key):
        return "variable"
    return None
