"""Each leaf can be deleted: everything else works without its folder, and who asks for it is told so in a
sentence. A leaf is tried by being there: `store/leaves` and `tui/leaves` are looked through."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.places import PACKAGES, PYTHONPATH
from tests.sizes import of_today

PACKAGE = PACKAGES / "memtui"
LEAVES = [
    f"{top}/leaves/{folder.name}"
    for top in ("store", "tui")
    for folder in sorted((PACKAGE / top / "leaves").iterdir())
    if (folder / "__init__.py").is_file()
]
GONE = {
    "store/leaves/archive": ("mem store archive list",),
    "store/leaves/blame": ("mem blame a.py", "mem blame --help"),
    "store/leaves/digest": ("mem session digest", "mem digest --help"),
    "store/leaves/embeddings": ("mem store embeddings status",),
    "store/leaves/files": ("mem files", "mem files check"),
    "store/leaves/foreign": (),
    "store/leaves/handoff": ("mem session handoff", "mem session handoff --help"),
    "store/leaves/html": ("mem export html pages",),
    "store/leaves/statistics": ("mem store stats",),
    "store/leaves/sync": ("mem sync", "mem sync status", "mem sync --help", "mem team status"),
    "store/leaves/team": (
        *("mem team status", "mem team --help", "mem search --team token"),
        *("mem store retention set --teammates --days 9", "mem store retention clear --teammates"),
    ),
    "tui/leaves/blame": (),
    "tui/leaves/digest": (),
    "tui/leaves/files": (),
    "tui/leaves/picker": (),
    "tui/leaves/serving": ("memtui serve",),
    "tui/leaves/statistics": (),
    "tui/leaves/sync": (),
    "tui/leaves/team": (),
}
"""Command lines that ask for what a leaf holds; none where only a key, or a terminal, does."""

PROGRAMS = {
    "mem": "from memtui.store.cli import main; sys.exit(main())",
    "memtui": "from memtui.tui.__main__ import main; sys.exit(main())",
    "browser": "from tests.test_leaves import browse; sys.exit(browse(sys.argv[1]))",
}
ASKED = (
    {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "c", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)  # fmt: skip


@dataclass(frozen=True)
class Installation:
    """A copy of the package in a folder of its own, and the store that it works on."""

    folder: Path

    @contextmanager
    def without(self, *leaves: str) -> Iterator[None]:
        """Have leaves be gone for a while."""
        beside = self.folder / "gone"
        for leaf in leaves:
            (self.folder / "memtui" / leaf).rename(beside / leaf.replace("/", " "))
        try:
            yield
        finally:
            for leaf in leaves:
                (beside / leaf.replace("/", " ")).rename(self.folder / "memtui" / leaf)

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run one of `PROGRAMS`, of which nothing is told but in sentences."""
        program, *arguments = words
        code = f"import sys; sys.path.insert(0, {str(self.folder)!r}); {PROGRAMS[program]}"
        home = self.folder / "home"
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, *arguments],
            cwd=home, input=given, capture_output=True, text=True, timeout=120,
            env=os.environ | {
                "HOME": str(home), "MEMTUI_DB": str(self.store), "PYTHONPATH": PYTHONPATH,
            },
        )  # fmt: skip
        assert "Traceback" not in done.stderr + done.stdout, (words, done.stderr)
        return done

    def mem(self, *words: str, given: str = "") -> str:
        """Run a command that succeeds, and return what it prints."""
        done = self.run("mem", *words, given=given)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    @property
    def store(self) -> Path:
        return self.folder / "memory.db"


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    folder = tmp_path_factory.mktemp("installation")
    shutil.copytree(PACKAGE, folder / "memtui", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("home", "gone"):
        (folder / name).mkdir()
    installed = Installation(folder)
    installed.mem("add", "Tokens live a day")
    return installed


def check(installed: Installation, name: str) -> None:
    """Try what everybody needs. `name` makes what is stored differ from what was before."""
    assert "doctor" in installed.mem("--help")
    installed.mem("add", f"A lesson without {name}")
    assert "Tokens live a day" in installed.mem("search", "token")
    installed.mem("doctor")
    assert "A lesson" in installed.mem("session", "context")
    event = {
        "session_id": name, "hook_event_name": "UserPromptSubmit", "prompt": f"why {name}?",
        "cwd": str(installed.folder / "home"),
    }  # fmt: skip
    installed.mem("hook", "claude-code", given=json.dumps(event))
    installed.mem("queue", "process", "--background")
    assert f"why {name}?" in installed.mem("search", "kind:prompt", "why")
    answers = installed.mem("hook", "mcp", given="".join(f"{json.dumps(line)}\n" for line in ASKED))
    tools = json.loads(answers.splitlines()[-1])["result"]["tools"]
    assert {"add", "search"} <= {str(tool["name"]) for tool in tools}
    shown = installed.run("browser", str(installed.store))
    assert shown.returncode == 0, shown.stderr


def browse(path: str) -> int:
    """Start the browser without a terminal, and press the keys of its tabs, of screens of leaves, of the
    help and of the palette."""
    import asyncio

    from memtui.tui.app import MemApp
    from tests.tui.patience import press

    async def pressed() -> None:
        app = MemApp(Path(path))
        async with app.run_test() as pilot:
            # Out of the query line, where a number is typed.
            await press(pilot, "escape")
            for tab in app.tabs:
                await press(pilot, tab.key)
                assert app.current_mode == tab.mode
            # What leaves add to the screens of the core.
            await press(pilot, "5", "s", "escape", "1", "I", "W", "escape")
            await press(pilot, "question_mark", "escape", "ctrl+p", "escape")

    asyncio.run(pressed())
    return 0


def test_each_leaf_is_listed_with_what_asks_for_it() -> None:
    assert sorted(GONE) == sorted(LEAVES)


@pytest.mark.parametrize("leaf", of_today(LEAVES, 3))
def test_all_else_works_without_a_leaf(installation: Installation, leaf: str) -> None:
    with installation.without(leaf):
        check(installation, leaf)
        for line in GONE[leaf]:
            done = installation.run(*line.split())
            assert done.returncode == 1, line
            assert "is missing. Install memtui again." in done.stderr, line
            assert len(done.stderr.splitlines()) == 1, line


def test_the_core_works_by_itself(installation: Installation) -> None:
    with installation.without(*LEAVES):
        check(installation, "any leaf")
