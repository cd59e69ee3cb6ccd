"""Words that no memory holds, and words that were saved."""

import shlex

import pytest

from memtui.store import Store

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "authentication with redis", "--type", "bugfix")
    mem.ok("add", "authentication by cookie", "--type", "note")


def test_a_mistyped_word_is_told_with_the_command_that_finds_it(filled: Mem) -> None:
    result = filled("search", "athentication")
    assert result.stderr == (
        'No memory has the word "athentication". Did you mean: mem search authentication?\n'
    )
    assert {line[0] for line in result.stdout.splitlines()} == {"~"}


def test_several_words_are_corrected_together(filled: Mem) -> None:
    told = filled("search", "athentication", "reids", "--exact").stderr
    assert told == (
        'No memory has the word "athentication" or "reids". '
        "Did you mean: mem search 'authentication redis'?\n"
    )


@pytest.mark.parametrize("query", ["it's athentication", "-zebra athentication", "$(ls) athentication"])
def test_the_command_is_quoted_for_the_shell(filled: Mem, query: str) -> None:
    filled.ok("add", "it's $(ls) authentication")
    told = filled("search", "--exact", "--", query).stderr
    command = told.partition("Did you mean: ")[2].removesuffix("?\n")
    words = shlex.split(command)
    assert words[:2] == ["mem", "search"]
    assert words[-1] == query.replace("athentication", "authentication")
    assert filled.ok(*words[1:])


def test_json_stays_an_array_and_corrections_are_explained(filled: Mem) -> None:
    assert filled.json("search", "athentication", "--exact") == []
    assert {hit["tier"] for hit in filled.json("search", "athentication")} == {"related"}
    assert filled.json("search", "athentication", "--explain")["corrections"] == [
        {"typed": "athentication", "meant": "authentication", "query": "authentication"}
    ]
    assert filled.json("search", "authentication", "--explain")["corrections"] == []


def test_a_saved_search_runs_and_words_are_added_to_it(filled: Mem) -> None:
    with Store.open(filled.db) as store:
        store.searches.save("auth bugs", "authentication type:bugfix")
    assert [hit["ref"] for hit in filled.json("search", "--saved", "auth bugs")] == ["1"]
    assert [hit["ref"] for hit in filled.json("search", "redis", "--saved", "auth bugs")] == ["1"]
    assert filled.json("search", "cookie", "--exact", "--saved", "auth bugs") == []
    counted = filled.json("search", "--saved", "auth bugs", "--facets")["facets"]
    assert counted["kind"] == [{"value": "observation", "count": 1}]


def test_an_unknown_saved_search_is_refused_with_those_there_are(filled: Mem) -> None:
    assert filled.refused("search", "--saved", "nope") == ("There is no saved search nope. Saved: none.\n")
    with Store.open(filled.db) as store:
        store.searches.save("one", "redis")
        store.searches.save("two", "cookie")
    assert filled.refused("search", "--saved", "nope") == (
        "There is no saved search nope. Saved: one, two.\n"
    )


def test_the_letter_case_of_a_saved_name_does_not_matter(filled: Mem) -> None:
    with Store.open(filled.db) as store:
        store.searches.save("Redis", "redis")
    assert [hit["ref"] for hit in filled.json("search", "--saved", "redis", "--exact")] == ["1"]


def test_it_matters_where_names_differ_in_nothing_else(filled: Mem) -> None:
    with Store.open(filled.db) as store:
        store.searches.save("Redis", "redis")
        store.searches.save("redis", "cookie")
    assert [hit["ref"] for hit in filled.json("search", "--saved", "redis", "--exact")] == ["2"]
    assert "There is no saved search REDIS." in filled.refused("search", "--saved", "REDIS")
