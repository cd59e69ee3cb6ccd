"""Every theme of Textual and ours can be read: text at 4.5:1, bars at 3:1, on all that they stand on."""

from pathlib import Path
from typing import Any

import pytest
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES, Theme

from memtui.store.config.records import THEMES
from memtui.tui.style import THEMES as OUR_THEMES
from memtui.tui.text.contrast import (
    FIGURES,
    LEAST,
    LEAST_OF_FIGURES,
    MARKED,
    OF_TYPES,
    TEXTS,
    backgrounds,
    contrast,
    readable,
    readable_variables,
)
from memtui.tui.text.glyphs import type_variables
from tests.tui.browser import app, opened, press
from tests.tui.patience import idle

ALL = [*OUR_THEMES, *BUILTIN_THEMES.values()]
MEASURED = [one for one in ALL if not one.name.startswith("ansi")]
FEW = ("memtui-dark", "memtui-light")
SCREENS = "12345678"
ORNAMENTS = {*map(chr, range(0x2500, 0x25A1)), "·"}
"""Lines, blocks and shades, of which the variables alone are measured, and the dot that says nothing."""


def variables_of(theme: Theme) -> dict[str, str]:
    generated = type_variables(theme, {}) | theme.to_color_system().generate() | theme.variables
    return readable_variables(generated)


def test_the_configuration_knows_every_theme() -> None:
    assert set(THEMES) == {one.name for one in ALL}


def test_the_contrast_of_known_colours_is_the_known_one() -> None:
    black, white, grey = (Color.parse(one) for one in ("#000000", "#ffffff", "#777777"))
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(grey, white) == pytest.approx(4.48, abs=0.005)
    assert contrast(readable(grey, [white]), white) >= LEAST
    assert readable(black, [white]) == black


@pytest.mark.parametrize("theme", OUR_THEMES, ids=lambda one: one.name)
def test_ours_can_be_read_as_they_are(theme: Theme) -> None:
    generated = type_variables(theme, {}) | theme.to_color_system().generate() | theme.variables
    changed = {
        name: one
        for name, one in readable_variables(generated).items()
        if one != generated[name] and Color.parse(one) != Color.parse(generated[name])
    }
    assert changed == {}


@pytest.mark.parametrize("theme", MEASURED, ids=lambda one: one.name)
def test_each_colour_can_be_read_on_all_that_it_stands_on(theme: Theme) -> None:
    variables = variables_of(theme)
    behind = backgrounds(variables)
    types = [name for name in variables if name.startswith(OF_TYPES)]
    assert len(types) >= 14
    for name in ("foreground", "dim", "accent", *TEXTS, *types, *FIGURES):
        least = LEAST_OF_FIGURES if name in FIGURES else LEAST
        for place, ground in behind.items():
            if place == "field" and name != "foreground":
                continue
            if place == "line" and name in (*types, *FIGURES):
                continue
            found = contrast(Color.parse(variables[name]), ground)
            assert found >= least, (name, place)
    for name in MARKED:
        lit = contrast(Color.parse(variables["lit"]), Color.parse(variables[name]))
        assert lit >= LEAST, name


@pytest.mark.parametrize("theme", BUILTIN_THEMES.values(), ids=lambda one: one.name)
def test_what_repeats_is_fainter_than_the_rest(theme: Theme) -> None:
    variables = variables_of(theme)
    if theme in MEASURED:
        page = Color.parse(variables["background"])
        dim, bright = (Color.parse(variables[one]) for one in ("dim", "foreground"))
        assert contrast(dim, page) < contrast(bright, page) + 0.5
    else:
        assert variables["dim"] == "ansi_default 75%"
        assert (variables["lit"], variables["accent-muted"]) == ("ansi_black", "ansi_yellow")


@pytest.mark.parametrize(
    "theme", [pytest.param(one.name, marks=() if one.name in FEW else pytest.mark.long) for one in MEASURED]
)
async def test_all_that_is_painted_can_be_read(demo: Path, theme: str) -> None:
    async with opened(demo, size=(160, 50)) as pilot:
        app(pilot).theme = theme
        await idle(pilot)
        faint = set(_faint(pilot, "search"))
        await press(pilot, "escape", "down", "space", "down")
        faint |= set(_faint(pilot, "results"))
        for screen in SCREENS:
            await press(pilot, f"alt+{screen}")
            faint |= set(_faint(pilot, screen))
        for key in ("question_mark", "ctrl+p"):
            await press(pilot, key)
            faint |= set(_faint(pilot, key))
            await press(pilot, "escape")
        assert faint == set()


@pytest.mark.parametrize("theme", ["ansi-dark", pytest.param("ansi-light", marks=pytest.mark.long)])
async def test_the_terminals_own_colours_work_unmeasured(demo: Path, theme: str) -> None:
    async with opened(demo) as pilot:
        app(pilot).theme = theme
        await idle(pilot)
        for screen in SCREENS:
            await press(pilot, f"alt+{screen}")
            assert list(_painted(pilot))


def _faint(pilot: Pilot[Any], where: str) -> list[tuple[str, str, str]]:
    """What is painted too faintly: where, the colours, and the text."""
    return [
        (where, f"{front.hex} on {back.hex}", text.strip())
        for front, back, text in _painted(pilot)
        if contrast(front, back) < LEAST - 0.05
    ]


def _painted(pilot: Pilot[Any]) -> list[tuple[Color, Color, str]]:
    """Each piece of text that is on the screen, with its colours."""
    found = []
    screen = pilot.app.screen
    # What lies below a dialog is dimmed on purpose.
    shown = screen.children[0].region if screen.is_modal else screen.region
    for strip in screen._compositor.render_strips()[shown.y : shown.bottom]:
        for segment in strip.crop(shown.x, shown.right):
            text = "".join(one for one in segment.text if one not in ORNAMENTS)
            style = segment.style
            if not text.strip() or style is None or not style.color or not style.bgcolor:
                continue
            front, back = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
            found.append((back, front, text) if style.reverse else (front, back, text))
    return found
