"""Which sessions wait for their user, and which are at work."""

import json
import os
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.agents.homes import AgentHomes
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.waiting import BUSY_MS, states
from memtui.store.records.events import Event, EventKind, ToolUse

NOW = 1_771_000_000_000
GONE = 4_194_303
"""No process has this number: the most that Linux gives is less by one."""


@pytest.fixture
def homes(tmp_path: Path) -> AgentHomes:
    return AgentHomes(tmp_path / "home", {})


def hear(store: Store, session: str, kind: EventKind, ago: int, agent: str = "codex") -> int:
    """Take a hook's event of so many ms ago; the session's number."""
    tool = ToolUse(name="Bash", input={"command": "ls"}, response="a") if kind == "tool" else None
    event = Event(
        kind=kind, agent=agent, session=session, key=f"{kind}-{ago}", text=kind, tool=tool, at=NOW - ago
    )
    assert ingest_event(store, event, "hook")
    found = store.sessions.find(session, agent)
    assert found is not None
    return found.id


def write(homes: AgentHomes, process: int, **content: object) -> None:
    """Write the file of a process, as Claude Code does."""
    folder = homes.home / ".claude/sessions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{process}.json").write_text(json.dumps({"pid": process, **content}))


def started(process: int) -> str:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]


def test_the_last_hook_tells_whether_a_session_waits(store: Store, homes: AgentHomes) -> None:
    asked = hear(store, "asked", "prompt", 1_000)
    works = hear(store, "works", "prompt", 9_000)
    hear(store, "works", "tool", 3_000)
    stopped = hear(store, "stopped", "prompt", 9_000)
    hear(store, "stopped", "reply", 2_000)
    hear(store, "ended", "reply", 5_000)
    assert ingest_event(
        store, Event(kind="session_end", agent="codex", session="ended", at=NOW - 1_000), "hook"
    )
    assert states(store, NOW, homes) == {asked: "busy", works: "busy", stopped: "waiting"}


def test_what_nothing_followed_for_long_is_not_busy(store: Store, homes: AgentHomes) -> None:
    hear(store, "killed", "prompt", BUSY_MS)
    waits = hear(store, "asks", "reply", BUSY_MS)
    assert states(store, NOW, homes) == {waits: "waiting"}


def test_what_only_a_transcript_tells_is_no_hook(store: Store, homes: AgentHomes) -> None:
    event = Event(kind="prompt", agent="codex", session="read", key="k", text="why?", at=NOW - 1_000)
    assert ingest_event(store, event, "transcript")
    assert states(store, NOW, homes) == {}


@pytest.mark.parametrize(
    ("word", "state"),
    [("busy", "busy"), ("waiting", "waiting"), ("idle", "waiting"), ("shell", "waiting")],
)
def test_the_file_of_a_process_counts_more_than_its_last_hook(
    store: Store, homes: AgentHomes, word: str, state: str
) -> None:
    number = hear(store, "c-1", "prompt" if state == "waiting" else "reply", 1_000, "claude-code")
    write(homes, os.getpid(), sessionId="c-1", status=word, procStart=started(os.getpid()))
    assert states(store, NOW, homes) == {number: state}


@pytest.mark.parametrize(
    ("process", "content"),  # None: this very process, whose number each worker has its own of
    [
        (GONE, {"sessionId": "c-1", "status": "busy"}),
        (None, {"sessionId": "c-1", "status": "busy", "procStart": "1"}),
        (None, {"session_id": "c-1", "cwd": "/"}),
        (None, {"sessionId": ["c-1"], "status": "busy"}),
        (None, {"sessionId": "another", "status": "busy"}),
    ],
)
def test_a_dead_process_keeps_no_session_busy(
    store: Store, homes: AgentHomes, process: int | None, content: dict[str, object]
) -> None:
    hear(store, "c-1", "prompt", 1_000, "claude-code")
    write(homes, process or os.getpid(), **content)
    assert states(store, NOW, homes) == {}


def test_a_process_without_a_word_leaves_it_to_the_hooks(store: Store, homes: AgentHomes) -> None:
    number = hear(store, "c-1", "reply", 1_000, "claude-code")
    write(homes, os.getpid(), sessionId="c-1", entrypoint="sdk-ts")
    assert states(store, NOW, homes) == {number: "waiting"}


def test_a_damaged_file_and_a_folder_that_cant_be_read_say_nothing(store: Store, homes: AgentHomes) -> None:
    hear(store, "c-1", "prompt", 1_000, "claude-code")
    write(homes, os.getpid())
    (homes.home / f".claude/sessions/{os.getpid()}.json").write_bytes(b"\xff{[")
    (homes.home / ".claude/sessions/2.json").mkdir()
    assert states(store, NOW, homes) == {}
