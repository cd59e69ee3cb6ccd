"""Events on the screen of capture: what waits, what failed and why, and the keys that go on with it."""

from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.capture.events import EventList
from memtui.tui.capture.screen import CaptureScreen
from memtui.tui.parts.frame import KeysFooter, TabLine
from tests.tui.browser import app, opened, text
from tests.tui.capture.messages import fill_queue
from tests.tui.patience import idle, press

LOW = (80, 24)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nothing works on the queue but its own keys, and no configuration is the user's."""
    monkeypatch.setattr("memtui.store.process_briefly", lambda *_: None)
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path / "config.toml"


@pytest.fixture
def queue(demo: Path) -> Path:
    fill_queue(demo)
    return demo


async def to_events(pilot: Pilot[Any]) -> CaptureScreen:
    await press(pilot, "down", "5", "tab")
    return cast(CaptureScreen, pilot.app.screen)


def rows(pilot: Pilot[Any]) -> list[str]:
    """The rows of the list below the heads of its columns, their words one space apart."""
    heads, *shown = text(pilot.app.screen.query_one(EventList)).split("\n")
    assert not heads or heads.split()[:2] == ["State", "What"]
    return [" ".join(line.split()) for line in shown if line]


def toasts(pilot: Pilot[Any]) -> str:
    return "".join(map(text, pilot.app.screen.query("Toast")))


async def test_each_message_is_a_row_that_tells_how_it_stands(queue: Path) -> None:
    async with opened(queue, size=(200, 40)) as pilot:
        screen = await to_events(pilot)
        assert app(pilot).current_mode == "capture"
        assert rows(pilot)[0].startswith("▌⚠ q1 not stored event codex 1× 1h no JSON")
        assert rows(pilot)[1].startswith("✗ 2 failed WebFetch Mend the clock drift 1× 59m refused:")
        assert rows(pilot)[2].startswith("✗ 3 abandoned Bash Mend the clock drift 3× 58m invalid:")
        assert rows(pilot)[3].startswith("◐ 4 at work Read Mend the clock drift 1× 57m")
        assert rows(pilot)[4].startswith("○ 5 waiting Write Mend the clock drift — 56m")
        assert len(rows(pilot)) == 9
        assert "observed by rules" in text(screen.heading)
        assert rows(pilot)[8].startswith("✓ 1 processed Edit")
        assert "all 9" in text(screen.tabs) and "processed 1" in text(screen.tabs)


async def test_beside_the_list_stands_all_about_the_selected_one(queue: Path) -> None:
    async with opened(queue) as pilot:
        screen = await to_events(pilot)
        assert "no JSON" in text(screen.event_pane) and "nonsense" in text(screen.event_pane)
        await press(pilot, "j", "j")
        shown = text(screen.event_pane)
        assert "✗ abandoned Bash" in shown and "3 of 3" in shown and "构建" in shown


async def test_nothing_of_a_hidden_session_is_shown(queue: Path) -> None:
    async with opened(queue, size=(200, 40)) as pilot:
        screen = await to_events(pilot)
        await press(pilot, "G", "k")
        assert "hidden session" in rows(pilot)[-2]
        assert "canary" not in text(screen.event_pane) and "business" not in text(screen.event_pane)


async def test_f_goes_through_the_states(queue: Path) -> None:
    async with opened(queue) as pilot:
        await to_events(pilot)
        await press(pilot, "f")
        assert {row.strip("▌").split()[0] for row in rows(pilot)} == {"○"}
        await press(pilot, "F", "F")
        assert rows(pilot) == ["▌✓ 1 processed Edit — 1h rules"] or "processed Edit" in rows(pilot)[0]


async def test_the_current_state_is_in_view_where_not_all_are(queue: Path) -> None:
    async with opened(queue, size=(60, 20)) as pilot:
        screen = await to_events(pilot)
        assert text(screen.tabs).startswith("all  waiting  at work")
        await press(pilot, "F")
        assert text(screen.tabs).startswith("…") and text(screen.tabs).endswith("  processed")
        await pilot.click(TabLine, offset=(text(screen.tabs).index("not stored") + 1, 0))
        assert screen.tabs.names[screen.tabs.current] == "not stored"


