"""The colours of types: told apart at a glance, readable, and the user's where they are set."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from textual.theme import Theme

from memtui.tui import style
from memtui.tui.text.glyphs import GLYPHS, badge, glyph, type_variables, variable
from tests.tui.browser import app, opened
from tests.tui.patience import idle
from tests.tui.text.colour_distance import distance

AT_A_GLANCE = 12.0


def test_the_distance_of_known_colours_is_the_known_one() -> None:
    assert distance("#000000", "#ffffff") == pytest.approx(100, abs=0.01)
    assert distance("#ff0000", "#00ff00") == pytest.approx(86.6, abs=0.1)
    assert distance("#0000ff", "#ff0000") == pytest.approx(52.9, abs=0.1)


@pytest.mark.parametrize("theme", style.THEMES, ids=lambda one: one.name)
def test_no_two_types_have_colours_that_a_glance_confuses(theme: Theme) -> None:
    colours = type_variables(theme, {})
    assert set(colours) == {variable(one) for one in GLYPHS}
    near = {
        pair: found
        for pair in combinations(colours, 2)
        if (found := distance(colours[pair[0]], colours[pair[1]])) < AT_A_GLANCE
    }
    assert near == {}


async def test_colours_chosen_in_the_settings_are_used_also_for_types_that_are_not_ours(demo: Path) -> None:
    async with opened(demo) as pilot:
        browser = app(pilot)
        browser.settings = replace(
            browser.settings,
            colors={"bugfix": "#123456", "feature": "accent", "安全": "red", "my type": "#abcdef"},
        )
        await idle(pilot)
        variables = browser.theme_variables
        assert variables["type-bugfix"] == "#123456"
        assert variables["type-feature"] == variables["accent"]
        assert variables["type-decision"] == type_variables(browser.current_theme, {})["type-decision"]
        for type in ("安全", "my type"):
            assert glyph(type).style == f"${variable(type)}"
            assert variable(type) in variables
        first = browser.screen.query("ResultList").first()
        assert first.render_line(0).text


def test_a_badge_has_its_word_in_a_column_as_wide_for_all() -> None:
    assert badge("bugfix", with_word=False).plain == "●"
    widths = {badge(one, with_word=True).cell_length for one in [*GLYPHS, "something else"]}
    assert widths == {11}
    assert badge("decision", with_word=True).plain == "◆ decision "
