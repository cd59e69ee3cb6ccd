"""Questions that an agent put to the user, and what the user chose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...records.dataclasses import dataclass
from ...text.late_pattern import late_pattern
from .tool_output import parse_json
from .tools import ParsedToolUse

LONGEST = 20_000
"""Characters of an answer that are read."""
MOST = 8
"""Questions of one use that are told."""

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
    r"[?？]|^(?:h+m+|honestly|i(?:'m| am) not sure|not sure|i don't (?:know|understand)|no idea|it depends"
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
        elif isinstance(item, Mapping):
            text = next(
                (
                    value
                    for name in ("question", "prompt", "message", "text", "title", "input", "header")
                    if isinstance(value := item.get(name), str) and value.strip()
                ),
                "",
            )
            if text:
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
                label = next(
                    (
                        value
                        for name in ("label", "text", "title", "value", "name", "answer", "id")
                        if isinstance(value := option.get(name), str) and value.strip()
                    ),
                    "",
                )
                meaning = option.get("description")
                if label:
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
