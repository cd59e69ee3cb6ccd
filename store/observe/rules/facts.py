"""Facts and preferences that a text states outright: "we decided to …", "always …", "记住 …".

Questions, what might be, what was not decided, what holds for this turn alone, and what is quoted, pasted
or code is none of it. What a user orders ("always …") is a fact; of an assistant the same is advice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...records.dataclasses import dataclass, replace
from ...records.rows import FactKind, Speaker
from ...text.language.blocks import Sentence, sentences_of
from ...text.language.phrases import CHINESE_DECIDED, WE_DECIDED, spoken_pattern
from ...text.language.same import Gist, gist
from ...text.language.scripts import FIRST_WIDE, has_unspaced, size_of
from ...text.language.sentences import split_sentences
from . import sentence_patterns as patterns
from .answers import advice_taken, numbered_answer, one_of_two, option_taken
from .own_words import own_words
from .plain_speech import BACK, RETRACTS, Choice, choice_of
from .sentence_patterns import HELD, REMEMBER, RULES, TAKEN_BACK, Sign

MOST_ENTITIES = 8
LONGEST_ENTITY = 60

CODE_NAME = spoken_pattern(r"`([^`\n]{1,60})`")
QUOTED = spoken_pattern(r"“([^”\n]{2,40})”|「([^」\n]{2,40})」|《([^》\n]{2,40})》|\"([^\"\n]{2,40})\"")
PATH = spoken_pattern(
    r"(?<![\w/`])(?:~?/|\./)?[\w.\-]+(?:/[\w.\-]+)+|(?<![\w/.])[\w\-]+\.(?:py|js|jsx|ts"
    r"|tsx|go|rs|java|rb|md|sql|sh|toml|ya?ml|json|css|html|c|cpp|h|cs|kt|swift|php)\b"
)
CAMEL = spoken_pattern(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[a-z]+[A-Z][A-Za-z0-9]*)\b")
SNAKE = spoken_pattern(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b")

SHORTEST, LONGEST = 6, 400
"""Characters of a sentence that can state a fact; Chinese ones count double."""


UNQUOTED = spoken_pattern(r"`[^`]*`|“[^”]*”|「[^」]*」|\"[^\"]*\"|(?<!\w)'[^']{3,}'(?!\w)")
WHOLLY_QUOTED = spoken_pattern(r"^[\"“「'`].*[\"”」'`][.。!！]?$")
LEADS = spoken_pattern(
    r"^(?:(?:ok(?:ay)?|k|m+k|well|so|also|and|but|oh|u?h+m+|hm+|yes|ye[aps]h?|yup|nope|btw"
    r"|no(?=[,，:：。.!！…]| (?:use|keep|leave|make|put|just|let's|lets|please|we|i|you|it)\b)"
    r"|rather not(?=[,，.:])|thinking (?:again|about it)(?: more)?|by the way|right|不(?=[，,。])"
    r"|(?:scratch|forget|strike) that|on second thoughts?|no,? wait|wait|sorry|算了|等等|sure|then|great"
    r"|good|nice|cool|perfect|fine|alright|thanks|thank you|actually|sounds good|makes sense|got it|i see"
    r"|one more thing|also please|另外|还有|对了|好的?|嗯|那么?|所以|顺便|谢谢|可以|行|但是?|不过"
    r"|ps)(?:[,，:：。.!！… ]+|(?<=[但过是])(?=[不别只禁]))){1,3}|^/[\w-]+(?::[\w-]+)* +",
    re.IGNORECASE,
)
FILLER = spoken_pattern(r"^like (?=(?:it|there|if|when|we)\b)", re.IGNORECASE)
CODE = spoken_pattern(
    r"[;{}]\s*$|^\s*(?:#|//|/\*|\$|>>>|<\w|@|import |from \w+ import|def |class |const "
    r"|let (?=[\w{\[, ]+=)|var |func |return )|=>|:=|\)\s*\{|^\w+\([^)]*\)$"
)

SHORT_PROMPT = 300
"""Characters of a prompt that may be an answer."""
DEEP = 2
"""The depth of lists from which on nobody types."""
MOST_FACTS = 40
"""Facts of one text, at most."""

ENDS = " .。!！;；,，"
CUE = spoken_pattern(
    r"decid|decision|settled|final|agreed|chose|opted|committed to|always|never|remember|note|mind|record"
    r"|fyi|now on|from here|going forward|future|henceforth|every|prefer|like to|insist|preference"
    r"|convention|rule|style|policy|standard|don't|do not|stop|must|instead of|rather than|go with"
    r"|going with|stick|settle|switch|migrat|moved|dropped|drop support|no longer|uses?\b|runs?\b|requires?"
    r"|targets?|depends|supports?|written|built|hosted|deploy|based|lives?\b|write"
    r"|use "
    rf"|(?-i:[{FIRST_WIDE}-\uffff])",
    re.IGNORECASE,
)
"""Without any of these no pattern matches; most prompts have none."""

WEIGHT: dict[Speaker, float] = {"user": 1.0, "assistant": 0.7}
"""How much a statement counts, by who makes it."""

SIGNS: dict[Speaker, tuple[Sign, ...]] = {
    "user": (*REMEMBER, *HELD, *RULES, *TAKEN_BACK),
    "assistant": HELD,
}
ENGLISH_SIGNS: dict[Speaker, tuple[Sign, ...]] = {
    speaker: tuple(sign for sign in signs if not has_unspaced(sign[2].pattern))
    for speaker, signs in SIGNS.items()
}
"""Those that a text without Chinese characters can match."""
THINKS = spoken_pattern(
    r"\bi (?:think|guess)\b|^i(?: would|'d) (?:really |also )?(?:like|prefer|rather not)\b", re.IGNORECASE
)
CLAUSES = spoken_pattern(
    r"\s+[-–—]\s+|\s*[,;:]\s+(?:and|but|so)\s+|\s+,\s+|[,:]\s+(?=(?:we|i) (?:do|don't|want)\b)"
)
"""Where who types without stops begins another sentence."""
FRAGMENT = spoken_pattern(r"^(?:always|never) \w+$", re.IGNORECASE)
OF_ITSELF = spoken_pattern(
    rf"^(?:personally,? )?(?:I(?:'d|'ve)? |my |我(?!们))(?!.*\b(?:{WE_DECIDED})\b|.*(?:{CHINESE_DECIDED}))",
    re.IGNORECASE,
)
"""An assistant's own taste, which is nobody's rule."""
BY_HEART = spoken_pattern(r"(?:please |also |and )*(?:remember|keep in mind|bear in mind)", re.IGNORECASE)
SHORTEST_STATEMENT = 4
"""Words of what somebody wants to be remembered, though its verb isn't known here."""
LISTS_NEXT = spoken_pattern(
    r"\b(?:these|the following|as follows)\b|^(?:for|on|in|re|as for) #?\d+\b|以下|如下", re.IGNORECASE
)
FOREIGN_HEADING = spoken_pattern(
    r"\b(?:example|quote|output|log|error|transcript|all user messages)s?\b|示例|例子|报错|日志",
    re.IGNORECASE,
)


