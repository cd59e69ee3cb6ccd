"""Whether what stands beside a name like `password` is a secret, or only takes its place: a word, a name, a
number, a path, a placeholder, code. Letters are those of ASCII.
"""

from .pattern_parts import compiled

LITERALS = frozenset(
    "str string bytes int integer float double number bool boolean any object none null nil true "
    "false undefined unknown void never text varchar char secretstr optional required default auto "
    "self this input prompt required hidden masked empty disabled enabled yes no on off function "
    "async await lambda new return import const let var union list dict array type typeof password "
    "basic bearer digest oauth oauth2 inherit file stdin value".split()
)
_STAND_INS = (
    "your my some the a an enter insert example sample dummy fake placeholder change replace put new old "
    "current invalid missing wrong redacted"
).replace(" ", "|")
_TEMPLATES = frozenset(
    "test tests mock fake dummy example sample placeholder your changeme todo stub insert replace "
    "xxx xxxx xxxxx xxxxxx".split()
)
EXPANDED = ("${", "$(", "{{")
"""Signs of a shell or a template: what they stand in is filled in later."""

MASKED = (
    r"__[A-Z0-9_]+__\Z|\$[({]|\$[A-Za-z_][\w.>-]*\Z|%\w*%\Z|<[^<>]*>\Z|\{[^{}]*\}\Z|[*x.#_•…-]*\Z|X*\Z"
    r"|[\x00-/:-@\[-^`{-\xbf\u2010-\u2fff\u3000-\u303f\uff00-\uff0f]*\Z"
)
"""A variable, a tag, or signs and crosses that hide what was there."""
STANDING_IN = rf"(?:{_STAND_INS})(?:[-_. ][a-z]+)*[-_. ]?\d?\Z|(?:your|change)[a-z]+\Z"
"""What says that a secret belongs here, in small letters."""
NAMING = r"(?i:(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|credential|env)s?\d?s?\Z)"
"""The end of a secret's own name, as in `password=password`."""
NUMBER = r"(?i:[+-]?(?:0x[0-9a-f]+|[0-9.,_]+)(?:%|[kmg]b?|m?s)?\Z)"
WORDS = r"(?:[A-Za-z]?[a-z]*[-_.:/ ])*[A-Za-z]?[a-z]*[!?]?\Z|[A-Z]+(?:[-_ ][A-Z]+)*\Z"
"""Words, each in small letters but for its first, or all in capitals, with one sign between two of them."""
PROSE = (
    r"[A-Z][a-z']*[,:]?(?: [({]?[A-Za-z0-9'’{}-]+[)}.,;:!?…]*)+\Z|[A-Z][a-z']*(?: \S+){5,}\Z"
    r"|(?=(?:[^\u00a0-\uffff]*[\u00a0-\uffff]){2})(?:[\x00-\x7f]?[\u00a0-\uffff])+[\x00-\x7f]*\Z"
)
"""A sentence, or a label, that begins with a capital or is of another alphabet."""
EXPRESSION = r"[!*&$@-]?[A-Za-z_]\w*(?:(?:!?\.|::|->|\?\.)[A-Za-z_]\w*)+[!?;,]?\Z"
"""A name of a program within another, as in `settings.token`."""
IDENTIFIER = r"_*(?:[a-z]+(?:_[a-z]+)+\d?|[A-Z]+(?:_[A-Z]+)+|[A-Za-z][a-z]*(?:[A-Z][a-z]+)+)\Z"
"""A name of a program, of more than one word."""
TOLD_NAME = (
    r"<|[a-z]+=[a-z_]*\Z|[a-z]+(?:_[a-z0-9]+)+\Z|[A-Z]+(?:_[A-Z0-9]+)+\Z|_*[a-z]+(?:[A-Z][a-z]+)+\d?\Z"
)
"""What is a name of a program or a setting in a sentence, or begins a tag."""
FILE = (
    r"[\w.-]+\.(?:py|js|rs|go|c|h|ts|md|7z|mp3|mp4):?[0-9]*\Z"
    r"|[\w./@-]+\.[A-Za-z]{2,5}(?::[0-9]{1,6}){0,2}:?\Z"
)
"""The name of a file, with a line's number or without."""
TYPE = r"[*&]?[A-Z]\w*[a-z]\w*(?:\.\w+)*[!?;,]?\Z"
CAMEL = r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}"
CODE = r"[(){}\[\]<>|]|=>|->|::|\?\.|&&|\\[wsdb.(]|\*\*|=\?|[^\x00-\x7f]"
ALGORITHM = r"(?i:secp\d{3}[kr]1|x?ed?25519|sha-?\d{1,3}|aes-?\d{3}|base64|utf-?8|[hrep]s\d{3})"
ADDRESS = (
    r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\Z"
    r"|(?:[a-z][a-z0-9+.-]{1,20}://(?:[\w.-]+|\[[0-9a-f:]+\])|localhost|\d{1,3}(?:\.\d{1,3}){3}"
    r"|[\w-]+(?:\.[\w-]+)+(?=[:/])|[\w-]+(?:\.[a-z]{2,8})+|[\w-]+(?=:\d))(?::\d{1,5})?(?P<rest>/[^?#@]*)?\Z"
)
"""The address of a host or a person, without a login."""
_HOME = r"(?:[A-Za-z]:|~|\.{0,2})[/\\]|@[\w-]*/"
_CHUNK = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+"
_VAULTS = ("vault:", "ref+", "arn:", "ssm:", "env:", "file:", "op://", "process.env", "os.environ", "$env:")


