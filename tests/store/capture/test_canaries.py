"""A secret or private text in any field of any agent's event is in no byte of any file afterwards."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from tests.places import TRANSCRIPTS
from tests.promises import promise

from .canaries import FOUND, as_json, canary, escaped, everywhere, in_turns, remains
from .hooks import Machine, Start, prompt
from .many_hooks import Told, run_many
from .payloads import payloads

KEPT = TRANSCRIPTS / "hook-payloads"

BEFORE_TOOL = "PreToolUse"
QUESTIONS = (BEFORE_TOOL, "SubagentStart")
"""Events that are answered and not stored."""
"""An event that is answered, not written down: what the tool did is told after it."""

FORMS: dict[str, Callable[[str], bytes]] = {
    "larger than what is written as it came": lambda text: as_json(prompt(text + " x" * 200_000)),
    "at the end of a large event": lambda text: as_json(prompt("x " * 200_000 + text)),
    "in many fields": lambda text: as_json(prompt("p", more=[text + " y" * 5_000] * 30)),
    "no JSON": lambda text: text.encode(),
    "no JSON, and large": lambda text: text.encode() + b" x" * 200_000,
    "half an event": lambda text: as_json(prompt(text))[:-2],
    "no object": lambda text: as_json([text]),
    "as a lone text": lambda text: as_json(text),
    "too deep": lambda text: as_json(prompt(text))[:-1] + b', "a": ' + b"[" * 9_000 + b"]" * 9_000 + b"}",
    "escaped": lambda text: as_json(prompt("TEXT")).replace(b'"TEXT"', escaped(text).encode()),
    "escaped in capitals": lambda text: as_json(prompt("TEXT")).replace(
        b'"TEXT"', escaped(text).upper().replace("\\U", "\\u").encode()
    ),
    "with escaped brackets": lambda text: (
        as_json(prompt(text)).replace(b"<", rb"\u003c").replace(b">", rb"\u003E")
    ),
    "with escaped slashes": lambda text: as_json(prompt(text)).replace(b"/", rb"\/"),
    "escaped, and no JSON": lambda text: escaped(text).encode() + b" }",
    "JSON within JSON": lambda text: as_json(prompt(json.dumps({"output": text}))),
    "JSON within JSON within JSON": lambda text: as_json(prompt(json.dumps(json.dumps({"a": text})))),
    "escaped within JSON": lambda text: as_json(
        prompt(json.dumps({"output": text}).replace("<", r"\u003c").replace(">", r"\u003e"))
    ),
    "over several lines": lambda text: json.dumps(prompt(text), indent=2).encode(),
    "beside bytes that are no UTF-8": lambda text: as_json(prompt(text)).replace(b"seen", b"\xff seen"),
}


def leaks(machine: Machine, told: list[Told], places: dict[int, str]) -> dict[str, str]:
    """Run a hook for each event; the places (by number) whose canary is left, and where it is left.

    What stands before each canary has to be found, so that no event that was lost counts as clean.
    """
    run_many(machine, told)
    found = remains(machine)
    assert {place for number, place in places.items() if number not in found.seen} == set()
    return {places.get(number, BEFORE_TOOL): left for number, left in found.leaked.items()}


@promise("private-never-findable")
@pytest.mark.parametrize("agent", payloads())
@pytest.mark.sampled
def test_a_canary_in_any_field_of_an_agents_event_is_nowhere(machine: Machine, agent: str) -> None:
    told: list[Told] = []
    places: dict[int, str] = {}
    numbers = count()
    for event in payloads()[agent]:
        for where, changed in in_turns(event, numbers):
            told.append(Told(as_json(changed), agent))
            places |= where
    assert len(places) > 40
    assert leaks(machine, told, places) == {}


@promise("private-never-findable")
@pytest.mark.long
def test_a_canary_in_any_field_of_a_real_agents_event_is_nowhere(machine: Machine) -> None:
    if not KEPT.is_dir():
        pytest.skip("no payloads of real agents are kept here")
    told: list[Told] = []
    places: dict[int, str] = {}
    numbers = count()
    shapes = set()
    for path in sorted(KEPT.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            kept: dict[str, Any] = json.loads(line)
            if "stdin" not in kept:
                continue
            agent = path.name.partition("_")[0]
            shape = (agent, kept["argv_event"], *kept["stdin"])
            if shape in shapes:
                continue
            shapes.add(shape)
            for where, changed in in_turns(kept["stdin"], numbers):
                told.append(Told(as_json(changed), agent, kept["env"]))
                if kept["argv_event"] not in QUESTIONS:
                    places |= where
    assert leaks(machine, told, places) == {}


@promise("private-never-findable")
@pytest.mark.parametrize("agent", payloads())
@pytest.mark.sampled
def test_a_canary_in_all_fields_at_once_is_nowhere(machine: Machine, agent: str) -> None:
    for number, event in enumerate(payloads()[agent]):
        ended = machine.run(Start(as_json(everywhere(event, canary(number))), (agent,)))
        assert (ended.code, ended.err) == (0, b"")
        assert not FOUND.search(ended.out)
    found = remains(machine)
    assert found.seen == set(range(len(payloads()[agent])))
    assert found.leaked == {}


@promise("private-never-findable")
def test_a_canary_in_whatever_form_an_event_has_is_nowhere(machine: Machine) -> None:
    told = [Told(write(canary(place))) for place, write in enumerate(FORMS.values())]
    assert leaks(machine, told, dict(enumerate(FORMS))) == {}
