"""A turn as a model is shown it: only what is stored, and nothing that is hidden."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..observers.model.question import SUMMARY, Question
from ..records import Observation, PendingMessage, Session
from ..store import Store
from .by_rules import reply_of
from .storing import last_summary

LONGEST = 3_000
"""Characters of one field of an event that are shown."""
LONGEST_TURN = 40_000
"""Characters of all events together; fields get shorter where there are many."""
EARLIER = 10
"""Prompts of the session that are shown before the turn's own, where a summary is wanted."""


def question_of(store: Store, session: Session, messages: Sequence[PendingMessage]) -> Question:
    """What to ask about messages of one turn; their ids are the ids of the answer."""
    tools = [message for message in messages if message.kind == "observation"]
    ends = [message for message in messages if message.kind == "summary"]
    room = min(LONGEST, LONGEST_TURN // max(1, 2 * len(tools)))
    prompts = store.prompts.of_session(session)
    number = messages[0].prompt_number
    asked = [prompt.text for prompt in prompts if prompt.prompt_number == number]
    shown: dict[str, Any] = {
        "project": session.project,
        "prompt": excerpt(" ".join(asked), LONGEST),
        "events": [_event(store, message, room) for message in tools],
    }
    if ends:
        earlier = [one for one in prompts if number is None or one.prompt_number < number]
        shown["earlier_prompts"] = [excerpt(one.text, 300) for one in earlier[-EARLIER:]]
        shown["reply"] = excerpt(reply_of(store, ends[-1]) or "", LONGEST)
        shown["summary_so_far"] = _summary(store, session)
    shown["wanted"] = [
        *(["observations"] if tools else []),
        *(["summary"] if ends else []),
    ]
    text = json.dumps(shown, ensure_ascii=False)
    return Question(text, tuple(message.id for message in tools), bool(ends))


def excerpt(text: str, most: int) -> str:
    """The head and the tail of a text that is too long."""
    if len(text) <= most:
        return text
    return f"{text[: most * 3 // 4]}\n[… {len(text) - most:,} characters …]\n{text[-(most // 4) :]}"


def _event(store: Store, message: PendingMessage, room: int) -> dict[str, Any]:
    assert message.observation_id is not None
    rules: Observation = store.observations.get(message.observation_id)
    return {
        "id": message.id,
        "tool": message.tool_name,
        "input": excerpt(message.tool_input or "", room),
        "response": excerpt(message.tool_response or "", room),
        "rules": {"type": rules.type, "title": rules.title},
    }


def _summary(store: Store, session: Session) -> dict[str, str]:
    standing = last_summary(store, session, "detailed")
    fields = {name: getattr(standing, name) for name in SUMMARY} if standing else {}
    return {name: excerpt(text, 1_000) for name, text in fields.items() if text}
