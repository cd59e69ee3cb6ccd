"""What differs between two texts, in words."""

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.curation.word_diff import word_diff

TEXTS = st.text(st.sampled_from("ab \n.,数据é"), max_size=40)


@given(TEXTS, TEXTS)
def test_the_runs_make_both_texts(before: str, after: str) -> None:
    runs = word_diff(before, after)
    assert "".join(text for kind, text in runs if kind != "added") == before
    assert "".join(text for kind, text in runs if kind != "removed") == after


def test_words_differ_as_words_and_chinese_by_characters() -> None:
    assert word_diff("the token expired", "the cookie expired") == [
        ("same", "the "), ("removed", "token"), ("added", "cookie"), ("same", " expired"),
    ]  # fmt: skip
    assert word_diff("数据库慢", "数据表慢") == [
        ("same", "数据"), ("removed", "库"), ("added", "表"), ("same", "慢"),
    ]  # fmt: skip


def test_what_was_said_otherwise_altogether_is_one_run() -> None:
    assert [kind for kind, _ in word_diff("one two three", "four five six")] == ["removed", "added"]


def test_very_long_texts_are_compared_by_lines() -> None:
    before = "".join(f"line {number} of many words\n" for number in range(5_000))
    runs = word_diff(before, before.replace("line 7 ", "line seven "))
    assert ("added", "line seven of many words\n") in runs
