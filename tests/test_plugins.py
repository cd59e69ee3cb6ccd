"""Plugins of agents, which `make dist` writes: what is in them is what `mem install` gives, their hooks
find the program and run what installed ones do, and agents' own programs take them where they are here."""

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from docs.distribution import plugins
from docs.distribution.plugins import HOOK, ICON, ROOTS
from memtui.store.agents.registry import BY_NAME
from memtui.store.install import PARTS, Launcher, Surroundings, install
from memtui.store.install.parts import MARK
from tests.places import PACKAGES
from tests.programs import FakeProgram, program

AGENTS = list(ROOTS)
HOOK_PY = "lib/python3.11/site-packages/memtui/store/capture/hook.py"
EVENT = {"session_id": "c-1", "hook_event_name": "UserPromptSubmit", "prompt": "why?", "cwd": "/"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all plugins."""
    path = tmp_path_factory.mktemp("dist") / "plugins"
    plugins.write(path)
    return path


def read(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.mark.parametrize("agent", AGENTS)
def test_a_plugin_has_the_hooks_that_are_installed_each_by_our_script(folder: Path, agent: str) -> None:
    hooks = read(folder / agent / "hooks/hooks.json")["hooks"]
    assert list(hooks) == list(BY_NAME[agent].hooks)
    for event, [entry] in hooks.items():
        (handler,) = entry["hooks"]
        assert HOOK in handler["command"]
        for addition in ("args", "commandWindows"):
            handler.pop(addition, None)
        assert entry == BY_NAME[agent].hooks[event](handler["command"])
    assert os.access(folder / agent / HOOK, os.X_OK)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_plugin_has_the_skill_and_commands_that_are_installed(
    folder: Path, agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.install.parts.mem_command", lambda: "mem")
    launcher = Launcher(Path("/python"), Path("/hook.py"))
    install(agent, hooks=False, parts=PARTS, surroundings=Surroundings(tmp_path, {}), launcher=launcher)
    files = BY_NAME[agent].own_files(tmp_path, {})
    (top,) = BY_NAME[agent].editions(tmp_path, {})
    assert files
    for _name, path in files:
        inside = (folder / agent / path.relative_to(top)).read_text()
        assert inside == MARK.sub("", path.read_text())


def test_nothing_is_named_that_is_found_where_it_lies(folder: Path) -> None:
    manifest = read(folder / "claude-code/.claude-plugin/plugin.json")
    assert not manifest.keys() & {"hooks", "skills", "commands", "mcpServers"}


@pytest.mark.parametrize("agent", AGENTS)
def test_every_plugin_starts_the_same_server_and_has_an_icon(folder: Path, agent: str) -> None:
    named = {"gemini": "gemini-extension.json", "qwen-code": "qwen-extension.json"}.get(agent, ".mcp.json")
    servers = read(folder / agent / named)["mcpServers"]
    assert servers == {"memtui": {"command": "mem", "args": ["mcp"]}}
    picture = (folder / agent / ICON).read_bytes()
    assert picture.startswith(b"\x89PNG") and struct.unpack(">II", picture[16:24]) == (512, 512)


def installed_in(
    home: Path, shebang: str, says: str = "from memtui.store.cli import main\n"
) -> FakeProgram:
    """A Python that notes what it runs, an installation of it below `home`, and a link to that `mem`."""
    made = program(home / "tool/bin", "python")
    (home / "tool" / HOOK_PY).parent.mkdir(parents=True)
    (home / "tool" / HOOK_PY).touch()
    script = program(home / "tool/bin", "mem").path
    script.write_text(f"#!{shebang}\nimport sys\n{says}")
    (home / ".local/bin").mkdir(parents=True)
    (home / ".local/bin/mem").symlink_to(script)
    return made


def run(folder: Path, agent: str, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(home), "PATH": f"/nowhere:{home / 'empty'}"}
    return subprocess.run(
        [folder / agent / HOOK, *words],
        env=environment, input=json.dumps(EVENT), capture_output=True, text=True, check=True,
    )  # fmt: skip


@pytest.mark.parametrize("agent", AGENTS)
def test_a_hook_is_run_by_the_python_that_memtui_is_installed_for(
    folder: Path, agent: str, tmp_path: Path
) -> None:
    python = installed_in(tmp_path, str(tmp_path / "tool/bin/python"))
    run(folder, agent, tmp_path)
    # The words that `mem install` has an agent run.
    assert tuple(python.words) == Launcher(python.path, tmp_path / "tool" / HOOK_PY).arguments(agent)[1:]


def test_a_hook_asks_a_mem_that_was_installed_in_a_way_of_its_own(folder: Path, tmp_path: Path) -> None:
    installed_in(tmp_path, "/bin/sh", f'# memtui.store.cli\necho "$@" > {tmp_path / "called"}\nexit 2\n')
    run(folder, "codex", tmp_path)
    assert (tmp_path / "called").read_text() == "hook codex\n"


def test_a_hook_runs_no_other_program_that_is_called_mem(folder: Path, tmp_path: Path) -> None:
    python = installed_in(tmp_path, str(tmp_path / "tool/bin/python"), "import memoize\n")
    assert run(folder, "claude-code", tmp_path, "start").stdout
    (tmp_path / "tool/bin/mem").write_bytes(b"\x7fELF\0\0memtui.store.cli\n")
    assert run(folder, "claude-code", tmp_path).stdout == ""
    assert python.calls == []


def test_without_the_program_a_start_says_what_to_install_and_nothing_else_says_a_word(
    folder: Path, tmp_path: Path
) -> None:
    assert (
        "uv tool install memtui"
        in json.loads(run(folder, "gemini", tmp_path, "start").stdout)["systemMessage"]
    )
    assert run(folder, "gemini", tmp_path).stdout == ""


def test_a_hook_beside_an_installed_one_stores_and_tells_once(folder: Path, tmp_path: Path) -> None:
    """As an agent does that has both: it runs each at every event."""
    library = tmp_path / "tool/lib/python3.11/site-packages"
    library.mkdir(parents=True)
    for name in ("memtui", "apsw"):
        (library / name).symlink_to(Path(sys.modules[name].__file__ or "").parent)
    mem = program(tmp_path / "tool/bin", "mem").path
    mem.write_text(f"#!{tmp_path / 'tool/bin/python'}\nfrom memtui.store.cli import main\n")
    (tmp_path / "tool/bin/python").symlink_to(sys.executable)
    environment = {"HOME": str(tmp_path), "PATH": f"{mem.parent}:/usr/bin:/bin", "CLAUDECODE": "1"}
    installed = Launcher(Path(sys.executable), PACKAGES / "memtui/store/capture/hook.py")
    hooks = [["/bin/sh", "-c", installed.command("claude-code")], [str(folder / "claude-code" / HOOK)]]

    def happens(**event: object) -> list[str]:
        given = json.dumps({"session_id": "c-1", "cwd": str(tmp_path), **event})
        run = [
            subprocess.run(hook, env=environment, input=given, capture_output=True, text=True, check=True)
            for hook in hooks
        ]
        return [one.stdout for one in run]

    add = [sys.executable, "-m", "memtui.store.cli.mem", "add", "Tokens live a day", "--type", "decision"]
    subprocess.run([*add, "--project", tmp_path.name], env=environment, cwd=tmp_path, check=True)
    told = happens(hook_event_name="SessionStart", source="startup")
    assert ["Tokens live a day" in text for text in told] == [True, False]
    assert happens(hook_event_name="UserPromptSubmit", prompt="why does it expire?") == ["", ""]
    count = [sys.executable, "-m", "memtui.store.cli.mem", "stats", "--json"]
    stats = subprocess.run(count, env=environment, capture_output=True, text=True, check=True).stdout
    assert json.loads(stats)["prompts"] == 1


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of its own for an agent's program, which then asks for nothing elsewhere."""
    for name in [
        name for name in os.environ if name.startswith(("XDG_", "CLAUDE", "CODEX", "GEMINI", "QWEN"))
    ]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
    monkeypatch.setenv("DISABLE_AUTOUPDATER", "1")
    monkeypatch.chdir(tmp_path)


def ask(*words: object) -> str:
    done = subprocess.run(list(map(str, words)), input="y\n", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("claude") is None, reason="no claude here")
@pytest.mark.usefixtures("own")
def test_claude_code_takes_the_plugin(folder: Path) -> None:
    for path in (folder, folder / "claude-code"):
        ask("claude", "plugin", "validate", "--strict", path)
    ask("claude", "plugin", "marketplace", "add", folder)
    ask("claude", "plugin", "install", "memtui@memtui")
    details = ask("claude", "plugin", "details", "memtui@memtui")
    assert "mem, memtui, remember" in details
    assert f"Hooks ({len(BY_NAME['claude-code'].hooks)})" in details
    assert "plugin:memtui:memtui: mem mcp" in ask("claude", "mcp", "list")


@pytest.mark.skipif(shutil.which("codex") is None, reason="no codex here")
@pytest.mark.usefixtures("own")
def test_codex_takes_the_plugin(folder: Path) -> None:
    ask("codex", "plugin", "marketplace", "add", folder)
    ask("codex", "plugin", "add", "memtui@memtui")
    assert "installed, enabled" in ask("codex", "plugin", "list")
    (line,) = [line for line in ask("codex", "mcp", "list").splitlines() if line.startswith("memtui")]
    assert line.split()[:3] == ["memtui", "mem", "mcp"]


@pytest.mark.skipif(shutil.which("gemini") is None, reason="no gemini here")
@pytest.mark.usefixtures("own")
def test_gemini_takes_the_extension(folder: Path) -> None:
    ask("gemini", "extensions", "validate", folder / "gemini")
    ask("gemini", "extensions", "link", "--consent", folder / "gemini")
    assert "memtui (0.1.0)" in ask("gemini", "extensions", "list")


@pytest.mark.skipif(shutil.which("qwen") is None, reason="no qwen here")
@pytest.mark.usefixtures("own")
def test_qwen_takes_the_extension(folder: Path) -> None:
    ask("qwen", "extensions", "link", folder / "qwen-code")
    assert "memtui (0.1.0)" in ask("qwen", "extensions", "list")
