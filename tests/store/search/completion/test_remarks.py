"""What of a query exists nowhere is said, with the nearest that does; nothing is changed by itself."""

import pytest

from memtui.store import Store
from memtui.store.search.query.dates import CHINESE_NAMES, CHINESE_UNITS
from memtui.store.search.query.grammar import may_name_a_time
from tests.tables import table

from .conftest import NOW


def meant(store: Store, text: str) -> str | None:
    """The query that is offered instead."""
    return next((one.query for one in store.remarks(text, NOW) if one.query), None)


def told(store: Store, text: str) -> list[str]:
    return [one.sentence for one in store.remarks(text, NOW)]


@table(
    ("text", "query"),
    [
        ("type:bug", "type:bugfix"),
        ("type:bugfx", "type:bugfix"),
        ("type:bugs", "type:bugfix"),
        ("type:bugfixes", "type:bugfix"),
        ("-type:bug token", "-type:bugfix token"),
        ("type:feature,bugfx x", "type:feature,bugfix x"),
        ("token type:descision", "token type:decision"),
        ("project:pay", "project:payments-api"),
        ("project:payments_api", "project:payments-api"),
        ("project:paymentsapi", "project:payments-api"),
        ("project:myapp", 'project:"my app"'),
        ("agent:claude", "agent:claude-code"),
        ("agent:codx", "agent:codex"),
        ("tool:bsh", "tool:Bash"),
        ("concept:clock-drift", 'concept:"clock drift"'),
        ("concept:debounced", "concept:Debounce"),
        ("tag:urgnt", "tag:urgent"),
        ("file:sesion.py", "file:session.py"),
        ("entity:rediss", "entity:redis"),
        ("typ:bugfix", "type:bugfix"),
        ("tpye:bugfix", "type:bugfix"),
        ("types:bugfix", "type:bugfix"),
        ("proj:atlas", "project:atlas"),
        ("repo:atlas", "project:atlas"),
        ("-typ:bugfix", "-type:bugfix"),
        ("类形:修复", "type:bugfix"),
        ("type: bugfix", "type:bugfix"),
        ("is:pined", "is:pinned"),
        ("-is:privat", "-is:private"),
        ("is:trash", "is:deleted"),
        ("kind:obs", "kind:observation"),
        ("sort:newest", "sort:recent"),
        ("typ:bug proj:pay", "type:bugfix project:payments-api"),
    ],
)
def test_the_nearest_that_exists_is_offered(memory: Store, text: str, query: str) -> None:
    assert meant(memory, text) == query
    assert memory.parse(query, NOW).chips


@table(
    ("text", "query"),
    [
        ("since:lastweek", "since:last-week"),
        ("since:last week token", "since:last-week token"),
        ("since:3 days ago", 'since:"3 days ago"'),
        ("on:yesterdy", "on:yesterday"),
        ("since:2026-13-45", "since:2026-12-31"),
        ("since:2026-02-30", "since:2026-02-28"),
        ("since:2026-18-02", "since:2026-02-18"),
        ("since:18.02.2026", "since:2026-02-18"),
        ("until:2/18/2026", "until:2026-02-18"),
        ("since:may", "since:2025-05"),
        ("before:2026-02-01", "until:2026-02-01"),
        ("date:yesterday", "on:yesterday"),
        ("since:someday", None),
        ("since:tomorrow", None),
        ("since:0", None),
        ("since:²", None),
    ],
)
def test_of_what_is_no_date_the_nearest_is_offered(memory: Store, text: str, query: str | None) -> None:
    assert told(memory, text)
    assert meant(memory, text) == query


def test_what_is_said_is_a_sentence(memory: Store) -> None:
    assert told(memory, "type:bug") == ["No memory has the type bug."]
    assert told(memory, "typ:bugfix") == ["There is no filter typ:."]
    assert told(memory, "since:2026-13-45") == ["2026-13-45 is not a date."]
    assert told(memory, "is:foo")[0].startswith("is: has no value 'foo'; it takes automatic, ")
    assert told(memory, "type:zzzz")[0].startswith("No memory has the type zzzz. In use: bugfix, ")
    assert told(memory, "-since:7d") == [
        "since: takes one value, and no minus: -since:7d is searched for as a word."
    ]
    assert told(memory, "type:zzzz typ:note") == [told(memory, "type:zzzz")[0], "There is no filter typ:."]


