"""Read a model's answer leniently: JSON in code fences, in prose or with a comma too many is JSON
still.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...providers.errors import ProviderError
from ...records.dataclasses import dataclass
from ...translation import _
from .question import SUMMARY, Question

LONGEST = {"title": 200, "subtitle": 400, "narrative": 4_000, "type": 30}
LONGEST_ITEM = 400
MOST_ITEMS = 12
MOST_LASTING = 5
MOST_TRIES = 20
"""Braces from which reading is tried, at most."""

COMMA = r",(?=\s*[}\]])"
STRING_OR_COMMA = re.compile(rf'"(?:[^"\\]|\\.)*+(?:"|(?P<unclosed>\\?\Z))|{COMMA}', re.DOTALL)
"""A string that nothing closes is read to the end once, and not again from each quote in it."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The fields of an observation by the id of its event, and those of the summary; statements that
    last (`lasting`), and the ids of facts of the rules' that nobody stated (`wrong`)."""

    observations: dict[int, dict[str, Any]]
    summary: dict[str, str] | None
    lasting: tuple[str, ...] = ()
    wrong: tuple[int, ...] = ()


def read_answer(text: str, question: Question) -> ModelAnswer:
    """Read an answer's observations of the events that were asked about, and its summary. Raises
    ProviderError ("invalid")."""
    if not text.strip():
        raise ProviderError("invalid", _("The answer is empty."), spent=True)
    for document in _documents(text):
        if (answer := _understood(document, question)) is not None:
            return answer
    begun = " ".join(text.split())[:80]
    raise ProviderError(
        "invalid", _("The answer is not the JSON asked for: {begun!r}.", begun=begun), spent=True
    )


def _documents(text: str) -> Iterator[Any]:
    """Yield every JSON document in a text, the outermost first."""
    decoder = json.JSONDecoder()
    mended = STRING_OR_COMMA.sub(_without_comma, text)
    for source in dict.fromkeys((text, mended)):
        place = 0
        for _try in range(MOST_TRIES):
            begin = re.compile(r"[{\[]").search(source, place)
            if begin is None:
                break
            try:
                result, place = decoder.raw_decode(source, begin.start())
            except (ValueError, RecursionError):
                place = begin.start() + 1
                continue
            yield result


def _without_comma(match: re.Match[str]) -> str:
    if match["unclosed"] is not None:
        return re.sub(COMMA, "", match[0])
    return "" if match[0] == "," else match[0]


def _understood(answer: Any, question: Question) -> ModelAnswer | None:
    if isinstance(answer, list):
        answer = {"observations": answer}
    if not isinstance(answer, Mapping) or not answer.keys() & {"observations", "summary"}:
        return None
    listed = answer.get("observations")
    observations = {
        int(item["id"]): fields
        for item in (listed if isinstance(listed, list) else [])
        if isinstance(item, Mapping)
        and _is_id(item.get("id"), question)
        and (fields := _observation(item)) is not None
    }
    summary = _summary(answer.get("summary")) if question.wants_summary else None
    said_nothing = not observations and bool(listed)
    if said_nothing or (not isinstance(listed, list) and summary is None):
        return None
    wrong = answer.get("wrong")
    return ModelAnswer(
        observations,
        summary,
        tuple(_items(answer.get("lasting"))[:MOST_LASTING]) if question.wants_summary else (),
        tuple(item for item in (wrong if isinstance(wrong, list) else []) if item in question.facts),
    )


def _is_id(value: Any, question: Question) -> bool:
    is_number = isinstance(value, int) or (isinstance(value, str) and value.isdecimal())
    return is_number and int(value) in question.ids


def _observation(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    texts = {name: _text(entry.get(name), most) for name, most in LONGEST.items()}
    if not texts["title"]:
        return None
    fields: dict[str, Any] = {name: text for name, text in texts.items() if text}
    if "type" in fields:
        fields["type"] = fields["type"].lower()
    for name in ("facts", "concepts"):
        if kept := _items(entry.get(name))[:MOST_ITEMS]:
            fields[name] = kept
    return fields


def _items(listed: Any) -> list[str]:
    items = [_text(item, LONGEST_ITEM) for item in listed] if isinstance(listed, list) else []
    return [item for item in items if item]


def _summary(answer: Any) -> dict[str, str] | None:
    if not isinstance(answer, Mapping):
        return None
    fields = {name: _text(answer.get(name), LONGEST["narrative"]) for name in SUMMARY}
    return {name: text for name, text in fields.items() if text} or None


def _text(value: Any, most: int) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = " ".join(value)
    return value.strip()[:most] if isinstance(value, str) else ""
