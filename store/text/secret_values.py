"""Whether what stands beside a name like `password` is a secret, or only takes its place."""

from __future__ import annotations

from re import match

# Texts, so that `re` compiles only what is asked for, after what is cheap to tell: a hook waits for it.
_MASKED = r"(?:\$[A-Za-z_][\w.>-]*+|%\w++%|<[^<>]*+>|\{[^{}]*+\}|[*x.#_•…-]++|X++|\W++)\Z|\$[({]"
_EXPANDED = ("${", "$(", "{{")
_STAND_INS = (
    "your", "my", "some", "the", "a", "an", "enter", "insert", "example", "sample", "dummy", "fake",
    "placeholder", "change", "replace", "put", "new", "old", "current", "invalid", "missing", "wrong",
    "redacted",
)  # fmt: skip
_STAND_IN = (
    rf"(?i:(?:{'|'.join(_STAND_INS)})(?:[-_ .][a-z]++)*+[-_ .]?\d?\Z|(?:your|change)[a-z]++\Z)"
)
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential", "env")
_NAMES_ITSELF = (
    r"(?i:.*(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|credential|env)s?\d?\Z)"
)
_NUMBER = r"(?i:[+-]?(?:0x[0-9a-f]++|[\d.,_]++)(?:%|[kmg]b?|m?s)?\Z)"
_PATH = r"(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@-]++[/\\])++[\w.@-]*+\Z|[./~]++\w++\.\w++\Z"
_URL = r"(?i:[a-z][a-z0-9+.-]{1,20}://)"
_WORDS = r"[A-Za-z]?[a-z]*+(?:[-_ .:/][A-Za-z]?[a-z]*+)*+[.!?:]?\Z|[A-Z]++(?:[-_ ][A-Z]++)*+\Z"
_PROSE = r"[A-Z][a-z']*+,?(?: [A-Za-z'0-9-]++,?)++[.!?:…]?\Z"
_EXPRESSION = r"[A-Za-z_]\w*+(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*+)++\Z"
_IDENTIFIER = (
    r"_*[a-z]++(?:_[a-z]++)++\d?\Z|_*[A-Z]++(?:_[A-Z]++)++\Z|_*[A-Za-z][a-z]*+(?:[A-Z][a-z]++)++\Z"
)

_LITERALS = frozenset(
    "str string bytes int integer float double number bool boolean any object none null nil true "
    "false undefined unknown void never text varchar char secretstr optional required default auto "
    "self this input prompt required hidden masked empty disabled enabled yes no on off function "
    "async await lambda new return import const let var union list dict array type typeof password "
    "basic bearer digest oauth oauth2 inherit file stdin value".split()
)
_ADJECTIVES = frozenset(
    "wrong correct incorrect invalid valid required missing expired stored hashed encrypted plain "
    "plaintext empty optional secret private public hidden weak strong short unknown changed reset "
    "default username email user login name admin token password unset rejected accepted rotated".split()
)
_ALGORITHMS = (
    "sha md base utf aes rsa dsa hs rs es ps ed oauth argon bcrypt scrypt pbkdf x ipv http tls ssl v k jwt "
    "python py java node es curve secp ecdsa hmac crc win arm rfc iso ascii latin cp blake blake2 des cve"
)
# Names of algorithms and formats, numbers with a unit, versions and dates.
_TECHNICAL = (
    rf"(?i:(?:{'|'.join(_ALGORITHMS.split())})[-_]?\d+[a-z]{{0,2}}(?:[-_/'’][\w'’]*+)*\Z"
    r"|[+-]?[#v~<>≥≤]?\d[\d.,:/x×–-]*+(?:[-_ ]?"
    r"(?:th|st|nd|rd|s|ms|us|ns|min|h|d|k|m|g|kb|mb|gb|kib|mib|px|rem|em|x"
    r"|bits?|bytes?|chars?|characters?|digits?|letters?|days?|hours?|minutes?|seconds?|years?|years-old"
    r"|long"
    r"|z|t[\d:.z+-]*+))?(?:-[a-z]++)*+\Z"
    r"|(?-i:[A-Z]{2,8}-\d{1,7})\Z|#\w+\Z|[a-z]++['’][a-z]{1,2}\Z)"
)
_FILE = r"[\w./@-]+\.[A-Za-z]{2,5}(?::\d{1,6}){0,2}\Z|[\w.-]+\.(?:py|js|rs|go|c|h|ts|md|7z|mp[34]):?\d*\Z"
_TOLD_NAME = (
    r"[a-z]++(?:_[a-z0-9]++)++\Z|[A-Z]++(?:_[A-Z0-9]++)++\Z|_*[a-z]++(?:[A-Z][a-z]++)+\d?\Z"
    r"|[a-z]+=[a-z_]*\Z|<"
)
_SIGNS = "!#$%^&*+?~@|=€£§"
_AFTER_DIGITS = (*"\r\n.,;!?\\\"'`)", "")
_VAULTS = ("vault:", "ref+", "arn:", "ssm:", "env:", "file:")
SHORTEST = 8
SHORTEST_PASSWORD = 4
SHORTEST_TOLD = 6
LONGEST_TOLD = 128
LONGEST_DIGITS = 12
LONGEST_NUMBER = 4
LONGEST_WORD = 80
"""Characters: whatever is longer takes nothing's place."""


