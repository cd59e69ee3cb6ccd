"""Pi's sessions: what was asked, done and answered, in forks and branches too."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.formats.transcripts.agents.pi import PiReader
from memtui.store.formats.transcripts.discovery import recognize
from memtui.store.maintain.importing import run

from .readings import gone_bad, of, remarks, said, told, told_of_bad

PATH = Path("/home/dev/.pi/agent/sessions/--srv-atlas--/2026-11-26T21-58-06-119Z_i-1.jsonl")


def header(session: str = "i-1", **more: Any) -> dict[str, Any]:
    time = "2026-11-26T21:58:00.000Z"
    return {"type": "session", "version": 3, "id": session, "timestamp": time, "cwd": "/srv", **more}


def entry(number: int, type: str, after: int | None = None, **more: Any) -> dict[str, Any]:
    before = number - 1 if after is None else after
    return {
        "type": type, "id": f"e{number}", "parentId": f"e{before}" if before else None,
        "timestamp": f"2026-11-26T21:58:{number:02}.000Z", **more,
    }  # fmt: skip


def user(number: int, text: str, after: int | None = None) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return entry(number, "message", after, message={"role": "user", "content": content})


def assistant(number: int, *parts: dict[str, Any]) -> dict[str, Any]:
    usage = {"input": 20, "output": 7, "cacheRead": 80, "cacheWrite": 3}
    said = {"role": "assistant", "content": list(parts), "usage": usage, "model": "m"}
    return entry(number, "message", message=said)


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def call(name: str, **given: Any) -> dict[str, Any]:
    return {"type": "toolCall", "id": f"call-{name}", "name": name, "arguments": given}


def result(number: int, name: str, text: str, *, failed: bool = False) -> dict[str, Any]:
    said = {
        "role": "toolResult", "toolCallId": f"call-{name}", "toolName": name,
        "content": [words(text)], "details": {}, "isError": failed,
    }  # fmt: skip
    return entry(number, "message", message=said)


SESSION = [
    header(),
    entry(1, "model_change", provider="mock", modelId="m"),
    user(2, "Fix the TTL"),
    assistant(3, {"type": "thinking", "thinking": "hm"}, words("I look."), call("read", path="a.py")),
    result(4, "read", "TTL = 30"),
    assistant(5, call("bash", command="false")),
    result(6, "bash", "Command exited with code 1", failed=True),
    assistant(7, words("The TTL is 60 s now.")),
    entry(8, "session_info", name="TTL"),
    user(9, "thanks"),
]


def test_a_session_tells_its_prompts_tools_replies_and_tokens() -> None:
    events = told(PiReader, SESSION, PATH)
    start, named = of("session_start", events)
    assert (start.session, start.cwd, named.title) == ("i-1", "/srv", "TTL")
    assert said("prompt", events) == ["Fix the TTL", "thanks"]
    read, bash = (event.tool for event in of("tool", events) if event.tool)
    assert (read.name, read.failed, read.response) == (
        "read", False, {"output": "TTL = 30", "details": {}},
    )  # fmt: skip
    assert (bash.failed, bash.response) == (True, "Command exited with code 1")
    assert said("reply", events) == ["The TTL is 60 s now."]
    assert remarks(events) == ["I look."]
    usage = of("usage", events)[0].usage
    assert usage is not None
    assert (usage.input, usage.output, usage.cache_read, usage.cache_written) == (20, 7, 80, 3)


@pytest.mark.parametrize("cut", range(1, len(SESSION)))
def test_it_goes_on_wherever_it_stopped(cut: int) -> None:
    whole, parted = (told(PiReader, SESSION, PATH, cuts) for cuts in ((), (cut,)))
    assert parted == whole


def test_a_branch_takes_back_the_prompts_behind_it() -> None:
    events = told(PiReader, [*SESSION, user(10, "no, sixty minutes", after=7)], PATH)
    [rewind] = of("rewind", events)
    assert rewind.taken_back == ("e9",)


def test_a_compaction_is_told_by_its_summary() -> None:
    events = told(PiReader, [*SESSION, entry(10, "compaction", summary="so far")], PATH)
    assert said("compaction", events) == ["so far"]


def test_a_call_without_its_result_is_pending() -> None:
    events = told(PiReader, SESSION[:6], PATH)
    assert [event.tool.name for event in of("tool", events) if event.tool] == ["read", "bash"]
    assert not of("reply", events)


@given(st.data())
def test_a_damaged_session_never_fails(data: st.DataObject) -> None:
    told_of_bad(PiReader, data.draw(gone_bad(SESSION)), PATH)


def test_a_fork_tells_only_what_is_its_own_and_nothing_comes_twice(store: Store, tmp_path: Path) -> None:
    fork = [header("i-2", parentSession=str(PATH)), *SESSION[1:9], user(10, "and the docs?", after=8)]
    for name, records in (("a_i-1.jsonl", SESSION), ("b_i-2.jsonl", fork)):
        text = "".join(json.dumps(record) + "\n" for record in records)
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert recognize(tmp_path / name) == "pi"
    run(store, "pi", tmp_path, None)
    assert run(store, "pi", tmp_path, None).changes == 0
    prompts = [
        [prompt.text for prompt in store.prompts.of_session(store.sessions.get(id))]
        for id in ("i-1", "i-2")
    ]
    assert prompts == [["Fix the TTL", "thanks"], ["and the docs?"]]
