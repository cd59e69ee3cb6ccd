"""The frame that stands before Textual does."""

import os
import re
import sys
from pathlib import Path
from typing import cast

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from bench.terminal import ESCAPES, Terminal
from memtui.store import Hit, ListRow, Record, Snippet, Store
from memtui.store.config import BrowserSettings
from memtui.tui import style
from memtui.tui.startup.first_frame import ENTER, frame, shown
from memtui.tui.startup.palette import frame_colours
from memtui.tui.tabs import tabs_of
from memtui.tui.text.contrast import readable_variables
from memtui.tui.text.glyphs import type_variables
from tests.tui.browser import opened, search

MEMTUI = str(Path(sys.executable).with_name("memtui"))


def entry(title: str, said: str = "") -> Hit:
    row = ListRow(1, "observation", 1, title, "bugfix", "atlas", "codex", 1, 0, False, 0)
    return Hit(row, 0.0, lambda: cast(Record, None), lambda _: Snippet(said))


def painted(text: str) -> str:
    return ESCAPES.sub(b"", text.encode()).decode()


def test_titles_are_cut_to_the_list_and_never_command_the_terminal() -> None:
    text = frame([entry("\x1b]52;c;cHduZWQ=\x07 刷新令牌" * 40)], 80, 24)
    assert "\x1b]52" not in text
    assert "● ␛]52" in painted(text)
    assert len(painted(text).splitlines()) == 1


def test_it_has_the_colours_of_the_theme_that_the_browser_will_have() -> None:
    for theme in [*style.THEMES, *BUILTIN_THEMES.values()]:
        colours = frame_colours(theme.name)
        generated = theme.to_color_system().generate() | theme.variables
        variables = readable_variables(type_variables(theme, {}) | generated)
        if theme.name.startswith("ansi"):
            assert colours is None
            continue
        assert colours is not None
        for name in ("foreground", "background", "panel", "accent"):
            # Textual rounds what it generates.
            found, wanted = Color.parse(getattr(colours, name)), Color.parse(variables[name])
            pairs = zip(found.rgb, wanted.rgb, strict=True)
            assert all(abs(one - other) <= 1 for one, other in pairs), (theme.name, name)


def test_it_looks_as_the_settings_have_it() -> None:
    rows = [entry(f"title {number}", "more than that") for number in range(9)]
    settings = BrowserSettings(theme="nord", density="compact", keys={"app.facts": "f4"})
    text = frame(rows, 120, 40, tabs_of("", "", settings.keys), settings)
    assert "\x1b[48;2;46;52;64m" in text
    assert " f4 Facts " in painted(text)
    assert "\x1b[5;2H● bugfix    title 1" in text
    assert "\x1b[6;2H● bugfix    title 1" in frame(rows, 120, 40)
    other = painted(frame(rows, 120, 40, settings=BrowserSettings(start_screen="facts")))
    assert "title" not in other and "4 Facts" in other
    assert "48;2" not in frame(rows, 120, 40, settings=BrowserSettings(theme="ansi-dark"))


@pytest.mark.parametrize("size", [(80, 24), (100, 40), (120, 40), (140, 40), (160, 50)], ids=str)
@pytest.mark.sampled
async def test_each_title_stands_where_the_browser_has_it(demo: Path, size: tuple[int, int]) -> None:
    with Store.open(demo) as store:
        text = frame(store.find("").page(0, 32).hits, *size)
    places = re.findall(r"\x1b\[(\d+);(\d+)H([^\x1b❯]+)", text)
    async with opened(demo, size=size) as pilot:
        results = search(pilot).results.list
        left, top, _, _ = results.content_region
        shown = [results.render_line(y).text for y in range(results.content_region.height)]
    found = 0
    for line, column, painted_there in places:
        if 0 <= (at := int(line) - 1 - top) < len(shown) and "中" not in painted_there:
            # Behind the bar of the selected row.
            assert int(column) - 1 == left + 1
            assert shown[at][1:].startswith(painted_there[:24].rstrip("…"))
            found += 1
    assert found > 3


def test_there_is_no_frame_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with shown([entry("a title")]) as there:
        assert not there
    assert capsys.readouterr().err == ""


def test_the_browser_takes_over_on_the_same_screen(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="Painted at once")
    with Terminal([MEMTUI], {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("Painted at once")
        assert "Palette" not in terminal.painted()
        terminal.wait_for("Palette")
        terminal.quiet()
        assert terminal.raw.count(ENTER.encode()) == 1


def test_the_terminal_is_left_when_the_browser_quits(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="Painted at once")
    with Terminal([MEMTUI], {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("Palette")
        terminal.send("\x11")
        terminal.wait_until(lambda _: b"\x1b[?1049l" in terminal.raw)
