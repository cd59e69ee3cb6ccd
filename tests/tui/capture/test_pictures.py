"""How the screen of capture looks, in each of its states and at each size, and a header that warns."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.capture import settings
from memtui.store.platform.paths import default_path_bytes
from tests.tui.browser import NOW, app, browser
from tests.tui.capture.messages import fill_queue
from tests.tui.hooked import MINUTE, fail, have_run, leave_waiting, settle_in
from tests.tui.patience import idle, press
from tests.tui.pictures import LOW, MIDDLE, Compare, low_and_middle, sizes


@pytest.fixture
def own(home: Path, demo_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own memory, to which three agents have told something."""
    settle_in(home, monkeypatch)
    path = Path(default_path_bytes().decode())
    path.parent.mkdir(parents=True)
    shutil.copy(demo_file, path)
    have_run(path)
    monkeypatch.setattr("memtui.store.process_briefly", lambda *_: None)
    monkeypatch.setenv("MEMTUI_CONFIG", str(home / "config.toml"))
    return path


def looks_right(
    compare: Compare,
    path: Path,
    size: tuple[int, int],
    *keys: str,
    mode: str = "capture",
    theme: str = "memtui-dark",
    **options: Any,
) -> bool:
    """Whether the browser, in a mode and with these keys pressed in it, looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        await press(pilot, "down")
        app(pilot).action_go(mode)
        app(pilot).ingest()
        await idle(pilot)
        await press(pilot, *keys)

    return compare(browser(path, **options), terminal_size=size, run_before=before)


@sizes
def test_the_agents(snap_compare: Compare, own: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, own, size, "j")


@sizes
def test_an_agent_that_was_hooked_up(snap_compare: Compare, own: Path, size: tuple[int, int]) -> None:
    assert looks_right(snap_compare, own, size, "j", "i", "i")


def test_an_agent_to_be_let_go(snap_compare: Compare, own: Path) -> None:
    assert looks_right(snap_compare, own, LOW, "i", "i", "r")


@pytest.mark.long
def test_the_agents_in_light_colours(snap_compare: Compare, own: Path) -> None:
    assert looks_right(snap_compare, own, MIDDLE, "i", "i", "j", theme="memtui-light")


@low_and_middle
def test_capture_in_trouble(snap_compare: Compare, own: Path, size: tuple[int, int]) -> None:
    fail(own, quarantined=2, lost=1)
    settings.pause(own)
    settings.exclude(own, ["~/private/*", "*.pem"])
    leave_waiting(own, NOW - 3 * 60 * MINUTE, prompts=12)
    assert looks_right(snap_compare, own, size, read_only=True)


def test_the_agents_where_nothing_ever_ran(
    snap_compare: Compare, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.unlink()
    Store.open(own).close()
    assert looks_right(snap_compare, own, LOW)


def test_the_help_of_the_agents(snap_compare: Compare, own: Path) -> None:
    assert looks_right(snap_compare, own, (100, 40), "question_mark")


@pytest.mark.parametrize("theme", ["memtui-dark", "memtui-light"])
def test_a_header_that_warns(snap_compare: Compare, own: Path, theme: str) -> None:
    fail(own, quarantined=2, lost=0)
    settings.pause(own)
    assert looks_right(snap_compare, own, MIDDLE, mode="search", theme=theme)


@sizes
def test_the_events(snap_compare: Compare, own: Path, size: tuple[int, int]) -> None:
    fill_queue(own)
    assert looks_right(snap_compare, own, size, "tab", "j", "j")


@low_and_middle
@pytest.mark.usefixtures("painted")
def test_an_event_to_be_dropped(snap_compare: Compare, own: Path, size: tuple[int, int]) -> None:
    fill_queue(own)
    assert looks_right(snap_compare, own, size, "tab", "j", "d")


@pytest.mark.long
def test_the_events_in_light_colours(snap_compare: Compare, own: Path) -> None:
    fill_queue(own)
    assert looks_right(snap_compare, own, MIDDLE, "tab", "j", theme="memtui-light")
