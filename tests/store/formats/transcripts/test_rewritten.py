"""Transcripts as agents rewrite them: each record is stored once, whatever is told again, and how."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.cli.output.hits import type_of
from memtui.store.cli.output.serializers import record_fields
from memtui.store.context.block import compose
from memtui.store.context.compact.fields import value_of
from memtui.store.context.compact.hits import compact_hit
from memtui.store.formats.transcripts.reader import FileReader, file_reader, line_reader
from memtui.store.formats.transcripts.slices import Position, line_slices
from memtui.store.records.dataclasses import replace
from memtui.store.records.events import Event
from memtui.store.records.fields import flags_of
from memtui.store.records.kinds import NOISE

Record = dict[str, Any]
Records = list[Record]

START = 1_772_359_200_000
"""2026-03-01, in ms since the epoch."""
TURNS = 4


def ms(number: float) -> int:
    return START + int(number * 1_013)


def iso(number: float) -> str:
    return datetime.fromtimestamp(ms(number) / 1_000, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def question(turn: int) -> str:
    return f"question {turn} about the box" + FORKED * (turn == TURNS)


def reply(turn: int) -> str:
    return f"The answer to question {turn} is that box {turn} holds the ledger of {1900 + turn}."


def command(turn: int) -> Record:
    return {"command": f"pytest tests/test_{turn}.py"}


class Told:
    """What a turn is made of, with its ids, of which those that the agent makes begin with `id`."""

    def __init__(self, turn: int) -> None:
        self.turn = turn
        self.asked, self.called, self.answer, self.result = (f"id-{name}{turn}" for name in "puar")
        self.call = f"call-{turn}"
        self.first = turn * 4 + 1
        self.output = f"{turn + 3} passed in 0.{turn + 1}s"


def text(words: str, kind: str = "text") -> Record:
    return {"type": kind, "text": words}


def claude(t: Told) -> Records:
    common = {"sessionId": "session-1", "cwd": "/srv/atlas", "isSidechain": False}
    parents = (f"id-a{t.turn - 1}" if t.turn else None, t.asked, t.called, t.result)
    use = {"type": "tool_use", "id": t.call, "name": "Bash", "input": command(t.turn)}
    result = {"type": "tool_result", "tool_use_id": t.call, "content": t.output}
    says: list[tuple[str, str, Any]] = [
        ("user", t.asked, question(t.turn)), ("assistant", t.called, [use]),
        ("user", t.result, [result]), ("assistant", t.answer, [text(reply(t.turn))]),
    ]  # fmt: skip
    return [
        {
            "type": kind, "uuid": id, "parentUuid": parents[n], "timestamp": iso(t.first + n),
            "promptId": f"id-t{t.turn}",
            "message": {"role": kind, "content": content, **({"id": f"m-{t.turn}-{n}"} if n % 2 else {})},
        } | common
        for n, (kind, id, content) in enumerate(says)
    ]  # fmt: skip


def codex(t: Told) -> Records:
    turn = {"turn_id": f"id-t{t.turn}"}
    use = {"name": "shell", "call_id": t.call, "arguments": json.dumps(command(t.turn))}
    told = [
        ("event_msg", {"type": "task_started"} | turn),
        ("event_msg", {"type": "user_message", "message": question(t.turn)}),
        ("response_item", {"type": "function_call"} | use),
        ("response_item", {"type": "function_call_output", "call_id": t.call, "output": t.output}),
        ("event_msg", {"type": "task_complete", "last_agent_message": reply(t.turn)} | turn),
    ]
    meta = {"id": "session-1", "cwd": "/srv/atlas", "timestamp": iso(0)}
    head = [] if t.turn else [{"timestamp": iso(0), "type": "session_meta", "payload": meta}]
    return head + [
        {"timestamp": iso(t.first + n), "type": kind, "payload": payload}
        for n, (kind, payload) in enumerate(told)
    ]


def gemini(t: Told) -> Records:
    head = {"sessionId": "session-1", "projectHash": "", "startTime": iso(0), "kind": "main"}
    ran: dict[str, Any] = {"functionResponse": {"id": t.call, "response": {"output": t.output}}}
    use: dict[str, Any] = {
        "id": t.call,
        "name": "run_shell_command",
        "args": command(t.turn),
        "status": "success",
    }
    says: list[dict[str, Any]] = [
        {"id": t.asked, "type": "user", "content": [{"text": question(t.turn)}]},
        {"id": t.called, "type": "gemini", "content": "", "toolCalls": [{**use, "result": [ran]}]},
        {"id": t.answer, "type": "gemini", "content": reply(t.turn)},
    ]
    said = [{**one, "timestamp": iso(t.first + n)} for n, one in enumerate(says)]
    return [head, *said] if t.turn == 0 else said


def copilot(t: Told) -> Records:
    use = {"toolCallId": t.call, "toolName": "bash", "arguments": command(t.turn)}
    done = {"toolCallId": t.call, "success": True, "result": {"content": t.output}}
    told = [
        (t.asked, "user.message", {"content": question(t.turn)}),
        (t.called, "tool.execution_start", use),
        (t.result, "tool.execution_complete", done),
        (t.answer, "assistant.message", {"content": reply(t.turn), "toolRequests": []}),
    ]
    start = {"sessionId": "session-1", "context": {"cwd": "/srv/atlas"}}
    head = [] if t.turn else [("id-start", "session.start", start)]
    return [
        {"type": kind, "id": id, "data": data, "timestamp": iso(t.first + n - len(head))}
        for n, (id, kind, data) in enumerate([*head, *told])
    ]


def pi(t: Told) -> Records:
    use = {"type": "toolCall", "id": t.call, "name": "bash", "arguments": command(t.turn)}
    done = {"role": "toolResult", "toolCallId": t.call, "content": [text(t.output)]}
    parents = (f"id-a{t.turn - 1}" if t.turn else None, t.asked, t.called, t.result)
    says = [
        (t.asked, {"role": "user", "content": [text(question(t.turn))]}),
        (t.called, {"role": "assistant", "content": [use]}),
        (t.result, done),
        (t.answer, {"role": "assistant", "content": [text(reply(t.turn))]}),
    ]
    head = {"type": "session", "version": 3, "id": "session-1", "timestamp": iso(0), "cwd": "/srv/atlas"}
    said = [
        {
            "type": "message", "id": id, "parentId": parents[n], "timestamp": iso(t.first + n),
            "message": message,
        }
        for n, (id, message) in enumerate(says)
    ]  # fmt: skip
    return said if t.turn else [head, *said]


def qwen(t: Told) -> Records:
    use = {"functionCall": {"id": t.call, "name": "run_shell_command", "args": command(t.turn)}}
    done = {"functionResponse": {"id": t.call, "response": {"output": t.output}}}
    parents = (f"id-a{t.turn - 1}" if t.turn else None, t.asked, t.called, t.result)
    says = [
        (t.asked, "user", "user", {"text": question(t.turn)}), (t.called, "assistant", "model", use),
        (t.result, "tool_result", "user", done), (t.answer, "assistant", "model", {"text": reply(t.turn)}),
    ]  # fmt: skip
    return [
        {
            "uuid": id, "parentUuid": parents[n], "sessionId": "session-1", "cwd": "/srv/atlas",
            "timestamp": iso(t.first + n), "type": kind, "message": {"role": role, "parts": [part]},
        }
        for n, (id, kind, role, part) in enumerate(says)
    ]  # fmt: skip


def blocks(t: Told, result: Record) -> list[tuple[bool, str, list[Record]]]:
    """A turn's messages in the form of Anthropic's interface."""
    use = {"type": "tool_use", "id": t.call, "name": "Bash", "input": command(t.turn)}
    return [
        (True, t.asked, [text(question(t.turn))]), (False, t.called, [use]),
        (True, t.result, [{"type": "tool_result"} | result]), (False, t.answer, [text(reply(t.turn))]),
    ]  # fmt: skip


def cline(t: Told) -> Records:
    said = blocks(t, {"tool_use_id": t.call, "content": t.output})
    return [
        {"id": id, "role": "user" if users else "assistant", "content": content, "ts": ms(t.first + n)}
        for n, (users, id, content) in enumerate(said)
    ]


def amp(t: Told) -> Records:
    said = blocks(t, {"toolUseID": t.call, "run": {"status": "done", "result": t.output}})
    return [
        {
            "role": "user" if users else "assistant", "messageId": id, "content": content,
            "meta": {"sentAt": ms(t.first + n)},
        }
        for n, (users, id, content) in enumerate(said)
    ]  # fmt: skip


def goose(t: Told) -> Records:
    call = {"status": "success", "value": {"name": "developer__shell", "arguments": command(t.turn)}}
    done = {"status": "success", "value": {"content": [text(t.output)]}}
    said = [
        ("user", t.asked, text(question(t.turn))),
        ("assistant", t.called, {"type": "toolRequest", "id": t.call, "toolCall": call}),
        ("user", t.result, {"type": "toolResponse", "id": t.call, "toolResult": done}),
        ("assistant", t.answer, text(reply(t.turn))),
    ]
    return [
        {
            "message_id": id, "session_id": "session-1", "role": role, "content_json": [part],
            "created_timestamp": ms(t.first + n) // 1_000,
        }
        for n, (role, id, part) in enumerate(said)
    ]  # fmt: skip


def goose_lines(t: Told) -> Records:
    head = [{"working_dir": "/srv/atlas", "description": "", "message_count": 4}] if t.turn == 0 else []
    return head + [
        {
            "id": row["message_id"], "role": row["role"], "content": row["content_json"],
            "created": row["created_timestamp"],
        }
        for row in goose(t)
    ]  # fmt: skip


def crush(t: Told) -> Records:
    use = {"id": t.call, "name": "bash", "input": json.dumps(command(t.turn))}
    said = [
        ("user", t.asked, "text", {"text": question(t.turn)}), ("assistant", t.called, "tool_call", use),
        ("tool", t.result, "tool_result", {"tool_call_id": t.call, "content": t.output}),
        ("assistant", t.answer, "text", {"text": reply(t.turn)}),
    ]  # fmt: skip
    return [
        {
            "id": id, "session_id": "session-1", "role": role, "parts": [{"type": kind, "data": data}],
            "created_at": ms(t.first + n) // 1_000,
        }
        for n, (role, id, kind, data) in enumerate(said)
    ]  # fmt: skip


def kiro(t: Told) -> Records:
    use = {"toolUseId": t.call, "name": "execute_bash", "input": command(t.turn)}
    done = {"toolUseId": t.call, "content": [{"kind": "text", "data": t.output}], "status": "success"}
    said = [
        ("Prompt", t.asked, "text", question(t.turn)), ("AssistantMessage", t.called, "toolUse", use),
        ("ToolResults", t.result, "toolResult", done),
        ("AssistantMessage", t.answer, "text", reply(t.turn)),
    ]  # fmt: skip
    return [
        {
            "version": "v1", "kind": kind,
            "data": {
                "message_id": id, "content": [{"kind": block, "data": data}],
                "meta": {"timestamp": ms(t.first + n)},
            },
        }
        for n, (kind, id, block, data) in enumerate(said)
    ]  # fmt: skip


def vscode(t: Told) -> Records:
    terminal = {
        "kind": "terminal", "commandLine": {"original": command(t.turn)["command"]},
        "terminalCommandState": {"exitCode": 0}, "terminalCommandOutput": {"text": t.output},
    }  # fmt: skip
    ran = {"kind": "toolInvocationSerialized", "toolId": "run_in_terminal", "toolCallId": t.call}
    response = [ran | {"isComplete": True, "toolSpecificData": terminal}, {"value": reply(t.turn)}]
    asked = {"requestId": t.asked, "timestamp": ms(t.first), "message": {"text": question(t.turn)}}
    return [asked | {"response": response, "result": {"metadata": {"modelId": "m"}}}]


def opencode(t: Told) -> Records:
    state = {"status": "completed", "input": command(t.turn), "output": t.output}
    use = {"type": "tool", "tool": "bash", "callID": t.call, "state": state}
    said = [
        (t.asked, "user", text(question(t.turn))), (t.called, "assistant", use),
        (t.answer, "assistant", text(reply(t.turn))),
    ]  # fmt: skip
    return [
        {
            "info": {
                "id": id, "role": role, "finish": "stop",
                "time": {"created": ms(t.first + n), "completed": ms(t.first + n) + 7},
            },
            "parts": [part],
        }
        for n, (id, role, part) in enumerate(said)
    ]  # fmt: skip


Save = Callable[[Path, Records], Path]


def lines(path: str) -> Save:
    return lambda home, records: written(home / path, "".join(json.dumps(one) + "\n" for one in records))


def whole(path: str, **about: Any) -> Save:
    """A file of one object, which holds the records in place of `...`."""

    def save(home: Path, records: Records) -> Path:
        told = {key: records if value is ... else value for key, value in about.items()}
        return written(home / path, json.dumps(told | {"forked": FORKED in json.dumps(records)}))

    return save


def written(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path = path.with_name(of_fork(path.name, content))
    path.write_text(of_fork(content, content), encoding="utf-8")
    return path


def of_fork(text: str, content: str) -> str:
    """A text of the session, or of the fork where the content is one: that began behind what it copies."""
    if FORKED not in content:
        return text
    text = text.replace("session-1", "session-2").replace(iso(0), iso(TURNS * 4 + 1.5))
    return text.replace(str(ms(0)), str(ms(TURNS * 4 + 1.5)))


def database(path: str, **session: Any) -> Save:
    def save(home: Path, records: Records) -> Path:
        found = home / path
        found.parent.mkdir(parents=True, exist_ok=True)
        found.unlink(missing_ok=True)
        content = json.dumps([session, [{"id": n} | row for n, row in enumerate(records)]])
        about, rows = json.loads(of_fork(content, content))
        db = apsw.Connection(str(found))
        for name, told in (("sessions", [about]), ("messages", rows)):
            db.execute(f"CREATE TABLE {name} ({', '.join(told[0])})")
            for row in told:
                values = [json.dumps(v) if isinstance(v, list) else v for v in row.values()]
                db.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", values)
        db.close()
        return found

    return save


OF_ONE = {"id": "session-1", "parent_session_id": None, "created_at": ms(0)}
AGENTS: dict[str, tuple[str, Callable[[Told], Records], Save]] = {
    "claude-code": ("claude-code", claude, lines("projects/-srv-atlas/session-1.jsonl")),
    "codex": ("codex", codex, lines("sessions/rollout-session-1.jsonl")),
    "gemini": ("gemini", gemini, lines("tmp/atlas/chats/session-1.jsonl")),
    "copilot": ("copilot", copilot, lines("session-state/session-1.jsonl")),
    "vscode-lines": ("vscode", copilot, lines("GitHub.copilot-chat/transcripts/session-1.jsonl")),
    "pi": ("pi", pi, lines("sessions/--srv--/1_session-1.jsonl")),
    "qwen-code": ("qwen-code", qwen, lines("projects/srv/chats/session-1.jsonl")),
    "cline": ("cline", cline, whole("session-1.messages.json", sessionId="session-1", messages=...)),
    "amp": ("amp", amp, whole("threads/session-1.json", id="session-1", created=ms(0), messages=...)),
    "goose": ("goose", goose, database("sessions.db", **OF_ONE, working_dir="/srv")),
    "goose-lines": ("goose", goose_lines, lines("sessions/session-1.jsonl")),
    "crush": ("crush", crush, database("crush.db", **OF_ONE, title="A title")),
    "kiro": ("kiro", kiro, lines("sessions/cli/session-1.jsonl")),
    "vscode": (
        "vscode", vscode,
        whole("chatSessions/session-1.json", sessionId="session-1", creationDate=ms(0), requests=...),
    ),
    "opencode": (
        "opencode", opencode,
        whole("session-1.json", info={"id": "session-1", "time": {"created": ms(0)}}, messages=...),
    ),
}  # fmt: skip
FORKED = "+fork"
"""What the prompts of a fork hold that are its own."""
OF_LINES = [name for name, (_, _, save) in AGENTS.items() if save.__qualname__.startswith("lines")]
KEEPS_IDS = ("pi", "qwen-code", "cline", "goose-lines", "kiro")
"""Agents whose forks keep the ids of what they copy, or whose transcripts don't say when they began."""


