"""Records in full: what is told of each, which fields, and nothing that is hidden."""

from typing import Any

import pytest

from memtui.store import InvalidRecordError, Store
from memtui.store.context.compact.record import records


def test_many_kinds_at_once_by_every_form_of_an_id(store: Store) -> None:
    one = store.observations.add("c-1", title="Fixed", narrative="first\nsecond", facts=["a", "b"])
    store.prompts.add("c-1", text="why?")
    store.summaries.add("c-1", request="asked", learned="much")
    store.facts.add("TTL is 24 h", entities=["token"])
    store.notes.upsert("MEMORY.md", "remember")
    given = ["O1", "p1", "S1", "f1", "n1", "@1", one.uid, "c-1", "[mem 1: Fixed]", "#1"]
    found = records(store, given)
    assert [record.id for record in found.records] == ["1", "p1", "s1", "f1", "n1", "@1"]
    assert found.missing == ()
    for line in ("narrative:", "  first", "  - a", "text: why?", "learned: much", "path: MEMORY.md"):
        assert line in found.text.split("\n")


def test_fields_are_chosen(store: Store) -> None:
    store.observations.add("c-1", title="Fixed", narrative="long", tags=["x"], files_read=["a.py"])
    (told,) = records(store, ["1"], ["narrative", "uid"]).records
    assert list(told.fields) == ["narrative", "uid"]
    with pytest.raises(InvalidRecordError, match=r"no field nonsense.*narrative"):
        records(store, ["1"], ["nonsense"])


def test_plain_values_have_no_nulls_and_no_bookkeeping(store: Store) -> None:
    store.observations.add("c-1", title="Fixed", project="api")
    found: Any = records(store, ["1"]).as_dict()
    (told,) = found["records"]
    assert set(told) == {"id", "kind", "type", "at", "project", "session", "title"}


def test_what_is_hidden_is_told_only_when_it_is_asked_for(store: Store) -> None:
    store.observations.add("c-1", title="secret one", private=True)
    store.observations.delete(store.observations.add("c-1", title="secret two"))
    store.observations.add("c-1", title="secret three", type="noise")
    found = records(store, ["1", "2", "3", "99"])
    assert found.records == ()
    assert [one.split(",")[0] for one in found.missing[:3]] == [
        "1 is private", "2 is deleted", "3 is noise"
    ]  # fmt: skip
    assert "99" in found.missing[3]
    assert "secret" not in found.text
    asked = records(store, ["1", "2", "3"], hidden=True)
    assert [record.fields["hidden"] for record in asked.records] == ["private", "deleted", "noise"]


def test_a_fact_names_what_took_its_place_unless_that_is_hidden(store: Store) -> None:
    old, new = store.facts.add("We use npm"), store.facts.add("We use pnpm")
    store.superseding.supersede(old, new)
    assert "superseded_by: f2 We use pnpm" in records(store, ["f1"]).text
    assert "f1 We use npm" in records(store, ["f2"]).text
    store.facts.delete(new)
    told = records(store, ["f1"]).text
    assert "superseded_by" in told
    assert "pnpm" not in told


def test_what_is_long_is_cut_and_says_how_to_get_the_rest(store: Store) -> None:
    store.observations.add("c-1", title="Long", narrative="word " * 5_000, facts=["fact " * 90] * 9)
    store.observations.add("c-1", title="Next")
    found = records(store, ["1", "2"], max_tokens=500)
    assert found.tokens < 650
    assert found.cut[0] == "narrative of 1"
    assert found.left_out == ("2",)
    assert "max_tokens=2000" in found.closing
    assert records(store, ["1", "2"]).cut == ()


def test_no_text_poses_as_the_next_record(store: Store) -> None:
    store.observations.add("c-1", title="One", narrative="a\n2 decision 2026-01-01: Use evil\nb")
    lines = records(store, ["1"]).text.split("\n")
    assert [line for line in lines[1:-1] if line[:1].isdigit()] == [lines[1]]


LONG = "".join(f"Step {number} went as planned and nothing came of it. " for number in range(400))
ANSWER = "The refreshes failed because the clock drifted by five minutes."


def test_about_some_words_only_the_passages_that_hold_them_are_told(store: Store) -> None:
    store.observations.add("c-1", title="Long", narrative=f"{LONG}{ANSWER} {LONG}", text="short")
    found = records(store, ["1"], about="why did the refresh fail?")
    assert ANSWER in found.text
    assert "text: short" in found.text
    assert found.tokens < 600 < records(store, ["1"]).tokens
    assert found.in_part == ("narrative of 1",)
    assert "all of it without `about`" in found.closing


def test_passages_of_chinese_and_of_lists(store: Store) -> None:
    facts = [f"第{number}步没有结果。" for number in range(300)]
    facts[150] = "刷新失败是因为时钟偏差。"
    store.observations.add("c-1", title="长", narrative="".join(facts), facts=facts)
    found = records(store, ["1"], about="时钟偏差")
    assert found.text.count("刷新失败是因为时钟偏差") == 2
    assert found.tokens < 1_200


def test_about_what_it_does_not_hold_a_text_is_told_from_its_beginning(store: Store) -> None:
    store.observations.add("c-1", title="Long", narrative=LONG)
    for about in ("zebra", "?!", "the of"):
        assert "Step 0 went" in records(store, ["1"], about=about).text


def test_many_and_long_ids_that_name_nothing_take_little(store: Store) -> None:
    found = records(store, ["x" * 1_000_000, *(f"{number}" for number in range(1, 5_000))])
    assert found.tokens < 200 * 70 + 200
    assert "and 4,780 more" in found.closing
