"""Whatever stands in an agent's files and however it is written, only ours comes and goes."""

import json
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.agents.registry import BY_NAME
from memtui.store.install import PARTS, Installed, Surroundings, install
from memtui.store.platform.errors import ConfigurationError
from memtui.store.records.events import AgentName
from tests.unprivileged import without_privileges

from ..machine import Machine
from ..texts import VALUES, written
from .places import JSON_SERVERS, SERVERS, SKILLS, server_file, servers_in

MARK = "\ufeff"
THEIRS = '{"command": "npx", "args": ["theirs"]}'
JSON_FILES = {
    "empty": "",
    "blank": "  \n",
    "nothing in it": "{}",
    "no servers": '{"KEY": {}}\n',
    "one line": '{"theme": "dark", "KEY": {"theirs": THEIRS}}',
    "comments": '{\n  // mine\n  "KEY": {\n    "theirs": THEIRS, // one\n  }, /* two */\n}\n',
    "tabs and CRLF": '{\r\n\t"KEY": {\r\n\t\t"theirs": THEIRS\r\n\t}\r\n}\r\n',
    "a mark": MARK + '{\n  "KEY": {}\n}\n',
    "no newline at the end": '{\n  "a": 1\n}',
    "others behind": '{\n    "KEY": {\n        "theirs": THEIRS\n    },\n    "b": [1, 2]\n}\n',
}
TOML_FILES = {
    "empty": "",
    "blank": "\n\n",
    "a comment": "# mine\n",
    "no newline at the end": 'model = "gpt"',
    "two newlines at the end": 'model = "gpt"\n\n',
    "CRLF": 'model = "gpt"\r\n[tui]\r\ntheme = "dark"\r\n',
    "a mark": MARK + 'model = "gpt"\n',
    "their server": '[mcp_servers.theirs]\ncommand = "npx" # why\nargs = [\n  "a",\n]\n',
    "an empty table": "[mcp_servers]\n",
    "dotted keys": 'mcp_servers.theirs.command = "npx"\n[tui]\nx = 1\n',
    "a text like a table": 'x = """\n[mcp_servers.memtui]\n"""\n',
    "lists of tables": "[[a]]\nb = 1\n[[a]]\nb = 2\n",
}


def contents(agent: AgentName) -> dict[str, str]:
    if agent == "codex":
        return TOML_FILES
    key = BY_NAME[agent].server_key
    return {name: text.replace("KEY", key).replace("THEIRS", THEIRS) for name, text in JSON_FILES.items()}


CASES = [(agent, name) for agent in SERVERS for name in contents(agent)]


def told(done: Installed) -> str:
    return "\n".join((*done.kept, *done.problems))


@pytest.mark.parametrize(("agent", "name"), CASES)
def test_install_and_uninstall_is_nothing(machine: Machine, agent: AgentName, name: str) -> None:
    path = server_file(machine, agent)
    path.write_bytes(contents(agent)[name].encode())
    before = machine.everything()
    machine.install(agent, parts=PARTS)
    installed = machine.everything()
    assert "memtui" in servers_in_any(path, agent)
    assert not machine.install(agent, parts=PARTS).changed
    assert machine.everything() == installed
    machine.uninstall(agent)
    assert machine.everything() == before


def servers_in_any(path: Path, agent: AgentName) -> dict[str, object]:
    if agent == "codex":
        return servers_in(path, agent)
    from memtui.store.text.jsonc import parse

    root = parse(path.read_text(encoding="utf-8-sig")).data
    assert isinstance(root, dict)
    found = root[BY_NAME[agent].server_key]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(("agent", "name"), CASES)
def test_what_others_write_in_between_stays(machine: Machine, agent: AgentName, name: str) -> None:
    path = server_file(machine, agent)
    path.write_bytes(contents(agent)[name].encode())
    machine.install(agent, parts=PARTS)
    added = "\n[added]\nx = 1\n" if agent == "codex" else "\n// added\n"
    path.write_bytes(path.read_bytes() + added.encode())
    machine.uninstall(agent)
    left = path.read_text(encoding="utf-8-sig")
    assert left.endswith(added)
    if agent == "codex":
        before = tomllib.loads(contents(agent)[name].removeprefix(MARK))
        assert tomllib.loads(left) in (
            {**before, "added": {"x": 1}},
            {**before, "added": {"x": 1}, "mcp_servers": {}},
        )
    assert "memtui" not in left.replace('[mcp_servers.memtui]\n"""', "")


@given(text=written(st.dictionaries(st.text(max_size=5), VALUES, max_size=3)))
def test_any_json_is_what_it_was(machine: Machine, text: str) -> None:
    for agent in ("cursor", "opencode"):
        path = server_file(machine, agent)
        path.write_bytes(text.encode())
        machine.install(agent, parts=["mcp"])
        machine.uninstall(agent)
        assert path.read_bytes() == text.encode()
        assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("agent", SERVERS)
