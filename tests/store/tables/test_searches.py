"""Queries are remembered in the order of their use, and kept under names; never what is private."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import InvalidRecordError, NotFoundError, ReadOnlyError, Store
from memtui.store.text.redaction import strip_private
from tests.promises import promise

from ...conftest import OpenStore
from ..processes import run_together

PIECES = ("token", "<private>", "</private>", "< private", "<\x01private>", "\n", "\x1b[2J", "\0", ">")


def test_queries_are_remembered_newest_first_each_once(store: Store) -> None:
    for text in ("token", "redis", "缓存 type:bugfix", "token"):
        store.searches.remember(text)
    assert store.searches.recent() == ["token", "缓存 type:bugfix", "redis"]
    assert store.searches.recent(2) == ["token", "缓存 type:bugfix"]
    assert store.searches.recent(0) == []


def test_other_letter_case_or_order_is_another_query(store: Store) -> None:
    for text in ("a b", "b a", "A b"):
        store.searches.remember(text)
    assert len(store.searches.recent()) == 3


def test_a_blank_query_is_not_remembered(store: Store) -> None:
    for text in ("", "  ", "\n\t", "<private>all of it</private>"):
        store.searches.remember(text)
    assert store.searches.recent() == []


def test_blanks_around_a_query_are_not_remembered(store: Store) -> None:
    store.searches.remember(" token  ")
    store.searches.remember("token")
    assert store.searches.recent() == ["token"]


def test_two_hundred_queries_are_kept(store: Store) -> None:
    with store.transaction():
        for number in range(250):
            store.searches.remember(f"query {number}")
    store.searches.remember("query 60")
    recent = store.searches.recent(1_000)
    assert len(recent) == 200
    assert recent[:2] == ["query 60", "query 249"]
    assert recent[-1] == "query 50"


def test_the_order_of_use_holds_when_the_clock_goes_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text, now in (("first", 9_000), ("second", 1_000), ("third", 9_001)):
        monkeypatch.setattr("memtui.store.tables.searches.now_ms", lambda now=now: now)
        store.searches.remember(text)
    assert store.searches.recent() == ["third", "second", "first"]


@given(pieces=st.lists(st.sampled_from(PIECES)))
def test_what_is_stored_is_one_line_without_private_text(store: Store, pieces: list[str]) -> None:
    text = "".join(pieces)
    store.searches.remember(text)
    store.searches.save(f"n {text}", f"q {text}")
    texts = store.searches.recent(1)
    for one in store.searches.saved():
        texts += [one.name, one.query]
        store.searches.forget(one.name)
    for stored in texts:
        assert strip_private(stored) == (stored, False)
        assert stored == stored.strip()
        assert stored.isprintable()


def test_a_store_that_is_only_read_remembers_nothing_and_goes_on(
    store: Store, open_store: OpenStore
) -> None:
    store.searches.remember("token")
    reader = open_store(read_only=True)
    reader.searches.remember("redis")
    assert reader.searches.recent() == ["token"]
    with pytest.raises(ReadOnlyError):
        reader.searches.save("mine", "redis")
    with pytest.raises(ReadOnlyError):
        reader.searches.forget("mine")


def test_a_query_is_forgone_while_another_program_writes(store: Store) -> None:
    with closing(apsw.Connection(str(store.path))) as other:
        other.execute("BEGIN IMMEDIATE")
        store.searches.remember("redis")
    assert store.searches.recent() == []
    store.searches.remember("token")
    assert store.searches.recent() == ["token"]


@promise("full-disk")
def test_a_full_disk_forgoes_the_query_and_the_store_stays_open(store: Store) -> None:
    pages = store.db.pragma("page_count")
    store.db.pragma("max_page_count", pages)
    store.searches.remember("word " * 50_000)
    assert store.searches.recent() == []
    store.searches.remember("token")
    assert store.searches.recent() == ["token"]


def remember_many(path: Path, number: int) -> None:
    with Store.open(path) as store:
        for one in range(20):
            store.searches.remember(f"query {one}")
            recent = store.searches.recent()
            assert len(recent) == len(set(recent))


@pytest.mark.long
def test_several_processes_may_remember_at_once(store: Store) -> None:
    assert run_together(remember_many, store.path, 3) == [0] * 3
    recent = store.searches.recent()
    assert recent and set(recent) <= {f"query {one}" for one in range(20)}


def test_a_search_is_saved_under_its_name(store: Store) -> None:
    saved = store.searches.save(" Token bugs ", "token type:bugfix ")
    assert (saved.name, saved.query) == ("Token bugs", "token type:bugfix")
    assert store.searches.saved() == [saved]


def test_saving_under_an_existing_name_replaces_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    for now, query in ((1_000, "token"), (2_000, "redis")):
        monkeypatch.setattr("memtui.store.tables.searches.now_ms", lambda now=now: now)
        store.searches.save("mine", query)
    [saved] = store.searches.saved()
    assert (saved.query, saved.created_at, saved.updated_at) == ("redis", 1_000, 2_000)


def test_saved_searches_are_listed_by_name(store: Store) -> None:
    for name in ("redis", "Token", "atlas"):
        store.searches.save(name, "q")
    assert [one.name for one in store.searches.saved()] == ["atlas", "redis", "Token"]


@pytest.mark.parametrize(("name", "query"), [(" ", "token"), ("mine", "\n"), ("<private>", "x")])
def test_a_search_needs_a_name_and_a_query(store: Store, name: str, query: str) -> None:
    with pytest.raises(InvalidRecordError, match="needs a"):
        store.searches.save(name, query)
    assert store.searches.saved() == []


def test_a_saved_search_is_forgotten_by_its_name(store: Store) -> None:
    store.searches.save("mine", "token")
    store.searches.save("other", "redis")
    store.searches.forget(" mine")
    assert [one.name for one in store.searches.saved()] == ["other"]
    with pytest.raises(NotFoundError, match=r"no saved search mine\. Saved: other\."):
        store.searches.forget("mine")


def test_saves_join_the_unit_of_work_they_are_in(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.transaction():
        store.searches.save("mine", "token")
        store.searches.remember("token")
        1 / 0  # noqa: B018
    assert store.searches.saved() == []
    assert store.searches.recent() == []
