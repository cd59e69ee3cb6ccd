"""What is understood of a query, by itself: any text is one, and what isn't understood is a word."""

from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Query, Store, parse
from memtui.store.search.query.grammar import Item, items
from tests.tables import table

NOON = datetime(2026, 2, 18, 12)

PIECES = (
    *(" ", '"', "“", "”", "＂", ":", "：", ",", "，", "-", "－", "OR", " OR ", "or", "|", "(", "\0"),
    *("类型:", "修复", "自：", "项目"),
    *("type", "TITLE:", "file:", "project：", "kind:fact", "is:pinned", "sort:recent", "since:7d"),
    *("note", "缓存", "word", "x", "since:", "on:昨天", "\ud800", "\x1f", "\u3000", "\n", "ſ", "İs:"),
)
texts = st.text() | st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def words(query: Query) -> list[list[str]]:
    """The texts of a query's clauses, as they were typed."""
    return [[term.text for term in clause] for clause in query.as_typed.clauses]


@table(
    ("text", "clauses"),
    [
        ("", []),
        ("  \t\n", []),
        ("token refresh", [["token"], ["refresh"]]),
        ('"token refresh" drift', [["token refresh"], ["drift"]]),
        ("“刷新 令牌” drift", [["刷新 令牌"], ["drift"]]),
        ("＂token refresh＂", [["token refresh"]]),
        ('“say "hi" now”', [['say "hi" now']]),
        ('"say “hi” now"', [["say “hi” now"]]),
        ("token OR refresh", [["token", "refresh"]]),
        ("a OR b OR c d", [["a", "b", "c"], ["d"]]),
        ('a OR "b c" OR title:d', [["a", "b c", "d"]]),
        ("a or b", [["a"], ["or"], ["b"]]),
        ("a | b", [["a"], ["|"], ["b"]]),
        ('a "OR" b', [["a"], ["OR"], ["b"]]),
        ("a OR", [["a"], ["OR"]]),
        ("a OR ", [["a"], ["OR"]]),
        ("a OR title:", [["a", "title:"]]),
        ("OR a", [["OR"], ["a"]]),
        ("a OR OR b", [["a"], ["OR"], ["b"]]),
        ("a OR type:x b", [["a"], ["OR"], ["b"]]),
        ("type:x OR a", [["OR"], ["a"]]),
        ("type:x OR type:y", []),
        ("a OR -bc", [["a", "bc"]]),
        ("a OR -b", [["a", "-b"]]),
        ("a -bc OR c", [["a"], ["bc", "c"]]),
        ('"unclosed quote', [["unclosed"], ["quote"]]),
        ("“unclosed quote", [["unclosed"], ["quote"]]),
        ('title:"unclosed quote', [["unclosed"], ["quote"]]),
        ('""', []),
        ('"', [['"']]),
        ("“", [["“"]]),
        ("C:\\x", [["C:\\x"]]),
        ("std::move", [["std::move"]]),
        ("title::x type::x", [["title::x"], ["type::x"]]),
        ("color:red", [["color:red"]]),
        ("颜色：红", [["颜色：红"]]),
        ("https://example.com/a?b=c", [["https://example.com/a?b=c"]]),
        ("type: bugfix", [["type:"], ["bugfix"]]),
        ('title:"" project:"" x', [['title:""'], ['project:""'], ["x"]]),
        ("is:weird then", [["is:weird"], ["then"]]),
        ("kind:weird", [["kind:weird"]]),
        ("kind:fact,weird", [["kind:fact,weird"]]),
        ("sort:recent,pinned", [["sort:recent,pinned"]]),
        ("--", [["--"]]),
        ("- x", [["-"], ["x"]]),
        ("-(x)", [["-(x)"]]),
        ("\u0301", []),
        ("a\x1fb", [["a"], ["b"]]),
        ("a\0b \ud83d", [["a\ufffdb"], ["\ufffd"]]),
        ("ſession:x", [["ſession:x"]]),
    ],
)
def test_words_phrases_and_alternatives(text: str, clauses: list[list[str]]) -> None:
    assert words(parse(text)) == clauses


@table(
    ("text", "excluded"),
    [
        *(("-word", ["word"]), ('-"two words"', ["two words"]), ("-路", ["路"]), ("a-b", [])),
        *(("-", []), ("－词", ["词"]), ("-“两 词”", ["两 词"]), ("-color:red", ["color:red"])),
        *(("-since:7d x", ["since:7d"]), ("-sort:recent", ["sort:recent"])),
        ("a -OR", ["OR"]),
    ],
)
def test_a_minus_excludes(text: str, excluded: list[str]) -> None:
    assert [term.text for term in parse(text).as_typed.excluded] == excluded


