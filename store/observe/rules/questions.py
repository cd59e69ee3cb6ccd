"""Questions that an agent put to the user, and what the user chose; the options that a reply offers, and
how its user takes one: by a number, a letter or a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...records.dataclasses import dataclass
from ...text.language.blocks import LEADING_LEVEL, blocks_of
from ...text.language.phrases import spoken_pattern
from ...text.late_pattern import late_pattern
from ...text.truncation import shortened
from .tool_output import parse_json
from .tools import ParsedToolUse, first_text

LONGEST = 20_000
"""Characters of an answer that are read."""
MOST = 8
"""Questions of one use that are told."""
QUESTION = ("question", "prompt", "message", "text", "title", "input", "header")
LABEL = ("label", "text", "title", "value", "name", "answer", "id")
"""The fields of a question, and of an option, that may hold its words."""

ANSWERED = late_pattern(r"\"((?:[^\"\\\n]|\\.){1,600})\"\s?=\s?\"((?:[^\"\\\n]|\\.){0,600})\"")
TAGGED = late_pattern(r"<(?:answer|feedback)>\s*(.*?)\s*</(?:answer|feedback)>", re.DOTALL)
LED = late_pattern(
    r"\A\s*(?:(?:the )?user (?:selected|responded|answered|chose|picked|replied|said)(?: with)?(?: option)?"
    r"|your questions have been answered|(?:selected|answer|response|choice)|用户(?:选择"
    r"|回答)了?)\s?[:：-]\s?",
    re.IGNORECASE,
)
NOT_ANSWERED = late_pattern(
    r"(?:user )?(?:declined|dismissed|skipped|cancell?ed|rejected|did not answer"
    r"|doesn't want|no answer|timed out)",
    re.IGNORECASE,
)


OF_THE_MOMENT = late_pattern(
    r"\b(?:what (?:would|do) you (?:like|want)(?: me)? to do|(?:do|would) you (?:want"
    r"|like)(?: me)? to (?:continue|proceed|go on|generate|see|review|commit|push|start|run|work on)"
    r"|how (?:should|shall|would you like me to|do you want(?: me)? to) (?:i|we)? ?(?:proceed|continue"
    r"|handle this)|more questions|next area|ready to|move on|shall (?:i|we)|proceed|go ahead|(?:can"
    r"|may) i\b|which (?:areas?|one|task|todo)s? (?:do|would|should|shall)|what(?:'s| is)? next"
    r"|where (?:should|shall) (?:i|we) start)\b|继续|下一步|接下来|现在(?:就)?(?:开始|提交)",
    re.IGNORECASE,
)
"""A question on what to do now, whose answer decides nothing that lasts."""
LEFT_OPEN = late_pattern(r"(?:you decide|up to you|no preference|skip|你决定|随便|跳过)\W*$", re.IGNORECASE)
EVADES = late_pattern(
    r"[?？]|^(?:h+m+|honestly|(?:i(?:'m| am) )?not sure|i (?:honestly |really )?(?:don't (?:know"
    r"|understand)|have no idea)|no idea|it depends"
    r"|well|there(?:'s| is| are)|from my understanding|as far as i know|you(?:'re| are| can| can't)"
    r"|i have|i haven't|不知道|不清楚|看情况)\b|\bdepends? on\b",
    re.IGNORECASE,
)
"""An answer in the user's own words that asks back or leaves the question open."""


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """A question to the user: its options (each with what it means), the answer, and what it is called in a
    word or two, "" for none."""

    text: str
    options: tuple[tuple[str, str], ...] = ()
    answer: str = ""
    header: str = ""

    @property
    def decides(self) -> bool:
        """Whether it was answered, and the answer holds for longer than the moment."""
        return (
            bool(self.answer)
            and not OF_THE_MOMENT.search(self.text)
            and not LEFT_OPEN.match(self.answer)
            and (any(label in self.answer for label, _ in self.options) or not EVADES.search(self.answer))
        )


