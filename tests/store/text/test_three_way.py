"""Merging line by line keeps what both sides changed, or says that it can't."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.three_way import merged, split_lines

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
