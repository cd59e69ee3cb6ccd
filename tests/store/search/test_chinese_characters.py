"""Simplified and traditional Chinese are one in a search, what was typed first."""

import json
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import pytest

from memtui.store import Store, parse
from memtui.store.search.completion.remarks import remarks
from memtui.store.search.matching import Matcher
from memtui.store.text.language.han_forms import PATH, other_forms
from tests.tables import table

MANIFEST = Path(__file__).parents[3] / "bench" / "han_variants" / "manifest.json"


def titles(store: Store, query: str, *, related: bool = False) -> list[str]:
    """The titles of what a query finds, in order."""
    return [hit.row.title for hit in store.find(query).page(limit=20, related=related).hits]


@pytest.fixture
def mixed(store: Store) -> Store:
    """A memory in both scripts."""
    for title in ("修复了数据库连接", "修復了資料庫連線", "數據庫的索引", "头发在面板里", "乾淨的環境"):
        store.observations.add("c-1", title=title)
    return store


@table(
    ("query", "found"),
    [
        ("修復", ["修復了資料庫連線", "修复了数据库连接"]),
        ("修复", ["修复了数据库连接", "修復了資料庫連線"]),
        ("數據庫", ["數據庫的索引", "修复了数据库连接"]),
        ("数据库", ["修复了数据库连接", "數據庫的索引"]),
        ("資料庫", ["修復了資料庫連線"]),
        ("资料库", ["修復了資料庫連線"]),
        ("頭髮", ["头发在面板里"]),
        ("頭發", ["头发在面板里"]),
        ("面板裏", ["头发在面板里"]),
        ("裡", ["头发在面板里"]),
        ("干净", ["乾淨的環境"]),
        ("幹淨", ["乾淨的環境"]),
        ("數據庫 索引", ["數據庫的索引"]),
        ("title:修复 连接", ["修复了数据库连接"]),
        ("修復 OR 環境", ["乾淨的環境", "修復了資料庫連線", "修复了数据库连接"]),
        ("修復 -連接", ["修復了資料庫連線"]),
        ('"修復"', ["修復了資料庫連線"]),
        ('"頭髮"', []),
    ],
)
def test_a_word_finds_its_other_characters_behind_its_own(
    mixed: Store, query: str, found: list[str]
) -> None:
    results = titles(mixed, query)
    assert sorted(results) == sorted(found)
    assert results[:1] == found[:1]
    assert str(mixed.find(query).count()) == str(len(found))


def test_own_characters_come_first_however_little_they_score(store: Store) -> None:
    store.observations.add("c-1", title="别的", narrative="很长的文字" * 40 + "修復")
    for number in range(40):
        store.observations.add("c-1", title=f"修复 {number}", narrative="修复修复修复")
    results = titles(store, "修復")
    assert results[0] == "别的" and len(results) == 20
    assert len(set(results) | set(titles(store, "修复"))) > 20


def test_pages_go_on_from_each_other(store: Store) -> None:
    for number in range(30):
        store.observations.add("c-1", title=f"{'修復' if number % 2 else '修复'} {number}")
    every = [hit.row.title for hit in store.find("修復").page(limit=30).hits]
    assert [title[:2] for title in every] == ["修復"] * 15 + ["修复"] * 15
    pages = [store.find("修復").page(limit=10, start=start).hits for start in (0, 10, 20)]
    assert [hit.row.title for page in pages for hit in page] == every


def test_the_match_is_highlighted_as_it_stands(mixed: Store) -> None:
    mixed.observations.add("c-1", title="x", narrative="之后服务器恢复了")
    (hit,) = mixed.find("伺服器 OR 服務器").page().hits
    (start, end), *_ = hit.snippet.spans
    assert hit.snippet.text[start:end] == "服务器"


def test_a_question_finds_words_in_other_characters(mixed: Store) -> None:
    assert "修复了数据库连接" in titles(mixed, "如何修復這個連接的問題", related=True)


def test_facets_and_bulk_count_what_is_listed(mixed: Store) -> None:
    counts = mixed.find("修復").facets().counts
    assert dict(counts["kind"]) == {"observation": 2}


def test_a_memory_in_one_script_is_searched_as_ever(store: Store) -> None:
    store.observations.add("c-1", title="修复了数据库")
    assert not Matcher(store.db, parse("数据库")).query.has_other_characters
    assert Matcher(store.db, parse("數據庫")).query.has_other_characters


def test_what_other_text_there_is_stays() -> None:
    assert other_forms("fix") == []
    assert other_forms("") == []
    assert other_forms("か") == []
    assert "fix修复" in other_forms("fix修復")
    assert len(other_forms("发" * 40)) < 60


def test_the_file_is_the_one_that_the_manifest_describes() -> None:
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    assert sha256(PATH.read_bytes()).hexdigest() == manifest["table"]["sha256"]
    assert manifest["package"]["licence"] == "Apache-2.0"
    characters = PATH.read_text("utf-8").replace(" ", "").split()
    every = [character for line in characters for character in set(line)]
    assert len(every) == len(set(every)) == manifest["table"]["characters"]


@pytest.fixture
def labelled(store: Store) -> Store:
    """Memories with a tag in one script, and in both."""
    store.observations.add("c-2", title="甲", tags=["缓存"], project="项目")
    store.observations.add("c-1", title="乙", tags=["队列"])
    store.observations.add("c-1", title="丙", tags=["隊列"])
    return store


@table(
    ("query", "found"),
    [
        ("tag:緩存", ["甲"]),
        ("-tag:緩存", ["丙", "乙"]),
        ("project:項目", ["甲"]),
        ("tag:队列", ["乙"]),
        ("tag:隊列", ["丙"]),
    ],
)
def test_a_value_that_is_stored_nowhere_is_meant_in_other_characters(
    labelled: Store, query: str, found: list[str]
) -> None:
    assert sorted(titles(labelled, query)) == sorted(found)
    assert not remarks(labelled.db, query, datetime.now())