@table(
    ("text", "name", "values", "negated"),
    [
        ("type:bugfix", "type", ("bugfix",), False),
        ("type:bugfix,decision", "type", ("bugfix", "decision"), False),
        ("type：bugfix，decision", "type", ("bugfix", "decision"), False),
        ("-type:bugfix", "type", ("bugfix",), True),
        ("－type：bugfix", "type", ("bugfix",), True),
        ("TYPE:bugfix", "type", ("bugfix",), False),
        ('project:"my project"', "project", ("my project",), False),
        ('project:"my app",other', "project", ("my app", "other"), False),
        ('project:other,"my app"', "project", ("other", "my app"), False),
        ("project:“我的 项目”，other", "project", ("我的 项目", "other"), False),
        ('file:"a,b.py"', "file", ("a,b.py",), False),
        ('type:"bug', "type", ("bug",), False),
        ('project:other,"my ap', "project", ("other", "my ap"), False),
        ("kind:Observations", "kind", ("observation",), False),
        ("kind:prompt,facts", "kind", ("prompt", "fact"), False),
        ("kind:summaries", "kind", ("summary",), False),
        ("session:@12", "session", ("@12",), False),
        ("agent:codex", "agent", ("codex",), False),
        ("tool:Bash", "tool", ("Bash",), False),
        ("file:src/a", "file", ("src/a",), False),
        ("file:C:\\x", "file", ("C:\\x",), False),
        ("concept:auth,,", "concept", ("auth",), False),
        ("tag:x", "tag", ("x",), False),
        ("entity:x", "entity", ("x",), False),
        ("-is:pinned", "is", ("pinned",), True),
        ("-is:private,Deleted", "is", ("private", "deleted"), True),
        ("类型:修复", "type", ("bugfix",), False),
        ("類型：修復，決定", "type", ("bugfix", "decision"), False),
        ("－类型：重构", "type", ("refactor",), True),
        ("type:修复", "type", ("bugfix",), False),
        ('type:"修复"', "type", ("修复",), False),
        ("项目:支付", "project", ("支付",), False),
        ("项目:修复", "project", ("修复",), False),
        ("种类:摘要", "kind", ("summary",), False),
        ("-是:置顶", "is", ("pinned",), True),
    ],
)
def test_filters(text: str, name: str, values: tuple[str, ...], negated: bool) -> None:
    query = parse(text)
    assert [(one.name, one.values, one.negated) for one in query.filters] == [(name, values, negated)]
    assert query.is_filter_only
    assert [chip.text for chip in query.chips] == [text]


def test_what_is_written_in_chinese_is_the_same_query() -> None:
    for chinese, english in (
        ("缓存 类型:修复", "缓存 type:bugfix"),
        ("自:昨天 至：今天", "since:昨天 until:今天"),
        ("状态:置顶,隐藏 排序:最新", "is:pinned,private sort:recent"),
        ("文件:src/a.py 标签:急", "file:src/a.py tag:急"),
    ):
        one, other = parse(chinese, NOON), parse(english, NOON)
        assert (one.filters, one.flags, one.since, one.until, one.sort, one.clauses) == (
            other.filters, other.flags, other.since, other.until, other.sort, other.clauses,
        )  # fmt: skip
        assert [chip.label for chip in one.chips] == [chip.label for chip in other.chips]


def test_chinese_prose_with_a_colon_is_words() -> None:
    for text in ("问题：登录失败", "自:从那以后", "我的项目：支付", "结论:用缓存"):
        assert parse(text).is_filter_only is False
        assert parse(text).chips == ()


def test_flags_and_order() -> None:
    assert parse("is:pinned").flags == {"pinned"}
    assert parse("is:Private,deleted").flags == {"private", "deleted"}
    assert parse("sort:recent").sort == "recent"
    assert parse("sort:relevance token").sort == "relevance"
    assert parse("sort:recent sort:pinned").sort == "pinned"


@table(
    "text",
    [
        *("type:", "-type:", 'type:"', "type：“", "since:", "is:", "is:pi", "is:pinned,pri", "-is:p"),
        *("sort:", "sort:rec", "kind:", "kind:obs", "kind:prompt,fa", "title:", 'title:"'),
        *("concept:,", "type: ", "OR", "OR "),
    ],
)
def test_an_item_still_being_typed_is_no_word_yet(text: str) -> None:
    query = parse(f"token {text}", typing=True)
    assert words(query) == [["token"]]
    assert not query.excluded
    assert not query.filters


