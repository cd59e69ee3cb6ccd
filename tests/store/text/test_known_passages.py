"""What was found clean before is not looked at again, and that changes nothing of what is found."""

import base64
import random
import re
import textwrap
from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from memtui.store.text.redaction import scrub, scrub_json
from memtui.store.text.secrets.patterns import PATTERNS
from memtui.store.text.secrets.search import FAR, REACH

from .sample_parts import letters
from .secret_samples import JWT, SAMPLES
from .test_clean_texts import one_by_one

KEY = "sk-ant-" + "api03-" + letters(60) + "4x7"
DASHES = "-" * 5
WORDS = "abandon ability able about above absent absorb abstract absurd abuse access accident".split()
BODY = [letters(64) for _ in range(24)]
PEM = [f"{DASHES}BEGIN RSA PRIVATE " + f"KEY{DASHES}", *BODY, f"{DASHES}END RSA PRIVATE " + f"KEY{DASHES}"]
HIDDEN = base64.b64encode((" ".join(WORDS * 60) + f" key {KEY} ").encode()).decode()
SPREAD = {
    "name above": ["the password:", "  x9y8z7w6v5u4"],
    "private key": PEM,
    "kubernetes": [
        "kind: Secret",
        "metadata:",
        *(f"  label{n}: some-name-{n}" for n in range(6)),
        "data:",
        "  a: " + letters(40) + "=",
    ],
    "kubernetes below": ["data:", *(f"  key{n}: {letters(40)}=" for n in range(60)), "kind: Secret"],
    "jwk": [
        '"kty": "RSA",',
        f'"n": "{letters(600)}",',
        f'"n2": "{letters(600)}",',
        f'"d": "{letters(86)}"',
    ],
    "seed": ["recovery phrase:", *WORDS],
    "broken key": textwrap.wrap(KEY, 12),
    "finely broken key": [KEY[:9], *KEY[9:]],
    "listed key": ["[", *(f'"{piece}",' for piece in textwrap.wrap(KEY, 3)), "]"],
    "broken token": textwrap.wrap(JWT.replace(".", letters(700) + ".", 1), 70),
    "encoded": textwrap.wrap(HIDDEN, 75),
    "settings": ["$ cat .env", *(f"NAME_{n}=v{n}x{n * 7919}q{n * 104729}" for n in range(40))],
    "here-document": [
        "gh secret set NAME <<EOF",
        *(f"line{n} {letters(9)}{n * 7919}" for n in range(30)),
        "EOF",
    ],
    "private": ["<private>", *(f"some words {n} of mine" for n in range(40)), "</private>"],
    "tag in parts": ["a <", "", "private >", "some words", "</private>"],
    "default": [
        'variable "db_password" {',
        *(f'  note{n} = "some words {n}"' for n in range(8)),
        '  default = "hunter-42x9"',
        "}",
    ],
}


def ordinary(first: int, number: int) -> list[str]:
    """Lines of a program, all different."""
    return [f"    item_{n} = compute(shape_{n}, {n})  # step {n}" for n in range(first, first + number)]


def without_memory(text: str) -> str:
    with one_by_one():
        return scrub(text)


