"""What is understood of a query, by itself: any text is one, and what isn't understood is a word."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from store import Query, Store

NOW = datetime(2026, 2, 18, 12, 30)


def ms(*moment: int) -> int:
    """A local moment in ms since the epoch."""
    return int(datetime(*moment).timestamp() * 1000)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def parse(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The store's parser, at a fixed time."""
    with Store.open(tmp_path_factory.mktemp("query") / "memory.db") as store:
        yield lambda text: store.parse(text, NOW)


def words(query: Query) -> list[list[str]]:
    """The texts of a query's clauses."""
    return [[term.text for term in clause] for clause in query.clauses]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("", []),
        ("  \t\n", []),
        ("token refresh", [["token"], ["refresh"]]),
        ('"token refresh" drift', [["token refresh"], ["drift"]]),
        ("token OR refresh", [["token", "refresh"]]),
        ("a OR b OR c d", [["a", "b", "c"], ["d"]]),
        ("a OR type:x b", [["a", "b"]]),
        ("a or b", [["a"], ["or"], ["b"]]),
        ("a OR", [["a"]]),
        ("OR a", [["OR"], ["a"]]),
        ('"unclosed quote', [["unclosed"], ["quote"]]),
        ('""', []),
        ('"', [['"']]),
        ("C:\\x", [["C:\\x"]]),
        ("std::move", [["std::move"]]),
        ("color:red", [["color:red"]]),
        ("https://example.com/a?b=c", [["https://example.com/a?b=c"]]),
        ("is:weird then", [["is:weird"], ["then"]]),
        ("kind:weird", [["kind:weird"]]),
        ("since:whenever", [["since:whenever"]]),
        ("--", [["--"]]),
        ("-(x)", [["-(x)"]]),
        ("\u0301", []),
        ("a\x1fb", [["a"], ["b"]]),
        ("a\0b \ud83d", [["a\ufffdb"], ["\ufffd"]]),
    ],
)
def test_words_phrases_and_alternatives(parse: Any, text: str, clauses: list[list[str]]) -> None:
    assert words(parse(text)) == clauses


@pytest.mark.parametrize(
    ("text", "excluded"),
    [("-word", ["word"]), ('-"two words"', ["two words"]), ("-路", ["路"]), ("a-b", []), ("-", [])],
)
def test_a_minus_excludes(parse: Any, text: str, excluded: list[str]) -> None:
    assert [term.text for term in parse(text).excluded] == excluded


@pytest.mark.parametrize(
    ("text", "name", "values", "negated"),
    [
        ("type:bugfix", "type", ("bugfix",), False),
        ("type:bugfix,decision", "type", ("bugfix", "decision"), False),
        ("-type:bugfix", "type", ("bugfix",), True),
        ("TYPE:bugfix", "type", ("bugfix",), False),
        ('project:"my project"', "project", ("my project",), False),
        ('file:"a,b.py"', "file", ("a,b.py",), False),
        ('type:"bug', "type", ("bug",), False),
        ("kind:Observations", "kind", ("observation",), False),
        ("kind:prompt,facts", "kind", ("prompt", "fact"), False),
        ("session:@12", "session", ("@12",), False),
        ("agent:codex", "agent", ("codex",), False),
        ("tool:Bash", "tool", ("Bash",), False),
        ("file:src/a", "file", ("src/a",), False),
        ("concept:auth,,", "concept", ("auth",), False),
        ("tag:x", "tag", ("x",), False),
        ("entity:x", "entity", ("x",), False),
    ],
)
def test_filters(parse: Any, text: str, name: str, values: tuple[str, ...], negated: bool) -> None:
    query = parse(text)
    assert [(one.name, one.values, one.negated) for one in query.filters] == [
        (name, values, negated)
    ]
    assert query.is_filter_only
    assert [chip.text for chip in query.chips] == [text]


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("since:7d", ms(2026, 2, 11, 12, 30), None),
        ("since:3H", ms(2026, 2, 18, 9, 30), None),
        ("since:2w", ms(2026, 2, 4, 12, 30), None),
        ("since:1y", ms(2025, 2, 18, 12, 30), None),
        ("since:today", ms(2026, 2, 18), None),
        ("since:Yesterday", ms(2026, 2, 17), None),
        ("until:2026-02-01", None, ms(2026, 2, 2)),
        ("on:2026-02-18", ms(2026, 2, 18), ms(2026, 2, 19)),
        ("on:2024-02", ms(2024, 2, 1), ms(2024, 3, 1)),
        ("on:2026-12", ms(2026, 12, 1), ms(2027, 1, 1)),
        ("on:2024", ms(2024, 1, 1), ms(2025, 1, 1)),
        ("on:2100", ms(2100, 1, 1), ms(2101, 1, 1)),
        ("since:2026-02-18T10:15", ms(2026, 2, 18, 10, 15), None),
        ("since:2026-02-18T10:15Z", 1_771_409_700_000, None),
        ("since:2026-02-18T10:15+02:00", 1_771_402_500_000, None),
        ("since:2026-01 until:2026-02", ms(2026, 1, 1), ms(2026, 3, 1)),
    ],
)
def test_dates(parse: Any, text: str, since: int | None, until: int | None) -> None:
    query = parse(text)
    assert (query.since, query.until) == (since, until)
    assert query.is_filter_only


@pytest.mark.parametrize("text", ["since:99999y", "on:9999", "until:2026-13-40x", "since:０x"])
def test_an_impossible_date_never_raises(parse: Any, text: str) -> None:
    query = parse(f"{text} word")
    assert (query.since, query.until) == (None, None)
    assert words(query)[-1] == ["word"]


def test_flags_and_order(parse: Any) -> None:
    assert parse("is:pinned").flags == {"pinned"}
    assert parse("is:Private,deleted").flags == {"private", "deleted"}
    assert parse("sort:recent").sort == "recent"
    assert parse("sort:relevance token").sort == "relevance"


@pytest.mark.parametrize(
    "text",
    [
        *("type:", "-type:", 'type:"', "since:", "since:2", "since:2026-0", "on:tod", "is:"),
        *(
            "is:pi",
            "sort:",
            "sort:rec",
            "kind:",
            "kind:obs",
            "kind:prompt,fa",
            "title:",
            "concept:,",
        ),
    ],
)
def test_a_filter_still_being_typed_is_no_word_yet(parse: Any, text: str) -> None:
    query = parse(f"token {text}")
    assert words(query) == [["token"]]
    assert query.excluded == query.filters == ()


def test_a_field_narrows_its_word(parse: Any) -> None:
    (title,), (files,) = parse('title:refresh files:"a b"').clauses
    assert (title.text, title.columns) == ("refresh", {"title"})
    assert files.columns == {"files_read", "files_modified", "files_edited"}
    assert parse("-narrative:x").excluded[0].columns == {"narrative"}


def test_chips_are_the_filters_where_they_stand(parse: Any) -> None:
    text = 'fix type:bugfix "since:7d" since:7d is:pinned'
    chips = parse(text).chips
    assert [chip.text for chip in chips] == ["type:bugfix", "since:7d", "is:pinned"]
    assert all(text[chip.start : chip.end] == chip.text for chip in chips)
    assert chips[1].start > text.index('"')


def test_a_query_of_too_many_words_is_cut(parse: Any) -> None:
    assert len(parse(" ".join(f"w{n}" for n in range(1_000))).clauses) == 64
