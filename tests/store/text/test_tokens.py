"""About how many tokens a text is, against what tokenizers are published to make of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.tokens import estimate_tokens, token_weight

# As their maker tells it of cl100k_base and o200k_base.
PUBLISHED = [
    ("You miss 100% of the shots you don't take", 11, 11),
    ("Hello, my name is GPT-4o. I'm a new type of language model, it's nice to meet you!", 27, 24),
    ("你好，我的名字是GPT-4o。我是一种新型的语言模型，很高兴见到你!", 34, 24),
]


@pytest.mark.parametrize(("text", "of_2023", "of_2024"), PUBLISHED)
def test_an_estimate_is_within_a_quarter_of_either_tokenizer(text: str, of_2023: int, of_2024: int) -> None:
    assert abs(estimate_tokens(text) - of_2023) <= of_2023 / 4
    assert abs(estimate_tokens(text) - of_2024) <= of_2024 / 4


@given(first=st.text(), second=st.text())
def test_the_parts_weigh_what_the_whole_does(first: str, second: str) -> None:
    assert token_weight(first + second) == pytest.approx(token_weight(first) + token_weight(second))
