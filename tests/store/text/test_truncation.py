"""Long texts keep their beginning, their end, and what tells the rest."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.truncation import LIMIT, truncate
from tests.tables import table


@pytest.mark.parametrize("length", [0, 1, LIMIT - 1, LIMIT])
def test_a_short_text_stays(length: int) -> None:
    assert truncate("x" * length) == "x" * length


def test_a_long_text_keeps_head_tail_and_hash() -> None:
    text = "".join(chr(0x4E00 + number % 9_000) for number in range(100_000))
    head, line, tail = truncate(text).split("\n")
    assert (head, tail) == (text[:49_152], text[-16_384:])
    digest = sha256(text.encode()).hexdigest()[:16]
    assert line == f"[… 34,464 characters cut, sha256 {digest} …]"


@given(
    st.text(st.sampled_from("ab\n[…\ud83d\ude00🚀"), max_size=300), st.integers(min_value=0, max_value=120)
)
def test_what_was_capped_stays_as_it_is(text: str, limit: int) -> None:
    once = truncate(text, limit)
    assert truncate(once, limit) == once


@table("offset", range(8))
def test_a_surrogate_pair_stays_together(offset: int) -> None:
    head, _, tail = truncate("x" * offset + "\ud83d\ude00" * 40, 16).split("\n")
    for part in (head, tail):
        assert part.count("\ud83d") == part.count("\ude00")
        assert not part.startswith("\ude00") and not part.endswith("\ud83d")


def test_a_text_that_only_speaks_of_a_cut_is_capped() -> None:
    text = "a\n[… 1 characters cut, sha256 0123456789abcdef …]\n" + "b" * 200
    assert len(truncate(text, 100)) < 160