def questions_of(use: ParsedToolUse) -> list[UserQuestion]:
    """Return the questions of a use of a tool that asks the user, with the answers that came."""
    asked = list(_asked(use.given))[:MOST]
    answers = _answers(use, asked)
    return [
        UserQuestion(text, options, answers[place], name if " " in name or name.istitle() else "")
        for place, (name, text, options) in enumerate(asked)
    ]


def told(questions: Sequence[UserQuestion], most: int = LONGEST) -> str:
    """Return questions, options and answers as a text; of one with more than `most` characters without what
    the options mean that weren't chosen."""
    text = "\n\n".join(_told(question, is_whole=True) for question in questions)
    if len(text) <= most:
        return text
    return "\n\n".join(_told(question, is_whole=False) for question in questions)


def _told(question: UserQuestion, *, is_whole: bool) -> str:
    lines = [question.text]
    for label, meaning in question.options:
        is_chosen = _is_chosen(label, question.answer)
        means = f": {meaning}" if meaning and (is_whole or is_chosen) else ""
        lines.append(f"{'*' if is_chosen else '-'} {label}{means}")
    return "\n".join([*lines, f"Answer: {question.answer or 'none'}"])


def choices_in(text: str) -> list[str]:
    """Return what was chosen in questions as they are `told`, those that decide nothing left out."""
    choices = []
    for part in text.split("\n\n"):
        question, *rest = part.split("\n")
        if any(line.startswith("…") for line in rest):
            continue  # the end of one question, and of another
        options = tuple((line[2:].partition(": ")[0], "") for line in rest if line[:2] in ("* ", "- "))
        answer = rest[-1].removeprefix("Answer: ") if rest and rest[-1].startswith("Answer: ") else ""
        if answer != "none" and UserQuestion(question, options, answer).decides:
            choices.append(f"{question} → {answer.replace(' (Recommended)', '')}")
    return choices


def _is_chosen(label: str, answer: str) -> bool:
    return answer == label or label in [part.strip() for part in answer.split(",")]


