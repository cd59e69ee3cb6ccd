"""What the tables of secrets are made of: one kind of secret, and the pieces their patterns share.

Each pattern reads in linear time: what repeats is bounded, possessive, or the last thing that has to match.
`\\w`, `\\s` and `(?i:…)` mean ASCII, so no letter of another alphabet folds into an anchor.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


class SecretPattern:
    """One kind of secret.

    `anchors` are in lower case; one of them is in every text, lowered, in which `pattern` matches, and
    one of `also`, if there are any: those in lower case in the text, lowered, others in the text. So
    what takes long to compile is seldom compiled in vain. For the same reason `starts` are words of
    which one begins a word of each such text, `run` is how many letters, digits, underscores and dashes
    stand together in it, at least, a digit among them, `digits` how many hexadecimal digits do, and
    `visible` how many characters of ASCII that are no blanks.
    Where there is a `reach`, a match begins so many characters before one of `starts`, or else of
    `anchors`, at most, and ends so many behind it where it is not 0: it is looked for nowhere else.
    The secret is the group `secret` (of a judged one: in quotes) or `plain`, or all of the match. A
    `judged` one may still be a placeholder, a type or an expression, which
    `memtui.store.text.secrets.values` tells; a `password` may be short or a word. One that is `told`
    stands in a sentence, where only what no word looks like counts. Where there is `each`, a match is no
    secret but holds some, which that finds; `COLUMN` in it is how many of the signs `columns` stand before
    the match in its line.
    """

    # A dataclass or a named tuple would cost `mem add` more than all of the table.
    __slots__ = (
        "also", "anchors", "columns", "digits", "each", "judged", "name", "password", "pattern", "reach",
        "run", "starts", "told", "visible",
    )  # fmt: skip

    def __init__(
        self, name: str, anchors: tuple[bytes, ...], pattern: str, judged: bool = False,
        password: bool = False, also: tuple[bytes, ...] = (), told: bool = False,
        starts: tuple[bytes, ...] = (), run: int = 0, digits: int = 0, reach: int | None = None,
        visible: int = 0, each: str = "", columns: str = "",
    ) -> None:  # fmt: skip
        self.name, self.anchors, self.pattern = name, anchors, pattern
        self.judged, self.password, self.told = judged, password, told
        self.also, self.starts, self.reach = also, starts, reach
        self.run, self.digits, self.visible = run, digits, visible
        self.each, self.columns = each, columns


_IN_WORDS = frozenset(
    "password-option login-option secret-argument command-line-password command-line-secret "
    "told-password told-secret told-beside told-before authorization bearer-token netrc-password "
    "seed-phrase".split()
)
_WITH_BLANKS = frozenset(
    "private-key aws-key-pair cookie seed-phrase kubernetes-secret openssh-key putty-key app-password "
    "pgpass-password".split()
)


def is_in_words(pattern: SecretPattern) -> bool:
    """Whether what it finds may be told in a list, a word an item."""
    return pattern.name in _IN_WORDS


def is_solid(pattern: SecretPattern) -> bool:
    """Whether it finds what looks like a secret anywhere, without a blank in it."""
    return not (pattern.judged or pattern.told) and pattern.name not in _WITH_BLANKS


def mark(name: str, secret: str) -> str:
    """What stands for a secret of this kind."""
    return f"[redacted {name} {fingerprint(secret)}]"


def fingerprint(text: str, digits: int = 6) -> str:
    """So many hex digits that are the same for the same text, at any time and on any machine."""
    # Most texts hold no secret, and `mem add` waits for each import.
    from ..hashing import blake2s

    return blake2s(text.encode(errors="surrogatepass")).hexdigest()[:digits]


_COMPILED: dict[str, re.Pattern[str]] = {}


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern, compiled at its first use, in which classes mean ASCII."""
    if pattern not in _COMPILED:
        # Most texts hold no literal of any pattern, and `mem add` waits for each import.
        import re

        _COMPILED[pattern] = re.compile(pattern, re.ASCII)
    return _COMPILED[pattern]


def word(start: str) -> str:
    """The start of a word, or of what follows an escape of a text within a text: "\\nsk-…".

    It stands before what is looked back at, since a search skips quickly to what is literal.
    """
    return rf"{start}(?:(?<![A-Za-z0-9_-]{start})|(?<=\\[nrt]{start}))"


def part(start: str) -> str:
    """The start of a word, or of a part of one after an underscore or a dash."""
    return rf"{start}(?<![A-Za-z0-9]{start})"


SETTINGS, PROMPTS, FEEDS, PIPE = (".env", ".dev.vars"), ("$ ", "> ", "% ", "❯ ", "➜ "), ("<<", "<("), "|"
ANNOUNCING = (*SETTINGS, *PROMPTS, *FEEDS, PIPE)
"""Without any of which no line of a text tells that a secret follows."""

# Redactions stand as characters of a private plane while the patterns are at work.
PLACEHOLDERS = "\U00100000-\U0010fffd"
END = r"(?![A-Za-z0-9])"
QUOTES = r"""\\{0,4}["'`]?"""
SET = (
    rf"[0-9]{{0,2}}{QUOTES}[\])]?[ \t]{{0,8}}(?::=|=>|={{1,3}}|[:：＝]|\+=)[ \t]{{0,8}}"
    r"(?:\(?\\?(?:\r?\n[ \t]{0,40})?(?=[\"'])|\\\r?\n[ \t]{0,40})?"
)
PART_OF_VARIABLE = (
    r"(?:KEYS?|SECRETS?|TOKENS?|(?<![A-NP-Z])O?AUTH|SALT|PEPPER|PASS(?:WORD|WD|PHRASE)?|PWD|CREDENTIALS?)"
    r"(?![A-Z])"
)
ABOUT_A_SECRET = (
    r"(?:ID|NAME|TYPE|PATH|FILE|DIR|UR[IL]|ALG(?:ORITHM)?|LEN(?:GTH)?|SIZE|TTL|LIMIT|COUNT|PREFIX|HEADER"
    r"|VERSION|METHOD|MODE|HOST|PORT|USER|DOMAIN|ISSUER|AUDIENCE|FINGERPRINT|SOCK|LABEL|FIELD|COLUMN|INDEX"
    r"|FORMAT|REGEX|PATTERN|EXPIRY)"
)
VARIABLE = (
    rf"{PART_OF_VARIABLE}(?:_(?!{ABOUT_A_SECRET}"
    rf"(?![A-Z0-9_]))[A-Z0-9]{{1,30}}+){{0,6}}+[0-9_]{{0,3}}(?![A-Za-z0-9_])"
)
"""The rest of an upper-case name from what says that it is a secret's; not where it is only about one."""
BLOCK = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
