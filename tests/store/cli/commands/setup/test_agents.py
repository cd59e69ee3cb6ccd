"""`mem install`, `uninstall` and `agents`."""

import json
import os
import sys
from pathlib import Path

import pytest

from memtui.store.agents.registry import AGENTS
from memtui.store.install.surroundings import words_of

from ...runner import Mem

NAMES = [*AGENTS]
HOOKS_ONLY = ("--no-mcp", "--no-skill", "--no-commands")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with Codex and Claude Code in it, and nothing on the PATH."""
    place = tmp_path / "home"
    (place / ".codex").mkdir(parents=True)
    (place / ".claude").mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("PATH", str(tmp_path))
    return place


def state(mem: Mem, agent: str) -> dict[str, object]:
    return next(one for one in mem.json("agents") if one["agent"] == agent)


def test_an_agent_is_hooked_up_and_let_go(mem: Mem, home: Path) -> None:
    path = home / ".codex" / "hooks.json"
    result = mem("install", "codex", *HOOKS_ONLY)
    assert result.stdout == f"codex: installed in {path}\n"
    assert "/hooks" in result.stderr
    assert mem.ok("install", "codex", *HOOKS_ONLY) == f"codex: {path} is as it should be"
    assert state(mem, "codex").items() >= {"installed": "yes", "in_project": "no"}.items()
    assert mem.ok("uninstall", "codex") == f"codex: uninstalled in {path}"
    assert not path.exists()
    assert mem.ok("uninstall", "codex") == f"codex: no hooks of ours are in {path}"


def test_the_command_names_this_python_and_the_memory_that_was_told(
    mem: Mem, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def command() -> list[str]:
        return words_in(home / ".codex" / "hooks.json")

    mem.ok("install", "codex", "--db", "here.db")
    python, *flags, script, agent, _, db = command()
    assert Path(python).samefile(sys.executable)
    assert (flags, agent) == (["-I", "-S"], "codex")
    assert Path(script).parts[-3:] == ("store", "capture", "hook.py")
    assert db == str(mem.folder / "here.db")
    mem.ok("install", "codex")
    assert command()[-2:] == ["--db", str(mem.db)]
    usual = home / ".local" / "share" / "memtui" / "memory.db"
    mem.ok("install", "codex", "--db", str(usual))
    assert command()[-1] == ("codex" if sys.platform == "linux" else str(usual))


def test_a_dry_run_shows_the_diff(mem: Mem, home: Path) -> None:
    path = home / ".claude" / "settings.json"
    path.write_text('{\n  "model": "x"\n}\n')
    shown = mem.ok("install", "claude", "--dry-run").splitlines()
    assert shown[:2] == [f"--- {path}", f"+++ {path}"]
    assert '+  "model": "x",' in shown
    assert path.read_text() == '{\n  "model": "x"\n}\n'
    mem.ok("install", "claude")
    assert '-  "hooks": {' in mem.ok("uninstall", "claude", "--dry-run").splitlines()
    assert state(mem, "claude-code")["installed"] == "yes"


def test_a_project_is_hooked_up_at_its_root(mem: Mem, home: Path) -> None:
    path = mem.folder.parent / ".claude" / "settings.local.json"
    assert str(path) in mem.ok("install", "claude-code", "--project")
    found = state(mem, "claude-code")
    assert (found["installed"], found["in_project"]) == ("no", "yes")
    mem.ok("uninstall", "claude-code", "--project")
    assert not path.parent.exists()


def test_outside_of_a_repository_there_is_no_project(
    mem: Mem, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    assert "no git repository" in mem.refused("install", "codex", "--project")
    assert state(mem, "codex")["in_project"] is None


def test_without_an_agent_those_found_are_listed(mem: Mem) -> None:
    lines = [line.split("\t") for line in mem.ok("install").splitlines()]
    assert [(line[0], line[-1]) for line in lines] == [
        ("claude-code", "mem install claude-code"),
        ("codex", "mem install codex"),
    ]
    assert [one["agent"] for one in mem.json("install")] == ["claude-code", "codex"]


def test_all_that_are_found_are_hooked_up_at_once(mem: Mem) -> None:
    done = mem.json("install", "--all")
    assert [(one["agent"], one["changed"]) for one in done] == [("claude-code", True), ("codex", True)]
    assert [one["changed"] for one in mem.json("install", "--all")] == [False, False]
    installed = [one["agent"] for one in mem.json("agents") if one["installed"] == "yes"]
    assert installed == ["claude-code", "codex"]


def test_what_is_up_to_date_is_told_in_one_line(mem: Mem) -> None:
    mem.ok("install", "codex")
    assert mem.ok("install", "--all").splitlines()[-1] == "1 agent is up to date: codex"
    again = mem("install", "--all")
    assert again.stdout == "2 agents are up to date: claude-code, codex\n"
    assert again.stderr == ""


def test_a_dry_run_that_would_change_nothing_says_so_beside_the_diff(mem: Mem, home: Path) -> None:
    mem.ok("install", "codex")
    result = mem("install", "codex", "--dry-run")
    assert result.stdout == ""
    assert f"{home / '.codex' / 'hooks.json'} is as it should be" in result.stderr


def test_all_hooks_are_taken_out_at_once(mem: Mem) -> None:
    mem.ok("install", "--all")
    assert [one["agent"] for one in mem.json("uninstall", "--all")] == ["claude-code", "codex"]
    assert "No agent has our hooks." in mem("uninstall", "--all").stderr
    assert {one["installed"] for one in mem.json("agents")} == {"no"}


def test_hooks_of_the_project_that_remain_are_told(mem: Mem) -> None:
    assert "keep it out of commits" in mem("install", "claude-code", "--project").stderr
    assert "mem uninstall claude-code --project" in mem("uninstall", "claude-code").stderr
    assert "remain" not in mem("uninstall", "claude-code", "--project").stderr


def test_the_doctor_looks_at_hooks_before_there_is_a_memory(mem: Mem, home: Path) -> None:
    told = mem("doctor")
    assert told.exit_code == 0
    assert f"ok\tstore\tnone at {mem.db} yet;" in told.stdout
    assert "mem install" in told.stdout and "restore-backup" not in told.stdout
    mem.ok("install", "--all")
    checks = {check["name"]: check for check in mem.json("doctor")["checks"]}
    assert checks["store"]["ok"] and "the first event" in checks["store"]["found"]
    assert checks["agent codex"]["ok"] and checks["agent claude-code"]["ok"]
    assert not mem.db.exists()
    (home / ".claude" / "settings.json").write_text("{")
    assert f"fix {home / '.claude' / 'settings.json'}" in mem("doctor").stdout
    assert mem("doctor").exit_code == 1


def test_agents_tells_that_capture_is_paused_and_until_when(mem: Mem) -> None:
    (unseen,) = mem("agents").stderr.splitlines()
    mem.ok("pause")
    told = [unseen, "Capture is paused until `mem resume`."]
    assert mem("agents").stderr.splitlines() == told
    mem.ok("pause", "--for", "2h")
    assert " or `mem resume`." in mem("agents").stderr


def test_agents_are_shown_before_there_is_a_memory_and_make_none(mem: Mem) -> None:
    assert [state["agent"] for state in mem.json("agents")] == NAMES
    assert not mem.db.exists()


def test_agents_of_which_nothing_is_here_are_only_named(mem: Mem) -> None:
    told = mem("agents")
    assert [line.split("\t")[0] for line in told.stdout.splitlines()] == ["claude-code", "codex"]
    assert told.stderr.startswith("Not here: cursor, gemini, ")
    mem.ok("install", "gemini")
    assert "gemini" in mem("agents").stdout and "gemini" not in mem("agents").stderr


def test_what_was_not_tried_with_its_program_says_so(mem: Mem, home: Path) -> None:
    (home / ".config" / "Code" / "User").mkdir(parents=True)
    assert "mem install vscode (not tried with the program)" in mem("agents").stdout
    assert "not tried with vscode itself" in mem("install", "vscode").stderr


@pytest.mark.long
def test_on_a_narrow_terminal_the_command_to_run_is_shown_in_full(mem: Mem) -> None:
    assert "mem install claude-code" in mem.on_terminal("agents", COLUMNS="80")
    assert "mem install claude-code" in mem.on_terminal("install", COLUMNS="80")
    assert "here" not in mem.on_terminal("agents", COLUMNS="80").splitlines()[0]
    mem.ok("install", "claude-code", "--project")
    assert "here" in mem.on_terminal("agents", COLUMNS="80").splitlines()[0]


def test_where_nothing_is_to_be_done_the_events_of_today_have_the_room(mem: Mem) -> None:
    mem.ok("install", "claude-code")
    mem.ok("install", "codex")
    heads = mem.on_terminal("agents", COLUMNS="80").splitlines()[0]
    assert "today" in heads and "parts" in heads and "what to do" not in heads


def test_agents_that_are_not_here_are_listed_as_the_language_does(mem: Mem) -> None:
    done = mem.process("agents", LC_ALL="zh_CN.UTF-8")
    assert "cursor、gemini、opencode" in done.stderr.decode()


def test_an_agent_that_ran_and_was_not_heard_leads_to_the_doctor(mem: Mem, home: Path) -> None:
    mem.ok("install", "claude-code")
    settings, transcript = home / ".claude/settings.json", home / ".claude/projects/a/s.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.touch()
    os.utime(settings, (1_770_000_000, 1_770_000_000))
    found = state(mem, "claude-code")
    assert found["ran_unheard_at"] == transcript.stat().st_mtime_ns // 1_000_000
    (line,) = (one for one in mem.ok("agents").splitlines() if one.startswith("claude-code"))
    assert line.endswith("not heard: mem doctor")
    assert state(mem, "codex")["ran_unheard_at"] is None
    mem.ok("add", "There is a memory")
    assert "BAD\tagent claude-code\tit ran" in mem("doctor").stdout


@pytest.mark.parametrize("agent", ["codex", "claude-code", "opencode"])
def test_hooks_that_are_for_another_memory_are_told_with_its_name(
    mem: Mem, tmp_path: Path, agent: str
) -> None:
    other = tmp_path / "other memory.db"
    mem.ok("install", agent, "--db", str(other))
    (line,) = (one for one in mem.ok("agents").splitlines() if one.startswith(agent))
    cells = line.split("\t")
    assert cells[2] == "elsewhere"
    assert cells[-1] == f"mem install {agent}: its events go to another store, {other}"
    assert state(mem, agent)["other_memory"] == str(other)
    mem.ok("add", "There is a memory")
    (check,) = [one for one in json_of_doctor(mem) if one["name"] == f"agent {agent}"]
    assert check["found"] == f"its events go to another store: {other}"
    mem.ok("install", agent)
    assert state(mem, agent)["other_memory"] is None
    assert "elsewhere" not in mem.ok("agents")


def test_hooks_of_the_users_own_memory_are_told_in_any_other(mem: Mem, home: Path) -> None:
    own = home / ".local" / "share" / "memtui" / "memory.db"
    mem.ok("install", "codex", "--db", str(own))
    assert str(own) in mem.ok("agents")
    assert "elsewhere" not in mem.ok("agents", "--db", str(own))


def test_on_a_narrow_terminal_no_command_is_broken(mem: Mem) -> None:
    shown = mem.on_terminal("agents", COLUMNS="60")
    assert "mem install claude-code" in shown
    assert "today" not in shown and "what to do" in shown
    assert "today" in mem.on_terminal("agents", COLUMNS="100")


def test_json_tells_what_changed(mem: Mem, home: Path) -> None:
    done = mem.json("install", "codex", *HOOKS_ONLY)
    assert done["agent"] == "codex"
    assert done["changed"] is True
    (file,) = done["files"]
    assert file["path"] == str(home / ".codex" / "hooks.json")
    assert file["diff"].startswith("--- /dev/null\n")
    assert any("/hooks" in sentence for sentence in done["advice"])
    assert mem.json("uninstall", "codex")["changed"] is True


def test_a_broken_configuration_is_a_sentence(mem: Mem, home: Path) -> None:
    path = home / ".codex" / "hooks.json"
    path.write_text("{")
    told = mem.refused("install", "codex")
    assert str(path) in told
    assert told.count("\n") == 1
    assert path.read_text() == "{"
    assert state(mem, "codex")["installed"] == "unreadable"
    assert f"fix {path}" in mem.ok("agents")


def test_one_broken_configuration_keeps_no_other_from_being_hooked_up(mem: Mem, home: Path) -> None:
    (home / ".claude" / "settings.json").write_text("{")
    result = mem("install", "--all")
    assert result.exit_code == 1
    assert "settings.json" in result.stderr
    assert (home / ".codex" / "hooks.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("install", "gpt"),
        ("uninstall",),
        ("uninstall", "codex", "--all"),
        ("uninstall", "gpt"),
        ("install", "codex", "--all"),
    ],
)
def test_wrong_usage_is_told(mem: Mem, arguments: tuple[str, ...]) -> None:
    assert "Usage: mem" in mem.refused(*arguments, code=2)


def test_hooks_that_point_to_nothing_are_told_with_the_remedy(mem: Mem, home: Path) -> None:
    mem.ok("install", "codex")
    path = home / ".codex" / "hooks.json"
    path.write_text(path.read_text().replace(words_in(path)[0], "/gone/python"))
    (check,) = [one for one in json_of_doctor(mem) if one["name"] == "agent codex"]
    assert "its hooks are outdated: /gone/python is gone" in str(check["found"])
    assert check["remedy"] == "mem install codex"
    assert state(mem, "codex")["fault"] == "/gone/python is gone"
    assert "mem install codex: /gone/python is gone" in mem.ok("agents")
    mem.ok("install", "codex")
    assert state(mem, "codex")["fault"] == ""


def words_in(path: Path) -> list[str]:
    """The words of the command that Codex runs when it stops."""
    hooks = json.loads(path.read_text())["hooks"]
    words, is_guarded = words_of(hooks["Stop"][0]["hooks"][0]["command"])
    assert is_guarded
    return list(words)


def json_of_doctor(mem: Mem) -> list[dict[str, object]]:
    """The checks of the doctor, whatever it finds."""
    found: list[dict[str, object]] = json.loads(mem("doctor", "--json").stdout)["checks"]
    return found
