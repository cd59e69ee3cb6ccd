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
    stands in a sentence, where only what no word looks like counts.
    """

    # A dataclass or a named tuple would cost `mem add` more than all of the table.
    __slots__ = (
        "also", "anchors", "digits", "judged", "name", "password", "pattern", "reach", "run", "starts",
        "told", "visible",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        anchors: tuple[bytes, ...],
        pattern: str,
        judged: bool = False,
        password: bool = False,
        also: tuple[bytes, ...] = (),
        told: bool = False,
        starts: tuple[bytes, ...] = (),
        run: int = 0,
        digits: int = 0,
        reach: int | None = None,
        visible: int = 0,
    ) -> None:
        self.name = name
        self.anchors = anchors
        self.pattern = pattern
        self.judged = judged
        self.password = password
        self.also = also
        self.told = told
        self.starts = starts
        self.run = run
        self.digits = digits
        self.reach = reach
        self.visible = visible


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


def any_of(characters: str) -> str:
    """One of these, as it is or as JSON within a text escapes it."""
    escaped = "|".join(f"{ord(character):04x}" for character in characters)
    return rf"(?:[{characters}]|\\{{1,8}}u(?i:{escaped}))"


SETTINGS, PROMPTS, FEEDS, PIPE = (".env", ".dev.vars"), ("$ ", "> ", "% ", "❯ ", "➜ "), ("<<", "<("), "|"
ANNOUNCING = (*SETTINGS, *PROMPTS, *FEEDS, PIPE)
"""Without any of which no line of a text tells that a secret follows."""

# Redactions stand as characters of a private plane while the patterns are at work.
PLACEHOLDERS = "\U00100000-\U0010fffd"
END = r"(?![A-Za-z0-9])"
QUOTES = r"""\\{0,4}["'`]?"""
SET = rf"[0-9]{{0,2}}{QUOTES}[\])]?[ \t]{{0,8}}(?::=|=>|={{1,3}}|[:：＝])[ \t]{{0,8}}"
SIGNS = (b":", b"=", "：".encode(), "＝".encode())
"""Of which one stands in each `SET`."""

BARE = rf"""(?:[^\s"'`\\,;&|<>(){{}}\[\]{PLACEHOLDERS}]|\\(?![nrtbfu"'`\\/]))"""
QUOTED = rf"""(?P<quote>["'`])(?P<secret>(?:(?!\\{{0,4}}(?P=quote))[^\r\n{PLACEHOLDERS}]){{1,4096}}+)"""
VALUE = rf"\\{{0,4}}(?:{QUOTED}|(?P<plain>{BARE}++))"
KEYS = (
    "api", "app", "auth", "access", "secret", "master", "shared", "client", "deploy",
    "private", "signing", "account", "service", "session", "storage", "license", "webhook",
    "consumer", "signature", "encryption",
)  # fmt: skip
"""Whose or what for a key is that is a secret: `api_key`, `privateKey`."""
# They begin with a set of letters, which is what a search is quick to skip to; what stands before is
# then looked back at, by names of equal length as a look behind demands.
KEY = "|".join(
    rf"(?<=(?i:{'|'.join(name for name in KEYS if len(name) == length)}){blank}.)"
    for length in sorted({len(name) for name in KEYS})
    for blank in ("", "[ _-]")
)
BEFORE_KEY = tuple(f"{name}{blank}key".encode() for name in KEYS for blank in ("", " ", "_", "-"))
SECRETS = r"[sStT](?i:(?<=s)ecret|(?<=t)oken)"
SECRET_KEYS = rf"[kK](?i:(?=ey(?:[_-]base)?[^a-z_-])(?:{KEY})ey(?:[_-]base)?)"
UPPER_KEYS = rf"K(?=EY(?:_BASE)?[0-9=])(?:{KEY})EY(?:_BASE)?"
PASSWORDS = (
    r"[pP](?:(?i:ass(?:word|wd|phrase|code)|(?<=[_-]p)ass|(?<![a-z].)wd)"
    r"|(?<![A-Za-z].)ass|(?<![A-Za-z].)ASS(?=[ \t]{0,8}=))"
)
UPPER_PASSWORDS = r"P(?:ASS(?:WORD|WD|PHRASE|CODE)|(?<![A-Za-z].)(?:ASS|WD))"
SERVICES = (
    "adafruit", "adobe", "airtable", "algolia", "alibaba", "asana", "beamer", "bitbucket",
    "bittrex", "codecov", "cohere", "coinbase", "confluent", "contentful", "droneci",
    "dropbox", "etsy", "facebook", "fastly", "finicity", "finnhu", "flickr", "freshbooks",
    "gitter", "gocardless", "hubspot", "intercom", "jfrog", "kraken", "kucoin",
    "launchdarkly", "linear", "linkedin", "lo", "looker", "mailgun", "mapbox",
    "mattermost", "meraki", "messagebird", "netlify", "nytimes", "okta", "plaid",
    "privateai", "rapidapi", "sendbird", "sentry", "snyk", "sonar", "squarespace",
    "sumologic", "travis", "twitch", "twitter", "typeform", "yandex", "zendesk",
)  # fmt: skip
"""Services whose keys have no form of their own: what is set to `NAME_key` is one."""
SERVICE_KEY = "|".join(
    rf"(?<=(?<![A-Za-z])(?i:{'|'.join(name for name in SERVICES if len(name) == length)}){between}(?i:key))"
    for length in sorted({len(name) for name in SERVICES})
    for between in ("", "[_-]", "[_-][_-]")
)
# A variable of an environment runs to the next blank, whatever is in it.
WORD = rf"(?P<plain>[^\s\"'`\\;${PLACEHOLDERS}][^\s\"'`\\;{PLACEHOLDERS}]*+)"
# What an option of a command is given, a word too: nobody names a variable or a type there.
GIVEN = (
    r"\\{0,4}(?P<quote>[\"'])?"
    rf"(?P<secret>(?:(?(quote)(?!\\{{0,4}}(?P=quote))[^\r\n{PLACEHOLDERS}]|{BARE})){{1,256}}+)"
)
ARGUMENTS = rf"(?=[ \t])[^\r\n;|&{PLACEHOLDERS}]{{0,128}}?"
PART_OF_VARIABLE = (
    r"(?:KEYS?|SECRETS?|TOKENS?|(?<![A-NP-Z])O?AUTH|SALT|PEPPER|PASS(?:WORD|WD"
    r"|PHRASE)?|PWD|CREDENTIALS?)(?![A-Z])"
)
ABOUT_A_SECRET = (
    r"(?:ID|NAME|TYPE|PATH|FILE|DIR|UR[IL]|ALG(?:ORITHM)?|LEN(?:GTH)?|SIZE|TTL|LIMIT|COUNT|PREFIX"
    r"|HEADER|VERSION|METHOD"
    r"|MODE|HOST|PORT|USER|DOMAIN|ISSUER|AUDIENCE|FINGERPRINT|SOCK|LABEL|FIELD|COLUMN|INDEX|FORMAT"
    r"|REGEX|PATTERN|EXPIRY)"
)
VARIABLE = (
    rf"{PART_OF_VARIABLE}(?:_(?!{ABOUT_A_SECRET}"
    rf"(?![A-Z0-9_]))[A-Z0-9]{{1,30}}+){{0,6}}+[0-9_]{{0,3}}(?![A-Za-z0-9_])"
)
"""The rest of an upper-case name from what says that it is a secret's; not where it is only about one."""
BLOCK = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
NAMES = (
    r"(?i:pass(?:word|wd|phrase|code)|pwd|secret|token|(?:api|access|auth|secret|private|signing"
    r"|encryption)"
    r"[_-]?key|credentials?|creds)"
)
"""Names of what holds a secret, at the end of a longer name."""
NAME_BEFORE = "|".join(
    f"(?<=(?i:{name}))"
    for name in (
        "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential",
        "credentials", "creds",
        *(f"{what}{sign}key" for what in "api access auth secret private signing encryption".split()
          for sign in ("", "[_-]")),
    )
)  # fmt: skip
"""The same, right before a place."""
BETWEEN = r"(?:\s|\\{1,8}[rnt]|[,\\\"'`])"
"""What stands between two items of a list or of an object, however often it is escaped."""
