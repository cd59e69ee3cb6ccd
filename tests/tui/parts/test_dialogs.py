"""What asks something stands in one and the same frame, with a title and its keys, in little room too."""

from pathlib import Path

import pytest
from textual.widget import Widget

from memtui.tui.lists.picker import Picker
from memtui.tui.parts.dialog import Dialog
from tests.tui.browser import ask, opened
from tests.tui.marks.test_marks import wait_for
from tests.tui.patience import idle, press
from tests.tui.pictures import LOW

DIALOGS = {
    "why": ("w",),
    "tags": ("T",),
    "form": ("e",),
    "mark all": ("asterisk",),
    "export": ("X",),
    "save search": ("ctrl+s",),
    "project": ("3", "f"),
    "supersede": ("4", "S"),
    "leave": ("e", "!", "escape"),
}


@pytest.mark.parametrize("size", [(30, 8), LOW], ids=["30x8", "80x24"])
@pytest.mark.parametrize("keys", DIALOGS.values(), ids=DIALOGS)
@pytest.mark.sampled
async def test_each_has_a_frame_with_its_title_and_its_keys(
    demo: Path, keys: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with opened(demo, size=size) as pilot:
        await ask(pilot, "" if keys == ("asterisk",) else "clock")
        await press(pilot, "escape", *keys[:-1])
        await pilot.press(keys[-1])
        await wait_for(pilot, Dialog)
        await pilot.pause()
        dialog = pilot.app.screen
        box = dialog.query("Dialog > Vertical, Dialog > TextView").first(Widget)
        assert box.border_title and box.border_subtitle
        assert {kind for kind, _ in box.styles.border} == {"round"}
        accent = pilot.app.theme_variables["accent"]
        assert {colour.hex for _, colour in box.styles.border} == {accent}
        assert box.styles.scrollbar_background == box.styles.background
        assert dialog.region.contains_region(box.region)
        if isinstance(dialog, Picker):
            await idle(pilot)
            assert dialog.choices.size.height
            assert box.content_region.contains_region(dialog.choices.region)
