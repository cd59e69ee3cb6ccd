"""Who wrote the lines of a memory's file: asked by b wherever it is shown."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.tui.lists.picker import PickScreen
from memtui.tui.search.screen import SearchScreen
from tests.store.git.repository import Repository, at, needs_git
from tests.tui.browser import app, ask, opened
from tests.tui.editing.editors import toasts
from tests.tui.patience import press

from .test_opening import picks, told

pytestmark = needs_git
WRITTEN = "@@\n+ def monotonic_clock():\n+     return time_of_day.now_ns()"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "atlas")
    repository.write(
        "clocks.py", "import time_of_day\n\n\ndef monotonic_clock():\n    return time_of_day.now_ns()\n"
    )
    return repository


@pytest.fixture
def work(tmp_path: Path, repository: Repository) -> Path:
    """A memory of a session that wrote two lines of the repository's only file."""
    path = tmp_path / "work.db"
    with Store.open(path) as store:
        session = store.sessions.start(
            "s-1", agent="codex", project="atlas", project_path=str(repository.root), at=at(0)
        )
        store.sessions.set_branch(session, "feat/clocks")
        prompt = store.prompts.add(session, "Make the clock monotonic", at=at(0))
        for minutes, files, title in (
            (1, ["clocks.py"], "Edited clocks.py"),
            (2, ["clocks.py", "gone.py"], "Looked"),
        ):
            store.observations.add(
                session, title=title, type="change", project="atlas", at=at(minutes), tool_name="Edit",
                narrative=WRITTEN if minutes == 1 else None,
                files_modified=files, prompt_number=1,
            )  # fmt: skip
        store.facts.add("Clocks never go back", project="atlas", session=session, evidence=[prompt.uid])
    repository.commit(1.5)
    return path


async def test_each_turn_is_a_row_that_leads_to_its_edit(work: Path) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "kind:observation edited")
        await press(pilot, "escape", "b")
        assert picks(pilot) == ["4-5 Make the clock monotonic @1 · codex · feat/clocks", "1 unknown"]
        assert told(pilot) == "Decided: Clocks never go back"
        await press(pilot, "down")
        assert told(pilot) == "No session is known to have written it."
        await press(pilot, "enter")
        assert toasts(pilot)[-1] == "No session is known to have written it."
        await press(pilot, "up", "enter")
        assert app(pilot).screen.row.title == "Edited clocks.py"  # type: ignore[attr-defined]


async def test_of_files_that_are_here_the_only_one_is_asked_of(work: Path, repository: Repository) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "kind:observation looked")
        await press(pilot, "escape", "b")
        assert picks(pilot)[0].startswith("4-5 Make")
        await press(pilot, "escape")
        (repository.root / "gone.py").write_text("x = 1\n")
        await press(pilot, "b")
        assert picks(pilot) == ["clocks.py", "gone.py"]
        await press(pilot, "down", "enter")
        assert picks(pilot) == ["1 unknown"]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SearchScreen)


async def test_a_sessions_file_and_a_step_of_its_conversation_are_asked_of(work: Path) -> None:
    async with opened(work) as pilot:
        await press(pilot, "escape", "3", "enter", "G", "b")
        assert isinstance(pilot.app.screen, PickScreen)
        assert picks(pilot)[0].startswith("4-5 Make")
        await press(pilot, "escape", "left", "b")
        assert isinstance(pilot.app.screen, PickScreen)


async def test_what_has_no_file_here_and_what_git_cant_tell_is_said(
    work: Path, repository: Repository
) -> None:
    async with opened(work) as pilot:
        await ask(pilot, "kind:fact")
        await press(pilot, "escape", "b")
        assert toasts(pilot)[-1] == "It names no file."
        await ask(pilot, "kind:observation edited")
        (repository.root / "clocks.py").rename(repository.root / "moved.py")
        await press(pilot, "escape", "b")
        assert toasts(pilot)[-1] == f"clocks.py: It isn't in {repository.root}."
        (repository.root / "clocks.py").write_bytes(b"\0")
        await ask(pilot, "kind:observation edited")
        await press(pilot, "escape", "b")
        assert "is binary" in toasts(pilot)[-1]
