"""Inside a repository the search begins with its project; a key leads to all, and back."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.tui import __main__ as command
from memtui.tui.app import MemApp
from tests.tui.browser import ask, opened, search, titles
from tests.tui.patience import press


@pytest.fixture
def two(empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Memories of two projects, in the repository of one of them."""
    (tmp_path / "atlas" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "atlas")
    with Store.open(empty) as store:
        store.observations.add("c-1", title="valve", project="atlas")
        store.observations.add("c-2", title="pump", project="harbour")
    return empty


async def test_it_begins_with_what_is_here_and_a_key_shows_all(two: Path) -> None:
    async with opened(two, here="atlas") as pilot:
        assert titles(pilot) == ["valve"]
        assert [chip.label for chip in search(pilot).bar.chips.chips] == ["here: atlas"]
        await press(pilot, "escape", "full_stop")
        assert titles(pilot) == ["pump", "valve"]
        await press(pilot, "full_stop")
        assert titles(pilot) == ["valve"]


async def test_from_the_query_line_too(two: Path) -> None:
    async with opened(two, here="atlas") as pilot:
        await press(pilot, "backspace")
        assert search(pilot).bar.input.value == ""
        await press(pilot, *"pu", "alt+h")
        assert search(pilot).bar.input.value == "project:. pu"
        await press(pilot, "alt+h")
        assert titles(pilot) == ["pump"]


async def test_another_project_is_left_for_the_one_here(two: Path) -> None:
    async with opened(two, here="atlas") as pilot:
        await ask(pilot, "project:harbour p")
        await press(pilot, "escape", "full_stop")
        assert search(pilot).bar.input.value == "project:. p"


async def test_hits_elsewhere_are_counted_and_one_key_away(two: Path) -> None:
    async with opened(two, here="atlas") as pilot:
        await press(pilot, *"pump", "down")
        no_hits = search(pilot).results.no_hits
        assert "everywhere, not only here  1 hit" in no_hits.render().plain
        assert "here: atlas" in no_hits.render().plain
        await press(pilot, "a")
        assert titles(pilot) == ["pump"]


async def test_elsewhere_no_key_is_offered(two: Path) -> None:
    async with opened(two) as pilot:
        assert titles(pilot) == ["pump", "valve"]
        assert not search(pilot).check_action("here", ())


def test_the_command_begins_with_the_repository(
    two: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    apps: list[MemApp] = []
    monkeypatch.setattr(MemApp, "run", lambda self, **_: apps.append(self))
    monkeypatch.setattr(command, "on_terminal", lambda: True)
    command.main(["--db", str(two)])
    monkeypatch.chdir(tmp_path)
    command.main(["--db", str(two)])
    assert [one.here for one in apps] == ["atlas", ""]
