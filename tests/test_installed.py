"""The commands do the same wherever they are called, as they are installed for work on them and as others
install them: a folder there that is called as one of ours never takes its place."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from bench.terminal import Terminal
from tests.places import PACKAGES, ROOT

FOLDERS = ("store", "tui")
EVENT = {"session_id": "c-1", "hook_event_name": "UserPromptSubmit", "prompt": "why?", "cwd": "/"}
ASKED = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"},
    },
}  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started in a repository whose folders are called as ours are, and import them first."""
    for name in FOLDERS:
        folder = tmp_path / "shop" / name
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
    # As where a copy of our repository lies.
    (tmp_path / "shop" / "memtui" / "store").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "shop")
    monkeypatch.setenv("PYTHONPATH", ".")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEMTUI_DB", str(tmp_path / "memory.db"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs' folder of an environment that our wheel is installed in."""
    folder = tmp_path_factory.mktemp("wheel") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    install = ["install", "--quiet", "--no-deps", "--no-build-isolation", "--force-reinstall"]
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, *install, str(ROOT)], check=True)
    return python.parent


def check(programs: Path, package: Path) -> None:
    """Try all that a user or an agent starts; `package` is where `store` lies."""
    mem, browser, python = (str(programs / name) for name in ("mem", "memtui", "python"))
    isolated = (python, "-I", "-S", str(package / "store/capture/hook.py"))
    assert run(mem, "add", "Tokens live a day") == "1\n"
    assert run(mem, "--version") == run(browser, "--version") == "memtui 0.1.0\n"
    assert "Tokens live a day" in run(mem, "search", "token")
    assert run(*isolated, "--check") == run(*isolated, "claude-code", given=json.dumps(EVENT)) == ""
    assert json.loads(run(mem, "stats", "--json"))["prompts"] == 1
    for server in ([mem], [python, "-E", "-P", str(package / "store/cli/mem.py")]):
        assert '"memtui"' in run(*server, "mcp", given=json.dumps(ASKED) + "\n")
    # The store asks the browser, in a process of its own.
    wrong = subprocess.run([mem, "config", "set", "keys.nothing", "x"], capture_output=True)
    assert b"no key is called nothing" in wrong.stderr.lower()
    for shown in ([browser], [mem, "pick"]):
        with Terminal(shown, dict(os.environ)) as terminal:
            terminal.wait_for("Tokens live a day")


def run(*words: str, given: str = "") -> str:
    return subprocess.run(words, input=given, check=True, capture_output=True, text=True).stdout


@pytest.mark.usefixtures("shop")
def test_what_is_installed_for_work_on_it_is_found_beside_folders_of_our_names() -> None:
    check(Path(sys.executable).parent, PACKAGES / "memtui")


@pytest.mark.long
@pytest.mark.usefixtures("shop")
def test_scripts_are_started_by_where_they_lie_in_a_checkout_too() -> None:
    check(Path(sys.executable).parent, ROOT)


@pytest.mark.long
@pytest.mark.usefixtures("shop")
def test_what_is_installed_of_a_wheel_is_found_beside_folders_of_our_names(wheel: Path) -> None:
    (package,) = wheel.parent.glob("lib/python*/site-packages/memtui")
    check(wheel, package)
    where = run(str(wheel / "python"), "-c", "import memtui.tui; print(memtui.tui.__path__[0])")
    assert where == f"{package / 'tui'}\n"
