"""Copilot CLI's transcripts as events."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.formats.transcripts.agents.copilot import CopilotReader
from memtui.store.records.events import Event, Usage

from .readings import gone_bad, of, said, told, told_of_bad

PATH = Path("/home/dev/.copilot/session-state/c-1/events.jsonl")


def record(kind: str, number: int, agent: str | None = None, **data: Any) -> dict[str, Any]:
    told = {"type": kind, "data": data, "id": f"e-{number}"}
    return (
        told | {"timestamp": f"2026-02-02T02:40:{number:02}.000Z"} | ({"agentId": agent} if agent else {})
    )


def usage(number: int, out: int, agent: str | None = None) -> dict[str, Any]:
    told = {"inputTokens": 10, "outputTokens": out, "cacheReadTokens": 5}
    return record("session.usage_record", number, agent, usage=told)


def request(key: str, name: str = "bash", **arguments: Any) -> dict[str, Any]:
    return {"toolCallId": key, "name": name, "arguments": arguments}


GUIDANCE = '\n\nTool "bash" succeeded. Additional guidance from postToolUse hooks:\nremember'
WORK = [
    record("session.start", 0, sessionId="c-1", context={"cwd": "/home/dev/atlas"}),
    record(
        "user.message",
        1,
        content="fix it",
        transformedContent="fix it <system_reminder>x</system_reminder>",
    ),
    usage(2, 20),
    record("assistant.message", 3, content="", toolRequests=[request("1", command="ls"), request("2")]),
    record("tool.execution_start", 4, toolCallId="1", toolName="bash", arguments={"command": "ls"}),
    record(
        "tool.execution_complete", 5, toolCallId="1", success=True, result={"content": f"a.py{GUIDANCE}"}
    ),
    record("tool.execution_complete", 6, toolCallId="2", success=False, error={"message": "no such"}),
    record("user.message", 7, "child", content="look", source="agent-c-1"),
    usage(8, 5, "child"),
    record("assistant.message", 9, "child", content="", toolRequests=[request("3", "view")]),
    record("tool.execution_complete", 10, "child", toolCallId="3", success=True, result={"content": ""}),
    record("user.message", 11, content="a skill's own words", source="skill-pdf"),
    record("assistant.message", 12, content="Fixed.", toolRequests=[]),
    record("session.compaction_complete", 13, success=True, summaryContent="It was fixed."),
    record("session.compaction_complete", 14, success=False),
    record("session.shutdown", 15, shutdownType="error"),
    record("session.resume", 16, context={"cwd": "/home/dev/other"}),
    record("assistant.message", 17, content="", toolRequests=[request("4")]),
]


def events(records: list[dict[str, Any]] = WORK, path: Path = PATH) -> list[Event]:
    return told(CopilotReader, records, path)


def test_a_session_is_told_with_its_directory_and_again_when_it_is_resumed() -> None:
    starts = of("session_start", events())
    assert [one.cwd for one in starts] == ["/home/dev/atlas", "/home/dev/other"]
    assert {(one.session, one.transcript) for one in starts} == {("c-1", str(PATH))}


def test_prompts_are_the_users_own_as_they_were_typed() -> None:
    assert said("prompt", events()) == ["fix it"]


def test_tools_have_results_without_what_hooks_added_and_their_cost_once_an_answer() -> None:
    first, second, third, fourth = of("tool", events())
    assert first.tool and second.tool and third.tool and fourth.tool
    assert (first.tool.input, first.tool.response, first.tokens) == ({"command": "ls"}, "a.py", 20)
    assert (second.tool.response, second.tool.failed, second.tokens) == ("no such", True, 0)
    assert (third.subagent, third.session, third.tokens) == ("child", "c-1", 5)
    assert fourth.tool.response is None


def test_a_reply_a_summary_and_an_end_are_told() -> None:
    assert said("reply", events()) == ["Fixed."]
    assert said("compaction", events()) == ["It was fixed."]
    assert [one.failed for one in of("session_end", events())] == [True]


def test_usage_is_told_once_an_answer() -> None:
    # What it tells as read holds what came from the cache.
    spent = [one.usage for one in of("usage", events())]
    assert spent == [Usage(5, 20, 5), Usage(5, 5, 5)]


def test_a_session_whose_beginning_is_missing_is_that_of_its_file() -> None:
    first = events(WORK[1:2])[0]
    assert (first.kind, first.session) == ("session_start", "c-1")
    older = PATH.parent.with_suffix(".jsonl")
    assert events(WORK[1:2], older)[0].session == "c-1"


def test_records_of_other_programs_are_nothing() -> None:
    assert not events([{"resourceSpans": []}, {"type": 3}, {}])


@given(st.sets(st.integers(1, len(WORK) - 1)))
def test_reading_may_stop_after_any_record(cuts: set[int]) -> None:
    assert told(CopilotReader, WORK, PATH, sorted(cuts)) == events()


@given(gone_bad(WORK))
def test_no_record_however_bad_stops_the_reading(bad: list[dict[str, Any]]) -> None:
    told_of_bad(CopilotReader, bad, PATH)
