"""Whether what stands beside a name like `password` is a secret, or only takes its place."""

from .pattern_parts import compiled
from .value_shapes import (
    EXPANDED,
    is_code,
    is_expression,
    is_file,
    is_identifier,
    is_masked,
    is_number,
    is_place,
    is_prose,
    is_reference,
    is_told_name,
    is_words,
    stands_in,
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
_SIGNS = "!#$%^&*+?~@|=€£§"
_ENDS = ".,!?:;…。！？，；、)]}"
_AFTER_DIGITS = (*"\r\n.,;!?\\\"'`)", "")
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
    if len(value) < (SHORTEST_PASSWORD if password else SHORTEST) or is_masked(value):
        return False
    if not value.isalnum() and any(sign in value for sign in EXPANDED):
        return False
    if len(value) > LONGEST_WORD:
        return " " not in value or password
    if stands_in(value) or (not value.isalnum() and is_place(value)):
        return False
    if not quoted and (is_code(value, follower) or is_reference(value, follower)):
        return False
    if password:
        return _is_password(value, quoted, follower)
    if " " in value or is_number(value):
        return False
    # A single long word of letters is no word that anybody would write there.
    return not is_words(value) or (value.isalpha() and len(value) > 15 and quoted)


def looks_like_told_secret(
    value: str, *, password: bool = False, quoted: bool = False, follower: str = ""
) -> bool:
    """Whether what a sentence calls a secret is one: no word, name, number or expression looks like it.

    A `password` in quotes may be a word, but for those that say how it is, and without may be of digits.
    """
    if not _may_be_told(value, password=password, quoted=quoted, follower=follower):
        return False
    value = value.strip().rstrip(_ENDS)
    return value.isdigit() or not compiled(_TECHNICAL).match(value)


def _may_be_told(value: str, *, password: bool, quoted: bool, follower: str) -> bool:
    """Whether a value is one but for technical terms."""
    if is_reference(value, follower):
        return False
    value = value.strip().rstrip(_ENDS)
    length = len(value)
    if length < SHORTEST_PASSWORD or length > LONGEST_TOLD or is_masked(value):
        return False
    if any(sign in value for sign in EXPANDED) or stands_in(value) or is_place(value):
        return False
    if value.isdigit():
        return password and length <= LONGEST_DIGITS and (quoted or follower in _AFTER_DIGITS)
    if is_file(value) or follower in ("(", "["):
        return False
    has_letter = any(map(str.isalpha, value))
    has_digit = any(map(str.isdigit, value))
    if has_letter and length >= SHORTEST_TOLD:
        is_name = is_told_name(value)
        if has_digit and (
            not (is_name or is_expression(value)) or sum(map(str.isdigit, value)) > LONGEST_NUMBER
        ):
            return True
        if any(sign in value for sign in _SIGNS) and not is_name:
            return not value.endswith("=") and (password or has_digit)
    return (
        quoted
        and password
        and length >= SHORTEST_TOLD
        and value.lower() not in _ADJECTIVES
        and not is_identifier(value)
        and not is_prose(value)
    )


def _is_password(value: str, quoted: bool, follower: str) -> bool:
    if quoted:
        # A label or a message of a form; people's own phrases seldom begin with a capital.
        return not is_prose(value)
    # Within a line a plain word is prose or a program's name; at its end it is a password.
    return not (value.isalpha() and value.islower()) or follower in (*"\r\n&;\\\"'", "")
