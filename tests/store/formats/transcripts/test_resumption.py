"""How sessions are resumed: by the agent's own command, where it ran, and what is in the way."""

import json
from pathlib import Path

import apsw
import pytest

from memtui.store import Session, Store
from memtui.store.formats.transcripts.resumption import Resumption, resumption
from tests.programs import program

ID = "0c5d81ee-9360-4352-bf2a-6c2ee8d52632"
COMMANDS = {
    "claude-code": f"claude --resume {ID}",
    "codex": f"codex resume {ID}",
    "gemini": f"gemini --resume {ID}",
    "opencode": f"opencode -s {ID}",
    "copilot": f"copilot --resume={ID}",
    "cursor": f"cursor-agent --resume={ID}",
}
PLACES = {
    "claude-code": f".claude/projects/-srv-atlas/{ID}.jsonl",
    "codex": f".codex/sessions/2026/02/17/rollout-2026-02-17T18-00-00-{ID}.jsonl",
    "gemini": f".gemini/tmp/atlas/chats/session-2026-02-17T18-00-{ID[:8]}.jsonl",
    "copilot": f".copilot/session-state/{ID}/events.jsonl",
    "cursor": f".cursor/projects/srv-atlas/agent-transcripts/{ID}.jsonl",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory, with every agent's program on the PATH and a directory `atlas`."""
    for command in COMMANDS.values():
        program(tmp_path / "bin", command.split()[0])
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "atlas" / "web").mkdir(parents=True)
    return tmp_path


def session(store: Store, agent: str, path: Path | str | None, id: str = ID) -> Session:
    place = None if path is None else str(path)
    return store.sessions.start(id, agent=agent, project="atlas", project_path=place)


def found(folder: Path, one: Session) -> Resumption:
    assert folder == Path.home()
    return resumption(one)


@pytest.mark.parametrize("agent", COMMANDS)
def test_each_agent_has_its_command(agent: str, store: Store, folder: Path) -> None:
    told = found(folder, session(store, agent, folder / "atlas"))
    assert " ".join(told.command) == COMMANDS[agent]
    assert (told.directory, told.obstacle) == (folder / "atlas", "")
    assert told.shell_line == f"cd {folder}/atlas && {COMMANDS[agent]}"


@pytest.mark.parametrize("agent", PLACES)
def test_a_transcript_is_known_by_its_name_and_tells_where_it_ran(
    agent: str, store: Store, folder: Path
) -> None:
    one = session(store, agent, folder / "atlas")
    assert "keeps no transcript of it here" in found(folder, one).doubt
    path = folder / PLACES[agent]
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"type": "x", "cwd": str(folder / "atlas" / "web")}) + "\n")
    told = found(folder, one)
    assert (told.doubt, told.directory, told.can_run) == ("", folder / "atlas" / "web", True)


def test_opencode_says_in_its_database_what_it_knows(store: Store, folder: Path) -> None:
    path = folder / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    with apsw.Connection(str(path)) as db:
        db.execute("CREATE TABLE session (id TEXT, directory TEXT)")
        db.execute("INSERT INTO session VALUES (?, ?)", (ID, str(folder / "atlas" / "web")))
    db.close()
    assert found(folder, session(store, "opencode", None)).directory == folder / "atlas" / "web"
    assert found(folder, session(store, "opencode", None, "ses_other")).doubt


def test_a_conversation_of_a_window_is_no_session_of_the_command_line(store: Store, folder: Path) -> None:
    path = folder / f".cursor/projects/atlas/agent-transcripts/{ID}/{ID}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("{}\n")
    told = found(folder, session(store, "cursor", folder / "atlas"))
    assert "window" in told.obstacle
    assert not told.can_run


def test_what_is_gone_is_said_before(store: Store, folder: Path) -> None:
    told = found(folder, session(store, "codex", "/no/such/directory"))
    assert told.obstacle.startswith("/no/such/directory isn't there any more.")
    assert "`mem session move /no/such/directory NEW`" in told.obstacle
    assert (told.can_run, told.shell_line) == (False, f"codex resume {ID}")
    (folder / "bin" / "codex").unlink()
    assert found(folder, session(store, "codex", folder / "atlas")).obstacle.startswith("codex is not on")


@pytest.mark.parametrize("id", ["--help", "-c x", "a b", "a;b", "$(x)", "a\nb", "x\u202e", "a" * 300])
def test_an_id_that_is_none_is_refused(id: str, store: Store, folder: Path) -> None:
    told = found(folder, session(store, "claude-code", folder / "atlas", id))
    assert (told.command, told.can_run) == ((), False)
    assert told.reason == "Its id can't be used in a command."


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("windsurf", "windsurf has no command that resumes a session."),
        ("trae", "trae has no command that resumes a session."),
        ("manual", "The session was begun by hand: there is no agent to resume it."),
        ("my-own", "How my-own resumes a session isn't known."),
    ],
)
def test_an_agent_without_a_command_is_told(agent: str, reason: str, store: Store, folder: Path) -> None:
    assert found(folder, session(store, agent, folder / "atlas")).reason == reason
