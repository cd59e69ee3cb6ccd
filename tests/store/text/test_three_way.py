"""Merging line by line keeps what both sides changed, or says that it can't."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text import three_way
from memtui.store.text.three_way import merged, opcodes, split_lines

LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b"\xff", b"", b"d\r"]), max_size=8)
TEXTS = st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n"]))


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "both"),
    [
        (b"1\n2\n3\n", b"1\n2\n3!\n", b"1!\n2\n3\n", b"1!\n2\n3!\n"),
        (b"1\n2\n3\n", b"1\n2\n3\nours\n", b"theirs\n1\n2\n3\n", b"theirs\n1\n2\n3\nours\n"),
        (b"1\n2\n", b"1\n2\nours\n", b"1\n2\ntheirs\n", b"1\n2\ntheirs\nours\n"),
        (b"1\n2\n3\n", b"1\n3\n", b"1\n3\n", b"1\n3\n"),
        (b"1\r\n2\r\n3", b"0\r\n1\r\n2\r\n3", b"1\r\n2\r\n3!", b"0\r\n1\r\n2\r\n3!"),
        (b"1\n2\n3\n", b"1\nours\n3\n", b"1\ntheirs\n3\n", None),
        (b"1\n2\n3\n", b"1\nours\n3\n", b"1\n2\ntheirs\n", None),
        (b"1\n2\n3\n", b"", b"1\n2!\n3\n", None),
        (b"", b"ours", b"theirs", None),
    ],
)
def test_changes_of_different_lines_are_both_kept(
    base: bytes, ours: bytes, theirs: bytes, both: bytes | None
) -> None:
    assert merged(base, ours, theirs) == both


@given(TEXTS, TEXTS)
def test_a_side_that_changed_nothing_takes_the_other(base: bytes, other: bytes) -> None:
    assert merged(base, other, base) == other
    assert merged(base, base, other) == other
    assert merged(base, other, other) == other


@given(TEXTS, TEXTS, TEXTS)
def test_no_line_that_a_side_added_is_lost(base: bytes, ours: bytes, theirs: bytes) -> None:
    both = merged(base, ours, theirs)
    if both is not None:
        added = {*split_lines(ours), *split_lines(theirs)} - {*split_lines(base)}
        assert added <= {*split_lines(both)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""), ("", "abc"), ("abc", ""), ("abc", "abc"), ("abc", "abxc"), ("aaaa", "aaaaa"),
        ("aXa", "aYa"),
        ("abcabc", "bcabca"), ("aab", "ab"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("most", [0, 1_000])
def test_steps_lead_from_lines_to_others_however_many_are_equal(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, most: int
) -> None:
    monkeypatch.setattr(three_way, "MOST_PAIRS", most)
    result, place = "", 0
    for what, start, end, into, upto in opcodes([*old], [*new]):
        assert start == place and (what == "equal") == (old[start:end] == new[into:upto])
        result, place = result + new[into:upto], end
    assert (result, place) == (new, len(old))


def test_many_equal_lines_are_compared_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    class Matcher(SequenceMatcher[bytes]):
        def __init__(self, junk: None, left: list[bytes], right: list[bytes], **more: bool) -> None:
            compared.append(sum(map(right.count, left)))
            super().__init__(junk, left, right, **more)

    monkeypatch.setattr(three_way, "SequenceMatcher", Matcher)
    base = b"same\n" * 4_000
    assert merged(base, base + b"ours\n", b"theirs\n" + base) == b"theirs\n" + base + b"ours\n"
    middle = b"same\n" * 2_000
    assert merged(base, middle + b"ours\n" + middle, base + b"theirs\n") is not None
    assert merged(b"a\nb\n" * 4_000, b"b\na\n" * 4_000, b"a\nb\n" * 4_000 + b"c\n") is None
    assert all(pairs <= three_way.MOST_PAIRS for pairs in compared)