def test_a_server_of_our_name_that_is_not_ours_stays(machine: Machine, agent: AgentName) -> None:
    path = server_file(machine, agent)
    text = '[mcp_servers.memtui]\ncommand = "npx"\n'
    if agent != "codex":
        text = json.dumps({BY_NAME[agent].server_key: {"memtui": {"command": "npx"}}})
    path.write_text(text)
    before = machine.everything()
    done = machine.install(agent, parts=PARTS)
    assert "another server of our name" in told(done)
    assert servers_in(path, agent) == {"memtui": {"command": "npx"}}
    (server, *_) = machine.state(agent).parts
    assert (server.condition, server.is_there) == ("foreign", False)
    machine.uninstall(agent)
    assert machine.everything() == before


@pytest.mark.parametrize("agent", SERVERS)
def test_what_the_user_set_on_our_server_stays_when_it_is_installed_again(
    machine: Machine, agent: AgentName
) -> None:
    machine.install(agent, "older", parts=PARTS)
    path = server_file(machine, agent)
    if agent == "codex":
        path.write_text(path.read_text() + "startup_timeout_sec = 30 # slow\n\n# theirs\n[tui]\n")
    else:
        values = json.loads(path.read_text())
        values[BY_NAME[agent].server_key]["memtui"]["disabled"] = True
        path.write_text(json.dumps(values, indent=2))
    machine.install(agent, parts=PARTS)
    entry = servers_in(path, agent)["memtui"]
    assert str(machine.launcher().program) in str(entry)
    assert "older" not in str(entry)
    assert entry.get("disabled") is True or entry.get("startup_timeout_sec") == 30
    machine.uninstall(agent)
    if agent == "codex":
        assert path.read_text().strip() == "# theirs\n[tui]"
    else:
        assert not path.exists() or "memtui" not in servers_in(path, agent)


@pytest.mark.parametrize("agent", SERVERS)
def test_a_linked_file_is_written_through_the_link(machine: Machine, agent: AgentName) -> None:
    path = server_file(machine, agent)
    target = machine.home / "dotfiles" / path.name
    target.parent.mkdir()
    target.write_text("" if agent == "codex" else '{\n  "a": 1\n}\n')
    path.symlink_to(target)
    before = machine.everything()
    machine.install(agent, parts=PARTS)
    assert path.is_symlink() and "memtui" in target.read_text()
    machine.uninstall(agent)
    assert machine.everything() == before


BROKEN = {"cut off": b'{\n  "a": {\n', "a list": b"[]", "Latin-1": b'{"a": "\xe9"}', "x": b"x = "}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("agent", ["claude-code", "codex", "cursor"])
def test_a_broken_file_is_left_as_it_was_and_keeps_nothing_else_from_being_installed(
    machine: Machine, agent: AgentName, name: str
) -> None:
    path = server_file(machine, agent)
    path.write_bytes(BROKEN[name])
    (problem,) = machine.install(agent, parts=PARTS).problems
    assert str(path) in problem and "left as it was" in problem
    assert machine.state(agent).installed == "yes"
    assert (machine.home / SKILLS[agent]).exists()
    machine.uninstall(agent)
    assert machine.state(agent).installed == "no"
    assert not (machine.home / SKILLS[agent]).exists()
    assert path.read_bytes() == BROKEN[name]


def test_servers_that_are_no_object_do_not_keep_hooks_out_of_the_same_file(machine: Machine) -> None:
    path = server_file(machine, "gemini")
    path.write_text('{"mcpServers": []}')
    before = machine.everything()
    done = machine.install("gemini", parts=PARTS)
    (problem,) = done.problems
    assert '"mcpServers" is not an object' in problem
    assert machine.state("gemini").installed == "yes"
    machine.uninstall("gemini")
    assert machine.everything() == before


def test_inline_servers_leave_no_place_for_a_table(machine: Machine) -> None:
    path = server_file(machine, "codex")
    text = 'mcp_servers = { theirs = { command = "npx" } }\n'
    path.write_text(text)
    (problem,) = machine.install("codex", parts=PARTS).problems
    assert "mcp_servers" in problem and path.read_text() == text


def test_a_file_that_can_not_be_written_is_told_and_the_hooks_are_installed(
    tmp_path: Path, machine: Machine
) -> None:
    home = tmp_path / "other"
    folder = home / "cursor" / ".cursor"
    folder.mkdir(parents=True)
    (folder / "skills").mkdir()
    (folder / "skills").chmod(0o555)
    launcher = machine.launcher()
    for place in (folder, folder.parent, home, tmp_path):
        place.chmod(0o777)

    def is_told() -> None:
        around = Surroundings(folder.parent, {})
        done = install("cursor", parts=PARTS, surroundings=around, launcher=launcher)
        (problem,) = done.problems
        assert "Permission denied" in problem and "SKILL.md" in problem
        assert (folder / "hooks.json").exists() and (folder / "commands" / "mem.md").exists()

    assert without_privileges(is_told) == 0
    (folder / "skills").chmod(0o755)