@table("text", ["token type:", "a OR", "kind:obs", "since:3-da", "title:"])
def test_what_nobody_is_typing_is_taken_as_it_stands(text: str, store: Store) -> None:
    query = parse(text)
    assert query == store.parse(text)
    assert " ".join(term.text for term in query.terms) == text


def test_a_field_narrows_its_word() -> None:
    (title,), (files,) = parse('title:refresh files:"a b"').clauses
    assert (title.text, title.columns, title.phrase) == ("refresh", frozenset({"title"}), False)
    assert files.columns == frozenset({"files_read", "files_modified", "files_edited"})
    assert files.phrase
    assert parse("-Narrative：“x y”").excluded[0].columns == frozenset({"narrative"})


def test_chips_are_the_filters_where_they_stand() -> None:
    text = 'fix type:bugfix "since:7d" since:7d OR is:pinned －project：“my app”，other'
    chips = parse(text).chips
    assert [chip.label for chip in chips] == [
        *("type:bugfix", "since:7d", "is:pinned", "-project:my app,other")
    ]
    assert [text[chip.start : chip.end] for chip in chips] == [
        *("type:bugfix", "since:7d", "is:pinned", "－project：“my app”，other")
    ]
    assert chips[1].start > text.index('"')


@given(texts)
def test_any_text_is_a_query_and_its_chips_stand_in_it(text: str) -> None:
    query = parse(text)
    assert query.text == text
    assert all(text[chip.start : chip.end] == chip.text for chip in query.chips)
    assert parse(query.text).clauses == query.clauses


@given(texts)
def test_nothing_that_was_typed_is_lost(text: str) -> None:
    query = parse(f"{text} end")
    understood = [chip.text for chip in query.chips]
    terms = [term for clause in query.clauses for term in clause]
    for term in (*terms, *query.excluded):
        understood += [term.text, term.field or ""]
    understood += [chip.text for chip in query.expressions]
    # A word that stands twice is one term.
    assert letters(text) <= letters("".join(understood))


@table(
    ("text", "clauses", "excluded", "shown"),
    [
        ("error AND handling", [["error"], ["handling"]], [], ["error AND handling"]),
        ("bug OR fix", [["bug", "fix"]], [], ["bug OR fix"]),
        ("bug NOT feature", [["bug"]], ["feature"], ["bug NOT feature"]),
        ("(锁 OR 缓存) NOT 功能", [["锁", "缓存"]], ["功能"], ["(锁 OR 缓存) NOT 功能"]),
        ("（锁 OR redis）", [["锁", "redis"]], [], ["锁 OR redis"]),
        ("a AND b OR c", [["a", "c"], ["b", "c"]], [], ["(a AND b) OR c"]),
        ("a OR b AND c d", [["a", "b"], ["a", "c"], ["d"]], [], ["a OR (b AND c)"]),
        ("NOT (a OR b) c", [["c"]], ["a", "b"], ["NOT (a OR b)"]),
        ("-(a OR b) c", [["c"]], ["a", "b"], ["NOT (a OR b)"]),
        ("NOT NOT a", [["a"]], [], ["NOT NOT a"]),
        ("((a OR b))", [["a", "b"]], [], ["a OR b"]),
        ("(a b) OR c", [["a", "c"], ["b", "c"]], [], ["(a b) OR c"]),
        ("a OR (a AND b)", [["a"]], [], ["a OR (a AND b)"]),
        ("(lock redis) x", [["lock"], ["redis"], ["x"]], [], []),
        ("f(x) (a, b)", [["f(x)"], ["a,"], ["b"]], [], []),
        ('"a AND b" "NOT"', [["a AND b"], ["NOT"]], [], []),
        ("a and b not c", [["a"], ["and"], ["b"], ["not"], ["c"]], [], []),
        ("(a b", [["(a"], ["b"]], [], []),
        ("a NOT", [["a"], ["NOT"]], [], []),
    ],
)
def test_operators_and_brackets_join_what_stands_beside_them(
    text: str, clauses: list[list[str]], excluded: list[str], shown: list[str]
) -> None:
    query = parse(text)
    assert words(query) == clauses
    assert [term.text for term in query.excluded] == excluded
    assert [chip.label for chip in query.expressions] == shown
    assert all(text[chip.start : chip.end] == chip.text for chip in query.expressions)


