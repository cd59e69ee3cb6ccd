"""What the value of a setting looks like: a word, a name, a number, a path, a placeholder.

Asked of each value that stands beside a name like `password`. Letters are those of ASCII.
"""

LITERALS = frozenset(
    "str string bytes int integer float double number bool boolean any object none null nil true "
    "false undefined unknown void never text varchar char secretstr optional required default auto "
    "self this input prompt required hidden masked empty disabled enabled yes no on off function "
    "async await lambda new return import const let var union list dict array type typeof password "
    "basic bearer digest oauth oauth2 inherit file stdin value".split()
)
_STAND_INS = (
    "your", "my", "some", "the", "a", "an", "enter", "insert", "example", "sample", "dummy", "fake",
    "placeholder", "change", "replace", "put", "new", "old", "current", "invalid", "missing", "wrong",
    "redacted",
)  # fmt: skip
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential", "env")
_NAMES_ITSELF = (
    "pass", "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "key", "credential",
    "env",
)  # fmt: skip
_UNITS = frozenset(("", "%", "k", "m", "g", "kb", "mb", "gb", "s", "ms"))
_HOMES = ("", "~", ".", "..")
_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_VAULTS = ("vault:", "ref+", "arn:", "ssm:", "env:", "file:")
EXPANDED = ("${", "$(", "{{")
"""Signs of a shell or a template: what they stand in is filled in later."""


def is_masked(value: str) -> bool:
    """Return whether a value is a variable, a tag or signs and crosses that hide one."""
    first, inner = value[0], value[1:-1]
    if first.isalnum() and first not in "xX":
        return False
    if first == "$":
        name = value[1:]
        if name[:1] in ("(", "{"):
            return True
        if (_is_letter(name[:1]) or name[:1] == "_") and _is_word(name.translate(_JOINED)):
            return True
    return (
        (first == "%" == value[-1] and _is_word(inner))
        or (first == "<" and value[-1] == ">" and "<" not in inner and ">" not in inner)
        or (first == "{" and value[-1] == "}" and "{" not in inner and "}" not in inner)
        or not value.strip("*x.#_•…-")
        or not value.strip("X")
        or not any(text.isalnum() or text == "_" for text in value)
    )


def stands_in(value: str) -> bool:
    """Return whether a value is a literal or a type, says that a secret belongs here, or is the name of
    one, as in `password=password`."""
    low = value.lower()
    if low.rstrip("?!.:,") in LITERALS:
        return True
    if low.startswith(_STAND_INS) and _is_stand_in(low):
        return True
    if not any(name in low for name in _NAMES):
        return False
    bare = low[:-1] if low[-1].isdecimal() else low
    return any(
        text.endswith(_NAMES_ITSELF) for text in (low, bare, low.removesuffix("s"), bare.removesuffix("s"))
    ) and is_words(value.rstrip(_DIGITS))


def is_place(value: str) -> bool:
    """Return whether a value is a path or an address."""
    if "/" not in value and "\\" not in value and value[0] not in ".~":
        return False
    home, _, rest = value.replace("\\", "/").partition("/")
    if home in _HOMES or (len(home) == 2 and home[1] == ":" and _is_letter(home[0])):
        *folders, name = rest.translate(_IN_PATH).split("/")
        if folders and all(map(_is_word, folders)) and (not name or _is_word(name)):
            return True
    bare = value.lstrip("./~")
    name, dot, ending = bare.partition(".")
    if bare != value and dot and _is_word(name) and _is_word(ending):
        return True
    scheme, sign, _ = value.lower().partition("://")
    return bool(sign) and (
        1 < len(scheme) < 22 and scheme[0] in _LOWER and _has_only(scheme, _LOWER + _DIGITS + "+.-")
    )


def is_number(value: str) -> bool:
    """Return whether a value is a number, with a unit or without."""
    low = value.lower()
    low = low[1:] if low[0] in "+-" else low
    if low[:2] == "0x":
        digits = low[2:].lstrip(_DIGITS + "abcdef")
        if digits != low[2:] and digits in _UNITS:
            return True
    at = 0
    while at < len(low) and (low[at] in ".,_" or low[at].isdecimal()):
        at += 1
    return at > 0 and low[at:] in _UNITS


def is_words(value: str) -> bool:
    """Return whether a value is made of words, each in small letters but for its first, or all in
    capitals, with one sign between two of them."""
    bare = value[:-1] if value[-1:] in ("!", "?") else value
    if all(
        not word or (_is_letter(word) and (len(word) == 1 or word[1:].islower()))
        for word in bare.translate(_BETWEEN_WORDS).split(" ")
    ):
        return True
    return all(_is_letter(word) and word.isupper() for word in value.translate(_BETWEEN_NAMES).split(" "))