def entities_of(text: str) -> tuple[str, ...]:
    """Return at most eight names in a text, each once, as they are written there."""
    entities: dict[str, str] = {}
    for pattern in (CODE_NAME, QUOTED, PATH, CAMEL, SNAKE, patterns.KNOWN_TOOLS):
        for match in pattern.finditer(text):
            name = next((part for part in match.groups() if part), match[0]).strip(" .,;:，。")
            if (
                name
                and len(name) <= LONGEST_ENTITY
                and not any(name.lower() in other for other in entities)
            ):
                entities[name.lower()] = name
    return tuple(entities.values())[:MOST_ENTITIES]


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """A fact that a text states, with the entities that it is about; `kind` is W, B, O or S,
    `confidence` 0 to 1. `is_agreed`: an agent proposed it, and the user took it. `is_change`: it holds only
    in the place of something."""

    content: str
    kind: FactKind
    entities: tuple[str, ...]
    confidence: float
    is_agreed: bool = False
    is_change: bool = False


def fact_of(sentence: str, speaker: Speaker = "user") -> ExtractedFact | None:
    """Return the fact that a sentence states; None where it asks, supposes, denies or quotes."""
    text = LEADS.sub("", sentence.strip())
    size = size_of(text)
    if not SHORTEST <= size <= LONGEST or CODE.search(text) or WHOLLY_QUOTED.match(text):
        return None
    if text.endswith(("?", "？", ":", "：")):
        return None
    # Patterns don't count in quotes or code, which are about something else.
    unquoted = UNQUOTED.sub(_masked, text)
    statement = unquoted.rstrip(ENDS)
    for sign in (SIGNS if has_unspaced(statement) else ENGLISH_SIGNS)[speaker]:
        if match := sign[2].match(statement):
            if _is_no_statement(text, unquoted):
                return None
            return _stated(text, sign, match, speaker)
    return None


