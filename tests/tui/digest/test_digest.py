"""The digest from the palette: of yesterday, a week and a month, and copied."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.platform.clock import now_ms
from memtui.tui.parts.dialog import QuestionScreen
from tests.tui.browser import opened, press, text
from tests.tui.care.test_care import chosen, toasts


async def test_the_palette_leads_to_it_and_keys_to_longer_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.summaries.add("c-1", project="atlas", completed="Built the clock")
        store.observations.add("c-1", title="x")
    async with opened(path) as pilot:
        copied: list[str] = []
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        await chosen(pilot, "digest")
        screen = pilot.app.screen
        assert isinstance(screen, QuestionScreen)
        assert "since yesterday" in str(screen.view.border_title)
        assert "Built the clock" in text(screen.view)
        await press(pilot, "w")
        assert "seven days" in str(pilot.app.screen.query_one("TextView").border_title)
        await press(pilot, "c")
        assert copied and copied[0].startswith("# ") and "Built the clock" in copied[0]
        assert "Copied: the digest" in toasts(pilot)


async def test_keys_lead_to_work_that_is_older(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        at = now_ms() - 90 * 86_400_000
        for days, done in ((0, "Built the clock"), (1, "Drew the map"), (200, "Found the valley")):
            store.summaries.add(f"c-{days}", project="atlas", completed=done, at=at - days * 86_400_000)
    async with opened(path) as pilot:
        await chosen(pilot, "digest")
        view = pilot.app.screen.query_one("TextView")
        assert "No work is stored of these days." in text(view)
        assert str(view.border_subtitle).startswith("l the last week of work · a all · c copies")
        await press(pilot, "l")
        shown = text(pilot.app.screen.query_one("TextView"))
        assert "Built the clock" in shown and "Drew the map" in shown and "valley" not in shown
        assert "Work is stored of " in shown
        await press(pilot, "a")
        assert "Found the valley" in text(pilot.app.screen.query_one("TextView"))
