"""A query is completed at the cursor by what the store holds: names of filters, and their values."""

import pytest

from memtui.store import Completions, Store, parse, typed_at
from memtui.store.search import pinyin
from memtui.store.search.completion import values
from memtui.store.search.completion.completions import MOST
from memtui.store.search.query.grammar import LISTED
from memtui.store.search.query.language import FLAGS
from tests.tables import table

from .conftest import NOW


def offered(store: Store, text: str, cursor: int | None = None) -> list[tuple[str, int | None]]:
    """What is offered, with its counts."""
    found = store.completions(text, cursor, NOW)
    return [(one.label, one.count) for one in found.items] if found else []


def labels(store: Store, text: str, cursor: int | None = None) -> list[str]:
    return [label for label, _ in offered(store, text, cursor)]


def first_taken(store: Store, text: str, cursor: int | None = None) -> tuple[str, int]:
    """The query with the first offer in it, and where its cursor is then."""
    found = store.completions(text, cursor, NOW)
    assert found is not None
    return found.taken(text, found.items[0])


@table(
    ("text", "found"),
    [
        ("type:bug", [("bugfix", 5), ("debug", 1)]),
        ("-type:bug", [("bugfix", 5), ("debug", 1)]),
        ("TYPE:BUG", [("bugfix", 5), ("debug", 1)]),
        ("token type:fea", []),
        ("project:pay", [("payments-api", 7)]),
        ("project:API", [("payments-api", 7)]),
        ("project:my", [("my app", 1)]),
        ('project:"my', [("my app", 1)]),
        ("agent:", [("claude-code", 7), ("codex", 6)]),
        ("kind:", [("observation", 11), ("fact", 1), ("prompt", 1), ("summary", 1)]),
        ("tool:", [("Edit", 5), ("Bash", 3)]),
        ("tool:ed", [("Edit", 5)]),
        ("tag:", [("urgent", 5)]),
        ("entity:r", [("redis", 1)]),
        ("concept:", [("缓存", 5), ("clock drift", 5), ("Debounce", 3), ("缓存击穿", 1)]),
        ("concept:de", [("Debounce", 3)]),
        ("concept:缓", [("缓存", 5), ("缓存击穿", 1)]),
        ("file:sess", [("src/auth/session.py", 5), ("docs/session notes.md", 3)]),
        ("file:src/m", [("src/maps/cursor.ts", 3)]),
        ("is:", [("deleted", 1), ("noise", 0), ("pinned", 0), ("private", 1)]),
        ("is:p", [("pending", 0), ("pinned", 0), ("private", 1)]),
        ("sort:re", [("relevance", None), ("recent", None)]),
        ("类型:修", [("bugfix", 5)]),
        ("项目：支", [("支付系统", 2)]),
        ("told:>", [(">0", None), (">5", None)]),
        ("commit:9bb", []),
        ("type:bugfix,f", [("feature", 3), ("fact", 1), ("bugfix", 5)][:2]),
    ],
)
def test_values_come_with_their_counts(
    memory: Store, text: str, found: list[tuple[str, int | None]]
) -> None:
    shown = offered(memory, text)
    if text == "concept:":
        assert sorted(shown) == sorted(found)
    elif text == "is:":
        assert [one for one in shown if one in found] == found
        assert len(shown) == MOST
        assert {label for label, _ in shown} < FLAGS
    else:
        assert shown == found


def test_what_begins_so_comes_first_then_what_most_have(memory: Store) -> None:
    assert labels(memory, "type:") == [
        "bugfix", "feature", "debug", "decision", "fact", "note", "prompt", "summary",
    ]  # fmt: skip
    assert labels(memory, "type:de") == ["debug", "decision"]
    assert labels(memory, "type:o") == ["decision", "note", "prompt"]


@table(
    ("text", "names"),
    [
        ("ty", ["type:"]),
        ("TY", ["type:"]),
        ("se", ["session:"]),
        ("so", ["sort:", "source:"]),
        ("-ty", ["type:"]),
        ("-so", ["source:"]),
        ("token fi", ["file:"]),
        ("t", []),
        ("type", []),
        ("token", []),
        ("类型", ["类型:"]),
        ("缓存 项目", ["项目:"]),
        ("ty.", []),
        ('"ty', []),
        ("foo==9", []),
        ("", []),
        (" ", []),
    ],
)
def test_names_of_filters_are_offered_from_two_letters_on(
    memory: Store, text: str, names: list[str]
) -> None:
    assert labels(memory, text) == names


