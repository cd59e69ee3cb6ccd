"""What a start is told where a context at the start would break slash commands: at the first prompt."""

import json

import pytest

from memtui.store import Store

from .hooks import Machine, Start
from .test_prepared_starts import LESSON, prepared

EVENT = {"session_id": "a-1", "timestamp": "2026-11-01T10:00:00Z"}


def told(machine: Machine, name: str, **more: str) -> bytes:
    event = EVENT | {"hook_event_name": name} | more
    return machine.run(Start(json.dumps(event).encode(), ("gemini",))).out


@pytest.mark.parametrize("is_prepared", [True, False])
def test_gemini_is_told_at_the_first_prompt_that_is_no_command(machine: Machine, is_prepared: bool) -> None:
    if is_prepared:
        prepared(machine, "gemini")
    else:
        machine.remember(LESSON.decode())
    assert told(machine, "SessionStart", source="startup") == b""
    assert told(machine, "BeforeAgent", prompt="/hi Anna") == b""
    answer = json.loads(told(machine, "BeforeAgent", prompt="go on"))["hookSpecificOutput"]
    assert answer["hookEventName"] == "BeforeAgent" and LESSON.decode() in answer["additionalContext"]
    assert told(machine, "BeforeAgent", prompt="and now?") == b""


def test_what_was_hidden_before_the_first_prompt_is_not_told(machine: Machine) -> None:
    prepared(machine, "gemini")
    assert told(machine, "SessionStart", source="startup") == b""
    with Store.open(machine.database) as store:
        store.observations.set_private(1)
    assert LESSON not in told(machine, "BeforeAgent", prompt="go on")
