"""Facts and preferences that a text states outright: "we decided to …", "always …", "记住 …".

Questions, what might be, what was not decided, and what is quoted or code is none of it.
"""

from __future__ import annotations

import re

from ...records import FactKind
from ...records.dataclasses import dataclass, replace
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
"""Characters of a sentence that can state a fact; Chinese ones count double."""


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
"""Facts of one text, at most."""


def entities_of(text: str) -> tuple[str, ...]:
    """Return at most eight names in a text, each once, as they are written there."""
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
class ExtractedFact:
    """A fact that a text states, with the entities that it is about; `kind` is W, B, O or S,
    `confidence` 0 to 1."""

    content: str
    kind: FactKind
    entities: tuple[str, ...]
    confidence: float


def fact_of(sentence: str) -> ExtractedFact | None:
    """Return the fact that a sentence states; None where it asks, supposes, denies or quotes."""
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
    # Patterns don't count in quotes or code, which are about something else.
    unquoted = UNQUOTED.sub(lambda found: "“" + "_" * (len(found[0]) - 2) + "”", text)
    if (
        CHOICE.search(unquoted)
        or HYPOTHETICAL.search(unquoted)
        or NEGATED.search(unquoted)
        or OTHERS_WORDS.search(unquoted)
    ):
        return None
    for kind, confidence, sign in SIGNS:
        if found := sign.match(unquoted):
            return _stated(text, kind, confidence, found)
    return None


def _stated(
    text: str, kind: FactKind, confidence: float, found: re.Match[str]
) -> ExtractedFact | None:
    if "what" in found.re.groupindex:
        text = text[found.start("what") : found.end("what")]
        inner = fact_of(text)
        if inner is not None:
            # "Remember: always …" states the rule, with more confidence.
            return replace(inner, confidence=max(confidence, inner.confidence))
    content = text.strip().rstrip(".。!！;；,，")
    size = len(content) + sum(1 for char in content if char > "\u2e7f")
    if size < SHORTEST:
        return None
    content = content[:1].upper() + content[1:]
    return ExtractedFact(content, kind, entities_of(content), confidence)


def extract(text: str) -> list[ExtractedFact]:
    """Return the facts and preferences that a text states, each once, in order; at most `MOST_FACTS`."""
    found: dict[str, ExtractedFact] = {}
    for sentence in sentences_of(text):
        if fact := fact_of(sentence.text):
            found.setdefault(fact.content.casefold(), fact)
        if len(found) == MOST_FACTS:
            break
    return list(found.values())