def _masked(match: re.Match[str]) -> str:
    return "“" + "_" * (len(match[0]) - 2) + "”"


def _is_no_statement(text: str, unquoted: str) -> bool:
    """Return whether a sentence asks, supposes, denies, quotes, or reports a fault."""
    return bool(
        patterns.FAILED_WORDS.search(text)
        or patterns.QUESTION.search(text)
        or patterns.CHOICE.search(unquoted)
        or patterns.HYPOTHETICAL.search(unquoted)
        or patterns.NEGATED.search(unquoted)
        or patterns.OTHERS_WORDS.search(unquoted)
    )


def _stated(text: str, sign: Sign, match: re.Match[str], speaker: Speaker) -> ExtractedFact | None:
    kind, confidence, _ = sign
    phrase = match.string
    if "what" in match.re.groupindex:
        text = text[match.start("what") : match.end("what")]
        inner = fact_of(text, speaker)
        if inner is not None:
            # "Remember: always …" states the rule, with more confidence.
            return replace(inner, confidence=max(confidence, inner.confidence))
        phrase = match["what"]
        if sign in REMEMBER and (patterns.PASSING.search(phrase) or not _states(phrase, match[0])):
            return None
    if LISTS_NEXT.search(phrase):
        return None
    if (
        FRAGMENT.match(phrase)
        or patterns.DEICTIC.search(phrase)
        or (sign not in (*HELD, *TAKEN_BACK) and patterns.MOMENTARY.search(phrase))
    ):
        return None
    content = text.strip().rstrip(".。!！;；,，")
    if size_of(content) < SHORTEST:
        return None
    content = content[:1].upper() + content[1:]
    return ExtractedFact(content, kind, entities_of(content), confidence)


def _states(clause: str, whole: str) -> bool:
    """Return whether what is to be remembered is a statement and no fragment."""
    if patterns.STATES.search(clause):
        return True
    return bool(BY_HEART.match(whole)) and len(clause.split()) >= SHORTEST_STATEMENT


