"""Wide characters that lie over edges of what is below them."""

from pathlib import Path

import pytest

from memtui.store import Store
from tests.tui.browser import opened, press

WORDS = "令牌刷新失败因为时钟漂移"


@pytest.mark.parametrize("before", ["", " "])
async def test_a_toast_keeps_every_wide_character_wherever_edges_run_below(
    empty: Path, before: str
) -> None:
    with Store.open(empty) as store:
        store.observations.add("c-1", title="one")
    async with opened(empty, size=(120, 40)) as pilot:
        await press(pilot, "escape")
        pilot.app.notify(before + WORDS, markup=False)
        await pilot.pause()
        strips = pilot.app.screen._compositor.render_strips()
        assert {strip.cell_length for strip in strips} == {120}
        assert any(WORDS in strip.text for strip in strips)
