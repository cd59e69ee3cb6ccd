"""Facts and preferences that a text states outright: "we decided to …", "always …", "记住 …".

Questions, what might be, what was not decided, and what is quoted or code is none of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...records import FactKind
from .fact_patterns import (
    CHOICE,
    DO_NOT,
    FAILED_WORDS,
    HYPOTHETICAL,
    KNOWN_TOOLS,
    NEGATED,
    OTHERS_WORDS,
    QUESTION,
    SIGNS,
)
from .prose import sentences_of

MOST_ENTITIES = 8
LONGEST_ENTITY = 60

CODE_NAME = re.compile(r"`([^`\n]{1,60})`")
QUOTED = re.compile(r"“([^”\n]{2,40})”|「([^」\n]{2,40})」|《([^》\n]{2,40})》|\"([^\"\n]{2,40})\"")
PATH = re.compile(
    r"(?<![\w/`])(?:~?/|\./)?[\w.\-]+(?:/[\w.\-]+)+|(?<![\w/.])[\w\-]+\.(?:py|js|jsx|ts"
    r"|tsx|go|rs|java|rb|md|sql|sh|toml|ya?ml|json|css|html|c|cpp|h|cs|kt|swift|php)\b"
)
CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[a-z]+[A-Z][A-Za-z0-9]*)\b")
SNAKE = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b")

SHORTEST, LONGEST = 6, 400
"""Characters of a sentence that may be a statement; Chinese ones count double."""


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

MOST_FACTS = 40
"""Facts of one text."""


def entities_of(text: str) -> tuple[str, ...]:
    """The names in a statement, each once, as they are written there; at most eight."""
    found: dict[str, str] = {}
    for pattern in (CODE_NAME, QUOTED, PATH, CAMEL, SNAKE, KNOWN_TOOLS):
        for match in pattern.finditer(text):
            name = next((part for part in match.groups() if part), match[0]).strip(" .,;:，。")
            if (
                name
                and len(name) <= LONGEST_ENTITY
                and not any(name.lower() in other for other in found)
            ):
                found[name.lower()] = name
    return tuple(found.values())[:MOST_ENTITIES]


@dataclass(frozen=True, slots=True)
class Statement:
    """What a sentence states."""

    content: str
    kind: FactKind
    confidence: float


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


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """What a text holds true: its kind (W, B, O or S), what it is about, and how sure that is (0 to 1)."""

    content: str
    kind: FactKind
    entities: tuple[str, ...]
    confidence: float


def extract(text: str) -> list[ExtractedFact]:
    """The facts and preferences that a text states, each once, in their order."""
    found: dict[str, ExtractedFact] = {}
    for line in sentences_of(text):
        if told := statement_of(line.text):
            fact = ExtractedFact(
                told.content, told.kind, entities_of(told.content), told.confidence
            )
            found.setdefault(fact.content.casefold(), fact)
        if len(found) == MOST_FACTS:
            break
    return list(found.values())