async def test_r_tries_again_what_failed_and_nothing_else(queue: Path) -> None:
    async with opened(queue) as pilot:
        screen = await to_events(pilot)
        await press(pilot, "j")
        assert "r Retry" in text(screen.query_one(KeysFooter))
        await press(pilot, "r")
        assert "Event 2 is tried again." in toasts(pilot)
        assert rows(pilot)[1].startswith("▌○ 2 waiting WebFetch")
        assert "r Retry" not in text(screen.query_one(KeysFooter))
        with Store.open(queue) as store:
            assert store.pending.get(2).attempts == 0


async def test_an_event_that_fails_again_stays(queue: Path) -> None:
    async with opened(queue) as pilot:
        await to_events(pilot)
        await press(pilot, "r")
        assert "Event q1 failed again." in toasts(pilot)
        assert rows(pilot)[0].startswith("▌⚠ q1 not stored event 2×")


@pytest.mark.parametrize("size", [LOW, (140, 40)], ids=["80x24", "140x40"])
async def test_d_forgets_when_pressed_twice(queue: Path, size: tuple[int, int]) -> None:
    async with opened(queue, size=size) as pilot:
        screen = await to_events(pilot)
        await press(pilot, "d")
        assert "Drop event q1 for good?" in " ".join(text(screen.event_pane).split())
        await press(pilot, "escape")
        assert "Drop" not in text(screen.event_pane) and len(rows(pilot)) in (9, 5)
        await press(pilot, "d", "d")
        assert "Event q1 was dropped." in toasts(pilot)
        with Store.open(queue) as store:
            assert store.db.execute("SELECT count(*) FROM quarantine").get == 0
            assert len(store.pending.list(limit=99)) == 8


async def test_what_is_asked_is_asked_of_one_message_only(queue: Path) -> None:
    async with opened(queue) as pilot:
        screen = await to_events(pilot)
        await press(pilot, "d", "j", "d")
        assert "Drop event 2 for good?" in text(screen.event_pane)
        with Store.open(queue) as store:
            assert len(store.pending.list(limit=99)) == 8


async def test_p_makes_memory_of_what_waits_now(queue: Path) -> None:
    async with opened(queue) as pilot:
        screen = await to_events(pilot)
        await press(pilot, "p")
        assert "processed by the rules" in toasts(pilot)
        # Also what was leased by a worker that holds no lock: it works no more.
        assert "processed 6" in text(screen.tabs)
        assert not any(row.startswith("○") for row in rows(pilot))


async def test_what_another_process_does_shows_and_the_selection_stays(queue: Path) -> None:
    async with opened(queue) as pilot:
        screen = await to_events(pilot)
        await press(pilot, "j", "j", "j", "j")
        with Store.open(queue) as store:
            store.pending.drop([2, 3])
        app(pilot).look()
        await idle(pilot)
        assert rows(pilot)[2].startswith("▌○ 5 waiting Write")
        assert "all 7" in text(screen.tabs)


async def test_enter_opens_the_detail_where_there_is_no_room_beside(queue: Path) -> None:
    async with opened(queue, size=LOW) as pilot:
        screen = await to_events(pilot)
        assert not screen.event_pane.display
        await press(pilot, "j", "enter")
        assert screen.event_pane.has_focus and "too long for this model" in text(screen.event_pane)
        await press(pilot, "escape")
        assert screen.event_list.has_focus and not screen.event_pane.display
        await press(pilot, "escape")
        assert app(pilot).current_mode == "capture"


async def test_an_empty_queue_tells_what_would_be_here(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = await to_events(pilot)
        app(pilot).ingest()
        await idle(pilot)
        assert "No event has come yet." in " ".join(text(screen.health).split())
        assert not screen.query_one("#events").display


async def test_a_memory_to_be_read_only_is_shown_and_left_alone(queue: Path) -> None:
    async with opened(queue, read_only=True) as pilot:
        screen = await to_events(pilot)
        assert len(rows(pilot)) == 9
        await press(pilot, "r", "d", "d", "p")
        footer = text(screen.query_one(KeysFooter))
        assert not any(word in footer for word in ("Retry", "Drop", "Process"))
        with Store.open(queue) as store:
            assert len(store.pending.list(limit=99)) == 8


async def test_the_model_and_what_it_has_left_stand_in_the_heading(queue: Path, alone: Path) -> None:
    alone.write_text('[observer]\nkind = "command"\ncommand = ["tiny"]\n')
    async with opened(queue) as pilot:
        screen = await to_events(pilot)
        assert "observed by tiny · 200,000 tokens left today" in text(screen.heading)
        alone.write_text("[observer")
        await press(pilot, "f")
        assert "config.toml can't be read" in text(screen.heading)