def matches(shape: str, value: str) -> bool:
    """Whether a value begins with a shape; most shapes are of all of it."""
    return compiled(shape).match(value) is not None


def chunks_of(value: str) -> list[str]:
    """The words of a name, by their capitals, and its numbers."""
    return compiled(_CHUNK).findall(value)


def is_spoken(value: str) -> bool:
    """Whether a value is made of words that can be spoken, with few digits, as names and tests are."""
    chunks = chunks_of(value)
    letters = [chunk for chunk in chunks if not chunk[0].isdigit()]
    length = sum(map(len, letters))
    spoken = sum(len(chunk) for chunk in letters if len(chunk) > 2 and _is_word(chunk))
    return (
        length > 0
        and spoken >= 0.6 * length
        and length >= 3 * len(letters)
        and len(chunks) - len(letters) <= (len(letters) + 1) // 2 + 1
    )


def _is_word(chunk: str) -> bool:
    vowels = sum(letter in "aeiouyAEIOUY" for letter in chunk)
    rare = compiled(r"(?i:[bcdfghjklmnpqrstvwxz]{5})").search(chunk)
    return 0.15 * len(chunk) <= vowels <= 0.8 * len(chunk) and rare is None


def is_random(value: str, least: int = 12) -> bool:
    """Whether nobody would write a value by hand: long, of letters and digits, and of no words."""
    return (
        len(value) >= least
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and " " not in value
        and not is_spoken(value)
        and compiled(CODE).search(value) is None
    )


def is_template(value: str) -> bool:
    """Whether a value says of itself that it is none: `mock-auth-token`, `phc_YOUR_KEY`, `SG.xxxxx`."""
    if compiled(r"\*{3}|\.{3}$|…$|^[<\[(]?(?i:redacted)\W*$").search(value):
        return True
    words = [word.lower() for word in compiled(r"[A-Za-z]+").findall(value)]
    if _TEMPLATES.isdisjoint(words) or compiled(r"[!#%^&+?~]|\d{5}").search(value):
        return False
    spoken = sum(len(word) for word in words if word in _TEMPLATES or _is_word(word))
    return (len(words) > 1 or value.isupper()) and spoken >= 0.6 * sum(map(len, words))


def is_masked(value: str) -> bool:
    """Whether a value is a variable, a tag or signs and crosses that hide one."""
    return matches(MASKED, value)


def stands_in(value: str) -> bool:
    """Whether a value is a literal or a type, says that a secret belongs here, or is the name of one."""
    low = value.lower()
    if low.rstrip("?!.:,") in LITERALS or matches(STANDING_IN, low):
        return True
    return compiled(NAMING).search(value) is not None and matches(WORDS, value.rstrip("0123456789"))


def is_place(value: str) -> bool:
    """Whether a value is a path, relative too, of a file system or of a module, or a plain address."""
    if matches(r"(?:[A-Za-z][A-Za-z0-9+.-]{1,20}:)?//[A-Za-z]", value):
        return not any(is_random(part, 16) for part in compiled(r"[/@?&=#]").split(value))
    if "/" not in value and "\\" not in value:
        return matches(FILE, value) and (value[0] == "." or is_spoken(value))
    path = value.partition("?")[0] if value[0] == "/" else value
    parts = [part for part in compiled(r"[/\\]+").split(path.strip("`*'\"")) if part]
    if any(compiled(r"[^\w.@+~*{}$:-]").search(part) for part in parts):
        return False
    is_home = matches(_HOME, value)
    is_named = not any(
        is_random(part, 16 if is_home else 5) and not matches(r"[0-9a-f-]+\Z", part) for part in parts
    )
    return is_named and (is_home or len(parts) > 2 or value[-1] == "/" or matches(FILE, parts[-1]))