@pytest.mark.parametrize("agent", SKILLS)
def test_a_skill_that_the_user_changed_is_left_alone(machine: Machine, agent: AgentName) -> None:
    machine.install(agent, parts=PARTS)
    path = machine.home / SKILLS[agent]
    path.write_text(path.read_text().replace("## When to add", "## When I want you to add"))
    changed = path.read_text()
    for done in (machine.install(agent, parts=PARTS), machine.uninstall(agent)):
        assert f"{path} was changed since it was installed; it stays as it is." in told(done)
        assert path.read_text() == changed
    state = {one.part: one for one in machine.state(agent).parts}["skill"]
    assert (state.condition, state.is_there) == ("edited", True)
    path.unlink()
    machine.install(agent, parts=PARTS)
    assert "## When to add" in path.read_text()


def test_a_file_of_somebody_else_stays(machine: Machine) -> None:
    path = machine.home / ".claude" / "commands" / "mem.md"
    path.parent.mkdir(parents=True)
    path.write_text("Tell me about memory.\n")
    before = machine.everything()
    done = machine.install("claude-code", parts=PARTS)
    assert f"{path} is not ours; that stays" in told(done)
    parts = {one.part: one.condition for one in machine.state("claude-code").parts}
    assert parts == {"mcp": "yes", "skill": "yes", "commands": "foreign"}
    machine.uninstall("claude-code")
    assert machine.everything() == before


def test_a_file_of_ours_of_an_older_version_is_renewed(machine: Machine) -> None:
    from memtui.store.install.parts import marked

    machine.install("codex", parts=PARTS)
    path = machine.home / SKILLS["codex"]
    now = path.read_bytes()
    path.write_bytes(marked("an older text\n", "an older template", is_toml=False))
    assert {one.part: one.condition for one in machine.state("codex").parts} == {
        "mcp": "yes",
        "skill": "outdated",
    }
    machine.install("codex", parts=PARTS)
    assert path.read_bytes() == now
    path.write_bytes(marked("an older text\n", "an older template", is_toml=False))
    machine.uninstall("codex")
    assert not path.parent.exists()


def test_a_skill_that_is_a_link_to_a_file_of_the_user_stays(machine: Machine) -> None:
    path = machine.home / SKILLS["cursor"]
    path.parent.mkdir(parents=True)
    (machine.home / "mine.md").write_text("mine\n")
    path.symlink_to(machine.home / "mine.md")
    before = machine.everything()
    machine.install("cursor", parts=PARTS)
    machine.uninstall("cursor")
    assert machine.everything() == before


@pytest.mark.parametrize("agent", JSON_SERVERS)
def test_a_server_that_was_written_by_hand_is_taken_for_ours(machine: Machine, agent: AgentName) -> None:
    key = BY_NAME[agent].server_key
    entry: dict[str, object] = {"command": "mem", "args": ["mcp"], "timeout": 9}
    if agent == "opencode":
        entry = {"command": ["mem", "mcp"], "timeout": 9}
    path = server_file(machine, agent)
    path.write_text(json.dumps({key: {"memtui": entry}}))
    assert {one.part: one.condition for one in machine.state(agent).parts}["mcp"] in (
        "yes",
        "outdated",  # there is no `mem` on the PATH
    )
    machine.install(agent, parts=PARTS)
    now = servers_in(path, agent)["memtui"]
    assert str(machine.launcher().program) in str(now) and now["timeout"] == 9


@pytest.mark.parametrize("umask", [0o000, 0o077])
@pytest.mark.parametrize("agent", SERVERS)
def test_what_we_make_is_for_its_owner_only(machine: Machine, agent: AgentName, umask: int) -> None:
    before = os.umask(umask)
    try:
        machine.install(agent, parts=PARTS)
    finally:
        os.umask(before)
    found = [path for path in machine.home.rglob("*") if (machine.home / "work") != path]
    found = [path for path in found if (machine.home / "work") not in path.parents]
    assert {oct(one.stat().st_mode & 0o777) for one in found if one.is_dir()} == {"0o700"}
    assert {oct(one.stat().st_mode & 0o777) for one in found if one.is_file() and one.suffix != ".sh"} == {
        "0o600"
    }


def test_a_file_that_an_agent_keeps_writing_has_no_copy_beside_it(machine: Machine) -> None:
    path = machine.home / ".claude.json"
    path.write_text('{\n  "oauthAccount": {\n    "token": "t"\n  }\n}\n')
    machine.install("claude-code", parts=PARTS)
    assert not path.with_name(".claude.json.memtui-backup").exists()
    values = json.loads(path.read_text())
    path.write_text(json.dumps(values | {"numStartups": 8}, indent=2))
    machine.uninstall("claude-code")
    left = {"oauthAccount": {"token": "t"}, "numStartups": 8}
    assert path.read_text() == json.dumps(left, indent=2)


def test_a_hook_file_that_is_broken_refuses_all(machine: Machine) -> None:
    machine.file("cursor").write_text("{")
    before = machine.everything()
    with pytest.raises(ConfigurationError, match=r"hooks\.json"):
        machine.install("cursor", parts=PARTS)
    assert machine.everything() == before
