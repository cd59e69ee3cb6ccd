"""The README's commands do what it says."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from memtui import tui
from tests.places import ROOT
from tests.store.formats.claude_mem.claude_mem_files import ClaudeMemFile
from tests.store.formats.foreign_files import CodexmemFile
from tests.store.formats.scheme_c.directories import directory, fact, line

README = (ROOT / "README.md").read_text("utf-8")
SCRIPTS = re.findall(r"<!-- run -->\n```sh\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home, and beside it the memories of other tools that the README imports."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "home" / ".claude-mem").mkdir(parents=True)
    theirs = ClaudeMemFile(folder / "home" / ".claude-mem" / "claude-mem.db")
    theirs.session()
    theirs.observation(title="Told to claude-mem")
    codexmem = CodexmemFile(folder / "codexmem.db")
    codexmem.add("observations", title="Told to codexmem")
    lines = [fact(1, "Times are UTC"), line(2, content="Told to a folder")]
    directory(folder / "memory-data", MEMORY_md="# Rules\n", d16=lines)
    return folder


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    # Agents' configurations of this machine are nobody's business here.
    kept = {name: value for name, value in os.environ.items() if "HOME" not in name}
    environment = {
        **{name: value for name, value in kept.items() if "CONFIG" not in name},
        "HOME": str(folder / "home"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "MEMTUI_DB": str(folder / "memory.db"),
    }
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_the_readme_commands_run_in_order(folder: Path) -> None:
    assert len(SCRIPTS) >= 3
    for script in SCRIPTS:
        done = run(script, folder)
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    found = run("mem search 'clock drifted' --json", folder)
    assert "Refresh token expired because the clock drifted" in found.stdout
    assert (folder / "memory-backup.db").exists()
    titles = {hit["title"] for hit in json.loads(run("mem search Told --json", folder).stdout)}
    assert titles == {"Told to claude-mem", "Told to codexmem", "Told to a folder"}
    assert "drifted" in "".join(
        path.read_text("utf-8") for path in (folder / "memory-data").rglob("*.jsonl")
    )
    for path in ("memory.jsonl", "claude-mem.db", "another-folder/facts.jsonl", "pages"):
        assert (folder / path).exists()


def test_the_readme_names_the_two_commands_of_a_fresh_machine() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for command in ("make run", "make test"):
        assert command in README
        assert command.split()[1] in targets


def test_every_file_and_picture_the_readme_links_to_exists() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


KEYS = {
    "/": "slash", "↓": "down", "↑": "up", "Enter": "enter", "Esc": "escape", "Tab": "tab",
    "[": "left_square_bracket", "]": "right_square_bracket", "?": "question_mark", "=": "equals_sign",
    "Ctrl+P": "ctrl+p", "Ctrl+Q": "ctrl+q", "Ctrl+S": "ctrl+s", "Ctrl+Y": "ctrl+y",
    "Backspace": "backspace", "F1": "f1", "Space": "space", "+": "plus", "-": "minus",
    "←": "left", "→": "right",
}  # fmt: skip


def bound() -> set[str]:
    """Every key that some class of the browser binds."""
    for module in pkgutil.walk_packages(tui.__path__, "memtui.tui."):
        if module.name != "memtui.tui.__main__":
            importlib.import_module(module.name)
    found, classes = set(), [DOMNode]
    while classes:
        one = classes.pop()
        classes += one.__subclasses__()
        bindings = getattr(one, "BINDINGS", [])
        found |= {key for keys in Binding.make_bindings(bindings) for key in keys.key.split(",")}
    return found


def test_every_key_in_the_readme_is_bound() -> None:
    table = README.split("## Keys")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    named = {KEYS.get(key, key) for cell in cells for key in re.findall(r"`([^`]+)`", cell)}
    assert len(named) > 20
    assert named <= bound()
