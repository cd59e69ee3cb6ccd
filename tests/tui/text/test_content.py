"""Stored text as Content: harmless, highlighted where it matches, and exactly as wide as asked."""

import unicodedata

import pytest
from textual.content import Content

from memtui.store import Snippet
from memtui.tui.text.content import GAP, MATCH, edges, fit, highlighted, plain
from tests.hostile import hostile_texts
from tests.tables import table


def styled(content: Content) -> list[tuple[str, str]]:
    """Each span of `content`, as its text and its style."""
    return [(content.plain[start:end], str(style)) for start, end, style in content.spans]


def test_plain_text_is_never_markup() -> None:
    assert plain("[red]x[/] $accent").plain == "[red]x[/] $accent"


def test_plain_text_cannot_speak_to_the_terminal() -> None:
    assert plain("a\x1b[31mb").plain == "a␛[31mb"


def test_plain_text_is_one_line_unless_lines_are_asked_for() -> None:
    assert plain("one\ntwo").plain == "one two"
    assert plain("one\ntwo", newlines=True).plain == "one\ntwo"


def test_plain_text_takes_a_style() -> None:
    assert styled(plain("title", "bold")) == [("title", "bold")]


@table(("name", "text"), hostile_texts())
def test_hostile_text_keeps_its_width_and_its_place(name: str, text: str) -> None:
    shown = fit(plain(text), 40)
    assert shown.cell_length == 40
    assert not any(unicodedata.category(char) == "Cc" for char in shown.plain)


def test_matches_are_lit() -> None:
    content = highlighted(Snippet("the refresh token", ((4, 11),)), "italic")
    assert styled(content) == [("the refresh token", "italic"), ("refresh", MATCH)]


def test_matches_stay_lit_in_their_place_behind_what_was_made_visible() -> None:
    content = highlighted(Snippet("\u202e\x00 token 令牌", ((3, 8), (9, 11))))
    assert [text for text, _ in styled(content)] == ["token", "令牌"]


@table(
    ("text", "width", "shown"),
    [
        ("token", 8, "token   "),
        ("token", 5, "token"),
        ("refresh token", 9, "refresh… "),
        ("refresh token", 8, "refresh…"),
        ("refresh token", 1, "…"),
        ("refresh token", 0, ""),
        ("refresh token", -3, ""),
        ("", 3, "   "),
        ("刷新令牌", 8, "刷新令牌"),
        ("刷新令牌", 9, "刷新令牌 "),
        ("刷新令牌", 7, "刷新令…"),
        ("刷新令牌", 6, "刷新… "),
    ],
)
def test_text_is_cut_or_filled_to_its_width(text: str, width: int, shown: str) -> None:
    assert fit(plain(text), width).plain == shown


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("token", 8, "token ★ "),
        ("token", 7, "token ★"),
        ("refresh token", 9, "refres… ★"),
        ("刷新令牌", 8, "刷新… ★ "),
        ("token", 2, "… "),
    ],
)
def test_what_stands_behind_a_text_is_not_cut(text: str, width: int, shown: str) -> None:
    assert fit(plain(text), width, plain(" ★")).plain == shown


def test_the_styles_of_what_stays_outlive_the_cut() -> None:
    content = fit(Content.assemble(("red", "red"), " ", ("green words", "green")), 9)
    assert content.plain == "red gree…"
    assert styled(content) == [("red", "red"), ("gree…", "green")]


@pytest.mark.parametrize(
    ("left", "right", "width", "shown"),
    [
        ("Refresh token", "2h", 20, "Refresh token     2h"),
        ("Refresh token expired", "2h", 16, "Refresh toke… 2h"),
        ("刷新令牌在时钟漂移时过期", "5d", 12, "刷新令牌… 5d"),
        ("Refresh", "claude-code 096d87af", 20, "Refresh             "),
        ("Refresh token", "", 13, "Refresh token"),
    ],
)
def test_the_right_part_ends_at_the_edge(left: str, right: str, width: int, shown: str) -> None:
    content = edges(plain(left), plain(right), width)
    assert content.plain == shown
    assert content.cell_length == width


@pytest.mark.parametrize("width", [16, 24, 40])
def test_what_stands_behind_the_left_part_stays_beside_the_right_part(width: int) -> None:
    content = edges(plain("Refresh token expired"), plain("2h"), width, plain(" ★"))
    assert " ★" in content.plain
    assert content.plain.endswith("2h")
    assert content.cell_length == width


def test_a_separator_is_counted_as_often_as_it_stands_there() -> None:
    assert GAP.cell_length == 2
    cells = [fit(plain(name), 6) for name in ("one", "two", "three")]
    assert GAP.join(cells).cell_length == 22
    assert GAP.join([]).cell_length == 0
