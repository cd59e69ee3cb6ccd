"""Small rollouts of Codex's three generations, as the program writes them."""

import json
from typing import Any

THREAD = "019a0000-0000-7000-8000-000000000001"
PARENT = "01990000-0000-7000-8000-000000000001"
TURN = "019a0000-0001-7000-8000-000000000002"
LATER = "019a0000-0002-7000-8000-000000000003"
OLD_TURN = "01990000-0001-7000-8000-000000000004"

Line = dict[str, Any]


def line(kind: str, second: int, **payload: Any) -> Line:
    return {"timestamp": f"2026-02-02T02:40:{second:02}.000Z", "type": kind, "payload": payload}


def meta(**more: Any) -> Line:
    about = {"id": THREAD, "cwd": "/home/dev/atlas", "timestamp": "2026-02-02T02:40:00.000Z"}
    return line("session_meta", 0, **(about | more))


def given(text: str, second: int = 1, role: str = "user", **more: Any) -> Line:
    content = [{"type": "input_text", "text": text}]
    return line("response_item", second, type="message", role=role, content=content, **more)


def typed(text: str, second: int = 1) -> Line:
    return line("event_msg", second, type="user_message", message=text)


def item(kind: str, second: int = 1, turn: str = TURN, **more: Any) -> Line:
    inner = {"type": kind, **more}
    return line("event_msg", second, type="item_completed", turn_id=turn, item=inner)


def asked(text: str, second: int = 1, turn: str = TURN) -> Line:
    return item("UserMessage", second, turn, content=[{"type": "text", "text": text}])


def begun(turn: str = TURN, second: int = 0) -> Line:
    return line("event_msg", second, type="task_started", turn_id=turn)


def ended(text: str | None, turn: str = TURN, second: int = 9) -> Line:
    about = {"turn_id": turn, "last_agent_message": text}
    return line("event_msg", second, type="task_complete", **about)


def call(key: str, second: int = 2, name: str = "exec_command", **arguments: Any) -> Line:
    about = {"name": name, "arguments": json.dumps(arguments), "call_id": key}
    return line("response_item", second, type="function_call", **about)


def output(key: str, value: object, second: int = 3) -> Line:
    about = {"call_id": key, "output": value}
    return line("response_item", second, type="function_call_output", **about)


def tokens(out: int, total: int, second: int = 2) -> Line:
    last = {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": out}
    info = {"last_token_usage": last, "total_token_usage": {"total_tokens": total}}
    return line("event_msg", second, type="token_count", info=info)


def spent(response: str, out: int, second: int = 2) -> Line:
    usage = {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": out}
    return line("token_usage_record", second, response_id=response, usage=usage)


FIRST = [
    meta(cli_version="0.60.1"),
    given("<environment_context>\n  <cwd>/home/dev/atlas</cwd>"),
    given("fix the login"),
    typed("fix the login"),
    tokens(42, 142),
    call("c1", name="shell", command=["ls"]),
    output("c1", json.dumps({"output": "a.py\n", "metadata": {"exit_code": 0}})),
    tokens(42, 142, 3),
    line("event_msg", 4, type="agent_message", message="fixed"),
    tokens(7, 249, 4),
    given("fixed", 4, "assistant"),
    given("now test it", 5),
    typed("now test it", 5),
    given("done", 6, "assistant"),
]
SECOND = [
    meta(cli_version="0.125.0"),
    begun(),
    given("fix the login"),
    typed("fix the login"),
    call("c1", cmd="ls nowhere"),
    tokens(42, 142),
    output("c1", "Wall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nls: nowhere\n"),
    line("compacted", 4, message="Another language model started to solve this problem …:\nso far"),
    line("event_msg", 4, type="context_compacted"),
    line("event_msg", 5, type="agent_message", message="there is none"),
    tokens(7, 249, 5),
    ended("there is none"),
]
THIRD = [
    meta(cli_version="0.169.0"),
    begun(),
    given("fix the login"),
    asked("fix the login"),
    call("c1", cmd="make"),
    call("c2", cmd="ls"),
    spent("r1", 42),
    tokens(42, 142),
    item("CommandExecution", 3, id="c1", exit_code=2, status="failed"),
    output("c1", "make: nothing to make"),
    output("c2", "a.py"),
    given("SUMMARY: so far", 4, "assistant", metadata={"compaction_output": True}),
    line("compacted", 4, message="SUMMARY: so far"),
    item("ContextCompaction", 4, id="x"),
    item("AgentMessage", 5, id="m", content=[{"type": "Text", "text": "done"}]),
    spent("r2", 7, 5),
    ended("done"),
    begun(LATER, 10),
    given("thanks", 10),
    asked("thanks", 10, LATER),
    asked("and commit", 11, LATER),
    call("c3", 12, cmd="git commit"),
]
GENERATIONS = (FIRST, SECOND, THIRD)
