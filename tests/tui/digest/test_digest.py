"""The digest from the palette: of yesterday, a week and a month, and copied."""

from pathlib import Path

import pytest

from memtui.store import Store
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
