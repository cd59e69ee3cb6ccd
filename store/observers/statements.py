"""Whether a sentence states a fact, a decision or a preference, and what it states."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..records import FactKind
from .signs import (
    CHOICE,
    DO_NOT,
    FAILED_WORDS,
    HYPOTHETICAL,
    NEGATED,
    OTHERS_WORDS,
    QUESTION,
    SIGNS,
)

SHORTEST, LONGEST = 6, 400
"""Characters of a sentence that may be a statement; Chinese ones count double."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a sentence states."""

    content: str
    kind: FactKind
    confidence: float


UNQUOTED = re.compile(r"`[^`]*`|“[^”]*”|「[^」]*」|\"[^\"]*\"|(?<!\w)'[^']{3,}'(?!\w)")
WHOLLY_QUOTED = re.compile(r"^[\"“「'`].*[\"”」'`][.。!！]?$")
LEADS = re.compile(
    r"^(?:(?:ok(?:ay)?|well|so|also|and|but|oh|hm+|yes|no|btw|by the way|right|sure|then"
    r"|另外|还有|对了|好的?|嗯|那么?|所以|顺便|ps)[,，:：。!！ ]+){1,3}",
    re.IGNORECASE,
)
CODE = re.compile(
    r"[;{}]\s*$|^\s*(?:#|//|/\*|\$|>>>|<\w|@|import |from \w+ import|def |class |const "
    r"|let |var |func |return )|=>|:=|\)\s*\{|^\w+\([^)]*\)$"
)


def statement_of(sentence: str) -> Statement | None:
    """What a sentence states; None where it asks, supposes, denies, quotes, or states nothing."""
    text = LEADS.sub("", sentence.strip())
    size = len(text) + sum(1 for char in text if char > "\u2e7f")
    if not SHORTEST <= size <= LONGEST or CODE.search(text) or WHOLLY_QUOTED.match(text):
        return None
    if (
        FAILED_WORDS.search(text)
        or (QUESTION.search(text) and not DO_NOT.match(text))
        or text.endswith(("?", "？"))
    ):
        return None
    # What stands in quotes or code is told of, not said: no sign counts there.
    said = UNQUOTED.sub(lambda found: "“" + "_" * (len(found[0]) - 2) + "”", text)
    if (
        CHOICE.search(said)
        or HYPOTHETICAL.search(said)
        or NEGATED.search(said)
        or OTHERS_WORDS.search(said)
    ):
        return None
    for kind, confidence, sign in SIGNS:
        if found := sign.match(said):
            return _stated(text, kind, confidence, found)
    return None


def _stated(text: str, kind: FactKind, confidence: float, found: re.Match[str]) -> Statement | None:
    if "what" in found.re.groupindex:
        text = text[found.start("what") : found.end("what")]
        inner = statement_of(text)
        if inner is not None:
            # "Remember: always …" is the rule, and surer for being said so.
            return Statement(inner.content, inner.kind, max(confidence, inner.confidence))
    content = text.strip().rstrip(".。!！;；,，")
    size = len(content) + sum(1 for char in content if char > "\u2e7f")
    if size < SHORTEST:
        return None
    return Statement(content[:1].upper() + content[1:], kind, confidence)
