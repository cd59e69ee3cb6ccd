"""The commands of the README and of the pages below docs do what is said, and its keys are bound."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from memtui.store import Store
from memtui.store.capture.demo import fill
from memtui.store.platform.clock import now_ms
from memtui.tui.help.page import modules
from tests.places import ROOT
from tests.store.formats.claude_mem.claude_mem_files import ClaudeMemFile
from tests.store.formats.foreign_files import CodexmemFile
from tests.store.formats.scheme_c.directories import directory, fact, line

README = (ROOT / "README.md").read_text("utf-8")
PAGES = [page for page in sorted((ROOT / "docs").glob("*.md")) if "<!-- run -->" in page.read_text("utf-8")]


CHINESE = sorted((ROOT / "docs" / "zh").glob("*.md"))


def scripts(text: str) -> list[str]:
    """The blocks of commands that are marked to be run, in their order."""
    return re.findall(r"<!-- run -->\n```sh\n(.*?)```", text, re.DOTALL)


def commands(text: str) -> list[str]:
    """What the blocks of a page have, without comments of the shell."""
    blocks = re.findall(r"^```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [re.sub(r"(?:^|\s+)# .*", "", line) for block in blocks for line in block.splitlines()]


def names(text: str) -> set[str]:
    """What stands in code spans: commands, settings, keys, files."""
    return set(re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)))


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home, and beside it the memories of other tools that the pages import."""
    folder = tmp_path_factory.mktemp("surroundings")
    (folder / "home" / ".claude-mem").mkdir(parents=True)
    theirs = ClaudeMemFile(folder / "home" / ".claude-mem" / "claude-mem.db")
    theirs.session()
    theirs.observation(title="Told to claude-mem")
    codexmem = CodexmemFile(folder / "codexmem.db")
    codexmem.add("observations", title="Told to codexmem")
    lines = [fact(1, "Times are UTC"), line(2, content="Told to a folder")]
    directory(folder / "memory-data", MEMORY_md="# Rules\n", d16=lines)
    return folder


@pytest.fixture(scope="module")
def demo(surroundings: Path) -> Path:
    """The same, with the demo as the store: the pages show commands on its memories."""
    with Store.open(surroundings / "demo.db") as store:
        fill(store, now=now_ms())
    return surroundings / "demo.db"


@pytest.fixture
def folder(surroundings: Path, tmp_path: Path) -> Path:
    """A copy of the surroundings, for one page."""
    return shutil.copytree(surroundings, tmp_path / "folder")


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


def run_all(text: str, folder: Path) -> None:
    for script in scripts(text):
        done = run(script, folder)
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"


def test_the_readme_commands_run_in_order_on_an_empty_store(folder: Path) -> None:
    assert len(scripts(README)) >= 3
    run_all(README, folder)
    found = run("mem search 'clock drifted' --json", folder)
    assert "Refresh token expired because the clock drifted" in found.stdout
    titles = {hit["title"] for hit in json.loads(run("mem search Told --json", folder).stdout)}
    assert "Told to claude-mem" in titles


@pytest.mark.parametrize("page", CHINESE, ids=lambda page: page.stem)
def test_a_chinese_page_has_the_commands_and_names_of_the_english_one(page: Path) -> None:
    english = ROOT / page.name if page.name == "README.md" else ROOT / "docs" / page.name
    text, original = page.read_text("utf-8"), english.read_text("utf-8")
    assert commands(text) == commands(original)
    assert text.count("<!-- run -->") == original.count("<!-- run -->")
    assert text.count("\n## ") == original.count("\n## ")
    assert names(original) <= names(text)
    chinese = {name for name in names(text) - names(original) if re.search("[一-鿿]", name)}
    assert names(text) - chinese == names(original)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.sampled
def test_the_commands_of_a_page_run_in_order_on_the_demo(page: Path, folder: Path, demo: Path) -> None:
    shutil.copyfile(demo, folder / "memory.db")
    run_all(page.read_text("utf-8"), folder)


@pytest.mark.long
def test_what_is_brought_in_and_taken_out_is_there(folder: Path) -> None:
    run_all((ROOT / "docs" / "import-and-export.md").read_text("utf-8"), folder)
    titles = {hit["title"] for hit in json.loads(run("mem search Told --json", folder).stdout)}
    assert titles == {"Told to claude-mem", "Told to codexmem", "Told to a folder"}
    assert "drifted" in "".join(
        path.read_text("utf-8") for path in (folder / "memory-data").rglob("*.jsonl")
    )
    for path in ("memory.jsonl", "claude-mem-export.db", "another-folder/facts.jsonl", "pages"):
        assert (folder / path).exists()


def test_the_readme_names_the_two_commands_of_a_fresh_machine() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for command in ("make run", "make test"):
        assert command in README
        assert command.split()[1] in targets


KEYS = {
    "/": "slash", "↓": "down", "↑": "up", "Enter": "enter", "Esc": "escape", "Tab": "tab",
    "[": "left_square_bracket", "]": "right_square_bracket", "?": "question_mark", "=": "equals_sign",
    "Ctrl+P": "ctrl+p", "Ctrl+Q": "ctrl+q", "Ctrl+S": "ctrl+s", "Ctrl+Y": "ctrl+y",
    "Backspace": "backspace", "F1": "f1", "Space": "space", "+": "plus", "-": "minus",
    "←": "left", "→": "right",
}  # fmt: skip


def bound() -> set[str]:
    """Every key that some class of the browser binds."""
    list(modules())
    found, classes = set(), [DOMNode]
    while classes:
        one = classes.pop()
        classes += one.__subclasses__()
        bindings = getattr(one, "BINDINGS", [])
        found |= {key for keys in Binding.make_bindings(bindings) for key in keys.key.split(",")}
    return found


def test_every_key_in_the_readme_is_bound() -> None:
    table = README.split("## Ten keys")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    named = {KEYS.get(key, key) for cell in cells for key in re.findall(r"`([^`]+)`", cell)}
    assert len(named) > 15
    assert named <= bound()
