"""What a text tells though it holds every word: given up, elsewhere, the same over and over."""

import pytest

from memtui.store.text.language.phrases import gave_up, points_elsewhere, repeats


@pytest.mark.parametrize(
    "text",
    [
        "I raised it to forty; the server refused, so I reverted it.",
        "It broke on Sunday, so I've taken it back out.",
        "Rolled the whole thing back? No: rolled everything back.",
        "We gave that up after a day.",
        "It never worked out.",
        "I put it back.",
        "It rusted, so we then dropped steel.",
        "Turned it off again, since it doubled the time.",
        "试了一周,已经撤回。",
        "效果不好，回滚了。",
    ],
)
def test_what_was_given_up_is_told_by_its_words(text: str) -> None:
    assert gave_up(text)


@pytest.mark.parametrize(
    "text",
    [
        "The valve is of steel now.",
        "Backups are taken at night, and the old ones are removed.",
        "I put the new seal in place.",
        "Rolled out to all regions.",
        "缓存保留一天。",
        "",
    ],
)
def test_what_stayed_is_not_given_up(text: str) -> None:
    assert not gave_up(text)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("See the upstream page and its FAQ.", True),
        ("**Please refer to** the manual.", True),
        ("It’s documented in the handbook.", True),
        ("参见上游文档。", True),
        ("I see the cause: the seal is old.", False),
        ("See the seal. It is old. I replaced it. Then I tried again.", False),
        ("See " + "the seal " * 100, False),
    ],
)
def test_a_short_text_that_begins_so_points_elsewhere(text: str, *, points: bool) -> None:
    assert points_elsewhere(text) is points


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("\n".join(f"WARN host=edge-{number} retry=3" for number in range(9)), True),
        ("阀门告警。" * 6, True),
        ("again and again the same words and no end " * 6, True),
        ("The valve leaks.\nThe seal is old.\nA new one is here.\nIt fits.", False),
        ("Valve warning. Valve warning.", False),
    ],
)
def test_a_text_repeats_where_most_of_its_lines_or_words_are_the_same(text: str, *, is_so: bool) -> None:
    assert repeats(text) is is_so
