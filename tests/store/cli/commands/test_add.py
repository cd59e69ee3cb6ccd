"""`mem add TITLE`."""

from datetime import datetime
from types import SimpleNamespace

import pytest

from memtui.store import Store

from ..runner import Mem


def test_it_prints_the_id(mem: Mem) -> None:
    assert mem.ok("add", "Fixed the token refresh") == "1"
    assert mem.ok("add", "And another") == "2"


def test_json_is_the_whole_record(mem: Mem) -> None:
    record = mem.json(
        "add", "Fixed the token refresh", "--type", "bugfix", "--subtitle", "in auth",
        "--narrative", "It expired.", "--fact", "TTL is 24 h", "--fact", "Leeway is 60 s",
        "--concept", "auth", "--read", "a.py", "--modified", "b.py", "--tag", "urgent",
        "--tool", "Edit", "--project", "payments", "--session", "c-1", "--agent", "codex",
        "--prompt-number", "3", "--tokens", "120", "--event-id", "e-1",
    )  # fmt: skip
    session = mem.json("session", "show", "c-1")["session"]
    expected = {
        "ref": "1", "id": 1, "title": "Fixed the token refresh", "type": "bugfix",
        "subtitle": "in auth", "narrative": "It expired.",
        "facts": ["TTL is 24 h", "Leeway is 60 s"], "concepts": ["auth"], "files_read": ["a.py"],
        "files_modified": ["b.py"], "tags": ["urgent"], "tool_name": "Edit",
        "project": "payments", "session_id": session["id"], "prompt_number": 3,
        "discovery_tokens": 120, "event_id": "e-1", "private": False, "pinned": False,
    }  # fmt: skip
    assert record.items() >= expected.items()
    assert (session["agent"], session["project"]) == ("codex", "payments")


def test_the_narrative_may_come_from_standard_input(mem: Mem) -> None:
    record = mem.json("add", "Title", "--narrative", "-", input="first line\nsecond line\n")
    assert record["narrative"] == "first line\nsecond line"


def test_the_project_is_the_repository_here(mem: Mem) -> None:
    assert mem.json("add", "Title")["project"] == "atlas"


def test_a_known_session_gives_its_own_project(mem: Mem) -> None:
    mem.ok("session", "start", "c-1", "--project", "payments")
    assert mem.json("add", "Title", "--session", "c-1")["project"] == "payments"
    assert mem.json("add", "Title", "--session", "@1")["project"] == "payments"


def test_an_unknown_session_is_made_in_the_repository_here(mem: Mem) -> None:
    assert mem.json("add", "Title", "--session", "c-9")["project"] == "atlas"
    assert mem.json("session", "show", "c-9")["session"]["project"] == "atlas"


def test_the_same_event_twice_is_one_observation(mem: Mem) -> None:
    assert mem.ok("add", "First", "--event-id", "e-1") == "1"
    assert mem.ok("add", "Again", "--event-id", "e-1") == "1"
    assert mem.json("stats")["observations"] == 1


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2026-02-18", datetime(2026, 2, 18)),
        ("2026-02-18T14:30", datetime(2026, 2, 18, 14, 30)),
        (str(int(datetime(2026, 2, 18).timestamp() * 1000)), datetime(2026, 2, 18)),
    ],
)
def test_a_time_may_be_given_as_a_date_a_moment_or_ms(mem: Mem, given: str, meant: datetime) -> None:
    assert mem.json("add", "Title", "--at", given)["created_at"] == meant.timestamp() * 1000


@pytest.mark.parametrize("given", ["soon", "2026-02-30", "1" * 30, ""])
def test_a_time_that_is_none_is_wrong_usage(mem: Mem, given: str) -> None:
    assert "Invalid value for '--at'" in mem.refused("add", "Title", "--at", given, code=2)
    assert not mem.db.exists()


def test_what_is_marked_as_private_is_never_stored(mem: Mem) -> None:
    record = mem.json("add", "Title", "--fact", "open <private>canary</private>")
    assert record["facts"] == ["open "]
    assert b"canary" not in mem.db.read_bytes()


def test_a_private_observation_is_not_found(mem: Mem) -> None:
    mem.ok("add", "canary", "--private")
    assert mem.json("search", "canary") == []
    assert len(mem.json("search", "is:private")) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("add",),
        ("add", "Title", "--stdin"),
        ("add", "--stdin", "--narrative", "-"),
        ("add", "Title", "--tokens", "-1"),
        ("add", "Title", "--tokens", "many"),
        ("add", "Title", "Another"),
        ("add", "Title", "--colour", "red"),
    ],
)
def test_wrong_usage_is_exit_code_2(mem: Mem, arguments: tuple[str, ...]) -> None:
    assert "Usage: mem add" in mem.refused(*arguments, code=2)
    assert not mem.db.exists()


