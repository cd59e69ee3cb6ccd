"""Glyphs: each type told apart by its shape, its letter and its colour."""

from rich.cells import cell_len

from memtui.tui.text.glyphs import GLYPHS, OTHER, PINNED, glyph, legend

ALL = [*GLYPHS.values(), OTHER, PINNED]


def test_no_two_types_share_a_shape_or_a_letter() -> None:
    assert len({each.symbol for each in ALL}) == len(ALL)
    assert len({each.letter for each in ALL}) == len(ALL)


def test_every_glyph_takes_one_cell() -> None:
    assert {cell_len(each.symbol) for each in ALL} == {1}


def test_a_type_nobody_has_heard_of_gets_the_dot() -> None:
    assert glyph("bugfix").content.plain == "●"
    assert glyph("epiphany").content.plain == "·"


def test_the_legend_names_every_glyph_and_says_what_it_means() -> None:
    named = {sign.plain: meaning for sign, meaning in legend()}
    assert len(named) == len(GLYPHS) + 3
    assert all(named.values())
    assert "◆ decision" in named
