"""What it costs to look for secrets: in ordinary text, in floods made to be slow, and in a hook."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

from bench.report import Section, middle, ms, times
from memtui.store.text.prefilter import may_hold
from memtui.store.text.redaction import redact, scrub

SIZE = 262_144
"""Characters of a text."""

ROUNDS = 5
PROMISED = 30.0
"""Milliseconds for 64 KB."""

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
    """The slowest floods, by 64 KB, and what the hook's first look at all of them takes."""
    rows = []
    for flood in FLOODS:
        text = (flood * (SIZE // len(flood) + 1))[:SIZE]
        raw = text.encode()
        # Never the same text twice: one that was redacted lately is not read again.
        texts = (text + " " * number for number in count())
        took = times(lambda texts=texts: redact(next(texts)), ROUNDS)  # type: ignore[misc]
        quarter = middle(took) / (len(raw) / 65_536)
        look = middle(times(lambda raw=raw: may_hold(raw), ROUNDS))  # type: ignore[misc]
        rows.append((quarter, (f"`{flood!r}`", ms(quarter), ms(look))))
    rows.sort(reverse=True)
    return Section(
        "Redaction of floods",
        f"256 KB of one piece again and again, the ten slowest; promised are {PROMISED:g} ms for 64 KB. "
        "Milliseconds.",
        ("piece", "redacting 64 KB", "first look at all of it"),
        [row for _, row in rows[:10]],
    )


def ordinary() -> Section:
    """What scrubbing and the first look take of ordinary text."""
    code = "".join(
        path.read_text() for path in sorted((Path(__file__).parents[1] / "tui").rglob("*.py"))
    )
    lines = "42 passed in 3.14s; see src/app/main.py:17 <div> and https://example.org/a\n" * 4_000
    rows = []
    for name, text in (("code", code * 3), ("lines of a log", lines)):
        for size in (3_400, 100_000, 250_000):
            part = text[:size]
            raw = json.dumps({"tool_response": part}).encode()[:size]
            looks = middle(times(lambda raw=raw: may_hold(raw), 20))  # type: ignore[misc]
            texts = (part + " " * number for number in count())
            scrubs = middle(times(lambda texts=texts: scrub(next(texts)), 20))  # type: ignore[misc]
            answer = "yes" if may_hold(raw) else "no"
            rows.append((name, f"{size:,}", f"{looks:.3f}", answer, f"{scrubs:.3f}"))
    return Section(
        "Redaction of ordinary text",
        "Milliseconds of the hook's first look, whether it asks for a second one, and of scrubbing.",
        ("text", "bytes", "first look", "second look", "scrub"),
        rows,
    )
