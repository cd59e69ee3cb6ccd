"""What a session is told at a prompt and before a file is read or edited, where its user wants that."""

import json
import re
from os import fsencode
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.next_prompt import Dropped, tell_at_next_prompt
from memtui.store.config import config_path
from memtui.store.context.broken_rules import tell_at_prompts
from memtui.store.context.log_entries import log_entries
from memtui.store.install import Launcher, Surroundings, install, states
from memtui.store.maintain.purge import purge
from memtui.store.platform.errors import InvalidRecordError
from memtui.store.platform.paths import CHOSEN, config_path_bytes, files_in, starts_path
from memtui.store.text.tokens import estimate_tokens
from tests.store.embeddings.synonym_model import synonym_model

from .hooks import Ended, Machine, Start

BOTH = "[context]\nat_prompt = true\nat_file = true\n"
LESSONS = (
    ("decision", "Refresh tokens live fifteen minutes", "We decided that, for the gateway caches them."),
    ("bugfix", "Mended the race in the retry queue", "A worker leased one message twice."),
    ("decision", "支付回调用幂等键去重", "订单号加渠道作为幂等键"),
)
ASKED = "how long do the refresh tokens live?"


@pytest.fixture
def wanted(machine: Machine) -> Machine:
    """A machine with a repository, a memory of it, and hints that are on."""
    (machine.folder / "project" / ".git").mkdir(parents=True, exist_ok=True)
    with Store.open(machine.database) as store:
        project, root = store.known_projects.of(str(machine.folder / "project"))
        session = store.sessions.start("before", agent="codex", project=project, project_path=root)
        for type, title, narrative in LESSONS:
            store.observations.add(
                session, type=type, title=title, narrative=narrative, files_modified=["src/tokens.py"]
            )
        for number in range(30):
            store.observations.add(session, type="change", title=f"Edited src/widget{number}.py")
    configure(machine, BOTH)
    return machine


def configure(machine: Machine, text: str) -> None:
    """Write the user's configuration."""
    path = machine.home / ".config" / "memtui" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def tell(machine: Machine, agent: str, session: str = "s-1", **event: Any) -> Ended:
    """Run an agent's hook for an event in the repository."""
    told = {"session_id": session, "cwd": str(machine.folder / "project"), **event}
    ended = machine.run(Start(json.dumps(told, ensure_ascii=False).encode(), (agent,)))
    assert (ended.code, ended.err) == (0, b"")
    return ended


def ask(machine: Machine, prompt: str, session: str = "s-1") -> str:
    """What Claude Code is told at a prompt."""
    event = {"hook_event_name": "UserPromptSubmit", "prompt_id": prompt, "prompt": prompt}
    out = tell(machine, "claude-code", session, **event).out
    return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""