def takes_place(value: str) -> bool:
    """Whether a value stands where a secret belongs: a variable, a placeholder, a template, a path."""
    is_told = is_masked(value) or stands_in(value) or is_reference(value, "")
    return is_told or is_place(value) or is_template(value)


def is_code(value: str, follower: str) -> bool:
    """Whether a value without quotes is a call, a name or an expression of a program."""
    return follower in ("(", "[") or matches(IDENTIFIER, value) or matches(EXPRESSION, value)


def is_reference(value: str, follower: str) -> bool:
    """Whether YAML's tag, a shell's message or a vault's path stands in the place of a secret."""
    if value.startswith("!"):
        return follower in (" ", "\t") and value[1:].isidentifier()
    return (value.startswith("?") and follower == "}") or value.startswith(_VAULTS)


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
    r"|long|z|t[\d:.z+-]*+))?(?:-[a-z]++)*+\Z|(?-i:[A-Z]{2,8}-\d{1,7})\Z|#\w+\Z|[a-z]++['’][a-z]{1,2}\Z)"
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
LONGEST_ORDINARY = 512
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
        return " " not in value or (password and not matches(PROSE, value))
    if stands_in(value) or is_place(value):
        return False
    if not quoted and (is_code(value, follower) or is_reference(value, follower)):
        return False
    if password:
        # A label or a message of a form; people's own phrases seldom begin with a capital. Within a line a
        # plain word is prose or a program's name; at its end it is a password.
        is_word = value.isalpha() and value.islower()
        return not (matches(PROSE, value) if quoted else is_word and follower not in (*"\r\n&;\\\"'", ""))
    if " " in value or matches(NUMBER, value):
        return False
    # A single long word of letters is no word that anybody would write there.
    return not matches(WORDS, value.strip("$*&@!").rstrip(",;")) or (
        value.isalpha() and len(value) > 15 and quoted
    )


def looks_like_told_secret(
    value: str, *, password: bool = False, quoted: bool = False, follower: str = ""
) -> bool:
    """Whether what a sentence calls a secret is one: no word, name, number or expression looks like it.

    A `password` in quotes may be a word, but for those that say how it is, and without may be of digits.
    """
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
    if matches(FILE, value) or follower in ("(", "[") or matches(_TECHNICAL, value):
        return False
    digits = sum(map(str.isdigit, value))
    if length >= SHORTEST_TOLD and any(map(str.isalpha, value)):
        is_name = matches(TOLD_NAME, value) and (not digits or is_spoken(value))
        if digits and (digits > LONGEST_NUMBER or not (is_name or matches(EXPRESSION, value))):
            return True
        if any(sign in value for sign in _SIGNS) and not is_name:
            return not value.endswith("=") and (password or digits > 0)
    return (
        quoted
        and password
        and length >= SHORTEST_TOLD
        and value.lower() not in _ADJECTIVES
        and not matches(IDENTIFIER, value)
        and not matches(PROSE, value)
    )


_IN_CODE = frozenset("password secret secret-key credential named-secret service-key told-secret".split())
"""Kinds of a name and a sign, which code has too: there a value without quotes is a type or a name."""
_NAME = (
    r"(?P<name>[A-Za-z_\u4e00-\u9fff][\w.-]*)[\"'`\])*]{0,4}[ \t]*"
    r"(?P<sign>:=|=>|={1,3}|[:：＝]|(?i:is|was|to|with|for|as)\b)?[ \t\\\"'`“]*\Z"
)
"""What a value is told by, at the end of what stands before it."""
_TERNARY = r"\?[ \t]*[\"'`]?[\w.]+[\"'`]?[ \t]*:[ \t]*[\"'`]?\Z"
_TESTING = (
    r"(?i:---?[ \t]*$|[a-z`'\"*)][ \t]+$"
    r"|\b(?:tests?|checks?|builds?|lint|type|all|would|must|should|they|runs?|suites?)\b[^\n]{0,40}$)"
)
_FOLDER = (
    r"(?i:pwd|pin|.*pwd)\Z(?<!db.pwd)(?<!user.pwd)(?<!admin.pwd)(?<!root.pwd)(?<!my.pwd)(?<!login.pwd)"
)