@table(
    ("text", "filters", "words_left"),
    [
        ("(lock OR redis) type:x", [("type", ("x",), False)], [["lock", "redis"]]),
        ("(lock AND type:x) NOT tag:y", [("type", ("x",), False), ("tag", ("y",), True)], [["lock"]]),
        ("type:x OR type:y a", [("type", ("x", "y"), False)], [["a"]]),
        ("a OR type:x", [("type", ("x",), False)], [["a"], ["OR"]]),
        ("NOT (a type:x)", [("type", ("x",), False)], [["NOT"], ["a"]]),
    ],
)
def test_operators_join_filters_where_a_list_can_be_made_by_them(
    text: str, filters: list[object], words_left: list[list[str]]
) -> None:
    query = parse(text)
    assert [(one.name, one.values, one.negated) for one in query.filters] == filters
    assert words(query) == words_left


BOOLEAN = ["alpha", "beta", "gamma", "锁"]
expressions = st.recursive(
    st.sampled_from(BOOLEAN),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner) | st.tuples(st.just("NOT"), inner)
    ),
    max_leaves=7,
)


def written(one: Any) -> str:
    """An expression as it is typed."""
    if isinstance(one, str):
        return one
    return f"({' '.join(part if part in ('AND', 'OR', 'NOT') else written(part) for part in one)})"


def is_true(one: Any, text: str) -> bool:
    """Whether a text meets an expression."""
    if isinstance(one, str):
        return one in text
    if len(one) == 2:
        return not is_true(one[1], text)
    left, right = is_true(one[0], text), is_true(one[2], text)
    return (left and right) if one[1] == "AND" else (left or right)


@given(expressions)
def test_any_expression_matches_the_texts_that_meet_it(one: Any) -> None:
    query = parse(written(one))
    for number in range(2 ** len(BOOLEAN)):
        text = " ".join(word for place, word in enumerate(BOOLEAN) if number >> place & 1)
        met = all(
            any((term.folded in text) != term.negated for term in clause) for clause in query.clauses
        ) and not any(term.folded in text for term in query.excluded)
        assert met == is_true(one, text)


def test_brackets_that_multiply_too_much_leave_operators_as_words() -> None:
    query = parse(" OR ".join(f"(a{n} AND b{n})" for n in range(10)))
    assert len(query.clauses) == 22
    assert query.expressions == ()


def test_operators_find_what_they_mean(store: Store) -> None:
    titles = ("A lock of redis", "A bug in the lock", "A redis feature", "Another 锁")
    for title in titles:
        kind = "bugfix" if "bug" in title or "of" in title else "note"
        store.observations.add("c-1", title=title, type=kind)

    def found(query: str) -> set[str]:
        return {hit.row.title for hit in store.find(query).page().hits if hit.tier == "exact"}

    assert found("lock NOT redis") == {"A bug in the lock"}
    assert found("(lock OR redis) type:bugfix") == {"A lock of redis", "A bug in the lock"}
    assert found("lock AND redis") == {"A lock of redis"}
    assert found("锁 OR feature") == {"Another 锁", "A redis feature"}
    assert found("lock NOT (redis OR 锁)") == {"A bug in the lock"}
    assert found("redis NOT lock OR 锁") == {"A redis feature", "Another 锁"}
    (remark,) = store.remarks("lock OR type:bugfix")
    assert remark.sentence.startswith("OR is searched for as a word")


def letters(text: str) -> set[str]:
    """The letters and digits of a text."""
    return {character for character in text.lower() if character.isalnum()}


def test_a_query_of_too_many_words_is_cut() -> None:
    assert len(parse(" ".join(f"w{n}" for n in range(1_000))).clauses) == 64


@table("name", ["file", "session", "type", "tag"])
def test_a_filter_that_no_one_types_is_a_word(store: Store, name: str) -> None:
    store.observations.add("c-1", title="A path", files_read=["a/b"])
    for value in (",".join(f"a{number}" for number in range(2_000)), "a" * 60_000):
        query = parse(f"{name}:{value}")
        assert (len(query.clauses), query.filters) == (1, ())
        assert store.find(query.text).page().hits == []
    most = ",".join(f"a{number}" for number in range(64))
    assert store.find(f"{name}:{most} {name}:{most}").page().hits == []


WORDS = ["token", "缓存", "OR", "or", "42", "é", "a_b", "  ", "\n", "\x1c", "か", "İx"]


@given(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
def test_nothing_but_words_is_read_as_behind_something_else(text: str) -> None:
    def read(one: Item, shift: int) -> tuple[object, ...]:
        return one.text, one.start - shift, one.end - shift, one.operator, one.name, one.values

    # What is quoted is no plain word, so that all of the text is read by the pattern.
    quoted = '"q" '
    behind = [read(one, len(quoted)) for one in items(quoted + text)][1:]
    assert [read(one, 0) for one in items(text)] == behind