def _asked(given: Mapping[str, Any]) -> Iterator[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Yield the name, the text and the options of each question."""
    listed = parse_json(given.get("questions"))
    for item in listed if isinstance(listed, list) else [given]:
        if isinstance(item, str):
            yield "", " ".join(item.split()), ()
        elif isinstance(item, Mapping) and (text := first_text(item, QUESTION)):
            name = str(item.get("id") or item.get("header") or "")
            yield name, " ".join(text.split()), tuple(_options(item))


def _options(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field in ("options", "choices", "follow_up", "suggestions", "answers"):
        listed = item.get(field)
        if not isinstance(listed, list):
            continue
        for option in listed[:12]:
            if isinstance(option, str):
                yield option.strip(), ""
            elif isinstance(option, Mapping):
                meaning = option.get("description")
                if label := first_text(option, LABEL):
                    yield (label.strip(), " ".join(meaning.split()) if isinstance(meaning, str) else "")
        return


def _answers(use: ParsedToolUse, questions: Sequence[tuple[str, str, Any]]) -> list[str]:
    """Return the answer to each question, "" where none came."""
    response = parse_json(use.response)
    if isinstance(response, Mapping):
        answers = _of_object(response, questions)
        if any(answers):
            return answers
    text = use.output.text[:LONGEST]
    if use.output.failed or not text:
        return [""] * len(questions)
    pairs = {_plain(question): answer for question, answer in ANSWERED.findall(text)}
    if pairs:
        return [pairs.get(_plain(question), "") for _, question, _ in questions]
    inner = parse_json(text)
    if isinstance(inner, Mapping):
        return _of_object(inner, questions)
    if NOT_ANSWERED.match(text):
        return [""] * len(questions)
    tagged = TAGGED.findall(text)
    if tagged and len(questions) == 1:
        return [" ".join(tagged[-1].split())]
    lines = [line.strip() for line in LED.sub("", text).splitlines() if line.strip()]
    if len(questions) == 1:
        return [" ".join(lines)[:600]]
    return [lines[place] if len(lines) == len(questions) else "" for place in range(len(questions))]


def _of_object(response: Mapping[str, Any], questions: Sequence[tuple[str, str, Any]]) -> list[str]:
    """Return the answers in an object: by question, by name, by place, or the only one."""
    for name in ("answers", "answer", "responses", "response", "result", "selected", "metadata", "data"):
        held = response.get(name)
        if isinstance(held, Mapping):
            if name in ("metadata", "data", "result") and any(_of_object(held, questions)):
                return _of_object(held, questions)
            by_text = {_plain(str(key)): _answer(value) for key, value in held.items()}
            return [
                by_text.get(_plain(text)) or (by_text.get(_plain(key)) if key else "")
                or by_text.get(str(place)) or by_text.get(f"q{place + 1}") or ""
                for place, (key, text, _) in enumerate(questions)
            ]  # fmt: skip
        if isinstance(held, list) and len(held) == len(questions):
            return [_answer(item) for item in held]
        if isinstance(held, str) and held.strip() and len(questions) == 1 and name != "result":
            return [LED.sub("", held).strip()]
    return [""] * len(questions)


def _answer(value: object) -> str:
    """Return one answer as a text: a label, several, or an object that holds them."""
    if isinstance(value, str):
        return " ".join(value.removeprefix("user_note: ").split())
    if isinstance(value, list):
        return ", ".join(filter(None, map(_answer, value)))
    if isinstance(value, Mapping):
        for name in ("answers", "answer", "label", "value", "selected", "text", "option"):
            if answer := _answer(value.get(name)):
                return answer
    return ""


def _plain(text: str) -> str:
    return " ".join(text.replace('\\"', '"').split()).casefold()


ANY = re.IGNORECASE

OPTION_TEXT, BRIEF = 160, 40
"""Characters of an option that is told with the choice, and of one that says little by itself."""
ORDINALS = {
    "一": "1", "二": "2", "三": "3", "四": "4", "first": "1", "second": "2", "third": "3", "fourth": "4",
    "one": "1", "two": "2", "three": "3", "four": "4",
}  # fmt: skip
NAMED = spoken_pattern(
    r"^(?:option|approach|alternative|choice|plan|variant|方案|选项)\s*(?P<name>[1-9]|[a-h]\b|[一二三四])"
    r"(?!\s+(?:is|was|would|could|should|seems?|looks?|has|needs?|and|or|to|also)\b|\s*[是比更最和或与也])"
    r"\s*[:：.)、—–-]*\s*(?P<what>.*)", ANY,
)  # fmt: skip
LETTERED = spoken_pattern(r"^(?P<name>[1-9A-H]|[a-h](?=\)))\s*[:：.)]\s+(?P<what>.+)")
PLACES = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1, "former": 0, "latter": -1, "一": 0,
    "二": 1, "三": 2, "四": 3, "前者": 0, "后者": -1, "最后": -1,
}  # fmt: skip
"""Names of options by where they stand."""
NAME = spoken_pattern(
    r"(?<![a-z])(?:(?<=number |option )(?:one|two|three|four)|first|second|third|fourth|last|former|latter"
    r"|[1-9a-h])(?![a-z])|前者|后者|最后|[一二三四]",
    ANY,
)
_NAMES = rf"(?P<names>(?:{NAME.pattern})(?:(?: ?[,&+和、] ?| and | ?, and )(?:{NAME.pattern}))*)"
_CALLED = r"(?:option|approach|alternative|choice|plan|variant|version|number|one|way|path|route|solution)"
TAKES = spoken_pattern(
    rf"^(?!(?:first|second|third|fourth|last)\b(?! {_CALLED}))(?:given [^,]{{3,160}}, )?(?:(?:i|we)(?:'d"
    rf"|'ll)?[ ,]+"
    r"|(?:ok(?:ay)?|yes|yeah|sure|so|then|actually|hm+|let's|lets|would|will|also|really|just|please"
    r"|think|guess|say|feel|like|love|prefer|want|choose|pick|take|use|do|try|(?:go|going|vote|opt) for|go"
    r"|going|lean|leaning|with|to|at|look|towards?|the|my|choice is|vote is)[ ,]+)*"
    rf"(?:{_CALLED} ?)?#?{_NAMES}\)?(?: {_CALLED}\b)?"
    r"(?=[,;:.!–—]|$| -|(?! \w+ (?:\w+ ){0,3}(?:not|wrong|worse|too|done|fixed|missing|failing"
    r"|still)\b) (?:is|does|would|seems?|looks?|sounds?|feels?|works?|and (?:i|we|let's|then|also|please"
    r"|\w+ (?:it|the|this|that))|but|so|then|because|since|as|for|if|please|thanks|instead|after all|it is"
    r"|though)\b)|^(?![a-z]{2})(?:好的?|那么?|还是|我们?|就|觉得|选择?|用|按照?|采用|要|换成|改[用成]"
    r"|倾向于?|喜欢|支持|走|[，, ])*"
    rf"(?:方案|选项|第)? ?{_NAMES.replace('names', 'chinese')} ?(?:那?一?个|种|号|项|条)?"
    r"(?:方案)?(?=$|[，。,.!！；;]|吧|可以|好|行|不错|来|就|更|比较|最|合适)",
    ANY,
)
"""How somebody takes one of what an agent offers, or several, by numbers, letters or places."""
JOINED = late_pattern(r" ?[,&+和、] ?(?:and )?| and ")
GOES_ON = late_pattern(r"\s?(?:[,;.!–—，。；]|and\b|but\b)")
"""What ends that somebody takes an option, in a sentence that asks something else after it."""


def names_taken(text: str) -> list[str]:
    """Return the numbers, letters or places of the options that a sentence takes."""
    match = TAKES.match(text)
    if match is None or (text.endswith(("?", "？")) and not GOES_ON.match(text, match.end())):
        return []
    given = match.groupdict()
    return [name.lower() for name in JOINED.split(given.get("names") or given.get("chinese") or "")]


def options_of(reply: str, names: Sequence[str]) -> list[str]:
    """Return what a reply offers under some numbers, letters or places, "" for what it doesn't offer.
    What is called an option goes before the items of lists, of which the last so numbered counts."""
    called: dict[str, str] = {}
    numbered: dict[str, str] = {}
    blocks = blocks_of(reply)
    for at, block in enumerate(blocks):
        for line in block.text.split("\n") if block.kind == "paragraph" else [block.text]:
            if match := NAMED.match(line) or LETTERED.match(line):
                below = blocks[at + 1].text if block.kind == "heading" and blocks[at + 1 :] else ""
                is_told = len(match["what"]) >= BRIEF or below.endswith(("?", "？"))
                parts = (match["what"], "" if is_told else below)
                called.setdefault(_bare(match["name"]), " - ".join(filter(None, parts)))
        number, _, rest = block.text.partition(" | ")
        if block.kind == "row":
            numbered[number.lower()] = rest
        elif block.number and block.kind in ("bullet", "heading") and block.level in (0, 7, LEADING_LEVEL):
            numbered[block.number.lower()] = block.text
    known = numbered | called
    order = list(called or numbered)
    chosen = [_bare(name) if _bare(name) in known else _at(order, name) for name in names]
    texts = (" ".join(known.get(name, "").split()) for name in chosen)
    # Of a table's row the first two cells.
    return [
        shortened(" - ".join(text.split(" | ")[:2]).rstrip(" :：,").removesuffix(", or"), OPTION_TEXT)
        for text in texts
    ]


def _bare(name: str) -> str:
    return ORDINALS.get(name, name).lower()


def _at(order: Sequence[str], name: str) -> str:
    """Return the option that stands where a name says, "" for none."""
    place = PLACES.get(name, len(order))
    return order[place] if -len(order) <= place < len(order) else ""
