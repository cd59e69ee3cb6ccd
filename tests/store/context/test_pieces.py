"""What a stored text comes to in a context: sentences and items, without what tells nobody anything."""

import pytest

from memtui.store.context.pieces import Told, pieces_of, says_nothing
from memtui.store.text.language.same import gist


def told(text: str, longest: int = 2_000) -> list[str]:
    return [f"{'' if one.start is None else one.start}{one.text}" for one in pieces_of(text, longest)]


def test_it_is_cut_at_sentences_and_semicolons() -> None:
    assert told("The port is 8080; see e.g. config.go. Done!") == [
        "The port is 8080;", "see e.g. config.go.", "Done!",
    ]  # fmt: skip
    assert told("令牌过期了。时钟漂移！为什么？") == ["令牌过期了。", "时钟漂移！", "为什么？"]
    assert told("") == []


def test_lists_stay_lists_and_what_follows_one_begins_a_line() -> None:
    text = "Two ways:\n- **One**: keep it\n* [x] Two\n\n1. First\n2) Second\nThen we are done."
    assert told(text) == [
        "Two ways:", "- One: keep it", "- Two", "1. First", "2) Second", "Then we are done.",
    ]  # fmt: skip
    assert pieces_of(text, 2_000)[-1].start == ""


def test_a_heading_stands_before_what_it_is_over_and_a_table_has_no_rulers() -> None:
    assert told("## Root cause\nThe clock.\n\n| a | b |\n|---|---|\n| 1 | 2 |") == [
        "Root cause: The clock.", "a · b", "1 · 2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "-----------------",
        "══════",
        '{"type": "agent", "prompt": "Look into it"}',
        '"status": "ok",',
        "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken",
        "npm warn deprecated inflight@1.0.6",
        "429, retrying in 5 s",
    ],
)
def test_rulers_raw_data_and_retries_are_left_out(line: str) -> None:
    assert says_nothing(line)
    assert told(f"It was DNS.\n{line}\nNow it works.") == ["It was DNS.", "Now it works."]


@pytest.mark.parametrize(
    "line",
    [
        "The client retries three times.",
        "- a warning is shown",
        "{name} is replaced by the user's",
        "[docs] explain: say why",
        "it's `{}` by default",
    ],
)
def test_what_only_looks_like_that_is_kept(line: str) -> None:
    assert not says_nothing(line)


WHEN = "when the tests of all packages on both systems pass again"


def has(old: str, new: str) -> bool:
    memory = Told()
    memory.add(gist(old))
    return memory.has(gist(new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We decided to use SQLite for the store.", "Decided: use SQLite for the store"),
        ("Fixed the race in `paths.RepoRoot()` by a mutex", "fixed a race in paths.RepoRoot()"),
        ("决定使用 SQLite 存储数据。", "使用 SQLite 存储数据"),
    ],
)
def test_nearly_the_same_words_say_the_same(old: str, new: str) -> None:
    assert has(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The port of staging is 8080", "The port of staging is 8081"),
        ("Use tabs in all of the Go files here", "Use tabs in all of the C files here"),
        ("Cache it", "Cache it for an hour"),
        (f"Push to main {WHEN}", f"Never push to main {WHEN}"),
        ("使用缓存", "不使用缓存"),
    ],
)  # fmt: skip
def test_another_number_name_or_a_denial_says_something_else(old: str, new: str) -> None:
    assert not has(old, new)


@pytest.mark.parametrize(
    "text",
    [
        "The TTL is 30 s because the client refreshes every 25 s; a shorter one would not do.",
        "The queue stays in the process. The broker is down on Sundays.",
        "缓存的时长是三十秒，因为客户端每二十五秒刷新一次；更短会让用户登出。",
    ],
)
def test_a_text_is_told_when_its_parts_are_and_they_are_when_it_is(text: str) -> None:
    parts, whole, some = Told(), Told(), Told()
    whole.add(gist(text))
    for piece in pieces_of(text, 900):
        assert whole.has(piece.gist)
        assert not parts.has(gist(text))
        parts.add(piece.gist)
    assert parts.has(gist(text))
    some.add(pieces_of(text, 900)[0].gist)
    assert not some.has(gist(text))