def session(make: Callable[[Told], Records], turns: range = range(TURNS)) -> Records:
    return [record for turn in turns for record in make(Told(turn))]


def changed(records: Records, pattern: str, put: str | Callable[[re.Match[str]], str]) -> Records:
    result: Records = json.loads(re.sub(pattern, put, json.dumps(records)))
    return result


def renamed(records: Records) -> Records:
    """With other ids, where the agent and not the model makes them."""
    return changed(records, r"\bid-", "id-again-")


def later(records: Records) -> Records:
    """A day later."""
    records = changed(records, "2026-03-01T", "2026-03-02T")
    records = changed(records, r"\b17723\d{8}\b", lambda found: str(int(found[0]) + 86_400_000))
    return changed(records, r"\b17723\d{5}\b", lambda found: str(int(found[0]) + 86_400))


REWRITINGS: dict[str, Callable[[Records], Records]] = {
    "again": lambda records: records + records,
    "thrice": lambda records: records * 3,
    "a part again": lambda records: records + records[len(records) // 2 :],
    "its beginning again": lambda records: records + records[: len(records) // 2],
    "other ids": lambda records: records + renamed(records),
    "another time": lambda records: records + later(records),
}


def rows(store: Store) -> dict[str, list[str]]:
    """What is stored: prompts, commands and replies, each as often as it stands there."""
    own = "SELECT {} FROM observations WHERE tool_name {} 'reply' ORDER BY 1"
    found = {
        "prompts": "SELECT text FROM prompts ORDER BY 1",
        "tools": own.format("title || coalesce(narrative, '')", "<>"),
        "replies": own.format("title", "="),
    }
    return {name: [str(row[0]) for row in store.db.execute(sql)] for name, sql in found.items()}


def assert_once(store: Store, turns: int = TURNS) -> None:
    found = rows(store)
    assert found["prompts"] == [question(turn) for turn in range(turns)]
    assert [len(found[name]) for name in ("tools", "replies")] == [turns, turns], found["replies"]
    assert len(set(found["tools"])) == len(set(found["replies"])) == turns
    taken = "SELECT count(*) FROM prompts WHERE extra LIKE '%taken_back%'"
    assert not store.db.execute(taken).get


@pytest.mark.parametrize("rewriting", REWRITINGS)
@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_told_again_is_stored_once(
    store: Store, tmp_path: Path, agent: str, rewriting: str
) -> None:
    name, make, save = AGENTS[agent]
    path = save(tmp_path, REWRITINGS[rewriting](session(make)))
    assert read_transcript(store, path, name)
    assert_once(store)
    assert read_transcript(store, path, name)
    assert_once(store)


@pytest.mark.parametrize("rewriting", REWRITINGS)
@pytest.mark.parametrize("agent", AGENTS)
def test_so_it_is_where_it_grew_meanwhile(store: Store, tmp_path: Path, agent: str, rewriting: str) -> None:
    name, make, save = AGENTS[agent]
    whole = REWRITINGS[rewriting](session(make))
    for end in (TURNS // 2, len(whole) - 1, len(whole)):
        records = session(make, range(end)) if end == TURNS // 2 else whole[:end]
        assert read_transcript(store, save(tmp_path, records), name)
    assert_once(store)


def told_by(store: Store, name: str, path: Path) -> list[Event]:
    make = line_reader(path, name)
    if make:
        return [e for each in line_slices(store.db, path, make, Position()) for e in each.events]
    reader: FileReader = file_reader(path, name)(path)
    return list(reader.events())


@pytest.mark.parametrize("agent", AGENTS)
def test_what_hooks_told_is_known(store: Store, tmp_path: Path, agent: str) -> None:
    name, make, save = AGENTS[agent]
    path = save(tmp_path, session(make))
    for event in told_by(store, name, path):
        if event.kind in ("prompt", "tool", "reply"):
            own = event if event.shared else replace(event, key=None)
            ingest_event(store, replace(own, at=(event.at or 0) + 40), "hook")
    assert_once(store)
    assert read_transcript(store, save(tmp_path, session(make) + session(make)), name)
    assert_once(store)


@pytest.mark.parametrize("first", ["fork", "parent"])
@pytest.mark.parametrize("ids", ["same", "other"])
@pytest.mark.parametrize("agent", AGENTS)
def test_a_fork_tells_only_what_is_its_own(
    store: Store, tmp_path: Path, agent: str, ids: str, first: str
) -> None:
    name, make, save = AGENTS[agent]
    copied = session(make) if ids == "same" or agent in KEEPS_IDS else renamed(session(make))
    parent = (tmp_path / "a", session(make))
    fork = (tmp_path / "b", copied + session(make, range(TURNS, TURNS + 1)))
    for home, records in (fork, parent, fork) if first == "fork" else (parent, fork, parent):
        assert read_transcript(store, save(home, records), name)
    assert_once(store, TURNS + 1)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_that_goes_on_in_a_new_file_is_one(store: Store, tmp_path: Path, agent: str) -> None:
    name, make, save = AGENTS[agent]
    for number, turns in enumerate((TURNS - 1, TURNS)):
        assert read_transcript(store, save(tmp_path / str(number), session(make, range(turns))), name)
    assert_once(store)


@pytest.mark.parametrize("agent", OF_LINES)
def test_a_torn_beginning_costs_nothing(store: Store, tmp_path: Path, agent: str) -> None:
    name, make, save = AGENTS[agent]
    path = save(tmp_path, session(make))
    whole = path.read_text(encoding="utf-8").splitlines()
    torn = [line if number % 2 else line[: len(line) // 2] + line for number, line in enumerate(whole)]
    path.write_text("\n".join(torn) + "\n", encoding="utf-8")
    assert read_transcript(store, path, name)
    assert_once(store)


def went_back(agent: str, turn: int) -> Records:
    """What goes on from before a turn, as far back as it may be: a prompt, and what says that."""
    make = AGENTS[agent][1]
    told, (asked, *_rest) = Told(turn), make(Told(MANY))
    match agent:
        case "gemini":
            return [{"$rewindTo": told.asked}, asked]
        case "codex":
            rollback = {"type": "thread_rolled_back", "num_turns": MANY - turn}
            line = {"timestamp": asked["timestamp"], "type": "event_msg", "payload": rollback}
            return [line, *make(Told(MANY))]
    parent = "parentId" if agent == "pi" else "parentUuid"
    return [asked | {parent: f"id-a{turn - 1}"}]


MANY = 300
"""So many turns, and four times as many records, lie between what is taken back and its end."""


@pytest.mark.parametrize("readings", [1, 3])
@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini", "pi", "qwen-code"])
def test_what_is_gone_back_to_is_known_however_far(
    store: Store, tmp_path: Path, agent: str, readings: int
) -> None:
    name, make, save = AGENTS[agent]
    records = session(make, range(MANY))
    for number in range(1, readings):
        assert read_transcript(store, save(tmp_path, records[: len(records) * number // 2]), name)
    assert read_transcript(store, save(tmp_path, records + went_back(agent, 2)), name)
    taken = store.prompts.where("extra LIKE '%taken_back%'")
    assert {prompt.text for prompt in taken} == {question(turn) for turn in range(2, MANY)}

    for turn, query, turns in (
        *((turn, f"{question(turn)} kind:prompt", True) for turn in (1, 7, MANY)),
        (7, f'"{question(7)}" kind:prompt', False), (7, f"{question(7)} kind:prompt sort:recent", True),
    ):  # fmt: skip
        hits = store.find(query).page(limit=MANY, turns=turns).hits
        [row] = [hit.row for hit in hits if hit.row.title == question(turn)]
        assert row.state == ("taken back" if turn == 7 else "")
        assert ("taken-back" in compact_hit(hits[0]).marks) == (hits[0].row.state != "")
        assert type_of(row) == ("prompt, taken back" if turn == 7 else "prompt")
    left = next(prompt for prompt in taken if prompt.text == question(7))
    assert ("taken back", "yes") in record_fields(left)
    assert "taken_back" in flags_of(left)
    assert value_of(store, left, "taken_back") is True
    told = compose(store.db, row.project, budget=4_000).text
    assert question(MANY) in told
    assert not [turn for turn in range(2, MANY) if f"question {turn} " in told]


def unended(agent: str) -> Records:
    """Two turns, of which the second was killed while its tool ran."""
    told: Records = []
    for record in session(AGENTS[agent][1], range(2)):
        if reply(1) in (line := json.dumps(record)) and agent != "vscode":
            continue
        if Told(1).output in line:
            match agent:
                case "gemini":
                    record["toolCalls"][0] |= {"status": "executing", "result": None}
                case "opencode":
                    record["parts"][0]["state"] |= {"status": "running", "output": None}
                case "vscode":
                    record |= {"result": None, "response": [record["response"][0] | {"isComplete": False}]}
                    record["response"][0]["toolSpecificData"].pop("terminalCommandOutput")
                case _:
                    continue
        told.append(record)
    return told


@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_that_never_ended_is_no_change_until_it_does(
    store: Store, tmp_path: Path, agent: str
) -> None:
    name, make, save = AGENTS[agent]
    assert read_transcript(store, save(tmp_path, unended(agent)), name)
    [ended, *others] = store.observations.where("tool_name <> 'reply' ORDER BY id")
    assert ended.type == "discovery"
    assert {(one.type, one.subtitle) for one in others} <= {(NOISE, "never ended")}
    assert all((one.title or "").startswith("Never ended: ") for one in others)
    assert read_transcript(store, save(tmp_path, session(make, range(3))), name)
    assert_once(store, 3)
    assert not store.observations.where("type = ?", (NOISE,))
