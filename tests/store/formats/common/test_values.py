"""Whatever stands in a list column, its words stay findable and its oddity is told."""

import pytest

from memtui.store.formats.common.values import read_items, with_keywords
from tests.tables import table


@pytest.mark.parametrize(
    ("text", "items"),
    [(None, []), ("[]", []), ('["a", "缓存"]', ["a", "缓存"]), ('["dup", "dup"]', ["dup", "dup"])],
)
def test_an_array_of_texts_is_nothing_odd(text: str | None, items: list[str]) -> None:
    assert read_items(text) == (items, None)


@table(
    ("text", "items"),
    [
        ("", []),
        ("null", []),
        ("true", ["true"]),
        ("7", ["7"]),
        ('"a text"', ["a text"]),
        ('{"fact": "an object"}', ['{"fact": "an object"}']),
        ('[1, null, {"a": 1}, "ok", ["nested"]]', ["1", '{"a": 1}', "ok", '["nested"]']),
        ('["unterminated", ', ['["unterminated", ']),
        ("['single quotes']", ["['single quotes']"]),
        ("/src/main.tsx", ["/src/main.tsx"]),
        ("[" * 100_000, ["[" * 100_000]),
        ("[" + "9" * 5_000 + "]", ["[" + "9" * 5_000 + "]"]),
    ],
)
def test_any_other_shape_is_odd_and_loses_no_word(text: str, items: list[str]) -> None:
    found, odd = read_items(text)
    assert found == items
    assert odd


def test_a_described_concept_is_led_by_its_keyword() -> None:
    concepts = ["gotcha: the driver returns bytes", "pattern", "how-it-works：全角", "std::vector"]
    assert with_keywords(concepts) == [
        "gotcha",
        "gotcha: the driver returns bytes",
        "pattern",
        "how-it-works",
        "how-it-works：全角",
        "std::vector",
    ]
