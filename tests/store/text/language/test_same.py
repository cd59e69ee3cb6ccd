"""What says the same, and what says something else."""

import pytest

from memtui.store.text.language.same import gist, says_the_same

from .pairs import DIFFERENT, MORE, SAME


@pytest.mark.parametrize("pair", SAME)
def test_order_inflection_and_words_that_say_nothing_make_no_difference(pair: tuple[str, str]) -> None:
    earlier, later = pair
    assert says_the_same(earlier, later)
    assert says_the_same(later, earlier)


@pytest.mark.parametrize("pair", [*DIFFERENT, *MORE])
def test_another_number_name_choice_or_a_negation_says_something_else(pair: tuple[str, str]) -> None:
    earlier, later = pair
    assert not says_the_same(earlier, later)
    assert not says_the_same(later, earlier)


@pytest.mark.parametrize("text", [text for pair in (*SAME, *DIFFERENT) for text in pair])
def test_every_sentence_says_the_same_as_itself(text: str) -> None:
    assert says_the_same(text, text)
    assert gist(text).says_all_of(gist(text))


def test_a_longer_sentence_says_all_of_a_shorter_but_not_what_it_denies() -> None:
    longer = gist("Push the release of the gateway to main when all tests pass")
    assert longer.says_all_of(gist("Push the release to main"))
    assert not longer.says_all_of(gist("Never push the release to main"))
    assert not longer.says_the_same(gist("Push the release to main"))
    assert not gist("Lesson two").says_all_of(gist("Lesson one"))


def test_what_carries_no_meaning_is_the_same_as_its_like_only() -> None:
    assert says_the_same("...", "It is so.")
    assert not says_the_same("...", "The cache is full.")
    assert not gist("...").says_something
