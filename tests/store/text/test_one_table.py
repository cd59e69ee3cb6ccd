"""A row of the table of secrets is all that it takes: each way in knows it, and no other place need."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtui import store

PLACE = "SERVICE_PATTERNS: tuple[SecretPattern, ...] = (\n"
ROW = '    SecretPattern("zurich-token", (b"zrh-",), r"zrh-[a-z]{24}"),\n'
TOKEN = "zrh-" + "abcdefghijklmnopqrstuvwx"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with one row more in its table."""
    home = tmp_path_factory.mktemp("library")
    source = Path(store.__path__[0])
    (home / "memtui").mkdir()
    shutil.copy(source.parent / "__init__.py", home / "memtui")
    shutil.copytree(source, home / "memtui" / "store", ignore=shutil.ignore_patterns("__pycache__"))
    table = home / "memtui" / "store" / "text" / "secrets" / "service_patterns.py"
    text = table.read_text()
    assert PLACE in text
    table.write_text(text.replace(PLACE, PLACE + ROW))
    return home


class Copy:
    """Runs the copy's programs on a memory of its own."""

    def __init__(self, library: Path, folder: Path) -> None:
        self.library = library
        self.folder = folder
        self.shell = {
            "HOME": str(folder),
            "MEMTUI_DB": str(folder / "memory.db"),
            "MEMTUI_HOOK_SECONDS": "30",
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(library),
            "XDG_RUNTIME_DIR": str(folder),
        }

    def mem(self, *words: str, given: str = "", **variables: str) -> str:
        """Run `mem`; what it prints."""
        code = "import sys; from memtui.store.cli import main; sys.exit(main())"
        return self._run([sys.executable, "-c", code, *words], given, variables)

    def hook(self, **event: object) -> None:
        """Run the hook on an event."""
        script = self.library / "memtui" / "store" / "capture" / "hook.py"
        told = json.dumps({"session_id": "s-1", "cwd": str(self.folder), **event})
        self._run([sys.executable, "-I", "-S", str(script), "claude-code"], told, {})

    def _run(self, command: list[str], given: str, variables: dict[str, str]) -> str:
        done = subprocess.run(
            command,
            input=given.encode(),
            env=self.shell | variables,
            cwd=self.folder,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode()


def test_a_row_more_in_the_table_is_known_by_each_way_in(library: Path, tmp_path: Path) -> None:
    told = f"deploy with {TOKEN} now"
    copy = Copy(library, tmp_path)
    copy.hook(hook_event_name="UserPromptSubmit", prompt_id="p", prompt=f"hook {told}")
    copy.hook(
        hook_event_name="PostToolUse", tool_name="Bash", tool_use_id="t",
        tool_input={"command": f"run {told}"}, tool_response={"stdout": told, "lines": [told, "x"]},
    )  # fmt: skip
    copy.mem("add", f"add {told}", "--fact", f"a fact {told}")
    copy.mem("add", "--stdin", given=json.dumps({"title": f"stdin {told}"}) + "\n")
    copy.mem("prompt", f"prompt {told}", "--session", "s-2")
    copy.mem("fact", "add", f"fact {told}")
    copy.mem("search", told)
    copy.mem("export", "jsonl", "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text()
    for way in ("hook", "add", "a fact", "stdin", "prompt", "fact"):
        assert f"{way} deploy with [redacted zurich-token " in lines, way
    (tmp_path / "foreign.jsonl").write_text(lines.replace("add deploy", f"import {TOKEN} deploy"))
    copy.mem("import", "jsonl", "foreign.jsonl", MEMTUI_DB=str(tmp_path / "other.db"))
    (tmp_path / "foreign.jsonl").unlink()
    queued = json.dumps(copy.mem("queue", "list", "--json"))
    assert "run deploy with [redacted zurich-token " in queued
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes(), path