def test_after_the_name_of_every_filter_something_is_offered(memory: Store) -> None:
    for name in LISTED - {"source", "subagent", "author", "team", "branch", "commit"}:
        assert labels(memory, f"{name}:"), name
    assert labels(memory, "source:") == labels(memory, "subagent:") == []


def test_sub_agents_are_offered_by_their_ids(store: Store) -> None:
    store.observations.add("c-1", title="Counted the files", subagent="a7eecf52")
    assert labels(store, "subagent:") == ["a7eecf52"]


@table(
    ("text", "cursor", "whole"),
    [
        ("type:bug", None, ("type:bugfix ", 12)),
        ("-type:bug", None, ("-type:bugfix ", 13)),
        ("type:bug  ", 8, ("type:bugfix ", 12)),
        ("type:b,feature clock", 6, ("type:bugfix,feature clock", 11)),
        ("type:bxyz clock", 6, ("type:bugfix clock", 11)),
        ("type:feature,b", None, ("type:feature,bugfix ", 20)),
        ("project:my", None, ('project:"my app" ', 17)),
        ('project:"my a', None, ('project:"my app" ', 17)),
        ("file:notes", None, ('file:"docs/session notes.md" ', 29)),
        ("tok ty", None, ("tok type:", 9)),
        ("ty tok", 2, ("type: tok", 5)),
        ("type：bug", None, ("type：bugfix ", 12)),
    ],
)
def test_an_offer_is_taken_where_the_cursor_is(
    memory: Store, text: str, cursor: int | None, whole: tuple[str, int]
) -> None:
    assert first_taken(memory, text, cursor) == whole


def test_whatever_is_offered_is_understood_as_offered_and_finds_as_many(memory: Store) -> None:
    for name in ("type", "project", "agent", "kind", "tool", "tag", "entity", "concept", "file"):
        found = memory.completions(f"{name}:", None, NOW)
        assert found is not None
        for one in found.items:
            text, _ = found.taken(f"{name}:", one)
            assert [chip.label for chip in parse(text).chips] == [f"{name}:{one.label}"]
            assert memory.find(text).count().value == one.count, text


def test_inside_a_name_a_closed_quote_or_a_word_nothing_is_offered(memory: Store) -> None:
    for text, cursor in (("type:bug", 2), ('project:"my app"', 16), ("a type:bug", 1), ("a b", 2)):
        assert typed_at(text, cursor) is None
        assert memory.completions(text, cursor, NOW) is None


def test_a_value_that_is_there_whole_is_offered_no_more(memory: Store) -> None:
    assert labels(memory, "type:bugfix") == []
    assert labels(memory, "concept:缓存") == ["缓存", "缓存击穿"]


def test_values_already_in_the_filter_are_left_out(memory: Store) -> None:
    assert "bugfix" not in labels(memory, "type:bugfix,")
    assert labels(memory, "agent:codex,") == ["claude-code"]


def test_sessions_are_offered_by_id_with_what_they_were_about(memory: Store) -> None:
    found = memory.completions("session:", None, NOW)
    assert found is not None
    told = [(one.label, one.note) for one in found.items]
    assert told == [("757fc9f0", "atlas"), ("096d87af", "payments-api · Login fails")]
    assert labels(memory, "session:096") == ["096d87af"]
    assert labels(memory, "session:login") == ["096d87af"]
    assert memory.find(first_taken(memory, "session:09")[0]).count().value == 7
    assert labels(memory, "session:@") == ["@2", "@1"]


def test_dates_are_offered_with_the_day_they_mean(memory: Store) -> None:
    found = memory.completions("since:", None, NOW)
    assert found is not None
    assert ("yesterday", "2026-02-16") in [(one.label, one.note) for one in found.items]
    assert labels(memory, "on:la") == ["last-week", "last-month", "last-year"]
    assert labels(memory, "until:3")[:3] == ["3d", "3w", "3mo"]
    assert labels(memory, "since:昨") == ["昨天"]
    assert labels(memory, "-since:") == []