def read(machine: Machine, path: str, session: str = "s-1") -> str:
    """What Claude Code is told before it reads a file."""
    event = {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": path}}
    out = tell(machine, "claude-code", session, **event).out
    return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""


def test_a_prompt_is_answered_with_what_it_is_about_and_nothing_else(wanted: Machine) -> None:
    told = ask(wanted, ASKED)
    assert re.match(r'<memtui-context id="[0-9a-f]{8}">\n', told)
    assert told.endswith("</memtui-context>")
    assert "Refresh tokens live fifteen minutes" in told
    assert not [title for _, title, _ in LESSONS[1:] if title in told]
    assert "幂等键去重" in ask(wanted, "幂等键是怎么设计的？")
    assert estimate_tokens(told) <= 300


@pytest.mark.extra("onnx")
def test_a_model_that_is_named_costs_a_prompt_nothing_and_changes_nothing(wanted: Machine) -> None:
    before = ask(wanted, ASKED)
    model = synonym_model(wanted.folder / "synonyms")
    configure(wanted, f'{BOTH}[embeddings]\nprovider = "static"\ndirectory = "{model.directory}"\n')
    event = {"hook_event_name": "UserPromptSubmit", "prompt_id": "p", "prompt": ASKED}
    told = {"session_id": "s-2", "cwd": str(wanted.folder / "project"), **event}
    options = ("-I", "-S", "-X", "importtime")
    ended = wanted.run(Start(json.dumps(told).encode(), ("claude-code",), options=options))
    context = str(json.loads(ended.out)["hookSpecificOutput"]["additionalContext"])
    assert context.splitlines()[1:] == before.splitlines()[1:]
    imported = set(re.findall(r"\| +(\S+)$", ended.err.decode(), re.MULTILINE))
    assert "memtui.store.search.related.prompted" in imported
    assert not [
        one for one in imported if one.startswith(("numpy", "tokenizers", "memtui.store.leaves.embeddings"))
    ]


@pytest.mark.parametrize(
    "prompt",
    ["yes, go on", "continue", "继续", "好的，继续吧", "thanks!", "fix it", "run the tests", "push it",
     "looks good, next", "add dark mode to the settings page", "写一个登录页面", "why?", "", "   ", "42"],
)  # fmt: skip
@pytest.mark.sampled
def test_chatter_and_what_nothing_is_known_of_is_answered_with_nothing(
    wanted: Machine, prompt: str
) -> None:
    assert ask(wanted, prompt) == ""


def test_a_session_is_told_nothing_twice_nor_what_its_start_told(wanted: Machine) -> None:
    assert ask(wanted, ASKED)
    assert ask(wanted, f"again: {ASKED}") == ""
    assert ask(wanted, ASKED, "s-2")
    configure(wanted, "")
    start = tell(wanted, "claude-code", "s-3", hook_event_name="SessionStart", source="startup")
    assert b"Refresh tokens" in start.out
    configure(wanted, BOTH)
    assert ask(wanted, ASKED, "s-3") == ""


def test_what_was_told_is_logged_as_such(wanted: Machine) -> None:
    ask(wanted, ASKED)
    read(wanted, "src/tokens.py")
    with Store.open(wanted.database) as store:
        found = log_entries(store)
    assert [(one.occasion, one.session, one.is_start) for one in found] == [
        ("file", "s-1", False),
        ("prompt", "s-1", False),
    ]
    assert found[1].refs == ("1",)
    assert "1" not in found[0].refs


@pytest.mark.parametrize(
    "text", ["", "[context]\nat_prompt = false\n", "at_prompt = true\n", "at_prompt = ["]
)
def test_without_the_setting_a_prompt_is_answered_with_nothing(wanted: Machine, text: str) -> None:
    configure(wanted, text)
    assert ask(wanted, ASKED) == ""
    assert read(wanted, "src/tokens.py") == ""


@pytest.mark.parametrize(
    ("agent", "event", "answer"),
    [
        ("codex", {"hook_event_name": "UserPromptSubmit", "turn_id": "t"}, "hookSpecificOutput"),
        ("trae", {"hook_event_name": "UserPromptSubmit"}, "hookSpecificOutput"),
        ("gemini", {"hook_event_name": "BeforeAgent"}, "hookSpecificOutput"),
        ("copilot", {"sessionId": "s-1", "timestamp": 5}, "additionalContext"),
        ("opencode", {"hook_event_name": "chat.message", "message_id": "m"}, None),
        ("cursor", {"hook_event_name": "beforeSubmitPrompt", "cursor_version": "1"}, ""),
        ("windsurf", {"agent_action_name": "pre_user_prompt", "trajectory_id": "t"}, ""),
    ],
)  # fmt: skip
def test_each_agent_is_answered_in_its_own_envelope(
    wanted: Machine, agent: str, event: dict[str, Any], answer: str | None
) -> None:
    out = tell(wanted, agent, prompt=ASKED, **event).out.decode()
    if answer is None:
        assert out.startswith("<memtui-context")
    elif answer:
        assert list(json.loads(out)) == [answer]
    else:
        assert out == ""
    assert wanted.kept(ASKED) or agent in ("cursor", "windsurf")


def test_before_a_file_is_read_its_decisions_are_told_once(wanted: Machine) -> None:
    whole = str(wanted.folder / "project" / "src" / "tokens.py")
    told = read(wanted, whole)
    assert all(title in told for _, title, _ in LESSONS)
    assert read(wanted, "src/tokens.py") == ""
    assert read(wanted, "src/widget3.py", "s-2") == ""
    assert read(wanted, "", "s-2") == ""
    with Store.open(wanted.database) as store:
        assert store.stats().observations == len(LESSONS) + 30


def test_agents_that_run_the_hooks_of_another_are_told_nothing_before_a_tool(wanted: Machine) -> None:
    used = {"tool_name": "Read", "tool_input": {"file_path": "src/tokens.py"}}
    event = {"hook_event_name": "PreToolUse", "session_id": "s-1", **used}
    told = json.dumps({**event, "cwd": str(wanted.folder / "project")}).encode()
    start = Start(told, ("claude-code",), variables={"COPILOT_CLI": "1"})
    assert wanted.run(start) == Ended(0, b"", b"")
    assert read(wanted, "src/tokens.py")


def test_an_event_that_only_speaks_of_a_tool_to_be_used_is_stored(wanted: Machine) -> None:
    event = {"hook_event_name": "UserPromptSubmit", "prompt_id": "t", "mode": "PreToolUse"}
    tell(wanted, "claude-code", **event, prompt="what is it for?")
    assert wanted.kept("what is it for?") == ["store"]


def test_what_the_session_did_itself_is_not_told_to_it(wanted: Machine) -> None:
    with Store.open(wanted.database) as store:
        store.db.execute(
            "UPDATE sessions SET content_session_id = 's-1', agent = 'claude-code' "
            "WHERE content_session_id = 'before'"
        )
    assert ask(wanted, ASKED) == ""
    assert read(wanted, "src/tokens.py") == ""


def test_the_event_before_a_tool_is_registered_where_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    around = Surroundings(tmp_path, {"PATH": ""})

    def registered() -> set[str]:
        (change,) = install("claude-code", surroundings=around, launcher=Launcher.here()).changes
        return set(json.loads(change.after or b"{}")["hooks"])

    def state() -> str:
        return next(one.installed for one in states(surroundings=around) if one.agent == "claude-code")

    assert "PreToolUse" not in registered()
    config.write_text(BOTH)
    assert state() == "outdated"
    assert "PreToolUse" in registered()
    assert state() == "yes"
    config.write_text("")
    assert "PreToolUse" not in registered()


def test_a_hook_looks_for_the_configuration_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variables in ({}, {"XDG_CONFIG_HOME": str(tmp_path)}, {"MEMTUI_CONFIG": str(tmp_path / "c")}):
        for name in ("XDG_CONFIG_HOME", "MEMTUI_CONFIG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        environment = {b"HOME": str(Path.home()).encode()} | {
            name.encode(): value.encode() for name, value in variables.items()
        }
        assert config_path_bytes(environment).decode() == str(config_path())


def test_a_sub_agent_is_told_what_is_known_of_its_task(wanted: Machine) -> None:
    configure(wanted, "")
    path = wanted.home / ".claude" / "projects" / "p" / "s-1.jsonl"
    path.parent.mkdir(parents=True)

    def line(*parts: dict[str, Any]) -> str:
        return json.dumps({"message": {"content": list(parts)}}) + "\n"

    def task(id: str, prompt: str, **given: str) -> dict[str, Any]:
        return {"type": "tool_use", "id": id, "name": "Agent", "input": {"prompt": prompt, **given}}

    ended = {"type": "tool_result", "tool_use_id": "c0", "content": "done"}
    path.write_text(
        line(task("c0", "look at the retry queue"))
        + line(ended)
        + "tool_use {\n"
        + line(task("c1", ASKED))
        + line(task("c2", "how are payments deduplicated?", subagent_type="Explore"))
    )

    def told(kind: str, agent: str = "claude-code", sub_agent: str = "a-1") -> str:
        event = {"hook_event_name": "SubagentStart", "agent_id": sub_agent, "agent_type": kind}
        out = tell(wanted, agent, transcript_path=str(path), **event).out
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"]) if out else ""

    context = told("general-purpose")
    assert "Refresh tokens live fifteen minutes" in context and "retry queue" not in context
    assert told("general-purpose") == "", "a sub-agent is told once"
    assert "Refresh tokens" in told("general-purpose", sub_agent="a-2")
    assert told("nobody") == "" and told("general-purpose", "codex") == ""


RULE = "Use pnpm, never npm"


def test_a_rule_that_is_told_at_prompts_is_told_at_each_that_it_matters_to(wanted: Machine) -> None:
    with Store.open(wanted.database) as store:
        project = store.projects()[0][0]
        fact = store.facts.add(RULE, project=project)
        broke = store.observations.add("before", title="Installed date-fns", type="change", project=project)
        store.facts.write_columns([fact.id], {"extra": json.dumps({"broken": [broke.uid]})})
        fact = store.facts.get(fact.id)
        with store.change("made harder"):
            tell_at_prompts(store, fact)
    for _ in range(2):
        assert "rule of the user's: Use pnpm" in ask(wanted, "install left-pad, please")
    assert ask(wanted, "what is the weather like?") == ""
    with Store.open(wanted.database) as store:
        store.undo()
    assert ask(wanted, "install left-pad, please") == ""


def test_what_is_chosen_is_told_at_the_next_prompt_once_whatever_the_settings(wanted: Machine) -> None:
    configure(wanted, "")
    with Store.open(wanted.database) as store:
        session = store.sessions.start("s-1", agent="claude-code", project=store.projects()[0][0])
        tell_at_next_prompt(store, session, [Dropped("1", "decision", "Tokens live fifteen minutes", 0)])
        # What is written meanwhile takes nothing of it away.
        store.observations.pin(store.observations.get(2))
    # It is nothing for a command or a sub-agent.
    assert ask(wanted, "/help") == ""
    event = {"hook_event_name": "UserPromptSubmit", "prompt": "go on", "agent_id": "a-1"}
    assert tell(wanted, "claude-code", **event).out == b""
    assert "decision: Tokens live fifteen minutes" in ask(wanted, "go on")
    assert ask(wanted, "go on") == ""
    with Store.open(wanted.database) as store:
        assert log_entries(store)[0].refs == ("1",)
        tell_at_next_prompt(store, session, [Dropped("1", "decision", "Tokens live fifteen minutes", 0)])
        store.observations.delete(store.observations.get(1))
    assert ask(wanted, "go on") == ""


def test_what_an_agent_takes_nowhere_is_refused(wanted: Machine) -> None:
    with Store.open(wanted.database) as store:
        session = store.sessions.start("w-1", agent="windsurf", project=store.projects()[0][0])
        with pytest.raises(InvalidRecordError, match="takes nothing at a prompt"):
            tell_at_next_prompt(store, session, [Dropped("1", "decision", "Tokens live", 0)])
        session = store.sessions.start("l" * 300, agent="claude-code", project=store.projects()[0][0])
        with pytest.raises(InvalidRecordError, match="can't be written"):
            tell_at_next_prompt(store, session, [Dropped("1", "decision", "Tokens live", 0)])


def test_a_purge_takes_what_was_chosen_for_prompts_with_it(store: Store) -> None:
    session = store.sessions.start("s-1", agent="claude-code", project="atlas")
    fact = store.facts.add("令牌 live fifteen minutes", project="atlas")
    tell_at_next_prompt(store, session, [Dropped(f"f{fact.id}", "decision", fact.content, 0)])
    folder = starts_path(fsencode(store.path))
    assert files_in(folder, CHOSEN)
    purge(store, "facts", [fact.id])
    assert not files_in(folder, CHOSEN)
