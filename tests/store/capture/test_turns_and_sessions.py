"""What hooks tell of a session beside its work: that it has ended, and which prompt its work belongs to."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.agents.registry import BY_NAME
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.mcp.client import Client
from memtui.store.records.events import Event, ToolUse

AT = 1_795_730_341_000


def told(store: Store, agent: str, kind: Any, second: int, channel: Any = "hook", **fields: Any) -> None:
    common: dict[str, Any] = {
        "agent": agent,
        "session": "s-1",
        "cwd": "/srv/atlas",
        "at": AT + second * 1_000,
    }
    ingest_event(store, Event(kind=kind, **common | fields), channel)


def turn(store: Store, agent: str, second: int) -> None:
    told(store, agent, "prompt", second, text=f"why {second}?")
    told(store, agent, "tool", second + 1, tool=ToolUse("Bash", {"command": f"make t{second}"}, "ok"))
    told(store, agent, "reply", second + 2, text="The root cause was the leap table.")


@pytest.mark.parametrize("agent", [name for name, agent in BY_NAME.items() if agent.takes_hooks])
def test_a_prompt_goes_on_with_a_session_that_had_ended(store: Store, agent: str) -> None:
    turn(store, agent, 0)
    tells_no_end = BY_NAME[agent].ends_with_turns
    assert tells_no_end == (agent in ("cline", "qwen-code"))
    [session] = store.sessions.where("true")
    assert session.status == ("completed" if tells_no_end else "active")
    told(store, agent, "session_end", 3)
    assert store.sessions.get(session.id).status == "completed"
    told(store, agent, "prompt", 1, text="told late")
    assert store.sessions.get(session.id).status == "completed"
    told(store, agent, "prompt", 9, text="and the docs?")
    assert store.sessions.get(session.id).status == "active"


@pytest.mark.parametrize("agent", ["cline", "claude-code"])
def test_work_belongs_to_its_prompt_also_where_that_is_told_later(store: Store, agent: str) -> None:
    for number, second in enumerate((0, 10), start=1):
        told(store, agent, "tool", second + 1, tool=ToolUse("Bash", {"command": f"make t{second}"}, "ok"))
        told(store, agent, "reply", second + 2, text=f"The root cause was the leap table {second}.")
        told(store, agent, "prompt", second, "transcript", text=f"why {second}?", key=f"k{second}")
        ends = store.pending.list()
        assert [one.prompt_number for one in ends if one.kind == "summary"] == [*range(1, number + 1)]
        assert ends[-1].last_user_message in (None, f"why {second}?")
    numbers = [one.prompt_number for one in store.observations.where("true ORDER BY created_at")]
    assert numbers == [1, 1, 2, 2]


@pytest.mark.parametrize("client", ["clinecore", "Cline"])
def test_what_a_client_adds_goes_to_the_running_session(store: Store, tmp_path: Path, client: str) -> None:
    told(store, "cline", "prompt", 0, text="why?", cwd=str(tmp_path), at=None)
    asking = Client(client, environment={"PWD": str(tmp_path)})
    asking.roots = [str(tmp_path)]
    session = asking.session(store, json.loads("{}"))
    assert session is not None
    assert (session.agent, session.content_session_id) == ("cline", "s-1")
