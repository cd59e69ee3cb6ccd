"""Completions can be by Chinese names, which mean the same."""

import pytest

from memtui.store import Store, parse
from memtui.store.search.completion.completions import CHINESE_NAMES, OF_VALUES
from memtui.store.search.query.grammar import CHINESE_FILTERS, CHINESE_VALUES


def test_each_name_has_a_chinese_one_that_means_it() -> None:
    assert set(CHINESE_NAMES) == set(CHINESE_FILTERS.values())
    for name, chinese in CHINESE_NAMES.items():
        assert CHINESE_FILTERS[chinese] == name
    for filter, known in OF_VALUES.items():
        for value, chinese in known.items():
            assert CHINESE_VALUES[filter][chinese] == value
            said, meant = parse(f"{CHINESE_NAMES[filter]}:{chinese}"), parse(f"{filter}:{value}")
            assert [one.label for one in said.chips] == [one.label for one in meant.chips]


@pytest.mark.parametrize(
    ("typed", "label", "text", "note"),
    [
        ("ty", "类型:", "类型:", "type: · bugfix, decision …"),
        ("type:bug", "修复", "修复", "bugfix"),
        ("类型:修", "修复", "修复", "bugfix"),
        ("is:pin", "置顶", "置顶", "pinned"),
        ("sort:rec", "最新", "最新", "recent · newest first"),
        ("project:p", "pay", "pay", ""),
    ],
)
def test_what_is_offered_has_its_chinese_name_first(
    store: Store, typed: str, label: str, text: str, note: str
) -> None:
    store.observations.add("c-1", title="x", type="bugfix", project="pay")
    found = store.completions(typed, chinese=True)
    assert found is not None
    assert (found.items[0].label, found.items[0].text) == (label, text)
    assert found.items[0].note == note


def test_without_it_names_are_english(store: Store) -> None:
    store.observations.add("c-1", title="x", type="bugfix")
    found = store.completions("类型:修")
    assert found is not None and found.items[0].label == "bugfix"
