"""Amp, Goose, Kilo, Kiro and Crush: what each keeps of a session tells the same, whatever its form."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store
from memtui.store.agents.registry import BY_NAME
from memtui.store.formats.transcripts.discovery import find_folders, recognize
from memtui.store.formats.transcripts.reader import file_reader
from memtui.store.maintain.importing import run
from memtui.store.platform.errors import SourceError
from memtui.store.records.events import Event

from .readings import gone_bad, of, remarks, said

AT = 1_795_730_341
"""Seconds since the epoch."""
GIVEN = {"command": "make test"}
TOLD = "2 failed"

Records = list[dict[str, Any]]


def written(path: Path, *records: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def filled(path: Path, *tables: tuple[str, str, Records]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    db = apsw.Connection(str(path))
    for name, names, rows in tables:
        db.execute(f"CREATE TABLE {name} ({names})")
        for row in rows:
            marks = ", ".join("?" * len(row))
            values = [json.dumps(v) if isinstance(v, dict | list) else v for v in row.values()]
            db.execute(f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})", values)
    db.close()
    return path


AMP: Records = [
    {
        "role": "user", "messageId": 0, "content": [{"type": "text", "text": "Fix it"}],
        "meta": {"sentAt": AT * 1000},
    },
    {
        "role": "assistant", "messageId": 1,
        "content": [
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "c1", "name": "Bash", "input": GIVEN},
        ],
        "usage": {"model": "m", "inputTokens": 20, "outputTokens": 7},
    },
    {
        "role": "user", "messageId": 2,
        "content": [
            {"type": "tool_result", "toolUseID": "c1", "run": {"status": "error", "error": TOLD}}
        ],
    },
    {"role": "assistant", "messageId": 3, "content": [{"type": "text", "text": "Fixed."}]},
]  # fmt: skip


def amp(folder: Path, records: Records = AMP) -> Path:
    tree = {"displayName": "atlas", "uri": "file:///srv/atlas"}
    thread = {
        "id": "T-1", "title": "A title", "created": AT * 1000, "env": {"initial": {"trees": [tree]}},
        "messages": records,
    }  # fmt: skip
    return written(folder / "threads" / "T-1.json", thread)


def goose_parts() -> list[tuple[str, Records]]:
    failed = {"status": "success", "value": {"content": [{"type": "text", "text": TOLD}], "isError": True}}
    call = {"status": "success", "value": {"name": "developer__shell", "arguments": GIVEN}}
    return [
        ("user", [{"type": "text", "text": "Fix it"}]),
        (
            "assistant",
            [{"type": "text", "text": "I look."}, {"type": "toolRequest", "id": "c1", "toolCall": call}],
        ),
        ("user", [{"type": "toolResponse", "id": "c1", "toolResult": failed}]),
        ("assistant", [{"type": "text", "text": "Fixed."}]),
    ]


GOOSE: Records = [
    {
        "id": number, "message_id": f"m{number}", "session_id": "T-1", "role": role,
        "content_json": parts, "created_timestamp": AT + number, "metadata_json": {"userVisible": True},
    }
    for number, (role, parts) in enumerate(goose_parts())
]  # fmt: skip


def goose(folder: Path, records: Records = GOOSE) -> Path:
    session = {
        "id": "T-1", "name": "A title", "working_dir": "/srv/atlas", "created_at": "2026-11-26 21:59:01",
        "parent_session_id": None,
    }  # fmt: skip
    child = session | {"id": "T-2", "parent_session_id": "T-1"}
    return filled(
        folder / "sessions" / "sessions.db",
        ("sessions", ", ".join(session), [session, child]),
        ("messages", ", ".join(GOOSE[0]), [row for row in records if set(row) <= set(GOOSE[0]) and row]),
    )


@pytest.mark.parametrize(
    ("kind", "is_automatic", "has_start"),
    [
        *((kind, False, True) for kind in ("user", "terminal", "acp", "gateway", "hidden", "")),
        ("scheduled", True, True), ("recipe", True, True), ("sub_agent", True, False),
    ],
)  # fmt: skip
def test_goose_sessions_that_nobody_typed_are_no_persons(
    tmp_path: Path, kind: str, is_automatic: bool, has_start: bool
) -> None:
    session = {"id": "T-1", "working_dir": "/srv/atlas", "session_type": kind}
    place = filled(
        tmp_path / "sessions.db",
        ("sessions", ", ".join(session), [session]),
        ("messages", ", ".join(GOOSE[0]), GOOSE),
    )
    events = list(file_reader(place, "goose")(place).events())
    assert [event.automatic for event in of("session_start", events)] == [is_automatic] * has_start
    assert {event.subagent for event in of("prompt", events)} == {None if has_start else "T-1"}


GOOSE_LINES: Records = [
    {"working_dir": "/srv/atlas", "description": "A title", "message_count": 4},
    *(
        {"role": role, "created": AT + number, "content": parts}
        for number, (role, parts) in enumerate(goose_parts())
    ),
]


def goose_lines(folder: Path, records: Records = GOOSE_LINES) -> Path:
    return written(folder / "sessions" / "T-1.jsonl", *records)


CRUSH: Records = [
    {
        "id": f"m{number}", "session_id": "T-1", "role": role, "parts": parts, "created_at": AT + number,
        "is_summary_message": 0,
    }
    for number, (role, parts) in enumerate(
        [
            ("user", [{"type": "text", "data": {"text": "Fix it"}}]),
            (
                "assistant",
                [
                    {"type": "reasoning", "data": {"thinking": "hm"}},
                    {"type": "text", "data": {"text": "I look."}},
                    {"type": "tool_call", "data": {"id": "c1", "name": "bash", "input": json.dumps(GIVEN)}},
                ],
            ),
            (
                "tool",
                [
                    {
                        "type": "tool_result",
                        "data": {"tool_call_id": "c1", "content": TOLD, "is_error": True},
                    }
                ],
            ),
            ("assistant", [{"type": "text", "data": {"text": "Fixed."}}, {"type": "finish", "data": {}}]),
        ]
    )
]  # fmt: skip


def crush(folder: Path, records: Records = CRUSH) -> Path:
    session = {"id": "T-1", "parent_session_id": None, "title": "A title", "created_at": AT}
    return filled(
        folder / "atlas" / ".crush" / "crush.db",
        ("sessions", ", ".join(session), [session]),
        ("messages", ", ".join(CRUSH[0]), [row for row in records if set(row) <= set(CRUSH[0]) and row]),
    )


KIRO: Records = [
    {
        "user": {"content": {"Prompt": {"prompt": "Fix it"}}, "timestamp": "2026-11-26T21:59:01Z"},
        "assistant": {
            "ToolUse": {
                "message_id": "m1", "content": "I look.",
                "tool_uses": [{"id": "c1", "name": "execute_bash", "args": GIVEN}],
            }
        },
        "request_metadata": {"stream_end_timestamp_ms": AT * 1000 + 5},
    },
    {
        "user": {
            "content": {
                "ToolUseResults": {
                    "tool_use_results": [
                        {"tool_use_id": "c1", "content": [{"Text": TOLD}], "status": "Error"}
                    ]
                }
            }
        },
        "assistant": {"Response": {"message_id": "m2", "content": "Fixed."}},
    },
]  # fmt: skip


def kiro(folder: Path, records: Records = KIRO) -> Path:
    row = {
        "key": "/srv/atlas", "conversation_id": "T-1", "value": {"history": records},
        "created_at": AT * 1000, "updated_at": AT * 1000,
    }  # fmt: skip
    path = folder / ".local/share/kiro-cli" / "data.sqlite3"
    return filled(path, ("conversations_v2", ", ".join(row), [row]))


def kiro_line(kind: str, *blocks: tuple[str, object]) -> dict[str, Any]:
    content = [{"kind": name, "data": data} for name, data in blocks]
    return {"version": "v1", "kind": kind, "data": {"content": content, "meta": {"timestamp": AT}}}


KIRO_LINES: Records = [
    kiro_line("Prompt", ("text", "Fix it")),
    kiro_line(
        "AssistantMessage", ("text", "I look."),
        ("toolUse", {"toolUseId": "c1", "name": "execute_bash", "input": GIVEN}),
    ),
    kiro_line(
        "ToolResults",
        ("toolResult", {"toolUseId": "c1", "content": [{"kind": "text", "data": TOLD}], "status": "error"}),
    ),
    kiro_line("AssistantMessage", ("text", "Fixed.")),
]  # fmt: skip


def kiro_lines(folder: Path, records: Records = KIRO_LINES) -> Path:
    about = {"session_id": "T-1", "cwd": "/srv/atlas", "title": "A title", "created_at": AT}
    written(folder / ".kiro/sessions/cli" / "T-1.json", about)
    return written(folder / ".kiro/sessions/cli" / "T-1.jsonl", *records)


def kiro_step(kind: str, **values: Any) -> dict[str, Any]:
    return {"id": f"{kind}-{len(values)}", "timestamp": AT * 1_000, "payload": {"type": kind, **values}}


KIRO_STEPS: Records = [
    kiro_step("user", content="Fix it"),
    kiro_step("turn_start", executionId="x-1"),
    kiro_step("assistant", content="Hm, is it?", operationType="Reasoning", executionId="x-1"),
    kiro_step("assistant", content="I ", operationType="Say"),
    kiro_step("assistant", content="look."),
    kiro_step("tool_call", toolCallId="c1", toolName="execute_bash", args=GIVEN),
    kiro_step("tool_result", toolCallId="c1", content=TOLD, success=False),
    kiro_step("assistant", content="Fixed.", executionId="x-1", operationType="Say"),
    kiro_step("turn_end", stopReason="end_turn"),
]


def kiro_steps(folder: Path, records: Records = KIRO_STEPS) -> Path:
    place = folder / ".kiro/sessions/0a1b" / "sess_1"
    about = {"id": "T-1", "workspacePaths": ["/srv/atlas"], "title": "A title", "createdAt": AT * 1_000}
    written(place / "session.json", about)
    return written(place / "messages.jsonl", *records)


def antigravity_step(kind: str, source: str = "MODEL", **values: Any) -> dict[str, Any]:
    return {"step_index": len(values), "source": source, "type": kind, "created_at": AT * 1_000, **values}


ANTIGRAVITY: Records = [
    antigravity_step(
        "USER_INPUT", "USER_EXPLICIT",
        content="<USER_REQUEST>\nFix it\n</USER_REQUEST>\n<ADDITIONAL_METADATA>\nx\n</ADDITIONAL_METADATA>",
    ),
    antigravity_step(
        "PLANNER_RESPONSE", content="I look.", thinking="hm",
        tool_calls=[{"name": "run_command", "args": GIVEN}],
    ),
    antigravity_step("SYSTEM_MESSAGE", "SYSTEM", content="not an answer"),
    antigravity_step("ERROR_MESSAGE", content=TOLD),
    antigravity_step("PLANNER_RESPONSE", content="Fixed."),
]  # fmt: skip


def antigravity(folder: Path, records: Records = ANTIGRAVITY) -> Path:
    place = folder / ".gemini/antigravity/brain/T-1/.system_generated/logs"
    return written(place / "transcript.jsonl", *records)


FORMS: dict[str, tuple[str, Callable[[Path], Path]]] = {
    "amp": ("amp", amp),
    "goose": ("goose", goose),
    "goose, lines": ("goose", goose_lines),
    "crush": ("crush", crush),
    "kiro": ("kiro", kiro),
    "kiro, lines": ("kiro", kiro_lines),
    "kiro, steps": ("kiro", kiro_steps),
    "antigravity": ("antigravity", antigravity),
}


def read(agent: str, path: Path) -> list[Event]:
    return list(file_reader(path, agent)(path).events())


@pytest.mark.parametrize(("agent", "make"), FORMS.values(), ids=FORMS)
def test_a_session_tells_its_prompts_tools_and_replies(
    agent: str, make: Callable[[Path], Path], tmp_path: Path
) -> None:
    events = [event for event in read(agent, make(tmp_path)) if event.subagent is None]
    [start] = of("session_start", events)
    cwd = {"crush": str(tmp_path / "atlas"), "antigravity": None}.get(agent, "/srv/atlas")
    assert (start.agent, start.session, start.cwd) == (agent, "T-1", cwd)
    assert said("prompt", events) == ["Fix it"]
    assert all(event.at and event.at // 10_000_000 == AT // 10_000 for event in events)
    [tool] = (event.tool for event in of("tool", events) if event.tool)
    assert (tool.input, tool.response, tool.failed) == (GIVEN, TOLD, True)
    assert (remarks(events), said("reply", events)) == (["I look."], ["Fixed."])


@pytest.mark.parametrize(("agent", "make"), FORMS.values(), ids=FORMS)
def test_it_is_recognized_found_and_comes_in_once(
    agent: str, make: Callable[[Path], Path], store: Store, tmp_path: Path
) -> None:
    path = make(tmp_path)
    assert recognize(path) == agent
    run(store, agent, path, None)
    assert run(store, agent, path, None).changes == 0
    assert [prompt.text for prompt in store.prompts.of_session(store.sessions.get("T-1"))] == ["Fix it"]


def test_sessions_are_looked_for_where_each_agent_keeps_them(tmp_path: Path) -> None:
    for make, folder in ((amp, "amp"), (goose, "goose")):
        make(tmp_path / ".local" / "share" / folder)
    for make in (kiro, kiro_lines, kiro_steps, antigravity):
        make(tmp_path)
    projects = [{"path": str(crush(tmp_path).parent.parent)}, {"path": 5}, None]
    written(tmp_path / ".local/share/crush/projects.json", {"projects": projects})
    found = {(known.agent, known.files) for known in find_folders(tmp_path, {})}
    assert found == {("amp", 1), ("goose", 1), ("kiro", 1), ("crush", 1), ("antigravity", 1)}


@pytest.mark.parametrize("agent", ["amp", "goose", "crush", "kiro", "kilo", "claude-ai", "antigravity"])
def test_what_can_only_be_read_is_not_installed(agent: str) -> None:
    assert not BY_NAME[agent].takes_hooks and not BY_NAME[agent].is_tried


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "x.db", ("other", "id", []))
    assert recognize(path) is None
    with pytest.raises((ValueError, SourceError)):
        read("goose", path)


@given(data=st.data())
def test_damaged_sessions_never_fail(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    read("amp", amp(folder, data.draw(gone_bad(AMP))))
    read("kiro", kiro(folder, data.draw(gone_bad(KIRO))))
    read("goose", goose_lines(folder, [GOOSE_LINES[0], *data.draw(gone_bad(GOOSE_LINES[1:]))]))
    read("kiro", kiro_lines(folder, [KIRO_LINES[0], *data.draw(gone_bad(KIRO_LINES[1:]))]))
    read("antigravity", antigravity(folder, [ANTIGRAVITY[0], *data.draw(gone_bad(ANTIGRAVITY[1:]))]))
    read("kiro", kiro_steps(folder, [KIRO_STEPS[0], *data.draw(gone_bad(KIRO_STEPS[1:]))]))