@pytest.mark.parametrize("lines", SPREAD.values(), ids=SPREAD)
def test_what_is_spread_over_known_lines_is_found(lines: list[str]) -> None:
    before, after = ordinary(0, 60), ordinary(100, 60)
    text = "\n".join((*before, *lines, *after))
    expected = without_memory(text)
    assert expected != text
    step = max(1, len(lines) // 8)
    for at in range(0, len(lines), step):
        # All lines were seen, with each neighbour, but never all together.
        for part in (lines[:at], lines[at:], [*lines[:at], *lines[at + step :]]):
            less = "\n".join((*before, *part, *after))
            assert scrub(less) == without_memory(less)
    assert scrub(text) == expected
    assert scrub_json({"a": "\n".join(after), "text": text}) == {"a": "\n".join(after), "text": expected}


@pytest.mark.parametrize("seed", range(6))
def test_lines_in_any_order_are_cleaned_as_if_none_were_known(seed: int) -> None:
    chance = random.Random(seed)
    samples = chance.sample([one.around.replace("{}", one.secret) for one in SAMPLES.values()], 24)
    pieces = [line for text in samples for line in re.split(r"(?<=[ :=,])|\n", text) if line]
    pool = [*pieces, *(line for name in SPREAD for line in SPREAD[name]), "", "password:", "api_key =", "{"]
    lines = ordinary(1000 * seed, 150)
    for _ in range(40):
        at, length = chance.randrange(len(lines)), chance.randrange(1, 40)
        match chance.randrange(4):
            case 0:
                lines[at:at] = chance.choices(pool, k=chance.randrange(1, 4))
            case 1:
                del lines[at : at + length // 4]
            case 2:
                moved, lines[at : at + length] = lines[at : at + length], []
                lines[chance.randrange(len(lines)) :][:0] = moved
                lines += moved
            case _:
                lines[at:at] = chance.choice([*SPREAD.values()])[: chance.randrange(1, 30)]
        text = "\n".join(lines)
        assert scrub(text) == without_memory(text)


Width = tuple[int, bool, int, int, int]
"""Characters but blanks of a part of a pattern, whether a line may end in it, and such characters between
its first line end and its last, after its first, and before its last."""


def joined(parts: Iterable[Width]) -> Width:
    """The width of parts one after the other."""
    width, ends, inner, after, before = 0, False, 0, 0, 0
    for one, one_ends, one_inner, one_after, one_before in parts:
        if one_ends:
            inner = max(inner, one_inner, after + one_before if ends else 0)
            after, before = max(after + one if ends else 0, one_after), width + one_before
            ends = True
        elif ends:
            after += one
        width += one
    return width, ends, inner, after, before


def width_of(operation: Any, value: Any) -> Width:
    match str(operation):
        case "LITERAL":
            return int(not chr(value).isspace()), value == 10, 0, 0, 0
        case "IN":
            members = re.compile("[" + "".join(map(written, value)) + "]", re.ASCII)
            is_seen = any(map(members.match, map(chr, [*range(33, 127), 0xE9, 0x4E2D])))
            return int(is_seen), members.match("\n") is not None, 0, 0, 0
        case "NOT_LITERAL" | "ANY":
            return 1, True, 0, 0, 0
        case "BRANCH":
            return tuple(map(max, zip(*map(whole, value[1]), strict=True)))
        case "SUBPATTERN" | "ATOMIC_GROUP":
            return whole(value[3] if str(operation) == "SUBPATTERN" else value)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            one, times = whole(value[2]), min(int(value[1]), 10_000)
            if not one[1]:
                return one[0] * times, False, 0, 0, 0
            return joined(
                [one] * min(times, 3) + [(one[0] * max(0, times - 3), False, 0, 0, 0)] + [one] * (times > 3)
            )
        case "ASSERT":
            return whole(value[1]) if value[0] > 0 else (0, False, 0, 0, 0)
        case "GROUPREF_EXISTS":
            return tuple(map(max, zip(whole(value[1]), whole(value[2] or ()), strict=True)))  # type: ignore[return-value]
    return 0, False, 0, 0, 0


def whole(tree: Iterable[tuple[Any, Any]]) -> Width:
    return joined(width_of(*part) for part in tree)


def written(member: tuple[Any, Any]) -> str:
    """A member of a set as a pattern writes it."""
    kind, value = str(member[0]), member[1]
    if kind == "NEGATE":
        return "^"
    if kind == "CATEGORY":
        return {"SPACE": "\\s", "DIGIT": "\\d", "WORD": "\\w"}.get(str(value).partition("_")[2]) or {
            "NOT_SPACE": "\\S",
            "NOT_DIGIT": "\\D",
            "NOT_WORD": "\\W",
        }[str(value).partition("_")[2]]
    return "-".join(re.escape(chr(one)) for one in (value if kind == "RANGE" else (value,)))


def test_no_other_kind_reaches_farther_than_two_passages() -> None:
    # `may_reach_far` knows the first two by other signs; a block ends with its value.
    excepted = ("kubernetes-secret", "seed-phrase", "block-value")
    for pattern in PATTERNS:
        reach = whole(_parser.parse(pattern.pattern, re.ASCII))[2]
        is_far = not {*FAR}.isdisjoint((*pattern.anchors, *pattern.also))
        assert reach <= REACH or is_far or pattern.name in excepted, pattern.name