def is_ordinary(kind: str, before: str, value: str, quote: str, follower: str) -> bool:
    """Whether a value that a rule of names and sentences would take is ordinary work: a type, a name of a
    program, a test, a piece of code; `before` is what stands before it."""
    if quote and (value[:1] in " ,+)]};:|'\"" or value[-1:] in "([{,"):
        return True  # what stands between two strings
    if len(value) > LONGEST_ORDINARY:
        return False
    value = value if quote else value.rstrip("”’»」…")
    word = value.strip("`*_,;.!?:'\"()")
    if len(word) < 3 or is_template(value) or is_place(value) or is_place(word):
        return True
    chunks, is_wild = chunks_of(word), is_random(word, 8 if kind == "named-column" else 12)
    if not quote and kind in _IN_CODE and not is_wild and _is_code(value, follower):
        return True
    bare = compiled(ALGORITHM).sub("", word)
    if bare != word and (
        is_spoken(bare) or not bare.translate(_NO_SIGNS) or bare.translate(_NO_SIGNS).isalpha()
    ):
        return True
    if kind == "named-column" and not (is_wild or compiled(r"\d[!#$%^&*+@~]|[!#$%^&*+@~]\d").search(value)):
        return True
    if kind == "url-password" and before.endswith(f"/{value}:"):
        return True
    # What tests have for one.
    if kind != "password" and matches(
        r"[a-z]+(?:_[a-z]+)+_\d{1,4}\Z|(?:secret|token|key)[-_]?\d{1,3}(?:&|\Z)", word
    ):
        return True
    found = compiled(_NAME).search(before)
    name, sign = (found["name"], found["sign"] or "") if found else ("", "")
    # A name that says what it is the name of: `accessToken: 'access-123'`, `PASSWORD: 'passwordFactor'`.
    is_named = len(chunks) > 1 and chunks[0].lower() in map(str.lower, chunks_of(name))
    is_named = is_named or word.lower().startswith(("password", "passwort"))
    if quote and is_named and (word.isalpha() or matches(r"[a-z]+[-_]\d{1,4}\Z", word)):
        return True
    if not is_wild:
        if (
            value[:1] in "*&<"
            or compiled(r"\\[sSwWdDb]|\[\^|\(\?|\.\*").search(value)
            or value.endswith(":")
            or (matches(r"[?+-]", value) and before.endswith(":"))
        ):
            return True
        if compiled(_TERNARY).search(before) or (sign == "=>" and not quote):
            return True
        if "=?" in value and not quote:
            return True
        if quote in ("", "`") and (compiled(r"[()\[\]{}|<>]" if not quote else CODE + "| ").search(value)):
            return not kind.startswith("environment") or "`" in before
    if name == "KEY" or (name == "PASS" and sign != "="):
        return not is_random(word, 10) or "_" in word
    if name.lower() == "pass" and sign != "=":
        line = before[before.rfind("\n") + 1 : found.start() if found else 0]
        if sign in ("with", "to", "for") or quote == "`" or compiled(_TESTING).search(line):
            return not is_random(word, 8)
    if matches(_FOLDER, name):
        return (
            (word.isalpha() and is_spoken(word)) or "=" in value or matches(r"(?i:osc\d+)|.{0,5}\Z", word)
        )
    return False


_NO_SIGNS = str.maketrans("", "", "-_/. ")


def _is_code(value: str, follower: str) -> bool:
    """Whether what stands in code without quotes is a type or a name of a program."""
    if matches(EXPRESSION, value) or (follower == "<" and matches(TYPE, value)):
        return True
    is_camel = compiled(CAMEL).search(value) is not None
    is_name = (matches(TYPE, value) and (is_camel or value.isalpha())) or (
        is_camel and value.isidentifier() and not value.isupper()
    )
    # People end a password with digits, or put an underscore into it.
    bare = value.strip("*&!?;,")
    if follower and follower in ",;)}|`<>(":
        is_name = is_name and not bare[-3:].isdigit()
    elif is_name:
        is_name = not bare[-1:].isdigit() and not ("_" in bare and is_camel)
    return is_name and is_spoken(value)