def looks_like_secret(
    value: str, *, password: bool = False, quoted: bool = True, follower: str = ""
) -> bool:
    """Whether a value is a secret, not a placeholder, a type's name, a path, a word or a number.

    A `password` may be short, of digits, or a word. What isn't `quoted` may be an expression of a
    program, which `follower`, the character right after it, helps to tell.
    """
    value = value.strip()
    if len(value) < (SHORTEST_PASSWORD if password else SHORTEST) or _is_masked(value):
        return False
    if not value.isalnum() and any(sign in value for sign in _EXPANDED):
        return False
    if len(value) > LONGEST_WORD:
        return " " not in value or password
    if _stands_in(value) or (not value.isalnum() and _is_place(value)):
        return False
    if not quoted and (_is_code(value, follower) or _is_reference(value, follower)):
        return False
    if password:
        return _is_password(value, quoted, follower)
    if " " in value or match(_NUMBER, value):
        return False
    # A single long word of letters is no word that anybody would write there.
    return not match(_WORDS, value) or (value.isalpha() and len(value) > 15 and quoted)


def looks_like_told_secret(
    value: str, *, password: bool = False, quoted: bool = False, follower: str = ""
) -> bool:
    """Whether what a sentence calls a secret is one: no word, name, number or expression looks like it.

    A `password` in quotes may be a word, but for those that say how it is, and without may be of digits.
    """
    if _is_reference(value, follower):
        return False
    value = value.strip().rstrip(".,!?:;…。！？，；、)]}")
    length = len(value)
    if length < SHORTEST_PASSWORD or length > LONGEST_TOLD or _is_masked(value):
        return False
    if any(sign in value for sign in _EXPANDED) or _stands_in(value) or _is_place(value):
        return False
    if value.isdigit():
        return password and length <= LONGEST_DIGITS and (quoted or follower in _AFTER_DIGITS)
    if match(_TECHNICAL, value) or match(_FILE, value) or follower in ("(", "["):
        return False
    has_letter = any(map(str.isalpha, value))
    has_digit = any(map(str.isdigit, value))
    if has_letter and length >= SHORTEST_TOLD:
        is_name = match(_TOLD_NAME, value) or match(_EXPRESSION, value)
        if has_digit and (not is_name or sum(map(str.isdigit, value)) > LONGEST_NUMBER):
            return True
        if any(sign in value for sign in _SIGNS) and not match(_TOLD_NAME, value):
            return not value.endswith("=") and (password or has_digit)
    return (
        quoted
        and password
        and length >= SHORTEST_TOLD
        and value.lower() not in _ADJECTIVES
        and not match(_IDENTIFIER, value)
        and not match(_PROSE, value)
    )


def _is_masked(value: str) -> bool:
    return not (value[0].isalnum() and value[0] not in "xX") and bool(match(_MASKED, value))


def _stands_in(value: str) -> bool:
    low = value.lower()
    if low.rstrip("?!.:,") in _LITERALS or (low.startswith(_STAND_INS) and match(_STAND_IN, value)):
        return True
    # `password=password`, `token: refresh_token`; but not a value that happens to end so.
    return any(name in low for name in _NAMES) and bool(
        match(_NAMES_ITSELF, value) and match(_WORDS, value.rstrip("0123456789"))
    )


def _is_place(value: str) -> bool:
    if "/" not in value and "\\" not in value and value[0] not in ".~":
        return False
    return bool(match(_PATH, value) or ("://" in value and match(_URL, value)))


def _is_code(value: str, follower: str) -> bool:
    if follower in ("(", "["):
        return True
    if value.isidentifier():
        return bool(match(_IDENTIFIER, value))
    return any(sign in value for sign in (".", "::", "->")) and bool(match(_EXPRESSION, value))


def _is_reference(value: str, follower: str) -> bool:
    """Whether YAML's tag, a shell's message or a vault's path stands in the place of a secret."""
    if value[0] == "!":
        return follower in (" ", "\t") and value[1:].isidentifier()
    return (value[0] == "?" and follower == "}") or value.startswith(_VAULTS)


def _is_password(value: str, quoted: bool, follower: str) -> bool:
    if quoted:
        # A label or a message of a form; people's own phrases seldom begin with a capital.
        return not match(_PROSE, value)
    # Within a line a plain word is prose or a program's name; at its end it is a password.
    return not (value.isalpha() and value.islower()) or follower in (*"\r\n&;\\\"'", "")
