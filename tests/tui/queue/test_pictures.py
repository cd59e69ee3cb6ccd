"""How the queue's screen looks at each size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.browser import app, browser
from tests.tui.patience import idle, press
from tests.tui.pictures import LOW, MIDDLE, Compare, sizes
from tests.tui.queue.messages import fill_queue


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("memtui.store.process_briefly", lambda *_: None)
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "config.toml"))


def looks_right(
    compare: Compare, path: Path, size: tuple[int, int], *keys: str, theme: str = "memtui-dark"
) -> bool:
    """Whether the queue, with these keys pressed in it, looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        app(pilot).theme = theme
        app(pilot).ingest()
        await press(pilot, "down")
        app(pilot).action_go("queue")
        await idle(pilot)
        await press(pilot, *keys)

    return compare(browser(path), terminal_size=size, run_before=before)


@sizes
def test_the_queue(snap_compare: Compare, demo: Path, size: tuple[int, int]) -> None:
    fill_queue(demo)
    assert looks_right(snap_compare, demo, size, "j", "j")


@pytest.mark.parametrize("size", [LOW, MIDDLE], ids=["80x24", "120x40"])
@pytest.mark.usefixtures("painted")
def test_a_message_to_be_forgotten(
    snap_compare: Compare, demo: Path, size: tuple[int, int]
) -> None:
    fill_queue(demo)
    assert looks_right(snap_compare, demo, size, "j", "d")


def test_the_queue_in_light_colours(snap_compare: Compare, demo: Path) -> None:
    fill_queue(demo)
    assert looks_right(snap_compare, demo, MIDDLE, "j", theme="memtui-light")


def test_an_empty_queue(snap_compare: Compare, demo: Path) -> None:
    assert looks_right(snap_compare, demo, LOW)
