"""What it costs to look for secrets: in ordinary text, and in floods made to be slow."""

import sysconfig
from itertools import count
from pathlib import Path

from bench.report import Section, middle, ms, times
from memtui.store.text.redaction import redact, scrub

SIZE = 262_144
"""Characters of a text."""

ROUNDS = 5
PROMISED = 30.0
"""Milliseconds for 64 KB."""

MOST = 20.0
"""Milliseconds for 100 KB of source code."""

# Every pattern starts to match again and again here, and none comes to an end cheaply.
FLOODS = (
    "password=", "eyJ", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "a", "A_", "://", "://a:", "sk-",
    'password="', "password='\\\"", "password=abcd1 ", "api_key: ", "token=${", "\\", "authorization: ",
    "bearer ", "cookie: a=", "--a", "--api-key ", "login a password ", "password>a", "herokuheroku",
    "cloudflare-", "discord M", "&sig=", "aaa8Q~", "0a1b", "eyJaaaaaaaaaaaaaaaaa.", "密码是abcd ",
    "AKIAAAAAAAAAAAAAAAAA ", "paypalE", "paypal E", "curl -u a:", "mysql -p", "mysql ", "sshpass -p ",
    "login -p ", "login ", "identified by '", "authorization: aaa ", "machine a password ", "KEY=",
    "zendesk_key ", "zendesk key =", "ABSKaaaaaaaaaaaaaaaaaa", "_mmk aaaaaa_aaaaaaaaaaaaaaaa", "tk-us-a",
    "api key", "key-", "token", "secret_", "[redacted ", "\n", " ",
    "%70", "\\x70", "&#112;", "cGFzc3dvcmQ9", "70617373", "a\n", "kind: Secret\ndata:\n", "password for a ",
    "name: token\nvalue", '","', "%%%25", "seed abandon ",
)  # fmt: skip


def measure() -> list[Section]:
    """Both tables."""
    return [floods(), ordinary()]


def floods() -> Section:
    """The slowest floods, by 64 KB."""
    rows = []
    for flood in FLOODS:
        text = (flood * (SIZE // len(flood) + 1))[:SIZE]
        # Never the same text twice: one that was redacted lately is not read again.
        texts = (text + " " * number for number in count())
        took = times(lambda texts=texts: redact(next(texts)), ROUNDS)  # type: ignore[misc]
        quarter = middle(took) / (len(text.encode()) / 65_536)
        rows.append((quarter, (f"`{flood!r}`", ms(quarter))))
    rows.sort(reverse=True)
    return Section(
        "Redaction of floods",
        f"256 KB of one piece again and again, the ten slowest; promised are {PROMISED:g} ms for 64 KB. "
        "Milliseconds.",
        ("piece", "redacting 64 KB"),
        [row for _, row in rows[:10]],
    )


def ordinary() -> Section:
    """What scrubbing takes of ordinary text, of which all of Python's own source code."""
    sources = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    code = [path.read_text("utf-8", "replace") for path in sources]
    lines = "42 passed in 3.14s; see src/app/main.py:17 <div> and https://example.org/a\n" * 4_000
    rows = []
    for name, texts in (("source code", code), ("lines of a log", [lines[:100_000]])):
        size = sum(map(len, texts))
        numbers = count()
        took = times(
            lambda texts=texts, numbers=numbers: [  # type: ignore[misc]
                scrub(f"{one}{next(numbers)}") for one in texts
            ],
            ROUNDS,
        )
        rows.append((name, f"{size:,}", ms(middle(took) / (size / 100_000)), f"{MOST:g}"))
    return Section(
        "Redaction of ordinary text",
        "Milliseconds of scrubbing 100 KB.",
        ("text", "characters", "100 KB", "hold at most"),
        rows,
    )
