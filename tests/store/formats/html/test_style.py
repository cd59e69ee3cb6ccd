"""The style sheet: colours that can be read, and types in the browser's own colours."""

import re

import pytest

from memtui.store.leaves.html.markup import STYLE, TYPES, resource
from memtui.tui.startup import palette
from memtui.tui.text import glyphs

PAIR = r"light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)"
LEAST = 4.5
VARIABLES = {name: (light, dark) for name, light, dark in re.findall(rf"--(\w+): {PAIR};", resource(STYLE))}
GROUNDS = ("ground", "raised")
NO_TEXT = {*GROUNDS, "line", "lit"}
THEMES = ("light", "dark")


def luminance(colour: str) -> float:
    """How light a colour is, as WCAG reckons it."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_can_be_read_on_every_ground(theme: str) -> None:
    at = THEMES.index(theme)
    code = re.findall(rf"^\.\w+[^{{]*{{ color: {PAIR}", resource(STYLE), re.MULTILINE)
    texts = [pair[at] for name, pair in VARIABLES.items() if name not in NO_TEXT]
    texts += [pair[at] for pair in code]
    assert len(texts) > 25
    for ground in GROUNDS:
        for text in texts:
            assert contrast(text, VARIABLES[ground][at]) >= LEAST, (text, ground)
    for name in ("text", "dim"):
        assert contrast(VARIABLES[name][at], VARIABLES["lit"][at]) >= LEAST, name


@pytest.mark.parametrize("theme", THEMES)
def test_what_was_added_and_removed_can_be_read_on_its_own_ground(theme: str) -> None:
    at = THEMES.index(theme)
    found = re.findall(rf"^\.g[id] {{ color: {PAIR}; background: {PAIR}", resource(STYLE), re.MULTILINE)
    assert len(found) == 2
    for *text, light, dark in found:
        assert contrast(text[at], (light, dark)[at]) >= LEAST


def test_types_have_the_colours_that_they_have_in_the_browser() -> None:
    colours = {name: VARIABLES[name] for name in glyphs.DARK_COLOURS}
    assert colours == {
        name: (glyphs.LIGHT_COLOURS[name], dark) for name, dark in glyphs.DARK_COLOURS.items()
    }
    assert set(colours) | {"observation"} == set(TYPES)
    assert VARIABLES["ground"] == (palette.LIGHT["background"], palette.DARK["background"])
    assert all(f".t-{name} {{ color: var(--{name}); }}" in resource(STYLE) for name in colours)
