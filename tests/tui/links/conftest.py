"""A memory of a project that lies on this machine, and programs that stand for editor and agent."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.tui.app import MemApp
from tests.programs import FakeProgram, program
from tests.tui.browser import NOW

HOUR = 3_600_000
ID = "0c5d81ee-9360-4352-bf2a-6c2ee8d52632"


@pytest.fixture
def atlas(tmp_path: Path) -> Path:
    """The repository `atlas`, with a file of ten lines."""
    root = tmp_path / "atlas"
    (root / ".git").mkdir(parents=True)
    (root / "auth.py").write_text("".join(f"line {number}\n" for number in range(1, 11)))
    return root


@pytest.fixture
def work(tmp_path: Path, atlas: Path) -> Path:
    """A memory of a session in that repository."""
    path = tmp_path / "work.db"
    with Store.open(path) as store, store.transaction():
        one = store.sessions.start(
            ID, agent="codex", project="atlas", project_path=str(atlas), title="Tokens",
            at=NOW - 9 * HOUR,
        )  # fmt: skip
        store.prompts.add(one, "Why do tokens expire?", at=NOW - 9 * HOUR)
        store.observations.add(
            one, title="Tokens live a day", type="bugfix", narrative="See auth.py:4.",
            files_modified=["auth.py"], at=NOW - 8 * HOUR,
        )  # fmt: skip
        store.observations.add(
            one, title="Many files", type="change", files_read=["auth.py", "gone.py", "/dev/null"],
            narrative="See https://docs.example/tokens.", at=NOW - 7 * HOUR,
        )  # fmt: skip
        store.facts.add("Times are UTC", kind="W", project="atlas", at=NOW - 6 * HOUR)
        store.notes.upsert("MEMORY.md", "# Rules\n\nBe brief.\n", project="atlas", at=NOW)
    return path


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeProgram:
    """The user's editor, for which the browser is left."""
    fake = program(tmp_path / "bin", "vim")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{fake.path} -R")
    monkeypatch.setattr(MemApp, "suspend", lambda _app: nullcontext())
    return fake


@pytest.fixture
def codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeProgram:
    """The agent, on the PATH, which ends with 3."""
    fake = program(tmp_path / "agents", "codex", status=3)
    monkeypatch.setenv("PATH", str(fake.path.parent))
    monkeypatch.setattr(MemApp, "suspend", lambda _app: nullcontext())
    return fake
