"""A sub-agent's report is the answer of the call that started it, once, whichever way it comes."""

from itertools import permutations
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.agents.registry import events_of
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.cli.output.session import session_blocks
from memtui.store.records.events import SpoolRecord
from memtui.store.search.listing.timeline import nested

AT = 1_795_000_000_000
WORDS = "Root cause: the balancer keeps idle sockets for 350 s, we keep them for 400 s."
ASYNC = {"isAsync": True, "status": "async_launched", "agentId": "a7eecf52"}
DONE = {
    "status": "completed",
    "agentId": "a7eecf52",
    "content": [
        {"type": "text", "text": "<tools-used-before-summary>Bash</tools-used-before-summary>\n"},
        {"type": "text", "text": WORDS},
    ],
}
NOTICE = (
    "<task-notification>\n<task-id>a7eecf52</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n"
    f"<status>completed</status>\n<result>{WORDS}</result>\n</task-notification>"
)


def claude(name: str, **more: Any) -> dict[str, Any]:
    return {"session_id": "s-1", "hook_event_name": name, "cwd": "/home/dev/gate"} | more


def called(response: object) -> dict[str, Any]:
    given = {"description": "Socket hunt", "prompt": "Find why sockets drop"}
    about = {"tool_name": "Agent", "tool_input": given, "tool_use_id": "toolu_1"}
    return claude("PostToolUse", **about, tool_response=response)


def stopped(words: str = WORDS, kind: str = "general-purpose") -> dict[str, Any]:
    about = {"agent_id": "a7eecf52", "agent_type": kind, "last_assistant_message": words}
    return claude("SubagentStop", **about)


def take(store: Store, payloads: list[dict[str, Any]], agent: str = "claude-code") -> None:
    for place, payload in enumerate(payloads):
        at = AT + place * 60_000
        record = SpoolRecord(at, 0, agent, frozenset(), "/home/dev/gate", payload)
        for event in events_of(record):
            ingest_event(store, event, "hook")


WAYS = {"call": called(ASYNC), "stop": stopped(), "notice": claude("UserPromptSubmit", prompt=NOTICE)}


@pytest.mark.parametrize("order", [*permutations(WAYS), ("call", "stop"), ("call", "notice")])
def test_a_report_is_the_calls_answer_once(store: Store, order: tuple[str, ...]) -> None:
    take(store, [WAYS[way] for way in order])

    (one,) = store.observations.recent()
    assert one.title == "Delegated: Socket hunt"
    assert one.subtitle == WORDS
    assert (one.narrative or "").count("350 s") == 1
    assert store.prompts.recent() == []
    assert len(store.find('"idle sockets"').page().hits) == 1


def test_a_report_before_the_end_of_its_call_is_told_once(store: Store) -> None:
    take(store, [stopped(), called(DONE)])

    (one,) = store.observations.recent()
    assert one.title == "Delegated: Socket hunt"
    assert (one.subtitle, (one.narrative or "").count("350 s")) == (WORDS, 1)


def test_a_second_report_of_the_same_sub_agent_is_added(store: Store) -> None:
    take(store, [called(ASYNC), stopped(), stopped("Set keepalive to 300, then it holds.")])

    (one,) = store.observations.recent()
    assert "350 s" in (one.narrative or "")
    assert "keepalive to 300" in (one.narrative or "")


def test_a_report_without_a_call_is_kept_by_itself(store: Store) -> None:
    take(store, [stopped()])

    (one,) = store.observations.recent()
    assert (one.title or "").startswith("A sub-agent answered: Root cause")
    assert one.subagent == "a7eecf52"


def test_what_an_agent_asks_itself_is_no_delegation(store: Store) -> None:
    take(store, [stopped(kind="")])
    assert store.observations.recent() == []


def codex(name: str, **more: Any) -> dict[str, Any]:
    return {"session_id": "c-1", "turn_id": "t", "hook_event_name": name, "model": "m"} | more


def spawned(call: str, task: str) -> dict[str, Any]:
    about = {"tool_name": "collaborationspawn_agent", "tool_use_id": call}
    given = {
        "message": f"Count the files of {task} and say which of them nobody imports",
        "task_name": task,
    }
    response = f'{{"task_name":"/root/{task}"}}'
    return codex("PostToolUse", **about, tool_input=given, tool_response=response)


def waited(call: str) -> dict[str, Any]:
    about = {"tool_name": "collaborationwait_agent", "tool_use_id": call}
    response = '{"message":"Wait timed out.","timed_out":true}'
    return codex("PostToolUse", **about, tool_input={"timeout_ms": 10}, tool_response=response)


def test_codex_sub_agents_answer_the_one_call_that_waits(store: Store) -> None:
    stop = codex("SubagentStop", agent_id="019a-1", agent_type="default", last_assistant_message=WORDS)
    take(store, [spawned("c1", "count"), waited("c2"), stop], "codex")

    (one,) = store.observations.recent()
    assert one.title == "Delegated: count"
    assert one.subtitle == WORDS
    assert len(store.find(f"subagent:019a-1 {WORDS.split()[0]}").page().hits) == 1


def test_a_report_is_not_given_to_one_of_two_calls_by_guess(store: Store) -> None:
    stop = codex("SubagentStop", agent_id="019a-2", agent_type="default", last_assistant_message=WORDS)
    take(store, [spawned("c1", "count"), spawned("c2", "list"), stop], "codex")

    told = {one.title: one.narrative or "" for one in store.observations.recent()}
    assert "350 s" not in told["Delegated: count"] + told["Delegated: list"]
    assert len(store.find('"350 s"').page().hits) == 1


def test_a_sub_agents_steps_are_found_by_its_id(store: Store) -> None:
    step = claude("PostToolUse", tool_name="Bash", tool_input={"command": "grep -n keep lb.yaml"},
                  tool_response="12: keepalive: 350", tool_use_id="t2", agent_id="a7eecf52")  # fmt: skip
    own = claude("PostToolUse", tool_name="Bash", tool_input={"command": "grep -n x y.yaml"},
                 tool_response="1: x", tool_use_id="t3")  # fmt: skip
    take(store, [called(ASYNC), step, own, stopped()])

    assert {one.subagent for one in store.observations.recent()} == {None, "a7eecf52"}
    titles = {hit.row.title for hit in store.find("subagent:a7ee").page().hits}
    assert len(titles) == 2
    assert "Delegated: Socket hunt" in titles
    assert len(store.find("-subagent:a7eecf52").page().hits) == 1


def test_a_sub_agents_steps_stand_below_the_call_that_started_it(store: Store) -> None:
    step = claude("PostToolUse", tool_name="Bash", tool_input={"command": "grep -n keep lb.yaml"},
                  tool_response="12: keepalive: 350", tool_use_id="t2", agent_id="a7eecf52")  # fmt: skip
    own = claude("PostToolUse", tool_name="Bash", tool_input={"command": "grep -n x y.yaml"},
                 tool_response="1: x", tool_use_id="t3")  # fmt: skip
    take(store, [called(ASYNC), own, step, stopped()])
    (session,) = store.sessions.list()
    observations = store.observations.of_session(session.session)
    steps = store.observations.steps_below(session.session.id)

    shown = nested(observations, lambda one: one.id, steps)
    assert [one.subagent for one in observations] == [None, None, "a7eecf52"]
    assert [one.subagent for one in shown] == [None, "a7eecf52", None]
    (lines,) = [rows for title, rows in session_blocks(store, session.session) if title == "observations"]
    assert [str(line).count("↳") for _, line in lines] == [0, 1, 0]