@table("text", ["type:s", "project:va", "project:gh", "concept:vault", "concept:gh", "tag:h",
                "tool:V", "file:vault", "agent:gem", "session:c-s", "type:gone"])  # fmt: skip
def test_values_of_hidden_memories_are_not_offered(memory: Store, text: str) -> None:
    for label in labels(memory, text):
        assert label in ("summary", "bugfix", "decision", "debug")


@table(
    ("text", "found"),
    [
        ("is:private type:", [("secret", 1)]),
        ("type: is:private", [("secret", 1)]),
        ("is:private concept:", [("vault key", 1)]),
        ("is:private project:v", [("vault", 1)]),
        ("is:private agent:", [("gemini", 1)]),
        ("is:private tool:", [("Vault", 1)]),
        ("is:private kind:", [("observation", 1)]),
        ("is:deleted type:", [("goner", 1)]),
        ("is:deleted type:s", []),
    ],
)
def test_they_are_offered_where_the_query_asks_for_hidden_memories(
    memory: Store, text: str, found: list[tuple[str, int | None]]
) -> None:
    cursor = text.index("type:") + 5 if text.startswith("type:") else None
    assert offered(memory, text, cursor) == found


@pytest.mark.extra("chinese")
def test_chinese_values_are_offered_for_their_pinyin(memory: Store) -> None:
    assert labels(memory, "concept:huancun") == ["缓存", "缓存击穿"]
    assert labels(memory, "concept:hcjc") == ["缓存击穿"]
    assert labels(memory, "project:zhifu") == ["支付系统"]
    assert labels(memory, "project:xitong") == ["支付系统"]
    assert labels(memory, "concept:hello") == []


def test_without_pypinyin_nothing_is_offered_for_pinyin(
    memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinyin, "characters_by_reading", dict)
    assert labels(memory, "concept:huancun") == []
    assert labels(memory, "concept:clo") == ["clock drift"]


def test_eight_are_offered_and_it_is_said_where_there_are_more(store: Store) -> None:
    with store.transaction():
        for number in range(30):
            store.observations.add("c-1", title="x", project=f"team-{number:02}")
    found = store.completions("project:te")
    assert found is not None
    assert [one.label for one in found.items] == [f"team-{number:02}" for number in range(8)]
    assert (found.more, found.complete) == (True, True)


def test_where_the_time_is_up_what_was_found_is_offered_and_that_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.transaction():
        for number in range(30):
            store.observations.add("c-1", title="x", project=f"team-{number:02}")
    monkeypatch.setattr(values, "LOOKING", 0)
    found = store.completions("project:te")
    assert found is None or not found.complete
    monkeypatch.setattr(values, "LOOKING", 1)
    monkeypatch.setattr(values, "COUNTING", 0)
    found = store.completions("project:te")
    assert found is not None
    assert {one.count for one in found.items} == {None}


def test_no_query_is_too_odd_to_be_completed(memory: Store) -> None:
    for text in ("type:" * 50, 'type:"', "type:%_!", "file:\\", "concept:'", "type:\ud800", "\0",
                 "project:" + "x" * 70_000, "session:@@", "on:99999999999", "kind:,,,"):  # fmt: skip
        for cursor in {0, 1, len(text) // 2, len(text)}:
            found = memory.completions(text, cursor, NOW)
            assert found is None or isinstance(found, Completions)


@table(
    ("text", "found"),
    [
        ("redis project:", [("atlas", 1)]),
        ("clock concept:", [("clock drift", 5), ("缓存", 5)]),
        ("type:feature tool:", [("Bash", 3)]),
        ("clock -type:", [("bugfix", 5)]),
        ("since:2026-02-17 tool:", [("Bash", 3)]),
        ("redis project:pay", []),
        ("类型:bugfix 标签:", [("urgent", 5)]),
    ],
)
def test_values_are_counted_within_the_rest_of_the_query(
    memory: Store, text: str, found: list[tuple[str, int | None]]
) -> None:
    assert offered(memory, text)[: len(found)] == found