@table(
    "text",
    [
        *("", "token", "foo==9", "a:b", "foo:bar", "note:later", "title:x", "time:12 line:5"),
        *("http://example.com/a", "C:\\x", "std::move", "x.py:12:5", "error: no such thing"),
        *("def f(tpye: str, proj: int = 9) -> None:", '{"typ": "bugfix"}', "typ:int = 5"),
        *("tpye:nothing_like_it", "const typ: bugfix = {};", "log[today]", "date.today()"),
        *("type:bugfix", "TYPE:BUGFIX", "project:支付系统", "类型:修复", "file:session", "on:7d"),
        *("session:096d", "session:@1", "is:pinned", "sort:recent", '"typ:bugfix"', '"last week"'),
        *("-token", "OR", "since:2026 until:2026-02", "type:", "is:", "since:", "kind:facts"),
    ],
)
def test_of_what_is_understood_or_no_query_nothing_is_said(memory: Store, text: str) -> None:
    assert told(memory, text) == []


def test_a_beginning_is_offered_and_never_taken_by_itself(memory: Store) -> None:
    assert memory.find("project:pay").count().value == 0
    assert memory.find("type:bug").count().value == 0


def test_a_value_of_hidden_memories_alone_is_neither_told_nor_offered(memory: Store) -> None:
    for text in ("project:vaul", "type:secre", "concept:ghost", "tag:hus", "file:key.pe"):
        assert meant(memory, text) is None
    assert told(memory, "is:private type:secret") == []
    assert meant(memory, "is:private type:secre") == "is:private type:secret"


@table(
    ("text", "query"),
    [
        ("decided yesterday", "decided on:yesterday"),
        ("yesterday type:bugfix", "type:bugfix on:yesterday"),
        ("yesterday", "on:yesterday"),
        ("昨天 since:7d", None),
        ("-yesterday x", None),
        ("lastly, the weekend", None),
    ],
)
def test_time_words_are_offered_as_a_filter_where_there_are_memories_of_that_time(
    memory: Store, text: str, query: str | None
) -> None:
    assert meant(memory, text) == query
    if query:
        assert memory.parse(text, NOW).since is None
        assert memory.parse(query, NOW).since is not None


def test_of_an_empty_memory_nothing_is_said(store: Store) -> None:
    assert store.remarks("type:bug since:lastweek") == ()


@pytest.mark.extra("chinese")
def test_pinyin_of_a_value_is_near_to_it(memory: Store) -> None:
    assert meant(memory, "project:zhifu") == "project:支付系统"


def test_no_query_is_too_odd_to_be_remarked_on(memory: Store) -> None:
    for text in ("type:" * 50, 'type:"', "type:%_!", "file:\\", "typ:\ud800", "\0 since:\0",
                 "project:" + "x" * 70_000, "on:99999999999-99", "since:99999-1", "since:0000-00-00",
                 "昨天" * 5_000, "last " * 5_000, "type:" + ",".join(["ab"] * 99)):  # fmt: skip
        assert isinstance(memory.remarks(text, NOW), tuple)


def test_every_name_of_a_time_in_chinese_has_a_sign_of_one() -> None:
    for name in (*CHINESE_NAMES, *CHINESE_UNITS, "上周三", "2026年", "三月"):
        assert may_name_a_time(name), name


def test_of_a_time_of_which_nothing_fits_that_is_said(memory: Store) -> None:
    for text in ("decided last week", "上周三 缓存"):
        assert told(memory, text) == ["Nothing of that time fits as well: all times are searched."]


def test_no_time_is_looked_for_among_words_that_name_none(
    memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("memtui.store.search.query.dates.time_words")
    assert memory.remarks("token type:bugfix", NOW) == ()
    with pytest.raises(NameError):
        memory.remarks("token yesterday type:bugfix", NOW)
