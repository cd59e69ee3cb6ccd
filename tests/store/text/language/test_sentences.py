"""Where sentences end."""

import pytest

from memtui.store.text.language.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("See src/a.py. It uses v1.2.3 now.", ["See src/a.py.", "It uses v1.2.3 now."]),
        (
            "Use a cache, e.g. Redis. Or none, i.e. Nothing.",
            ["Use a cache, e.g. Redis.", "Or none, i.e. Nothing."],
        ),
        ("Call `a. B`. Then stop.", ["Call `a. B`.", "Then stop."]),
        (
            "问题是缓存过期。他说“不行。”然后停了！对吗？",
            ["问题是缓存过期。", "他说“不行。”", "然后停了！", "对吗？"],
        ),
        ('It said "no." Then it stopped.', ['It said "no."', "Then it stopped."]),
        ("Passed: 5\nFailed: 0", ["Passed: 5", "Failed: 0"]),
        (
            "The port is 8080. See e.g. config.go. Done!",
            ["The port is 8080.", "See e.g. config.go.", "Done!"],
        ),
        ("", []),
    ],
)
def test_sentences_end_where_people_end_them(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_a_typed_sentence_may_begin_small_and_a_part_end_at_a_semicolon() -> None:
    text = "it is done. now the next; and v1.2 too, e.g. this one"
    assert split_sentences(text) == [text]
    assert split_sentences(text, is_typed=True, at_semicolons=True) == [
        "it is done.",
        "now the next;",
        "and v1.2 too, e.g. this one",
    ]