def is_prose(value: str) -> bool:
    """Return whether a value is a sentence or a label that begins with a capital."""
    first, *others = (value[:-1] if value[-1:] in (*".!?:…",) else value).split(" ")
    first = first.removesuffix(",")
    return bool(others) and (
        first[:1] in (*_UPPER,)
        and _has_only(first[1:], _LOWER + "'")
        and all(word.removesuffix(",") and _has_only(word.removesuffix(","), _PROSE) for word in others)
    )


def is_expression(value: str) -> bool:
    """Return whether a value is a name of a program within another, as in `settings.token`."""
    names = value.replace("?.", ".").replace("::", ".").replace("->", ".").split(".")
    return len(names) > 1 and all(
        (_is_letter(name[:1]) or name[:1] == "_") and _is_word(name) for name in names
    )


def is_identifier(value: str) -> bool:
    """Return whether a value is a name of a program, of more than one word."""
    bare = value.lstrip("_")
    words = (bare[:-1] if bare[-1:].isdecimal() else bare).split("_")
    if len(words) > 1 and all(_is_letter(word) and word.islower() for word in words):
        return True
    words = bare.split("_")
    if len(words) > 1:
        return all(_is_letter(word) and word.isupper() for word in words)
    after = bare[1:]
    return (
        _is_letter(bare)
        and not after.islower()
        and bool(after)
        and not any(text.isupper() and not after[at : at + 1].islower() for at, text in enumerate(after, 1))
    )


def is_code(value: str, follower: str) -> bool:
    """Return whether a value without quotes is a call, a name or an expression of a program."""
    if follower in ("(", "["):
        return True
    if value.isidentifier():
        return is_identifier(value)
    return any(sign in value for sign in (".", "::", "->")) and is_expression(value)


def is_told_name(value: str) -> bool:
    """Return whether a value in a sentence is a name of a program, a setting, or begins a tag."""
    if value[0] == "<":
        return True
    name, sign, content = value.partition("=")
    if sign:
        return _has_only(name, _LOWER) and bool(name) and _has_only(content, _LOWER + "_")
    first, *others = value.split("_")
    if others and _is_letter(first) and all(text.isalnum() and text.isascii() for text in others):
        return (first.islower() and value.islower()) or (first.isupper() and value.isupper())
    bare = value.lstrip("_")
    bare = bare[:-1] if bare[-1:].isdecimal() else bare
    return bare[:1].islower() and not bare.islower() and is_identifier(bare)


def is_file(value: str) -> bool:
    """Return whether a value is the name of a file, with a line's number or without."""
    name, dot, ending = value.rpartition(".")
    if not dot or not name:
        return False
    for known in _ENDINGS:
        if ending.startswith(known) and _is_word(name.translate(_IN_FILE)):
            number = ending[len(known) :].removeprefix(":")
            if not number or number.isdecimal():
                return True
    ending, *numbers = ending.split(":")
    return (
        1 < len(ending) < 6
        and _is_letter(ending)
        and len(numbers) < 3
        and all(number.isdecimal() and len(number) < 7 for number in numbers)
        and _is_word(name.translate(_IN_PLACE))
    )


def is_reference(value: str, follower: str) -> bool:
    """Return whether YAML's tag, a shell's message or a vault's path stands in the place of a secret."""
    if value.startswith("!"):
        return follower in (" ", "\t") and value[1:].isidentifier()
    return (value.startswith("?") and follower == "}") or value.startswith(_VAULTS)


def _is_stand_in(low: str) -> bool:
    bare = low[:-1] if low[-1].isdecimal() else low
    bare = bare[:-1] if bare[-1:] in ("-", "_", " ", ".") else bare
    first, *others = bare.translate(_BETWEEN_STAND_INS).split(" ")
    if first in _STAND_INS and all(map(_is_letter, others)):
        return True
    return any(low.startswith(item) and _is_letter(low[len(item) :]) for item in ("your", "change"))


def _is_letter(text: str) -> bool:
    return text.isalpha() and text.isascii()


def _is_word(text: str) -> bool:
    """Return whether there are letters, digits and underscores, and nothing else."""
    return text.replace("_", "a").isalnum()


def _has_only(text: str, known: str) -> bool:
    return all(name in known for name in text)


_JOINED = str.maketrans(".>-", "___")
_IN_PATH = str.maketrans(".@-", "___")
_BETWEEN_WORDS = str.maketrans("-_.:/", "     ")
_BETWEEN_NAMES = str.maketrans("-_", "  ")
_BETWEEN_STAND_INS = str.maketrans("-_.", "   ")
_IN_FILE = str.maketrans(".-", "__")
_IN_PLACE = str.maketrans("./@-", "____")
_ENDINGS = ("py", "js", "rs", "go", "c", "h", "ts", "md", "7z", "mp3", "mp4")
_PROSE = _LOWER + _UPPER + "'" + _DIGITS + "-"