def extract(text: str, speaker: Speaker = "user", before: str = "") -> list[ExtractedFact]:
    """Return the facts and preferences that a prompt of the user's, or a reply of the assistant's,
    states, in order; of those that say the same the last, in the place of the first. At most `MOST_FACTS`.
    `before` is the reply that a prompt answers, "" for none.
    """
    if speaker == "user":
        text = own_words(text)
        if before and (advice := advice_taken(text, before)):
            return [_of_choice(advice)]
    elif not CUE.search(text):
        return []
    facts: list[ExtractedFact] = []
    gists: list[Gist] = []
    for sentence in sentences_of(text):
        answer = numbered_answer(sentence.number, sentence.text, before) if sentence.number else None
        if answer:
            facts.append(_of_choice(answer))
            gists.append(gist(answer.what))
            continue
        for part in _parts(sentence, speaker):
            if (speaker == "assistant" and OF_ITSELF.match(part)) or FOREIGN_HEADING.search(
                sentence.heading
            ):
                continue
            fact = fact_of(part, speaker)
            if fact is None and speaker == "user" and sentence.level < DEEP:
                clauses = (part, *(CLAUSES.split(part)[1:] if CLAUSES.search(part) else ()))
                chosen = (_chosen(clause, before, text, is_bullet=sentence.is_bullet) for clause in clauses)
                fact = next(filter(None, chosen), None)
            if fact:
                weighed = replace(fact, confidence=round(fact.confidence * WEIGHT[speaker], 2))
                own = gist(fact.content)
                same = (place for place, other in enumerate(gists) if own.says_the_same(other))
                if (place := next(same, None)) is None:
                    facts.append(weighed)
                    gists.append(own)
                else:
                    facts[place], gists[place] = weighed, own
        if len(facts) >= MOST_FACTS:
            break
    return facts[:MOST_FACTS]


def _chosen(sentence: str, before: str, prompt: str, *, is_bullet: bool) -> ExtractedFact | None:
    """Return what a sentence of a user's prompt chooses or wants in plain speech."""
    said = FILLER.sub("", sentence.strip())
    if RETRACTS.match(said.rstrip(ENDS)):
        return _of_choice(Choice(said.rstrip(ENDS), "B", 0.7, is_change=True))
    text = LEADS.sub("", said)
    unquoted = UNQUOTED.sub(_masked, text)
    is_short = len(prompt) <= SHORT_PROMPT and not is_bullet
    is_whole, is_first = said == prompt.strip(), prompt.lstrip().startswith(said)
    bare = unquoted.strip(ENDS)
    choice = option_taken(bare, before) or (one_of_two(bare, before) if is_short and is_first else None)
    if choice:
        return _of_choice(choice)
    meant = THINKS.sub("", unquoted).strip().rstrip(ENDS)
    if (
        CODE.search(text)
        or WHOLLY_QUOTED.match(text)
        or patterns.FAILED_WORDS.search(text)
        or patterns.OTHERS_WORDS.search(unquoted)
        or patterns.HYPOTHETICAL.search(meant)
        or patterns.QUESTION.search(text)
        or patterns.DEICTIC.search(meant)
        or patterns.CHOICE.search(unquoted)
    ):
        return None
    # "Yes, …" answers; what stands behind it alone may not.
    for name in (text, said):
        if choice_of(
            UNQUOTED.sub(_masked, name), before, is_short=is_short, is_whole=is_whole, is_first=is_first
        ):
            is_all = is_whole and name is text
            choice = choice_of(name, before, is_short=is_short, is_whole=is_all, is_first=is_first)
        if choice:
            break
    if choice is None and BACK.match(said):
        choice = Choice(text, "B", 0.7, is_change=True)
    return _of_choice(choice) if choice else None


def _of_choice(choice: Choice) -> ExtractedFact:
    content = choice.what[:1].upper() + choice.what[1:]
    entities = entities_of(content)
    return ExtractedFact(
        content, choice.kind, entities, choice.confidence, choice.is_agreed, choice.is_change
    )


def _parts(sentence: Sentence, speaker: Speaker) -> Iterable[str]:
    """Return the sentences of a bullet, and those of a user who begins them with small letters."""
    if speaker == "user":
        *parts, last = split_sentences(sentence.text, is_typed=True, at_semicolons=True) or [""]
        return [*(part.rstrip(";") for part in parts), last]
    return split_sentences(sentence.text) if sentence.is_bullet else [sentence.text]
