"""Antigravity's sessions: a line a step. Where they were held isn't told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....records.events import Event
from ..json_records import Record, moment_of, objects, records_of, text
from ..reader import FileReader
from ..whole_sessions import ChatAnswer, ChatCall, ChatMessage, Teller, message_events

_TYPED = re.compile(r"<USER_REQUEST>\s*(.*?)\s*</USER_REQUEST>", re.DOTALL)


def recognizes(record: Record) -> bool:
    """Return whether a JSON record is a step of a session of Antigravity's."""
    return {"step_index", "source", "type"} <= record.keys()


class AntigravitySession(FileReader):
    """Reads `brain/ID/.system_generated/logs/transcript.jsonl`."""

    def events(self) -> Iterator[Event]:
        """Yield all its events. Raises ValueError where no line is a step."""
        steps = [record for record in records_of(self.path) if recognizes(record)]
        if not steps:
            raise self.refusal("antigravity")
        is_in_place = self.path.parent.name == "logs"
        tell = Teller("antigravity", self.path.parts[-4] if is_in_place else self.path.stem, None)
        yield from tell.start(moment_of(steps[0].get("created_at")), str(self.path))
        yield from message_events(_messages(steps), tell)


def _messages(steps: list[Record]) -> Iterator[ChatMessage]:
    """Yield a message a step; what tools answered follows their calls, in their order."""
    waiting: list[str] = []
    for place, step in enumerate(steps):
        said, kind, key = text(step.get("content")).strip(), step["type"], str(place)
        at = moment_of(step.get("created_at"))
        if kind == "USER_INPUT":
            typed = _TYPED.search(said)
            waiting = []
            yield ChatMessage(True, typed[1] if typed else said, key, at)
        elif kind == "PLANNER_RESPONSE":
            used = enumerate(objects(step.get("tool_calls")))
            calls = tuple(
                ChatCall(f"{key}:{number}", text(call.get("name")) or "unknown", call.get("args"))
                for number, call in used
            )
            waiting += [call.key for call in calls]
            yield ChatMessage(False, said, key, at, calls)
        elif waiting and step["source"] != "SYSTEM":
            answer = ChatAnswer(said, kind == "ERROR_MESSAGE" or step.get("exit_code") not in (None, 0))
            yield ChatMessage(True, "", key, at, answers={waiting.pop(0): answer})
