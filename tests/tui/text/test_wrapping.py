"""Texts wrap where a reader of English or Chinese would break a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from memtui.tui.text.content import wrap_text

MIXED = st.text(st.sampled_from("ab1 ,.([“”\t缓存数据（）。，、《》\U0001f600"), max_size=60)


def lines(text: str, width: int) -> list[str]:
    return [line.plain for line in wrap_text(Content(text), width)]


def test_chinese_fills_its_lines_beside_english() -> None:
    found = lines("大部分 embedding 费用来自切分移位", 20)
    assert found == ["大部分 embedding 费", "用来自切分移位"]
    assert lines("令牌刷新允许 120 秒的时钟偏差", 20) == ["令牌刷新允许 120 秒", "的时钟偏差"]


def test_no_line_begins_with_what_closes_or_ends_with_what_opens() -> None:
    assert lines("不合并分数。", 10) == ["不合并分", "数。"]
    assert lines("多路检索（按名次）", 10) == ["多路检索", "（按名次）"]


def test_a_word_longer_than_a_line_is_cut() -> None:
    assert lines("aaaaaaa缓存", 5) == ["aaaaa", "aa缓", "存"]


@pytest.mark.parametrize("text", ["plain words that wrap", "two\nlines", "", "a\n\nb"])
def test_what_has_no_wide_characters_wraps_as_ever(text: str) -> None:
    assert wrap_text(Content(text), 8) == Content(text).wrap(8)


def test_styles_stay_where_they_were() -> None:
    content = Content.assemble("缓存", ("命中", "bold"), "率下降")
    bold = [line.plain[span.start : span.end] for line in wrap_text(content, 6) for span in line.spans]
    assert bold == ["命", "中"]


@given(MIXED, st.integers(2, 30))
def test_nothing_is_lost_and_nothing_is_wider_than_the_line(text: str, width: int) -> None:
    found = lines(text, width)
    assert max(map(cell_len, found)) <= width
    assert "".join("".join(found).split()) == "".join(text.split())