def test_an_unknown_session_number_is_refused(mem: Mem) -> None:
    mem.ok("add", "Title")
    assert mem.refused("add", "Title", "--session", "@77").startswith("There is no session @77.")


SHELLS = [
    ({"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "11111111-2222"}, "claude-code"),
    ({"CODEX_THREAD_ID": "11111111-2222", "CLAUDECODE": "1"}, "codex"),
    ({"COPILOT_CLI": "1", "COPILOT_AGENT_SESSION_ID": "11111111-2222"}, "copilot"),
]


@pytest.mark.parametrize(("shell", "agent"), SHELLS, ids=str)
def test_in_an_agents_shell_a_memory_joins_the_agents_session(
    mem: Mem, shell: dict[str, str], agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in shell.items():
        monkeypatch.setenv(name, value)
    mem.ok("add", "By the agent")
    mem.ok("add", "By the agent too", "--at", "2h")
    mem.ok("add", "By hand", "--session", "mine")
    (fact,) = [mem.json("fact", "add", "Clocks drift")]
    assert fact["project"] == "atlas"
    told = mem.json("fact", "show", "f1")["told"]
    assert [(one["session"], one["speaker"]) for one in told] == [("11111111-2222", "assistant")]
    found = {one["content_session_id"]: one for one in mem.json("session", "list")}
    assert found["11111111-2222"]["agent"] == agent
    assert found["11111111-2222"]["project"] == "atlas"
    assert found["11111111-2222"]["observations"] == 2
    assert found.keys() == {"11111111-2222", "mine"}


def test_an_agent_that_tells_no_session_has_the_one_that_goes_on(
    mem: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(mem.db) as store:
        live = store.sessions.start("o-live", agent="opencode", project="atlas")
        store.sessions.start("o-else", agent="opencode", project="other")
        store.sessions.end(store.sessions.start("o-over", agent="opencode", project="atlas"))
    monkeypatch.setenv("OPENCODE", "1")
    mem.ok("add", "By the agent")
    monkeypatch.setenv("CURSOR_AGENT", "1")
    monkeypatch.delenv("OPENCODE")
    mem.ok("add", "By one of which nothing is known")
    with Store.open(mem.db) as store:
        first, second = store.observations.get(1), store.observations.get(2)
        assert first.session_id == live.id
        assert store.sessions.get(second.session_id).content_session_id == "manual-atlas"


@pytest.mark.parametrize("title", ["", "  ", "\t\n"])
def test_an_empty_memory_is_refused(mem: Mem, title: str) -> None:
    assert "empty memory was not stored" in mem.refused("add", title, code=2)
    assert "empty memory was not stored" in mem.process("add", title).stderr.decode()
    assert mem.ok("add", title, "--narrative", "It rained.") == "1"


def test_a_memory_of_which_nothing_is_left_is_refused(mem: Mem) -> None:
    told = mem.refused("add", "<private>the code is 4711</private>", "--tag", "door")
    assert "no text is left" in told
    lines = b'{"title": " "}\n{"title": "<private>x</private>"}\n{"title": "kept"}\n'
    done = mem.process("add", "--stdin", input=lines)
    assert (done.returncode, done.stdout) == (1, b"1\n")
    assert done.stderr.count(b"Nothing was stored") == 2


def test_a_mistyped_type_is_refused_with_the_nearest(mem: Mem) -> None:
    told = mem.refused("add", "Title", "--type", "bugfx")
    assert "Did you mean bugfix?" in told
    assert mem.json("add", "Title", "--type", "bugfx", "--new-type")["type"] == "bugfx"
    # Now it is one of the memory's own.
    assert mem.json("add", "Title", "--type", "bugfx")["type"] == "bugfx"
    assert mem.json("add", "Title", "--type", "runbook")["type"] == "runbook"
    assert "Did you mean runbook?" in mem.refused("edit", "1", "--type", "runbok")


@pytest.mark.parametrize(("answer", "stored"), [("\n", "decision"), ("n\n", "decison")])
def test_on_a_terminal_it_asks_which_type_is_meant(
    mem: Mem, monkeypatch: pytest.MonkeyPatch, answer: str, stored: str
) -> None:
    monkeypatch.setattr("memtui.store.cli.arguments.sys", Terminal())
    result = mem("add", "Title", "--type", "decison", input=answer)
    assert "Take decision instead?" in result.stderr
    assert mem.json("show", "1")[0]["type"] == stored


class Terminal:
    """Stands for `sys` where standard input is a terminal."""

    stdin = SimpleNamespace(isatty=lambda: True)
